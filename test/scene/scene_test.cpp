#include "scene/scene.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/dynamics.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const Frame& frame_named(const Model& model, const std::string& name) {
  for (const Frame& frame : model.frames) {
    if (frame.name == name) return frame;
  }
  throw std::logic_error(name);
}

}  // namespace

TEST_CASE("a short scene has the defaults of the contract") {
  const Scenario s =
      load(Folder(), "bodies: {ball: {mass: 500, shape: {sphere: {radius: 0.5}}}}\n");
  CHECK(s.name == "s");
  CHECK(s.duration == 10.0);
  CHECK(s.model.gravity == Vector3d(0, 0, -9.81));
  CHECK(s.integrator.method == "symplectic-euler");
  CHECK(s.integrator.step == 0.001);
  CHECK(s.integrator.tolerance == 0.0);
  CHECK(s.contact.model == "no-slip");
  CHECK(s.contact.solver == "dual");
  CHECK(s.contact.restitution == "poisson");
  CHECK(s.record.every == 0.01);
  CHECK_FALSE(s.record.steps);
  CHECK(s.model.surfaces.front().friction == 0.5);
}

TEST_CASE("every setting arrives") {
  const Scenario s =
      load(Folder(),
           "name: drop\n"
           "gravity: [0, 1, -2]\n"
           "duration: 3\n"
           "integrator: {method: dopri5, step: 0.01, tolerance: 1e-9}\n"
           "contact: {model: viscous, solver: lemke, restitution: newton}\n"
           "record: {every: 0.5, steps: true}\n"
           "bodies:\n"
           "  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [1, 2, 3],\n"
           "         orientation: {rpy: [0, 0, 1.5707963267948966]},\n"
           "         velocity: [4, 5, 6], angular_velocity: [7, 8, 9]}\n"
           "surfaces: [{between: [ball, '*'], viscous: 2, restitution: 0.5}]\n"
           "forces: [{on: ball, from: 1, to: 2, force: [1, 2, 3], torque: [4, 5, 6]}]\n");
  CHECK(s.name == "drop");
  CHECK(s.model.gravity == Vector3d(0, 1, -2));
  CHECK(s.duration == 3.0);
  CHECK(s.integrator.method == "dopri5");
  CHECK(s.integrator.tolerance == 1e-9);
  CHECK(s.contact.model == "viscous");
  CHECK(s.contact.solver == "lemke");
  CHECK(s.contact.restitution == "newton");
  CHECK(s.record.every == 0.5);
  CHECK(s.record.steps);
  VectorXd q(7), v(6);
  q << 1, 2, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5);
  v << 7, 8, 9, 4, 5, 6;
  CHECK((s.initial.q - q).norm() < 1e-15);
  CHECK(s.initial.v == v);
  CHECK(s.model.surfaces.front().viscous == 2.0);
  CHECK(s.model.surfaces.front().restitution == 0.5);
  REQUIRE(s.forces.size() == 1);
  CHECK(s.forces[0].from == 1.0);
  CHECK(s.forces[0].to == 2.0);
  CHECK(s.forces[0].force == Vector3d(1, 2, 3));
  CHECK(s.forces[0].torque == Vector3d(4, 5, 6));
}

TEST_CASE("the command line overrides the file, and is checked like it") {
  const Folder folder;
  const std::string text =
      "integrator:\nbodies: {b: {mass: 500, shape: {sphere: {radius: 0.5}}}}\n";
  const Scenario s = load(folder, text,
                          {{},
                           {{"integrator.step", "1e-4"},
                            {"integrator.method", "rk4"},
                            {"contact.model", "viscous"},
                            {"bodies.b.mass", "600"},
                            {"duration", "2"}}});
  CHECK(s.integrator.step == 1e-4);
  CHECK(s.integrator.method == "rk4");
  CHECK(s.contact.model == "viscous");
  CHECK(s.duration == 2.0);
  CHECK(s.model.links[0].inertia.mass == 600.0);

  const auto fails = [&](const std::string& key, const std::string& value) {
    return report(folder, text, Severity::error, {{}, {{key, value}}});
  };
  CHECK(fails("integrator.step", "0") ==
        "command line: error: integrator.step: must be > 0, not 0\n");
  CHECK(fails("integrator.method", "rk5") ==
        "command line: error: integrator.method: unknown method \"rk5\"; did you mean \"rk4\"?\n");
  CHECK(fails("integrator.stpe", "1") ==
        "command line: error: integrator.stpe: unknown key \"stpe\"; did you mean \"step\"?\n");
}

