// Every way a scene can be wrong, with the words that say so.
#include <doctest/doctest.h>

#include <vector>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

struct Case {
  const char* what;
  const char* scene;
  const char* expected;  ///< all errors
};

void check_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(report(c.scene) == c.expected);
  }
}

}  // namespace

TEST_CASE("what YAML itself gets wrong is reported with its place") {
  check_all({
      {"empty", "", "s.yaml:1:1: error: the file is empty\n"},
      {"only a comment", "# nothing\n", "s.yaml:1:1: error: the file is empty\n"},
      {"a list", "- 1\n", "s.yaml:1:1: error: must be a mapping, not a list\n"},
      {"tab", "bodies:\n\tbox: {}\n",
       "s.yaml:2:5: error: not valid YAML: a second \": \" in one line, or one that is too far in; "
       "the line has a tab; YAML indents "
       "with "
       "spaces only\n"},
      {"unclosed", "gravity: [0, 0\n",
       "s.yaml:1:10: error: not valid YAML: this \"[\" is never closed; add \"]\"\n"},
      {"two documents", "duration: 1\n---\nduration: 2\n",
       "s.yaml:3:1: error: a second document begins here; keep one document in a file\n"},
  });
}

TEST_CASE("deeply nested YAML is refused, not a crash") {
  CHECK(report(std::string(20000, '[')).find("error: not valid YAML") != std::string::npos);
}

TEST_CASE("a missing scene file is an error") {
  Diagnostics diagnostics;
  (void)load_scene("nowhere/dog.yaml", {}, diagnostics);
  CHECK(diagnostics.text() == "nowhere/dog.yaml: error: no such file: nowhere/dog.yaml\n");
}

TEST_CASE("keys: unknown, misplaced, twice, merged, missing") {
  const std::string ball = "bodies: {b: {mass: 1, shape: {sphere: {radius: 1}}}}\n";
  const auto with = [&](const std::string& text) { return report(ball + text); };
  CHECK(with("duratoin: 3\n") ==
        "s.yaml:2:1: error: unknown key \"duratoin\"; did you mean \"duration\"?\n");
  CHECK(
      with("step: 0.1\n") ==
      "s.yaml:2:1: error: unknown key \"step\"; \"step\" belongs in integrator; valid here: name, "
      "gravity, start, duration, integrator, contact, record, bodies, robots, surfaces, forces, "
      "loops, springs, "
      "collide\n");
  CHECK(
      with("duration: 3\nname: a\nduration: 4\n") ==
      "s.yaml:4:1: error: duplicate key \"duration\", first given at line 2, column 1; remove one "
      "of them\n");
  CHECK(with("integrator: &i {step: 0.1}\nrecord: {<<: *i}\n") ==
        "s.yaml:3:10: error: record: merge keys (<<) are not supported; write the keys out\n");
  CHECK(with("integrator: {[1, 2]: 3}\n") ==
        "s.yaml:2:14: error: integrator: a key must be text\n");
  CHECK(with("surfaces:\n  - {friction: 1}\n") ==
        "s.yaml:3:5: error: surfaces[0]: needs the key \"between\"\n");
  CHECK(report("bodies:\n  a:\n    mass: 1\n    shape: {sphere: {}}\n") ==
        "s.yaml:4:13: error: bodies.a.shape.sphere: needs the key \"radius\"\n");
  CHECK(report("bodies: {a: {mass: 1, shape: {}}}\n") ==
        "s.yaml:1:23: error: bodies.a.shape: needs exactly one of: plane, sphere, box, capsule, "
        "cylinder, cone, convex, mesh, heightfield\n");
  CHECK(report("bodies: {a: {mass: 1, shape: {sphree: {radius: 1}}}}\n") ==
        "s.yaml:1:31: error: bodies.a.shape: unknown key \"sphree\"; did you mean \"sphere\"?\n");
}

