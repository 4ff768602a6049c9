// What the event search knows of gaps: samples of the open contacts at one time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/first_event.h"
#include "simulation/rims.h"

namespace pequod {
namespace {

constexpr double kHeldGap = 1e-12;  // m: stands for a gap that is held, which is no event

// What the contact touches belongs to a facet that is held already, or to a rim whose place is.
bool covered_by_held(const Stepper& stepper, const ContactPoint& point,
                     const std::vector<Pose>& X_WS) {
  if (stands_on_rim_point(point, X_WS, stepper.held().touching())) return true;
  const FacetPart part = touched_part(point, X_WS[static_cast<std::size_t>(point.key.shape_a)],
                                      X_WS[static_cast<std::size_t>(point.key.shape_b)]);
  if (part.corners == 0) return false;
  const std::vector<ContactPoint>& held = stepper.held().touching().points;
  return std::any_of(held.begin(), held.end(),
                     [&](const ContactPoint& other) { return covers(other, point, part); });
}

}  // namespace

// With the shapes at X_WS_, where kin has the links.
EventFinder::Sample EventFinder::open_sample(const Stepper& stepper, const ContactPoint& point,
                                             const Kinematics& kin, const VectorXd* vdot) const {
  if (covered_by_held(stepper, point, X_WS_)) return covered_sample(point.key);
  return geometric_sample(point, kin, vdot);
}

EventFinder::Sample EventFinder::geometric_sample(const ContactPoint& point, const Kinematics& kin,
                                                  const VectorXd* vdot) const {
  const Model& model = scenario_->model;
  const auto motion = [&](int index) {
    const Shape& shape = model.shapes[static_cast<std::size_t>(index)];
    BodyMotion link = link_motion(model, kin, shape.link);
    link.a.setZero();
    link.alpha.setZero();
    return shape_motion(shape, link);
  };
  const BodyMotion A = motion(point.key.shape_a), B = motion(point.key.shape_b);
  Sample sample{point.key, point.gap, gap_rate(point, A, B),
                std::abs(gap_acceleration(point, A, B))};
  if (vdot) sample.acceleration = gap_acceleration_with(model, kin, *vdot, point);
  return sample;
}

EventFinder::Sample EventFinder::limit_sample(const ContactKey& key, const State& state,
                                              const VectorXd* vdot) const {
  const Joint& joint = scenario_->model.links[static_cast<std::size_t>(-1 - key.shape_a)].joint;
  const double sign = key.feature == 0 ? 1.0 : -1.0;
  Sample sample{key, limit_gap(joint, state.q, sign), sign * state.v[joint.v_index], 0.0};
  if (vdot) sample.acceleration = sign * (*vdot)[joint.v_index];
  return sample;
}

// Gaps of open contacts in reach, sorted by key.
void EventFinder::sample_all(const Stepper& stepper, const State& state, const Evaluator& terms,
                             const VectorXd* vdot, double h, std::vector<Sample>& samples) {
  const auto collision_time = clock_->during(StepPart::collision);
  const Model& model = scenario_->model;
  samples.clear();
  points_.clear();
  copy_poses(terms.kinematics(), X_WL_);
  collision_->place(X_WL_, X_WS_);
  for (const ShapePair& pair : near_)
    collision_->contacts(pair, X_WS_, range(pair.a, pair.b), points_);
  for (const ContactPoint& point : points_) {
    if (stepper.holds(point.key)) continue;
    samples.push_back(open_sample(stepper, point, terms.kinematics(), vdot));
  }
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const JointType type = model.links[i].joint.type;
    if (type != JointType::revolute && type != JointType::prismatic) continue;
    for (const bool upper : {false, true}) {
      const Sample sample = limit_sample(joint_limit_key(static_cast<int>(i), upper), state, vdot);
      if (sample.gap < 2.0 * h * std::abs(sample.rate) + 100.0 * h * h) samples.push_back(sample);
    }
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.key < b.key; });
}

