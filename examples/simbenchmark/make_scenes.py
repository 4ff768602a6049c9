#!/usr/bin/env python3
"""Writes the robot and the scenes of this folder: python3 make_scenes.py

The numbers are those of the public benchmark SimBenchmark; the files are ours. Of the robot one leg is given, the
others are its mirror images: RF in y, LH in x, RH in both.
"""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "# yaml-language-server: $schema=../pequod.schema.json\n"
RULE = 'surfaces:\n  - {between: ["*", "*"], friction: %s, restitution: %s}\n'

# name: (joint to it, its origin in the parent, axis, mass, com, (ixx, iyy, izz), (ixy, ixz, iyz), shape)
CYLINDER = ("cylinder", 0.04, 0.08)
LEG = [
    ("HIP", "HAA", (0.2629, 0.115, 0), "1 0 0", 1.1064, (0.0542, -0.0136, 0),
     (0.00123301509, 0.00099323118, 0.00142160349), (-6.4285e-5, 6.999e-8, 2.3274e-6),
     (CYLINDER, (0.0585, 0.0315, 0), (1.5707963267948966, 0, 0))),
    ("THIGH", "HFE", (0.0585, 0.0315, 0), "0 1 0", 1.51, (0.0008, 0.0545, -0.1975),
     (0.0147571628, 0.0144188926, 0.00178449076), (-1.79965e-5, 2.05877679e-4, -1.81291342e-3),
     (CYLINDER, (0, 0.07, -0.25), (1.5707963267948966, 0, 0))),
    ("SHANK", "KFE", (0, 0.111, -0.25), "0 1 0", 0.318, (0.016355414, -0.005622191, -0.064350437),
     (0.00376937179, 0.00400446468, 4.18471692e-4), (-7.73345e-5, -1.52069373e-4, -3.21835608e-4),
     (("cylinder", 0.015, 0.19), (0.06, -0.03, -0.18), (0, 0.34, 0))),
    ("FOOT", None, (0, -0.016, -0.31), None, 0.1922685, (-5.55e-6, 7.113e-5, -0.0213886478),
     (8.30864e-5, 8.28602e-5, 8.19481e-5), (4.169e-7, 3.99e-7, -3.457e-7),
     (("sphere", 0.03), (0, 0, 0), (0, 0, 0))),
]
FOOT_RPY = (0.323, 0.549, 0)
POSE = {"LF": (0.03, 0.4, -0.8), "RF": (-0.03, 0.4, -0.8), "LH": (0.03, -0.4, 0.8), "RH": (-0.03, -0.4, 0.8)}


def text(numbers):
    return " ".join(f"{x + 0.0:.17g}" for x in numbers)


def mirrored(v, sx, sy):
    return (v[0] * sx, v[1] * sy, v[2])


def turned(rpy, sx, sy):
    return (rpy[0] * sy, rpy[1] * sx, rpy[2] * sx * sy)


def geometry(shape):
    if shape[0] == "sphere":
        return f'<sphere radius="{shape[1]}"/>'
    if shape[0] == "box":
        return f'<box size="{text(shape[1])}"/>'
    return f'<cylinder radius="{shape[1]}" length="{shape[2]}"/>'


def link(name, mass, com, rpy, diagonal, products, shape):
    i = dict(zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), (*diagonal, *products)))
    attributes = " ".join(f'{k}="{v:.17g}"' for k, v in i.items())
    kind, origin, turn = shape
    return (f'  <link name="{name}">\n    <inertial>\n      <origin xyz="{text(com)}" rpy="{text(rpy)}"/>\n'
            f'      <mass value="{mass}"/>\n      <inertia {attributes}/>\n    </inertial>\n'
            f'    <collision>\n      <origin xyz="{text(origin)}" rpy="{text(turn)}"/>\n'
            f'      <geometry>{geometry(kind)}</geometry>\n    </collision>\n  </link>\n')


def joint(name, kind, parent, child, origin, rpy, axis):
    axis = f'    <axis xyz="{axis}"/>\n' if axis else ""
    return (f'  <joint name="{name}" type="{kind}">\n    <parent link="{parent}"/>\n    <child link="{child}"/>\n'
            f'    <origin xyz="{text(origin)}" rpy="{text(rpy)}"/>\n{axis}  </joint>\n')


