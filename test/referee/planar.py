"""Scenes in a plane, each with its truth: closed forms, and equations of motion of a falling rod."""
import math

from reference import GRAVITY, integrate
from scenes import Scene, body, scene_text


def oblique_bounce(law, restitution, mu):
    """A spinning ball falls obliquely and slides throughout its impact: |p_t| = mu p_n under both
    laws (Poisson's with friction in expansion)."""
    radius, height, mass = 0.07, 0.5, 0.4
    velocity, spin = 3.0, -20.0  # along x; about y, so that the lowest point moves ahead
    flight = math.sqrt(2.0 * height / GRAVITY)
    fall = GRAVITY * flight
    normal = (1.0 + restitution) * fall
    vx = velocity - mu * normal
    wy = spin + mu * normal * radius / (0.4 * radius ** 2)
    assert vx - wy * radius > 0.0
    after = 0.1
    text = scene_text(
        flight + after, "rk4", "coulomb", mu, restitution,
        body("b", mass, f"sphere: {{radius: {radius}}}", [0, 0, radius + height],
             velocity=[velocity, 0, 0], angular_velocity=[0, spin, 0]), law=law)
    return Scene("oblique bounce", f"{law}, e = {restitution}, mu = {mu}", text, {
        "b.x": velocity * flight + vx * after,
        "b.z": radius + restitution * fall * after - 0.5 * GRAVITY * after ** 2,
        "b.wy": wy}, 1e-9)


def ball_starts_to_roll():
    radius, mu, v = 0.11, 0.23, 3.1
    rolls = 2.0 * v / (7.0 * mu * GRAVITY)
    duration = 1.7
    x = v * rolls - 0.5 * mu * GRAVITY * rolls ** 2 + 5.0 / 7.0 * v * (duration - rolls)
    text = scene_text(duration, "rk4", "coulomb", mu, 0.0,
                      body("b", 0.3, f"sphere: {{radius: {radius}}}", [0, 0, radius],
                           velocity=[v, 0, 0]))
    return Scene("sliding ball", "until it rolls", text, {"b.x": x}, 1e-9)


def box_on_slope():
    slope, mu, duration = math.radians(25.0), 0.31, 1.0
    a = GRAVITY * (math.sin(slope) - mu * math.cos(slope))
    text = scene_text(duration, "rk4", "coulomb", mu, 0.0,
                      body("b", 1.3, "box: {size: [0.3, 0.2, 0.1]}", [0, 0, 0.05]),
                      gravity=[GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)])
    return Scene("slope", "a box slides", text, {"b.x": 0.5 * a * duration ** 2}, 1e-9)


def flat_field():
    text = scene_text(0.7, "rk4", "frictionless", 0.0, 0.0,
                      body("b", 1.0, "cylinder: {radius: 0.1, length: 0.1}", [0.013, 0.007, 0.05],
                           velocity=[0.5, 0.2, 0]),
                      ground="heightfield: {file: flat.dat, size: [2, 2]}")
    return Scene("flat height field", "a cylinder slides", text,
                 {"b.x": 0.013 + 0.5 * 0.7, "b.y": 0.007 + 0.2 * 0.7, "b.z": 0.05}, 1e-9,
                 {"flat.dat": "5 5\n" + "0 0 0 0 0\n" * 5})


def falling_rod(name, mu, model):
    """A slender box falls over one edge that stands, or slides on the floor, with friction or
    without: with d the length and psi the slope of the line from the edge to the centre of mass."""
    half_width, half_height, mass = 0.02, 0.4, 1.1
    d = math.hypot(half_width, half_height)
    inertia = mass / 3.0 * (half_width ** 2 + half_height ** 2)
    lean = 0.25  # rad, about y: towards +x
    start = math.atan2(half_height, -half_width) - lean  # about the edge towards +x
    duration = 0.3

    def rate(_t, y):
        psi, turn, v = y[0], y[1], y[3]  # v of the edge along x; y[2] its place
        c, s = math.cos(psi), math.sin(psi)
        if mu is None:  # the edge stands
            return [turn, -mass * GRAVITY * d * c / (inertia + mass * d * d), v, 0.0]
        # N/m - g = d cos psi psi'' - d sin psi psi'^2, I psi'' = N (-d cos psi + mu d sin psi);
        # the edge is pushed to -x, so friction acts along +x.
        lever = -d * c + mu * d * s
        normal = (GRAVITY - d * s * turn ** 2) / (1.0 / mass - d * c * lever / inertia)
        assert normal > 0.0 and v <= 0.0
        turn_rate = normal * lever / inertia
        # x of the edge = x of the centre - d cos psi
        return [turn, turn_rate, v, mu * normal / mass + d * s * turn_rate + d * c * turn ** 2]

    psi, _turn, edge, _v = integrate(rate, [start, 0.0, 0.0, 0.0], duration)
    text = scene_text(duration, "rk4", model, 1.5 if mu is None else mu, 0.0,
                      body("b", mass, f"box: {{size: [{2 * half_width}, 0.3, {2 * half_height}]}}",
                           [d * math.cos(start), 0, d * math.sin(start)], rpy=[0, lean, 0]))
    return Scene("falling rod", name, text,
                 {"b.x": edge + d * math.cos(psi), "b.z": d * math.sin(psi)}, 1e-8)


