#!/usr/bin/env python3
"""Writes the meshes and scenes of this folder: python3 make_engine.py

Every part is made of extruded polygons, some with round holes. A pin's corners lie on its circle and a bore's sides
touch a circle that is wider by the clearance, so that no angle between the two makes them overlap.
"""
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SIDES = 16  # of pins and bores
CLEARANCE = 1e-4  # m, of radii and of sides
CRANK, ROD = 0.04, 0.14  # m: radius of the crank, length of a rod
BORE = 0.08  # m, diameter of the pistons' circle
JOURNAL, CRANK_PIN, WRIST_PIN = 0.014, 0.012, 0.010  # m, radii
SPACING = 0.09  # m, between cylinders
PIN_HALF, WEB_HALF = 0.012, 0.004  # m, half lengths along the crank's axis
JOURNAL_HALF = SPACING / 2 - PIN_HALF - 2 * WEB_HALF
CONCAVE = "rod", "guide", "liner"
THROWS = (0, 180, 180, 0)  # degrees
START = 30  # degrees, of the first throw from its top, towards +x


def circle(radius, centre=(0.0, 0.0), sides=SIDES):
    """Polygon with its corners on a circle, counter-clockwise; a side, not a corner, faces each axis."""
    step = 2 * math.pi / sides
    return [(centre[0] + radius * math.cos((i + 0.5) * step), centre[1] + radius * math.sin((i + 0.5) * step))
            for i in range(sides)]


def bore(radius, centre=(0.0, 0.0)):
    """Polygon whose sides touch the circle of a pin's radius and the clearance."""
    return circle((radius + CLEARANCE) / math.cos(math.pi / SIDES), centre)


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def hull(points):
    """Convex hull, counter-clockwise."""
    def half(ordered):
        chain = []
        for p in ordered:
            while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 1e-12:
                chain.pop()
            chain.append(p)
        return chain[:-1]
    points = sorted(set(points))
    return half(points) + half(points[::-1])


def bridged(points, polygon, hole):
    """The polygon, by indices, with a hole that a bridge at their nearest corners joins to it."""
    n, m = len(points), len(hole)
    i, j = min(((i, j) for i in range(len(polygon)) for j in range(m)),
               key=lambda k: math.dist(points[polygon[k[0]]], hole[k[1]]))
    inner = [n + (j - k) % m for k in range(m + 1)]  # clockwise
    return points + hole, polygon[:i + 1] + inner + polygon[i:]


def ears(points, polygon):
    """Triangles of a simple polygon, counter-clockwise; among the ears the least slender goes first."""
    polygon, triangles = list(polygon), []

    def quality(k):
        a, b, c = (polygon[(k + d) % len(polygon)] for d in (-1, 0, 1))
        pa, pb, pc = points[a], points[b], points[c]
        area = cross(pa, pb, pc)
        if area <= 1e-14:
            return -1.0
        for p in (points[q] for q in polygon if points[q] not in (pa, pb, pc)):
            if min(cross(pa, pb, p), cross(pb, pc, p), cross(pc, pa, p)) >= -1e-14:
                return -1.0
        return area / max(math.dist(pa, pb), math.dist(pb, pc), math.dist(pc, pa)) ** 2

    while len(polygon) > 3:
        best = max(range(len(polygon)), key=quality)
        assert quality(best) > 0.0, "no ear"
        triangles.append(tuple(polygon[(best + d) % len(polygon)] for d in (-1, 0, 1)))
        del polygon[best]
    return triangles + [tuple(polygon)]


def extruded(outline, holes, low, high, axis):
    """Mesh of a polygon in the plane (u, v) between two heights: axis "y" has (u, v) = (z, x), "z" (x, y)."""
    points, polygon = list(outline), list(range(len(outline)))
    for hole in holes:
        points, polygon = bridged(points, polygon, hole)
    flat = ears(points, polygon)
    place = {"z": lambda p, h: (p[0], p[1], h), "y": lambda p, h: (p[1], h, p[0])}[axis]
    n = len(points)
    vertices = [place(p, low) for p in points] + [place(p, high) for p in points]
    triangles = [(c, b, a) for a, b, c in flat] + [(a + n, b + n, c + n) for a, b, c in flat]
    start = 0
    for ring, outer in [(outline, True)] + [(h, False) for h in holes]:
        m = len(ring)
        for k in range(m):
            a, b = start + k, start + (k + 1) % m
            if not outer:
                a, b = b, a
            triangles += [(a, b, b + n), (a, b + n, a + n)]
        start += m
    return vertices, triangles


def joined(*parts):
    vertices, triangles = [], []
    for v, t in parts:
        triangles += [tuple(i + len(vertices) for i in one) for one in t]
        vertices += v
    return vertices, triangles


def write_mesh(name, mesh):
    vertices, triangles = mesh
    lines = ["# Written by make_engine.py."]
    lines += ["v " + " ".join(f"{x + 0.0:.17g}" for x in v) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in t) for t in triangles]
    (HERE / name).write_text("\n".join(lines) + "\n")


def prism(radius, half):
    return extruded(circle(radius), [], -half, half, "y")


