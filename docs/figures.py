#!/usr/bin/env python3
"""The figures of the example runs in README.md and docs/evidence.md, from one place: docs/figures.json.

    ./dev run --version && python3 docs/figures.py --run [SCENE.yaml ...]
                                  runs the examples (or those named), keeps their figures in
                                  docs/figures.json and writes the tables; runs go to runs/NAME
    python3 docs/figures.py --write     writes the tables from the kept figures
    python3 docs/figures.py --check     says where the tables differ from them; exit code 1 if so

Needs nothing but Python.
"""
import csv
import difflib
import json
import math
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "figures.json"
EXAMPLES = ROOT / "examples" / "quadruped"
BEGIN, END = "<!-- Written by docs/figures.py -->\n", "<!-- End -->\n"


def read_states(folder):
    with open(folder / "state.csv", newline="") as file:
        return [{key: float(text) for key, text in row.items()} for row in csv.DictReader(file)]


def find_robot(states):
    """The first body with a free base and joints."""
    bases = [key[:-3] for key in states[0] if key.endswith(".qw")]
    return next(base for base in bases if any(key.startswith(base + "/") for key in states[0]))


def tilt(row, robot):
    """Angle between the base's z axis and the world's, rad: cos = 1 − 2 (x² + y²)."""
    return math.acos(1 - 2 * (row[f"{robot}.qx"] ** 2 + row[f"{robot}.qy"] ** 2))


def describe(scene):
    """The comment that says what a scene is."""
    lines = [line[1:].strip() for line in scene.read_text().splitlines() if line.startswith("#")]
    return " ".join(line for line in lines if not line.startswith("yaml-language-server"))


def processor_time():
    """s, of the runs so far: the wall's would tell what else the machine did."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(scene):
    """What is kept of a run."""
    folder = ROOT / "runs" / scene.stem
    shutil.rmtree(folder, ignore_errors=True)
    command = [ROOT / "build/release/pequod", "run", scene, "--output", folder, "--quiet"]
    before = processor_time()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    spent = processor_time() - before
    summary, states = json.loads((folder / "summary.json").read_text()), read_states(folder)
    robot = find_robot(states)
    first, last = states[0], states[-1]
    names = ["status", "model", "integrator", "step", "max_penetration_m",
             "worst_slip_mps", "worst_solver_residual", "energy_residual_max_J", "fallbacks"]
    return {
        "what": describe(scene),
        "duration": last["t"],
        "real_time_factor": last["t"] / spent,
        "forward": last[f"{robot}.x"] - first[f"{robot}.x"],
        "sideways": last[f"{robot}.y"] - first[f"{robot}.y"],
        "tilt": max(tilt(row, robot) for row in states),
        "lowest": min(row[f"{robot}.z"] for row in states) / first[f"{robot}.z"],
        **{name: summary[name] for name in names},
    }


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def choices(f):
    return f"{f['model']}, {f['integrator']}, {f['step'] * 1e3:g} ms"


def readme_table(figures):
    return table(
        ["scene", "model, integrator, step", "forward", "sideways", "largest tilt", "lowest base",
         "speed, of real time", "worst gap", "largest residual"],
        [[f"`{name}`: {f['what']}", choices(f), f"{f['forward']:.3f} m", f"{f['sideways']:+.3f} m",
          f"{f['tilt']:.3f} rad", f"{100 * f['lowest']:.0f} %", f"{f['real_time_factor']:.0f} ×",
          f"{0.0 - f['max_penetration_m']:.0e} m",
          f"{f['energy_residual_max_J']:.1e} J" +
          ("" if f["status"] == "finished" else f" ({f['status']})")]
         for name, f in figures.items()])


def evidence_table(figures):
    return table(
        ["scene", "seconds", "model, integrator, step", "forward, sideways", "largest tilt",
         "fallback steps", "worst gap", "worst slip", "worst solver residual", "energy residual",
         "× real time"],
        [[f"`{name}`", f"{f['duration']:g}", choices(f),
          f"{f['forward']:.3f}, {f['sideways']:+.3f} m", f"{f['tilt']:.3f} rad",
          str(f["fallbacks"]), f"{0.0 - f['max_penetration_m']:.1e} m",
          f"{f['worst_slip_mps']:.1e} m/s", f"{f['worst_solver_residual']:.1e}",
          f"{f['energy_residual_max_J']:.1e} J", f"{f['real_time_factor']:.0f}"]
         for name, f in figures.items()])


TABLES = {"README.md": readme_table, "docs/evidence.md": evidence_table}


def written(name, figures):
    """A document with its table as the figures say."""
    text = (ROOT / name).read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return before + BEGIN + "\n" + TABLES[name](figures) + "\n" + END + after


def check(figures):
    differ = False
    for name in TABLES:
        lines = [text.splitlines() for text in ((ROOT / name).read_text(), written(name, figures))]
        for line in difflib.unified_diff(*lines, name, "docs/figures.json", lineterm="", n=0):
            differ = True
            print(line)
    if differ:
        print("python3 docs/figures.py --write mends it; --run also measures anew")
    return 1 if differ else 0


def main():
    words = sys.argv[1:]
    if not words or words[0] not in ("--run", "--write", "--check"):
        print(__doc__)
        return 2
    figures = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if words[0] == "--check":
        return check(figures)
    if words[0] == "--run":
        for scene in [pathlib.Path(n).resolve() for n in words[1:]] or sorted(EXAMPLES.glob("*.yaml")):
            figures[scene.name] = run(scene)
        figures = {name: f for name, f in sorted(figures.items()) if (EXAMPLES / name).exists()}
        KEPT.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    for name in TABLES:
        (ROOT / name).write_text(written(name, figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