TEST_CASE("numbers: the traps of YAML are errors") {
  const auto duration = [](const std::string& value) {
    return report("bodies: {b: {mass: 1, shape: {sphere: {radius: 1}}}}\nduration: " + value +
                  "\n");
  };
  const std::string at = "s.yaml:2:11: error: duration: ";
  CHECK(duration("010") == at + "\"010\" starts with 0, which YAML reads as octal; write 10\n");
  CHECK(duration("0x10") == at + "must be a number, not \"0x10\"; write the number alone, in SI "
                                 "units and radians\n");
  CHECK(duration("1e400") == at + "1e400 is out of the range of a double\n");
  CHECK(duration(".nan") == at + "must not be NaN\n");
  CHECK(duration("nan") == at + "must be a number, not \"nan\"\n");
  CHECK(duration(".inf") == at + "must be finite, not .inf\n");
  CHECK(duration("\"5\"") == at + "must be a number, not text in quotes; remove the quotes\n");
  CHECK(duration("1,5") == at + "must be a number, not \"1,5\"; write 1.5\n");
  CHECK(duration("90 deg") == at +
                                  "must be a number, not \"90 deg\"; write the number alone, in SI "
                                  "units and radians\n");
  CHECK(duration("[1]") == at + "must be a number, not a list\n");
  CHECK(duration("-1") == at + "must be >= 0, not -1\n");
  CHECK(duration("~") == "s.yaml:2:1: error: duration: must be a number, not nothing\n");
  for (const char* good : {"10", "1.5", "1e-3", ".5", "+2", "0", "0.0", "1E3"}) {
    CHECK(duration(good) == "");
  }
}

TEST_CASE("values outside their range, of the wrong type or length") {
  const std::string ball = "bodies: {b: {mass: 1, shape: {sphere: {radius: 1}}}}\n";
  const std::vector<std::pair<const char*, const char*>> cases{
      {"integrator: {step: 0}", "2:20: error: integrator.step: must be > 0, not 0"},
      {"integrator: {step: -1}", "2:20: error: integrator.step: must be > 0, not -1"},
      {"integrator: {tolerance: -1}", "2:25: error: integrator.tolerance: must be >= 0, not -1"},
      {"record: {every: 0}", "2:17: error: record.every: must be > 0, not 0"},
      {"record: {steps: 1}", "2:17: error: record.steps: must be true or false, not \"1\""},
      {"record: {steps: yes}", "2:17: error: record.steps: must be true or false, not \"yes\""},
      {"gravity: -9.81", "2:10: error: gravity: must be a list of numbers, not \"-9.81\""},
      {"gravity: [0, -9.81]", "2:10: error: gravity: must have 3 items, not 2"},
      {"gravity: [0, 0, x]", "2:17: error: gravity[2]: must be a number, not \"x\""},
      {"name: ''", "2:7: error: name: must not be empty"},
      {"surfaces: [{between: [b, b], restitution: 1.1}]",
       "2:43: error: surfaces[0].restitution: must be <= 1, not 1.1"},
      {"surfaces: [{between: [b, b], friction: -0.1}]",
       "2:40: error: surfaces[0].friction: must be >= 0, not -0.1"},
      {"surfaces: [{between: [b, b], friction: -.inf}]",
       "2:40: error: surfaces[0].friction: must be finite, not -.inf"},
      {"surfaces: [{between: [b]}]", "2:22: error: surfaces[0].between: must have 2 items, not 1"},
      {"surfaces: {b: 1}", "2:1: error: surfaces: must be a list, not a mapping"},
      {"integrator: rk4", "2:13: error: integrator: must be a mapping, not \"rk4\""},
      {"integrator: {method: rk5}",
       "2:22: error: integrator.method: unknown method \"rk5\"; did you mean \"rk4\"?"},
      {"contact: {model: noslip}",
       "2:18: error: contact.model: unknown model \"noslip\"; did you mean \"no-slip\"?"},
      {"contact: {solver: gurobi}",
       "2:19: error: contact.solver: unknown solver \"gurobi\"; one of: dual, ppm, lemke, "
       "coulomb, semismooth-newton, nsgs, pgs, admm, proximal, interior-point, auto, enumerate"},
      {"contact: {model: coulomb, solver: dual}",
       "2:35: error: contact.solver: dual does not solve the problems of coulomb; use one of: "
       "coulomb, semismooth-newton, nsgs, pgs, admm, proximal"},
      {"contact: {restitution: 0.5}",
       "2:24: error: contact.restitution: unknown restitution \"0.5\"; one of: poisson, newton, "
       "newton-raw"},
  };
  for (const auto& [text, expected] : cases) {
    CHECK(report(ball + text + "\n") == std::string("s.yaml:") + expected + "\n");
  }
  CHECK(report(ball + "surfaces: [{between: [b, b], friction: .inf}]\n") == "");
}

