#!/usr/bin/env python3
"""Writes scenes of many contacts: make_scenes.py KIND NUMBER > scene.yaml

KIND is spheres (NUMBER on a cubic grid, falling into a box that is as wide as five of each seven of a row),
grid (NUMBER x NUMBER boxes that touch their neighbours), stack or wall (NUMBER rows of NUMBER bricks)."""
import argparse
import random


def header(step, scheme):
    choice = ", scheme: time-stepping" if scheme else ""
    return (f"duration: 1\nintegrator: {{method: symplectic-euler, step: {step}}}\n"
            f"contact: {{model: coulomb{choice}}}\nrecord: {{every: 0.1}}\nbodies:\n"
            "  ground: {fixed: true, shape: {plane: {}}}\n")


def footer(friction):
    return f'surfaces:\n  - {{between: ["*", "*"], friction: {friction}}}\n'


def box(name, size, place):
    return (f"  {name}: {{mass: 1, shape: {{box: {{size: [{', '.join(f'{x:.6g}' for x in size)}]}}}}, "
            f"position: [{', '.join(f'{x:.9g}' for x in place)}]}}\n")


def spheres(count, radius, step):
    """In columns with gaps of a tenth of a radius and places off by a few hundredths of it."""
    chance = random.Random(1)
    side = round(count ** (1 / 3))
    half = side * 1.1 * radius
    text = header(step, True)
    for name, normal in (("west", "[1, 0, 0]"), ("east", "[-1, 0, 0]"), ("south", "[0, 1, 0]"),
                         ("north", "[0, -1, 0]")):
        text += f"  {name}: {{fixed: true, shape: {{plane: {{normal: {normal}, offset: {-half:.6g}}}}}}}\n"
    for i in range(count):
        x, y, z = i % side, i // side % side, i // side ** 2
        place = [2.2 * radius * (x + 0.5) - half, 2.2 * radius * (y + 0.5) - half, 2.2 * radius * (z + 0.5)]
        place = [p + chance.uniform(-0.05, 0.05) * radius for p in place]
        text += (f"  ball_{i:05d}: {{mass: 0.5, shape: {{sphere: {{radius: {radius}}}}}, "
                 f"position: [{', '.join(f'{p:.5f}' for p in place)}]}}\n")
    return text + footer(0.3)


def grid(side, step):
    text = header(step, False)
    for i in range(side):
        for j in range(side):
            text += box(f"box_{i}_{j}", (0.1, 0.1, 0.1), (0.1 * i, 0.1 * j, 0.05))
    return text + footer(0.5)


def stack(count, step):
    text = header(step, False)
    for i in range(count):
        text += box(f"box_{i}", (0.3, 0.2, 0.1), (0.0, 0.0, 0.05 + 0.1 * i))
    return text + footer(0.5)


def wall(rows, step):
    text = header(step, True)
    for k in range(rows):
        for i in range(rows):
            text += box(f"brick_{k}_{i}", (0.2, 0.1, 0.06), (0.21 * i + 0.1 * (k % 2), 0, 0.03 + 0.06 * k))
    return text + footer(0.6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["spheres", "grid", "stack", "wall"])
    parser.add_argument("number", type=int)
    parser.add_argument("--radius", type=float, default=0.05, help="m, of spheres")
    parser.add_argument("--step", type=float, default=0.001, help="s")
    options = parser.parse_args()
    makers = {"grid": grid, "stack": stack, "wall": wall}
    if options.kind == "spheres":
        print(spheres(options.number, options.radius, options.step), end="")
    else:
        print(makers[options.kind](options.number, options.step), end="")


if __name__ == "__main__":
    main()
