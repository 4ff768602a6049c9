// An arm whose joints have friction (Drumwright & Shell 2010, Figs. 8 and 9): impulses once a step,
// and events, beside the law as it is written, whose steps must be a thousand times smaller.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "core/dynamics.h"

namespace pequod::app {
namespace {

constexpr double kArmStep = 0.01;  // s, H of the paper
constexpr int kAllJoints = -1;
constexpr int kElbow = 4;                            // velocity coordinate of the "bicep"
constexpr std::array kPitches{1, 4, 6};              // shoulder, elbow, wrist
constexpr std::array kWeights{3.644, 1.035, 0.108};  // N·m, their gravity torques at the start

/// Friction of all joints.
struct ArmFriction {
  double coulomb, viscous;  // N·m, N·m·s/rad
};
constexpr ArmFriction kFigure8{5.0, 0.0}, kFigure9{0.25, 0.1};

/// Joint positions and velocities, every H.
struct ArmMotion {
  std::vector<double> t;
  std::vector<VectorXd> q, v;
};

Scenario arm_with(const Stage& stage, const ArmFriction& friction) {
  Scenario scenario = stage.load("arm");
  for (Link& link : scenario.model.links) {
    link.joint.friction = friction.coulomb;
    link.joint.damping = friction.viscous;
  }
  return scenario;
}

ArmMotion run_arm(Scenario scenario, const std::string& method, double step) {
  scenario.integrator = {method, step, 0.0};
  ArmMotion motion;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    motion.t.push_back(state.t);
    motion.q.push_back(state.q);
    motion.v.push_back(state.v);
  };
  Simulation(scenario, observer).run();
  return motion;
}

// The acceleration-level model: M v̇ = −h − μv v − μc sgn v, by symplectic Euler. It ends early if
// its velocities run away.
ArmMotion run_written_law(const Scenario& scenario, const ArmFriction& friction, double step) {
  const auto sign = [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); };
  const int every = static_cast<int>(std::lround(kArmStep / step));
  const int steps = static_cast<int>(std::lround(scenario.duration / step));
  VectorXd q = scenario.initial.q, v = scenario.initial.v, force, bias;
  Kinematics kin;
  MassMatrix M;
  MassFactor factor;
  ArmMotion motion;
  for (int i = 0; i <= steps && v.allFinite(); ++i) {
    if (i % every == 0) {
      motion.t.push_back(i * step);
      motion.q.push_back(q);
      motion.v.push_back(v);
    }
    compute_kinematics(scenario.model, q, v, kin);
    bias_force(scenario.model, kin, bias);
    compute_mass_matrix(scenario.model, kin, M);
    factor_mass_matrix(scenario.model, kin, M, factor);
    force = -bias - friction.viscous * v - friction.coulomb * v.unaryExpr(sign);
    factor.solve(scenario.model, force);
    v += step * force;
    q += step * v;
  }
  return motion;
}

// Largest difference of a joint's velocities, all records; A motion that ended
// early is infinitely far.
double arm_apart(const ArmMotion& a, const ArmMotion& b, int joint = kAllJoints) {
  if (a.t.size() != b.t.size()) return kInfinity;
  double most = 0.0;
  for (std::size_t i = 0; i < a.t.size(); ++i) {
    const VectorXd d = a.v[i] - b.v[i];
    most = std::max(most, joint == kAllJoints ? d.lpNorm<Eigen::Infinity>() : std::abs(d[joint]));
  }
  return most;
}

double arm_peak(const ArmMotion& motion, int joint = kAllJoints) {
  ArmMotion still = motion;
  for (VectorXd& v : still.v) v.setZero();
  return arm_apart(motion, still, joint);
}

std::string step_name(double step) {
  const long part = std::lround(kArmStep / step);
  return part == 1 ? "H" : fmt::format("H/{}", part);
}