TEST_CASE("bodies that cannot be") {
  check_all({
      {"no mass", "bodies:\n  a:\n    shape: {sphere: {radius: 1}}\n",
       "s.yaml:3:5: error: bodies.a: a free body needs the key \"mass\"; or add fixed: true\n"},
      {"no shape", "bodies: {a: {mass: 1}}\n",
       "s.yaml:1:13: error: bodies.a: needs a shape or an inertia\n"},
      {"fixed, no shape", "bodies: {a: {fixed: true}}\n",
       "s.yaml:1:13: error: bodies.a: a fixed body needs a shape\n"},
      {"fixed, moving", "bodies: {a: {fixed: true, shape: {plane: }, velocity: [1, 0, 0]}}\n",
       "s.yaml:1:13: error: bodies.a: a fixed body has no velocity\n"},
      {"free plane", "bodies: {a: {mass: 1, shape: {plane: {}}}}\n",
       "s.yaml:1:31: error: bodies.a.shape.plane: only a fixed body can be a plane; add fixed: "
       "true\n"},
      {"zero normal", "bodies: {a: {fixed: true, shape: {plane: {normal: [0, 0, 0]}}}}\n",
       "s.yaml:1:51: error: bodies.a.shape.plane.normal: must not be zero\n"},
      {"zero mass", "bodies: {a: {mass: 0, shape: {sphere: {radius: 1}}}}\n",
       "s.yaml:1:20: error: bodies.a.mass: must be > 0, not 0\n"},
      {"negative size", "bodies: {a: {mass: 1, shape: {box: {size: [1, -1, 1]}}}}\n",
       "s.yaml:1:47: error: bodies.a.shape.box.size[1]: must be > 0, not -1\n"},
      {"bad inertia", "bodies: {a: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 3}}}\n",
       "s.yaml:1:32: error: bodies.a.inertia: non-physical, principal moments 1, 1, 3 kg m²: none "
       "may exceed the sum of the others\n"},
      {"point mass", "bodies: {a: {mass: 1, inertia: {ixx: 0, iyy: 0, izz: 0}}}\n",
       "s.yaml:1:10: error: bodies.a: body a has no mass or no inertia\n"},
      {"quaternion",
       "bodies: {a: {mass: 1, shape: {sphere: {radius: 1}}, orientation: {quaternion: [1, 1, 0, "
       "0]}}}\n",
       "s.yaml:1:79: error: bodies.a.orientation.quaternion: has length 1.41421, not 1; the order "
       "is "
       "w, x, y, z\n"},
      {"name", "bodies: {'a/b': {mass: 1, shape: {sphere: {radius: 1}}}}\n",
       "s.yaml:1:10: error: bodies: the name \"a/b\" may have letters, digits, _ - . only\n"},
      {"flat hull",
       "bodies: {a: {mass: 1, shape: {convex: {points: [[0,0,0],[1,0,0],[0,1,0]]}}}}\n",
       "s.yaml:1:48: error: no convex hull: convex: 3 points span no volume; give at least four\n"},
      {"hull of nothing", "bodies: {a: {mass: 1, shape: {convex: {}}}}\n",
       "s.yaml:1:39: error: bodies.a.shape.convex: needs exactly one of: points, file\n"},
      {"nothing at all", "duration: 1\n",
       "s.yaml:1:1: error: the scene has no bodies and no robots\n"},
  });
}

TEST_CASE("a body and a robot may not share a name") {
  CHECK(report("bodies: {a: {mass: 1, shape: {sphere: {radius: 1}}}}\n"
               "robots: {a: {links: {l: {mass: 1, shape: {sphere: {radius: 1}}}}}}\n") ==
        "s.yaml:2:10: error: robots.a: two bodies or robots are named a\n");
}

TEST_CASE("missing files are errors that name every path tried") {
  const Folder folder;
  folder.write("Ball.stl", "x");
  CHECK(report(folder, "bodies: {a: {mass: 1, shape: {mesh: {file: ball.stl}}}}\n") ==
        "s.yaml:1:44: error: no such file: \"ball.stl\"; tried ball.stl; did you mean "
        "\"Ball.stl\"?\n");
  CHECK(report(folder, "robots: {a: {urdf: dog.urdf}}\n") ==
        "s.yaml:1:20: error: no such file: \"dog.urdf\"; tried dog.urdf\n");
}

