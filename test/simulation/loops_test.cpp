// Linkages: closed loops of links against closed forms, invariants and each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/loop.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/referee.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

constexpr double kPi = 3.14159265358979323846;

Scenario example(const std::string& name) { return test::load("examples/loops/" + name); }

/// Largest opening of any loop, m or rad.
double loop_drift(const Model& model, const VectorXd& q) {
  std::vector<Pose> X_WL;
  compute_poses(model, q, X_WL);
  return widest_loop_gap(model.loops, X_WL);
}

/// Runs to the end; visit(state) after every step.
template <typename Visit>
RunStatistics run(const Scenario& scenario, const Visit& visit) {
  Simulation simulation(scenario);
  while (simulation.step()) visit(simulation.state());
  return simulation.statistics();
}

double wrapped(double angle) { return std::remainder(angle, 2.0 * kPi); }

// The coupler's angle from the crank's: the triangle of crank tip, coupler end and ground pin.
double coupler_angle(double crank) {
  const double x = 1.0 - 0.3 * std::cos(crank), z = -0.3 * std::sin(crank);
  const double r = std::hypot(x, z);
  return std::atan2(z, x) + std::acos((r * r + 0.9 * 0.9 - 0.7 * 0.7) / (2.0 * 0.9 * r));
}

}  // namespace

// The gap is closed to 1e-13 m in every step; the coupler turns by at most 1 / (0.9 sin 27°) of it.
TEST_CASE("a four-bar stays closed and moves its coupler as the closed form says") {
  const Scenario scenario = example("four_bar.yaml");
  test::Worst drift, coupler, rocker;
  double turned = 0.0;
  run(scenario, [&](const State& state) {
    drift.see(loop_drift(scenario.model, state.q));
    const double a = state.q[0], b = coupler_angle(a);
    coupler.see(std::abs(wrapped(a + state.q[1] - b)));
    const double c = std::atan2(-0.3 * std::sin(a) - 0.9 * std::sin(b),
                                1.0 - 0.3 * std::cos(a) - 0.9 * std::cos(b));
    rocker.see(std::abs(wrapped(a + state.q[1] + state.q[2] - c)));
    turned = std::max(turned, std::abs(a));
  });
  MESSAGE("drift " << drift.value() << " m, coupler " << coupler.value() << " rad, rocker "
                   << rocker.value() << " rad, crank turned " << turned << " rad");
  CHECK(drift.value() < 1e-12);
  CHECK(coupler.value() < 1e-12);
  CHECK(rocker.value() < 1e-12);
  CHECK(turned > 2.0 * kPi);  // it goes round
}

TEST_CASE("a four-bar keeps its energy to the order of the integrator") {
  Scenario scenario = example("four_bar.yaml");
  scenario.duration = 2.0;
  scenario.record.every = 0.1;
  std::vector<double> residual;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    scenario.integrator.step = step;
    residual.push_back(run(scenario, [](const State&) {}).energy_residual_max);
  }
  MESSAGE("energy residuals " << residual[0] << ", " << residual[1] << ", " << residual[2] << " J");
  CHECK(std::log2(residual[0] / residual[1]) > 3.7);
  CHECK(std::log2(residual[1] / residual[2]) > 3.7);
}

namespace {

// What the crank of the slider-crank feels: crank 0.04 kg m², rod 0.4 kg, piston 0.5 kg.
double crank_inertia(double a) {
  const double r = 0.2, l = 0.6;
  const double b = std::asin(-r / l * std::sin(a));          // the rod's angle
  const double turn = -r * std::cos(a) / (l * std::cos(b));  // its rate over ȧ
  const double piston = -r * std::sin(a) - l * turn * std::sin(b);
  const double x = -r * std::sin(a) - 0.2 * turn * std::sin(b);  // of the rod's centre, over ȧ
  const double z = r * std::cos(a) + 0.2 * turn * std::cos(b);
  return 0.04 + 0.4 * (x * x + z * z) + 0.014 * turn * turn + 0.5 * piston * piston;
}

}  // namespace

