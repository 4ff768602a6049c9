#include "simulation/first_event.h"

#include <algorithm>
#include <cmath>

#include "events/root.h"

namespace pequod {
namespace {

// Bound on |φ̈| in a smooth step from what was sampled: φ̈ may be this many times what the ends show,
// and the rate may swing by this share of itself in between.
constexpr double kCurvatureMargin = 3.0, kRateSwing = 0.1;
// Share of the step after which a contact that starts at zero shows its sign.
constexpr double kLook = 1e-3;
constexpr double kGapNoise = 1e-13;  // m
constexpr double kHeldGap = 1e-12;   // m: stands for a gap that is held, which is no event
// Forces below this share of the weight count as zero.
constexpr double kForceTolerance = 1e-9;
constexpr double kInfeasible = 1e-8;  // relative residual above which no feasible force exists

bool is_held(const Stepper& stepper, const ContactKey& key) {
  for (const Contact& contact : stepper.held().touching().contacts)
    if (contact.key == key) return true;
  return false;
}

// m/s², over an interval of length h between two samples.
template <typename Sample>
double bound_curvature(const Sample& l, const Sample& r, double h) {
  return kCurvatureMargin * (std::abs(r.rate - l.rate) / h + std::max(l.curvature, r.curvature)) +
         kRateSwing * (std::abs(l.rate) + std::abs(r.rate)) / h;
}

double force_along(const ContactMode& mode) {
  return is_joint_limit(mode.key) ? mode.force_W.x() : mode.force_W.dot(mode.normal_W);
}

}  // namespace

EventFinder::EventFinder(const Scenario& scenario, const Collision& collision)
    : scenario_(&scenario), collision_(&collision) {
  for (const Link& link : scenario.model.links)
    weight_ += link.inertia.mass * std::max(1.0, scenario.model.gravity.norm());
}

void EventFinder::find_near(const Evaluator& start, const Evaluator& end, double h) {
  copy_poses(start.kinematics(), X_WL_);
  collision_->place(X_WL_, motion_.X_WS);
  collision_->bound_travel(start.kinematics(), h, motion_);
  travel_ = motion_.travel;
  collision_->bound_travel(end.kinematics(), h, motion_);
  // Speed within a smooth step exceeds neither end's by more than a share of the change.
  constexpr double kMargin = 1.5;
  for (std::size_t i = 0; i < travel_.size(); ++i)
    motion_.travel[i] = kMargin * std::max(travel_[i], motion_.travel[i]) + 10.0 * h * h;
  collision_->near_pairs(motion_, kGapTolerance, near_);
}

double EventFinder::range(int shape_a, int shape_b) const {
  return motion_.travel[static_cast<std::size_t>(shape_a)] +
         motion_.travel[static_cast<std::size_t>(shape_b)] + kGapTolerance;
}

EventFinder::Sample EventFinder::geometric_sample(const ContactPoint& point,
                                                  const Kinematics& kin) const {
  const Model& model = scenario_->model;
  const auto motion = [&](int index) {
    const Shape& shape = model.shapes[static_cast<std::size_t>(index)];
    BodyMotion link = link_motion(model, kin, shape.link);
    link.a.setZero();
    link.alpha.setZero();
    return shape_motion(shape, link);
  };
  const BodyMotion A = motion(point.key.shape_a), B = motion(point.key.shape_b);
  return {point.key, point.gap, gap_rate(point, A, B), std::abs(gap_acceleration(point, A, B))};
}

EventFinder::Sample EventFinder::limit_sample(const ContactKey& key, const State& state) const {
  const Joint& joint =
      scenario_->model.links[static_cast<std::size_t>(-1 - key.shape_a)].joint;
  const double sign = key.feature == 0 ? 1.0 : -1.0;
  return {key, limit_gap(joint, state.q, sign), sign * state.v[joint.v_index], 0.0};
}

// Gaps in reach, sorted by key.
void EventFinder::sample_all(const State& state, const Evaluator& terms, double h,
                             std::vector<Sample>& samples) {
  const Model& model = scenario_->model;
  samples.clear();
  points_.clear();
  copy_poses(terms.kinematics(), X_WL_);
  collision_->place(X_WL_, X_WS_);
  for (const ShapePair& pair : near_)
    collision_->contacts(pair, X_WS_, range(pair.a, pair.b), points_);
  for (const ContactPoint& point : points_)
    samples.push_back(geometric_sample(point, terms.kinematics()));
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const JointType type = model.links[i].joint.type;
    if (type != JointType::revolute && type != JointType::prismatic) continue;
    for (const bool upper : {false, true}) {
      const Sample sample = limit_sample(joint_limit_key(static_cast<int>(i), upper), state);
      if (sample.gap < 2.0 * h * std::abs(sample.rate) + 100.0 * h * h) samples.push_back(sample);
    }
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.key < b.key; });
}

