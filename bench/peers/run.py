#!/usr/bin/env python3
"""Runs the scenes with Pequod and its peers, one after the other in turns, and prints what came of it.

    run.py PROGRAMS [--quick] [--cap S] [--write] [--instructions] [SCENE ...]

PROGRAMS is the folder of the programs. All numbers of a row are medians over its runs; ratios are medians of those of
single turns, in which the engines run right after each other. --quick: three turns of a fifth of the time. --cap: of
the clock, where a run ends if it is not through. --write: the figures of these scenes go into docs/performance.json,
and the table of all figures there into docs/performance.md. --instructions: counts those of Pequod's steps of robots by
valgrind, once they have settled."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import table
from rows import ROWS
from scenes import SCENES, write_scene

TURNS, QUICK_TURNS = 5, 3
# s of the clock: a run ends there wherever it is, and a row that has spent twice that has no more turns.
CAP, QUICK_CAP = 10, 2
# So many times that for Pequod, so that it gets through the fall.
PATIENCE = {"settling": 6, "cube-216": 12, "poured-1001": 24}


def run_once(programs, scene_file, row, seconds, cap):
    """What the program prints, or why it fails."""
    _, program, settings = row
    command = [programs / f"peer_{program}", scene_file, "--seconds", str(seconds), "--cap", str(cap)]
    command += [f"{key}={value}" for key, value in settings.items()]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    limit = 60 + 6 * cap  # s of the wall: a single step may go past the cap, and measures are not on the clock
    try:
        # MuJoCo leaves a log where it runs.
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=scene_file.parent,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        return {"complaint": f"fails: no end after {limit:g} s"}
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    words = done.stderr.strip().splitlines()
    return {"complaint": "fails: " + (words[-1][:120] if words else f"signal {-done.returncode}")}


def count_instructions(programs, scene_file, row):
    """Of a step, in the mean over the last 0.2 s."""
    _, program, settings = row
    counts = []
    for seconds in ("2", "2.2"):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                   "--toggle-collect=pequod::Simulation::step*", programs / f"peer_{program}", scene_file,
                   "--seconds", seconds] + [f"{key}={value}" for key, value in settings.items()]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        counts.append(int(re.search(r"Collected : (\d+)", told).group(1)))
    return (counts[1] - counts[0]) / 200


def median(runs, key):
    numbers = [run[key] for run in runs if run.get(key) is not None]
    return statistics.median(numbers) if numbers else None


def sum_up(row, runs, first):
    """One row of the table from its runs and those of the scene's first row."""
    result = {"row": row[0], "runs": len(runs), "complaint": max(run["complaint"] for run in runs)}
    for key in ("simulated", "rate", "rate_later", "accelerations", "depth", "creep", "gained"):
        result[key] = median(runs, key)
    for key in ("rate", "rate_later"):
        pairs = [(a.get(key), b.get(key)) for a, b in zip(first, runs)]
        ratios = [a / b for a, b in pairs if a and b]
        result["ratio" + key[4:]] = statistics.median(ratios) if ratios else None
    return result


def run_scene(programs, name, quick, usual_cap, instructions):
    with tempfile.TemporaryDirectory() as folder:
        scene_file, scene = write_scene(pathlib.Path(folder), name)
        seconds = scene["duration"] * (0.2 if quick else 1)
        runs = [[] for _ in ROWS[name]]
        spent = [0.0] * len(runs)
        for turn in range(QUICK_TURNS if quick else TURNS):
            for k, row in enumerate(ROWS[name]):
                cap = usual_cap * (PATIENCE.get(name, 1) if row[1] == "pequod" and not quick else 1)
                if spent[k] >= 2 * cap or (turn and runs[k][0]["complaint"].startswith("fails")):
                    continue
                runs[k].append(run_once(programs, scene_file, row, seconds, cap))
                spent[k] += runs[k][-1].get("spent", 0.0)
                print(f"{name}, turn {turn + 1}, {row[0]}: {json.dumps(runs[k][-1])}", file=sys.stderr, flush=True)
        results = [sum_up(row, runs[k], runs[0]) for k, row in enumerate(ROWS[name])]
        for row, result in zip(ROWS[name], results):
            result["speed"] = result["rate"] and result["rate"] * scene["step"]
            if instructions and row[1] == "pequod" and name.startswith("robot"):
                result["instructions"] = count_instructions(programs, scene_file, row)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--cap", type=float, metavar="S", help=f"{CAP} s, or {QUICK_CAP} s with --quick")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    options = parser.parse_intermixed_args()
    for name in options.scenes:
        if name not in SCENES:
            parser.error(f"there is no scene '{name}'; there are {', '.join(SCENES)}")
    cap = options.cap or (QUICK_CAP if options.quick else CAP)
    for name in options.scenes or SCENES:
        figures = {name: run_scene(options.programs.resolve(), name, options.quick, cap, options.instructions)}
        print("\n".join(table.all_lines(figures)), flush=True)
        if options.write:
            table.keep(figures)


if __name__ == "__main__":
    main()
