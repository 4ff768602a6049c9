#include "simulation/damping_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/decompositions.h"
#include "integrators/integrator.h"
#include "simulation/errors.h"

namespace pequod {
namespace {

// Velocity coordinates of a tree that are damped, and √d of each.
struct DampedTree {
  std::vector<int> coordinates;
  std::vector<double> root;
};

DampedTree damped_coordinates(const Model& model, const Tree& tree) {
  DampedTree damped;
  for (int i = tree.first_link; i < tree.first_link + tree.links; ++i) {
    const Joint& joint = model.links[static_cast<std::size_t>(i)].joint;
    for (int k = 0; k < velocity_count(joint.type) && joint.damping > 0.0; ++k) {
      damped.coordinates.push_back(joint.v_index + k);
      damped.root.push_back(std::sqrt(joint.damping));
    }
  }
  return damped;
}

// The largest eigenvalue of √D M⁻¹ √D.
double tree_rate(const Evaluator& here, const DampedTree& damped) {
  const std::size_t n = damped.coordinates.size();
  if (n == 0) return 0.0;
  const auto size = static_cast<Eigen::Index>(n);
  MatrixXd A(size, size);
  VectorXd x;
  for (std::size_t j = 0; j < n; ++j) {
    x.setZero(here.model().nv);
    x[damped.coordinates[j]] = damped.root[j];
    here.factor().solve(here.model(), x);
    for (std::size_t i = 0; i < n; ++i)
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          damped.root[i] * x[damped.coordinates[i]];
  }
  return symmetric_eigenvalues(A)[size - 1];
}

// The link whose joint's damping gave most over a step.
int giving_link(const Model& model, const VectorXd& v0, const VectorXd& v1) {
  int giving = 0;
  double least = 0.0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Joint& joint = model.links[i].joint;
    const int n = velocity_count(joint.type);
    const auto start = v0.segment(joint.v_index, n);
    const double taken = joint.damping * start.dot(start + v1.segment(joint.v_index, n));
    if (taken >= least) continue;
    least = taken;
    giving = static_cast<int>(i);
  }
  return giving;
}

// ½ vᵀM v at the pose of the terms.
double kinetic_energy_of(const Evaluator& here, const VectorXd& v) {
  double twice = 0.0;
  for (std::size_t k = 0; k < here.model().trees.size(); ++k) {
    const Tree& tree = here.model().trees[k];
    VectorXd y = v.segment(tree.first_v, tree.nv);
    here.factor().apply_L(here.model(), static_cast<int>(k),
                          {y.data(), static_cast<std::size_t>(y.size())});
    twice += y.squaredNorm();
  }
  return 0.5 * twice;
}

}  // namespace

double damping_rate(const Evaluator& here) {
  double rate = 0.0;
  for (const Tree& tree : here.model().trees)
    rate = std::max(rate, tree_rate(here, damped_coordinates(here.model(), tree)));
  return rate;
}

double damping_rate_at_start(const Scenario& scenario) {
  const auto is_damped = [](const Link& link) { return link.joint.damping > 0.0; };
  if (std::ranges::none_of(scenario.model.links, is_damped)) return 0.0;
  Evaluator start(scenario.model);
  start.at_position(scenario.initial.q);
  return damping_rate(start);
}

double longest_stable_step(const IntegratorOptions& integrator, double rate) {
  if (rate <= 0.0 || integrator.tolerance > 0.0) return kInfinity;
  return integrator_info(integrator.method).damping_limit / rate;
}

std::string damping_warning(const Scenario& scenario, double rate) {
  const IntegratorOptions& integrator = scenario.integrator;
  const double longest = longest_stable_step(integrator, rate);
  if (!(integrator.step > longest)) return {};
  return fmt::format(
      "the damping of joints is too stiff for the step: it decays at {:.3g} 1/s, {} is unstable "
      "with steps beyond {:.3g} s, and integrator.step is {:g} s; shorten it to {:.1g} s, or "
      "lower the damping",
      rate, integrator.method, longest, integrator.step, 0.5 * longest);
}

std::string damping_note(const Scenario& scenario, const Evaluator& here) {
  return damping_warning(scenario, std::max(damping_rate(here), damping_rate_at_start(scenario)));
}

void require_damping(const Scenario& scenario, const Evaluator& start, const VectorXd& v0,
                     const VectorXd& v1, double loss) {
  if (!(loss < 0.0)) return;
  const double ends = kinetic_energy_of(start, v0) + kinetic_energy_of(start, v1);
  if (-loss <= (std::sqrt(2.0) - 1.0) * ends) return;
  const Model& model = scenario.model;
  const std::string note = damping_note(scenario, start);
  throw DivergenceError(fmt::format(
      "damping, which can only take energy, gave {:.3g} J in one step, most of it at the joint of "
      "'{}'{}{}",
      -loss, link_name(model, giving_link(model, v0, v1)), note.empty() ? "" : ": ", note));
}

}  // namespace pequod