// Without gravity ½ I(a) ȧ² is constant, I(a) the inertia that the crank feels.
TEST_CASE("a slider-crank follows its closed form in place and speed") {
  const Scenario scenario = example("slider_crank.yaml");
  const double energy = 0.5 * crank_inertia(0.0) * 20.0 * 20.0;
  test::Worst drift, place, speed;
  run(scenario, [&](const State& state) {
    drift.see(loop_drift(scenario.model, state.q));
    const double a = state.q[0], b = std::asin(-std::sin(a) / 3.0);
    place.see(std::abs(wrapped(a + state.q[1] - b)));
    place.see(std::abs(wrapped(a + state.q[1] + state.q[2])));
    speed.see(std::abs(state.v[0] / std::sqrt(2.0 * energy / crank_inertia(a)) - 1.0));
  });
  MESSAGE("drift " << drift.value() << ", place " << place.value() << " rad, speed "
                   << speed.value());
  CHECK(drift.value() < 1e-12);
  CHECK(place.value() < 1e-12);
  CHECK(speed.value() < 1e-7);  // RK4 at 1 ms, 20 rad/s, 10 s: (h ω)⁴ ω t = 3e-5 at most
}

// The bearing takes τ_c from the energy for each radian, until the crank stops, and then holds it.
// At the velocity level friction is an impulse once a step, of first order.
TEST_CASE("Coulomb friction brings a slider-crank to rest where its work has used up the energy") {
  const double torque = 0.5, energy = 0.5 * crank_inertia(0.0) * 20.0 * 20.0;
  const auto stop = [&](const char* model, const char* integrator) {
    Scenario scenario = example("slider_crank.yaml");
    scenario.model.links[0].joint.friction = torque;
    scenario.contact.model = model;
    scenario.integrator.method = integrator;
    scenario.duration = 4.0;
    test::Worst drift;
    VectorXd before;
    Simulation simulation(scenario);
    while (simulation.step()) {
      drift.see(loop_drift(scenario.model, simulation.state().q));
      if (simulation.state().t < 3.5) before = simulation.state().q;
    }
    CHECK(drift.value() < 1e-12);
    CHECK(simulation.state().v.norm() == 0.0);
    CHECK((simulation.state().q - before).norm() < 1e-12);
    return std::abs(simulation.state().q[0] * torque / energy - 1.0);
  };
  const double accelerations = stop("frictionless", "rk4"), impulses = stop("no-slip", "rk4"),
               euler = stop("no-slip", "symplectic-euler");
  MESSAGE("angle at rest off by " << accelerations << ", " << impulses << ", " << euler);
  CHECK(accelerations < 1e-7);
  CHECK(impulses < 1e-3);
  CHECK(euler < 0.05);
}

// A loop given twice, and one of other rows that hold the same plane motion: rows that repeat carry
// nothing. The plane is tilted, so that the rows which lead out of it are rounding and not zero.
// What differs is rounding too, which 1 s of swinging amplifies little.
TEST_CASE("redundant loops give the motion of the loop alone") {
  Scenario one = example("four_bar.yaml");
  one.duration = 1.0;
  const Matrix3d R = rotation_from_rpy({0.3, -0.7, 1.1});
  one.model.gravity = R * one.model.gravity;
  for (Pose* X_WF : {&one.model.links[0].joint.X_PF, &one.model.loops[0].X_AK})
    *X_WF = Pose{R, Vector3d::Zero()} * *X_WF;
  Scenario twice = one, point = one;
  twice.model.loops.push_back(twice.model.loops[0]);
  twice.model.loops.push_back(twice.model.loops[0]);
  twice.model.loops[2].type = LoopType::spherical;
  point.model.loops[0].type = LoopType::spherical;
  const auto end = [](const Scenario& scenario) {
    Simulation simulation(scenario);
    simulation.run();
    return simulation.state();
  };
  const State a = end(one), b = end(twice), c = end(point);
  MESSAGE("apart " << (a.q - b.q).norm() << " and " << (a.q - c.q).norm() << " rad");
  CHECK((a.q - b.q).norm() < 1e-11);
  CHECK((a.v - b.v).norm() < 1e-10);
  CHECK((a.q - c.q).norm() < 1e-11);
  CHECK((a.v - c.v).norm() < 1e-10);
}

