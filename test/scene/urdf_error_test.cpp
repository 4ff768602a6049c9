// Every way a URDF can be wrong, with the words that say so.
#include <doctest/doctest.h>

#include <variant>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const std::string kInertial =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
    "izz=\"1\"/></inertial>";

/// Line 2 is link a, line 3 link b, line 4 the joint between them.
std::string two_links(
    const std::string& in_link = kInertial,
    const std::string& in_joint = "<limit lower=\"-1\" upper=\"1\" effort=\"5\"/>",
    const std::string& type = "revolute", const std::string& more = "") {
  return "<robot name=\"r\">\n<link name=\"a\">" + kInertial + "</link>\n<link name=\"b\">" +
         in_link + "</link>\n<joint name=\"j\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>" + in_joint + "</joint>\n" + more +
         "</robot>\n";
}

std::string inertial(const std::string& mass, const std::string& ixx = "1") {
  return "<inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + ixx +
         "\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
}

std::string collision(const std::string& geometry) {
  return kInertial + "<collision><geometry>" + geometry + "</geometry></collision>";
}

}  // namespace

TEST_CASE("a right URDF reports nothing") { CHECK(report_urdf(two_links(), Severity::note) == ""); }

TEST_CASE("what is not XML, or no robot") {
  CHECK(report_urdf("<robot>\n<link name=\"a\">\n</robot>\n") ==
        "r.urdf:2:1: error: not valid XML: <link> is closed by </robot> at line 3; put </link> "
        "before it\n");
  CHECK(report_urdf("<sdf/>\n") ==
        "r.urdf:1:1: error: not a URDF: the outermost element must be <robot>\n");
  CHECK(report_urdf("<robot name=\"r\"/>") == "r.urdf:1:1: error: the robot has no link\n");
}

TEST_CASE("masses and inertias: the traps of urdfdom are errors") {
  const auto link = [](const std::string& text) { return report_urdf(two_links(text)); };
  CHECK(link(inertial("nan")) ==
        "r.urdf:3:26: error: <mass value=\"nan\">: must be a finite number\n");
  CHECK(link(inertial("1,5")) ==
        "r.urdf:3:26: error: <mass value=\"1,5\">: must be a finite number\n");
  CHECK(link(inertial("inf")) ==
        "r.urdf:3:26: error: <mass value=\"inf\">: must be a finite number\n");
  CHECK(link(inertial("1e999")) ==
        "r.urdf:3:26: error: <mass value=\"1e999\">: must be a finite number\n");
  CHECK(link(inertial("")) == "r.urdf:3:26: error: <mass value=\"\">: must be a finite number\n");
  CHECK(link(inertial("-1")) == "r.urdf:3:26: error: <mass value=\"-1\">: must be >= 0\n");
  CHECK(
      link(inertial("1", "-1")) ==
      "r.urdf:3:1: error: link \"b\" has a non-physical inertia, principal moments -1, 1, 1 kg m²: "
      "none may be negative\n");
  CHECK(
      link(inertial("1", "3")) ==
      "r.urdf:3:1: error: link \"b\" has a non-physical inertia, principal moments 1, 1, 3 kg m²: "
      "none may exceed the sum of the others\n");
  CHECK(link("<inertial><mass value=\"1\"/></inertial>") ==
        "r.urdf:3:16: error: <inertial> needs <inertia>\n");
  CHECK(link("<inertial><mass/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\"/>"
             "</inertial>") ==
        "r.urdf:3:26: error: <mass> needs the attribute \"value\"\n"
        "r.urdf:3:33: error: <inertia> needs the attribute \"izz\"\n");
}

TEST_CASE("a non-physical inertia is only a warning where fixed joints weld it into a body") {
  CHECK(report_urdf(two_links(inertial("0.001", "1.3"), "", "fixed"), Severity::warning) == "");
  CHECK(
      report_urdf(two_links(inertial("0.001", "2.5"), "", "fixed"), Severity::warning) ==
      "r.urdf:3:1: warning: link \"b\" has a non-physical inertia, principal moments 1, 1, 2.5 kg "
      "m²: none may exceed the sum of the others; kept, because the body it is welded into is "
      "physical\n");
}

TEST_CASE("elements: unknown, misplaced, twice, missing") {
  const auto link = [](const std::string& text) {
    return report_urdf(two_links(kInertial + text), Severity::warning);
  };
  CHECK(link("<colision/>") ==
        "r.urdf:3:112: error: unknown element <colision> in <link>; did you mean <collision>?\n");
  CHECK(link("<mass value=\"1\"/>") ==
        "r.urdf:3:112: error: misplaced <mass> in <link>; it belongs in <inertial>\n");
  CHECK(link("<shininess/>") ==
        "r.urdf:3:112: warning: unknown element <shininess> in <link> is ignored\n");
  CHECK(link(kInertial) ==
        "r.urdf:3:112: error: a second <inertial> in <link>, first given at line 3\n");
  CHECK(link("<collision/>") == "r.urdf:3:112: error: <collision> needs <geometry>\n");
  CHECK(link("<collision><geometry/></collision>") ==
        "r.urdf:3:123: error: <geometry> needs exactly one of: box, sphere, cylinder, capsule, "
        "mesh\n");
  CHECK(report_urdf(two_links(kInertial, "<damping>0.1</damping>", "fixed")) ==
        "r.urdf:4:65: error: misplaced <damping> in <joint>; \"damping\" is an attribute of "
        "<dynamics>\n");
  CHECK(report_urdf(two_links(kInertial, "<limit lowr=\"-1\" upper=\"1\" effort=\"1\"/>")) ==
        "r.urdf:4:68: error: unknown attribute \"lowr\" of <limit>; did you mean \"lower\"?\n");
  CHECK(report_urdf(two_links(kInertial, "<origin quat_xyzw=\"0 0 0 1\"/>", "fixed")) ==
        "r.urdf:4:65: error: attribute \"quat_xyzw\" of <origin> is not supported; use xyz and "
        "rpy\n");
}

