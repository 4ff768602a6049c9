#!/usr/bin/env python3
"""Checks that what the pages of docs/ name between backticks is there.

    docs/names.py [PAGE ...]     by default those about the inside of the program, and the limits

A path must exist; a name with :: or () and a single word of code must occur in the sources; a row of
evidence.md that limits.md names must be there. Exit code 1 and a line for each that does not.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["docs/architecture.md", "docs/changing.md"]
LIMITS = "docs/limits.md"
SUFFIXES = {".h", ".cpp", ".js", ".mjs", ".py", ".txt", ".cmake", ".json", ".yaml"}
PATH = re.compile(r"\.?[\w./*-]*/[\w./*-]*")
WORD = re.compile(r"[A-Za-z_]\w*")


def sources():
    """The text of all files of code, tests and build scripts."""
    texts = [(ROOT / "dev").read_text()]
    for folder, inside, files in os.walk(ROOT):
        if pathlib.Path(folder) == ROOT:
            inside[:] = [name for name in inside if name not in ("build", "runs", ".git")]
        inside[:] = [name for name in inside if name != "node_modules"]
        texts += [(pathlib.Path(folder) / name).read_text(errors="replace") for name in files
                  if pathlib.Path(name).suffix in SUFFIXES]
    return "\n".join(texts)


def missing(name, words):
    """What is not there of a name between backticks; None if all is, or if it is no name."""
    if PATH.fullmatch(name):
        found = any(ROOT.glob(name.rstrip("/"))) if "*" in name else (ROOT / name).exists()
        return None if found or name.startswith("../") else name
    if re.fullmatch(r"[\w:.]+(\(\w*\))?", name):
        absent = [word for word in WORD.findall(name) if len(word) > 1 and word not in words]
        return ", ".join(absent) or None
    return None


def missing_rows(page):
    """Lines for rows of evidence that a page names, as (17c) or in a column, and that are not there."""
    rows = set(re.findall(r"^\| (\d\d?[a-zA-Z]\d?) \|", (ROOT / "docs/evidence.md").read_text(), re.M))
    return [f"{page}:{number}: docs/evidence.md has no row {row}"
            for number, line in enumerate((ROOT / page).read_text().splitlines(), 1)
            for row in re.findall(r"\b\d\d[a-zA-Z]\d?\b", line) if row not in rows]


def main():
    words = set(WORD.findall(sources()))
    wrong = 0
    for page in sys.argv[1:] or PAGES:
        for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
            for name in re.findall(r"`([^`]+)`", line):
                what = missing(name, words)
                if what:
                    wrong += 1
                    print(f"{page}:{number}: `{name}`: there is no {what}")
    lines = missing_rows(LIMITS) if not sys.argv[1:] else []
    for line in lines:
        print(line)
    sys.exit(1 if wrong or lines else 0)


if __name__ == "__main__":
    main()
