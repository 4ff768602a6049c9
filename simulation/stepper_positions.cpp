// The part of Stepper that mends positions at the end of a step: of what is held, and of what
// parts.
#include <algorithm>
#include <cmath>

#include "simulation/held/project.h"
#include "simulation/stepper.h"

namespace pequod {

// The end of the step before projection.
void Stepper::keep_raw(const State& out) {
  v_raw_ = out.v;
  if (!held().empty()) compute_kinematics(scenario_->model, out.q, out.v, raw_);
}

// M and its factor at q, for the projection that follows.
void Stepper::place_end(const VectorXd& q) {
  const auto dynamics_time = clock_->during(StepPart::dynamics);
  end_.at_position(q);
}

// The rows of what is held at the end out.q, and the velocity that keeps them.
void Stepper::hold_velocity(State& out, HeldTangents tangents) {
  const auto contact_time = clock_->during(StepPart::contact);
  place_end(out.q);
  held_.factor(end_, tangents, &repeated_);
  project_velocity(end_, held_, out.v, held_workspace_);
}

// Closes held gaps at the end of the step, where raw_ is, with the rows at hand, those of its
// start, and where the bodies turn too far for them by Newton's method, from the unprojected end.
// Where that is out of reach, as behind a jam, it stays so: the jam is found as such.
void Stepper::close_held(const Evaluator& start, VectorXd& q) {
  constexpr int kRounds = 16;
  constexpr double kReach = 1e-3;  // m
  const Model& model = scenario_->model;
  q_ = q;
  double least = project_position(model, start.factor(), raw_, held_, q, held_workspace_);
  if (!(least <= kReach)) return;
  for (int round = 0; round < kRounds && !(least <= kOpening); ++round) {
    place_end(q_);
    held_.factor(end_, stage_tangents(), &repeated_);
    const double left =
        project_position(model, end_.factor(), end_.kinematics(), held_, q_, held_workspace_, 1);
    if (!std::isfinite(left)) return;
    if (left >= least) continue;
    least = left;
    q = q_;
  }
}

// A contact that opens from rest, N v̇ + Ṅ v > 0, has the gap h² (N v̇ + ½ Ṅ v) after a step that
// moves with the velocity of its end: below zero where it opens by the turn of its body more than
// by forces. Its velocity is right, its position is brought to zero; no force holds it. What this
// moves onto another one that opens is raised with it. q, v: the end, with what is held closed.
// @return whether any was raised
bool Stepper::raise_leaving(VectorXd& q, const VectorXd& v) {
  raised_.clear();
  if (!symplectic_ || std::find(keep_.begin(), keep_.end(), 0) == keep_.end()) return false;
  const Model& model = scenario_->model;
  if (held().empty()) compute_kinematics(model, q, v, raw_);
  const Kinematics& at_q = held().empty() ? raw_ : end_.kinematics();
  moved_ = touching_;
  lifted_.assign(held().touching, stuck_);
  q_ = q;
  copy_poses(at_q, X_WL_);
  while (add_leaving(at_q, q, v)) {
    const auto contact_time = clock_->during(StepPart::contact);
    lift_.hold(lifted_);
    lift_.factor(model, at_q, begin_.factor(), q_, HeldTangents::without);
    q = q_;
    project_position(model, begin_.factor(), at_q, lift_, q, held_workspace_);
    compute_poses(model, q, X_WL_);
  }
  return raised_.size() > 0;
}

// Contacts that open, as at the end at_q, and are below zero at q, where X_WL_ has the links.
// @return whether there are any that were not raised yet
bool Stepper::add_leaving(const Kinematics& at_q, const VectorXd& q, const VectorXd& v) {
  const Model& model = scenario_->model;
  follow_touching(model, X_WL_, q, moved_);
  const std::size_t before = raised_.size();
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Contact& contact = moved_.contacts[i];
    if (contact.gap >= 0.0 || holds(contact.key) || !matters(i) ||
        normal_velocity(model, at_q, contact, v) <= 0.0)
      continue;
    raised_.add(touching_, i);
    lifted_.add(touching_, i, {});
  }
  return raised_.size() > before;
}

const State& Stepper::raise(const Touching& found) {
  const Model& model = scenario_->model;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const Contact& contact = found.contacts[i]; contact.gap < 0.0 && !holds(contact.key))
      raised_.add(found, i);
  lifted_.assign(held().touching, stuck_);
  for (std::size_t i = 0; i < raised_.size(); ++i) lifted_.add(raised_, i, {});
  const auto contact_time = clock_->during(StepPart::contact);
  lift_.hold(lifted_);
  lift_.factor(model, end_.kinematics(), end_.factor(), trial_.q, HeldTangents::without);
  project_position(model, end_.factor(), end_.kinematics(), lift_, trial_.q, held_workspace_);
  end_.at(trial_.q, trial_.v);
  return trial_;
}

bool Stepper::touch(int shape_a, int shape_b) const {
  return std::any_of(touching_.contacts.begin(), touching_.contacts.end(),
                     [&](const Contact& contact) {
                       return contact.key.shape_a == shape_a && contact.key.shape_b == shape_b;
                     });
}

bool Stepper::holds(const ContactKey& key) const {
  return held().touching.has(key) || raised_.has(key);
}

}  // namespace pequod