void draw_bicep(const Stage& stage, const std::string& title,
                const std::vector<std::pair<std::string, const ArmMotion*>>& motions) {
  for (const bool velocity : {false, true}) {
    Chart chart{title,
                "time, s",
                velocity ? "velocity of the bicep, rad/s" : "position of the bicep, rad",
                false,
                {}};
    for (const auto& [name, motion] : motions) {
      Curve curve{name, {}};
      for (std::size_t i = 0; i < motion->t.size(); ++i)
        curve.points.emplace_back(motion->t[i], (velocity ? motion->v : motion->q)[i][kElbow]);
      chart.curves.push_back(std::move(curve));
    }
    stage.draw(chart_svg(chart));
  }
}

// Fig. 8: friction can hold all joints.
void arm_sticks(const Stage& stage) {
  const Scenario scenario = arm_with(stage, kFigure8);
  const ArmMotion ours = run_arm(scenario, "symplectic-euler", kArmStep);
  double drift = 0.0;
  for (const VectorXd& q : ours.q)
    drift = std::max(drift, (q - ours.q.front()).lpNorm<Eigen::Infinity>());
  stage.at_most("arm", "Fig. 8, step H: largest velocity, rad/s", arm_peak(ours), 1e-9, "sticks");
  stage.at_most("arm", "Fig. 8, step H: drift in 2 s, rad", drift, 1e-9, "sticks");
  const State end = simulate(scenario).state;
  double off = 0.0;
  for (std::size_t i = 0; i < kPitches.size(); ++i)
    off = std::max(off, std::abs(std::abs(nth(end.joints, kPitches[i]).force) - kWeights[i]));
  stage.at_most("arm", "Fig. 8: friction off the torques of gravity, N m, 3 digits", off, 5e-4);

  Table table{
      "Fig. 8: the law as written; impulses stick with every step",
      {"step", "largest velocity, rad/s", "of the bicep, rad/s", "bicep off at the end, rad"},
      {}};
  std::vector<ArmMotion> written;
  for (const double part : {1.0, 10.0, 100.0, 1000.0}) {
    written.push_back(run_written_law(scenario, kFigure8, kArmStep / part));
    const ArmMotion& motion = written.back();
    table.rows.push_back({step_name(kArmStep / part), arm_peak(motion), arm_peak(motion, kElbow),
                          motion.q.back()[kElbow] - motion.q.front()[kElbow]});
  }
  stage.show(table);
  stage.at_most("arm",
                "Fig. 8, law as written: chatter at H/100 over 10 times that at H/1000, off 1",
                std::abs(arm_peak(written[2]) / (10.0 * arm_peak(written[3])) - 1.0), 0.1);
  draw_bicep(stage, "Fig. 8: μc 5 N·m",
             {{"impulses, H", &ours},
              {"as written, H/100", &written[2]},
              {"as written, H/1000", &written[3]}});
}

/// What is compared in Fig. 9.
struct Fall {
  ArmMotion truth;            // RK4 at H/10
  ArmMotion impulses, finer;  // QP 4 at H, at H/10
  ArmMotion events;           // RK4 at H
  ArmMotion written;          // the law as written at H/1000
};

// How far the velocities are from the truth, and the largest step of the law as written that is as
// good as impulses at H.
void show_errors(const Stage& stage, const Scenario& scenario, const Fall& fall) {
  Table table{"Fig. 9: velocities off those of RK4 at H/10, over the peak",
              {"how", "step", "shoulder", "elbow", "wrist, rad/s", "all, over the peak of all"},
              {}};
  const auto add = [&](const std::string& name, double step, const ArmMotion& motion) {
    const auto relative = [&](int joint) {
      return arm_apart(motion, fall.truth, joint) / arm_peak(fall.truth, joint);
    };
    table.rows.push_back({name, step_name(step), relative(kPitches[0]), relative(kElbow),
                          arm_apart(motion, fall.truth, kPitches[2]), relative(kAllJoints)});
  };
  add("impulses (QP 4)", kArmStep, fall.impulses);
  add("impulses (QP 4)", kArmStep / 10.0, fall.finer);
  add("events, RK4", kArmStep, fall.events);
  double equal = kNaN;  // s
  for (const double part : {1.0, 10.0, 30.0, 100.0, 300.0, 1000.0}) {
    const double step = kArmStep / part;
    const ArmMotion motion =
        part == 1000.0 ? fall.written : run_written_law(scenario, kFigure9, step);
    add("law as written", step, motion);
    if (std::isnan(equal) && arm_apart(motion, fall.truth) <= arm_apart(fall.impulses, fall.truth))
      equal = step;
  }
  stage.show(table);
  stage.show({"Fig. 9: H over the step of the law as written that is as good as impulses at H",
              {"ratio", "published"},
              {{kArmStep / equal, "three orders"}}});
}