// X_WS_ at the end computed last.
void EventFinder::place_end(const Stepper& stepper) {
  copy_poses(stepper.end().kinematics(), X_WL_);
  collision_->place(X_WL_, X_WS_);
}

EventFinder::Sample EventFinder::sample_at(Stepper& stepper, double tau, const ContactKey& key) {
  const State& probe = stepper.at(tau, {&key, 1});
  const VectorXd* vdot = stepper.end_acceleration();
  // At the velocity level a contact that opens over the whole step may be held over a shorter one.
  if (stepper.holds(key)) return covered_sample(key);
  if (is_joint_limit(key)) return limit_sample(key, probe, vdot);
  const auto collision_time = clock_->during(StepPart::collision);
  points_.clear();
  place_end(stepper);
  const double reach = range(key.shape_a, key.shape_b);
  collision_->contacts({key.shape_a, key.shape_b}, X_WS_, reach, points_);
  for (const ContactPoint& point : points_)
    if (point.key == key) return open_sample(stepper, point, stepper.end().kinematics(), vdot);
  return missing_sample(key);
}

EventFinder::Sample EventFinder::missing_sample(const ContactKey& key) const {
  return {key, range(key.shape_a, key.shape_b), 0.0, 0.0, false};
}

EventFinder::Sample EventFinder::covered_sample(const ContactKey& key) {
  return {key, kHeldGap, 0.0, 0.0, true, true};
}

// Those of points_ that are neither held nor among the keys.
void EventFinder::keep_fresh(const Stepper& stepper, const std::vector<Interval>& keys) {
  for (const ContactPoint& point : points_) {
    const auto same = [&](const ContactKey& key) { return key == point.key; };
    if (stepper.holds(point.key) ||
        std::any_of(keys.begin(), keys.end(),
                    [&](const Interval& i) { return same(i.left.key); }) ||
        std::any_of(fresh_.begin(), fresh_.end(), [&](const Sample& s) { return same(s.key); }))
      continue;
    const Sample sample =
        open_sample(stepper, point, stepper.end().kinematics(), stepper.end_acceleration());
    // What touches and opens, as a facet does that another one gives way to, is no event.
    if (std::abs(sample.gap) <= kGapTolerance && sample.rate > 0.0) continue;
    fresh_.push_back(sample);
  }
}

// Samples of the given contacts at τ, in their order, from one query of each pair; contacts of the
// same pairs that are not among them go to fresh_.
void EventFinder::sample_keys(Stepper& stepper, double tau, const std::vector<Interval>& keys,
                              std::vector<Sample>& samples) {
  asked_.clear();
  for (const Interval& interval : keys) asked_.push_back(interval.left.key);
  const State& probe = stepper.at(tau, asked_);
  const VectorXd* vdot = stepper.end_acceleration();
  const auto collision_time = clock_->during(StepPart::collision);
  bool placed = false;
  samples.clear();
  fresh_.clear();
  int shape_a = -1, shape_b = -1;
  points_.clear();
  for (const Interval& interval : keys) {
    const ContactKey& key = interval.left.key;
    if (stepper.holds(key)) {
      samples.push_back(covered_sample(key));
      continue;
    }
    if (is_joint_limit(key)) {
      samples.push_back(limit_sample(key, probe, vdot));
      continue;
    }
    const double reach = range(key.shape_a, key.shape_b);
    if (key.shape_a != shape_a || key.shape_b != shape_b) {
      shape_a = key.shape_a;
      shape_b = key.shape_b;
      points_.clear();
      if (!std::exchange(placed, true)) place_end(stepper);
      collision_->contacts({shape_a, shape_b}, X_WS_, reach, points_);
      keep_fresh(stepper, keys);
    }
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const ContactPoint& point) { return point.key == key; });
    samples.push_back(found == points_.end()
                          ? missing_sample(key)
                          : open_sample(stepper, *found, stepper.end().kinematics(), vdot));
  }
}

}  // namespace pequod
