#include "test/simulation/referee.h"

#include <algorithm>

#include "events/contact_geometry.h"
#include "test/support/textbook_model.h"

namespace pequod::test {
namespace {

// m: farther apart, shapes are not looked at.
constexpr double kRange = 1e-6;
// m, m/s: what counts as touching, as acceptance does, and as staying.
constexpr double kTouching = 1e-9, kResting = 1e-9;

}  // namespace

Referee::Referee(const Model& model) : model_(&model) {
  const int count = static_cast<int>(model.shapes.size());
  for (const Shape& shape : model.shapes) radius_.push_back(bounding_radius(shape.geometry));
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b)
      if (model.may_collide(a, b)) may_touch_.push_back({a, b});
}

void Referee::look(const State& state, bool overlap_too) {
  motion_ = textbook_motion(*model_, state.q, state.v);
  if (overlap_too) look_at_overlap();
  look_at_slip(state);
}

Pose Referee::place(int shape) const {
  const Shape& s = nth(model_->shapes, shape);
  return s.link < 0 ? s.X_LS : nth(motion_, s.link).X_WL * s.X_LS;
}

bool Referee::far(const Pair& pair) const {
  const double apart = (place(pair.a).p - place(pair.b).p).norm();
  return apart > nth(radius_, pair.a) + nth(radius_, pair.b) + kRange;
}

void Referee::look_at_overlap() {
  for (const Pair& pair : may_touch_) {
    if (far(pair)) continue;
    ++pairs_;
    const auto& A = nth(model_->shapes, pair.a).geometry;
    const auto& B = nth(model_->shapes, pair.b).geometry;
    overlap_.see(overlap_of(A, place(pair.a), B, place(pair.b)));
  }
}

// Where the contact is now: it carried its force where the step began.
void Referee::look_at_slip(const State& state) {
  std::vector<ContactPoint> points;
  for (const ContactMode& mode : state.mode) {
    if (is_joint_limit(mode.key) || mode.force_W.dot(mode.normal_W) <= 0.0) continue;
    const auto [a, b] = std::pair{mode.key.shape_a, mode.key.shape_b};
    const Shape &A = nth(model_->shapes, a), &B = nth(model_->shapes, b);
    points.clear();
    find_contacts(A.geometry, place(a), B.geometry, place(b), a, b, kTouching, points);
    const auto point = std::ranges::find(points, mode.key, &ContactPoint::key);
    if (point == points.end()) continue;
    const auto velocity = [&](const Shape& shape) -> Vector3d {
      if (shape.link < 0) return Vector3d::Zero();
      return velocity_at(nth(motion_, shape.link), point->p_W);
    };
    const Vector3d u = velocity(B) - velocity(A);
    // One that an impact elsewhere has made leave carries nothing any more.
    if (u.dot(point->n_W) > kResting) continue;
    ++forces_;
    slip_.see((u - point->n_W * point->n_W.dot(u)).norm());
  }
}

Referee watch(Simulation& run, const Model& model) {
  Referee referee(model);
  while (run.step()) referee.look(run.state());
  return referee;
}

}  // namespace pequod::test
