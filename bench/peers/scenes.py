#!/usr/bin/env python3
"""Writes the scenes that Pequod and its peers are compared on: scenes.py FOLDER [SCENE ...]

Each scene becomes NAME.json, which all programs of this folder read, and NAME.yaml, the same for Pequod.
Numbers are written with the digits that read back the same, so both hold the same bits. Quantities are SI,
orientations are quaternions w, x, y, z; all surfaces of a scene have one coefficient of friction."""
import json
import math
import pathlib
import random
import sys

from robot import make_robot, make_tree

GROUND = {"normal": [0, 0, 1], "offset": 0}


def walls(x, y):
    """Four planes that leave |x| and |y| up to these free."""
    return [{"normal": n, "offset": -d} for n, d in (([1, 0, 0], x), ([-1, 0, 0], x), ([0, 1, 0], y), ([0, -1, 0], y))]


def body(name, mass, shape, inertia, place):
    return {"name": name, "mass": mass, "com": [0, 0, 0], "inertia": inertia, "position": [float(x) for x in place],
            "orientation": [1, 0, 0, 0], "shape": shape, "shape_position": [0, 0, 0]}


def box(name, mass, size, place):
    x, y, z = (s * s for s in size)
    return body(name, mass, {"box": size}, [mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y)], place)


def ball(name, mass, radius, place):
    return body(name, mass, {"sphere": radius}, [0.4 * mass * radius * radius] * 3, place)


def lattice(counts, pitch, low, jitter, mass, radius):
    """Balls in rows, each place off by up to half of `jitter`."""
    chance = random.Random(1)
    nx, ny, nz = counts
    places = [[low[0] + pitch * i, low[1] + pitch * j, low[2] + pitch * k]
              for k in range(nz) for j in range(ny) for i in range(nx)]
    return [ball(f"ball_{n}", mass, radius, [x + jitter * (chance.random() - 0.5) for x in place])
            for n, place in enumerate(places)]


def stack():
    return [box(f"box_{i}", 1, [0.3, 0.2, 0.1], [0, 0, 0.05 + 0.1 * i]) for i in range(10)]


def wall(rows, columns):
    """Bricks with joints of 10 mm, each over two of the row below. Rows are off by a third of a brick: by half of one,
    the bricks at the ends would be about to tip."""
    return [box(f"brick_{k}_{i}", 1, [0.2, 0.1, 0.06], [0.21 * i + 0.07 * (k % 2), 0, 0.03 + 0.06 * k])
            for k in range(rows) for i in range(columns)]


def tower():
    """Six storeys of eight planks across and nine along, without gaps."""
    along = [(x, -0.1) for x in (0.1, 0.5, 0.9, 1.3)] + [(x, 0.1) for x in (0.1, 0.3, 0.7, 1.1, 1.3)]
    bodies = []
    for k in range(6):
        bodies += [box(f"across_{k}_{i}", 10, [0.05, 0.25, 0.1], [0.2 * i, 0, 0.2 * k + 0.05]) for i in range(8)]
        bodies += [box(f"along_{k}_{i}", 10, [0.2, 0.05, 0.1], [x, y, 0.2 * k + 0.15])
                   for i, (x, y) in enumerate(along)]
    return bodies


def grid(side):
    return [box(f"box_{i}_{j}", 1, [0.1, 0.1, 0.1], [0.1 * i, 0.1 * j, 0.05]) for i in range(side) for j in range(side)]


def scene(bodies, seconds, **more):
    """`later`: s, from when on the speed is told apart too, and from when on whatever `rests` should not move."""
    return {"step": 0.001, "duration": seconds, "later": 0, "rests": True, "gravity": 9.81, "friction": 0.3,
            "planes": [GROUND], "bodies": bodies, **more}


def poured():
    """A thousand balls and one of water's density, which fall into a box of 0.8 m x 1.2 m."""
    mass = 1000 * 4 / 3 * math.pi * 0.04 ** 3
    balls = lattice((7, 11, 13), 0.1, (-0.3, -0.5, 0.1), 0.01, mass, 0.04)
    return scene(balls, 2, later=1.6, rests=False, planes=[GROUND] + walls(0.4, 0.6))


def settling():
    """64 balls, a tenth of a radius apart, fall into a box that just holds them."""
    balls = lattice((4, 4, 4), 0.11, (-0.165, -0.165, 0.055), 0.005, 0.5, 0.05)
    return scene(balls, 1, later=0.8, rests=False, planes=[GROUND] + walls(0.22, 0.22))


