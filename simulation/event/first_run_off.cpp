// The part of the event search that looks at where held contacts end.
#include <algorithm>
#include <variant>

#include "simulation/event/first_event.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

// Whether a contact is followed as if one of its faces, edges or axes went on for ever, which they
// do not.
bool may_run_off(const Model& model, const ContactPoint& point) {
  const auto ends = [&](int shape, const Feature& feature) {
    const Geometry& geometry = model.shapes[static_cast<std::size_t>(shape)].geometry;
    return !std::holds_alternative<Plane>(geometry) &&
           (feature.kind == FeatureKind::line || feature.kind == FeatureKind::face);
  };
  const FeaturePair& pair = point.feature;
  if (has_border(pair.A.kind) || has_border(pair.B.kind)) return false;
  return ends(point.key.shape_a, pair.A) || ends(point.key.shape_b, pair.B);
}

// Whether a contact is still found where the stepper's trial ends. @param found  storage
bool is_found(const World& world, const Stepper& stepper, const ContactKey& key,
              std::vector<ContactPoint>& found) {
  const std::array<int, 2> shapes{key.shape_a, key.shape_b};
  found.clear();
  world.collision.contacts({key.shape_a, key.shape_b}, stepper.trial().terms.shapes(shapes),
                           world.tolerance.gap(), found, stepper.start().state.loop.rims);
  return std::ranges::find(found, key, &ContactPoint::key) != found.end();
}

// s: where in the step the contact ends, to the shortest step.
double end_of_contact(const World& world, Stepper& stepper, const ContactKey& key, double h,
                      std::vector<ContactPoint>& found) {
  double there = 0.0, gone = h;
  const double shortest = shortest_step(*world.scenario);
  while (gone - there > shortest) {
    const double middle = 0.5 * (there + gone);
    stepper.at(middle);
    (is_found(world, stepper, key, found) ? there : gone) = middle;
  }
  return gone;
}

}  // namespace

std::optional<double> first_run_off(const World& world, Stepper& stepper, double h,
                                    EventWorkspace& workspace) {
  stepper.at(h);
  workspace.ended.clear();
  for (const ContactPoint& point : stepper.trial().held.set().touching.points) {
    if (!may_run_off(world.model(), point)) continue;
    const std::array<int, 2> shapes{point.key.shape_a, point.key.shape_b};
    const double gap = world.collision.gap(
        {shapes[0], shapes[1]}, stepper.trial().terms.shapes(shapes), 2.0 * world.tolerance.gap());
    if (gap > world.tolerance.gap()) workspace.ended.push_back(point.key);
  }
  double first = h;
  for (const ContactKey& key : workspace.ended)
    first = std::min(first, end_of_contact(world, stepper, key, first, workspace.found));
  if (first < h) return first;
  return std::nullopt;
}

}  // namespace pequod