TEST_CASE("ignored elements are counted in one note") {
  CHECK(report_urdf(
            two_links(kInertial, "", "fixed", "<gazebo><x/></gazebo><gazebo/><transmission/>"),
            Severity::note) == "r.urdf: note: ignored: gazebo (2), transmission (1)\n");
}

TEST_CASE("collision shapes that cannot be") {
  const auto shape = [](const std::string& text) {
    return report_urdf(two_links(collision(text)));
  };
  CHECK(shape("<box size=\"1 2\"/>") ==
        "r.urdf:3:133: error: <box size=\"1 2\">: must be 3 finite numbers separated by spaces\n");
  CHECK(shape("<sphere radius=\"0\"/>") ==
        "r.urdf:3:133: error: <sphere radius=\"0\">: must be > 0\n");
  CHECK(shape("<cylinder radius=\"1\"/>") ==
        "r.urdf:3:133: error: <cylinder> needs the attribute \"length\"\n");
  CHECK(shape("<mesh filename=\"\"/>") ==
        "r.urdf:3:133: error: <mesh filename=\"\">: must not be empty\n");
  CHECK(shape("<mesh filename=\"no.stl\"/>") ==
        "r.urdf:3:133: error: no such file: \"no.stl\"; tried no.stl\n");
  CHECK(shape("<box size=\"1 1 1\"/>") == "");
  CHECK(shape("<capsule radius=\"1\" length=\"2\"/>") == "");
}

TEST_CASE("a package path is searched in the given folders, then in the parents of the URDF") {
  const Folder folder;
  folder.write("dog/other.stl", "x");
  Diagnostics diagnostics;
  UrdfOptions options;
  options.package_paths = {"/elsewhere"};
  (void)load_urdf(
      folder.write("r.urdf", two_links(collision("<mesh filename=\"package://dog/a.stl\"/>"))),
      options, diagnostics);
  const std::string text = folder.relative(diagnostics.text());
  CHECK(text.find("r.urdf:3:133: error: no such file: \"package://dog/a.stl\"; tried "
                  "/elsewhere/dog/a.stl, dog/a.stl, ") == 0);
}

TEST_CASE("a package that is not there is one error, with the way to go on without it") {
  const std::string meshes = collision("<mesh filename=\"package://dog/a.stl\"/>") +
                             "<collision><geometry><mesh filename=\"package://dog/b.stl\"/>"
                             "</geometry></collision>";
  const std::string report = report_urdf(two_links(meshes));
  CHECK(report ==
        "r.urdf:3:133: error: package \"dog\" is not there; 2 collision meshes name it; set "
        "--package-path or PEQUOD_PACKAGE_PATH to the folder that holds it, or go on without: "
        "\"collision: none\" beside \"urdf\" in the scene leaves out all collision meshes\n");

  const Folder folder;
  folder.write("r.urdf", two_links(meshes + "<collision><geometry><sphere radius=\"1\"/>"
                                            "</geometry></collision>"));
  const Scenario scenario = load(folder, "robots: {r: {urdf: r.urdf, collision: none}}\n");
  REQUIRE(scenario.model.shapes.size() == 1);
  CHECK(std::holds_alternative<Sphere>(scenario.model.shapes[0].geometry));
}

TEST_CASE("angles of more than a turn are asked about") {
  CHECK(report_urdf(two_links(kInertial, "<limit lower=\"-90\" upper=\"90\" effort=\"5\"/>"),
                    Severity::warning)
            .find("warning: joint \"j\": limit: -90 rad is more than 2 turns; degrees? -90 degrees "
                  "are -1.5708 rad\n") != std::string::npos);
  CHECK(report_urdf(two_links(kInertial, "<origin rpy=\"0 45 0\"/>", "fixed"), Severity::warning)
            .find("warning: <origin rpy>: 45 rad is more than a turn; degrees? 45 degrees are "
                  "0.785398 rad\n") != std::string::npos);
}

