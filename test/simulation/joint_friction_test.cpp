// Coulomb friction of joints: closed forms, orders of accuracy, a dense reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simulation/controllers/pd.h"
#include "simulation/record/checkpoint.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/chain.h"
#include "test/simulation/hopper.h"
#include "test/simulation/referee.h"
#include "test/simulation/scenario_with.h"
#include "test/support/allocations.h"

namespace pequod {
namespace {

Scenario chain_scenario(const std::vector<test::ChainPart>& parts, const std::string& method,
                        double step, const Vector3d& gravity = {0.0, 0.0, -9.81}) {
  ModelBuilder builder(gravity);
  builder.add_robot("chain", test::chain(parts), true, {}, false);
  Scenario scenario = scenario_with(builder.build());
  scenario.integrator = {method, step, 0.0};
  scenario.contact.model = method == "symplectic-euler" ? "no-slip" : "viscous";
  scenario.record.every = 10.0;
  return scenario;
}

struct JointOutcome {
  State state;
  std::vector<EventRow> events;
  RunStatistics statistics;
  double overlap = kNaN;  // m, by a referee at every accepted state
};

JointOutcome simulate_joints(const Scenario& scenario) {
  JointOutcome outcome;
  Simulation run = run_with_rows(scenario, outcome.events);
  outcome.overlap = test::watch(run, scenario.model).overlap();
  outcome.state = run.state();
  outcome.statistics = run.statistics();
  return outcome;
}

// A flywheel on an axis without gravity, spun at ω₀.
Scenario flywheel(const std::string& method, double step) {
  constexpr double kInertia = 0.5, kFriction = 0.3, kSpeed = 2.0;  // kg m², N·m, rad/s
  Scenario scenario =
      chain_scenario({{1.0, kInertia, 0.0, 0.0, kFriction}}, method, step, Vector3d::Zero());
  scenario.initial.v[0] = kSpeed;
  scenario.duration = 5.0;
  return scenario;
}
constexpr double kStopTime = 0.5 * 2.0 / 0.3, kStopAngle = 0.5 * 4.0 / (2.0 * 0.3);

// I = 0.25 kg m² about the joint, m g l = 0.5 · 9.81 · 0.5 = 2.4525 N·m.
test::ChainPart pendulum_part(double friction) { return {0.5, 0.125, 0.0, 0.5, friction}; }
constexpr double kWeightTorque = 0.5 * 9.81 * 0.5;

double first_time(const JointOutcome& outcome, EventKind kind) {
  for (const EventRow& row : outcome.events)
    if (row.kind == kind) return row.t;
  return kNaN;
}

}  // namespace

// RK4 is exact on a parabola: what is left are roundings over a few hundred steps.
TEST_CASE("a flywheel stops at I ω/τ_c after I ω²/2τ_c under RK4") {
  for (const char* method : {"rk4", "dopri5"}) {
    const JointOutcome outcome = simulate_joints(flywheel(method, 0.013));
    CHECK(std::abs(first_time(outcome, EventKind::joint_stick) - kStopTime) <= 1e-12);
    CHECK(std::abs(outcome.state.q[0] - kStopAngle) <= 1e-12);
    CHECK(outcome.state.v[0] == 0.0);
    CHECK(std::abs(outcome.state.ledger.friction_loss - 1.0) <= 1e-12);  // ½ I ω²
    CHECK(outcome.statistics.energy_residual_max <= 1e-12);
    CHECK(outcome.events.size() == 1);
  }
}

// θ = Σ h v⁺: behind the truth by ½ h ω₀ until the last step, which is cut by friction itself.
TEST_CASE("a flywheel's angle is off by half a step of its speed under symplectic Euler") {
  for (const double h : {0.01, 0.001}) {
    const JointOutcome outcome = simulate_joints(flywheel("symplectic-euler", h));
    CHECK(std::abs(outcome.state.q[0] - kStopAngle + 0.5 * h * 2.0) <= h * h);
    CHECK(std::abs(first_time(outcome, EventKind::joint_stick) - kStopTime) <= h);
    CHECK(outcome.state.v[0] == 0.0);
    CHECK(std::abs(outcome.state.ledger.friction_loss - 1.0) <= 1e-12);
    CHECK(outcome.statistics.energy_residual_max <= 1e-12);
  }
}

TEST_CASE("a pendulum held by friction does not creep, and slides beyond the breakaway angle") {
  const double friction = 0.5 * kWeightTorque;  // breakaway at sin θ = ½
  for (const char* method : {"symplectic-euler", "rk4"})
    for (const double angle : {-0.5, 0.2, 0.52}) {
      Scenario scenario = chain_scenario({pendulum_part(friction)}, method, 0.01);
      scenario.initial.q[0] = angle;
      scenario.duration = 60.0;
      const JointOutcome outcome = simulate_joints(scenario);
      CHECK(outcome.state.q[0] == angle);
      CHECK(outcome.state.v[0] == 0.0);
      CHECK(outcome.state.ledger.friction_loss == 0.0);
      CHECK(std::abs(std::abs(outcome.state.joints[0].force) -
                     kWeightTorque * std::sin(std::abs(angle))) <= 1e-12);
    }
  for (const char* method : {"symplectic-euler", "rk4"}) {
    Scenario scenario = chain_scenario({pendulum_part(friction)}, method, 0.001);
    scenario.initial.q[0] = 0.53;  // sin 0.53 = 0.5055
    scenario.duration = 0.5;
    const JointOutcome outcome = simulate_joints(scenario);
    CHECK(outcome.state.q[0] < 0.53);
    CHECK(outcome.state.ledger.friction_loss > 0.0);
  }
}

// RK4 × no-slip: a smooth step, then impulses; what friction holds still does not move.
TEST_CASE("a pendulum held by friction does not creep under RK4 at the velocity level") {
  Scenario scenario = chain_scenario({pendulum_part(0.5 * kWeightTorque)}, "rk4", 0.01);
  scenario.contact.model = "no-slip";
  scenario.initial.q[0] = 0.5;
  scenario.duration = 60.0;
  const JointOutcome outcome = simulate_joints(scenario);
  CHECK(outcome.state.q[0] == 0.5);
  CHECK(outcome.state.v[0] == 0.0);
}

// The path is Σ |Δθ| between turning points; energy falls from that of the release to that of rest.
TEST_CASE("a pendulum that swings to rest has lost the bound times its path") {
  Scenario scenario = chain_scenario({pendulum_part(0.1)}, "rk4", 0.01);
  scenario.initial.q[0] = 1.2;
  scenario.duration = 20.0;
  scenario.record.every = 0.01;
  double path = 0.0, before = 1.2;
  Observer observer;
  std::vector<EventRow> events;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    path += std::abs(state.q[0] - before);
    before = state.q[0];
  };
  observer.events = [&](std::span<const EventRow> rows) {
    events.insert(events.end(), rows.begin(), rows.end());
  };
  Simulation run(scenario, observer);
  run.run();
  const State& state = run.state();
  CHECK(state.v[0] == 0.0);
  CHECK(std::abs(kWeightTorque * std::sin(state.q[0])) <= 0.1);
  CHECK(events.back().kind == EventKind::joint_stick);
  const double lost = kWeightTorque * (std::cos(state.q[0]) - std::cos(1.2));
  // Residual: RK4 at h = 0.01 s.
  CHECK(std::abs(state.ledger.friction_loss - lost) <= 1e-7);
  // Reversals between two records hide at most (½ · 10 rad/s² · (0.01 s)²) each.
  CHECK(std::abs(state.ledger.friction_loss - 0.1 * path) <=
        1e-4 * static_cast<double>(events.size()));
  CHECK(run.statistics().energy_residual_max <= 1e-7);
}

