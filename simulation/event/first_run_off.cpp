// The part of the event search that looks at where held contacts end.
#include <algorithm>
#include <array>
#include <span>
#include <variant>

#include "simulation/contact_motion.h"
#include "simulation/event/first_event.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

// Whether a contact is followed as if one of its faces, edges or axes went on for ever, which they
// do not.
bool may_run_off(const Model& model, const ContactPoint& point) {
  const auto ends = [&](int shape, const Feature& feature) {
    const Geometry& geometry = nth(model.shapes, shape).geometry;
    return !std::holds_alternative<Plane>(geometry) &&
           (feature.kind == FeatureKind::line || feature.kind == FeatureKind::face);
  };
  const FeaturePair& pair = point.feature;
  if (has_border(pair.A.kind) || has_border(pair.B.kind)) return false;
  return ends(point.key.shape_a, pair.A) || ends(point.key.shape_b, pair.B);
}

// Whether it may at all: what moves with the other body touches where it did.
bool may_run_off(const World& world, const Kinematics& kin, const ContactPoint& point) {
  if (!may_run_off(world.model(), point)) return false;
  const BodyMotion A = shape_motion(world.model(), kin, point.key.shape_a),
                   B = shape_motion(world.model(), kin, point.key.shape_b);
  const Vector3d slip = velocity_at(B, point.p_W) - velocity_at(A, point.p_W);
  return slip.norm() + world.tolerance.length * (B.w - A.w).norm() > world.tolerance.speed();
}

// The contacts of two shapes where the stepper's trial ends.
void find_at_end(const World& world, const Stepper& stepper, const ShapePair& pair,
                 std::vector<ContactPoint>& found) {
  found.clear();
  world.collision.contacts(pair, stepper.trial().terms.shapes(std::array{pair.a, pair.b}),
                           world.tolerance.gap(), found, stepper.start().state.loop.rims);
}

bool has(const std::vector<ContactPoint>& found, const ContactKey& key) {
  return std::ranges::find(found, key, &ContactPoint::key) != found.end();
}

// The held contacts of one pair that are found no more where the trial ends: all that may have run
// off if the shapes are apart then, and if they touch, but not where they did, as a ball does that
// goes over an edge. Where some of them last, what has run off is let go at the end of the step,
// and over facets, which hand over all the time.
void find_ended(const World& world, const Stepper& stepper, std::span<const ContactPoint> held,
                EventWorkspace& workspace) {
  const Kinematics& kin = stepper.trial().terms.kinematics();
  const auto runs_off = [&](const ContactPoint& point) { return may_run_off(world, kin, point); };
  if (std::ranges::none_of(held, runs_off)) return;
  const ContactKey& key = held.front().key;
  find_at_end(world, stepper, {key.shape_a, key.shape_b}, workspace.found);
  const auto lasts = [&](const ContactPoint& point) { return has(workspace.found, point.key); };
  if (std::ranges::any_of(held, lasts)) return;
  if (!workspace.found.empty() && !is_of_simple_shapes(world.model(), key)) return;
  for (const ContactPoint& point : held)
    if (runs_off(point)) workspace.ended.push_back(point.key);
}

void find_ended(const World& world, const Stepper& stepper, EventWorkspace& workspace) {
  workspace.ended.clear();
  const std::span<const ContactPoint> held = stepper.trial().held.set().touching.points;
  for (std::size_t first = 0, last = 0; first < held.size(); first = last) {
    const ContactKey& key = held[first].key;
    while (last < held.size() && held[last].key.shape_a == key.shape_a &&
           held[last].key.shape_b == key.shape_b)
      ++last;
    find_ended(world, stepper, held.subspan(first, last - first), workspace);
  }
}

// s: where in the step the contact ends, to the shortest step.
double end_of_contact(const World& world, Stepper& stepper, const ContactKey& key, double h,
                      std::vector<ContactPoint>& found) {
  double there = 0.0, gone = h;
  const double shortest = shortest_step(*world.scenario);
  while (gone - there > shortest) {
    const double middle = 0.5 * (there + gone);
    stepper.at(middle);
    find_at_end(world, stepper, {key.shape_a, key.shape_b}, found);
    (has(found, key) ? there : gone) = middle;
  }
  return gone;
}

}  // namespace

std::optional<double> first_run_off(const World& world, Stepper& stepper, double h,
                                    EventWorkspace& workspace) {
  stepper.at(h);
  find_ended(world, stepper, workspace);
  double first = h;
  for (const ContactKey& key : workspace.ended)
    first = std::min(first, end_of_contact(world, stepper, key, first, workspace.found));
  if (first < h && first > shortest_step(*world.scenario)) return first;
  return std::nullopt;
}

}  // namespace pequod