namespace {

// Two five-bar legs under a trunk: two hips each, whose shanks meet in a ball foot.
std::string walker(const std::string& model, const std::string& integrator) {
  std::string text = "duration: 0.8\ncontact: {model: " + model +
                     "}\nintegrator: {method: " + integrator + ", step: 0.001}\n" + R"(
bodies:
  ground: {fixed: true, shape: {plane: {}}}
surfaces: [{between: [ground, "*"], friction: 0.6, viscous: 2, restitution: 0.2}]
robots:
  walker:
    base: {position: [0, 0, 0.62], velocity: [0.3, 0, 0], angular_velocity: [0.2, 0.1, 0]}
    links:
      trunk: {mass: 4, shape: {box: {size: [0.3, 0.4, 0.1]}}}
)";
  std::string joints, loops = "loops:\n";
  for (const std::string side : {"l", "r"}) {
    const std::string y = side == "l" ? "0.2" : "-0.2";
    for (const std::string end : {"f", "h"}) {
      const std::string x = end == "f" ? "0.1" : "-0.1", name = side + end;
      text +=
          "      thigh_" + name +
          ": {mass: 0.3, com: [0, 0, -0.1], inertia: {ixx: 0.001, iyy: 0.001, izz: 0.0002}, "
          "joint: {parent: trunk, type: continuous, axis: [0, 1, 0], damping: 0.3, position: [" +
          x + ", " + y + ", 0]}}\n";
      text += "      shank_" + name +
              ": {mass: 0.2, com: [0, 0, -0.15], inertia: {ixx: 0.0015, iyy: 0.0015, izz: 0.0001}, "
              "joint: {parent: thigh_" +
              name + ", type: continuous, axis: [0, 1, 0], position: [0, 0, -0.2]}" +
              (end == "f" ? ", shapes: [{shape: {sphere: {radius: 0.03}}, position: [0, 0, -0.3]}]"
                          : "") +
              "}\n";
    }
    // Thighs 40° outwards; the knees are 0.1 + 0.2 sin 40° from the middle, the shanks 0.3 long.
    loops += "  - {between: [walker/shank_" + side + "f, walker/shank_" + side +
             "h], type: revolute, points: [[0, 0, -0.3], [0, 0, -0.3]], axes: [[0, 1, 0], [0, 1, "
             "0]]}\n";
  }
  const double thigh = 40.0 / 180.0 * kPi;
  const double shank = std::asin((0.1 + 0.2 * std::sin(thigh)) / 0.3);
  for (const std::string side : {"l", "r"})
    for (const double sign : {1.0, -1.0}) {
      const std::string name = side + (sign > 0.0 ? "f" : "h");
      joints += (joints.empty() ? "" : ", ") + ("thigh_" + name) + ": " +
                std::to_string(-sign * thigh) + ", shank_" + name + ": " +
                std::to_string(sign * (thigh + shank));
    }
  return text + "    joints: {" + joints + "}\n" + loops;
}

}  // namespace

TEST_CASE("a walker of closed chains falls on the ground under every contact model") {
  for (const ContactModel& model : contact_models())
    for (const std::string integrator : {"symplectic-euler", "rk4"}) {
      CAPTURE(model.name);
      CAPTURE(integrator);
      const test::Folder folder;
      const Scenario scenario = test::load(folder, walker(std::string(model.name), integrator));
      REQUIRE(scenario.model.loops.size() == 2);
      int impacts = 0;
      double gained = 0.0;
      Observer observer;
      observer.events = [&](std::span<const EventRow> rows) {
        for (const EventRow& row : rows) {
          gained = std::max(gained, row.energy_change);
          impacts += row.kind == EventKind::impact ? 1 : 0;
        }
      };
      Simulation simulation(scenario, observer);
      test::Worst drift;
      test::Referee referee(scenario.model);
      while (simulation.step()) {
        drift.see(loop_drift(scenario.model, simulation.state().q));
        referee.look(simulation.state());
      }
      const RunStatistics& statistics = simulation.statistics();
      MESSAGE(model.name << ", " << integrator << ": drift " << drift.value() << ", penetration "
                         << referee.overlap() << " m, " << impacts << " impacts, "
                         << statistics.fallbacks << " fallbacks, energy gained " << gained);
      CHECK(drift.value() < 1e-12);
      CHECK(referee.overlap() < 1e-9);
      CHECK(impacts > 0);
      CHECK(gained < 1e-12);
    }
}