TEST_CASE("names that match nothing") {
  const std::string ball = "bodies: {ball: {mass: 1, shape: {sphere: {radius: 1}}}}\n";
  CHECK(
      report(ball + "surfaces: [{between: [bal, '*']}]\n") ==
      "s.yaml:2:23: error: surfaces[0].between: \"bal\" matches nothing; did you mean \"ball\"?\n");
  CHECK(report(ball + "forces: [{on: dog}]\n") ==
        "s.yaml:2:15: error: forces[0].on: \"dog\" matches nothing; there are: ball\n");
  CHECK(report(ball + "forces: [{on: 'b*'}]\n") ==
        "s.yaml:2:15: error: forces[0].on: must name one body or link, without globs\n");
  CHECK(report(ball + "forces: [{on: ball, from: 2, to: 1}]\n") ==
        "s.yaml:2:10: error: forces[0]: ends before it begins: from >= to\n");
  CHECK(report(ball + "collide: [[ball, floor, false]]\n") ==
        "s.yaml:2:18: error: collide[0]: \"floor\" matches nothing; there are: ball\n");
}

TEST_CASE("a force on what never moves is an error") {
  CHECK(report("bodies: {wall: {fixed: true, shape: {box: {size: [1, 1, 1]}}}}\n"
               "forces: [{on: wall, force: [1, 0, 0]}]\n") ==
        "s.yaml:2:15: error: forces[0].on: \"wall\" never moves\n");
}

TEST_CASE("all errors come at once, a broken body is not blamed twice") {
  CHECK(report("duration: -1\n"
               "bodies:\n"
               "  a: {mass: x, shape: {sphere: {radius: 1}}}\n"
               "  b: {mass: 1, shape: {mesh: {file: no.stl}}}\n"
               "surfaces:\n"
               "  - {between: [a, b], fricton: 1}\n"
               "  - {between: [a, c]}\n"
               "forces: [{on: d}]\n") ==
        "s.yaml:1:11: error: duration: must be >= 0, not -1\n"
        "s.yaml:3:13: error: bodies.a.mass: must be a number, not \"x\"\n"
        "s.yaml:4:37: error: no such file: \"no.stl\"; tried no.stl\n"
        "s.yaml:6:23: error: surfaces[0]: unknown key \"fricton\"; did you mean \"friction\"?\n"
        "s.yaml:8:15: error: forces[0].on: \"d\" matches nothing\n");
}

TEST_CASE("Coulomb friction of a spherical joint is an error, of the others none") {
  const auto with = [](const std::string& type) {
    return report(
        "robots:\n"
        "  arm:\n"
        "    links:\n"
        "      base: {mass: 1, shape: {sphere: {radius: .1}}}\n"
        "      hand: {mass: 1, shape: {sphere: {radius: .1}},\n"
        "             joint: {parent: base, type: " +
        type + ", friction: 0.5}}\n");
  };
  CHECK(with("spherical").find("\"hand\" is spherical: Coulomb friction is for revolute") !=
        std::string::npos);
  CHECK(with("revolute").find("friction") == std::string::npos);
}

TEST_CASE("at most fifty errors are shown, the others counted") {
  std::string text = "bodies:\n";
  for (int i = 0; i < 60; ++i) text += "  b" + std::to_string(i) + ": {mass: -1}\n";
  const std::string shown = report(text);
  CHECK(std::ranges::count(shown, '\n') == 51);
  CHECK(shown.find("and 10 more of severity error\n") != std::string::npos);
}

TEST_CASE("a body that starts inside another is an error") {
  const std::string text =
      "bodies:\n"
      "  ground: {fixed: true, shape: {plane: {}}}\n"
      "  ball: {mass: 1, shape: {sphere: {radius: 0.5}}, position: [0, 0, ";
  CHECK(report(text + "0.4]}\n") ==
        "s.yaml:3:9: error: \"ball\" starts 0.1 m inside \"ground\"; move one of them\n");
  CHECK(report(text + "0.5]}\n") == "");
}

TEST_CASE("a robot without a scene is told what to write") {
  const std::string text = report("<?xml version=\"1.0\"?>\n<robot name=\"r\"></robot>\n");
  CHECK(text ==
        "s.yaml:1:1: error: this is a URDF: a robot alone, not a scene; a scene to start from, "
        "s.yaml beside it:\n  bodies:\n    ground: {fixed: true, shape: {plane: {}}}\n  robots:\n"
        "    s: {urdf: s.yaml}\n");
  CHECK(report("<sdf/>\n") ==
        "s.yaml:1:1: error: this is XML, not a scene; a scene is YAML: docs/scene.md has its "
        "keys\n");
}