def square(half):
    return [(-half, -half), (half, -half), (half, half), (-half, half)]


def parts():
    """Meshes by name, each about its own origin."""
    top = (ROD, 0.0)
    web = hull(circle(0.017, (CRANK, 0.0)) + circle(0.022))
    rod = hull(circle(0.02) + circle(0.016, top))
    boss = [(-0.012, -0.012), (0.018, -0.012), (0.018, 0.012), (-0.012, 0.012)]
    meshes = {
        "journal": prism(JOURNAL, JOURNAL_HALF),
        "crank_pin": prism(CRANK_PIN, PIN_HALF),
        "web": extruded(web, [], -WEB_HALF, WEB_HALF, "y"),
        "wrist_pin": prism(WRIST_PIN, PIN_HALF),
        "boss": extruded(boss, [], -WEB_HALF, WEB_HALF, "y"),
        "crown": extruded(circle(BORE / 2), [], 0.018, 0.048, "z"),
        "liner": extruded(square(0.0449), [bore(BORE / 2)], 0.112, 0.235, "z"),
    }
    for ending, room in (("", CLEARANCE), ("_flush", 0.0)):
        half = PIN_HALF - room
        meshes["rod" + ending] = extruded(rod, [bore(CRANK_PIN), bore(WRIST_PIN, top)], -half, half, "y")
        half = JOURNAL_HALF - room
        meshes["guide" + ending] = extruded(square(0.03), [bore(JOURNAL)], -half, half, "y")
    return meshes


def shape(part, position=(0, 0, 0), turned=False):
    kind = "mesh" if part.split("_")[0] in CONCAVE else "convex"
    place = ", position: [" + ", ".join(f"{x + 0.0:.6g}" for x in position) + "]" if any(position) else ""
    turn = ", orientation: {quaternion: [0, 0, 1, 0]}" if turned else ""
    return f"      - {{shape: {{{kind}: {{file: {part}.obj}}}}{place}{turn}}}\n"


def body(name, head, shapes):
    return f"  {name}:\n    {head}\n    shapes:\n" + "".join(shapes)


def crank(cylinders):
    shapes = []
    for k in range(cylinders + 1):
        shapes.append(shape("journal", (0, (k - 0.5) * SPACING, 0)))
    for k, throw in enumerate(THROWS[:cylinders]):
        y = k * SPACING
        shapes.append(shape("crank_pin", (0, y, CRANK if throw == 0 else -CRANK)))
        for side in (-1, 1):
            shapes.append(shape("web", (0, y + side * (PIN_HALF + WEB_HALF), 0), throw != 0))
    return body("crank", f"{{mass: 1, orientation: {{rpy: [0, {math.radians(START):.17g}, 0]}}}}", shapes)


def scene(cylinders, ending):
    middle = PIN_HALF + WEB_HALF
    out = "bodies:\n"
    out += body("guides", "fixed: true", [shape("guide" + ending, (0, (k - 0.5) * SPACING, 0)) for k in range(cylinders + 1)])
    out += body("liners", "fixed: true", [shape("liner", (0, k * SPACING, 0)) for k in range(cylinders)])
    out += crank(cylinders).replace("{mass: 1, ", "mass: 1\n    ").replace("}}\n    shapes", "}\n    shapes")
    for k, throw in enumerate(THROWS[:cylinders]):
        angle, y = math.radians(START + throw), k * SPACING
        x, z = CRANK * math.sin(angle), CRANK * math.cos(angle)
        height = z + math.sqrt(ROD ** 2 - x ** 2)
        out += body(f"rod_{k + 1}", f"mass: 1\n    position: [{x:.17g}, {y:g}, {z:.17g}]\n"
                    f"    orientation: {{rpy: [0, {-math.asin(x / ROD):.17g}, 0]}}", [shape("rod" + ending)])
        out += body(f"piston_{k + 1}", f"mass: 1\n    position: [0, {y:g}, {height:.17g}]",
                    [shape("wrist_pin"), shape("boss", (0, -middle, 0)), shape("boss", (0, middle, 0)), shape("crown")])
    return out


HEAD = """# yaml-language-server: $schema=../pequod.schema.json
# Written by make_engine.py. %s
gravity: [0, 0, -9.8]
duration: 0.1
integrator: {method: symplectic-euler, step: 1e-4}
contact: {model: drumwright-shell}
record: {every: 0.001}
"""
TAIL = """surfaces:
  - {between: ["*", "*"], friction: 0, restitution: 0}
forces:
  - {on: crank, torque: [0, 5, 0]}
"""


def main():
    for name, mesh in parts().items():
        write_mesh(name + ".obj", mesh)
    for name, cylinders, ending, words in (
            ("engine", 4, "", "Four cylinders, held together by contact alone."),
            ("one_cylinder", 1, "", "Crank, rod and piston, held together by contact alone."),
            ("one_cylinder_flush", 1, "_flush", "The same without room along the crank's axis: faces lie flush.")):
        (HERE / (name + ".yaml")).write_text(HEAD % words + scene(cylinders, ending) + TAIL)


if __name__ == "__main__":
    main()
