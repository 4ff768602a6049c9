// Impulses without an approach: where Coulomb's law has no force, and where nothing may slip.
#include <algorithm>
#include <cmath>
#include <string>

#include "contact/loop_rows.h"
#include "simulation/errors.h"
#include "simulation/settle.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

// The approach that tips the balance, as a share of the velocities: well above what solvers accept
// as a residual (1e-8), so that none takes it for no approach. What it leaves is projected away.
constexpr double kApproach = 1e-6;
constexpr double kLeft = 10.0;  // speeds up to this times the approach are what it leaves

// The largest share s ≤ 1 of impulses that act on y, with ½|y + s change|² ≤ ½|y|²: they were found
// for an approach that is not there.
double share_without_gain(const VectorXd& y, const VectorXd& change) {
  const double squared = change.squaredNorm();
  return squared > 0.0 ? std::clamp(-2.0 * y.dot(change) / squared, 0.0, 1.0) : 1.0;
}

}  // namespace

bool Settler::strike(State& state, Touching& touching, std::vector<EventRow>& events) {
  const Model& model = scenario_->model;
  find(state, touching);
  candidates_ = touching;
  compute_biases(model, here_->kinematics(), candidates_);
  classify_joints(state);
  compute_free_acceleration(*scenario_, *here_, state, state.v, candidates_, false, free_,
                            sliding_joints());
  find_islands(model, candidates_.contacts, islands_, tree_offset_);
  impulse_.assign(touching.size(), Vector3d::Zero());
  sticking_.assign(touching.size(), 0);
  before_.clear();
  for (const Contact& contact : touching.contacts)
    before_.push_back(normal_velocity(model, here_->kinematics(), contact, state.v));
  VectorXd v = state.v;
  double loss = 0.0;
  for (const Island& island : islands_)
    if (!island.contacts.empty()) loss += strike_island(state, island, v);
  if (no_impulses()) return false;
  state.v = v;
  close_struck(state, touching, loss);
  state.ledger.impact_loss += loss;
  report_impulses(state, touching, EventKind::painleve, loss, events);
  return true;
}

bool Settler::no_impulses() const {
  return std::all_of(impulse_.begin(), impulse_.end(),
                     [](const Vector3d& p) { return p.isZero(0.0); });
}

// Contacts that the impulses left with no more than the approach that they were given are closed.
void Settler::close_struck(State& state, const Touching& touching, double& loss) {
  const Model& model = scenario_->model;
  here_->at(state.q, state.v);
  const double left =
      kLeft * kApproach * std::sqrt(2.0 * kinetic_energy(model, here_->kinematics(), state.v));
  candidates_.clear();
  close_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (std::abs(normal_velocity(model, here_->kinematics(), contact, state.v)) > left) continue;
    candidates_.add(touching, i);
    close_.push_back(sticking_[i]);
  }
  project(state, candidates_, close_, loss);
}

// A velocity-level solve of vanishing length: v* = v + δ v̇_free, whose impulses act on v.
double Settler::strike_island(const State& state, const Island& island, VectorXd& v) {
  const auto contact_time = clock_->during(StepPart::contact);
  const Model& model = scenario_->model;
  assemble_rows(model, here_->kinematics(), here_->factor(), candidates_.contacts, island,
                tree_offset_, problem_);
  gather(model, island, free_.vdot, problem_.y);
  island_apply_L(model, here_->factor(), island, problem_.y);
  problem_.c.resize(problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    problem_.c[i] =
        -candidates_
             .contacts[static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)])]
             .bias;
  if (!island.loops.empty()) {
    loop_rates(model, here_->kinematics(), island, e_);
    hold_loops(e_, problem_);
  }
  gather(model, island, v, part_);
  island_apply_L(model, here_->factor(), island, part_);
  const double delta = kApproach * part_.norm() / std::max(problem_.y.norm(), 1e-300);
  problem_.c *= delta;
  problem_.y = part_ + delta * problem_.y;
  model_->solve(problem_, *solver_, {}, workspace_, solution_);
  if (solution_.status != LeastDistanceStatus::solved)
    throw ContactError("solver '" + std::string(solver_->name) +
                       "' did not find the impulse of contacts without a force at t = " +
                       std::to_string(state.t) + " s: " + solution_.reason);
  stats_.solves += 1;
  stats_.pivots += solution_.pivots;
  VectorXd change = solution_.y - problem_.y;  // what the impulses did
  const double share = share_without_gain(part_, change);
  change *= share;
  for (int i = 0; i < problem_.n; ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
    const double pt = std::hypot(solution_.ft[2 * i], solution_.ft[2 * i + 1]);
    impulse_[index] = share * Vector3d(solution_.fn[i], pt, 0.0);
    sticking_[index] = solution_.sticking[static_cast<std::size_t>(i)];
  }
  const double loss = -change.dot(part_ + 0.5 * change);
  part_ += change;
  island_solve_L(model, here_->factor(), island, part_);
  scatter(model, island, part_, v);
  return loss;
}

// Under infinite friction a touching contact that slips does so for no time.
bool Settler::must_grip(const State& state, const Touching& touching) const {
  if (model_->friction != StageFriction::no_slip || model_->level == ContactLevel::velocity)
    return false;
  const Model& model = scenario_->model;
  return std::any_of(touching.contacts.begin(), touching.contacts.end(), [&](const Contact& c) {
    return normal_velocity(model, here_->kinematics(), c, state.v) <= kSpeedTolerance &&
           slip_velocity(model, here_->kinematics(), c).norm() > kSlipRest;
  });
}

}  // namespace pequod