def breaking_down():
    """A cube of 216 balls without friction falls apart; from 1 s on they roll away from each other."""
    return scene(lattice((6, 6, 6), 0.21, (0, 0, 0.1015), 0.001, 10, 0.1), 10, later=1, friction=0, rests=False)


def flight(limbs, joints):
    """A tree of 6 + limbs x joints degrees of freedom that nothing can touch."""
    return scene(**make_tree(limbs, joints), seconds=2, rests=False, planes=[])


def standing(arm=False):
    return scene(**make_robot(trots=False, arm=arm), seconds=10, later=2, friction=0.8)


def trotting():
    return scene(**make_robot(trots=True), seconds=10, later=2, friction=0.8, rests=False)


SCENES = {
    "stack": lambda: scene(stack(), 10),
    "tower": lambda: scene(tower(), 2, friction=0.8),
    "wall-54": lambda: scene(wall(9, 6), 5, friction=0.6),
    "wall-400": lambda: scene(wall(20, 20), 1, friction=0.6),
    "grid": lambda: scene(grid(10), 2),
    "settling": settling,
    "cube-216": breaking_down,
    "poured-1001": poured,
    "robot-stands": standing,
    "robot-trots": trotting,
    "robot-arm": lambda: standing(arm=True),
    "robot-stands-rk4": standing,
    "robot-trots-rk4": trotting,
    "chain-18": lambda: flight(1, 12),
    "chain-36": lambda: flight(1, 30),
    "chain-100": lambda: flight(1, 94),
    "tree-18": lambda: flight(4, 3),
    "tree-36": lambda: flight(5, 6),
    "tree-100": lambda: flight(2, 47),
}


def yaml_shape(shape):
    if "box" in shape:
        return f"{{box: {{size: {shape['box']}}}}}"
    return f"{{sphere: {{radius: {shape['sphere']}}}}}"


def yaml_inertia(i):
    return f"{{ixx: {i[0]!r}, iyy: {i[1]!r}, izz: {i[2]!r}}}"


def yaml_link(link, bodies):
    text = f"      {link['name']}:\n        mass: {link['mass']!r}\n        com: {link['com']}\n"
    text += f"        inertia: {yaml_inertia(link['inertia'])}\n"
    if link["shape"]:
        text += f"        shapes: [{{shape: {yaml_shape(link['shape'])}, position: {link['shape_position']}}}]\n"
    if "joint" in link:
        joint = link["joint"]
        text += (f"        joint: {{parent: {bodies[joint['parent']]['name']}, type: continuous, "
                 f"position: {joint['position']}, axis: {joint['axis']}}}\n")
    return text


def yaml_scene(s):
    text = (f"duration: {s['duration']}\nintegrator: {{method: symplectic-euler, step: {s['step']}}}\n"
            f"gravity: [0, 0, {-s['gravity']}]\ncontact: {{model: coulomb, sleep: \"off\"}}\nbodies:\n")
    for i, plane in enumerate(s["planes"]):
        text += (f"  plane_{i}: {{fixed: true, shape: {{plane: "
                 f"{{normal: {plane['normal']}, offset: {plane['offset']}}}}}}}\n")
    if "motors" in s:
        links = s["bodies"]
        text += f"robots:\n  robot:\n    base: {{position: {links[0]['position']}}}\n    joints:\n"
        moving = [link for link in links if "joint" in link]
        text += "".join(f"      {link['name']}: {q!r}\n" for link, q in zip(moving, s["motors"]["angles"]))
        text += "    links:\n" + "".join(yaml_link(link, links) for link in links)
    else:
        text += "".join(f"  {b['name']}: {{mass: {b['mass']!r}, shape: {yaml_shape(b['shape'])}, "
                        f"inertia: {yaml_inertia(b['inertia'])}, position: {b['position']}}}\n" for b in s["bodies"])
    return text + f'surfaces:\n  - {{between: ["*", "*"], friction: {s["friction"]}}}\n'


def write_scene(folder, name):
    """The file for all programs, and what is in it."""
    made = SCENES[name]()
    file = folder / f"{name}.json"
    file.write_text(json.dumps(made) + "\n")
    file.with_suffix(".yaml").write_text(yaml_scene(made))
    return file, made


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or SCENES:
        write_scene(folder, name)


if __name__ == "__main__":
    main()
