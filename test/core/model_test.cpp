#include "core/model.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "test/support/inertias.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

RobotLink part(const std::string& name, double mass) {
  RobotLink link;
  link.name = name;
  link.mass = mass;
  link.com = {0.1, -0.2, 0.3};
  link.inertia = mass * Vector3d(0.02, 0.03, 0.04).asDiagonal().toDenseMatrix();
  link.collisions = {{Sphere{0.05}, Pose{}}};
  return link;
}

RobotLink massless(const std::string& name) {
  RobotLink link;
  link.name = name;
  return link;
}

RobotJoint joint(const std::string& name, RobotJointType type, const std::string& parent,
                 const std::string& child) {
  RobotJoint result;
  result.name = name;
  result.type = type;
  result.parent = parent;
  result.child = child;
  result.X_PJ = {rotation_from_rpy({0.3, -0.2, 0.5}), {0.1, 0.2, -0.3}};
  return result;
}

/// base ─ mount (fixed) ─ upper (revolute) ─ lower (revolute) ─ foot (fixed);  base ─ tail
/// (prismatic)
Robot small_robot() {
  using enum RobotJointType;
  Robot robot;
  robot.links = {part("foot", 0.0),  part("base", 2.0),  part("lower", 0.5),
                 part("mount", 0.3), part("upper", 1.0), part("tail", 0.7)};
  robot.joints = {joint("weld", fixed, "base", "mount"), joint("hip", revolute, "mount", "upper"),
                  joint("knee", continuous, "upper", "lower"),
                  joint("sole", fixed, "lower", "foot"), joint("slide", prismatic, "base", "tail")};
  robot.joints[1].lower = -1.0;
  robot.joints[1].upper = 2.0;
  return robot;
}

