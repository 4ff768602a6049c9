"""The robot of examples/robots/mara.urdf as a list of links with joints, for all engines the same.

Feet are welded to their shanks, and only feet touch the ground: in these scenes nothing else comes near it. Limits of
joints and efforts are left out, which no motion of these scenes reaches."""
import math
import pathlib
import xml.etree.ElementTree as ET

URDF = pathlib.Path(__file__).resolve().parents[2] / "examples/robots/mara.urdf"


def numbers(text):
    return [float(x) for x in text.split()]


def read_link(element):
    """Mass, centre of mass and moments about it; all of Mara's are along the link's axes."""
    inertial = element.find("inertial")
    i = inertial.find("inertia")
    link = {"name": element.get("name"), "mass": float(inertial.find("mass").get("value")),
            "com": numbers(inertial.find("origin").get("xyz")),
            "inertia": [float(i.get(key)) for key in ("ixx", "iyy", "izz")], "shape": None, "shape_position": [0, 0, 0]}
    sphere = element.find("collision/geometry/sphere")
    if sphere is not None:
        link["shape"] = {"sphere": float(sphere.get("radius"))}
    return link


def weld(link, other, at):
    """Adds what hangs at a place of the link, axes parallel. Both lie on its z axis, so moments stay principal."""
    centres = [(link["mass"], link["com"]), (other["mass"], [a + c for a, c in zip(at, other["com"])])]
    mass = link["mass"] + other["mass"]
    com = [sum(m * c[k] for m, c in centres) / mass for k in range(3)]
    moments = [a + b for a, b in zip(link["inertia"], other["inertia"])]
    for m, c in centres:
        d = [c[k] - com[k] for k in range(3)]
        assert d[0] == d[1] == 0
        moments = [moments[0] + m * d[2] ** 2, moments[1] + m * d[2] ** 2, moments[2]]
    link.update(mass=mass, com=com, inertia=moments, shape=other["shape"], shape_position=at)


def read_robot():
    """Links, the base first and each before those that hang on it."""
    tree = ET.parse(URDF).getroot()
    parts = {element.get("name"): read_link(element) for element in tree.findall("link")}
    links, index = [parts["base"]], {"base": 0}
    for joint in tree.findall("joint"):
        parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
        place = numbers(joint.find("origin").get("xyz"))
        if joint.get("type") == "fixed":
            weld(parts[parent], parts[child], place)
            continue
        axis = numbers(joint.find("axis").get("xyz"))
        parts[child]["joint"] = {"parent": index[parent], "position": place, "axis": axis}
        index[child] = len(links)
        links.append(parts[child])
    return links


def multiply(a, b):
    """Product of quaternions w, x, y, z."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def turn(q, v):
    return multiply(multiply(q, [0, *v]), [q[0], -q[1], -q[2], -q[3]])[1:]


def place_links(links, posture, height):
    """Poses of all links with the base at this height."""
    links[0].update(position=[0, 0, height], orientation=[1, 0, 0, 0])
    for link, angle in zip(links[1:], posture):
        parent = links[link["joint"]["parent"]]
        offset = turn(parent["orientation"], link["joint"]["position"])
        rotation = [math.cos(angle / 2)] + [math.sin(angle / 2) * x for x in link["joint"]["axis"]]
        link["position"] = [a + b for a, b in zip(parent["position"], offset)]
        link["orientation"] = multiply(parent["orientation"], rotation)


def lowest_point(links):
    return min(link["position"][2] + turn(link["orientation"], link["shape_position"])[2] - link["shape"]["sphere"]
               for link in links if link["shape"])


def add_arm(links):
    """An arm of five joints on the back, so that limbs are unequal. Returns its posture."""
    parts = [("arm_turn", 1.6, [0.24, 0, 0.06], [0, 0, 1], 0.08, 0.5), ("arm_upper", 1.4, [0, 0, 0.08], [0, 1, 0], 0.26, -0.8),
             ("arm_fore", 0.9, [0, 0, 0.26], [0, 1, 0], 0.24, 1.9), ("arm_wrist", 0.5, [0, 0, 0.24], [0, 1, 0], 0.1, 0.4),
             ("arm_roll", 0.4, [0, 0, 0.1], [0, 0, 1], 0.08, 0.3)]
    parent = 0
    for name, mass, place, axis, length, _ in parts:
        links.append({**rod(name, mass, length, 0.035), "joint": {"parent": parent, "position": place, "axis": axis}})
        parent = len(links) - 1
    return [angle for *_, angle in parts]


def rod(name, mass, length, radius):
    """A cylinder from the joint along z, without a shape that touches."""
    across = mass * (radius ** 2 / 4 + length ** 2 / 12)
    return {"name": name, "mass": mass, "com": [0, 0, length / 2],
            "inertia": [across, across, mass * radius ** 2 / 2], "shape": None, "shape_position": [0, 0, 0]}


def make_robot(trots, arm=False):
    """Bodies and motors of a scene. Knees of front legs bend backwards, those of hind legs forwards. A motor pulls with
    kp (target - q) - kd dq/dt, computed at the start of each step; from 1 s on a trotting robot adds
    lift max(0, sin(2 pi (t - 1 s) / period + phase))^2 to each target, diagonal legs together."""
    links = read_robot()
    front = [link["name"][1] == "F" for link in links[1:]]
    posture = [(0, 0.6, -1.2)[k % 3] * (1 if front[k] else -1) + 0.0 for k in range(12)]
    lift = [(0, 0.25, -0.5)[k % 3] * (1 if front[k] else -1) + 0.0 for k in range(12)]
    second = [link["name"][:2] in ("RF", "LH") for link in links[1:]]
    # What the arm carries at its end is so light that the gains of legs would throw it about.
    kp, kd = [300.0] * 12, [6.0] * 12
    if arm:
        posture += add_arm(links)
        kp, kd = kp + [200, 200, 100, 30, 10], kd + [4, 4, 1.5, 0.3, 0.05]
    rest = len(posture) - 12
    place_links(links, posture, 0.0)
    place_links(links, posture, -lowest_point(links))
    motors = {"angles": posture, "kp": kp, "kd": kd, "posture": posture,
              "lift": (lift if trots else [0.0] * 12) + [0.0] * rest,
              "phase": [math.pi if late else 0.0 for late in second] + [0.0] * rest, "start": 1, "period": 0.5}
    return {"bodies": links, "motors": motors}


def make_tree(limbs, joints):
    """So many limbs of so many rods on one free body, in flight: springs pull each joint to 0.4 rad and back."""
    links = [rod("base", 4.0, 0.2, 0.1)]
    for limb in range(limbs):
        angle = 2 * math.pi * limb / limbs
        parent, place = 0, [0.1 * math.cos(angle), 0.1 * math.sin(angle), 0.2]
        for k in range(joints):
            axis = [[1, 0, 0], [0, 1, 0], [0, 0, 1]][(k + limb) % 3]
            links.append({**rod(f"rod_{limb}_{k}", 0.5, 0.15, 0.02),
                          "joint": {"parent": parent, "position": place, "axis": axis}})
            parent, place = len(links) - 1, [0, 0, 0.15]
    count = limbs * joints
    angles = [0.0] * count
    place_links(links, angles, 1.0)
    motors = {"angles": angles, "kp": [0.5] * count, "kd": [0.0] * count, "posture": [0.4] * count,
              "lift": [0.0] * count, "phase": [0.0] * count, "start": 1, "period": 0.5}
    return {"bodies": links, "motors": motors}
