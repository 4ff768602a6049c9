"""Motion of rigid bodies by an integrator and equations of its own; nothing of the simulator is used.

Vectors are lists of floats, attitudes unit quaternions [w, x, y, z]; SI units, world axes, z up.
"""
import math

GRAVITY = 9.81
UP = [0.0, 0.0, 1.0]


def add(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


def scale(factor, v):
    return [factor * x for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(v):
    return scale(1.0 / math.sqrt(dot(v, v)), v)


def rotate(q, v):
    """R(q) v."""
    w, u = q[0], q[1:]
    t = scale(2.0, cross(u, v))
    return add(v, scale(w, t), cross(u, t))


def unrotate(q, v):
    return rotate([q[0], -q[1], -q[2], -q[3]], v)


def multiply(p, q):
    return [p[0] * q[0] - dot(p[1:], q[1:])] + add(scale(p[0], q[1:]), scale(q[0], p[1:]),
                                                   cross(p[1:], q[1:]))


def solve_3x3(columns, b):
    """x with sum x_i columns[i] = b, by Cramer's rule."""
    a1, a2, a3 = columns
    det = dot(a1, cross(a2, a3))
    return [dot(b, cross(a2, a3)) / det, dot(a1, cross(b, a3)) / det, dot(a1, cross(a2, b)) / det]


def integrate(rate, y, duration, step=0.01, stages=8):
    """y after `duration` of dy/dt = rate(t, y): Gragg's rule with 2, 4 … 16 parts of each step,
    extrapolated (Bulirsch & Stoer 1966); 1e-12 and better where the step is short for the motion."""
    count = max(1, round(duration / step))
    h = duration / count
    for k in range(count):
        rows = []
        for j in range(stages):
            row = [midpoint(rate, k * h, y, h, 2 * (j + 1))]
            for i in range(j):
                ratio = ((j + 1) / (j - i)) ** 2 - 1.0
                row.append([a + (a - b) / ratio for a, b in zip(row[i], rows[-1][i])])
            rows.append(row)
        y = rows[-1][-1]
    return y


def midpoint(rate, t, y, h, parts):
    part = h / parts
    before, now = y, [a + part * f for a, f in zip(y, rate(t, y))]
    for k in range(1, parts):
        slope = rate(t + k * part, now)
        before, now = now, [a + 2.0 * part * f for a, f in zip(before, slope)]
    slope = rate(t + h, now)
    return [0.5 * (a + b + part * f) for a, b, f in zip(now, before, slope)]


class Body:
    """A rigid body in one contact with the plane z = 0. State: centre of mass, attitude, velocity,
    angular velocity."""

    def __init__(self, mass, inertia):
        self.mass, self.inertia = mass, inertia  # kg; kg m², principal, in its axes

    def spin_rate(self, q, w, torque):
        """dω/dt in world axes (Euler's equations)."""
        w_body, torque_body = unrotate(q, w), unrotate(q, torque)
        momentum = [i * x for i, x in zip(self.inertia, w_body)]
        rate = add(torque_body, scale(-1.0, cross(w_body, momentum)))
        return rotate(q, [r / i for r, i in zip(rate, self.inertia)])

    def rates(self, y, arm, arm_rate, law):
        """@param arm, arm_rate  m, m/s: from the centre of mass to the contact, and how it moves"""
        q, v, w = y[3:7], y[7:10], y[10:13]
        force, free = [0.0, 0.0, 0.0], self.spin_rate(q, w, [0.0, 0.0, 0.0])
        if law:
            # Acceleration of the contact: a + α × r + ω × dr/dt, linear in the force.
            bias = add([0.0, 0.0, -GRAVITY], cross(free, arm), cross(w, arm_rate))
            answers = []
            for axis in range(3):
                e = [float(axis == k) for k in range(3)]
                turn = add(self.spin_rate(q, w, cross(arm, e)), scale(-1.0, free))
                answers.append(add(scale(1.0 / self.mass, e), cross(turn, arm)))
            force = law(answers, bias, add(v, cross(w, arm)))
        a = add([0.0, 0.0, -GRAVITY], scale(1.0 / self.mass, force))
        alpha = self.spin_rate(q, w, cross(arm, force))
        return v + scale(0.5, multiply([0.0] + w, q)) + a + alpha


def holds(answers, bias, _speed):
    """No slip: the contact's acceleration is zero."""
    return solve_3x3(answers, scale(-1.0, bias))


def slides(friction):
    """Coulomb's law while it slides; without friction too."""
    def law(answers, bias, speed):
        d = [speed[0], speed[1], 0.0]
        pull = scale(-friction, unit(d)) if friction else [0.0, 0.0, 0.0]
        line = add(UP, pull)  # the force of a normal force of 1 N
        lift = sum(part * answer[2] for part, answer in zip(line, answers))
        return scale(-bias[2] / lift, line)
    return law


def on_ball_foot(body, foot, radius, law):
    """Rates of a body that stands on a sphere. @param foot  m, its centre in the body's axes"""
    def rate(_t, y):
        centre = rotate(y[3:7], foot)
        return body.rates(y, add(centre, [0.0, 0.0, -radius]), cross(y[10:13], centre), law)
    return rate


def on_rim(body, radius, half, law):
    """Rates of a disc on the lowest point of its rim; its axis is z in its own axes."""
    def rate(_t, y):
        q, w = y[3:7], y[10:13]
        axis = rotate(q, UP)
        turn = cross(w, axis)
        side = -half if axis[2] > 0.0 else half
        down = add(scale(axis[2], axis), [0.0, 0.0, -1.0])  # across the axis
        down_rate = add(scale(turn[2], axis), scale(axis[2], turn))
        length = math.sqrt(dot(down, down))
        out = scale(1.0 / length, down)
        out_rate = scale(1.0 / length, add(down_rate, scale(-dot(out, down_rate), out)))
        arm = add(scale(radius, out), scale(side, axis))
        return body.rates(y, arm, add(scale(radius, out_rate), scale(side, turn)), law)
    return rate