TEST_CASE("brackets that stand alone are reported where they stand") {
  CHECK(report("bodies:\n  a: {mass: 1, shape: {sphere: {radius: 1}}\n  b: {mass: 1}\n") ==
        "s.yaml:2:6: error: not valid YAML: this \"{\" is never closed; add \"}\"\n");
  CHECK(report("gravity: [0, 0, -9}\n") ==
        "s.yaml:1:10: error: not valid YAML: this \"[\" is closed by \"}\"; close it by \"]\"\n");
  CHECK(report("bodies: {}}  # {\n")
            .find("error: not valid YAML: this \"}\" closes nothing; remove it\n") !=
        std::string::npos);
}

TEST_CASE("a decimal comma in a list is recognised") {
  const auto tells = [](const std::string& text, const std::string& error) {
    return report(text).find("s.yaml:1:10: error: gravity: must have 3 items, not 4" + error +
                             "\n") != std::string::npos;
  };
  CHECK(tells("gravity: [0, 0, -9,81]\n", "; decimals are written with a point: -9.81"));
  CHECK(tells("gravity: [0, 0, 0, 0]\n", ""));
}

TEST_CASE("static friction is refused where nothing tells it from the other, and below it") {
  const std::string text =
      "bodies: {b: {mass: 1, shape: {sphere: {radius: 0.1}}}}\n"
      "surfaces: [{between: [\"*\", b], friction: 0.3, static_friction: 0.5}]\n";
  const std::string where = "s.yaml:2:64: error: surfaces[0].static_friction: ";
  const std::string way = "; use coulomb or baraff at the acceleration level, as under rk4\n";
  const auto unknown_to = [&](const std::string& model) {
    return where + "the contact model " + model + " does not know it as it is used here" + way;
  };
  CHECK(report(text) == unknown_to("no-slip"));
  CHECK(report(text + "contact: {model: coulomb}\n") == unknown_to("coulomb"));
  CHECK(report(text + "integrator: {method: rk4}\ncontact: {model: viscous}\n") ==
        unknown_to("viscous"));
  const std::string rubs = "integrator: {method: rk4}\ncontact: {model: coulomb}\n";
  CHECK(report(text + rubs).empty());
  std::string less = text;
  less.replace(less.find("0.5}"), 3, "0.2");
  CHECK(report(less + rubs) ==
        where + "0.2 is less than friction, 0.3; what sticks holds at least as much\n");
}

TEST_CASE("coefficients that the contact model does not look at are noted") {
  const std::string text =
      "bodies: {b: {mass: 9, shape: {sphere: {radius: .1}}}}\n"
      "surfaces: [{between: ['*', '*'], friction: 0.3, viscous: 1}]\n";
  CHECK(report(text, Severity::note) ==
        "s.yaml:2:44: note: surfaces[0].friction: the contact model no-slip ignores it\n"
        "s.yaml:2:58: note: surfaces[0].viscous: the contact model no-slip ignores it\n");
  CHECK(report(text + "contact: {model: viscous}\n", Severity::note) ==
        "s.yaml:2:44: note: surfaces[0].friction: the contact model viscous ignores it\n");
}

TEST_CASE("a density that no solid has is a warning") {
  CHECK(
      report("bodies: {b: {mass: 1000, shape: {sphere: {radius: 0.01}}}}\n", Severity::warning) ==
      "s.yaml:1:20: warning: bodies.b: density 2.39e+08 kg/m³; is the size in metres, the mass in "
      "kilograms?\n");
}

TEST_CASE("settings that the integrator does not look at, and sizes in millimetres, are warnings") {
  CHECK(report("bodies: {b: {mass: 9, shape: {sphere: {radius: .1}}}}\n"
               "integrator: {method: rk4, tolerance: 1e-6}\n",
               Severity::warning) ==
        "s.yaml:2:38: warning: integrator.tolerance: rk4 ignores it; dopri5 adapts its step\n");
  CHECK(report("bodies: {b: {mass: 1e9, shape: {sphere: {radius: 150}}}}\n", Severity::warning) ==
        "s.yaml:1:32: warning: bodies.b.shape.sphere: reaches 150 m; if the numbers are "
        "millimetres, scale them by 0.001\n");
}