// A ring of four links afloat: nothing pulls at it, and loops do not push it as a whole, so its
// momentum stays, to the integrator's order (it is not linear in the coordinates).
TEST_CASE("a ring of links afloat keeps its momentum") {
  const test::Folder folder;
  Scenario scenario = test::load(folder, R"(
gravity: [0, 0, 0]
duration: 2
integrator: {method: rk4, step: 0.001}
contact: {model: frictionless}
robots:
  ring:
    base: {position: [0, 0, 0], velocity: [0.3, -0.1, 0.2], angular_velocity: [1, 2, -0.5]}
    links:
      a: {mass: 1, inertia: {ixx: 0.01, iyy: 0.02, izz: 0.015}}
      b: {mass: 0.5, com: [0.2, 0, 0], inertia: {ixx: 0.002, iyy: 0.01, izz: 0.01}, joint: {parent: a, axis: [0, 0, 1], position: [0.5, 0, 0]}}
      c: {mass: 0.7, com: [0.1, 0, 0], inertia: {ixx: 0.002, iyy: 0.01, izz: 0.011}, joint: {parent: b, axis: [0, 0, 1], position: [0.5, 0, 0]}}
      d: {mass: 0.6, com: [0.3, 0, 0], inertia: {ixx: 0.003, iyy: 0.01, izz: 0.01}, joint: {parent: c, axis: [0, 0, 1], position: [0.5, 0, 0]}}
    joints: {b: {position: 1.5707963267948966, velocity: 3}, c: 1.5707963267948966, d: 1.5707963267948966}
loops:
  - {between: [ring/d, ring/a], type: revolute, points: [[0.5, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]]}
)");
  const auto momentum = [&](const State& state) {
    Kinematics kin;
    compute_kinematics(scenario.model, state.q, state.v, kin);
    Vector6d sum = Vector6d::Zero();
    for (const LinkKinematics& k : kin.links) {
      const Vector3d p = k.m * k.v_O + k.w.cross(k.h);
      sum.tail<3>() += p;
      sum.head<3>() += k.I * k.w + k.h.cross(k.v_O) + kin.origins[0].cross(p);
    }
    return sum;
  };
  Vector6d first = Vector6d::Zero();
  test::Worst drift, linear, angular;
  run(scenario, [&](const State& state) {
    if (first.isZero(0.0)) first = momentum(scenario.initial);
    const Vector6d change = momentum(state) - first;
    angular.see(change.head<3>().norm() / first.head<3>().norm());
    linear.see(change.tail<3>().norm() / first.tail<3>().norm());
    drift.see(loop_drift(scenario.model, state.q));
  });
  MESSAGE("drift " << drift.value() << ", linear " << linear.value() << ", angular "
                   << angular.value());
  CHECK(drift.value() < 1e-12);
  CHECK(linear.value() < 1e-8);
  CHECK(angular.value() < 1e-8);
}

TEST_CASE("a linkage resumes from a state to the bit") {
  Scenario scenario = example("four_bar.yaml");
  scenario.contact.model = "no-slip";
  scenario.duration = 1.0;
  Simulation whole(scenario);
  while (whole.state().t < 0.5) REQUIRE(whole.step());
  Simulation rest(scenario, whole.state(), whole.statistics(), {});
  whole.run();
  rest.run();
  CHECK(whole.state().q == rest.state().q);
  CHECK(whole.state().v == rest.state().v);
  CHECK(whole.state().ledger.stabilisation == rest.state().ledger.stabilisation);
}

}  // namespace pequod
