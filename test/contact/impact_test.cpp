// Restitution: known bounces, and never a gain of energy.
#include "contact/impact.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <string>

#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const ContactModel& frictionless() { return *find_contact_model("frictionless"); }
const ContactModel& no_slip() { return *find_contact_model("no-slip"); }

ImpactSolution impact(ContactProblem& problem, const ContactModel& model, Restitution law,
                      const std::vector<double>& e) {
  ContactWorkspace workspace;
  ImpactSolution solution;
  const VectorXd before = problem.y;
  resolve_impact(problem, model, default_solver(), law, e, {}, workspace, solution);
  CHECK(problem.y == before);
  CHECK(problem.c.isZero(0.0));
  CHECK(solution.status == SolveStatus::solved);
  return solution;
}

ImpactSolution impact(Scene& scene, const ContactModel& model, Restitution law, double e) {
  return impact(scene.problems[0], model, law,
                std::vector<double>(static_cast<std::size_t>(scene.problems[0].n), e));
}

VectorXd velocity_of(const Scene& scene, const VectorXd& y) {
  VectorXd v = y;
  island_solve_L(scene.model, scene.factor, scene.islands[0], v);
  return v;
}

/// A ball of mass m and radius r that hits the floor.
Scene falling_ball(double m, double r, const Vector3d& spin, const Vector3d& velocity) {
  Scene scene = balls_in_a_row({m}, r);
  scene.contacts = {touch(-1, 0, {0.0, 0.0, -r}, Vector3d::UnitZ(), 0)};
  scene.state.v << spin, velocity;
  pose(scene);
  return scene;
}

/// A level rod, both ends on the floor: b = (left, right) are their velocities.
Scene level_rod(double left, double right) {
  Scene scene;
  ModelBuilder builder;
  const double m = 1.0, l = 2.0, I = m * l * l / 12;
  builder.add_free_body("rod", {m, Vector3d::Zero(), Vector3d(0.01, I, I).asDiagonal()}, {});
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.contacts = {touch(-1, 0, {-l / 2, 0.0, 0.0}, Vector3d::UnitZ(), 0),
                    touch(-1, 0, {l / 2, 0.0, 0.0}, Vector3d::UnitZ(), 1)};
  scene.state.v[1] = (left - right) / l;  // the right end falls as ω_y grows
  scene.state.v[5] = (left + right) / 2;
  pose(scene);
  return scene;
}

/// Two uniform rods of 1 kg and 1 m from a hinge in the ceiling; the lower end strikes a floor
/// (Kane & Levinson 1985, problem 14.6).
Scene double_pendulum(double upper, double lower, double upper_rate, double lower_rate) {
  Robot robot;
  robot.links.resize(3);
  robot.joints.resize(2);
  for (int i = 0; i < 3; ++i) {
    RobotLink& link = nth(robot.links, i);
    link.name = std::to_string(i);
    if (i == 0) continue;
    link.mass = 1.0;
    link.com = {0.0, 0.0, -0.5};
    link.inertia = Vector3d(1.0 / 12, 1.0 / 12, 1e-4).asDiagonal();
    RobotJoint& joint = nth(robot.joints, i - 1);
    joint.name = "j" + link.name;
    joint.type = RobotJointType::continuous;
    joint.parent = std::to_string(i - 1);
    joint.child = link.name;
    joint.axis = Vector3d::UnitY();
    if (i == 2) joint.X_PJ.p = {0.0, 0.0, -1.0};
  }
  Scene scene;
  ModelBuilder builder;
  builder.add_robot("pendulum", robot, true, Pose{}, false);
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.state.q << upper, lower - upper;
  scene.state.v << upper_rate, lower_rate - upper_rate;
  compute_kinematics(scene.model, scene.state.q, scene.state.v, scene.kin);
  const Vector3d tip = scene.kin.links[1].X_WL * Vector3d(0.0, 0.0, -1.0);
  scene.contacts = {touch(-1, 1, tip, Vector3d::UnitZ(), 0)};
  pose(scene);
  return scene;
}

}  // namespace

TEST_CASE("a ball bounces with e times its speed under either law") {
  for (const Restitution law : {Restitution::poisson, Restitution::newton})
    for (const double e : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const double m = 2.0, r = 0.1, v = 3.0;
      Scene scene = falling_ball(m, r, {1.0, 2.0, 3.0}, {0.4, 0.5, -v});
      const ImpactSolution solution = impact(scene, frictionless(), law, e);
      VectorXd expected = scene.state.v;  // spin and tangential motion go on
      expected[5] = e * v;
      CHECK((velocity_of(scene, solution.y) - expected).norm() < 1e-13);
      CHECK(solution.pn[0] == doctest::Approx(m * (1 + e) * v).epsilon(1e-13));
      CHECK(std::abs(solution.loss - 0.5 * m * v * v * (1 - e * e)) < 1e-13);
      CHECK_FALSE(solution.reduced);
    }
}