def robot():
    out = '<?xml version="1.0"?>\n<!-- Written by make_scenes.py. -->\n<robot name="beth">\n'
    out += link("base", 21.39, (0, 0, 0), (0, 0, 0), (0.268388531, 0.884235661, 0.829158678),
                (7.753925e-4, -0.0151848534, -9.892975e-4), (("box", (0.531, 0.232, 0.26)), (0, 0, 0.08), (0, 0, 0)))
    out += link("imu", 0.05, (0, 0, 0), (0, 0, 0), (1.60333e-5, 2.80333e-5, 1.60333e-5), (0, 0, 0),
                (("box", (0.058, 0.058, 0.022)), (0, 0, 0), (0, 0, 0)))
    out += joint("imu", "fixed", "base", "imu", (0.0245, -0.04255, 0.1857), (3.141592653589793, 0, 0), None)
    for leg, sx, sy in (("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1)):
        parent = "base"
        for part, name, origin, axis, mass, com, diagonal, products, (kind, place, turn) in LEG:
            child = f"{leg}_{part}"
            ixy, ixz, iyz = products
            out += link(child, mass, mirrored(com, sx, sy), (0, 0, 0), diagonal, (ixy * sx * sy, ixz * sx, iyz * sy),
                        (kind, mirrored(place, sx, sy), turned(turn, sx, sy)))
            out += joint(f"{leg}_{name or part}", "continuous" if name else "fixed", parent, child,
                         mirrored(origin, sx, sy), turned((0, 0, 0) if name else FOOT_RPY, sx, sy), axis)
            parent = child
    return out + "</robot>\n"


def beth(height, name="beth", x=0, y=0, head="robots:\n"):
    joints = ", ".join(f"{leg}_{name}: {q}" for leg, pose in POSE.items()
                       for name, q in zip(("HAA", "HFE", "KFE"), pose))
    return (f"{head}  {name}:\n    urdf: beth.urdf\n    base: {{position: [{x}, {y}, {height}]}}\n"
            f"    joints:\n      {{{joints}}}\n")


def balls(centres, radius, mass):
    return "".join(f"  ball_{i}: {{mass: {mass}, shape: {{sphere: {{radius: {radius}}}}}, "
                   f"position: [{c[0]:g}, {c[1]:g}, {c[2]:g}]}}\n" for i, c in enumerate(centres))


def kapla():
    """Six storeys of eight base blocks and nine wall blocks each, the watched one last."""
    out = "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\n"
    for i in range(6):
        low = 0.2 * i
        for j in range(8):
            out += (f"  base_{i}_{j}: {{mass: 10, shape: {{box: {{size: [0.05, 0.25, 0.1]}}}}, "
                    f"position: [{0.2 * j:.12g}, 0, {low + 0.05:.12g}]}}\n")
        walls = [(x, -0.1) for x in (0.1, 0.5, 0.9, 1.3)] + [(x, 0.1) for x in (0.3, 0.7, 1.1, 0.1, 1.3)]
        for k, (x, y) in enumerate(walls):
            out += (f"  wall_{i}_{k}: {{mass: 10, shape: {{box: {{size: [0.2, 0.05, 0.1]}}}}, "
                    f"position: [{x}, {y}, {low + 0.15:.12g}]}}\n")
    return out


def write(name, comment, body):
    lines = "".join(f"# {line}\n" for line in comment.split("\n"))
    (HERE / name).write_text(HEAD + lines + body)


def main():
    (HERE / "beth.urdf").write_text(robot())
    write("rolling.yaml", "A box that 150 N push over the ground, and 25 balls that roll on it without slip.",
          "duration: 4\nintegrator: {method: rk4, step: 0.001}\ncontact: {model: coulomb}\nbodies:\n"
          "  ground: {fixed: true, shape: {plane: {}}}\n"
          "  box:\n    mass: 10\n    com: [0, 0, 0]\n"
          "    inertia: {ixx: 334.16666666666667, iyy: 334.16666666666667, izz: 666.66666666666667}\n"
          "    shape: {box: {size: [20, 20, 1]}}\n    position: [0, 0, 0.5]\n"
          + balls([(2 * i - 4, 2 * j - 4, 1.5) for i in range(5) for j in range(5)], 0.5, 1)
          + "forces:\n  - {on: box, force: [0, 150, 0]}\n"
          'surfaces:\n  - {between: [box, ground], friction: 0.4}\n  - {between: ["ball_*", box], friction: 0.8}\n'
          '  - {between: ["ball_*", ground], friction: 0.5}\n')
    write("bouncing.yaml", "49 balls fall from 5 m without friction or loss; no ball meets another.",
          "duration: 20\nintegrator: {method: rk4, step: 0.01}\ncontact: {model: coulomb}\nbodies:\n"
          "  ground: {fixed: true, shape: {plane: {}}}\n"
          + balls([(2 * i, 2 * j, 5) for i in range(7) for j in range(7)], 0.1, 10) + RULE % (0, 1))
    write("momentum.yaml", "A ball flies into a robot at rest, without gravity and friction: their momentum stays.",
          "duration: 10\nintegrator: {method: rk4, step: 0.001}\ncontact: {model: coulomb}\ngravity: [0, 0, 0]\n"
          "bodies:\n  ball: {mass: 10, shape: {sphere: {radius: 0.2}}, position: [0, -5, 2], velocity: [0, 5, 0]}\n"
          + beth(2) + RULE % (0, 0))
    write("energy.yaml",
          "The robot is lifted by twice its weight for a second and flies for two more: its energy stays.",
          "duration: 3\nintegrator: {method: rk4, step: 0.001}\ncontact: {model: coulomb}\n" + beth(2)
          + "forces:\n  - {on: beth, to: 1, force: [0, 0, 666.03374388]}\n")
    for n in 1, 2, 3, 5:
        robots = "".join(beth(0.54177, f"beth_{i}_{j}", 2 * i, 2 * j, "")
                         + "    controller: {type: pd, kp: 40, kd: 1, period: 0.005}\n"
                         for i in range(n) for j in range(n))
        write(f"stand_{n}.yaml", f"{n} x {n} robots stand by a spring and a damper at each joint.",
              "duration: 250\nintegrator: {method: symplectic-euler, step: 0.005}\ncontact: {model: coulomb}\n"
              "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\nrobots:\n" + robots + RULE % (0.8, 0))
    write("kapla.yaml", "A tower of 102 blocks without gaps, which the walls above hold at its ends.",
          "duration: 600\nintegrator: {method: rk4, step: 0.01}\ncontact: {model: coulomb}\n"
          "record: {every: 1}\n" + kapla() + RULE % (0.8, 0))


if __name__ == "__main__":
    main()
