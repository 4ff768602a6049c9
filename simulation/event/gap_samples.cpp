#include "simulation/event/gap_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "events/facet_part.h"
#include "simulation/contact_motion.h"
#include "simulation/event/tolerances.h"
#include "simulation/rims.h"
#include "simulation/tolerances.h"

namespace pequod {
namespace {

// What the contact touches belongs to a facet that is held already, or to a rim whose place is.
bool covered_by_held(const Stepper& stepper, const SceneTolerances& tolerance,
                     const ContactPoint& point, const std::vector<Pose>& X_WS) {
  if (stands_on_rim_point(point, X_WS, stepper.trial().held.set().touching, tolerance)) return true;
  const FacetPart part =
      touched_part(point, nth(X_WS, point.key.shape_a), nth(X_WS, point.key.shape_b));
  if (part.corners == 0) return false;
  const std::vector<ContactPoint>& held = stepper.trial().held.set().touching.points;
  return std::ranges::any_of(held,
                             [&](const ContactPoint& other) { return covers(other, point, part); });
}

GapSample covered_sample(const World& world, const ContactKey& key) {
  return {key, kHeldGap * world.tolerance.rounding, 0.0, 0.0, true, true};
}

GapSample geometric_sample(const Model& model, const ContactPoint& point, const Kinematics& kin,
                           const VectorXd* vdot) {
  const auto motion = [&](int index) {
    const Shape& shape = nth(model.shapes, index);
    BodyMotion link = link_motion(model, kin, shape.link);
    link.a.setZero();
    link.alpha.setZero();
    return shape_motion(shape, link);
  };
  const BodyMotion A = motion(point.key.shape_a), B = motion(point.key.shape_b);
  GapSample sample{point.key, point.gap, gap_rate(point, A, B),
                   std::abs(gap_acceleration(point, A, B))};
  if (vdot) sample.acceleration = gap_acceleration_with(model, kin, *vdot, point);
  return sample;
}

// X_WS: the shapes where kin has the links.
GapSample open_sample(const Sampling& sampling, const std::vector<Pose>& X_WS,
                      const ContactPoint& point, const Kinematics& kin, const VectorXd* vdot) {
  if (covered_by_held(sampling.stepper, sampling.world.tolerance, point, X_WS))
    return covered_sample(sampling.world, point.key);
  if (leaves_face(sampling.model(), kin, point, sampling.world.tolerance))
    return missing_sample(sampling.reach, point.key);
  return geometric_sample(sampling.model(), point, kin, vdot);
}

GapSample limit_sample(const Model& model, const ContactKey& key, const State& state,
                       const VectorXd* vdot) {
  const Joint& joint = nth(model.links, -1 - key.shape_a).joint;
  const double sign = key.feature == 0 ? 1.0 : -1.0;
  GapSample sample{key, limit_gap(joint, state.q, sign), sign * state.v[joint.v_index], 0.0};
  if (vdot) sample.acceleration = sign * (*vdot)[joint.v_index];
  return sample;
}

void sample_limits(const Sampling& sampling, const State& state, const VectorXd* vdot, double h,
                   std::vector<GapSample>& samples) {
  visit_limits(
      sampling.model(), sampling.world.team(), sampling.buffers.limits,
      [&](const Joint& joint, double sign) {
        const double near = 2.0 * h * std::abs(state.v[joint.v_index]) + 100.0 * h * h;
        return limit_gap(joint, state.q, sign) < near;
      },
      [&](int link, double sign) {
        samples.push_back(
            limit_sample(sampling.model(), joint_limit_key(link, sign < 0.0), state, vdot));
      });
}

// Whether a pair that has one contact, a ball on a plane or on another, has it held.
// @param held  keys, ascending
bool held_whole(const Model& model, const std::vector<ContactKey>& held, const ShapePair& pair) {
  const auto round = [&](int shape) {
    const Geometry& geometry = nth(model.shapes, shape).geometry;
    return std::holds_alternative<Sphere>(geometry) || std::holds_alternative<Plane>(geometry);
  };
  if (!round(pair.a) || !round(pair.b)) return false;
  const auto first = std::ranges::lower_bound(held, ContactKey{pair.a, pair.b, 0});
  return first != held.end() && first->shape_a == pair.a && first->shape_b == pair.b;
}

// What the step holds, ascending.
void list_held(const Stepper& stepper, std::vector<ContactKey>& held) {
  held.clear();
  for (const Contact& contact : stepper.trial().held.set().touching.contacts)
    held.push_back(contact.key);
  if (!std::ranges::is_sorted(held)) std::ranges::sort(held);
}

// The shapes of the pairs.
void list_shapes(std::span<const ShapePair> pairs, std::vector<int>& shapes) {
  shapes.clear();
  for (const ShapePair& pair : pairs) shapes.insert(shapes.end(), {pair.a, pair.b});
  std::ranges::sort(shapes);
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
}

// Open contacts of the pairs in reach at a state; their points are left in buffers.
void sample_points(const Sampling& sampling, const Evaluator& terms, const VectorXd* vdot,
                   std::vector<GapSample>& samples) {
  std::vector<ContactPoint>& points = sampling.buffers.points;
  const Trial& trial = sampling.stepper.trial();
  const std::vector<ContactKey>& held = sampling.buffers.held;
  const Kinematics& kin = terms.kinematics();
  const std::vector<Pose>& X_WS = terms.shapes(sampling.reach.shapes);
  const Team* const team = sampling.world.team();
  const auto range = [&](const ShapePair& pair) { return sampling.reach.range(pair.a, pair.b); };
  sampling.world.collision.contacts(sampling.reach.near, X_WS, range, team, points);
  std::vector<std::size_t>& open = sampling.buffers.among;
  open.clear();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!std::ranges::binary_search(held, points[i].key) && !trial.raised.has(points[i].key))
      open.push_back(i);
  samples.resize(open.size());
  for_each_index(team, open.size(), kContactsOfPart, [&](std::size_t i, std::size_t) {
    samples[i] = open_sample(sampling, X_WS, points[open[i]], kin, vdot);
  });
}

// The same and limits, sorted by key.
void sample_all(const Sampling& sampling, const State& state, const Evaluator& terms,
                const VectorXd* vdot, double h, std::vector<GapSample>& samples) {
  const auto collision_time = sampling.world.clock->during(StepPart::collision);
  samples.clear();
  sampling.buffers.points.clear();
  if (!sampling.reach.near.empty()) sample_points(sampling, terms, vdot, samples);
  sample_limits(sampling, state, vdot, h, samples);
  if (!std::ranges::is_sorted(samples, {}, &GapSample::key))
    std::ranges::sort(samples, {}, &GapSample::key);
}

// The impulses of a step at the velocity level act at once: its path leaves the start with another
// velocity than the start has. The slower of that and the end's is what may be relied on.
// @param terms  of the start, whose contacts are in buffers
void bound_start_rates(const Sampling& sampling, const Evaluator& terms, const State& start,
                       const State& end, std::vector<GapSample>& samples) {
  if (!sampling.stepper.method().velocity_level() || samples.empty()) return;
  const std::vector<ContactPoint>& points = sampling.buffers.points;
  const std::vector<Pose>& X_WS = terms.shapes(sampling.reach.shapes);
  const Model& model = sampling.model();
  Kinematics& path = sampling.buffers.path;
  compute_kinematics(model, start.q, end.v, path, sampling.world.team());
  std::vector<std::size_t>& by_key = sampling.buffers.among;
  by_key.resize(points.size());
  std::iota(by_key.begin(), by_key.end(), std::size_t{0});
  const auto key_of = [&](std::size_t i) -> const ContactKey& { return points[i].key; };
  std::ranges::sort(by_key, {}, [&](std::size_t i) { return std::pair(key_of(i), i); });
  for_each_index(
      sampling.world.team(), samples.size(), kContactsOfPart, [&](std::size_t k, std::size_t) {
        GapSample& sample = samples[k];
        GapSample along =
            is_joint_limit(sample.key) ? limit_sample(model, sample.key, end, nullptr) : sample;
        const auto found = std::ranges::upper_bound(by_key, sample.key, {}, key_of);
        if (found != by_key.begin() && key_of(*std::prev(found)) == sample.key)
          along = open_sample(sampling, X_WS, points[*std::prev(found)], path, nullptr);
        sample.rate = std::min(sample.rate, along.rate);
        sample.curvature = std::max(sample.curvature, along.curvature);
      });
}

bool is_simple(const Model& model, int shape) {
  const Geometry& kind = nth(model.shapes, shape).geometry;
  return std::holds_alternative<Sphere>(kind) || std::holds_alternative<Box>(kind) ||
         std::holds_alternative<Capsule>(kind) || std::holds_alternative<Convex>(kind) ||
         std::holds_alternative<Plane>(kind);
}

// Velocity level: two simple shapes that the step finds in touch, and whose impulses leave no speed
// that closes them, come no nearer on the straight path that it takes, but by a turn; what that
// sinks is brought up at its end.
bool is_stopped(const Sampling& sampling, const ContactKey& key) {
  const Stepper& stepper = sampling.stepper;
  const StepStart& start = stepper.start();
  return stepper.method().velocity_level() && start.joined.empty() &&
         is_of_simple_shapes(sampling.model(), key) &&
         start.touching.has(ShapePair{key.shape_a, key.shape_b});
}

// Whether it is so at the end of an interval, where no search is needed.
bool ends_stopped(const Sampling& sampling, const GapSample& end) {
  const bool stands = !end.present || end.gap >= -sampling.world.tolerance.still();
  return stands && is_stopped(sampling, end.key);
}

// Those of the points that are neither held nor among the contacts are added to `fresh`.
void keep_fresh(const Sampling& sampling, const std::vector<ContactPoint>& points,
                const std::vector<Pose>& X_WS, std::span<const OpenContact> contacts,
                std::vector<GapSample>& fresh) {
  const Stepper& stepper = sampling.stepper;
  for (const ContactPoint& point : points) {
    const auto same = [&](const ContactKey& key) { return key == point.key; };
    if (stepper.trial().holds(point.key) ||
        std::ranges::any_of(contacts, [&](const OpenContact& c) { return same(c.left.key); }) ||
        std::ranges::any_of(fresh, [&](const GapSample& s) { return same(s.key); }))
      continue;
    const GapSample sample = open_sample(sampling, X_WS, point, stepper.trial().terms.kinematics(),
                                         stepper.end_acceleration());
    // What touches and opens, as a facet does that another one gives way to, is no event.
    if (std::abs(sample.gap) <= sampling.world.tolerance.gap() && sample.rate > 0.0) continue;
    if (ends_stopped(sampling, sample)) continue;
    fresh.push_back(sample);
  }
}

}  // namespace

