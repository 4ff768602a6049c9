#!/usr/bin/env python3
"""Writes the clutter scenes of this folder, from the public study's generator: CPython's random numbers of seed 7.

./make_scenes.py        writes clutter_hard.yaml (8 bodies), clutter_20_hard.yaml, clutter_20_soft.yaml
"""
import math
import os
import random

RADIUS, SIDE = 0.025, 0.05  # m
COLUMNS = [(-0.06, -0.06), (0.06, -0.06), (-0.06, 0.06), (0.06, 0.06)]  # m
FOLDER = os.path.dirname(os.path.abspath(__file__))


def reach(cube):
    """Radius of the ball around a body, m."""
    return RADIUS * math.sqrt(3) if cube else RADIUS


def apart(place, cube, placed):
    return all(
        math.dist(place, other) >= reach(cube) + reach(others_cube) + 0.005 for other, others_cube, _ in placed
    )


def bodies(layers, spacing, cubes, redraw):
    """(place, whether it is a cube, axis and angle) of each body."""
    draw = random.Random(7).uniform
    placed = []
    for layer in range(layers):
        shift = 0.03 if layer % 2 else 0.0
        for x, y in COLUMNS:
            cube = cubes and len(placed) % 2 == 1
            while True:
                place = (
                    x + shift + draw(-0.015, 0.015),
                    y + shift + draw(-0.015, 0.015),
                    0.12 + spacing * layer + draw(-0.005, 0.005),
                )
                if not redraw or apart(place, cube, placed):
                    break
            turn = None
            if cube:
                axis = [draw(-1, 1) for _ in range(3)]
                length = math.sqrt(sum(a * a for a in axis))
                turn = ([a / length for a in axis], draw(0, math.pi))
            placed.append((place, cube, turn))
    return placed


HEAD = """# yaml-language-server: $schema=../pequod.schema.json
# Written by make_scenes.py. {what}
duration: 2
integrator: {{method: rk4, step: 0.01}}
contact: {{model: coulomb}}
record: {{every: 0.01}}
bodies:
  floor: {{fixed: true, shape: {{plane: {{}}}}}}
  wall_1: {{fixed: true, shape: {{box: {{size: [0.04, 0.38, 0.6]}}}}, position: [0.17, 0, 0]}}
  wall_2: {{fixed: true, shape: {{box: {{size: [0.04, 0.38, 0.6]}}}}, position: [-0.17, 0, 0]}}
  wall_3: {{fixed: true, shape: {{box: {{size: [0.38, 0.04, 0.6]}}}}, position: [0, 0.17, 0]}}
  wall_4: {{fixed: true, shape: {{box: {{size: [0.38, 0.04, 0.6]}}}}, position: [0, -0.17, 0]}}
"""
TAIL = """surfaces:
  - {between: ["*", "*"], friction: 0.5, restitution: 0}
"""


def numbers(values):
    return "[" + ", ".join(f"{v:.17g}" for v in values) + "]"


def write(name, what, placed):
    lines = [HEAD.format(what=what)]
    for i, (place, cube, turn) in enumerate(placed):
        shape = f"box: {{size: [{SIDE}, {SIDE}, {SIDE}]}}" if cube else f"sphere: {{radius: {RADIUS}}}"
        mass = 1000 * (SIDE**3 if cube else 4 / 3 * math.pi * RADIUS**3)
        line = f"  body_{i}: {{mass: {mass:.17g}, shape: {{{shape}}}, position: {numbers(place)}"
        if turn:
            axis, angle = turn
            half = math.sin(0.5 * angle)
            line += f", orientation: {{quaternion: {numbers([math.cos(0.5 * angle)] + [half * a for a in axis])}}}"
        lines.append(line + "}\n")
    with open(os.path.join(FOLDER, name + ".yaml"), "w") as file:
        file.write("".join(lines) + TAIL)
    print(name, *(f"{sum(place[k] for place, _, _ in placed):.9f}" for k in range(3)))


write("clutter_hard", "Eight balls and cubes that fall into a bin (generation C).", bodies(2, 0.085, True, True))
write("clutter_20_hard", "Twenty balls and cubes that fall into a bin (generation A).", bodies(5, 0.07, True, False))
write("clutter_20_soft", "Twenty balls that fall into a bin (generation A).", bodies(5, 0.07, False, False))
