#include "simulation/gain_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/decompositions.h"
#include "integrators/integrator.h"
#include "simulation/evaluate.h"
#include "simulation/tolerances.h"

namespace pequod {
namespace {

// Joints that gains or damping act on, at the start of the run.
struct SampledJoints {
  MatrixXd W;             // of M⁻¹
  VectorXd kp, kd, damp;  // of each joint
};

SampledJoints sampled_joints(const Scenario& scenario, const Controller& controller) {
  const Model& model = scenario.model;
  VectorXd kp = VectorXd::Zero(model.nv), kd = kp, damp = kp;
  for (const JointGain& gain : controller.gains) {
    const int v = nth(model.links, gain.link).joint.v_index;
    kp[v] = gain.kp;
    kd[v] = gain.kd;
  }
  const Entity& robot = nth(model.entities, controller.entity);
  for (int i = robot.first_link; i < robot.first_link + robot.links; ++i) {
    const Joint& joint = nth(model.links, i).joint;
    damp.segment(joint.v_index, velocity_count(joint.type)).setConstant(joint.damping);
  }
  std::vector<int> which;
  for (int v = 0; v < model.nv; ++v)
    if (kp[v] > 0.0 || kd[v] > 0.0 || damp[v] > 0.0) which.push_back(v);

  Evaluator start(model);
  start.at_position(scenario.initial.q);
  SampledJoints joints;
  const auto n = static_cast<Eigen::Index>(which.size());
  joints.W.resize(n, n);
  VectorXd column;
  for (Eigen::Index j = 0; j < n; ++j) {
    column = VectorXd::Unit(model.nv, nth(which, j));
    start.factor().solve(model, column);
    joints.W.col(j) = column(which);
  }
  joints.kp = kp(which);
  joints.kd = kd(which);
  joints.damp = damp(which);
  return joints;
}

// Of (q, q̇) from one tick to the next, T later, in steps no longer than `step`.
MatrixXd tick_map(const SampledJoints& joints, int order, double T, double step) {
  constexpr double kMostSteps = 64;  // more are as good as exact
  const Eigen::Index n = joints.kp.size();
  const int steps =
      static_cast<int>(std::clamp(std::ceil(T / step * (1.0 - 1e-9)), 1.0, kMostSteps));
  const double h = T / steps;
  const MatrixXd E = -joints.W * joints.damp.asDiagonal();
  MatrixXd map = MatrixXd::Identity(2 * n, 2 * n), held(n, 2 * n);
  held << -joints.W * MatrixXd(joints.kp.asDiagonal()),
      -joints.W * MatrixXd(joints.kd.asDiagonal());
  Eigen::Ref<MatrixXd> q = map.topRows(n), v = map.bottomRows(n);
  for (int i = 0; i < steps; ++i) {
    MatrixXd dv = E * v + held;
    if (order == 1) {
      v += h * dv;
      q += h * v;
      continue;
    }
    // A Runge–Kutta step of a linear equation is Taylor's series up to its order.
    MatrixXd dq = v;
    double factor = h;
    for (int k = 1; k <= order; ++k) {
      q += factor * dq;
      v += factor * dv;
      dq = dv;
      dv = E * dv;
      factor *= h / (k + 1);
    }
  }
  return map;
}

double spectral_radius(const MatrixXd& A) { return general_eigenvalues(A).cwiseAbs().maxCoeff(); }

// Spectral radius of that map for a period T.
double growth_a_tick(const Scenario& scenario, const SampledJoints& joints, double T) {
  if (joints.kp.size() == 0) return 1.0;
  const int order = integrator_info(scenario.integrator.method).order;
  return spectral_radius(tick_map(joints, order, T, scenario.integrator.step));
}

}  // namespace

double gain_growth(const Scenario& scenario, const Controller& controller) {
  const double radius =
      growth_a_tick(scenario, sampled_joints(scenario, controller), controller.period);
  return radius <= 1.0 + kGrowthPerTick ? 0.0 : std::log(radius) / controller.period;
}

double longest_stable_period(const Scenario& scenario, const Controller& controller) {
  constexpr int kLonger = 10, kShorter = 6;  // a thousand times longer, a sixty-fourth
  constexpr int kHalvings = 12;              // of the bracket
  const SampledJoints joints = sampled_joints(scenario, controller);
  const auto stable = [&](double T) {
    return growth_a_tick(scenario, joints, T) <= 1.0 + kGrowthPerTick;
  };
  double good = controller.period, bad = controller.period;
  if (stable(controller.period)) {
    for (int i = 0; i < kLonger && good == bad; ++i) {
      bad = 2.0 * good;
      if (stable(bad)) good = bad;
    }
    if (good == bad) return kInfinity;
  } else {
    for (int i = 0; i < kShorter && good == bad; ++i) {
      good = 0.5 * bad;
      if (!stable(good)) bad = good;
    }
    if (good == bad) return 0.0;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (good + bad);
    (stable(middle) ? good : bad) = middle;
  }
  return good;
}

std::string gain_warning(const Scenario& scenario, const Controller& controller) {
  if (controller.gains.empty()) return {};
  const double growth = gain_growth(scenario, controller);
  // Gains that overflow are not finite here; the run names their effort.
  if (!std::isfinite(growth) || growth * scenario.duration < kSeenGrowth) return {};
  const std::string start =
      fmt::format("gains make the joints swing up, by a factor e every {:.3g} s: ", 1.0 / growth);
  const double longest = longest_stable_period(scenario, controller);
  if (longest == 0.0)
    return start + fmt::format(
                       "efforts are held for {:g} s between ticks, and nothing damps "
                       "them; raise kd",
                       controller.period);
  // Of the two bounds of one joint, T < 2 kd/kp does not know its inertia.
  const bool weak = std::ranges::any_of(controller.gains, [&](const JointGain& gain) {
    return controller.period * gain.kp > 2.0 * gain.kd;
  });
  return start + fmt::format(
                     "efforts are held for {:g} s between ticks, and they are stable up "
                     "to {:.3g} s; shorten controller.period, or {}",
                     controller.period, longest, weak ? "raise kd" : "lower kd");
}

}  // namespace pequod
