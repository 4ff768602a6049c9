#!/usr/bin/env python3
"""Runs examples/models and the trot with every contact model and integrator, and prints the errors
against closed forms as Markdown, and the ways on a free wedge. `--write` puts both tables into
docs/models.md.

    python3 docs/model_table.py [--write]
"""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEQUOD = ROOT / "build/release/pequod"
INTEGRATORS = ["symplectic-euler", "rk4", "dopri5"]
BEGIN, END = "<!-- model_table.py -->\n", "<!-- end -->\n"
WEDGE, WEDGE_END = "<!-- wedge -->\n", "<!-- wedge end -->\n"

G = 9.81
DOWN, PRESS = 3.3552176, 9.2183848


def models():
    text = subprocess.run([PEQUOD, "list"], capture_output=True, text=True, check=True).stdout
    part = text.split("Contact models")[1].split("\nSolvers")[0]
    return re.findall(r"^  (\S+)\s+(?:acceleration|velocity)(?: and acceleration)? level", part, re.M)


def ramp_speed(model):
    """Speed down the slope after 1 s, mu_c = 0.2, mu_v = 0."""
    if model in ("frictionless", "viscous"):
        return DOWN
    if model == "no-slip":
        return 0.0
    return DOWN - 0.2 * PRESS


def rolling_speed(model):
    """Speed of the ball after 1 s: slip u = v + r w obeys du/dt = 7/2 f/m, v = v0 - 2/7 (u0 - u)."""
    if model == "frictionless":
        return 2.0
    if model == "viscous":
        slip = 2.0 * math.exp(-3.5)
        return 2.0 - 2.0 / 7.0 * (2.0 - slip)
    return 10.0 / 7.0


def bounce_height():
    """Height of the centre at 1.05 s: fall of 1 m, then flights of e, e^2 ... times the first."""
    fall = math.sqrt(2.0 / G)
    t, speed = 1.05 - fall, 0.5 * G * fall
    while t > 2.0 * speed / G:
        t -= 2.0 * speed / G
        speed *= 0.5
    return 0.1 + speed * t - 0.5 * G * t * t


def last_row(folder):
    with open(folder / "state.csv", newline="") as file:
        return list(csv.DictReader(file))[-1]


def run(scene, model, integrator, folder, *more):
    command = [PEQUOD, "run", ROOT / scene, "--model", model, "--integrator", integrator,
               "--output", folder, "--quiet", *more]
    names = subprocess.run([PEQUOD, "list"], capture_output=True, text=True, check=True).stdout
    solver = re.search(rf"^  {model}\s.*?solvers: (\S+?)(?:,|$)", names, re.M | re.S).group(1)
    result = subprocess.run(command + ["--solver", solver], capture_output=True, text=True)
    if result.returncode:
        return None, result.stderr.strip().splitlines()[0]
    return last_row(folder), json.loads((folder / "summary.json").read_text())


def cell(scene, model, integrator, error):
    with tempfile.TemporaryDirectory() as folder:
        row, summary = run(scene, model, integrator, pathlib.Path(folder) / "run")
    return f"{error(row):.1e}" if row else f"refused: {summary}"


def walk(model, integrator):
    with tempfile.TemporaryDirectory() as folder:
        row, summary = run("examples/quadruped/trot.yaml", model, integrator,
                           pathlib.Path(folder) / "run", "--duration", "2")
    if not row:
        return f"refused: {summary}"
    height = float(row["mara.z"])
    state = "stands" if height > 0.3 else "has fallen"
    return f"{float(row['mara.x']):.3f} m, {state}, gap ≥ {-summary['max_penetration_m']:.0e}"


def table():
    lines = ["| model | integrator | box on ramp, speed | sliding ball, speed | bouncing ball, height | "
             "trot, 2 s |", "|---|---|---|---|---|---|"]
    for model in models():
        for integrator in INTEGRATORS:
            lines.append("| {} | {} | {} | {} | {} | {} |".format(
                model, integrator,
                cell("examples/models/ramp.yaml", model, integrator,
                     lambda row: abs(float(row["box.vx"]) - ramp_speed(model))),
                cell("examples/models/rolling.yaml", model, integrator,
                     lambda row: abs(float(row["ball.vx"]) - rolling_speed(model))),
                cell("examples/models/bouncing.yaml", model, integrator,
                     lambda row: abs(float(row["ball.z"]) - bounce_height())),
                walk(model, integrator)))
    return "\n".join(lines) + "\n"


def wedge_ways(model, floor, folder):
    """Ways in 0.2 s, m: of the block along the slope, of the wedge along the floor."""
    scene = folder / "wedge.yaml"
    text = (ROOT / "examples/models/wedge.yaml").read_text()
    scene.write_text(text.replace("friction: 0}", f"friction: {floor}}}"))
    row, _ = run(scene, model, "rk4", folder / "run", "--overwrite")
    with open(folder / "run/state.csv", newline="") as file:
        first = next(csv.DictReader(file))
    wedge, block = (float(row[f"{name}.x"]) - float(first[f"{name}.x"]) for name in ("wedge", "block"))
    return f"{abs(block - wedge) / math.cos(math.radians(28.6)):.4f}, {abs(wedge):.4f}"


def wedge_table():
    lines = ["| model (RK4, 0.2 s) | smooth floor: block, wedge, m | floor of μ = 0.1 |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in models():
            lines.append(f"| {model} | {wedge_ways(model, 0, folder)} | {wedge_ways(model, 0.1, folder)} |")
    return "\n".join(lines) + "\n"


def replace_between(page, begin, end, text):
    start, stop = page.index(begin) + len(begin), page.index(end)
    return page[:start] + "\n" + text + "\n" + page[stop:]


def main():
    text, wedge = table(), wedge_table()
    if "--write" not in sys.argv:
        print(text + "\n" + wedge, end="")
        return
    path = ROOT / "docs/models.md"
    page = replace_between(path.read_text(), BEGIN, END, text)
    path.write_text(replace_between(page, WEDGE, WEDGE_END, wedge))


if __name__ == "__main__":
    main()