TEST_CASE("inertia comes from shape and mass: solids of unit density") {
  const auto inertia = [](const std::string& shape, double mass) {
    const Scenario s = load(
        Folder(), "bodies: {b: {mass: " + std::to_string(mass) + ", shape: {" + shape + "}}}\n");
    return s.model.links[0].inertia;
  };
  const auto diagonal = [&](const std::string& shape) {
    const Inertia I = inertia(shape, 1000.0);
    CHECK(I.com.norm() < 1e-12);
    return Vector3d(I.about_com.diagonal() / 1000.0);
  };
  CHECK((diagonal("sphere: {radius: 0.5}") - Vector3d::Constant(0.1)).norm() < 1e-15);
  CHECK((diagonal("box: {size: [1, 2, 3]}") - Vector3d(13, 10, 5) / 12).norm() < 1e-15);
  CHECK(
      (diagonal("cylinder: {radius: 1, length: 2}") - Vector3d(0.25 + 1.0 / 3, 0.25 + 1.0 / 3, 0.5))
          .norm() < 1e-15);
  // Cone about its centre of mass: 3/20 r² + 3/80 l² across, 3/10 r² along.
  CHECK((diagonal("cone: {radius: 1, length: 2}") - Vector3d(0.3, 0.3, 0.3)).norm() < 1e-14);
  // A box as a hull: the same figures by tetrahedra, and a corner at the frame's origin.
  const Inertia hull = inertia(
      "convex: {points: [[0,0,0],[1,0,0],[0,2,0],[1,2,0],[0,0,3],[1,0,3],[0,2,3],[1,2,3]]}", 6000);
  CHECK((hull.com - Vector3d(0.5, 1, 1.5)).norm() < 1e-12);
  CHECK((hull.about_com / 6000 - Matrix3d(Vector3d(13, 10, 5).asDiagonal()) / 12).norm() < 1e-12);
}

TEST_CASE("a capsule's inertia is that of a fine hull of it") {
  std::string points;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j < 48; ++j) {
      const double a = M_PI * i / 40, b = 2 * M_PI * j / 48;
      const double z = std::cos(a) * 0.5 + (i < 20 ? 0.3 : i > 20 ? -0.3 : 0.0);
      points += "[" + std::to_string(0.5 * std::sin(a) * std::cos(b)) + ", " +
                std::to_string(0.5 * std::sin(a) * std::sin(b)) + ", " + std::to_string(z) + "], ";
    }
  }
  const Scenario s =
      load(Folder(),
           "bodies:\n  a: {mass: 900, shape: {capsule: {radius: 0.5, length: 0.6}}}\n"
           "  b: {mass: 900, position: [3, 0, 0], shape: {convex: {points: [" +
               points + "]}}}\n");
  const Matrix3d difference =
      s.model.links[0].inertia.about_com - s.model.links[1].inertia.about_com;
  CHECK(difference.norm() < 0.01 * s.model.links[0].inertia.about_com.norm());
}

TEST_CASE("several shapes make one solid") {
  const Scenario s = load(Folder(),
                          "bodies:\n  dumbbell:\n    mass: 2000\n    shapes:\n"
                          "      - {shape: {sphere: {radius: 0.5}}, position: [1, 0, 0]}\n"
                          "      - {shape: {sphere: {radius: 0.5}}, position: [-1, 0, 0.5]}\n");
  const Inertia& I = s.model.links[0].inertia;
  CHECK((I.com - Vector3d(0, 0, 0.25)).norm() < 1e-15);
  CHECK(I.about_com(1, 1) == doctest::Approx(2000 * (0.1 + 1 + 0.0625)));
  CHECK(s.model.shapes.size() == 2);
}

