"""Scenes in space: free bodies, tops, balls whose centre of mass is off, coins, a turntable.

What is allowed is the error of order four of RK4 at the scene's step, or 1e-9 where it is exact.
"""
import math

from reference import (GRAVITY, UP, Body, add, cross, holds, integrate, on_ball_foot, on_rim, rotate,
                       scale, slides)
from scenes import Scene, body, scene_text


def attitude(y):
    return {"b.qw": y[3], "b.qx": y[4], "b.qy": y[5], "b.qz": y[6]}


def inertia_text(moments, com=None):
    text = "    inertia: {{ixx: {}, iyy: {}, izz: {}}}\n".format(*moments)
    return text + (f"    com: {[float(x) for x in com]}\n" if com else "")


def tilted(angle):
    """About y."""
    return [math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0]


def free_body(moments, w, tolerance):
    mass, v, duration = 1.0, [0.3, 0.1, 5.0], 1.0
    here = Body(mass, moments)
    y = integrate(lambda t, y: here.rates(y, [0.0] * 3, [0.0] * 3, None),
                  [0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0] + v + w, duration, 0.005)
    text = scene_text(duration, "rk4", "coulomb", 0.5, 0.0,
                      body("b", mass, "box: {size: [0.1, 0.1, 0.1]}", [0, 0, 5], velocity=v,
                           angular_velocity=w, more=inertia_text(moments)))
    return Scene("free body", f"turns at {w} rad/s", text, {"b.z": y[2], **attitude(y)}, tolerance)


def top(name, law, model, spin, tilt, tolerance):
    """On a sharp tip."""
    mass, height, moments, duration = 0.2, 0.08, [2e-4, 2e-4, 1.5e-4], 0.4
    q = tilted(tilt)
    centre = rotate(q, [0.0, 0.0, height])
    w = scale(spin, rotate(q, UP))
    v = cross(w, centre) if law is holds else [0.0, 0.0, 0.0]
    here = Body(mass, moments)
    y = integrate(on_ball_foot(here, [0.0, 0.0, -height], 0.0, law), centre + q + v + w, duration, 0.002)
    points = [[0.03, 0, 0.02], [-0.03, 0, 0.02], [0, 0.03, 0.02], [0, -0.03, 0.02], [0, 0, -height]]
    text = scene_text(duration, "rk4", model, 3.0 if law is holds else 0.0, 0.0,
                      body("b", mass, f"convex: {{points: {points}}}", centre, rpy=[0, tilt, 0],
                           velocity=v, angular_velocity=w, more=inertia_text(moments, [0, 0, 0])),
                      step=0.00025)
    return Scene("top", name, text, {"b.x": y[0], "b.y": y[1], "b.z": y[2], **attitude(y)}, tolerance)


def lopsided_ball(name, law, model, mu):
    """Its centre of mass is 2 cm from its centre."""
    mass, radius, off, moments, duration = 0.6, 0.1, [0.0, 0.0, -0.02], [3e-3, 2.5e-3, 2e-3], 0.6
    q = tilted(0.7)
    centre = add([0.0, 0.0, radius], rotate(q, off))
    w = [1.0, 6.0, 2.0]
    arm = add(rotate(q, scale(-1.0, off)), [0.0, 0.0, -radius])
    v = scale(-1.0, cross(w, arm))
    if law is not holds:
        v = add(v, [2.5, 1.0, 0.0])
    y = integrate(on_ball_foot(Body(mass, moments), scale(-1.0, off), radius, law), centre + q + v + w,
                  duration)
    frame_velocity = add(v, cross(w, rotate(q, scale(-1.0, off))))
    text = scene_text(duration, "rk4", model, mu, 0.0,
                      body("b", mass, f"sphere: {{radius: {radius}}}", [0, 0, radius], rpy=[0, 0.7, 0],
                           velocity=frame_velocity, angular_velocity=w, more=inertia_text(moments, off)))
    place = add(y[0:3], rotate(y[3:7], scale(-1.0, off)))
    return Scene("lopsided ball", name, text, {"b.x": place[0], "b.y": place[1], **attitude(y)}, 1e-8)


