// The half of Stepper that works at the velocity level: impulses once a step.
#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/errors.h"
#include "simulation/friction.h"
#include "simulation/stepper.h"

namespace pequod {
namespace {

// Contacts of an island from which on the solves of one step are worth a warm start each.
constexpr int kMany = 32;

}  // namespace

// v⁺ of every island from v_free, the impulses, and the work they do from v₀ to v⁺.
void Stepper::solve_impulses(double tau, const VectorXd& v_free, VectorXd& v_plus) {
  const auto contact_time = clock_->during(StepPart::contact);
  const Model& model = scenario_->model;
  v_plus = v_free;
  impulse_.assign(touching_.size(), Vector3d::Zero());
  active_.assign(touching_.size(), 0);
  pushed_.assign(touching_.size(), 0.0);
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    ContactProblem& problem = problems_[k];
    if (islands_[k].contacts.empty() && islands_[k].joints.empty()) continue;  // a loop by itself
    if (partial_ && !wanted_[k]) {
      for (const int i : islands_[k].contacts) keep_[static_cast<std::size_t>(i)] = 0;
      continue;
    }
    gather(model, islands_[k], v_free, problem.y);
    island_apply_L(model, begin_.factor(), islands_[k], problem.y);
    for (int i = 0; i < problem.n; ++i)
      problem.c[i] =
          -apart_[static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)])] /
          tau;
    for (std::size_t j = 0; j < islands_[k].joints.size(); ++j)
      problem.bound[j] = tau * joint_friction(model, islands_[k].joints[j]);
    problem.step = tau;
    model_->solve(problem, *solver_, warm_[k], workspace_, solution_);
    if (solution_.status != LeastDistanceStatus::solved && problem.n >= kMany) {
      remember_forces(k);  // those of another trial may lead nowhere
      model_->solve(problem, *solver_, warm_[k], workspace_, solution_);
    }
    if (solution_.status != LeastDistanceStatus::solved)
      throw ContactError(
          "solver '" + std::string(solver_->name) + "' did not solve the " +
          std::string(model_->name) + " contact problem of " + std::to_string(problem.n) +
          " contacts at t = " + std::to_string(start_.t) + " s: " + std::string(solution_.reason));
    stats_.pivots += solution_.pivots;
    stats_.solves += 1;
    stats_.locks += solution_.locks;
    stats_.switches += solution_.switches;
    stats_.residual = std::max(stats_.residual, solution_.residual);
    // ½|y⁺|² − ½|y|², without cancellation.
    const double gained = (solution_.y - problem.y).dot(solution_.y + problem.y);
    if (gained > 0.0) stats_.gain = std::max(stats_.gain, gained / problem.y.squaredNorm());
    read_island(k, tau);
    read_joints(k, tau);
    if (problem.n >= kMany) warm_start_from_last(k, tau);
    part_ = solution_.y;
    island_solve_L(model, begin_.factor(), islands_[k], part_);
    scatter(model, islands_[k], part_, v_plus);
  }
}

// The trials of one step differ in its length: the next starts from the forces of the last.
void Stepper::warm_start_from_last(std::size_t k, double tau) {
  ContactProblem& problem = problems_[k];
  warm_[k] = solution_.active;
  if (model_->family != SolverFamily::friction) return;
  for (int i = 0; i < problem.n; ++i)
    problem.force.segment<3>(3 * i) << solution_.fn[i] / tau, solution_.ft[2 * i] / tau,
        solution_.ft[2 * i + 1] / tau;
}

// Contact i is the only one of its patch, or none of the others carries and it is the first. The
// others may open slowly: closing them too would turn the body about an arm of micrometres.
bool Stepper::leads_patch(const ContactProblem& problem, int i) const {
  bool leads = true;
  for (int j = 0; j < problem.n; ++j)
    if (j != i &&
        problem.patch[static_cast<std::size_t>(j)] == problem.patch[static_cast<std::size_t>(i)])
      leads =
          leads && i < j &&
          std::find(solution_.active.begin(), solution_.active.end(), j) == solution_.active.end();
  return leads;
}