// Fig. 9: shoulder and elbow move.
void arm_moves(const Stage& stage) {
  const Scenario scenario = arm_with(stage, kFigure9);
  const Fall fall{
      run_arm(scenario, "rk4", kArmStep / 10.0), run_arm(scenario, "symplectic-euler", kArmStep),
      run_arm(scenario, "symplectic-euler", kArmStep / 10.0), run_arm(scenario, "rk4", kArmStep),
      run_written_law(scenario, kFigure9, kArmStep / 1000.0)};
  show_errors(stage, scenario, fall);
  const char* peer = "curves coincide";
  stage.at_most("arm", "Fig. 9: impulses at H off the law as written at H/1000, of the peak",
                arm_apart(fall.impulses, fall.written) / arm_peak(fall.truth), 0.02, peer);
  const double own = arm_peak(fall.truth, kElbow);
  stage.at_most("arm", "Fig. 9: bicep: impulses at H/10 off the same, of its own peak",
                arm_apart(fall.finer, fall.written, kElbow) / own, 0.02, peer);
  stage.at_most("arm", "Fig. 9: bicep: events, RK4 at H off the same, of its own peak",
                arm_apart(fall.events, fall.written, kElbow) / own, 0.02, peer);
  stage.at_most("arm", "Fig. 9: error of events, RK4 at H over that of the law at H/1000",
                arm_apart(fall.events, fall.truth) / arm_apart(fall.written, fall.truth), 1.0,
                "three orders between the steps");
  draw_bicep(stage, "Fig. 9: μc 0.25 N·m, μv 0.1 N·m·s",
             {{"impulses, H", &fall.impulses},
              {"events, RK4, H", &fall.events},
              {"as written, H/1000", &fall.written}});
}

// A wheel on an axis without gravity, of 0.5 kg m², spun at 2 rad/s.
void wheel(const Stage& stage) {
  constexpr double kInertia = 0.5, kSpeed = 2.0, kDrag = 10.0, kBrake = 0.3;
  Scenario scenario = stage.load("wheel");
  scenario.model.links[0].joint.damping = kDrag;
  const ArmMotion slowed = run_arm(scenario, "symplectic-euler", kArmStep);
  const double factor = 1.0 - kArmStep * kDrag / kInertia;
  double off = 0.0;
  for (std::size_t i = 0; i < slowed.t.size(); ++i)
    off =
        std::max(off, std::abs(slowed.v[i][0] - kSpeed * std::pow(factor, static_cast<double>(i))));
  stage.at_most("wheel", "μv alone: velocity off (1 − h μv/I)ⁿ, rad/s", off, 1e-14);

  scenario.model.links[0].joint.damping = 0.0;
  scenario.model.links[0].joint.friction = kBrake;
  const ArmMotion stopped = run_arm(scenario, "symplectic-euler", kArmStep);
  std::size_t moving = 0, steps = 0;
  for (std::size_t i = 0; i < stopped.t.size(); ++i) {
    if (stopped.v[i][0] != 0.0) steps = i + 1;
    moving += stopped.v[i][0] != 0.0;
  }
  const double asked = std::ceil(kInertia * kSpeed / (kArmStep * kBrake));
  stage.at_most("wheel", "μc alone: steps until it stops, off ⌈I v/(h μc)⌉",
                std::abs(static_cast<double>(steps) - asked), 0.0);
  stage.at_most("wheel", "μc alone: records that are not at rest after that",
                std::abs(static_cast<double>(moving) - asked), 0.0);
}

}  // namespace

extern const Experiment kArm{
    "arm",
    "an arm whose joints have friction (Drumwright & Shell 2010, Figs. 8 and 9)",
    {arm_sticks, arm_moves, wheel},
    "examples/arm"};

}  // namespace pequod::app
