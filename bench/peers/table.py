"""The table of docs/performance.md, from the figures kept beside it."""
import json
import pathlib

from scenes import SCENES

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE, KEPT = DOCS / "performance.md", DOCS / "performance.json"
BEGIN, END = "<!-- Written by ./dev bench peers --write -->\n", "<!-- End -->\n"
HEAD = ["| scene | engine | steps/s | later | Pequod’s are × | later | deepest, m | creep, m | energy gained "
        "| simulated, s | runs |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]


def digits(x, count=2):
    if x is None:
        return "–"
    return "0" if x == 0 else f"{x:.{count}g}" if abs(x) < 1e4 else f"{x:.0f}"


def rate(x):
    if x is None:
        return "–"
    return f"{x:.3g}" if x < 1000 else f"{float(f'{x:.3g}') / 1000:g} k"


def line(scene, result):
    name = result["row"] + (f": *{result['complaint']}*" if result["complaint"] else "")
    cells = [scene, name, rate(result["rate"]), rate(result["rate_later"]), digits(result["ratio"]),
             digits(result["ratio_later"]), digits(result["depth"]), digits(result["creep"]), digits(result["gained"]),
             digits(result["simulated"], 4), str(result["runs"])]
    return "| " + " | ".join(cells) + " |"


def lines(figures):
    return HEAD + [line(scene if k == 0 else "", result)
                   for scene, results in figures.items() for k, result in enumerate(results)]


def written(page, figures):
    before, rest = page.split(BEGIN)
    return before + BEGIN + "\n" + "\n".join(lines(figures)) + "\n\n" + END + rest.split(END, 1)[1]


def keep(figures):
    """Takes new figures in and writes the table anew."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    kept.update(figures)
    kept = {name: kept[name] for name in SCENES if name in kept}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(written(PAGE.read_text(), kept))

