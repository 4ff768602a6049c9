// The modes that FrictionModes tries where not everything sticks.
#include <algorithm>
#include <cmath>

#include "contact/loop_rows.h"
#include "contact/models/friction_form.h"
#include "contact/solvers/baraff.h"
#include "contact/solvers/coulomb_chain.h"
#include "simulation/friction_modes.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

std::size_t contact_at(const Island& island, int i) {
  return static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
}

}  // namespace

// modes_ with every contact at rest that sticks in trial_ sliding instead. Directions: from against
// the friction that held it, then d ← d + a_t/2μg at the look-ahead; d ← a_t alone diverges.
// @return whether they settled
bool FrictionModes::slide_from_rest(const Touching& touching, double look) {
  constexpr int kRounds = 40;
  constexpr double kSettled = 1e-9;
  modes_ = closed_modes_;
  bool any = false;
  for (ContactMode& mode : modes_) {
    if (!mode.sticking) continue;
    const Vector3d force = find_mode(trial_, mode.key)->force_W;
    const Vector3d friction = force - mode.normal_W * mode.normal_W.dot(force);
    if (friction.norm() <= 0.0) return false;
    mode.sticking = false;
    mode.slide = {SlideKind::starting, -friction.normalized()};
    any = true;
  }
  ahead_ = trial_;
  for (int round = 0; any && round < kRounds; ++round) {
    ahead_.mode = modes_;
    sort_modes(ahead_);
    stepper_->begin(ahead_, touching);
    probe_ = stepper_->at(look);
    if (turn_directions(look) <= kSettled) return true;
  }
  return false;
}

// One round of that from the slip at the end of the stepper's step. @return the largest turn
double FrictionModes::turn_directions(double look) {
  const double gravity = std::max(1.0, scenario_->model.gravity.norm());
  double turn = 0.0;
  for (const Contact& contact : stepper_->held().touching.contacts) {
    const auto mode = std::find_if(modes_.begin(), modes_.end(),
                                   [&](const ContactMode& m) { return m.key == contact.key; });
    if (mode->slide.kind != SlideKind::starting) continue;
    const Vector3d slip = slip_velocity(scenario_->model, stepper_->end().kinematics(), contact);
    Vector3d& d = mode->slide.direction_W;
    const double mu =
        model_->friction == StageFriction::no_slip ? kYieldFriction : contact.surface.friction;
    const Vector3d turned = (d + slip / (2.0 * look * mu * gravity)).normalized();
    turn = std::max(turn, (turned - d).norm());
    d = turned;
  }
  return turn;
}

