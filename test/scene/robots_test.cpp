// Robots of the examples and, where they are at hand, of the shared folder.
#include <doctest/doctest.h>
#include <urdf_parser/urdf_parser.h>

#include "core/dynamics.h"
#include "scene/quasistatic_file.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

struct Loaded {
  Scenario scenario;
  Kinematics kin;

  explicit Loaded(const fs::path& path) {
    scenario = load(path);
    compute_kinematics(scenario.model, scenario.initial.q, scenario.initial.v, kin);
  }
  [[nodiscard]] Pose frame(const std::string& name) const {
    for (const Frame& f : scenario.model.frames) {
      if (f.name == name) return nth(kin.links, f.link).X_WL * f.X_LF;
    }
    throw std::logic_error(name);
  }
};

MassCentre robot_centre(const Loaded& loaded) {
  const Model& model = loaded.scenario.model;
  for (const Entity& entity : model.entities) {
    if (entity.robot) return mass_centre(model, loaded.kin, entity.first_link, entity.links);
  }
  throw std::logic_error("no robot");
}

}  // namespace

// Experiments 1.1 and 1.2 of the paper's quadruped: figures computed from its parts.
TEST_CASE("the quadruped of Drumwright 2015 has the published mass, feet and centre of mass") {
  const Loaded links("examples/quadruped/links_flat.yaml");
  const Model& model = links.scenario.model;
  CHECK(model.nv == 18);
  CHECK(robot_centre(links).mass == doctest::Approx(1.34).epsilon(1e-14));

  const Inertia& trunk = model.links[0].inertia;
  CHECK(trunk.mass == doctest::Approx(0.34).epsilon(1e-14));
  CHECK((trunk.com - Vector3d(0.003529, 0.008824, 0.012143)).cwiseAbs().maxCoeff() < 1e-6);
  Matrix3d expected;
  expected << 7.49506e-4, -1.84412e-4, -7.23824e-7, -1.84412e-4, 1.47182e-3, -4.60721e-5,
      -7.23824e-7, -4.60721e-5, 2.01588e-3;
  CHECK((trunk.about_com - expected).cwiseAbs().maxCoeff() < 1e-8);

  const Vector3d base(0, 0, 0.15);
  CHECK((links.frame("links/base").p - base).norm() == 0.0);
  for (const auto& [foot, sx, sy] :
       {std::tuple{"LF", 1, 1}, {"RF", 1, -1}, {"LH", -1, 1}, {"RH", -1, -1}}) {
    const Vector3d p = links.frame("links/" + std::string(foot) + "_foot").p - base;
    CHECK((p - Vector3d(0.15 * sx, 0.11412 * sy, -0.13066)).cwiseAbs().maxCoeff() < 1e-5);
  }
  const Vector3d com = robot_centre(links).position - base;
  CHECK((com - Vector3d(0.00090, 0.00224, -0.02227)).cwiseAbs().maxCoeff() < 1e-5);

  int colliding = 0, leaves = 0;
  for (const Frame& frame : model.frames) leaves += frame.leaf && frame.name.ends_with("_foot");
  for (const Shape& shape : model.shapes) colliding += shape.link >= 0;
  CHECK(colliding == 6);  // four feet, two cross-bars
  CHECK(leaves == 4);
  for (const NamedJoint& joint : model.joints) {
    const Joint& j = nth(model.links, joint.link).joint;
    CHECK(j.effort == 4.0);
    CHECK(j.lower == -kInfinity);
  }
}

TEST_CASE("every example scene is right") {
  for (const fs::path& path : fs::recursive_directory_iterator("examples")) {
    if (path.extension() != ".yaml") continue;
    CAPTURE(path);
    Diagnostics diagnostics;
    if (path.parent_path().filename() == "quasistatic")
      (void)read_quasistatic(path, diagnostics);
    else
      (void)load_scene(path, {}, diagnostics);
    CHECK(diagnostics.text(Severity::warning) == "");
  }
}

