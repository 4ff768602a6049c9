// Jacobians of points and frames, their rates, and motions of links.
#include <doctest/doctest.h>

#include "test/core/textbook.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// A random tree in motion and a point that rides on one of its links.
struct Rider {
  RandomTree tree;
  State state;
  Kinematics kin;
  int link = 0;
  Vector3d p_L;  ///< m, in the link
  [[nodiscard]] Vector3d p_W() const { return nth(kin.links, link).X_WL * p_L; }
};

template <typename Visit>
void for_riders(std::uint64_t seed, const Visit& visit) {
  Random random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const int links = 2 + trial % 39;
    Rider r;
    r.tree = random_tree(random, {.links = links, .fixed_base = trial % 3 == 0});
    r.state = random_state(random, r.tree.model);
    r.kin = kinematics_of(r.tree.model, r.state.q, r.state.v);
    r.link =
        static_cast<int>(random.uniform(0, static_cast<double>(r.tree.model.links.size()) - 1e-9));
    r.p_L = random.vector(0.3);
    visit(r, random);
  }
}

/// The rider's kinematics t later at constant v.
Kinematics later(const Rider& r, double t) {
  const Model& model = r.tree.model;
  return kinematics_of(model, moved(model, r.state.q, t * r.state.v), r.state.v);
}

}  // namespace

TEST_CASE("a point's Jacobian gives its velocity, and its path the same") {
  Worst row, velocity, path, world;
  for_riders(31, [&](const Rider& r, Random& random) {
    const Model& model = r.tree.model;
    const Vector3d p = r.p_W();
    MatrixXd J, F;
    point_jacobian(model, r.kin, r.link, p, J);
    frame_jacobian(model, r.kin, r.link, p, F);
    CHECK(F.bottomRows<3>() == J);
    const Vector3d v = point_velocity(model, r.kin, r.link, p);
    const LinkKinematics& link = nth(r.kin.links, r.link);
    velocity.see((J * r.state.v - v).norm() + (F.topRows<3>() * r.state.v - link.w).norm());
    path.see((derivative([&](double t) -> Vector3d {
                return nth(later(r, t).links, r.link).X_WL * r.p_L;
              }) -
              v)
                 .norm());
    const Vector3d d = random.unit();
    VectorXd sum = VectorXd::Ones(model.nv);
    add_point_row(model, r.kin, r.link, p, d, -2.0, sum);
    row.see((sum - VectorXd::Ones(model.nv) + 2.0 * J.transpose() * d).norm());
    add_point_row(model, r.kin, -1, p, d, 1.0, sum);
    point_jacobian(model, r.kin, -1, p, J);
    world.see(J.norm() + point_velocity(model, r.kin, -1, p).norm());
  });
  MESSAGE("J v " << velocity.value() << ", path " << path.value() << ", rows " << row.value());
  // Velocities of order 10 m/s, summed over up to 40 joints.
  CHECK(velocity.value() < 1e-12);
  CHECK(row.value() < 1e-12);
  CHECK(path.value() < 1e-9);  // rounding of the differences, ε p/h
  CHECK(world.value() == 0.0);
}

TEST_CASE("Jacobian rates are the differences of the Jacobians along the motion") {
  Worst frame;
  for_riders(32, [&](const Rider& r, Random&) {
    const Model& model = r.tree.model;
    MatrixXd rate, point;
    frame_jacobian_rate(model, r.kin, r.link, r.p_W(), rate);
    point_jacobian_rate(model, r.kin, r.link, r.p_W(), point);
    CHECK(rate.bottomRows<3>() == point);
    const MatrixXd expected = derivative([&](double t) {
      const Kinematics kin = later(r, t);
      MatrixXd J;
      frame_jacobian(model, kin, r.link, nth(kin.links, r.link).X_WL * r.p_L, J);
      return J;
    });
    frame.see((rate - expected).cwiseAbs().maxCoeff() / (1.0 + expected.cwiseAbs().maxCoeff()));
  });
  MESSAGE("J rate " << frame.value());
  CHECK(frame.value() < 1e-10);  // rounding of the differences, ε/h = 2e-13 times a few metres
}

TEST_CASE("accelerations of links are second differences of their motion") {
  Worst bias, full;
  for_riders(33, [&](const Rider& r, Random& random) {
    const Model& model = r.tree.model;
    VectorXd vdot(model.nv);
    for (double& x : vdot) x = random.uniform(-5.0, 5.0);
    const auto rate_of = [&](const VectorXd& acceleration) -> Vector6d {
      return derivative([&](double t) {
        const VectorXd v = r.state.v + t * acceleration;
        const Kinematics kin = kinematics_of(model, moved(model, r.state.q, t * r.state.v), v);
        const BodyMotion motion = link_motion(model, kin, r.link);
        Vector6d out;
        out << motion.w, motion.v;
        return out;
      });
    };
    const auto check = [&](const BodyMotion& motion, const Vector6d& rate, Worst& worst) {
      worst.see((motion.alpha - rate.head<3>()).norm() / (1.0 + rate.norm()));
      worst.see((motion.a - rate.tail<3>()).norm() / (1.0 + rate.norm()));
    };
    check(link_motion(model, r.kin, r.link), rate_of(VectorXd::Zero(model.nv)), bias);
    check(link_motion(model, r.kin, r.link, vdot), rate_of(vdot), full);
  });
  MESSAGE("accelerations: v' = 0 " << bias.value() << ", v' given " << full.value());
  CHECK(bias.value() < 1e-10);  // rounding of the differences
  CHECK(full.value() < 1e-10);
}

TEST_CASE("link poses and motions are those of the links as described") {
  Worst pose, twist;
  for_riders(34, [&](const Rider& r, Random&) {
    const std::vector<TextbookLink> described = textbook_links(r.tree, r.state.q);
    std::vector<Pose> X_WL;
    compute_poses(r.tree.model, r.state.q, X_WL);
    for (std::size_t i = 0; i < described.size(); ++i) {
      const Frame& frame = r.tree.model.frames[i];
      const std::size_t part = static_cast<std::size_t>(std::stoi(frame.name.substr(2)));
      const TextbookLink& expected = described[part];
      Pose X_WF = frame.X_LF;
      BodyMotion motion;
      if (frame.link >= 0) {
        const Pose& carrier = nth(X_WL, frame.link);
        X_WF = carrier * frame.X_LF;
        motion = link_motion(r.tree.model, r.kin, frame.link);
        pose.see((motion.X_WL.R - carrier.R).norm() + (motion.X_WL.p - carrier.p).norm());
      }
      pose.see((X_WF.R - expected.X_WL.R).norm() + (X_WF.p - expected.X_WL.p).norm());
      twist.see((motion.w - expected.Jw * r.state.v).norm());
      twist.see((velocity_at(motion, X_WF.p) - expected.Jp * r.state.v).norm());
    }
  });
  MESSAGE("poses " << pose.value() << ", velocities " << twist.value());
  CHECK(pose.value() < 1e-13);   // 40 products of rotations
  CHECK(twist.value() < 1e-12);  // velocities of order 10
}