// A solid ball: p_t = −(2/7) m (slip), which turns the surface velocity to zero.
TEST_CASE("a ball that cannot slip bounces with e and rolls by two sevenths of its slip") {
  for (const Restitution law : {Restitution::poisson, Restitution::newton})
    for (const double e : {0.0, 0.5, 1.0}) {
      const double m = 2.0, r = 0.1;
      Scene scene = falling_ball(m, r, {1.0, 2.0, 3.0}, {0.4, 0.5, -3.0});
      const ImpactSolution solution = impact(scene, no_slip(), law, e);
      const Vector3d slip = Vector3d(0.4, 0.5, 0.0) + Vector3d(1, 2, 3).cross(Vector3d(0, 0, -r));
      const Vector3d p = -2.0 / 7.0 * m * slip;
      const VectorXd v = velocity_of(scene, solution.y);
      CHECK((v.tail<3>() - Vector3d(0.4 + p.x() / m, 0.5 + p.y() / m, 3.0 * e)).norm() < 1e-13);
      const Vector3d spin = Vector3d(1, 2, 3) + Vector3d(0, 0, -r).cross(p) / (0.4 * m * r * r);
      CHECK((v.head<3>() - spin).norm() < 1e-12);
      CHECK((solution.pt - p.head<2>()).norm() < 1e-13);
      CHECK(solution.loss > 0.0);
      CHECK_FALSE(solution.reduced);
    }
}

// Both laws act on all contacts at once: one third comes back, unlike a cradle of balls apart.
TEST_CASE("three touching balls: one at speed 1 leaves them at −1/3, 2/3, 2/3 for e = 1") {
  for (const Restitution law : {Restitution::poisson, Restitution::newton}) {
    Scene scene = balls_in_a_row({1.0, 1.0, 1.0}, 0.05);
    scene.state.v[3] = 1.0;
    pose(scene);
    const ImpactSolution elastic = impact(scene, frictionless(), law, 1.0);
    const VectorXd v = velocity_of(scene, elastic.y);
    CHECK(std::abs(v[3] + 1.0 / 3.0) < 1e-14);
    CHECK(std::abs(v[9] - 2.0 / 3.0) < 1e-14);
    CHECK(std::abs(v[15] - 2.0 / 3.0) < 1e-14);
    CHECK(std::abs(elastic.loss) < 1e-14);
    CHECK_FALSE(elastic.reduced);

    const ImpactSolution plastic = impact(scene, frictionless(), law, 0.0);
    for (const int i : {3, 9, 15})
      CHECK(std::abs(velocity_of(scene, plastic.y)[i] - 1.0 / 3.0) < 1e-14);
    CHECK(plastic.loss == doctest::Approx(1.0 / 3.0).epsilon(1e-13));  // ½ − 3·½/9
  }
}

TEST_CASE("Newton's law would gain energy where an end is pulled down: it is reduced") {
  // A = [4 −2; −2 4]: the left end lands at 1 m/s while the right one leaves at 0.1 m/s. Raw, the
  // rod leaves with b⁺ = (1, 0); both ends are pushed, f = (0.65, 0.3), and ½ f·(b + b⁺) > 0.
  Scene scene = level_rod(-1.0, 0.1);
  const MatrixXd G = scene.problems[0].normals.matrix();
  const Eigen::Matrix2d A = G.transpose() * G;
  CHECK((A - (Eigen::Matrix2d() << 4, -2, -2, 4).finished()).norm() < 1e-13);
  const Eigen::Vector2d b(-1.0, 0.1), raw(1.0, 0.0);
  const Eigen::Vector2d f = A.inverse() * (raw - b);
  REQUIRE(f.minCoeff() > 0.0);
  REQUIRE(0.5 * f.dot(b + raw) > 0.01);  // J gained by the raw law

  const ImpactSolution solution = impact(scene, frictionless(), Restitution::newton, 1.0);
  CHECK(solution.reduced);
  CHECK(solution.loss >= -1e-12);
  CHECK(solution.loss < 1e-3);  // bisection to 1e-3 of e: hardly more is taken than must be
  CHECK(normal_speeds(scene.problems[0], solution.y).minCoeff() > -1e-10);

  const ImpactSolution poisson = impact(scene, frictionless(), Restitution::poisson, 1.0);
  CHECK_FALSE(poisson.reduced);
  CHECK(poisson.loss >= 0.0);
}

