#!/usr/bin/env python3
"""Writes the height fields of the examples: rows, columns, then heights row by row.

rough.dat   uniform ±1 on a 0.15 m grid of 14.1 m × 6 m; scenes scale it (height: 0.03 is ±3 cm)
micron.dat  white Gaussian noise of deviation 1, 250 × 250; scenes scale it (height: 1e-6 is 1 µm),
            the regenerated terrain of Drumwright 2015

The seeds are fixed: running it again changes nothing.
"""
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent


def write(name, rows, columns, sample):
    lines = [f"{rows} {columns}"]
    for _ in range(rows):
        lines.append(" ".join(f"{sample():.3f}" for _ in range(columns)))
    (FOLDER / name).write_text("\n".join(lines) + "\n")


rough = random.Random(2015)
write("rough.dat", 95, 41, lambda: rough.uniform(-1.0, 1.0))
micron = random.Random(1851)
write("micron.dat", 250, 250, lambda: micron.gauss(0.0, 1.0))
