#!/usr/bin/env python3
"""Runs the examples and prints what they did, as the table of README.md.

    ./dev run --version && python3 docs/example_table.py [--write | SCENE.yaml ...]

--write puts the table into README.md. Needs nothing but Python. Runs go to runs/NAME.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "quadruped"


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


def run(scene):
    """summary.json and the rows of state.csv; None if the scene is refused."""
    folder = ROOT / "runs" / scene.stem
    command = [ROOT / "build/release/pequod", "run", scene, "--output", folder, "--quiet"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    summary = json.loads((folder / "summary.json").read_text())
    return summary, read_states(folder)


def describe(scene):
    """The comment that says what a scene is."""
    lines = [line[1:].strip() for line in scene.read_text().splitlines() if line.startswith("#")]
    return " ".join(line for line in lines if not line.startswith("yaml-language-server"))


def row_of(scene):
    summary, states = run(scene)
    robot = find_robot(states)
    first, last = states[0], states[-1]
    lean = max(tilt(row, robot) for row in states)
    low = min(row[f"{robot}.z"] for row in states) / first[f"{robot}.z"]
    return " | ".join([
        f"| `{scene.name}`: {describe(scene)}",
        f"{summary['model']}, {summary['integrator']}, {summary['step'] * 1e3:g} ms",
        f"{last[f'{robot}.x'] - first[f'{robot}.x']:.3f} m",
        f"{last[f'{robot}.y'] - first[f'{robot}.y']:+.3f} m",
        f"{lean:.3f} rad",
        f"{100 * low:.0f} %",
        f"{summary['real_time_factor']:.0f} ×",
        f"{0.0 - summary['max_penetration_m']:.0e} m",
        f"{summary['energy_residual_max_J']:.1e} J" +
        ("" if summary["status"] == "finished" else f" ({summary['status']})") + " |"])


HEAD = ["| scene | model, integrator, step | forward | sideways | largest tilt | lowest base |"
        " speed, of real time | worst gap | largest residual |",
        "|---|---|---|---|---|---|---|---|---|"]
MARK = "<!-- Written by docs/example_table.py --write -->\n"


def main():
    write = sys.argv[1:] == ["--write"]
    names = [] if write else sys.argv[1:]
    scenes = [pathlib.Path(name) for name in names] or sorted(EXAMPLES.glob("*.yaml"))
    table = "\n".join(HEAD + [row_of(scene) for scene in scenes]) + "\n"
    print(table, end="")
    if write:
        readme = ROOT / "README.md"
        before, after = readme.read_text().split(MARK)
        rest = after[after.find("\n\n", 1):]
        readme.write_text(before + MARK + "\n" + table.rstrip("\n") + rest)


if __name__ == "__main__":
    main()