/// Inertia about the world origin of a body at X_WB.
Matrix3d about_world(const Inertia& body, const Pose& X_WB) {
  const Vector3d c = X_WB * body.com;
  return X_WB.R * body.about_com * X_WB.R.transpose() +
         body.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

std::string message_of(const Robot& robot, bool fixed = false) {
  ModelBuilder builder;
  try {
    builder.add_robot("r", robot, fixed, Pose{}, false);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("welding two bodies keeps mass, first and second moments about any point") {
  Random random(7);
  const auto draw = [&] { return random.vector(1.0); };
  for (int trial = 0; trial < 20; ++trial) {
    const Inertia A{1.5, draw(), Vector3d(1, 2, 2.5).asDiagonal()};
    const Inertia B{0.2, draw(), Vector3d(0.3, 0.2, 0.4).asDiagonal()};
    const Pose X_AB{rotation_from_rpy(3.0 * draw()), draw()};
    const Inertia both = combine(A, B, X_AB);
    CHECK(both.mass == doctest::Approx(1.7));
    CHECK((both.mass * both.com - A.mass * A.com - B.mass * (X_AB * B.com)).norm() < 1e-14);
    const Matrix3d expected = about_world(A, Pose{}) + about_world(B, X_AB);
    CHECK((about_world(both, Pose{}) - expected).norm() < 1e-13);
  }
}

TEST_CASE("fixed joints are merged, links are numbered depth-first and keep their names") {
  ModelBuilder builder;
  builder.add_free_body("crate", ball_inertia(1, 0.1), {{Sphere{0.1}, Pose{}}});
  const int robot = builder.add_robot("dog", small_robot(), false, Pose{}, false);
  const Model model = builder.build();

  REQUIRE(model.links.size() == 5);  // crate, base + mount, upper, lower + foot, tail
  CHECK(model.links[2].parent == 1);
  CHECK(model.links[3].parent == 2);
  CHECK(model.links[4].parent == 1);
  CHECK(model.nq == 7 + 7 + 3);
  CHECK(model.nv == 6 + 6 + 3);
  REQUIRE(model.trees.size() == 2);
  CHECK(model.trees[1].first_link == 1);
  CHECK(model.trees[1].links == 4);
  CHECK(model.trees[1].first_v == 6);
  CHECK(model.trees[1].mass_offset == 36);
  CHECK(model.mass_size == 36 + 81);
  CHECK(model.dof_parent == std::vector<int>{-1, 0, 1, 2, 3, 4, -1, 6, 7, 8, 9, 10, 11, 12, 11});
  CHECK(model.dof_link[14] == 4);

  const Entity& entity = nth(model.entities, robot);
  CHECK(entity.base_link == 1);
  CHECK(entity.frames == 6);
  CHECK(entity.joints == 3);
  CHECK(model.joints[0].name == "dog/hip");
  CHECK(model.joints[2].name == "dog/slide");
  CHECK(model.links[2].joint.upper == 2.0);
  CHECK(model.links[3].joint.upper == kInfinity);

  const Frame& mount = nth(model.frames, builder.find_frame("dog/mount"));
  CHECK(mount.link == 1);
  CHECK(mount.X_LF.p == Vector3d(0.1, 0.2, -0.3));
  CHECK_FALSE(mount.leaf);
  const Frame& foot = nth(model.frames, builder.find_frame("dog/foot"));
  CHECK(foot.link == 3);
  CHECK(foot.leaf);
  CHECK(builder.find_frame("dog/tail") >= 0);
  CHECK(builder.find_frame("dog/nose") == -1);
}

TEST_CASE("merging keeps total mass and inertia") {
  const Robot robot = small_robot();
  ModelBuilder builder;
  builder.add_robot("dog", robot, false, Pose{}, false);
  const Model model = builder.build();

  // At q = 0: poses of all links of the file, and of the moving links, from the joints alone.
  std::vector<Pose> X_WF{{}, {}, {}, {}, {}, {}};
  const auto at = [&](const std::string& name) -> Pose& {
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
      if (robot.links[i].name == name) return X_WF[i];
    }
    throw std::logic_error(name);
  };
  for (const RobotJoint& j : robot.joints) at(j.child) = at(j.parent) * j.X_PJ;
  Matrix3d before = Matrix3d::Zero(), after = Matrix3d::Zero();
  double mass_before = 0, mass_after = 0;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    before += about_world({link.mass, link.com, link.inertia}, X_WF[i]);
    mass_before += link.mass;
  }
  std::vector<Pose> X_WL;
  for (const Link& link : model.links) {
    X_WL.push_back(link.parent < 0 ? Pose{} : nth(X_WL, link.parent) * link.joint.X_PF);
    after += about_world(link.inertia, X_WL.back());
    mass_after += link.inertia.mass;
  }
  CHECK(mass_after == doctest::Approx(mass_before).epsilon(1e-15));
  CHECK((after - before).norm() < 1e-14);
}

TEST_CASE("each child of a pinned base starts a tree") {
  ModelBuilder builder;
  const Pose X_WB{Matrix3d::Identity(), {1, 2, 3}};
  builder.add_robot("arm", small_robot(), true, X_WB, false);
  const Model model = builder.build();
  REQUIRE(model.trees.size() == 2);
  CHECK(model.nv == 3);
  CHECK(model.links[0].parent == -1);
  CHECK(model.trees[1].first_link == 2);
  CHECK(model.dof_parent == std::vector<int>{-1, 0, -1});
  CHECK(model.entities[0].base_link == -1);
  CHECK((model.frames[0].X_LF.p - X_WB.p).norm() == 0.0);
  CHECK((model.links[2].joint.X_PF.p - Vector3d(1.1, 2.2, 2.7)).norm() < 1e-15);
}

TEST_CASE("neighbours never collide, other links only with self-collision, rules come first") {
  for (const bool self : {false, true}) {
    ModelBuilder builder;
    builder.add_fixed_body("ground", Pose{}, {{Plane{}, Pose{}}});
    builder.add_fixed_body("wall", Pose{}, {{Box{{1, 1, 1}}, Pose{}}});
    builder.add_robot("dog", small_robot(), false, Pose{}, self);
    const auto frame = [&](const char* name) { return builder.find_frame(name); };
    const Model model = builder.build({}, {{frame("dog/upper"), frame("ground"), false},
                                           {frame("dog/base"), frame("dog/upper"), true}});
    const auto touch = [&](const char* a, const char* b) {
      return model.may_collide(frame(a), frame(b));  // one shape a frame here: same index
    };
    CHECK_FALSE(touch("ground", "wall"));
    CHECK(touch("ground", "dog/foot"));
    CHECK_FALSE(touch("ground", "dog/upper"));
    CHECK(touch("dog/upper", "dog/base"));
    CHECK_FALSE(touch("dog/mount", "dog/upper"));  // merged into the base: still a neighbour
    CHECK_FALSE(touch("dog/base", "dog/mount"));   // one link
    CHECK(touch("dog/lower", "dog/base") == self);
    CHECK(touch("dog/lower", "dog/tail") == self);
    CHECK_FALSE(touch("dog/foot", "dog/upper"));
  }
}

TEST_CASE("links on a pinned base are its neighbours") {
  ModelBuilder builder;
  builder.add_robot("arm", small_robot(), true, Pose{}, true);
  const Model model = builder.build();
  const auto touch = [&](const char* a, const char* b) {
    return model.may_collide(builder.find_frame(a), builder.find_frame(b));
  };
  CHECK_FALSE(touch("arm/base", "arm/upper"));
  CHECK(touch("arm/base", "arm/lower"));
  CHECK(touch("arm/upper", "arm/tail"));
}

TEST_CASE("the first matching surface rule wins, in either order of its names") {
  ModelBuilder builder;
  builder.add_fixed_body("ground", Pose{}, {{Plane{}, Pose{}}});
  builder.add_free_body("crate", ball_inertia(1, 0.1), {{Sphere{0.1}, Pose{}}});
  builder.add_robot("dog", small_robot(), false, Pose{}, false);
  const Model model = builder.build({{"ground", "dog/foot", {0.9, 0.1, 0.2}},
                                     {"dog", "ground", {0.7, 0, 0}},
                                     {"dog/*er", "crate", {kInfinity, 0, 0}}});
  const auto friction = [&](const char* a, const char* b) {
    return model.surface(builder.find_frame(a), builder.find_frame(b)).friction;
  };
  CHECK(friction("dog/foot", "ground") == 0.9);
  CHECK(friction("ground", "dog/foot") == 0.9);
  CHECK(friction("ground", "dog/base") == 0.7);
  CHECK(friction("crate", "dog/upper") == kInfinity);
  CHECK(friction("crate", "dog/base") == 0.5);  // no rule
  CHECK(model.surface_classes < 8);             // alike frames share a class
}

TEST_CASE("a surface or collide rule that matches nothing is refused by name") {
  ModelBuilder builder;
  builder.add_fixed_body("ground", Pose{}, {{Plane{}, Pose{}}});
  CHECK_THROWS_WITH_AS((void)builder.build({{"ground", "dgo/*", {}}}),
                       "a surface names \"dgo/*\", which matches nothing", std::invalid_argument);
  CHECK_THROWS_AS((void)builder.build({}, {{0, 1, true}}), std::invalid_argument);
}

TEST_CASE("robots that are no tree, or have no inertia to move, are refused by name") {
  using enum RobotJointType;
  const Robot good = small_robot();
  CHECK(message_of(good) == "");

  Robot robot = good;
  robot.joints[4].parent = "bsae";
  CHECK(message_of(robot) == "joint slide names a link that does not exist: bsae");
  robot = good;
  robot.joints.pop_back();
  CHECK(message_of(robot) == "two links have no parent: base and tail");
  robot = good;
  robot.joints.push_back(joint("again", fixed, "tail", "upper"));
  CHECK(message_of(robot) == "link upper is the child of two joints: hip and again");
  robot = good;
  robot.joints.push_back(joint("back", fixed, "tail", "base"));
  CHECK(message_of(robot) == "the joints form a loop: every link has a parent");
  robot = good;
  robot.joints[1].parent = "lower";
  CHECK(message_of(robot) == "some joints form a loop apart from the base");
  robot = good;
  robot.links[0].name = "base";
  CHECK(message_of(robot) == "two links are named base");
  robot = good;
  robot.joints[2].name = "hip";
  CHECK(message_of(robot) == "two joints are named hip");
  robot = good;
  robot.joints[1].axis.setZero();
  CHECK(message_of(robot) == "joint hip has a zero axis");
  robot = good;
  robot.joints[4].type = floating;
  CHECK(message_of(robot) ==
        "joint slide of r is floating inside a robot: make its child a robot of its own");

  robot = good;  // the foot is massless already: the knee moves nothing
  robot.links[2] = massless("lower");
  robot.links[0] = massless("foot");
  CHECK(message_of(robot) == "what joint r/knee moves has no mass or no inertia");
  robot.joints[2].armature = 0.01;
  CHECK(message_of(robot) == "");
}

TEST_CASE("a massless base is fine while its limbs have mass") {
  Robot robot = small_robot();
  robot.links[1] = massless("base");
  robot.links[3] = massless("mount");
  CHECK(message_of(robot) == "");
}

TEST_CASE("names match globs") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("*_knee", "LF_knee"));
  CHECK_FALSE(glob_match("*_knee", "LF_knees"));
  CHECK(glob_match("dog/*", "dog/a/b"));
  CHECK_FALSE(glob_match("dog/*", "dog"));
  CHECK(glob_match("?F_*_?", "LF_hip_1"));
  CHECK(glob_match("a*b*c", "aXbXbc"));
  CHECK_FALSE(glob_match("a*b*c", "aXcXb"));
  CHECK_FALSE(glob_match("", "a"));
}