TEST_CASE("inertia and centre of mass may be given") {
  const Scenario s = load(Folder(),
                          "bodies: {b: {mass: 2, com: [0.1, 0, 0],\n"
                          "             inertia: {ixx: 1, iyy: 2, izz: 2.5, ixy: 0.1}}}\n");
  CHECK(s.model.links[0].inertia.com == Vector3d(0.1, 0, 0));
  CHECK(s.model.links[0].inertia.about_com(0, 1) == 0.1);
  CHECK(s.model.shapes.empty());
}

TEST_CASE("a plane is given by normal and offset") {
  const Scenario s = load(
      Folder(), "bodies: {g: {fixed: true, shape: {plane: {normal: [0, 3, 4], offset: 2}}}}\n");
  const Pose& X = s.model.shapes[0].X_LS;
  CHECK((X.R.col(2) - Vector3d(0, 0.6, 0.8)).norm() < 1e-15);
  CHECK((X.p - Vector3d(0, 1.2, 1.6)).norm() < 1e-15);
}

TEST_CASE("height-field samples lie where the paper's terrain puts them") {
  const Folder folder;
  folder.write("h.dat", "2 3\n1 2 3\n4 5 6\n");
  const Scenario s = load(folder,
                          "bodies: {g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, "
                          "4], height: 0.1}}}}\n");
  const HeightField& field = std::get<HeightField>(s.model.shapes[0].geometry);
  CHECK((field.sample(0, 2) - Vector3d(-0.5, 2, 0.1)).norm() < 1e-15);  // row 0, column 0
  CHECK((field.sample(0, 0) - Vector3d(-0.5, -2, 0.3)).norm() < 1e-15);
  CHECK((field.sample(1, 1) - Vector3d(0.5, 0, 0.5)).norm() < 1e-15);
  CHECK(field.min_height == 0.1);
  CHECK(field.max_height == doctest::Approx(0.6));
}

TEST_CASE("broken height-field files are errors with their line") {
  const auto fails = [](const std::string& text) {
    const Folder folder;
    folder.write("h.dat", text);
    return report(
        folder, "bodies: {g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}}\n");
  };
  CHECK(fails("2 2\n1 2\n3\n") ==
        "h.dat:4:1: error: the file ends before all rows × columns heights\n");
  CHECK(fails("2 2\n1 2\n3 nan\n") == "h.dat:3:3: error: \"nan\" is not a finite number\n");
  CHECK(fails("2 2\n1 2\n3 4 5\n") == "h.dat:3:5: error: more heights than rows × columns\n");
  CHECK(fails("1 9\n") ==
        "h.dat:1:3: error: a height field begins with its rows and columns, each at least 2\n");
  CHECK(fails("99999999 99999999\n") ==
        "h.dat:1:10: error: a height field begins with its rows and columns, each at least 2\n");
}