// With normal velocity e and no slip the tip determines both rates: v⁺ = J⁻¹ (0, −e b).
TEST_CASE("the double pendulum that gains energy by Newton's law is reduced, and only then") {
  Random random(101);
  int gains = 0, losses = 0;
  Worst off, gain, approach;
  for (int trial = 0; trial < 300; ++trial) {
    const double e = random.uniform(0.3, 1.0);
    Scene scene = double_pendulum(random.uniform(-1, 1), random.uniform(-1, 1),
                                  random.uniform(-2, 2), random.uniform(-2, 2));
    MatrixXd J;
    point_jacobian(scene.model, scene.kin, 1, scene.contacts[0].p_W, J);
    const Eigen::Vector2d v = scene.state.v, b(J.row(0).dot(v), J.row(2).dot(v));
    Eigen::Matrix2d K;
    K << J.row(0), J.row(2);
    if (b.y() > -0.1 || std::abs(K.determinant()) < 0.1) continue;
    const Eigen::Vector2d raw = K.inverse() * Eigen::Vector2d(0.0, -e * b.y());
    const Eigen::Vector2d impulse = K.transpose().inverse() * (scene.M * (raw - v));
    if (impulse.y() <= 0.0) continue;  // the floor would have to pull
    const double lost = 0.5 * (v - raw).dot(scene.M * (v + raw));
    if (std::abs(lost) < 1e-9) continue;
    const ImpactSolution solution = impact(scene, no_slip(), Restitution::newton, e);
    CHECK(solution.reduced == (lost < 0.0));
    gain.see(-solution.loss);
    approach.see(-normal_speeds(scene.problems[0], solution.y).minCoeff());
    if (solution.reduced) {
      ++gains;
    } else {
      ++losses;
      off.see((velocity_of(scene, solution.y) - raw).norm());
      off.see(std::abs(solution.loss - lost));
    }
  }
  MESSAGE(gains << " reduced, " << losses << " as Newton's law says, off by " << off.value()
                << "; gain " << gain.value() << " J, approach " << approach.value() << " m/s");
  CHECK(gains > 10);
  CHECK(losses > 10);
  CHECK(off.value() < 1e-11);
  CHECK(gain.value() < 1e-11);  // 1e-12 of twice the energy, of order 5 J
  CHECK(approach.value() < 1e-10);
}

TEST_CASE("impacts of random scenes: no gain, no approach, impulses that lead there") {
  Random random(102);
  for (const ContactModel* model : {&frictionless(), &no_slip()})
    for (const Restitution law : {Restitution::poisson, Restitution::newton}) {
      Worst gain, approach, pull, balance, loss;
      int islands = 0, reduced = 0;
      for (int trial = 0; trial < 300; ++trial) {
        Scene scene = random_scene(random);
        for (ContactProblem& problem : scene.problems) {
          std::vector<double> e;
          const double same = random.uniform(0.0, 1.0);
          for (int i = 0; i < problem.n; ++i)
            e.push_back(trial % 2 ? same : random.uniform(0.0, 1.0));
          const ImpactSolution solution = impact(problem, *model, law, e);
          const double energy = 0.5 * problem.y.squaredNorm();
          const double after = 0.5 * solution.y.squaredNorm();
          gain.see((after - energy) / energy);
          loss.see(std::abs(solution.loss - (energy - after)) / energy);
          approach.see(-normal_speeds(problem, solution.y).minCoeff());
          for (int i = 0; i < problem.n; ++i)
            pull.see(-solution.pn[i] * problem.normals.col(i).norm() / std::sqrt(energy));
          const VectorXd off = after_impulses(problem, solution.pn, solution.pt) - solution.y;
          balance.see(off.norm() / impulse_scale(problem, solution.pn, solution.pt));
          ++islands;
          reduced += solution.reduced;
          // Poisson's law with one e and no friction loses (1 − e²)/2 p·N v⁻: never reduced.
          if (trial % 2 && model == &frictionless() && law == Restitution::poisson)
            CHECK_FALSE(solution.reduced);
        }
      }
      MESSAGE(model->name << std::string(law == Restitution::poisson ? ", Poisson: " : ", Newton: ")
                          << islands << " islands, " << reduced << " reduced; gain " << gain.value()
                          << ", approach " << approach.value() << " m/s, pull " << pull.value()
                          << ", balance " << balance.value() << ", loss " << loss.value());
      CHECK(gain.value() < 4e-12);      // what resolve_impact takes for rounding, 1e-12 |y|²
      CHECK(approach.value() < 1e-10);  // m/s
      CHECK(pull.value() < 1e-12);
      CHECK(balance.value() < 1e-12);  // of the impulses, which nearly dependent rows make large
      CHECK(loss.value() < 1e-13);
    }
}
