// The part of Stepper that follows the slip of contacts with Coulomb friction, and rims.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "events/root.h"
#include "simulation/rims.h"
#include "simulation/slide_mode.h"
#include "simulation/stepper.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

constexpr double kStiff = 1.5;    // h κ: RK4 is stable to 2.8 and accurate to about this
constexpr double kGrowth = 4.0;   // of a force within a step, over what it was or the scale
constexpr double kJam = 1e6;      // times the scale of forces
constexpr double kSlowing = 0.5;  // share of the time in which the slip would end
// A slip whose rate is against it by less than this share of the rate turns, or grows: its
// direction is stiff, and where RK4 is not stable it keeps a false one.
constexpr double kTurning = 0.5;
// m/s: a held direction is let go a little above kSlipHeld, so that it is not held again at once.
constexpr double kRelease = 1.5 * kSlipHeld;

// Share of the time in which a disc would be flat: it turns by half its inclination in a step.
constexpr double kFlattening = 0.5;
constexpr double kFlat = 1e-9;           // rad: flat but for rounding
constexpr double kShortestTurn = 1e-10;  // s

// rad: a disc that tips about a point of its rim goes on about the moving point from here on.
constexpr double kTipped = 1e-7;

// Whether the contact is of a rim, or a fixed point of one, over a face. `on_b` says whose it is.
bool is_rim_over_face(const ContactPoint& point, bool& on_b) {
  const auto is_face = [](FeatureKind kind) { return kind >= FeatureKind::face; };
  const Feature &A = point.feature.A, &B = point.feature.B;
  on_b = is_face(A.kind) && (B.kind == FeatureKind::circle || is_rim_point(point.key, true));
  return on_b ||
         (is_face(B.kind) && (A.kind == FeatureKind::circle || is_rim_point(point.key, false)));
}

}  // namespace

Vector3d slip_velocity(const Model& model, const Kinematics& kin, const Contact& contact) {
  if (is_joint_limit(contact.key)) return Vector3d::Zero();
  const Vector3d v = relative_velocity(model, kin, contact);
  return v - contact.n_W * contact.n_W.dot(v);
}

double Stepper::slip_along(std::size_t i) const {
  return directions_[i].dot(
      slip_velocity(scenario_->model, end_.kinematics(), held().touching.contacts[i]));
}

// A direction is held while the slip is too slow to have one.
SlideMode Stepper::slide_at_end(std::size_t i) const {
  SlideMode slide = held().laws[i].slide;
  if (slide.kind == SlideKind::none) return slide;
  const Vector3d slip =
      slip_velocity(scenario_->model, end_.kinematics(), held().touching.contacts[i]);
  const double speed = slip.norm();
  if (speed > kSlipHeld || (slide.kind == SlideKind::slow && speed > kSlipRest)) {
    slide.kind = SlideKind::moving;
    slide.direction_W.setZero();
  } else if (slide.kind == SlideKind::moving && speed <= kSlipRest && speed > 0.0) {
    slide.kind = SlideKind::slow;
    slide.direction_W = slip / speed;
  }
  return slide;
}

bool Stepper::find_weightless(State& state) {
  std::vector<char> weightless;
  if (!pequod::find_weightless(end_, held_, motion_, weightless, held_workspace_)) return false;
  for (std::size_t i = 0; i < held().touching.size(); ++i)
    for (ContactMode& mode : state.mode)
      if (mode.key == held().touching.contacts[i].key) mode.slide.weightless = weightless[i] != 0;
  return true;
}

// N, the largest normal force of a contact that slides.
double Stepper::sliding_load(const std::vector<double>& force) const {
  double load = 0.0;
  for (std::size_t i = 0; i < held().touching.size(); ++i)
    if (held().slides(i)) load = std::max(load, std::abs(force[i]));
  return load;
}

void Stepper::bound_load() {
  load_bound_ =
      held().slides() ? kGrowth * std::max(scale_, sliding_load(motion_.force)) : kInfinity;
}

void Stepper::watch_load(const std::vector<double>& force) {
  grown_ = grown_ || (held().slides() && !(sliding_load(force) <= load_bound_));
}