TEST_CASE("the example trotter has an ANYmal's size, and its feet reach lowest") {
  const Loaded mara("examples/quadruped/trot.yaml");
  CHECK(robot_centre(mara).mass == doctest::Approx(33.88));
  CHECK(mara.scenario.model.nv == 18);
  CHECK(mara.scenario.controllers.size() == 1);
  double lowest = kInfinity;
  for (const char* foot : {"LF", "RF", "LH", "RH"}) {
    lowest = std::min(lowest, mara.frame("mara/" + std::string(foot) + "_foot").p.z() - 0.03);
  }
  CHECK(std::abs(lowest) < 1e-12);
}

TEST_SUITE_BEGIN("shared");

TEST_CASE("public robots load: 18 velocities, their masses, four leaf feet") {
  const auto shared = shared_or_skip();
  if (!shared) return;
  const fs::path robots = *shared / "robots/example-robot-data/robots";
  struct Public {
    const char* file;
    double mass;  // kg, the sum over the file
    std::vector<const char*> feet;
  };
  const std::vector<Public> list{
      {"a1_description/urdf/a1.urdf", 13.741, {"FR_foot", "FL_foot", "RR_foot", "RL_foot"}},
      {"anymal_b_simple_description/robots/anymal.urdf",
       30.4754,
       {"LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"}},
      {"solo_description/robots/solo12.urdf", 2.5, {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"}}};
  for (const Public& robot : list) {
    CAPTURE(robot.file);
    Diagnostics diagnostics;
    const Robot read = load_urdf(robots / robot.file, {}, diagnostics);
    REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
    double mass = 0.0;
    for (const RobotLink& link : read.links) mass += link.mass;
    CHECK(mass == doctest::Approx(robot.mass).epsilon(1e-6));

    ModelBuilder builder;
    builder.add_robot("r", read, false, Pose{}, false);
    for (const char* foot : robot.feet) {
      const int frame = builder.find_frame("r/" + std::string(foot));
      REQUIRE(frame >= 0);
      CHECK(nth(builder.model().frames, frame).leaf);
    }
    const Model model = builder.build();
    CHECK(model.nv == 18);
    double merged = 0.0;
    for (const Link& link : model.links) merged += link.inertia.mass;
    CHECK(merged == doctest::Approx(mass).epsilon(1e-14));
  }
}

TEST_SUITE_END();

namespace {

// urdfdom reads the same files without lines; where it reads a number, we read the same.
void compare_with_urdfdom(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    CAPTURE(file);
    Diagnostics diagnostics;
    const Robot ours = load_urdf(file, {}, diagnostics);
    const urdf::ModelInterfaceSharedPtr theirs = urdf::parseURDFFile(file.string());
    REQUIRE(theirs != nullptr);
    REQUIRE(ours.links.size() == theirs->links_.size());
    REQUIRE(ours.joints.size() == theirs->joints_.size());
    const auto matrix = [](const urdf::Rotation& r) {
      return Quaterniond(r.w, r.x, r.y, r.z).toRotationMatrix();
    };
    for (const RobotLink& link : ours.links) {
      const auto& other = theirs->links_.at(link.name);
      if (other->inertial == nullptr) continue;
      const urdf::Inertial& I = *other->inertial;
      Matrix3d about;
      about << I.ixx, I.ixy, I.ixz, I.ixy, I.iyy, I.iyz, I.ixz, I.iyz, I.izz;
      const Matrix3d R = matrix(I.origin.rotation);
      CHECK(link.mass == I.mass);
      CHECK((link.inertia - R * about * R.transpose()).norm() < 1e-15);
      const urdf::Vector3& c = I.origin.position;
      CHECK(link.com == Vector3d(c.x, c.y, c.z));
    }
    for (const RobotJoint& joint : ours.joints) {
      const auto& other = theirs->joints_.at(joint.name);
      const urdf::Pose& X = other->parent_to_joint_origin_transform;
      CHECK(joint.parent == other->parent_link_name);
      CHECK((joint.X_PJ.R - matrix(X.rotation)).norm() < 1e-12);
      CHECK(joint.X_PJ.p == Vector3d(X.position.x, X.position.y, X.position.z));
      if (joint.type == RobotJointType::fixed) continue;
      CHECK((joint.axis - Vector3d(other->axis.x, other->axis.y, other->axis.z)).norm() < 1e-12);
      if (other->limits != nullptr) CHECK(joint.effort == other->limits->effort);
    }
  }
}

}  // namespace

TEST_CASE("masses, inertias and joints agree with urdfdom") {
  compare_with_urdfdom({"examples/robots/links.urdf", "examples/robots/mara.urdf"});
}

TEST_SUITE("shared") {
  TEST_CASE("masses, inertias and joints of public robots agree with urdfdom") {
    const auto shared = shared_or_skip();
    if (!shared) return;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(*shared / "robots"))
      if (entry.path().extension() == ".urdf") files.push_back(entry.path());
    CHECK(files.size() >= 3);
    compare_with_urdfdom(files);
  }
}

TEST_CASE("an inertia's rpy turns it into the link's axes") {
  const Folder folder;
  Diagnostics diagnostics;
  const Robot robot = load_urdf(
      folder.write("r.urdf",
                   "<robot name=\"r\"><link name=\"a\"><inertial>\n"
                   "<origin rpy=\"0.3 -0.2 0.5\"/><mass value=\"1\"/>\n"
                   "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/>\n"
                   "</inertial></link></robot>\n"),
      {}, diagnostics);
  // Its axes in the link's are the columns of R: moments 1, 2 and 2.5 about them.
  const Matrix3d R = rotation_from_rpy({0.3, -0.2, 0.5}), &I = robot.links[0].inertia;
  for (int k = 0; k < 3; ++k) {
    const Vector3d moments(1.0, 2.0, 2.5);
    CHECK((I * R.col(k) - moments[k] * R.col(k)).norm() < 1e-15);
  }
}

TEST_CASE("a root link named world pins the robot, unless its joint floats or the scene says so") {
  const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
      "izz=\"1\"/></inertial>";
  const auto scene = [&](const std::string& type, const std::string& base,
                         const std::string& mass = "") {
    const Folder folder;
    folder.write("r.urdf", "<robot name=\"r\"><link name=\"world\">" + mass +
                               "</link><link name=\"a\">" + inertial +
                               "</link><joint name=\"j\" type=\"" + type +
                               "\"><parent link=\"world\"/><child link=\"a\"/></joint></robot>\n");
    return load(folder, "robots: {r: {urdf: r.urdf" + base + "}}\n").model.nv;
  };
  CHECK(scene("continuous", "") == 1);
  CHECK(scene("continuous", ", base: {position: [1, 2, 3]}") == 1);
  CHECK(scene("continuous", ", base: {fixed: false}", inertial) == 7);
  CHECK(scene("fixed", ", base: {fixed: false}") == 6);
  CHECK(scene("floating", "") == 6);
}

TEST_CASE("links that start inside one another are an error with self-collision only") {
  const auto scene = [](const std::string& more) {
    return report(
        "robots:\n"
        "  r:\n"
        "    links:\n"
        "      a: {mass: 500, shape: {sphere: {radius: 0.5}}}\n"
        "      b: {mass: 500, shape: {sphere: {radius: 0.5}}, joint: {parent: a}}\n"
        "      c: {mass: 500, shape: {sphere: {radius: 0.5}},\n"
        "          joint: {parent: b, position: [0.75, 0, 0]}}\n" +
        more);
  };
  CHECK(scene("") == "");
  CHECK(scene("    self_collision: true\n") ==
        "s.yaml:3:5: error: \"r/c\" starts 0.25 m inside \"r/a\"; move the joints, or add collide: "
        "[[r/a, r/c, false]]\n");
  CHECK(scene("    self_collision: true\ncollide: [[r/a, r/c, false]]\n") == "");
}