// Impulses, sticking and held contacts of one island's solution.
void Stepper::read_island(std::size_t k, double tau) {
  const Model& model = scenario_->model;
  const ContactProblem& problem = problems_[k];
  gather(model, islands_[k], start_.v, part_);
  island_apply_L(model, begin_.factor(), islands_[k], part_);
  part_ = 0.5 * (part_ + solution_.y);  // mean velocity: its product with an impulse is the work
  for (const int i : solution_.active)
    active_[static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)])] = 1;
  for (int i = 0; i < problem.n; ++i) {
    const auto index = static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)]);
    const Contact& contact = touching_.contacts[index];
    const double fn = solution_.fn[i], fs = solution_.ft[2 * i], ft = solution_.ft[2 * i + 1];
    sticking_[index] = solution_.sticking[static_cast<std::size_t>(i)];
    pushed_[index] = fn * problem.normals.col(i).squaredNorm();
    const double speed = problem.normals.col(i).dot(solution_.y);
    const bool stays = apart_[index] + speed * tau <= kOpening && leads_patch(problem, i);
    keep_[index] = stays || active_[index] || forced_[index] ? 1 : 0;
    for (int j = 2 * i; j < 2 * i + 2 && fn > 0.0; ++j)
      if (solution_.held[static_cast<std::size_t>(j)])
        stats_.slip = std::max(stats_.slip, std::abs(problem.tangents.col(j).dot(solution_.y)));
    impulse_normal_loss_ -= fn * problem.normals.col(i).dot(part_);
    impulse_friction_loss_ -= fs * problem.tangents.col(2 * i).dot(part_) +
                              ft * problem.tangents.col(2 * i + 1).dot(part_);
    if (is_joint_limit(contact.key))
      impulse_[index] = Vector3d(fn, 0.0, 0.0);
    else
      impulse_[index] = fn * contact.n_W + fs * contact.s_W + ft * contact.t_W;
  }
}

// Friction of one island's joints: modes, and the loss impulse × mean velocity, which part_ holds.
void Stepper::read_joints(std::size_t k, double tau) {
  for (std::size_t j = 0; j < islands_[k].joints.size(); ++j) {
    JointMode& joint = find_joint(joint_modes_, islands_[k].joints[j]);
    joint.slide = solution_.slide[j];
    joint.force = solution_.fj[j] / tau;
    impulse_friction_loss_ -=
        solution_.fj[j] * problems_[k].joints.col(static_cast<Eigen::Index>(j)).dot(part_);
  }
}

// Joints at rest get a velocity of exactly zero; so do those that slide by a rounding only. One
// that contacts hold already may be left with a little more, and is then not at rest.
void Stepper::stop_joints(State& out) {
  stuck_.clear();
  for (const JointMode& joint : joint_modes_) {
    double& v = v_plus_[joint.coordinate];
    if (joint.slide == 0 ? std::abs(v) > kSpeedTolerance : joint.slide * v > kJointRest) continue;
    v = 0.0;
    stuck_.push_back(joint.coordinate);
  }
  out.joints = joint_modes_;
}

// N v⁺ ≥ 0 at the start of the step tells nothing of Ṅ v, the turn of the path over it: a slowly
// opening contact may sink by it and is held too.
void Stepper::follow_turns(const State& out) {
  if (!joined_.empty() || touching_.size() == 0) return;
  const auto collision_time = clock_->during(StepPart::collision);
  copy_poses(raw_, X_WL_);
  moved_ = touching_;
  follow_touching(scenario_->model, X_WL_, out.q, moved_);
  for (std::size_t i = 0; i < moved_.size(); ++i)
    if (moved_.contacts[i].gap < 0.0 && matters(i)) keep_[i] = 1;
  for (const Island& island : islands_) release_turning(island, out.v);
}

// Where all contacts that push open by the turn of their bodies faster than their impulses pushed,
// the island leaves: held they would be pulled.
void Stepper::release_turning(const Island& island, const VectorXd& v) {
  const Model& model = scenario_->model;
  bool pushes = false;
  for (const int i : island.contacts) {
    const auto index = static_cast<std::size_t>(i);
    if (forced_[index] || moved_.contacts[index].gap < 0.0) return;
    if (!active_[index]) continue;
    pushes = true;
    if (normal_velocity(model, raw_, moved_.contacts[index], v) <= pushed_[index]) return;
  }
  if (!pushes) return;
  for (const int i : island.contacts)
    if (active_[static_cast<std::size_t>(i)]) keep_[static_cast<std::size_t>(i)] = 0;
}

