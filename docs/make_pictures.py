#!/usr/bin/env python3
"""Draws docs/trot.svg and docs/energy.svg from the run folder of examples/quadruped/trot.yaml.

    ./dev run && python3 docs/make_pictures.py runs/trot

Needs nothing but Python; the pictures are plain SVG.
"""
import csv
import math
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROBOT = "mara"
FEET = ["LF", "RF", "LH", "RH"]
COLOURS = {"LF": "#0072b2", "RH": "#56b4e9", "RF": "#d55e00", "LH": "#e69f00"}
WIDTH, MARGIN = 900, 62


def read_table(path):
    """Rows of a log, numbers where they are numbers."""

    def value(text):
        try:
            return float(text)
        except ValueError:
            return text

    with open(path, newline="") as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]


# Rotations are 3 × 3 tuples, poses (R, p).


def rotate(R, x):
    return tuple(sum(R[i][j] * x[j] for j in range(3)) for i in range(3))


def multiply(A, B):
    columns = list(zip(*B))
    return tuple(tuple(sum(a * b for a, b in zip(row, column)) for column in columns) for row in A)


def about(axis, angle):
    """Rodrigues: R = cos I + sin [a]× + (1 − cos) a aᵀ, a the unit axis."""
    length = math.sqrt(sum(x * x for x in axis))
    x, y, z = (component / length for component in axis)
    c, s, d = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return ((c + d * x * x, d * x * y - s * z, d * x * z + s * y),
            (d * y * x + s * z, c + d * y * y, d * y * z - s * x),
            (d * z * x - s * y, d * z * y + s * x, c + d * z * z))


def of_quaternion(w, x, y, z):
    sine = math.sqrt(x * x + y * y + z * z)
    return about((x, y, z) if sine > 0 else (1, 0, 0), 2 * math.atan2(sine, w))


def numbers(element, name, default):
    text = element.get(name, default) if element is not None else default
    return tuple(map(float, text.split()))


class Robot:
    """Where the joints of a URDF are."""

    def __init__(self, path):
        self.joints = ElementTree.parse(path).getroot().findall("joint")

    def points(self, row):
        """Name of each joint → its origin in the world, for one row of state.csv."""
        base = [row[f"{ROBOT}.{key}"] for key in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        poses = {"base": (of_quaternion(*base[3:]), tuple(base[:3]))}
        points = {"base": poses["base"][1]}
        for joint in self.joints:  # parents stand before children in our file
            R, p = poses[joint.find("parent").get("link")]
            origin = joint.find("origin")
            roll, pitch, yaw = numbers(origin, "rpy", "0 0 0")
            fixed = multiply(about((0, 0, 1), yaw),
                             multiply(about((0, 1, 0), pitch), about((1, 0, 0), roll)))
            p = tuple(a + b for a, b in zip(p, rotate(R, numbers(origin, "xyz", "0 0 0"))))
            angle = row.get(f"{ROBOT}/{joint.get('name')}.q", 0.0)
            axis = numbers(joint.find("axis"), "xyz", "1 0 0")
            R = multiply(multiply(R, fixed), about(axis, angle))
            poses[joint.find("child").get("link")] = (R, p)
            points[joint.get("name")] = p
        return points


class Picture:
    def __init__(self, height):
        self.height = height
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, text, anchor="start", colour="#333", size=13):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
                 f'font-size="{size}">{text}</text>')

    def line(self, points, colour, width=1.5, more=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                 f'stroke-width="{width}" {more}/>')

    def area(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polygon points="{path}" fill="{colour}" stroke="none"/>')

    def save(self, path):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" '
                f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n')
        path.write_text(head + "\n".join(self.parts) + "\n</svg>\n")
        print(path)


class Axes:
    """A panel: maps t and a value to the page."""

    def __init__(self, picture, top, height, t_range, y_range, label, ticks):
        self.picture, self.top, self.height = picture, top, height
        self.t, self.y = t_range, y_range
        for y in ticks:
            self.picture.line([self.at(t_range[0], y), self.at(t_range[1], y)], "#ddd", 1)
            self.picture.text(MARGIN - 8, self.at(0, y)[1] + 4, f"{y:g}", "end")
        self.picture.text(MARGIN, top - 8, label)

    def at(self, t, y):
        return (MARGIN + (t - self.t[0]) / (self.t[1] - self.t[0]) * (WIDTH - MARGIN - 20),
                self.top + self.height * (1 - (y - self.y[0]) / (self.y[1] - self.y[0])))

    def time_labels(self):
        for t in range(math.ceil(self.t[0]), math.floor(self.t[1]) + 1):
            x, y = self.at(t, self.y[0])
            self.picture.line([(x, y), (x, y + 4)], "#888", 1)
            self.picture.text(x, y + 18, f"{t} s", "middle")

    def curve(self, rows, key, colour, width=1.5):
        self.picture.line([self.at(row["t"], row[key]) for row in rows], colour, width)


def draw_robot(picture, at, points):
    """Side view: far legs first, then the trunk, then near legs. The right side is near."""
    trunk = []
    for leg in ("LF", "LH"):
        draw_leg(picture, at, points, leg)
    for corner, dz in (("RF", 0.10), ("RH", 0.10), ("RH", -0.06), ("RF", -0.06)):
        x, _, z = points[f"{corner}_hip"]
        trunk.append(at(x, z + dz))
    picture.area(trunk, "#c8c8c8")
    for leg in ("RF", "RH"):
        draw_leg(picture, at, points, leg)


def draw_leg(picture, at, points, leg):
    chain = [points[f"{leg}_{joint}"] for joint in ("hip", "knee", "ankle")]
    picture.line([at(x, z) for x, _, z in chain], COLOURS[leg], 4,
                 'stroke-linecap="round" stroke-linejoin="round"')


def draw_walk(picture, states, robot, top, height):
    """The robot as it went, to scale, with the paths of two feet."""
    first, last = states[0][f"{ROBOT}.x"], states[-1][f"{ROBOT}.x"]
    left, right = first - 0.5, last + 0.5
    scale = (WIDTH - MARGIN - 20) / (right - left)
    ground = top + height - 22

    def at(x, z):
        return MARGIN + (x - left) * scale, ground - z * scale

    picture.text(MARGIN, top + 4, "side view, to scale; lines: paths of the two right feet")
    picture.line([(MARGIN, ground), (WIDTH - 20, ground)], "#555", 2)
    for x in range(math.ceil(left), math.floor(right) + 1):
        picture.text(at(x, 0)[0], ground + 18, f"{x} m", "middle")
    points = [robot.points(row) for row in states]
    for leg in ("RF", "RH"):
        picture.line([at(p[f"{leg}_ankle"][0], p[f"{leg}_ankle"][2]) for p in points[::2]],
                     COLOURS[leg], 0.8)
    # Robots at even distances.
    count = max(2, 1 + int((last - first) / 0.8))
    goals = [first + (last - first) * k / (count - 1) for k in range(count)]
    for goal in goals:
        nearest = min(range(len(states)), key=lambda i: abs(states[i][f"{ROBOT}.x"] - goal))
        draw_robot(picture, at, points[nearest])


def stretches(times, every):
    """[begin, end] of runs of consecutive records; a row speaks for the interval before it."""
    runs = []
    for t in times:
        if runs and t - runs[-1][1] < 1.5 * every:
            runs[-1][1] = t
        else:
            runs.append([t - every, t])
    return runs


def draw_footfalls(picture, contacts, t_end, every, top):
    axes = Axes(picture, top, 4 * 18, (0, t_end), (0, 4), "feet that push on the ground", [])
    for k, foot in enumerate(FEET):
        picture.text(MARGIN - 8, axes.at(0, 3.5 - k)[1] + 4, foot, "end")
        times = [row["t"] for row in contacts
                 if row["b"] == f"{ROBOT}/{foot}_foot" and row["fn"] > 0]
        for begin, end in stretches(times, every):
            x, y = axes.at(begin, 3.9 - k)
            picture.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{axes.at(end, 0)[0] - x:.1f}" '
                        f'height="14" fill="{COLOURS[foot]}"/>')
    axes.time_labels()


