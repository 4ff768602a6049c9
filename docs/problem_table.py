#!/usr/bin/env python3
"""Solves a folder of public problems by the default chains and prints the tables of docs/problems.md.

    ./dev run --version && python3 docs/problem_table.py FOLDER [--write]

FOLDER holds a folder for each kind and public.csv, what other solvers reached. --write puts the
tables into docs/problems.md. Needs nothing but Python.
"""
import csv
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "problems.md"
MARK = "<!-- From here on written by docs/problem_table.py --write. -->\n"
ASKED = 1e-10


def solve(folder):
    """One answer a file."""
    command = [ROOT / "build/release/pequod", "solve", folder, "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def read_public(folder):
    """Best relative natural map and status of the public solvers, by kind and file."""
    with open(folder / "public.csv", newline="") as file:
        return {(row["kind"], row["file"]): row for row in csv.DictReader(file)}


def natural_map(answer):
    value = answer["residuals"].get("natural_map", "nan")
    return float(value)


def meets(answer):
    return answer["status"] == "solved" and natural_map(answer) <= ASKED


def counts(answers, public):
    lines = ["| kind | problems | solved to 1e-10 | proven without solution | solved by a public solver |",
             "|---|---|---|---|---|"]
    for kind in dict.fromkeys(answer["kind"] for answer in answers):
        own = [answer for answer in answers if answer["kind"] == kind]
        theirs = [row for key, row in public.items() if key[0] == kind]
        lines.append(" | ".join([
            f"| {kind}", str(len(own)), str(sum(map(meets, own))),
            str(sum(answer["status"] == "no-solution" for answer in own)),
            str(sum(row["status"] == "solved" for row in theirs)) + " |"]))
    return lines


def problems(answers, public):
    lines = ["| problem | unknowns | status | by | natural map | best public |", "|---|---|---|---|---|---|"]
    for answer in answers:
        file = pathlib.Path(answer["file"]).name
        by = answer["solver"] + (f" ({answer['method']})" if answer["method"] else "")
        best = public[answer["kind"], file]["best_residual_rel"]
        lines.append(" | ".join([
            f"| {answer['kind']}/{file}", str(len(answer["x"])), answer["status"], by,
            f"{natural_map(answer):.0e}", f"{float(best):.0e} |"]))
    return lines


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    if len(words) != 1:
        sys.exit(__doc__)
    folder = pathlib.Path(words[0])
    answers, public = solve(folder), read_public(folder)
    text = "\n".join(counts(answers, public) + [""] + problems(answers, public)) + "\n"
    print(text, end="")
    if "--write" in sys.argv:
        before = DOC.read_text().split(MARK)[0]
        DOC.write_text(before + MARK + "\n" + text)


main()