def coin(name, law, model, mu, tilt, w_body, slip, step=0.001):
    mass, radius, half, duration = 0.05, 0.06, 0.004, 0.25
    across = mass * (radius ** 2 / 4.0 + half ** 2 / 3.0)
    moments = [across, across, mass * radius ** 2 / 2.0]
    q = tilted(tilt)
    axis, w = rotate(q, UP), rotate(q, w_body)
    down = add(scale(axis[2], axis), [0.0, 0.0, -1.0])
    arm = add(scale(radius / math.sqrt(down[0] ** 2 + down[1] ** 2 + down[2] ** 2), down),
              scale(-half if axis[2] > 0.0 else half, axis))
    centre = [0.0, 0.0, -arm[2]]
    v = add(scale(-1.0, cross(w, arm)), slip)
    y = integrate(on_rim(Body(mass, moments), radius, half, law), centre + q + v + w, duration)
    text = scene_text(duration, "rk4", model, mu, 0.0,
                      body("b", mass, f"cylinder: {{radius: {radius}, length: {2 * half}}}", centre,
                           rpy=[0, tilt, 0], velocity=v, angular_velocity=w), step=step)
    return Scene("coin", name, text, {"b.x": y[0], "b.y": y[1], "b.z": y[2], **attitude(y)}, 1e-8)


def rolling_on_slope():
    """A ball that rolls askew over a slope: 5/7 of the slope's acceleration, a parabola."""
    slope, radius, duration = math.radians(11.0), 0.08, 1.2
    v = [0.4, 0.9, 0.0]
    w = scale(1.0 / radius, [-v[1], v[0], 0.0])
    text = scene_text(duration, "rk4", "no-slip", 1.0, 0.0,
                      body("b", 0.5, f"sphere: {{radius: {radius}}}", [0, 0, radius], velocity=v,
                           angular_velocity=w),
                      gravity=[GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)])
    x = v[0] * duration + 0.5 * 5.0 / 7.0 * GRAVITY * math.sin(slope) * duration ** 2
    return Scene("rolling ball", "askew on a slope", text, {"b.x": x, "b.y": v[1] * duration}, 1e-9)


def turntable():
    """A ball that rolls on a turning table goes round a circle at 2/7 of its speed (Milne 1948)."""
    radius, turn, duration = 0.05, 3.0, 2.0
    x, v = [0.5, 0.0, 0.0], [0.2, 0.3, 0.0]
    # No slip: v - radius w x z is the table's velocity, turn z x x.
    slip = add(cross(scale(turn, UP), x), scale(-1.0, v))
    w = [slip[1] / radius, -slip[0] / radius, 0.0]
    rate = 2.0 / 7.0 * turn
    c, s = math.cos(rate * duration), math.sin(rate * duration)
    end = [x[0] + (v[0] * s - v[1] * (1.0 - c)) / rate, (v[0] * (1.0 - c) + v[1] * s) / rate]
    text = (scene_text(duration, "rk4", "no-slip", 1.0, 0.0,
                       body("b", 0.2, f"sphere: {{radius: {radius}}}", [0.5, 0, radius + 0.1], velocity=v,
                            angular_velocity=w))
            + "robots:\n  t:\n    base: {fixed: true}\n    links:\n"
              "      base: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n"
              "      table: {mass: 1000, inertia: {ixx: 1.0e+12, iyy: 1.0e+12, izz: 1.0e+12},\n"
              "        joint: {name: axle, parent: base, type: revolute, axis: [0, 0, 1]},\n"
              "        shapes: [{shape: {cylinder: {radius: 3, length: 0.02}}, position: [0, 0, 0.09]}]}\n"
            f"    joints: {{axle: {{velocity: {turn}}}}}\n")
    return Scene("turntable", "a ball rolls", text, {"b.x": end[0], "b.y": end[1]}, 1e-8)


def scenes():
    return [free_body([0.01, 0.02, 0.03], [1.0, 2.0, 1.5], 1e-9),
            free_body([0.02, 0.021, 0.012], [5.0, 8.0, -6.0], 1e-7),
            top("its tip stands", holds, "no-slip", 200.0, 0.3, 1e-6),
            top("its tip slides freely", slides(0.0), "frictionless", 150.0, 0.2, 1e-6),
            lopsided_ball("rolls", holds, "no-slip", 1.0),
            lopsided_ball("slides, mu = 0.15", slides(0.15), "coulomb", 0.15),
            coin("rolls on its rim", holds, "no-slip", 1.0, 1.2, [0.0, 0.0, 12.0], [0.0, 0.0, 0.0]),
            coin("slides, mu = 0.2", slides(0.2), "coulomb", 0.2, 0.9, [1.0, -2.0, 10.0],
                 [1.5, 0.5, 0.0], 0.00025),
            rolling_on_slope(), turntable()]
