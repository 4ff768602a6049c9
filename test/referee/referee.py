#!/usr/bin/env python3
"""Compares runs of pequod with motions that are integrated here, without its code.

    python3 test/referee/referee.py PEQUOD [--write docs/evidence.md]

Prints one line a scene: the truth's worst error and what is allowed. Exit code 1 if one is beyond.
Needs nothing but Python.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import planar
import spatial

BEGIN, END = "<!-- Written by test/referee/referee.py -->\n", "<!-- Referee's end -->\n"


def measure(pequod, scene, folder):
    """@return worst error over what the scene tells, or what went wrong"""
    path = folder / "scene.yaml"
    path.write_text(scene.text)
    for name, text in scene.files.items():
        (folder / name).write_text(text)
    result = subprocess.run([pequod, "run", path, "--output", folder / "run", "--overwrite", "--quiet"],
                            capture_output=True, text=True)
    if result.returncode:
        return result.stderr.strip().splitlines()[-1]
    with open(folder / "run/state.csv", newline="") as file:
        end = list(csv.DictReader(file))[-1]
    with open(folder / "run/events.csv", newline="") as file:
        kinds = [row["kind"] for row in csv.DictReader(file)]
    if "suspect" in kinds or "fallback" in kinds:
        return "the run has suspect losses or fallback steps"
    if json.loads((folder / "run/summary.json").read_text())["unbalanced_steps"]:
        return "the forces that are told are not those that moved the bodies"
    if "qw" in "".join(scene.truth):
        align(scene.truth, end)
    return max(abs(float(end[key]) - value) for key, value in scene.truth.items())


def align(truth, end):
    """q and -q are one attitude."""
    key = next(key for key in truth if key.endswith(".qw"))
    parts = [key[:-1] + part for part in "wxyz"]
    if sum(truth[part] * float(end[part]) for part in parts) < 0.0:
        for part in parts:
            truth[part] = -truth[part]


def main():
    pequod = sys.argv[1]
    lines, failed = ["| kind | scene | error | allowed |", "|---|---|---|---|"], 0
    with tempfile.TemporaryDirectory() as name:
        for scene in planar.scenes() + spatial.scenes():
            error = measure(pequod, scene, pathlib.Path(name))
            holds = isinstance(error, float | int) and error <= scene.tolerance
            failed += not holds
            shown = f"{error:.1e}" if isinstance(error, float | int) else error
            lines.append(f"| {scene.kind} | {scene.name} | {shown} | {scene.tolerance:.0e} |")
            print(f"{'ok  ' if holds else 'FAIL'} {scene.kind}, {scene.name}: {shown}"
                  f" (allowed {scene.tolerance:.0e})", flush=True)
    if "--write" in sys.argv:
        path = pathlib.Path(sys.argv[sys.argv.index("--write") + 1])
        page = path.read_text()
        start, stop = page.index(BEGIN) + len(BEGIN), page.index(END)
        path.write_text(page[:start] + "\n" + "\n".join(lines) + "\n\n" + page[stop:])
    print(f"{failed} of {len(lines) - 2} beyond what is allowed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
