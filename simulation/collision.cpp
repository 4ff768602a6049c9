#include "simulation/collision.h"

#include <algorithm>

namespace pequod {

Collision::Collision(const Model& model) : model_(&model), near_(model) {}

void Collision::contacts(const ShapePair& pair, const std::vector<Pose>& X_WS, double range,
                         std::vector<ContactPoint>& out, std::span<const ContactKey> rims,
                         const ContactKey* wanted) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const auto find = [&](std::vector<ContactPoint>& points) {
    find_contacts(model_->shapes[a].geometry, X_WS[a], model_->shapes[b].geometry, X_WS[b], pair.a,
                  pair.b, range, points, rims, wanted);
  };
  if (!is_kept(pair)) return find(out);
  const std::vector<ContactPoint>& points =
      memo_.contacts({pair.a, pair.b}, X_WS[a], X_WS[b], range, find);
  out.insert(out.end(), points.begin(), points.end());
}

bool Collision::is_kept(const ShapePair& pair) const {
  const auto is_polytope = [&](int shape) {
    const Geometry& geometry = nth(model_->shapes, shape).geometry;
    return std::holds_alternative<Box>(geometry) || std::holds_alternative<Convex>(geometry);
  };
  return is_polytope(pair.a) && is_polytope(pair.b);
}

void Collision::make_room(std::span<const ShapePair> pairs) const {
  memo_.make_room(pairs.size());
  for (const ShapePair& pair : pairs)
    if (is_kept(pair)) memo_.add({pair.a, pair.b});
}

// Of a pair with a height field the finder is the distance: it needs no more than the range.
double Collision::gap(const ShapePair& pair, const std::vector<Pose>& X_WS, double range) const {
  thread_local std::vector<ContactPoint> found;  // storage only: written before it is read
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const Geometry& A = model_->shapes[a].geometry;
  const Geometry& B = model_->shapes[b].geometry;
  if (!std::holds_alternative<HeightField>(A) && !std::holds_alternative<HeightField>(B)) {
    if (!is_kept(pair)) return signed_distance(A, X_WS[a], B, X_WS[b], range);
    return memo_.gap({pair.a, pair.b}, X_WS[a], X_WS[b],
                     [&] { return signed_distance(A, X_WS[a], B, X_WS[b]); });
  }
  found.clear();
  contacts(pair, X_WS, range, found);
  double nearest = kInfinity;
  for (const ContactPoint& point : found) nearest = std::min(nearest, point.gap);
  return nearest;
}

double Collision::smallest_gap(const Evaluator& here, double range) const {
  if (smallest_.range != range || !are_equal(smallest_.q, here.q())) {
    smallest_.gap = find_smallest_gap(here, range);
    smallest_.range = range;
    smallest_.q = here.q();
  }
  return smallest_.gap;
}

double Collision::find_smallest_gap(const Evaluator& here, double range) const {
  const PairSelection& among = near_.select(here, range);
  const std::vector<Pose>& X_WS = here.shapes(among.shapes);
  double smallest = kInfinity;
  for (const ShapePair& pair : near_.candidates(among, X_WS, nullptr, range)) {
    if (!near_.may_be_within(pair, X_WS, std::min(range, smallest))) continue;
    // Finders take no range below zero: another pair may be deeper than one that touches.
    smallest = std::min(smallest, gap(pair, X_WS, std::clamp(smallest, 0.0, range)));
  }
  return smallest <= range ? smallest : kInfinity;
}

void Collision::add_overlapping(const Evaluator& here, double depth,
                                std::vector<ShapePair>& pairs) const {
  const std::vector<Pose>& X_WS = here.shapes(near_.all().shapes);
  for (const ShapePair& pair : near_.candidates(near_.all(), X_WS, nullptr, 0.0))
    if (near_.may_be_within(pair, X_WS, -depth) && gap(pair, X_WS, 0.0) < -depth &&
        std::ranges::find(pairs, pair) == pairs.end())
      pairs.push_back(pair);
}

Contact make_contact(const Model& model, const ContactPoint& point) {
  Contact contact;
  contact.key = point.key;
  contact.link_a = nth(model.shapes, point.key.shape_a).link;
  contact.link_b = nth(model.shapes, point.key.shape_b).link;
  contact.p_W = point.p_W;
  contact.n_W = point.n_W;
  contact.gap = point.gap;
  contact.surface = model.surface(point.key.shape_a, point.key.shape_b);
  set_tangents(contact);
  return contact;
}

}  // namespace pequod