EventFinder::Sample EventFinder::sample_one(const ContactKey& key, const State& state,
                                            const Evaluator& terms) {
  if (is_joint_limit(key)) return limit_sample(key, state);
  points_.clear();
  copy_poses(terms.kinematics(), X_WL_);
  collision_->place(X_WL_, X_WS_);
  const double reach = range(key.shape_a, key.shape_b);
  collision_->contacts({key.shape_a, key.shape_b}, X_WS_, reach, points_);
  for (const ContactPoint& point : points_)
    if (point.key == key) return geometric_sample(point, terms.kinematics());
  return {key, reach, 0.0, 0.0};
}

EventFinder::Sample EventFinder::sample_at(Stepper& stepper, double tau, const ContactKey& key) {
  stepper.at(tau, probe_);
  // At the velocity level a contact that opens over the whole step may be held over a shorter one.
  if (is_held(stepper, key)) return {key, kHeldGap, 0.0, 0.0};
  return sample_one(key, probe_, stepper.end());
}

// The open contacts that could close: both ends of the step for each key.
void EventFinder::pair_samples(const Stepper& stepper, const State& start, const State& end,
                               std::vector<Interval>& intervals, double h) {
  intervals.clear();
  std::size_t i = 0, j = 0;
  const auto missing = [&](const ContactKey& key, const State& state) -> Sample {
    if (is_joint_limit(key)) return limit_sample(key, state);
    return {key, range(key.shape_a, key.shape_b), 0.0, 0.0};
  };
  while (i < left_.size() || j < right_.size()) {
    const bool has_left = i < left_.size() && (j == right_.size() || left_[i].key <= right_[j].key);
    const bool has_right =
        j < right_.size() && (i == left_.size() || right_[j].key <= left_[i].key);
    Interval interval{0.0, h, {}, {}};
    const ContactKey key = has_left ? left_[i].key : right_[j].key;
    interval.left = has_left ? left_[i] : missing(key, start);
    interval.right = has_right ? right_[j] : missing(key, end);
    if (has_left) ++i;
    if (has_right) ++j;
    if (!is_held(stepper, key)) intervals.push_back(interval);
  }
}

namespace {

// φ ≥ φ_a + φ̇_a s − ½Ks² and φ ≥ φ_b − φ̇_b s' − ½Ks'²: the interval is free of zeros if both
// parabolas are positive where they meet (they are concave, and their difference is linear).
template <typename Interval>
bool excluded(const Interval& interval) {
  const double h = interval.b - interval.a;
  const auto& l = interval.left;
  const auto& r = interval.right;
  if (l.gap <= 0.0 || r.gap <= 0.0) return false;
  const double K = bound_curvature(l, r, h);
  const auto from_left = [&](double s) { return l.gap + s * (l.rate - 0.5 * K * s); };
  const auto from_right = [&](double s) {
    return r.gap - (h - s) * (r.rate + 0.5 * K * (h - s));
  };
  const double offset = l.gap - from_right(0.0);
  const double slope = l.rate - r.rate - K * h;
  const double s = std::clamp(slope < 0.0 ? -offset / slope : h, 0.0, h);
  return from_left(s) > 0.0 && from_right(s) > 0.0;
}

}  // namespace

double EventFinder::root_of_gap(Stepper& stepper, const Interval& interval) {
  const auto gap = [&](double tau) { return sample_at(stepper, tau, interval.left.key).gap; };
  return find_root(gap, interval.a, interval.left.gap, interval.b, interval.right.gap);
}