bool is_of_simple_shapes(const Model& model, const ContactKey& key) {
  return !is_joint_limit(key) && is_simple(model, key.shape_a) && is_simple(model, key.shape_b);
}

void find_reach(const World& world, const Stepper& stepper, const Evaluator& end, double h,
                SampleBuffers& buffers, Reach& reach) {
  const NearPairs& pairs = world.collision.near();
  const Evaluator& start = stepper.start().terms;
  reach.touches = world.tolerance.gap();
  reach.near.clear();
  const auto travel = [h](double at_ends) {
    return kTravelMargin * at_ends + kTravelAcceleration * h * h;
  };
  list_held(stepper, buffers.held);
  const auto is_held = [&](const ShapePair& pair) {
    return held_whole(world.model(), buffers.held, pair);
  };
  // Where all that is near is held a bound that takes less than the speeds is enough.
  if (pairs.knows(start, reach.touches) && pairs.are_near(is_held) &&
      pairs.knows(start,
                  2.0 * travel(h * pairs.roughly_fastest(start.v(), end.v())) + reach.touches))
    return;
  // That of the start first, for which the answer of the step before is at hand.
  const double before = pairs.fastest(start.v(), start.team());
  const double most = travel(h * std::max(before, pairs.fastest(end.v(), end.team())));
  const PairSelection& among = pairs.select(start, 2.0 * most + reach.touches);
  reach.shapes = among.shapes;
  reach.travel.assign(world.model().shapes.size(), most);
  const std::vector<Pose>& X_WS = start.shapes(reach.shapes);
  pairs.find(among, X_WS, reach.travel, reach.touches, reach.near);
  std::erase_if(reach.near, is_held);
  if (reach.near.empty()) return;  // how fast each shape is need not be known
  list_shapes(reach.near, buffers.moving);
  const std::vector<double>&at_start = start.speeds(buffers.moving),
        &at_end = end.speeds(buffers.moving);
  const auto fastest = [&](int shape) {
    return std::max(nth(at_start, shape), nth(at_end, shape));
  };
  for (const int shape : buffers.moving) nth(reach.travel, shape) = travel(h * fastest(shape));
  const bool by_impulses = stepper.method().velocity_level();
  std::erase_if(reach.near, [&](const ShapePair& pair) {
    return !pairs.may_be_within(pair, X_WS, reach.range(pair.a, pair.b)) ||
           (by_impulses && fastest(pair.a) == 0.0 && fastest(pair.b) == 0.0);
  });
}

