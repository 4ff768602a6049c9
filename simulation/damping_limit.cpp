#include "simulation/damping_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/decompositions.h"
#include "core/springs.h"
#include "integrators/integrator.h"
#include "simulation/errors.h"

namespace pequod {
namespace {

// √d times the row of each rate that is damped: coordinates of joints, lengths of springs.
using DampedRows = std::vector<VectorXd>;

void append_joints(const Model& model, const Tree& tree, DampedRows& rows) {
  for (int i = tree.first_link; i < tree.first_link + tree.links; ++i) {
    const Joint& joint = nth(model.links, i).joint;
    for (int k = 0; k < velocity_count(joint.type) && joint.damping > 0.0; ++k)
      rows.emplace_back(std::sqrt(joint.damping) * VectorXd::Unit(model.nv, joint.v_index + k));
  }
}

DampedRows damper_rows(const Evaluator& here) {
  const Kinematics& kin = here.kinematics();
  DampedRows rows;
  for (const Spring& spring : here.model().springs) {
    if (spring.damping == 0.0) continue;
    rows.emplace_back(VectorXd::Zero(here.model().nv));
    add_length_row(here.model(), kin, spring, spring_line(spring, kin), std::sqrt(spring.damping),
                   rows.back());
  }
  return rows;
}

// The largest eigenvalue of R M⁻¹ Rᵀ, of rows that are zero but for `nv` entries from `first` on.
double rate_of(const Evaluator& here, const DampedRows& rows, int first, int nv) {
  if (rows.empty()) return 0.0;
  const auto size = static_cast<Eigen::Index>(rows.size());
  MatrixXd A(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    VectorXd x = nth(rows, j);
    here.factor().solve(here.model(), x);
    for (Eigen::Index i = 0; i < size; ++i)
      A(i, j) = nth(rows, i).segment(first, nv).dot(x.segment(first, nv));
  }
  return symmetric_eigenvalues(A)[size - 1];
}

// The link whose joint's damping gave most over a step; −1: none did.
int giving_link(const Model& model, const VectorXd& v0, const VectorXd& v1) {
  int giving = -1;
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
  const Model& model = here.model();
  DampedRows rows = damper_rows(here);
  if (!rows.empty()) {  // which may join trees
    for (const Tree& tree : model.trees) append_joints(model, tree, rows);
    return rate_of(here, rows, 0, model.nv);
  }
  double rate = 0.0;
  for (const Tree& tree : model.trees) {
    rows.clear();
    append_joints(model, tree, rows);
    rate = std::max(rate, rate_of(here, rows, tree.first_v, tree.nv));
  }
  return rate;
}

double damping_rate_at_start(const Scenario& scenario) {
  const auto is_damped = [](const Link& link) { return link.joint.damping > 0.0; };
  const auto is_damper = [](const Spring& spring) { return spring.damping > 0.0; };
  if (std::ranges::none_of(scenario.model.links, is_damped) &&
      std::ranges::none_of(scenario.model.springs, is_damper))
    return 0.0;
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
      "damping is too stiff for the step: it decays at {:.3g} 1/s, {} is unstable "
      "with steps beyond {:.3g} s, and integrator.step is {:g} s; shorten it to {:.1g} s, or "
      "lower the damping",
      rate, integrator.method, longest, integrator.step, 0.5 * longest);
}

std::string damping_note(const Scenario& scenario, const Evaluator& here) {
  return damping_warning(scenario, std::max(damping_rate(here), damping_rate_at_start(scenario)));
}

void require_damping(const Scenario& scenario, const Evaluator& start, const VectorXd& v0,
                     const VectorXd& v1, const VectorXd* other, double loss, double still) {
  if (!(loss < 0.0)) return;
  const double K0 = kinetic_energy_of(start, v0), K1 = kinetic_energy_of(start, v1);
  const double K = other ? kinetic_energy_of(start, *other) : 0.0;
  const Model& model = scenario.model;
  const double most =
      std::max((std::sqrt(2.0) - 1.0) * (K0 + K1), 2.0 * (std::sqrt(K * K0) + std::sqrt(K * K1)));
  if (-loss <= std::max(most, total_mass(model) * still * still)) return;
  const std::string note = damping_note(scenario, start);
  const int giving = giving_link(model, v0, v1);
  throw DivergenceError(fmt::format(
      "damping, which can only take energy, gave {:.3g} J in one step, most of it at {}{}{}", -loss,
      giving < 0 ? "springs" : fmt::format("the joint of '{}'", link_name(model, giving)),
      note.empty() ? "" : ": ", note));
}

}  // namespace pequod