// First zero of the gap in an interval whose left end is positive.
std::optional<double> EventFinder::search(Stepper& stepper, const Interval& interval, int depth) {
  if (excluded(interval)) return std::nullopt;
  constexpr int kMaxDepth = 20;  // 1e-6 of the step
  const bool closes = interval.right.gap < 0.0;
  // One sign change with the gap shrinking at both ends: no other zero before it.
  if (closes && (depth >= kMaxDepth || (interval.left.rate < 0.0 && interval.right.rate < 0.0)))
    return root_of_gap(stepper, interval);
  if (depth >= kMaxDepth) return std::nullopt;
  const double middle = 0.5 * (interval.a + interval.b);
  const Sample sample = sample_at(stepper, middle, interval.left.key);
  if (const auto root = search(stepper, {interval.a, middle, interval.left, sample}, depth + 1))
    return root;
  return search(stepper, {middle, interval.b, sample, interval.right}, depth + 1);
}

std::optional<EventHit> EventFinder::search_contact(Stepper& stepper, Interval interval) {
  if (interval.left.gap > kGapTolerance) {
    if (const auto tau = search(stepper, interval, 0))
      return EventHit{EventHit::Kind::contact, *tau, interval.left.key};
    return std::nullopt;
  }
  // It touches but is open, so its gap is zero by construction here. Most often it just opens.
  if (stepper.velocity_level() && interval.right.gap > 0.0 && interval.right.rate >= 0.0)
    return std::nullopt;
  // Else look at its sign a little later.
  const double h = interval.b - interval.a;
  const double K = bound_curvature(interval.left, interval.right, h);
  double look = kLook * h;
  if (interval.left.rate > kSpeedTolerance) look = interval.left.rate / K;
  if (look < h) {
    interval.left = sample_at(stepper, look, interval.left.key);
    interval.a = look;
    if (interval.left.gap < -kGapNoise)
      return EventHit{EventHit::Kind::sinks, 0.0, interval.left.key};
    if (const auto tau = search(stepper, interval, 0))
      return EventHit{EventHit::Kind::contact, *tau, interval.left.key};
  }
  return std::nullopt;
}

// Held contacts must push: the force of each if forces are unique, else the existence of any.
std::optional<EventHit> EventFinder::first_release(Stepper& stepper, double h, const State& end) {
  if (stepper.velocity_level()) return std::nullopt;
  std::optional<EventHit> hit;
  if (!stepper.forces_unique()) {
    if (stepper.infeasibility() <= kInfeasible) return std::nullopt;
    const auto margin = [&](double tau) {
      stepper.at(tau, probe_);
      return kInfeasible - stepper.infeasibility();
    };
    const double tau = find_root(margin, 0.0, kInfeasible, h, margin(h), {.noise = 1e-12});
    return EventHit{EventHit::Kind::release, tau, {}};
  }
  const double tolerance = kForceTolerance * weight_;
  for (const ContactMode& mode : end.mode) {
    if (force_along(mode) >= -tolerance) continue;
    const double limit = hit ? hit->tau : h;
    const auto force = [&](double tau) {
      stepper.at(tau, probe_);
      return force_along(*find_mode(probe_, mode.key));
    };
    const double at_limit = force(limit);
    if (at_limit >= -tolerance) continue;
    const double tau = find_root(force, 0.0, tolerance, limit, at_limit,
                                 {.noise = 1e-3 * tolerance});
    hit = EventHit{EventHit::Kind::release, tau, mode.key};
  }
  return hit;
}

std::optional<EventHit> EventFinder::first(Stepper& stepper, const State& start,
                                           const Evaluator& start_terms, double h,
                                           const State& end) {
  find_near(start_terms, stepper.end(), h);
  sample_all(start, start_terms, h, left_);
  sample_all(end, stepper.end(), h, right_);
  std::optional<EventHit> hit = first_release(stepper, h, end);
  pair_samples(stepper, start, end, intervals_, h);
  for (Interval interval : intervals_) {
    if (hit) {
      interval.right = sample_at(stepper, hit->tau, interval.left.key);
      interval.b = hit->tau;
    }
    const std::optional<EventHit> found = search_contact(stepper, interval);
    if (found && (!hit || found->tau < hit->tau)) hit = found;
  }
  return hit;
}

}  // namespace pequod