void sample_ends(const Sampling& sampling, const State& start, const Evaluator& start_terms,
                 double h, const State& end, std::vector<GapSample>& left,
                 std::vector<GapSample>& right, std::vector<OpenContact>& contacts) {
  const Stepper& stepper = sampling.stepper;
  const VectorXd *at_start = stepper.start_acceleration(), *at_end = stepper.end_acceleration();
  sample_all(sampling, start, start_terms, at_start, h, left);
  bound_start_rates(sampling, start_terms, start, end, left);
  sample_all(sampling, end, stepper.trial().terms, at_end, h, right);
  const auto missing = [&](const ContactKey& key, const State& state, const VectorXd* vdot) {
    if (is_joint_limit(key)) return limit_sample(sampling.model(), key, state, vdot);
    return missing_sample(sampling.reach, key);
  };
  contacts.clear();
  for (auto l = left.begin(), r = right.begin(); l != left.end() || r != right.end();) {
    const bool has_left = l != left.end() && (r == right.end() || l->key <= r->key);
    const bool has_right = r != right.end() && (l == left.end() || r->key <= l->key);
    const ContactKey key = has_left ? l->key : r->key;
    const OpenContact contact{has_left ? *l++ : missing(key, start, at_start),
                              has_right ? *r++ : missing(key, end, at_end)};
    if (contact.left.covered && contact.right.covered) continue;  // all along
    const bool holds =
        std::ranges::binary_search(sampling.buffers.held, key) || stepper.trial().raised.has(key);
    if (!holds && !ends_stopped(sampling, contact.right)) contacts.push_back(contact);
  }
}

