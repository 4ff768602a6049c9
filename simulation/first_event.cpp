#include "simulation/first_event.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "events/root.h"
#include "simulation/gap_bounds.h"
#include "simulation/instant.h"

namespace pequod {
namespace {

// Share of the step after which a contact that starts at zero shows its sign.
constexpr double kLook = 1e-3;
// s: contacts that are held are so to 1e-13 m, and the gaps of others know of it.
constexpr double kInstantRoot = 1e-12;
constexpr double kHandOver = 0.1 * kGapTolerance;  // m, depth at which a facet may take over
// Looks in the middle of an interval before a step ends where nothing has been met so far: a search
// takes a dozen or two, but may take a million where bodies spin fast within reach of each other.
constexpr int kLooks = 500;
// Forces below this share of the weight count as zero.
constexpr double kForceTolerance = 1e-9;
constexpr double kInfeasible = 1e-8;  // relative residual above which no feasible force exists

double force_along(const ContactMode& mode) {
  return is_joint_limit(mode.key) ? mode.force_W.x() : mode.force_W.dot(mode.normal_W);
}

// No gap changes where nothing moves, to the bit.
bool stands_still(const State& start, const State& end) {
  return start.q == end.q && start.v.isZero(0.0) && end.v.isZero(0.0);
}

template <typename Sample>
Sloped sloped(const Sample& sample) {
  return {sample.gap, sample.rate, sample.acceleration};
}

// What must stay positive while the mode of a held contact lasts, N.
double mode_margin(const Stepper& stepper, const ContactMode& mode) {
  if (stepper.rubs()) return stepper.held().friction_margin(mode.key);
  return mode.floating ? stepper.held().floating_margin(mode.key) : force_along(mode);
}

}  // namespace

EventFinder::EventFinder(const Scenario& scenario, const Collision& collision, StepClock& clock)
    : scenario_(&scenario),
      collision_(&collision),
      clock_(&clock),
      weight_(force_scale(scenario.model)) {
  // A near miss late in a run searches deeper than any before it: that shall not allocate.
  constexpr std::size_t kUsual = 16;  // contacts
  for (Level& level : levels_) {
    level.crossing.reserve(kUsual);
    level.open.reserve(kUsual);
    level.half.reserve(kUsual);
    level.samples.reserve(kUsual);
  }
}

// The impulses of a step at the velocity level act at once: its path leaves the start with another
// velocity than the start has. The slower of that and the end's is what may be relied on.
void EventFinder::bound_start_rates(const Stepper& stepper, const State& start, const State& end) {
  if (!stepper.velocity_level() || left_.empty()) return;
  compute_kinematics(scenario_->model, start.q, end.v, path_);
  for (Sample& sample : left_) {
    Sample along = is_joint_limit(sample.key) ? limit_sample(sample.key, end, nullptr) : sample;
    for (const ContactPoint& point : points_)
      if (point.key == sample.key) along = open_sample(stepper, point, path_, nullptr);
    sample.rate = std::min(sample.rate, along.rate);
    sample.curvature = std::max(sample.curvature, along.curvature);
  }
}

void EventFinder::find_near(const Evaluator& start, const Evaluator& end, double h) {
  const auto collision_time = clock_->during(StepPart::collision);
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

// The open contacts that could close: both ends of the step for each key.
void EventFinder::pair_samples(const Stepper& stepper, const State& start, const State& end,
                               std::vector<Interval>& intervals) {
  intervals.clear();
  std::size_t i = 0, j = 0;
  const auto missing = [&](const ContactKey& key, const State& state,
                           const VectorXd* vdot) -> Sample {
    if (is_joint_limit(key)) return limit_sample(key, state, vdot);
    return missing_sample(key);
  };
  while (i < left_.size() || j < right_.size()) {
    const bool has_left = i < left_.size() && (j == right_.size() || left_[i].key <= right_[j].key);
    const bool has_right =
        j < right_.size() && (i == left_.size() || right_[j].key <= left_[i].key);
    Interval interval;
    const ContactKey key = has_left ? left_[i].key : right_[j].key;
    interval.left = has_left ? left_[i] : missing(key, start, stepper.start_acceleration());
    interval.right = has_right ? right_[j] : missing(key, end, stepper.end_acceleration());
    if (has_left) ++i;
    if (has_right) ++j;
    if (interval.left.covered && interval.right.covered) continue;  // all along
    if (!stepper.holds(key)) intervals.push_back(interval);
  }
}

// The earliest zero of gaps that all go below zero by b: the one that seems to come first is
// sought, and the others are looked at there.
EventFinder::Crossing EventFinder::first_crossing(Stepper& stepper, double a, double b,
                                                  const std::vector<Interval>& crossing) {
  const auto expected = [&](const Interval& interval) {
    return predict_root(a, sloped(interval.left), b, sloped(interval.right));
  };
  const Interval* favourite = &crossing.front();
  for (const Interval& interval : crossing)
    if (expected(interval) < expected(*favourite)) favourite = &interval;
  Crossing first{crossing_time(stepper, a, favourite->left, b, favourite->right),
                 favourite->left.key};
  asked_.clear();
  for (const Interval& interval : crossing) asked_.push_back(interval.left.key);
  for (const Interval& interval : crossing) {
    if (&interval == favourite || !(first.tau > a)) continue;
    const ContactKey& key = interval.left.key;
    stepper.at(first.tau, asked_);  // for all of them at once
    const Sample right = sample_at(stepper, first.tau, key);
    if (!ends_open(right))
      first = {crossing_time(stepper, a, interval.left, first.tau, right), key};
  }
  return first;
}

// Where the gap of one contact closes between two samples.
double EventFinder::crossing_time(Stepper& stepper, double a, const Sample& left, double b,
                                  const Sample& right) {
  const ContactKey key = left.key;
  const auto at = [&](double tau) { return sloped(sample_at(stepper, tau, key)); };
  const auto gap = [&](double tau) { return sample_at(stepper, tau, key).gap; };
  const double tau =
      stepper.rates_are_slopes()
          ? find_root(std::function<Sloped(double)>(std::cref(at)), a, sloped(left), b,
                      sloped(right), {.reach = kInstantRoot})
          : find_root(std::function<double(double)>(std::cref(gap)), a, left.gap, b, right.gap);
  const bool there = tau > a ? sample_at(stepper, tau, key).present : left.present;
  return there ? tau : behind_jump(stepper, tau, b, key);
}

// A gap that jumps below zero, as its features come to face each other, has no root: before the
// jump no contact is there that could be handled.
double EventFinder::behind_jump(Stepper& stepper, double tau, double b, const ContactKey& key) {
  const double behind = tau + shortest_step(*scenario_);
  if (behind >= b) return tau;
  const Sample sample = sample_at(stepper, behind, key);
  return sample.present && sample.gap >= -kGapTolerance ? behind : tau;
}

// First zero of any gap in [a, b]; all are positive at a. Where some are known to cross, the others
// matter up to the first of those; else the interval is halved.
std::optional<EventFinder::Crossing> EventFinder::search(Stepper& stepper, double a, double b,
                                                         const std::vector<Interval>& intervals,
                                                         int depth) {
  auto& [crossing, open, half, samples] = levels_[static_cast<std::size_t>(depth)];
  crossing.clear();
  open.clear();
  for (const Interval& interval : intervals) {
    if (excluded(interval.left, interval.right, b - a)) continue;
    if (crosses_once(interval.left, interval.right, b - a) ||
        (depth >= kMaxDepth && !ends_open(interval.right)))
      crossing.push_back(interval);
    else if (depth < kMaxDepth)
      open.push_back(interval);
  }
  std::optional<Crossing> last;
  if (!crossing.empty()) last = first_crossing(stepper, a, b, crossing);
  if (open.empty() || (last && !(last->tau > a))) return last;
  if (++looks_ > kLooks && a > 0.0) return Crossing{a, open.front().left.key};
  const double middle = last ? last->tau : 0.5 * (a + b);
  sample_keys(stepper, middle, open, samples);
  // Features that face each other at neither end: what flies past a thin plate meets its face.
  for (const Sample& sample : fresh_) {
    const Sample missing = missing_sample(sample.key);
    open.push_back({missing, missing});
    samples.push_back(sample);
  }
  half = open;
  for (std::size_t i = 0; i < half.size(); ++i) half[i].right = samples[i];
  if (const auto found = search(stepper, a, middle, half, depth + 1)) return found;
  if (last) return last;
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = {samples[i], open[i].right};
  return search(stepper, middle, b, half, depth + 1);
}

// Contacts that touch but are open have a gap of zero by construction: most just open, and those
// are dropped from the list; for the others the search starts a little later, where they show their
// sign.
std::optional<EventHit> EventFinder::start_apart(Stepper& stepper, double& a, double b,
                                                 std::vector<Interval>& intervals) {
  const double h = b - a;
  double look = h;
  apart_.clear();
  touching_.clear();
  for (const Interval& interval : intervals) {
    const Sample& l = interval.left;
    const Sample& r = interval.right;
    const bool meets = !stepper.velocity_level() && l.gap > kGapNoise && l.rate < -kSpeedTolerance;
    if (l.gap > kGapTolerance || meets) {
      apart_.push_back(interval);
      continue;
    }
    const double K = bound_curvature(l, r, h);
    // φ ≥ φ̇ s − ½Ks² > 0 up to 2φ̇/K.
    double clear = l.rate > kSpeedTolerance ? l.rate / K : kLook * h;
    // A hop of height φ̇²/2K that is less than noise shows nothing.
    if (l.rate * l.rate < 2.0 * K * kGapNoise) clear = std::max(clear, kLook * h);
    // Impulses bend the path of what hardly moves, and its bounds tell nothing.
    const bool slow = stepper.velocity_level() && l.rate <= kSpeedTolerance;
    const bool opens = slow ? r.gap > 0.0 && r.rate >= 0.0 : 2.0 * clear > h || excluded(l, r, h);
    // What others moved below zero by more than noise comes back by itself.
    const bool rises = l.gap < -kGapNoise && l.rate > 0.0 && r.rate > 0.0 && r.gap >= l.gap;
    if ((opens && ends_open(r)) || rises || stays_below(l, r, h)) continue;
    if (l.rate >= -kSpeedTolerance && turns_away(l, r, h)) continue;
    look = std::min(look, clear);
    touching_.push_back(interval);
  }
  intervals = apart_;
  if (touching_.empty()) return std::nullopt;
  all_ = touching_;
  all_.insert(all_.end(), apart_.begin(), apart_.end());
  sample_keys(stepper, look, all_, samples_);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Sample& sample = samples_[i];
    all_[i].left = sample;
    if (sample.gap >= -kGapNoise) continue;
    if (i >= touching_.size()) return std::nullopt;  // an ordinary contact comes first: start at a
    // Two facets of one shape: the other one takes over, and this is the moment.
    const ContactKey& key = sample.key;
    const bool hands_over = stepper.touch(key.shape_a, key.shape_b) && sample.gap > -kHandOver;
    return hands_over ? EventHit{EventHit::Kind::contact, look, key}
                      : EventHit{EventHit::Kind::sinks, 0.0, key};
  }
  intervals = all_;
  a = look;
  return std::nullopt;
}

// Where forces that are not unique cease to exist.
std::optional<EventHit> EventFinder::first_infeasible(Stepper& stepper, double h) {
  if (stepper.infeasibility() <= kInfeasible) return std::nullopt;
  const auto margin = [&](double tau) {
    stepper.at(tau);
    return kInfeasible - stepper.infeasibility();
  };
  const double at_h = margin(h);
  const double tau = find_root(std::cref(margin), 0.0, kInfeasible, h, at_h, {.noise = 1e-12});
  return EventHit{EventHit::Kind::release, tau, {}};
}

// Held contacts must push: the force of each if forces are unique, else the existence of any. The
// shares of floating contacts must stay within [0, 1].
std::optional<EventHit> EventFinder::first_release(Stepper& stepper, double h, const State& start,
                                                   const State& end) {
  if (stepper.velocity_level()) return std::nullopt;
  // Contacts that rub have a margin each where their forces are unique.
  const bool unique = stepper.rubs() || stepper.forces_unique();
  std::optional<EventHit> hit;
  std::vector<ContactKey> crossed;
  const double tolerance = kForceTolerance * weight_;
  for (const ContactMode& mode : end.mode)
    if ((unique || mode.floating) && mode_margin(stepper, mode) < -tolerance)
      crossed.push_back(mode.key);
  if (!unique || stepper.rubs()) hit = first_infeasible(stepper, h);
  // What seems to reach zero first is sought first; most others are then known to be later by one
  // look at all of them there.
  const auto expected = [&](const ContactKey& key) {
    const ContactMode* before = find_mode(start, key);
    const double from = before ? std::max(0.0, force_along(*before)) : 0.0;
    return from > 0.0 ? from / (from - force_along(*find_mode(end, key))) : 0.0;
  };
  if (!stepper.rubs())
    std::stable_sort(crossed.begin(), crossed.end(), [&](const ContactKey& a, const ContactKey& b) {
      return expected(a) < expected(b);
    });
  for (const ContactKey& key : crossed) {
    const double limit = hit ? hit->tau : h;
    stepper.at(limit, crossed);
    const auto force = [&](double tau) {
      return mode_margin(stepper, *find_mode(stepper.at(tau, {&key, 1}), key));
    };
    const double at_limit = force(limit);
    if (at_limit >= -tolerance) continue;
    const double tau =
        find_root(std::cref(force), 0.0, tolerance, limit, at_limit, {.noise = 1e-3 * tolerance});
    hit = EventHit{EventHit::Kind::release, tau, key};
  }
  return hit;
}

std::optional<EventHit> EventFinder::first(Stepper& stepper, const State& start,
                                           const Evaluator& start_terms, double h,
                                           const State& end) {
  find_near(start_terms, stepper.end(), h);
  intervals_.clear();
  if (!stands_still(start, end)) {
    sample_all(stepper, start, start_terms, stepper.start_acceleration(), h, left_);
    bound_start_rates(stepper, start, end);
    sample_all(stepper, end, stepper.end(), stepper.end_acceleration(), h, right_);
    pair_samples(stepper, start, end, intervals_);
  }
  std::optional<EventHit> hit = first_release(stepper, h, start, end);
  if (!stepper.velocity_level()) first_joint(stepper, start, h, end, hit);
  if (stepper.rubs()) first_halt(stepper, h, hit);
  double a = 0.0, b = h;
  if (hit && hit->tau > 0.0) {
    b = hit->tau;
    sample_keys(stepper, b, intervals_, samples_);
    for (std::size_t i = 0; i < intervals_.size(); ++i) intervals_[i].right = samples_[i];
  }
  if (hit && hit->tau <= 0.0) return hit;
  if (const auto early = start_apart(stepper, a, b, intervals_)) return early;
  // Impulses of a step over no time have no meaning.
  const double shortest = stepper.velocity_level() ? shortest_step(*scenario_) : 0.0;
  looks_ = 0;
  if (const auto found = search(stepper, a, b, intervals_, 0))
    hit = EventHit{EventHit::Kind::contact, std::max(found->tau, shortest), found->key};
  return hit;
}

}  // namespace pequod