def draw_trot(folder, energy):
    states = read_table(folder / "state.csv")
    contacts = read_table(folder / "contacts.csv")
    robot = Robot(ROOT / "examples/robots/mara.urdf")
    t_end = states[-1]["t"]
    picture = Picture(445)
    draw_walk(picture, states, robot, 20, 130)
    axes = Axes(picture, 190, 90, (0, t_end), (0, 0.8), "forward speed of the trunk, m/s",
                [0, 0.25, 0.5])
    axes.curve(states, f"{ROBOT}.vx", "#333")
    draw_footfalls(picture, contacts, t_end, energy[1]["t"] - energy[0]["t"], 320)
    picture.save(ROOT / "docs/trot.svg")


def nice_ticks(top):
    step = 10 ** math.floor(math.log10(top))
    step = next(s * step for s in (0.2, 0.5, 1, 2) if top / (s * step) <= 6)
    return [k * step for k in range(int(top / step) + 1)]


def draw_energy(energy):
    """What went in, and what became of it: the areas end at the work but for the residual."""
    layers = [("stabilisation", "stabilisation", "#999999"),
              ("normal_loss", "normal loss", "#56b4e9"),
              ("damping_loss", "damping loss", "#cc79a7"),
              ("friction_loss", "friction loss", "#e69f00"),
              ("impact_loss", "impact loss", "#d55e00")]
    t_end = energy[-1]["t"]
    for row in energy:
        row["change"] = row["total"] - energy[0]["total"]
    top = 1.15 * max(max(row["actuator_work"], row["change"]) for row in energy)
    picture = Picture(480)
    axes = Axes(picture, 60, 270, (0, t_end), (0, top), "energy since the start, J",
                nice_ticks(top))
    below = [0.0] * len(energy)
    legend = []
    for key, name, colour in layers + [("change", "change of kinetic + potential", "#9fd3c7")]:
        above = [b + row[key] for b, row in zip(below, energy)]
        edge = [axes.at(row["t"], y) for row, y in zip(energy, above)]
        picture.area(edge + [axes.at(row["t"], y) for row, y in zip(energy, below)][::-1], colour)
        if max(row[key] for row in energy) > 5e-3 * top:  # else too thin to be seen
            legend.append((name, colour))
        below = above
    axes.curve(energy, "actuator_work", "#000", 1.2)
    legend.append(("actuator work", "#000"))
    x = MARGIN
    for name, colour in legend:
        picture.add(f'<rect x="{x}" y="14" width="14" height="10" fill="{colour}"/>')
        picture.text(x + 20, 24, name)
        x += 45 + 7 * len(name)
    worst = max(max(abs(row["residual"]) for row in energy), 1e-12)
    ticks = nice_ticks(worst)
    low = min(0.0, 1.1 * min(row["residual"] for row in energy))
    axes = Axes(picture, 370, 80, (0, t_end), (low, 1.1 * worst), "residual, J", ticks)
    axes.curve(energy, "residual", "#0072b2")
    axes.time_labels()
    picture.save(ROOT / "docs/energy.svg")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    energy = read_table(folder / "energy.csv")
    draw_trot(folder, energy)
    draw_energy(energy[::2])  # every other row, for a smaller file


if __name__ == "__main__":
    main()
