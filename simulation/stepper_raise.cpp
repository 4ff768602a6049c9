// The part of Stepper that mends positions of symplectic Euler where contacts part.
#include <algorithm>

#include "simulation/stepper.h"

namespace pequod {

// A contact that opens from rest, N v̇ + Ṅ v > 0, has the gap h² (N v̇ + ½ Ṅ v) after a step that
// moves with the velocity of its end: below zero where it opens by the turn of its body more than
// by forces. Its velocity is right, its position is brought to zero; no force holds it.
void Stepper::raise_leaving(VectorXd& q, const VectorXd& v) {
  raised_.clear();
  if (!symplectic_ || std::find(keep_.begin(), keep_.end(), 0) == keep_.end()) return;
  const Model& model = scenario_->model;
  if (held_.empty()) compute_kinematics(model, q, v, raw_);  // else it is there
  moved_ = touching_;
  copy_poses(raw_, X_WL_);
  follow_touching(model, X_WL_, q, moved_);
  kept_and_raised_ = held_.touching();
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Contact& contact = moved_.contacts[i];
    if (contact.gap < 0.0 && !held_.holds(contact.key) && matters(i) &&
        normal_velocity(model, raw_, contact, v) > 0.0)
      raised_.add(touching_, i);
  }
  if (raised_.size() == 0) return;
  const auto contact_time = clock_->during(StepPart::contact);
  for (std::size_t i = 0; i < raised_.size(); ++i) kept_and_raised_.add(raised_, i);
  const std::vector<char> none(kept_and_raised_.size(), 0);
  lift_.set(kept_and_raised_, none, stuck_, none, HeldContacts::Start::another);
  lift_.factor(model, raw_, begin_.factor(), q, HeldContacts::Tangents::without);
  lift_.project_position(model, begin_.factor(), raw_, q);
}

bool Stepper::holds(const ContactKey& key) const { return held_.holds(key) || raised_.has(key); }

}  // namespace pequod