// v̇ at a state under Coulomb's law in vdot_; what it opens leaves modes_, what it moves slides.
bool FrictionModes::solve_accelerations(const State& state) {
  const Model& model = scenario_->model;
  here_.at(state.q, state.v);
  const Kinematics& kin = here_.kinematics();
  copy_poses(kin, X_WL_);
  followed_ = candidates_;
  follow_touching(model, X_WL_, state.q, followed_);
  compute_biases(model, kin, followed_);
  compute_free_acceleration(*scenario_, here_, state, state.v, followed_, false, free_, joints_);
  const auto contact_time = clock_->during(StepPart::contact);
  vdot_ = free_.vdot;
  opens_.assign(candidates_.size(), 0);
  find_islands(model, followed_.contacts, islands_, tree_offset_, joints_at_rest_);
  for (const Island& island : islands_) {
    if (island.contacts.empty() && island.joints.empty()) continue;  // a loop by itself
    pose_island(island);
    if (solves_by_rows_)
      solve_by_rows();
    else
      solve_by_cones();
    stats_.solves += 1;
    stats_.pivots += workspace_.friction_solution.iterations;
    if (workspace_.friction_solution.status != FrictionStatus::solved) return false;
    read_island(island);
  }
  for (std::size_t i = opens_.size(); i-- > 0;)
    if (opens_[i]) modes_.erase(modes_.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

// workspace_.friction in accelerations and forces. A contact that slides has the one force n − μ d.
void FrictionModes::pose_island(const Island& island) {
  const Model& model = scenario_->model;
  const Kinematics& kin = here_.kinematics();
  assemble_rows(model, kin, here_.factor(), followed_.contacts, island, tree_offset_, problem_);
  if (!island.joints.empty())
    assemble_joint_rows(model, here_.factor(), island, tree_offset_, problem_);
  gather(model, island, free_.vdot, problem_.y);
  island_apply_L(model, here_.factor(), island, problem_.y);
  problem_.c.resize(problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    problem_.c[i] = -followed_.contacts[contact_at(island, i)].bias;
  if (!island.loops.empty()) {
    problem_.rest.setZero(problem_.joints.columns());
    loop_rates(model, kin, island, loop_e_);
    hold_loops(loop_e_, problem_);
  }
  pose_friction(problem_, true, workspace_);
  FrictionProblem& out = workspace_.friction;
  const bool no_slip = model_->friction == StageFriction::no_slip;
  for (int i = 0; i < problem_.n; ++i) {
    const std::size_t index = contact_at(island, i);
    const Contact& contact = followed_.contacts[index];
    if (no_slip && !is_joint_limit(contact.key)) out.mu[i] = kYieldFriction;
    if (at_rest_[index]) {
      const Vector3d rate = slip_bias(model, kin, followed_.points[index]);
      out.q[3 * i + 1] += contact.s_W.dot(rate) + tangent_in_loops(problem_, 2 * i);
      out.q[3 * i + 2] += contact.t_W.dot(rate) + tangent_in_loops(problem_, 2 * i + 1);
      continue;
    }
    const SlideMode& slide = closed_modes_[index].slide;
    const Vector3d d = slide.kind == SlideKind::moving
                           ? slip_velocity(model, kin, contact).normalized()
                           : slide.direction_W;
    const double mu = out.mu[i];
    out.W.col(3 * i) -= mu * (contact.s_W.dot(d) * out.W.col(3 * i + 1) +
                              contact.t_W.dot(d) * out.W.col(3 * i + 2));
    workspace_.columns.col(3 * i) -= mu * (contact.s_W.dot(d) * workspace_.columns.col(3 * i + 1) +
                                           contact.t_W.dot(d) * workspace_.columns.col(3 * i + 2));
    out.mu[i] = 0.0;
  }
}

void FrictionModes::solve_by_cones() {
  solve_coulomb(workspace_.friction, {}, {}, workspace_.friction_solver,
                workspace_.friction_solution);
  if (watch_.modes) watch_.modes(workspace_.friction, workspace_.friction_solution);
}

// The same problem with friction bounded along each tangent (Baraff 1994, sec. 5), its answer as
// that of a friction solver.
void FrictionModes::solve_by_rows() {
  const FrictionProblem& in = workspace_.friction;
  by_rows_.normal.clear();
  posed_.clear();
  mu_.clear();
  for (Eigen::Index i = 0; i < in.mu.size(); ++i) {
    const int normal = static_cast<int>(posed_.size());
    const int tangents = in.mu[i] == 0.0 ? 0 : i < problem_.n ? 2 : 1;  // of a joint one
    for (int j = 0; j <= tangents; ++j) {
      posed_.push_back(3 * i + j);
      by_rows_.normal.push_back(j == 0 ? -1 : normal);
      mu_.push_back(in.mu[i]);
    }
  }
  by_rows_.A = in.W(posed_, posed_);
  by_rows_.b = in.q(posed_);
  by_rows_.mu = Eigen::Map<const VectorXd>(mu_.data(), static_cast<Eigen::Index>(mu_.size()));
  solve_baraff(by_rows_, {}, workspace_.lcp_solver, workspace_.lcp_solution);
  FrictionSolution& out = workspace_.friction_solution;
  const LcpSolution& found = workspace_.lcp_solution;
  if (watch_.modes_by_rows) watch_.modes_by_rows(by_rows_, found);
  out.status = found.status == LcpStatus::solved        ? FrictionStatus::solved
               : found.status == LcpStatus::no_solution ? FrictionStatus::no_solution
                                                        : FrictionStatus::failed;
  out.iterations = found.pivots;
  if (out.status != FrictionStatus::solved) return;
  out.r.setZero(in.q.size());
  out.r(posed_) = found.z;
  out.u = in.q;
  out.u.noalias() += in.W * out.r;
}

// Modes by accelerations, never by one of many forces.
void FrictionModes::read_island(const Island& island) {
  const FrictionSolution& in = workspace_.friction_solution;
  for (int i = 0; i < problem_.n; ++i) {
    const std::size_t index = contact_at(island, i);
    const Contact& contact = followed_.contacts[index];
    opens_[index] = in.u[3 * i] > kSlowChange ? 1 : 0;
    if (!at_rest_[index] || opens_[index]) continue;
    const Vector3d slip = in.u[3 * i + 1] * contact.s_W + in.u[3 * i + 2] * contact.t_W;
    if (slip.norm() <= kSlowChange) continue;
    modes_[index].sticking = false;
    modes_[index].slide = {SlideKind::starting, slip.normalized()};
  }
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    const auto row = 3 * (problem_.n + static_cast<Eigen::Index>(j)) + 1;
    if (std::abs(in.u[row]) > kSlowChange)
      find_joint(joints_, island.joints[j]).slide = in.u[row] > 0.0 ? 1 : -1;
  }
  part_ = problem_.y;
  part_.noalias() += workspace_.columns * in.r;
  island_solve_L(scenario_->model, here_.factor(), island, part_);
  scatter(scenario_->model, island, part_, vdot_);
}

// The state a look-ahead later, with the accelerations vdot_.
void FrictionModes::move_ahead(const State& state, double look, State& ahead) const {
  ahead = state;
  ahead.t += look;
  ahead.v += look * vdot_;
  const VectorXd move = look * (state.v + 0.5 * look * vdot_);
  integrate_position(scenario_->model, state.q, move, ahead.q);
}

}  // namespace pequod
