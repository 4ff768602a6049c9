// Bodies that move as one for a step, the last resort of a fallback step.
#include <doctest/doctest.h>

#include "simulation/trial/book_step.h"
#include "simulation/trial/stepper.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

/// Linear momentum, and angular momentum about the origin, of balls.
struct Momentum {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};

Momentum momentum_of(const Model& model, const Kinematics& kin, int first, int last) {
  Momentum sum;
  for (int i = first; i <= last; ++i) {
    const Inertia& inertia = nth(model.links, i).inertia;
    const LinkKinematics& link = nth(kin.links, i);
    const Vector3d p = inertia.mass * point_velocity(model, kin, i, link.X_WL.p);
    sum.linear += p;
    sum.angular += link.X_WL.p.cross(p) + inertia.about_com(0, 0) * link.w;
  }
  return sum;
}

}  // namespace

TEST_CASE("joined bodies: one motion, their momentum kept, what they lose booked and told") {
  Bench bench("coulomb", 0.01);
  bench.scenario.integrator.method = "symplectic-euler";
  for (int i = 0; i < 3; ++i)
    bench.add({1.0 + i, Vector3d::Zero(), 0.004 * Matrix3d::Identity()}, Sphere{0.1});
  bench.build(0.0);
  bench.scenario.model.gravity.setZero();
  const Model& model = bench.scenario.model;
  State state = make_state(model);
  for (int i = 0; i < 3; ++i) {
    state.q.segment<3>(7 * i) << 0.19 * i, 0.0, 1.0;
    state.v.segment<6>(6 * i) << 3.0, -2.0 * i, 1.0, 0.5 - i, 0.3 * i, 1.0;
  }
  const ContactModel level = at_level(*find_contact_model("coulomb"), ContactLevel::velocity);
  StepClock clock;
  const World world = make_world(bench.scenario, {}, clock);
  Stepper stepper(world, make_method(world, level, "symplectic-euler"));
  Evaluator here(model);
  here.at(state.q, state.v);
  const Momentum before = momentum_of(model, here.kinematics(), 0, 1);
  const double energy = kinetic_energy(model, here.kinematics(), state.v);

  stepper.begin(state, {});
  constexpr double tau = 1e-6;
  stepper.at(tau);
  stepper.join({{1, 2}, {0, 3}});  // shape 0 is the floor
  State next = stepper.at(tau).state;
  book_step(bench.scenario.model, stepper.start(), stepper.trial(), next);

  here.at(state.q, next.v);  // the impulses act at the pose of the start
  const Kinematics& kin = here.kinematics();
  const Momentum after = momentum_of(model, kin, 0, 1);
  const LinkKinematics &a = kin.links[0], &b = kin.links[1];
  // Rounding, of velocities of a few m/s and rad/s.
  CHECK((a.w - b.w).norm() <= 1e-13);
  CHECK(
      (point_velocity(model, kin, 0, b.X_WL.p) - point_velocity(model, kin, 1, b.X_WL.p)).norm() <=
      1e-13);
  CHECK((after.linear - before.linear).norm() <= 1e-13);
  CHECK((after.angular - before.angular).norm() <= 1e-13);
  CHECK(next.v.segment<6>(12).norm() <= 1e-13);
  CHECK(next.q.segment<7>(14).isApprox(state.q.segment<7>(14), 1e-15));
  CHECK(energy > kinetic_energy(model, kin, next.v) + 1.0);
  CHECK(next.ledger.normal_loss ==
        doctest::Approx(energy - kinetic_energy(model, kin, next.v)).epsilon(1e-13));
  CHECK(next.ledger.suspect == next.ledger.normal_loss);  // no law takes it

  stepper.begin(state, {});  // forgets it
  CHECK((stepper.at(tau).state.v - state.v).norm() <= 1e-13);
}

}  // namespace pequod