TEST_CASE("a mesh file keeps its origin, and tells volume and centre of mass") {
  const Folder folder;
  folder.write("tetra.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::string text =
      "bodies: {t: {mass: 100, position: [0, 0, 5], shape: {convex: {file: tetra.obj, scale: "
      "2}}}}\n";
  const Scenario s = load(folder, text);
  CHECK((s.model.links[0].inertia.com - Vector3d::Constant(0.5)).norm() < 1e-6);
  CHECK(s.initial.q.head<3>() == Vector3d(0, 0, 5));
  CHECK(report(folder, text, Severity::note) ==
        "s.yaml:1:13: note: bodies.t: centre of mass at (0.5, 0.5, 0.5) m in its frame, volume "
        "1.33333 m³\n");
}

TEST_CASE("robots described in YAML: joints, limits, shapes") {
  const Scenario s =
      load(Folder(),
           "robots:\n"
           "  arm:\n"
           "    base: {fixed: true, position: [0, 0, 1]}\n"
           "    links:\n"
           "      stand: {}\n"
           "      upper:\n"
           "        mass: 1\n"
           "        inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}\n"
           "        com: [0.5, 0, 0]\n"
           "        joint: {name: shoulder, parent: stand, axis: [0, 2, 0],\n"
           "                limits: [-1, 1], effort: 5, damping: 0.1, friction: 0.2}\n"
           "      lower:\n"
           "        mass: 1\n"
           "        shape: {box: {size: [0.1, 0.1, 0.1]}}\n"
           "        joint: {parent: upper, type: prismatic, position: [1, 0, 0]}\n"
           "    joints: {shoulder: {position: 0.5, velocity: 2, viscous: 0.3},\n"
           "             '*': 0.25}\n");
  REQUIRE(s.model.links.size() == 2);
  const Joint& shoulder = s.model.links[0].joint;
  CHECK(s.model.joints[0].name == "arm/shoulder");
  CHECK(s.model.joints[1].name == "arm/lower");
  CHECK(shoulder.axis == Vector3d(0, 1, 0));
  CHECK(shoulder.lower == -1.0);
  CHECK(shoulder.effort == 5.0);
  CHECK(shoulder.friction == 0.2);
  CHECK(shoulder.damping == doctest::Approx(0.4));
  CHECK(s.initial.q == Eigen::Vector2d(0.5, 0.25));
  CHECK(s.initial.v == Eigen::Vector2d(2, 0));
  CHECK(frame_named(s.model, "arm/stand").link == -1);
  CHECK(s.model.links[0].joint.X_PF.p == Vector3d(0, 0, 1));
}

TEST_CASE("joint starts that cannot be") {
  const std::string robot =
      "robots:\n"
      "  arm:\n"
      "    base: {fixed: true}\n"
      "    links:\n"
      "      stand: {}\n"
      "      upper: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}},\n"
      "              joint: {name: shoulder, parent: stand, limits: [-1, 1]}}\n"
      "    joints: ";
  CHECK(report(robot + "{sholder: 1}\n") ==
        "s.yaml:8:14: error: robots.arm.joints: no moving joint matches \"sholder\"; did you mean "
        "\"shoulder\"?\n");
  CHECK(
      report(robot + "{'*_knee': 1}\n") ==
      "s.yaml:8:14: error: robots.arm.joints: no moving joint matches \"*_knee\"; the joints are: "
      "shoulder\n");
  CHECK(report(robot + "{shoulder: 1.5}\n") ==
        "s.yaml:8:24: error: robots.arm.joints: start 1.5 of joint \"shoulder\" is outside its "
        "limits [-1, 1]\n");
  CHECK(report(robot + "{shoulder: {friction: -1}}\n") ==
        "s.yaml:8:35: error: robots.arm.joints.shoulder.friction: must be >= 0, not -1\n");
  CHECK(report(robot + "{shoulder: left}\n") ==
        "s.yaml:8:24: error: robots.arm.joints.shoulder: must be a number, not \"left\"\n");
}

TEST_CASE("robots that cannot be") {
  CHECK(report("robots: {r: {}}\n") ==
        "s.yaml:1:13: error: robots.r: needs exactly one of: urdf, links\n");
  CHECK(report("robots: {r: {links: {a: {mass: 1, shape: {sphere: {radius: 0.1}}}, b: {joint: "
               "{parent: c}}}}}\n") ==
        "s.yaml:1:88: error: robots.r.links.b.joint.parent: unknown link \"c\"; did you mean "
        "\"a\"?\n");
  CHECK(report("robots: {r: {links: {a: {mass: 1, shape: {sphere: {radius: 0.1}}}, b: {joint: "
               "{parent: a}}}}}\n") ==
        "s.yaml:1:10: error: robots.r: what joint r/b moves has no mass or no inertia\n");
  const std::string arm =
      "robots: {r: {base: {fixed: true}, links: {a: {}, b: {mass: 1, shape: {sphere: {radius: "
      "0.1}}, joint: {parent: a}}}, controller: ";
  CHECK(report(arm + "{type: trott}}}\n") ==
        "s.yaml:1:136: error: robots.r.controller.type: unknown controller type \"trott\"; did you "
        "mean \"trot\"?\n");
  CHECK(report(arm + "{kp: 1}}}\n") ==
        "s.yaml:1:117: error: robots.r.controller: needs the key \"type\"; one of: trot, "
        "links-trot, pd, torque\n");
  CHECK(report(arm + "{type: pd, kpp: 1}}}\n") ==
        "s.yaml:1:140: error: robots.r.controller: unknown key \"kpp\"; did you mean \"kp\"?\n");
  CHECK(report(arm + "{type: pd, target: {c: 1}}}}\n") ==
        "s.yaml:1:149: error: robots.r.controller.target: no moving joint matches \"c\"; did you "
        "mean \"b\"?\n");
  CHECK(report(arm + "{type: trot, gait: {duty: 2}}}}\n") ==
        "s.yaml:1:155: error: robots.r.controller.gait.duty: must be <= 1, not 2\n");
}

TEST_CASE("torque tables: read, and refused with their line") {
  const auto load_table = [](const std::string& table) {
    const Folder folder;
    folder.write("t.csv", table);
    return report(folder,
                  "robots: {r: {base: {fixed: true}, links: {a: {}, b: {mass: 1, shape: {sphere: "
                  "{radius: 0.1}}, joint: {parent: a}}},\n"
                  "controller: {type: torque, file: t.csv}}}\n");
  };
  CHECK(load_table("t, b\n0, 1\n0.5, -1\n") == "");
  CHECK(load_table("time, b\n0, 1\n") ==
        "t.csv:1:1: error: the header must be \"t\" and joint names, not \"time\"; for "
        "instance: t, b\n");
  CHECK(load_table("t, c\n0, 1\n") ==
        "t.csv:1:4: error: unknown joint \"c\"; did you mean \"b\"?\n");
  CHECK(load_table("t, r/b\n0, 1\n")
            .find("joints stand here without their robot; did you mean "
                  "\"b\"?\n") != std::string::npos);
  CHECK(load_table("t; b\n0; 1\n").find("; columns are separated by commas, not by \";\"\n") !=
        std::string::npos);
  CHECK(load_table("t, b\n0, 1,5\n") ==
        "t.csv:2:1: error: 3 columns, the header has 2; decimals are written with a point: 1.5\n");
  CHECK(load_table("t, b, b\n0, 1, 1\n") == "t.csv:1:7: error: joint \"b\" has two columns\n");
  CHECK(load_table("t, b\n0\n") == "t.csv:2:1: error: 1 columns, the header has 2\n");
  CHECK(load_table("t, b\n0, nan\n") == "t.csv:2:4: error: \"nan\" is not a finite number\n");
  CHECK(load_table("t, b\n1, 0\n1, 0\n") == "t.csv:3:1: error: times must increase: 1 follows 1\n");
  CHECK(load_table("t, b\n") ==
        "t.csv:1:1: error: the table has no row; a header, then times and efforts\n");
}

TEST_CASE("a robot without z stands on the ground: plane, slope, height field, or z = 0") {
  const std::string robot =
      "robots: {r: {links: {a: {mass: 500, shape: {box: {size: [1, 1, 1]}}},\n"
      "             b: {mass: 10, shape: {sphere: {radius: 0.2}},\n"
      "                 joint: {parent: a, type: fixed, position: [0.6, 0, -1]}}}}}\n";
  const auto z = [&](const std::string& ground) {
    const Folder folder;
    folder.write("h.dat", "3 3\n0 0 0\n0 0 0\n0.5 0.5 0.5\n");
    return load(folder, robot + ground).initial.q[2];
  };
  CHECK(z("") == doctest::Approx(1.2));
  CHECK(z("bodies: {g: {fixed: true, shape: {plane: {offset: 1}}}}\n") == doctest::Approx(2.2));
  // Slope n = (0.6, 0, 0.8) up to the left: the ball touches where 0.8 z = 0.2 − 0.6·0.6 + 0.8.
  CHECK(z("bodies: {g: {fixed: true, shape: {plane: {normal: [-0.6, 0, 0.8]}}}}\n") ==
        doctest::Approx((0.36 + 0.2) / 0.8 + 1));
  CHECK(z("bodies: {g: {fixed: true, shape: {heightfield: {file: h.dat, size: [4, 4]}}}}\n") ==
        doctest::Approx(1.7));
}