// A joint that is held all along stays where it is: the free step and its correction cancel but for
// the curvature of the path.
void Stepper::rest_positions(State& out) const {
  const Model& model = scenario_->model;
  for (const int coordinate : stuck_) {
    if (start_.v[coordinate] != 0.0) continue;
    const int link = model.dof_link[static_cast<std::size_t>(coordinate)];
    const int q = model.links[static_cast<std::size_t>(link)].joint.q_index;
    out.q[q] = start_.q[q];
  }
}

// Whether the projection of the kept contacts at the end of the step has sunk others, which are
// then kept too.
bool Stepper::keep_sunk(const VectorXd& q) {
  if (!joined_.empty() || std::find(keep_.begin(), keep_.end(), 0) == keep_.end()) return false;
  const Model& model = scenario_->model;
  compute_poses(model, q, X_WL_);
  moved_ = touching_;
  follow_touching(model, X_WL_, q, moved_);
  bool any = false;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    if (keep_[i] || moved_.contacts[i].gap >= -kOpening || !matters(i)) continue;
    keep_[i] = 1;
    any = true;
  }
  return any;
}

// Closes held gaps at the end of the step. Rows of contacts at the start are at hand and do for
// that; those of loops turn.
void Stepper::project_end(VectorXd& q) {
  const Model& model = scenario_->model;
  if (held().loops)
    held_.factor(model, raw_, begin_.factor(), q, HeldTangents::without, &repeated_);
  else
    held_.factor_from(islands_, problems_, keep_);
  close_held(begin_, q);
}

void Stepper::velocity_at(double tau, State& out) {
  const Model& model = scenario_->model;
  kept_.clear();
  held_.hold(kept_);
  raised_.clear();
  integrate(tau, out);
  v_free_ = out.v;
  joint_modes_ = start_.joints;
  solve_impulses(tau, v_free_, v_plus_);
  if (!joined_.empty()) move_as_one(v_plus_);
  stop_joints(out);
  out.v = v_plus_;
  integrate_work(v_plus_, tau);
  // Symplectic Euler moves with v⁺; a Runge–Kutta step by the mean of v_free and v⁺, as if the
  // impulse were a constant force.
  if (symplectic_) {
    move_ = tau * v_plus_;
    integrate_position(model, start_.q, move_, out.q);
  } else {
    move_ = 0.5 * tau * (v_plus_ - v_free_);
    integrate_position(model, out.q, move_, out.q);
    rest_positions(out);
  }
  require_finite(out);
  v_raw_ = out.v;
  compute_kinematics(model, out.q, out.v, raw_);
  follow_turns(out);
  hold_touching(keep_, sticking_);
  if (held().projects()) {
    const auto contact_time = clock_->during(StepPart::contact);
    raw_q_ = out.q;
    project_end(out.q);
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds && keep_sunk(out.q); ++round) {
      hold_touching(keep_, sticking_);
      out.q = raw_q_;
      project_end(out.q);
    }
    hold_velocity(out, HeldTangents::of_few);
    for (std::size_t i = 0; i < keep_.size(); ++i) lands_ = lands_ || (keep_[i] && apart_[i] > 0.0);
  }
  end_.at(out.q, out.v);
  write_impulses(out, tau);
}

// Contact forces as they acted: points and normals of the start of the step.
void Stepper::write_impulses(State& out, double tau) {
  out.mode.clear();
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Contact& contact = touching_.contacts[i];
    ContactMode mode;
    mode.key = contact.key;
    mode.closed = keep_[i] != 0;
    mode.sticking = sticking_[i] != 0;
    mode.active = active_[i] != 0;
    mode.force_W = impulse_[i] / tau;
    mode.point_W = contact.p_W;
    mode.normal_W = contact.n_W;
    mode.gap = contact.gap;
    out.mode.push_back(mode);
  }
  sort_modes(out);
}

}  // namespace pequod