TEST_CASE("what is wrong with XML is told in words, at the tag") {
  const auto xml = [](const std::string& text) { return report_urdf("<robot>\n" + text); };
  const std::string at = "r.urdf:2:3: error: not valid XML: ";
  CHECK(xml("  <link>\n") == at + "<link> is never closed; add </link>\n");
  CHECK(xml("  <link name=\"a\"\n") == at + "<link has no >; add > or />\n");
  CHECK(xml("  <!-- link\n") == at + "this comment is never closed; add -->\n");
  CHECK(xml("  </link></robot>") ==
        "r.urdf:1:1: error: not valid XML: <robot> is closed by </link> at line 2; put </robot> "
        "before it\n");
  CHECK(xml("  <link name=a/></robot>") ==
        "r.urdf:2:13: error: not valid XML: a value in <link> has no quotes; write "
        "name=\"value\"\n");
  CHECK(xml("  <link name=\"a/></robot>") ==
        "r.urdf:2:14: error: not valid XML: this quote in <link> is never closed; add \"\n");
  CHECK(report_urdf("") == "r.urdf:1:1: error: not valid XML: the file is empty\n");
}

TEST_CASE("a file that is no mesh is an error") {
  const Folder folder;
  folder.write("a.stl", "solid nothing\nendsolid\n");
  Diagnostics diagnostics;
  (void)load_urdf(folder.write("r.urdf", two_links(collision("<mesh filename=\"a.stl\"/>"))), {},
                  diagnostics);
  CHECK(diagnostics.errors() == 1);
  CHECK(folder.relative(diagnostics.text()).find("r.urdf:3:133: error: ") == 0);
}

TEST_CASE("joints that cannot be") {
  const auto joint = [](const std::string& text, const std::string& type = "revolute") {
    return report_urdf(two_links(kInertial, text, type), Severity::warning);
  };
  CHECK(joint("") ==
        "r.urdf:4:1: error: joint \"j\" needs <limit>; a revolute joint without limits is of type "
        "\"continuous\"\n");
  CHECK(joint("<limit lower=\"2\" upper=\"1\" effort=\"1\"/>") ==
        "r.urdf:4:68: error: joint \"j\": lower 2 is above upper 1\n");
  CHECK(joint("<limit effort=\"1\"/>") ==
        "r.urdf:4:68: warning: joint \"j\" cannot move: lower = upper\n");
  CHECK(joint("<limit lower=\"0\" upper=\"1\"/>") ==
        "r.urdf:4:68: error: <limit> needs the attribute \"effort\"\n");
  CHECK(joint("<limit lower=\"0\" upper=\"1\" effort=\"-1\"/>") ==
        "r.urdf:4:68: error: <limit effort=\"-1\">: must be >= 0\n");
  CHECK(joint("<limit lower=\"0\" upper=\"1\" effort=\"0\"/>") ==
        "r.urdf:4:68: warning: joint \"j\" has effort 0: no controller can drive it\n");
  CHECK(joint("<axis xyz=\"0 0 0\"/>", "continuous") ==
        "r.urdf:4:70: error: joint \"j\" has a zero axis\n");
  CHECK(joint("<dynamics damping=\"-1\"/>", "continuous") ==
        "r.urdf:4:70: error: <dynamics damping=\"-1\">: must be >= 0\n");
  CHECK(joint("<mimic joint=\"j\"/>", "continuous") ==
        "r.urdf:4:70: warning: joint \"j\": <mimic> is ignored, it moves freely\n");
  CHECK(joint("", "planar") ==
        "r.urdf:4:1: error: joint \"j\": planar joints are not supported; use two prismatic joints "
        "and a revolute one\n");
  CHECK(joint("", "revolut") ==
        "r.urdf:4:1: error: joint \"j\": unknown type \"revolut\"; did you mean \"revolute\"?\n");
}

TEST_CASE("joints that make no tree") {
  const auto more = [](const std::string& text) {
    return report_urdf(two_links(kInertial, "", "fixed", text));
  };
  const auto fixed = [](const std::string& name, const std::string& parent,
                        const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"fixed\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/></joint>\n";
  };
  const auto link = [](const std::string& name) { return "<link name=\"" + name + "\"/>\n"; };
  CHECK(more(link("b")) == "r.urdf:5:1: error: a second link named \"b\", first given at line 3\n");
  CHECK(more(link("c") + fixed("j", "a", "c")) ==
        "r.urdf:6:1: error: a second joint named \"j\", first given at line 4\n");
  CHECK(more(link("leg_1") + fixed("k", "a", "leg_2")) ==
        "r.urdf:6:1: error: joint \"k\": unknown child link \"leg_2\"; did you mean \"leg_1\"?\n");
  CHECK(more(link("c") + fixed("k", "a", "c") + fixed("l", "b", "c")) ==
        "r.urdf:7:1: error: joint \"l\": link \"c\" already hangs on joint \"k\" at line 6\n");
  CHECK(more(link("c")) ==
        "r.urdf:5:1: error: link \"c\" has no parent, and neither has \"a\" at line 2; join them, "
        "one "
        "robot has one base\n");
  CHECK(more(link("c") + link("d") + fixed("k", "c", "d") + fixed("l", "d", "c")) ==
        "r.urdf:5:1: error: link \"c\" is part of a loop of joints\n");
  CHECK(more(fixed("k", "b", "a")) ==
        "r.urdf:4:1: error: the joints form a loop: every link has a parent\n");
}