namespace {

// A driven double pendulum whose joints stick and slip.
Scenario driven(double step) {
  Scenario scenario =
      chain_scenario({{1.0, 0.02, 0.4, 0.2, 0.6}, {0.5, 0.01, 0.0, 0.25, 0.25}}, "rk4", step);
  scenario.initial.q << 1.0, 0.4;
  scenario.initial.v << 0.0, -3.0;
  scenario.duration = 2.5;
  scenario.record.every = 2.5;
  return scenario;
}

double slope(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

// Order 4 through sticks, slips and reversals. Reference: a step 32 times smaller than the finest.
// The slope over four halvings is what is asked; single ones scatter with where events fall.
TEST_CASE("RK4 keeps order four through the events of joint friction") {
  const double h0 = 0.02 / 1.0173;
  const JointOutcome truth = simulate_joints(driven(h0 / 512.0));
  std::vector<double> errors, residuals;
  for (int k = 0; k <= 4; ++k) {
    const JointOutcome outcome = simulate_joints(driven(h0 / std::pow(2.0, k)));
    REQUIRE(outcome.events.size() == truth.events.size());
    for (std::size_t i = 0; i < truth.events.size(); ++i)
      CHECK(outcome.events[i].kind == truth.events[i].kind);
    errors.push_back((outcome.state.q - truth.state.q).norm() +
                     (outcome.state.v - truth.state.v).norm());
    residuals.push_back(outcome.statistics.energy_residual_max);
    CHECK(outcome.statistics.fallbacks == 0);
  }
  const auto count = [&](EventKind kind) {
    return std::ranges::count_if(truth.events,
                                 [&](const EventRow& row) { return row.kind == kind; });
  };
  MESSAGE(truth.events.size() << " events, errors " << errors[0] << " … " << errors[4]
                              << ", residuals " << residuals[0] << " … " << residuals[4]);
  CHECK(count(EventKind::joint_stick) > 0);
  CHECK(count(EventKind::joint_slip) > 0);
  CHECK(slope(errors[0], errors[4]) / 4.0 >= 3.7);
  CHECK(slope(residuals[0], residuals[4]) / 4.0 >= 3.7);
}

namespace {

// min ½ vᵀMv − (M v₀)ᵀv + Σ b |v_j|: of the 3ⁿ sets of modes, the one that satisfies its
// conditions.
VectorXd dense_reference(const MatrixXd& M, const VectorXd& v0, const VectorXd& bound) {
  const int n = static_cast<int>(v0.size());
  VectorXd best = VectorXd::Constant(n, kNaN);
  double lowest = kInfinity;
  for (int code = 0; code < static_cast<int>(std::lround(std::pow(3, n))); ++code) {
    std::vector<int> moving;
    VectorXd right = M * v0;
    for (int j = 0, c = code; j < n; ++j, c /= 3) {
      if (c % 3 == 0) continue;
      moving.push_back(j);
      right[j] -= (c % 3 == 1 ? 1.0 : -1.0) * bound[j];
    }
    VectorXd v = VectorXd::Zero(n);
    const MatrixXd block = M(moving, moving);
    const VectorXd part = right(moving);
    const VectorXd solution = block.ldlt().solve(part);
    for (std::size_t i = 0; i < moving.size(); ++i)
      v[moving[i]] = solution[static_cast<Eigen::Index>(i)];
    const double value = 0.5 * (v - v0).dot(M * (v - v0)) + bound.dot(v.cwiseAbs());
    if (value >= lowest) continue;
    lowest = value;
    best = v;
  }
  return best;
}

}  // namespace

// The chosen modes minimise the strictly convex objective, so no other solution exists. Tolerance:
// rounding of ratios of inertia up to 1e6.
TEST_CASE("one step of a stiff chain is the minimum over all modes of its joints") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  double worst = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 4;
    std::vector<test::ChainPart> parts;
    for (int i = 0; i < n; ++i)
      parts.push_back({std::pow(10.0, 3.0 * unit(random) - 1.0),
                       std::pow(10.0, 3.0 * unit(random) - 4.0), 0.3, 0.15 * unit(random),
                       std::pow(10.0, 5.0 * unit(random) - 2.0)});
    const double h = 0.01;
    Scenario scenario = chain_scenario(parts, "symplectic-euler", h);
    for (int i = 0; i < n; ++i) {
      scenario.initial.q[i] = 6.0 * unit(random) - 3.0;
      scenario.initial.v[i] = unit(random) < 0.5 ? 0.0 : 4.0 * unit(random) - 2.0;
    }
    scenario.duration = h;
    const State state = simulate_joints(scenario).state;
    Scenario free = scenario;
    for (Link& link : free.model.links) link.joint.friction = 0.0;
    const VectorXd v0 = simulate_joints(free).state.v;
    Kinematics kin;
    compute_positions(scenario.model, scenario.initial.q, kin);
    MassMatrix mass;
    compute_mass_matrix(scenario.model, kin, mass);
    const MatrixXd M = mass.dense(scenario.model);
    VectorXd bound(n);
    for (int i = 0; i < n; ++i) bound[i] = h * nth(parts, i).friction;
    const VectorXd v = dense_reference(M, v0, bound);
    worst = std::max(worst, (state.v - v).cwiseAbs().maxCoeff() / v0.cwiseAbs().maxCoeff());
    for (int i = 0; i < n; ++i) CHECK((v[i] != 0.0 || state.v[i] == 0.0));
  }
  MESSAGE("worst deviation " << worst);
  CHECK(worst <= 1e-9);
}

