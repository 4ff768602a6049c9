"""The table of docs/performance.md, from the figures kept beside it."""
import json
import pathlib

from scenes import SCENES

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE, KEPT = DOCS / "performance.md", DOCS / "performance.json"
BEGIN, END = "<!-- Written by ./dev bench peers --write -->\n", "<!-- End -->\n"
HEAD = ["| scene | engine | steps/s | × real time | later | Pequod’s are × | later | deepest, m | creep, m | energy gained "
        "| simulated, s | runs |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
FLIGHT_HEAD = ["| scene | engine | accelerations/s | time, × the best peer’s | steps/s | Pequod’s are × |",
               "|---|---|--:|--:|--:|--:|"]
INSTRUCTIONS_HEAD = ["| scene | engine | instructions a step |", "|---|---|--:|"]


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
    cells = [scene, name, rate(result["rate"]), rate(result.get("speed")), rate(result["rate_later"]), digits(result["ratio"]),
             digits(result["ratio_later"]), digits(result["depth"]), digits(result["creep"]), digits(result["gained"]),
             digits(result["simulated"], 4), str(result["runs"])]
    return "| " + " | ".join(cells) + " |"


def flight_line(scene, result, best):
    mine = result.get("accelerations")
    cells = [scene, result["row"], rate(mine), digits(best / mine if mine else None), rate(result["rate"]),
             digits(result["ratio"])]
    return "| " + " | ".join(cells) + " |"


def flies(scene):
    return scene.startswith(("chain", "tree"))


def flight_lines(figures):
    made = []
    for scene, results in figures.items():
        best = max(result.get("accelerations") or 0.0 for result in results[1:])
        made += [flight_line(scene if k == 0 else "", result, best) for k, result in enumerate(results)]
    return FLIGHT_HEAD + made


def instruction_lines(figures):
    return INSTRUCTIONS_HEAD + [f"| {scene} | {result['row']} | {result['instructions']:.3g} |"
                                for scene, results in figures.items()
                                for result in results if result.get("instructions")]


def all_lines(figures):
    """The table, and beside it those of trees in flight and of instructions, where there are some."""
    standing = {scene: results for scene, results in figures.items() if not flies(scene)}
    flying = {scene: results for scene, results in figures.items() if flies(scene)}
    counted = any(result.get("instructions") for results in standing.values() for result in results)
    parts = [lines(standing)] if standing else []
    parts += [flight_lines(flying)] if flying else []
    parts += [instruction_lines(standing)] if counted else []
    return [text for k, part in enumerate(parts) for text in ([""] if k else []) + part]


def lines(figures):
    return HEAD + [line(scene if k == 0 else "", result)
                   for scene, results in figures.items() for k, result in enumerate(results)]


def written(page, figures):
    before, rest = page.split(BEGIN)
    return before + BEGIN + "\n" + "\n".join(all_lines(figures)) + "\n\n" + END + rest.split(END, 1)[1]


def keep(figures):
    """Takes new figures in and writes the table anew."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for name, results in figures.items():
        # What was counted in another run stands until it is counted again.
        counts = {result["row"]: result.get("instructions") for result in kept.get(name, [])}
        for result in results:
            result.setdefault("instructions", counts.get(result["row"]))
        kept[name] = results
    kept = {name: kept[name] for name in SCENES if name in kept}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(written(PAGE.read_text(), kept))

