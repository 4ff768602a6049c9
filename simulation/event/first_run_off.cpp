// The part of the event search that looks at where held contacts end.
#include <algorithm>
#include <array>
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

// The held contacts that may have run off, as their shapes are apart where the trial ends.
void find_ended(const World& world, const Stepper& stepper, std::vector<ContactKey>& ended) {
  ended.clear();
  ShapePair pair;
  double gap = 0.0;  // m, of that pair
  for (const ContactPoint& point : stepper.trial().held.set().touching.points) {
    if (!may_run_off(world.model(), point)) continue;
    const ShapePair own{point.key.shape_a, point.key.shape_b};
    if (own != pair) {
      const std::array<int, 2> shapes{own.a, own.b};
      pair = own;
      gap = world.collision.gap(pair, stepper.trial().terms.shapes(shapes),
                                2.0 * world.tolerance.gap());
    }
    if (gap > world.tolerance.gap()) ended.push_back(point.key);
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
    (is_found(world, stepper, key, found) ? there : gone) = middle;
  }
  return gone;
}

}  // namespace

std::optional<double> first_run_off(const World& world, Stepper& stepper, double h,
                                    EventWorkspace& workspace) {
  stepper.at(h);
  find_ended(world, stepper, workspace.ended);
  double first = h;
  for (const ContactKey& key : workspace.ended)
    first = std::min(first, end_of_contact(world, stepper, key, first, workspace.found));
  if (first < h && first > shortest_step(*world.scenario)) return first;
  return std::nullopt;
}

}  // namespace pequod