namespace {

// Hips with friction, dropped onto the plane.
Scenario dropped_hopper(double step) {
  Scenario scenario = test::hopper(0.0, 0.8);
  scenario.initial.v.tail<2>() << 1.0, -0.5;
  scenario.duration = 0.525;
  scenario.integrator = {"rk4", step, 0.0};
  scenario.contact.model = "viscous";
  scenario.record.every = 0.525;
  return scenario;
}

}  // namespace

// Contacts, impacts and joint friction in one run. The residual sees every force that does work
// without being booked; below 1e-12 J its slope means nothing.
TEST_CASE("with contacts and joint friction the energy residual falls at order four") {
  std::vector<double> residuals;
  for (int k = 0; k <= 3; ++k) {
    const JointOutcome outcome = simulate_joints(dropped_hopper(0.002 / 1.0173 / std::pow(2.0, k)));
    residuals.push_back(outcome.statistics.energy_residual_max);
    CHECK(outcome.statistics.fallbacks == 0);
    CHECK(outcome.overlap <= 1e-9);
    const auto of = [&](EventKind kind) { return nth(outcome.statistics.events, kind); };
    CHECK(of(EventKind::impact) > 0);
    CHECK(of(EventKind::joint_stick) > 0);
    CHECK(of(EventKind::joint_slip) > 0);
    MESSAGE(outcome.statistics.energy_residual_max
            << " J, sticks " << of(EventKind::joint_stick) << ", slips "
            << of(EventKind::joint_slip) << ", loss " << outcome.state.ledger.friction_loss);
  }
  CHECK(slope(residuals[0], residuals[3]) / 3.0 >= 3.7);
}

