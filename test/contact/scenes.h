// Bodies and robots in contact, posed as problems island by island.
#pragma once

#include <string>
#include <vector>

#include "contact/models/contact_model.h"
#include "contact/problem.h"
#include "test/support/inertias.h"
#include "test/support/random_tree.h"

namespace pequod::test {

/// A model in a state with its contacts, and the problems made of them.
struct Scene {
  Model model;
  State state;
  std::vector<Contact> contacts;

  Kinematics kin;
  MatrixXd M;
  MassFactor factor;
  std::vector<Island> islands;
  std::vector<int> tree_offset;
  std::vector<ContactProblem> problems;  ///< y = L v and c = 0
};

/// Fills what follows from model, state and contacts.
inline void pose(Scene& scene) {
  compute_kinematics(scene.model, scene.state.q, scene.state.v, scene.kin);
  MassMatrix M;
  compute_mass_matrix(scene.model, scene.kin, M);
  scene.M = M.dense(scene.model);
  factor_mass_matrix(scene.model, scene.kin, M, scene.factor);
  find_islands(scene.model, scene.contacts, scene.islands, scene.tree_offset);
  scene.problems.resize(scene.islands.size());
  for (std::size_t i = 0; i < scene.islands.size(); ++i) {
    const Island& island = scene.islands[i];
    ContactProblem& problem = scene.problems[i];
    assemble_rows(scene.model, scene.kin, scene.factor, scene.contacts, island, scene.tree_offset,
                  problem);
    gather(scene.model, island, scene.state.v, problem.y);
    island_apply_L(scene.model, scene.factor, island, problem.y);
    problem.c.setZero(problem.n);
  }
}

/// A contact of link b against link a; its key is its place in the list.
inline Contact touch(int link_a, int link_b, const Vector3d& p_W, const Vector3d& n_W, int index) {
  Contact contact;
  contact.key = {0, 1, static_cast<std::uint64_t>(index)};
  contact.link_a = link_a;
  contact.link_b = link_b;
  contact.p_W = p_W;
  contact.n_W = n_W;
  contact.gap = 0.0;
  set_tangents(contact);
  return contact;
}

inline Contact at_limit(int link, bool upper) {
  Contact contact;
  contact.key = joint_limit_key(link, upper);
  contact.link_a = contact.link_b = link;
  contact.sign = upper ? -1.0 : 1.0;
  contact.gap = 0.0;
  return contact;
}

/// A quadruped with its mirror plane y = 0: trunk, and for each leg a roll, a pitch and a knee.
/// Legs in the order left front, right front, left hind, right hind.
inline Robot quadruped(Random& random) {
  Robot robot;
  const auto part = [&](const std::string& name, double mass, const Vector3d& com) {
    RobotLink link;
    link.name = name;
    link.mass = mass;
    link.com = com;
    link.inertia = mass * Vector3d(0.01, 0.02, 0.015).asDiagonal().toDenseMatrix();
    robot.links.push_back(link);
  };
  const auto hang = [&](const std::string& parent, const Vector3d& p, const Vector3d& axis) {
    RobotJoint joint;
    joint.child = robot.links.back().name;
    joint.name = "to_" + joint.child;
    joint.type = RobotJointType::revolute;
    joint.parent = parent;
    joint.X_PJ.p = p;
    joint.axis = axis;
    joint.armature = 0.01;
    robot.joints.push_back(joint);
  };
  const double hip = random.uniform(0.2, 1.0), thigh = random.uniform(0.5, 2.0),
               shank = random.uniform(0.1, 0.5), out = random.uniform(0.0, 0.1);
  part("trunk", random.uniform(5.0, 20.0), {0.02, 0.0, 0.03});
  for (const int leg : {0, 1, 2, 3}) {
    const double side = leg % 2 == 0 ? 1.0 : -1.0, x = leg < 2 ? 0.3 : -0.3;
    const std::string n = std::to_string(leg);
    part("hip" + n, hip, {0.0, side * out, 0.0});
    hang("trunk", {x, side * 0.15, 0.0}, Vector3d::UnitX());
    part("thigh" + n, thigh, {0.0, 0.0, -0.1});
    hang("hip" + n, {0.0, side * out, 0.0}, Vector3d::UnitY());
    part("shank" + n, shank, {0.0, 0.0, -0.12});
    hang("thigh" + n, {0.0, 0.0, -0.25}, Vector3d::UnitY());
  }
  return robot;
}

/// Link of a leg's shank in a model whose first entity is the quadruped; its foot is 0.25 m below.
inline int shank(int leg) { return 3 * leg + 3; }

inline Vector3d foot_position(const Kinematics& kin, int leg) {
  return nth(kin.links, shank(leg)).X_WL * Vector3d(0.0, 0.0, -0.25);
}

inline Inertia random_inertia(Random& random) {
  const RobotLink link = random_link(random, "");
  return {link.mass, link.com, link.inertia};
}

/// A random contact of a moving link with the world, another tree, its own tree or a joint limit.
inline Contact random_contact(Random& random, const Model& model, const Kinematics& kin,
                              int index) {
  const auto any_link = [&] {
    return static_cast<int>(random.uniform(0, static_cast<double>(model.links.size()) - 1e-9));
  };
  const int b = any_link();
  const Joint& joint = nth(model.links, b).joint;
  const double kind = random.uniform(0.0, 1.0);
  if (kind < 0.2 && velocity_count(joint.type) == 1) return at_limit(b, random.uniform(-1, 1) > 0);
  int a = -1;
  if (kind > 0.6) a = any_link();
  if (a == b) a = -1;
  const Vector3d p = nth(kin.links, b).X_WL * random.vector(0.3);
  const Vector3d n = random.uniform(0.0, 1.0) < 0.5 ? Vector3d::UnitZ() : random.unit();
  return random.uniform(0.0, 1.0) < 0.1 && a < 0 ? touch(b, -1, p, n, index)
                                                 : touch(a, b, p, n, index);
}

/// A quadruped or random tree, up to two boxes, and 1–12 contacts among them and the world.
inline Scene random_scene(Random& random) {
  Scene scene;
  ModelBuilder builder;
  const bool quadruped_like = random.uniform(0.0, 1.0) < 0.6;
  const int links = static_cast<int>(random.uniform(2.0, 14.0));
  builder.add_robot("robot",
                    quadruped_like ? quadruped(random) : random_robot(random, {.links = links}),
                    random.uniform(0.0, 1.0) < 0.15, Pose{}, true);
  const int boxes = static_cast<int>(random.uniform(0.0, 3.0));
  for (int i = 0; i < boxes; ++i)
    builder.add_free_body("box" + std::to_string(i), random_inertia(random), {});
  scene.model = builder.build();
  scene.state = random_state(random, scene.model);
  compute_kinematics(scene.model, scene.state.q, scene.state.v, scene.kin);
  const int contacts = static_cast<int>(random.uniform(1.0, 13.0));
  for (int i = 0; i < contacts; ++i)
    scene.contacts.push_back(random_contact(random, scene.model, scene.kin, i));
  pose(scene);
  return scene;
}

/// Free balls of equal radius in a row along x, each touching the next.
inline Scene balls_in_a_row(const std::vector<double>& masses, double radius) {
  Scene scene;
  ModelBuilder builder;
  for (std::size_t i = 0; i < masses.size(); ++i)
    builder.add_free_body("ball" + std::to_string(i), ball_inertia(masses[i], radius), {});
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  for (int i = 0; i < static_cast<int>(masses.size()); ++i) {
    scene.state.q[7 * i] = 2.0 * radius * i;
    if (i > 0)
      scene.contacts.push_back(
          touch(i - 1, i, {(2 * i - 1) * radius, 0.0, 0.0}, Vector3d::UnitX(), i));
  }
  return scene;
}

inline const LeastDistanceSolver& default_solver() { return least_distance_solvers().front(); }

inline VectorXd normal_speeds(const ContactProblem& problem, const VectorXd& y) {
  return problem.normals.matrix().transpose() * y;
}

/// y + G f: where the impulses lead.
inline VectorXd after_impulses(const ContactProblem& problem, const VectorXd& fn,
                               const VectorXd& ft) {
  return problem.y + problem.normals.matrix() * fn + problem.tangents.matrix() * ft;
}

/// |y| + Σ |g||f|: what the sum y + G f is made of.
inline double impulse_scale(const ContactProblem& problem, const VectorXd& fn, const VectorXd& ft) {
  return problem.y.norm() + problem.normals.matrix().colwise().norm().dot(fn.cwiseAbs()) +
         problem.tangents.matrix().colwise().norm().dot(ft.cwiseAbs());
}

}  // namespace pequod::test