bool Stepper::jams() const {
  return held().slides() && sliding_load(friction_.normal) > kJam * scale_;
}

double Stepper::growth_span(double h) {
  at(h);
  while (grown_ && h > kShortestSlide) at(h *= 0.5);
  return grown_ ? 0.0 : h;
}

double Stepper::slide_limit() {
  directions_.assign(held().touching.size(), Vector3d::Zero());
  if (!held().slides()) return kInfinity;
  const Model& model = scenario_->model;
  accelerate(begin_, start_.q, start_.v);
  const Kinematics& kin = begin_.kinematics();
  const Touching& touching = held().touching;
  double limit = kInfinity;
  bool turns = false;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    if (held().laws[i].slide.kind == SlideKind::none) continue;
    directions_[i] = slip_direction(begin_, held(), i);
    if (held().laws[i].slide.kind != SlideKind::moving) continue;
    const Vector3d slip = slip_velocity(model, kin, touching.contacts[i]);
    const Vector3d rate = slip_rate(model, kin, free_.vdot, touching.points[i]);
    const Vector3d& n = touching.contacts[i].n_W;
    const double along = slip.dot(rate), speed = slip.norm();
    const double change = (rate - n * n.dot(rate)).norm();
    turns = turns || along > -kTurning * speed * change;
    if (along <= 0.0) limit = std::min(limit, kSlowing * speed / change);
  }
  if (turns)
    limit = std::min(limit, kStiff / slip_stiffness(begin_, held_, motion_, held_workspace_));
  return limit;
}

double Stepper::rim_limit() {
  const Model& model = scenario_->model;
  double limit = kInfinity;
  bool accelerated = false;
  for (const ContactPoint& point : held().touching.points) {
    bool on_b = false;
    if (!is_rim_over_face(point, on_b)) continue;
    if (!std::exchange(accelerated, true)) accelerate(begin_, start_.q, start_.v);
    const Kinematics& kin = begin_.kinematics();
    const auto shape = [&](int index) -> const Shape& {
      return model.shapes[static_cast<std::size_t>(index)];
    };
    const Shape& disc = shape(on_b ? point.key.shape_b : point.key.shape_a);
    const Shape& face = shape(on_b ? point.key.shape_a : point.key.shape_b);
    const BodyMotion D = shape_motion(disc, link_motion(model, kin, disc.link, free_.vdot)),
                     F = shape_motion(face, link_motion(model, kin, face.link, free_.vdot));
    const Vector3d axis = D.X_WL.R.col(2), n = point.n_W;
    const double sine = axis.cross(n).norm();
    const double rate = (D.w - F.w).cross(axis).norm(),
                 change = (D.alpha - F.alpha).cross(axis).norm();
    // ω h + ½ ω̇ h² = angle
    const auto turning_time = [&](double angle) {
      const double h = 2.0 * angle / (rate + std::sqrt(rate * rate + 2.0 * change * angle));
      return std::max(kShortestTurn, h);
    };
    if (is_rim_point(point.key, on_b)) {
      if (sine < kTipped && rate > kSpeedTolerance) limit = std::min(limit, turning_time(kTipped));
    } else if (sine >= kFlat) {
      const double cosine = std::abs(axis.dot(n));
      limit = std::min(limit, turning_time(kFlattening * std::min(1.0, sine / cosine)));
    }
  }
  return limit;
}

double Stepper::direction_span(double h) {
  const auto margin = [&] {
    double fastest = 0.0;
    for (std::size_t i = 0; i < held().touching.size(); ++i) {
      const SlideKind kind = held().laws[i].slide.kind;
      if (kind == SlideKind::starting)
        fastest = std::max(
            fastest,
            slip_velocity(scenario_->model, end_.kinematics(), held().touching.contacts[i]).norm());
    }
    return kRelease - fastest;
  };
  if (!held().slides()) return h;
  const double at_h = margin();
  if (at_h > -kRelease) return h;
  const auto to_release = [&](double tau) {
    at(tau);
    return margin();
  };
  const double tau = find_root(std::cref(to_release), 0.0, kRelease, h, at_h,
                               {.noise = 0.5 * (kRelease - kSlipHeld)});
  at(tau);
  return tau;
}

}  // namespace pequod