GapSample sample_at(const Sampling& sampling, double tau, const ContactKey& key) {
  Stepper& stepper = sampling.stepper;
  const State& probe = stepper.at(tau, {&key, 1}).state;
  const VectorXd* vdot = stepper.end_acceleration();
  // At the velocity level a contact that opens over the whole step may be held over a shorter one.
  if (stepper.trial().holds(key)) return covered_sample(sampling.world, key);
  if (is_joint_limit(key)) return limit_sample(sampling.model(), key, probe, vdot);
  const auto collision_time = sampling.world.clock->during(StepPart::collision);
  std::vector<ContactPoint>& points = sampling.buffers.points;
  points.clear();
  const Kinematics& kin = stepper.trial().terms.kinematics();
  const std::vector<Pose>& X_WS =
      stepper.trial().terms.shapes(std::array{key.shape_a, key.shape_b});
  const double range = sampling.reach.range(key.shape_a, key.shape_b);
  sampling.world.collision.contacts({key.shape_a, key.shape_b}, X_WS, range, points, {}, &key);
  for (const ContactPoint& point : points)
    if (point.key == key) return open_sample(sampling, X_WS, point, kin, vdot);
  return missing_sample(sampling.reach, key);
}

GapSample missing_sample(const Reach& reach, const ContactKey& key) {
  return {key, reach.range(key.shape_a, key.shape_b), 0.0, 0.0, false};
}

void sample_contacts(const Sampling& sampling, double tau, std::span<const OpenContact> contacts,
                     std::vector<GapSample>& samples, std::vector<GapSample>& fresh) {
  Stepper& stepper = sampling.stepper;
  std::vector<ContactKey>& keys = sampling.buffers.keys;
  keys.clear();
  for (const OpenContact& contact : contacts) keys.push_back(contact.left.key);
  const State& probe = stepper.at(tau, keys).state;
  const VectorXd* vdot = stepper.end_acceleration();
  const auto collision_time = sampling.world.clock->during(StepPart::collision);
  std::vector<ContactPoint>& points = sampling.buffers.points;
  ShapePair pair;
  samples.clear();
  fresh.clear();
  points.clear();
  for (const ContactKey& key : keys) {
    if (stepper.trial().holds(key)) {
      samples.push_back(covered_sample(sampling.world, key));
      continue;
    }
    if (is_joint_limit(key)) {
      samples.push_back(limit_sample(sampling.model(), key, probe, vdot));
      continue;
    }
    const Kinematics& kin = stepper.trial().terms.kinematics();
    const std::vector<Pose>& X_WS = stepper.trial().terms.shapes(sampling.reach.shapes);
    if (const ShapePair own{key.shape_a, key.shape_b}; own != pair) {
      pair = own;
      points.clear();
      sampling.world.collision.contacts(pair, X_WS, sampling.reach.range(pair.a, pair.b), points);
      keep_fresh(sampling, points, X_WS, contacts, fresh);
    }
    const auto found = std::ranges::find(points, key, &ContactPoint::key);
    samples.push_back(found == points.end() ? missing_sample(sampling.reach, key)
                                            : open_sample(sampling, X_WS, *found, kin, vdot));
  }
}

}  // namespace pequod