def block_on_wedge():
    """Without friction; both slide."""
    slope, block, wedge, duration = math.radians(33.0), 0.7, 2.9, 0.15
    s, c, t = math.sin(slope), math.cos(slope), math.tan(slope)
    along = GRAVITY * s * (block + wedge) / (wedge + block * s * s)
    way = 0.5 * along * duration ** 2
    top = 0.6 * t
    points = [[0, -0.1, 0], [0, 0.1, 0], [0.6, -0.1, 0], [0.6, 0.1, 0], [0, -0.1, top], [0, 0.1, top]]
    at = [0.2 + 0.05 * s, 0, top - 0.2 * t + 0.05 * c]
    text = scene_text(duration, "rk4", "frictionless", 0.0, 0.0,
                      body("w", wedge, f"convex: {{points: {points}}}", [0, 0, 0]),
                      body("b", block, "box: {size: [0.1, 0.1, 0.1]}", at, rpy=[0, slope, 0]))
    return Scene("free wedge", "without friction", text, {
        "w.x": -way * c * block / (block + wedge),
        "b.x": at[0] + way * c * wedge / (block + wedge), "b.z": at[2] - way * s}, 1e-9)


def double_pendulum():
    """Two links in the plane, from the Lagrangian."""
    m, length, inertia, duration = (0.8, 0.5), (0.6, 0.4), (0.012, 0.007), 1.5

    def rate(_t, y):
        a, b, da, db = y  # from straight down, absolute
        l1, c1, c2 = length[0], 0.5 * length[0], 0.5 * length[1]
        m11 = inertia[0] + m[0] * c1 ** 2 + m[1] * l1 ** 2
        m22 = inertia[1] + m[1] * c2 ** 2
        m12 = m[1] * l1 * c2 * math.cos(a - b)
        turn = m[1] * l1 * c2 * math.sin(a - b)
        f1 = -turn * db ** 2 - GRAVITY * (m[0] * c1 + m[1] * l1) * math.sin(a)
        f2 = turn * da ** 2 - GRAVITY * m[1] * c2 * math.sin(b)
        det = m11 * m22 - m12 ** 2
        return [da, db, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]

    a, b, _da, _db = integrate(rate, [1.2, 0.4, 0.0, 0.0], duration)
    link = ("      {name}: {{mass: {m}, com: [0, 0, {c}], inertia: {{ixx: {i}, iyy: {i}, izz: {i}}},\n"
            "        joint: {{name: {joint}, parent: {parent}, type: revolute, axis: [0, -1, 0]{at}}}}}\n")
    text = (f"duration: {duration}\nintegrator: {{method: rk4, step: 0.0005}}\nrobots:\n  r:\n"
            "    base: {fixed: true, position: [0, 0, 2]}\n    links:\n"
            "      base: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n"
            + link.format(name="upper", m=m[0], c=-0.5 * length[0], i=inertia[0], joint="a",
                          parent="base", at="")
            + link.format(name="lower", m=m[1], c=-0.5 * length[1], i=inertia[1], joint="b",
                          parent="upper", at=f", position: [0, 0, {-length[0]}]")
            + "    joints: {a: {position: 1.2}, b: {position: -0.8}}\n")
    return Scene("double pendulum", "from 1.2 and 0.4 rad", text, {"r/a.q": a, "r/b.q": b - a}, 1e-9)


def scenes():
    return [oblique_bounce("newton", 0.6, 0.11), oblique_bounce("poisson", 0.8, 0.07),
            ball_starts_to_roll(), box_on_slope(), flat_field(),
            falling_rod("its edge stands", None, "coulomb"),
            falling_rod("without friction", 0.0, "frictionless"),
            falling_rod("slides, mu = 0.12", 0.12, "coulomb"), block_on_wedge(), double_pendulum()]
