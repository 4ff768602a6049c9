// The contacts and joint limits that touch at one state, ready for the contact stage.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/problem.h"
#include "contact/solvers/linear/poison.h"
#include "core/state.h"
#include "core/tree_parts.h"
#include "events/facet_part.h"
#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "simulation/scene_tolerances.h"

namespace pequod {

struct World;

/// Whether a touching contact with this normal velocity, m/s, may be held: it neither separates nor
/// has yet to meet.
[[nodiscard]] inline bool rests(double normal_velocity, const SceneTolerances& tolerance) {
  return std::abs(normal_velocity) <= tolerance.speed();
}

/// Contacts first (points[i] belongs to contacts[i]), joint limits after them.
struct Touching {
  std::vector<ContactPoint> points;
  std::vector<Contact> contacts;

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
  void clear() {
    points.clear();
    contacts.clear();
  }
  void poison() { pequod::poison(points, contacts); }
  /// Appends contact i of the other: behind the contacts, or behind the joint limits if it is one.
  void add(const Touching& other, std::size_t i) {
    const bool limit = i >= other.points.size();
    contacts.insert(limit ? contacts.end() : contacts.begin() + std::ssize(points),
                    other.contacts[i]);
    if (!limit) points.push_back(other.points[i]);
  }
  /// Those of its contacts i for which chosen(i) holds.
  template <typename Chosen>
  [[nodiscard]] Touching those(const Chosen& chosen) const {
    Touching kept;
    for (std::size_t i = 0; i < size(); ++i)
      if (chosen(i)) kept.add(*this, i);
    return kept;
  }
  [[nodiscard]] bool has(const ContactKey& key) const {
    return std::ranges::any_of(contacts, [&](const Contact& own) { return own.key == key; });
  }
  /// Whether any contact of the two shapes is among them.
  [[nodiscard]] bool has(const ShapePair& pair) const {
    return std::ranges::any_of(contacts, [&](const Contact& own) {
      return own.key.shape_a == pair.a && own.key.shape_b == pair.b;
    });
  }
};

/// Which gaps count as touching: up to a range, and beyond it what each of the two shapes may
/// close.
struct TouchRange {
  // NOLINTNEXTLINE(google-explicit-constructor): a range alone is one
  TouchRange(double of_all) : range(of_all), facets(of_all), limits(of_all) {}

  double range;                   ///< m
  double facets;                  ///< m, the same of pairs with a height field or mesh
  double closed_facets = 0.0;     ///< m, the same of those that are closed
  const State* closed = nullptr;  ///< the state whose mode tells which are; none: no one asks
  /// m: how far finders are asked of pairs with facets, at least: those of a mesh tell of no
  /// contact that is deeper than they are asked for.
  double asked = 0.0;
  double limits;                   ///< m, rad: the same of joint limits
  std::span<const double> travel;  ///< m, of each shape; none: no shape closes anything
  std::span<const char> resting;   ///< LoopState::resting: of these alone nothing is asked
};

/// Buffers of find_touching.
struct TouchingWorkspace {
  std::vector<double> travel;
  std::vector<ShapePair> near;
  std::vector<ContactPoint> kept;
  std::vector<FacetPart> parts;
  std::vector<char> limits;  // see visit_limits()

  void poison() { pequod::poison(travel, near, kept, parts, limits); }
};

/// Everything within reach, from fresh queries.
/// @param here  where the bodies are
/// @param rims  as for find_contacts()
void find_touching(const Model& model, const Collision& collision, const Evaluator& here,
                   const TouchRange& within, TouchingWorkspace& workspace, Touching& touching,
                   std::span<const ContactKey> rims = {});

/// The same of a state, with the rim points that it has (LoopState::rims).
/// @param here  stands at the state afterwards
void find_touching(const World& world, const State& state, const TouchRange& within,
                   Evaluator& here, TouchingWorkspace& workspace, Touching& touching);
/// m: up to where contacts of two shapes touch. @param kin  where the links are
[[nodiscard]] double touching_gap(const World& world, const Kinematics& kin, const ShapePair& pair);
/// Up to where contacts touch: those with facets, at the acceleration level, no farther than
/// rounding. It points to the state. @param here  has the links at the state then
[[nodiscard]] TouchRange touch_range(const World& world, const State& state, Evaluator& here);

/// The same of what touches there.
void find_touching(const World& world, const State& state, Evaluator& here,
                   TouchingWorkspace& workspace, Touching& touching);

/// visit(link, sign) for the limits of joints that are asked for, in the order of the links; sign 1
/// is that of the lower one. @param asked  (joint, sign): bool
/// @param storage  one for each of Model::limited
template <typename Asked, typename Visit>
void visit_limits(const Model& model, const Team* team, std::vector<char>& storage,
                  const Asked& asked, const Visit& visit) {
  storage.resize(model.limited.size());
  for_each_index(team, storage.size(), 4 * kLinksOfPart, [&](std::size_t i, std::size_t) {
    const Joint& joint = nth(model.links, model.limited[i]).joint;
    const int lower = asked(joint, 1.0) ? 1 : 0;
    const int upper = asked(joint, -1.0) ? 2 : 0;
    storage[i] = static_cast<char>(lower + upper);
  });
  for (std::size_t i = 0; i < storage.size(); ++i) {
    if ((storage[i] & 1) != 0) visit(model.limited[i], 1.0);
    if ((storage[i] & 2) != 0) visit(model.limited[i], -1.0);
  }
}

/// Gap of a joint limit, rad or m.
[[nodiscard]] inline double limit_gap(const Joint& joint, const VectorXd& q, double sign) {
  const double position = q[joint.q_index];
  return sign > 0.0 ? position - joint.lower : joint.upper - position;
}
/// The contact that stands for a joint limit; sign +1 lower, −1 upper.
[[nodiscard]] Contact make_limit(const Model& model, int link, double sign, double gap);

/// The mode of a contact that has just closed: its place, and no force.
[[nodiscard]] inline ContactMode closed_mode(const Contact& contact) {
  ContactMode mode;
  mode.key = contact.key;
  mode.point_W = contact.p_W;
  mode.normal_W = contact.n_W;
  mode.gap = contact.gap;
  return mode;
}

}  // namespace pequod
