#include "simulation/touching.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "simulation/contact_motion.h"
#include "simulation/resting.h"
#include "simulation/world.h"

namespace pequod {
namespace {

// Where a ball touches a facet, the border of the next one is within the gap tolerance too: nearly
// the same row, but with the curvature of an edge in Ṅ v. Held together they would demand enormous
// accelerations, so a part that belongs to another touched facet does not count; of facets that
// touch with the border they share, the first does.
void drop_shadowed(const std::vector<Pose>& X_WS, TouchingWorkspace& workspace,
                   std::vector<ContactPoint>& points) {
  const auto is_on_facet = [](const ContactPoint& point) {
    return has_border(point.feature.A.kind) || has_border(point.feature.B.kind);
  };
  if (std::ranges::none_of(points, is_on_facet)) return;
  workspace.parts.clear();
  for (const ContactPoint& point : points)
    workspace.parts.push_back(
        touched_part(point, nth(X_WS, point.key.shape_a), nth(X_WS, point.key.shape_b)));
  workspace.kept.clear();
  for (std::size_t x = 0; x < points.size(); ++x) {
    bool shadowed = false;
    for (std::size_t y = 0; y < points.size() && !shadowed; ++y) {
      if (x == y || !covers(points[y], points[x], workspace.parts[x])) continue;
      const bool mutual = covers(points[x], points[y], workspace.parts[y]);
      shadowed = !mutual || y < x;
    }
    if (!shadowed) workspace.kept.push_back(points[x]);
  }
  points.swap(workspace.kept);
}

}  // namespace

Contact make_limit(const Model& model, int link, double sign, double gap) {
  Contact contact;
  contact.key = joint_limit_key(link, sign < 0.0);
  contact.link_a = nth(model.links, link).parent;
  contact.link_b = link;
  contact.sign = sign;
  contact.gap = gap;
  contact.surface.restitution = 0.0;
  return contact;
}

namespace {

bool has_facets(const Shape& shape) {
  return std::holds_alternative<HeightField>(shape.geometry) ||
         std::holds_alternative<Mesh>(shape.geometry);
}

bool has_facets(const Model& model, const ShapePair& pair) {
  return has_facets(nth(model.shapes, pair.a)) || has_facets(nth(model.shapes, pair.b));
}

// m: up to where facets touch at the acceleration level.
double facet_range(const World& world, const Kinematics& kin) {
  double farthest = 0.0;
  for (const LinkKinematics& link : kin.links)
    farthest = std::max(farthest, link.X_WL.p.lpNorm<Eigen::Infinity>());
  const double least = kTouchingGap * world.tolerance.rounding;
  return std::clamp(kTouchingRounding * farthest, least, world.tolerance.gap());
}

// Whether a contact beyond the range is one that is closed and touches still.
bool stays_closed(const TouchRange& within, const ContactPoint& point) {
  return within.closed && point.gap <= within.closed_facets && find_mode(*within.closed, point.key);
}

// Whether a closed contact of the same bodies, along the same normal, goes on to touch.
bool lies_flush(const Model& model, const Touching& touching, const std::vector<bool>& leaves,
                std::size_t corner, double closed) {
  const ContactPoint& own = touching.points[corner];
  if (has_facets(model, {own.key.shape_a, own.key.shape_b})) return false;
  for (std::size_t i = 0; i < touching.points.size(); ++i) {
    const ContactPoint& other = touching.points[i];
    if (!leaves[i] && other.gap <= closed && other.key.shape_a == own.key.shape_a &&
        other.key.shape_b == own.key.shape_b && (other.n_W - own.n_W).norm() <= kFlush)
      return true;
  }
  return false;
}

// Corners that are about to leave the face that they come down on. One at the end of a side that
// lies on the face stays: it stands for the place where the side will cross the border. (Facets
// have others beside them that take over.) So does what is held, until it has run off.
void drop_leaving(const World& world, const Kinematics& kin, const State& state,
                  Touching& touching) {
  thread_local std::vector<bool> leaves;  // storage only: written before it is read
  const auto may_leave = [](const ContactPoint& point) {
    return is_corner_over_face(point.feature);
  };
  if (std::ranges::none_of(touching.points, may_leave)) return;
  if (2.0 * world.collision.near().fastest(state.v) <= world.tolerance.speed())
    return;  // none closes
  leaves.clear();
  for (const ContactPoint& point : touching.points)
    leaves.push_back(!find_mode(state, point.key) &&
                     leaves_face(world.model(), kin, point, world.tolerance));
  if (std::ranges::none_of(leaves, std::identity{})) return;
  touching = touching.those([&](std::size_t i) {
    return i >= touching.points.size() || !leaves[i] ||
           lies_flush(world.model(), touching, leaves, i, world.tolerance.gap());
  });
}

}  // namespace

double touching_gap(const World& world, const Kinematics& kin, const ShapePair& pair) {
  const bool rounding = !world.velocity_level() && has_facets(world.model(), pair);
  return rounding ? facet_range(world, kin) : world.tolerance.gap();
}

TouchRange touch_range(const World& world, const State& state, Evaluator& here) {
  TouchRange range = world.tolerance.gap();
  if (world.velocity_level()) return range;
  here.at_position(state.q);
  range.facets = facet_range(world, here.kinematics());
  range.closed_facets = std::min(kStaysTouching * range.facets, world.tolerance.gap());
  range.closed = state.mode.empty() ? nullptr : &state;
  range.asked = world.tolerance.gap();
  return range;
}

void find_touching(const Model& model, const Collision& collision, const Evaluator& here,
                   const TouchRange& within, TouchingWorkspace& workspace, Touching& touching,
                   std::span<const ContactKey> rims) {
  touching.clear();
  std::vector<double>& travel = workspace.travel;
  travel.assign(within.travel.begin(), within.travel.end());
  travel.resize(model.shapes.size(), 0.0);
  const double most = std::accumulate(travel.begin(), travel.end(), 0.0,
                                      [](double a, double b) { return std::max(a, b); });
  const PairSelection& among = collision.near().select(here, within.range + 2.0 * most);
  const std::vector<Pose>& X_WS = here.shapes(among.shapes);
  collision.near().find(among, X_WS, travel, within.range, workspace.near);
  if (!within.resting.empty())
    std::erase_if(workspace.near,
                  [&](const ShapePair& pair) { return rests(model, within.resting, pair); });
  const auto range = [&](const ShapePair& pair) {
    const double closed = nth(travel, pair.a) + nth(travel, pair.b);
    return (has_facets(model, pair) ? within.facets : within.range) + closed;
  };
  const auto asked = [&](const ShapePair& pair) { return std::max(range(pair), within.asked); };
  collision.contacts(workspace.near, X_WS, asked, here.team(), touching.points, rims);
  if (within.asked > 0.0)
    std::erase_if(touching.points, [&](const ContactPoint& point) {
      return point.gap > range({point.key.shape_a, point.key.shape_b}) &&
             !stays_closed(within, point);
    });
  drop_shadowed(X_WS, workspace, touching.points);
  touching.contacts.resize(touching.points.size());
  for_each_index(here.team(), touching.points.size(), kContactsOfPart,
                 [&](std::size_t i, std::size_t) {
                   touching.contacts[i] = make_contact(model, touching.points[i]);
                 });
  const auto gap_of = [&](const Joint& joint, double sign) {
    return limit_gap(joint, here.q(), sign);
  };
  visit_limits(
      model, here.team(), workspace.limits,
      [&](const Joint& joint, double sign) { return gap_of(joint, sign) <= within.limits; },
      [&](int link, double sign) {
        if (rests(model, within.resting, link)) return;
        const Joint& joint = nth(model.links, link).joint;
        touching.contacts.push_back(make_limit(model, link, sign, gap_of(joint, sign)));
      });
}

void find_touching(const World& world, const State& state, const TouchRange& within,
                   Evaluator& here, TouchingWorkspace& workspace, Touching& touching) {
  here.at(state.q, state.v);
  const auto collision_time = world.clock->during(StepPart::collision);
  TouchRange awake = within;
  awake.resting = state.loop.resting;
  const auto find = [&] {
    find_touching(world.model(), world.collision, here, awake, workspace, touching,
                  state.loop.rims);
  };
  if (TouchingMemo::knows_all_of(awake) && state.loop.rims.empty())
    world.touched.find(state.q, awake, find, touching);
  else
    find();
  drop_leaving(world, here.kinematics(), state, touching);
}

void find_touching(const World& world, const State& state, Evaluator& here,
                   TouchingWorkspace& workspace, Touching& touching) {
  find_touching(world, state, touch_range(world, state, here), here, workspace, touching);
}

}  // namespace pequod