namespace {

Scenario standing_quadruped(double friction) {
  Scenario scenario = test::load("examples/quadruped/trot.yaml");
  for (Link& link : scenario.model.links)
    if (link.joint.type == JointType::revolute) link.joint.friction = friction;
  PdOptions options;
  options.kp = 300.0;
  options.kd = 5.0;
  scenario.controllers = {make_pd(scenario.model, 1, options)};
  scenario.duration = 2.0;
  scenario.record.every = 0.5;
  return scenario;
}

}  // namespace

// With all joints held and four feet on the ground the rows repeat each other many times.
TEST_CASE("a quadruped with joint friction stands still under pd") {
  const Scenario scenario = standing_quadruped(2.0);
  Simulation run(scenario);
  while (run.state().t < 1.5) REQUIRE(run.step());
  const VectorXd q = run.state().q;
  CHECK(run.state().v.cwiseAbs().maxCoeff() <= 1e-12);
  for (const JointMode& joint : run.state().joints) CHECK(run.state().v[joint.coordinate] == 0.0);
  const long before = test::allocations();
  while (run.state().t < 1.9) REQUIRE(run.step());
  CHECK(test::allocations() == before);
  const test::Referee referee = test::watch(run, scenario.model);
  CHECK((run.state().q - q).cwiseAbs().maxCoeff() <= 1e-12);
  CHECK(run.statistics().fallbacks == 0);
  CHECK(referee.overlap() <= 1e-9);
  CHECK(run.state().ledger.friction_loss > 0.0);
}

// The modes of the joints are part of the State, so a checkpoint resumes with the same bits.
TEST_CASE("a run with joint friction resumes from a checkpoint with the same bits") {
  for (const bool velocity : {true, false}) {
    Scenario scenario = velocity ? standing_quadruped(2.0) : driven(0.013);
    scenario.duration = velocity ? 0.2 : 2.0;
    Simulation whole(scenario);
    for (int i = 0; i < 90; ++i) REQUIRE(whole.step());
    Checkpoint checkpoint;
    checkpoint.state = whole.state();
    checkpoint.statistics = whole.statistics();
    const Checkpoint read = decode(encode(checkpoint));
    Simulation rest(scenario, read.state, read.statistics, {});
    whole.run();
    rest.run();
    CHECK(whole.state().q == rest.state().q);
    CHECK(whole.state().v == rest.state().v);
    CHECK(whole.state().ledger.friction_loss == rest.state().ledger.friction_loss);
  }
}

}  // namespace pequod
