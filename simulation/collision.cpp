#include "simulation/collision.h"

#include <algorithm>
#include <cmath>

#include "events/broad_phase.h"
#include "events/terrain.h"

namespace pequod {
namespace {

// Least distance of a ball of radius r about p (world) from a plane or height field.
double ground_clearance(const Geometry& ground, const Pose& X_WG, const Vector3d& p, double r) {
  const auto* field = std::get_if<HeightField>(&ground);
  if (!field) return X_WG.R.col(2).dot(p - X_WG.p) - r;
  const Vector3d p_G = X_WG.R.transpose() * (p - X_WG.p);
  const Vector3d lo(field->origin.x(), field->origin.y(), field->min_height);
  const Vector3d hi(field->origin.x() + (field->nx - 1) * field->dx,
                    field->origin.y() + (field->ny - 1) * field->dy, field->max_height);
  // Solid below: only height above the highest sample and sideways distance keep apart.
  Vector3d outside = (lo - p_G).cwiseMax(p_G - hi).cwiseMax(0.0);
  outside.z() = std::max(0.0, p_G.z() - hi.z());
  const double above =
      height_above(*field, p_G) / std::sqrt(1.0 + field->max_slope * field->max_slope);
  return std::max(outside.norm(), above) - r;
}

bool is_ground(const Geometry& geometry) {
  return std::holds_alternative<Plane>(geometry) || std::holds_alternative<HeightField>(geometry);
}

// Shapes up to which looking at every pair costs less than sorting boxes.
constexpr int kFewShapes = 48;
// m: pairs that are farther apart than asked for by no more than this are told too. More of it
// makes more pairs to look at, less makes them looked for more often: a leg swings by it in some
// steps. No result depends on it.
constexpr double kNearby = 0.05;

std::vector<double> bounding_radii(const Model& model) {
  std::vector<double> radius;
  for (const Shape& shape : model.shapes) radius.push_back(bounding_radius(shape.geometry));
  return radius;
}

std::vector<char> find_ground(const Model& model) {
  std::vector<char> ground;
  for (const Shape& shape : model.shapes) ground.push_back(is_ground(shape.geometry) ? 1 : 0);
  return ground;
}

// Around a ball, or around ground, with `reach` on all sides.
Aabb swept_box(const Geometry& geometry, const Pose& X_WS, double radius, double reach) {
  Aabb box;
  if (is_ground(geometry)) {
    box = bounding_box(geometry, X_WS);
  } else {
    box.lo = X_WS.p - Vector3d::Constant(radius);
    box.hi = X_WS.p + Vector3d::Constant(radius);
  }
  return {box.lo - Vector3d::Constant(reach), box.hi + Vector3d::Constant(reach)};
}

}  // namespace

Collision::Collision(const Model& model)
    : model_(&model),
      radius_(bounding_radii(model)),
      ground_(find_ground(model)),
      bound_(model, radius_) {
  const int n = static_cast<int>(model.shapes.size());
  for (int a = 0; a < n; ++a) all_.shapes.push_back(a);
  if (n > kFewShapes) return;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (model.may_collide(a, b)) all_.pairs.push_back({a, b});
}

const PairSelection& Collision::select(const Evaluator& here, double distance) const {
  if (all_.pairs.empty()) return all_;
  if (nearby_.q.size() != 0) {
    const double way = way_to(here.q());
    if (way == kInfinity) return all_;
    if (2.0 * way + distance <= nearby_.apart) return nearby_.selection;
  }
  find_nearby(here, distance);
  return nearby_.selection;
}

// m, from where the memo was made. Asked three times a step: at its end, and twice at the next
// start.
double Collision::way_to(const VectorXd& q) const {
  if (!are_equal(nearby_.asked, q)) {
    nearby_.asked = q;
    nearby_.way = bound_.between(nearby_.q, q);
  }
  return nearby_.way;
}

// Those within reach and a little more, so that they need not be looked for soon again.
void Collision::find_nearby(const Evaluator& here, double distance) const {
  const std::vector<Pose>& X_WS = here.shapes(all_.shapes);
  auto& [pairs, shapes] = nearby_.selection;
  nearby_.q = nearby_.asked = here.q();
  nearby_.way = 0.0;
  nearby_.apart = kInfinity;
  pairs.clear();
  shapes.clear();
  for (const ShapePair& pair : all_.pairs) {
    const double apart = clearance(pair, X_WS);
    if (apart > distance + kNearby) {
      nearby_.apart = std::min(nearby_.apart, apart);
      continue;
    }
    pairs.push_back(pair);
    shapes.insert(shapes.end(), {pair.a, pair.b});
  }
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
}

void Collision::bound_travel(const std::vector<ShapeSpeed>& speeds, std::span<const int> shapes,
                             double h, std::vector<double>& travel) const {
  travel.resize(radius_.size());
  for (const int shape : shapes) {
    const auto i = static_cast<std::size_t>(shape);
    const double turn =
        speeds[i].turn > 0.0 ? speeds[i].turn * radius_[i] : 0.0;  // a plane has none
    travel[i] = h * (speeds[i].origin + turn);
  }
}

double Collision::clearance(const ShapePair& pair, const std::vector<Pose>& X_WS) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  if (ground_[a] || ground_[b]) {
    const std::size_t ground = ground_[a] ? a : b, other = ground_[a] ? b : a;
    return ground_clearance(model_->shapes[ground].geometry, X_WS[ground], X_WS[other].p,
                            radius_[other]);
  }
  return (X_WS[b].p - X_WS[a].p).norm() - radius_[a] - radius_[b];
}

bool Collision::may_be_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                              double distance) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  if (ground_[a] || ground_[b]) return clearance(pair, X_WS) <= distance;
  const double reach = radius_[a] + radius_[b] + distance;
  return reach >= 0.0 && (X_WS[b].p - X_WS[a].p).squaredNorm() <= reach * reach;
}

const std::vector<ShapePair>& Collision::candidates(const PairSelection& among,
                                                    const std::vector<Pose>& X_WS,
                                                    const std::vector<double>* travel,
                                                    double margin) const {
  const std::size_t n = model_->shapes.size();
  if (n <= kFewShapes) return among.pairs;
  // Storage only: written before it is read.
  thread_local std::vector<Aabb> boxes;
  thread_local BroadPhaseWorkspace workspace;
  thread_local std::vector<std::pair<int, int>> overlaps;
  thread_local std::vector<ShapePair> pairs;
  boxes.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    boxes[i] = swept_box(model_->shapes[i].geometry, X_WS[i], radius_[i],
                         margin + (travel ? (*travel)[i] : 0.0));
  find_candidate_pairs(boxes, workspace, overlaps);
  pairs.clear();
  for (const auto& [a, b] : overlaps)
    if (model_->may_collide(a, b)) pairs.push_back({a, b});
  return pairs;
}

void Collision::near_pairs(const PairSelection& among, const std::vector<Pose>& X_WS,
                           const std::vector<double>& travel, double margin,
                           std::vector<ShapePair>& near) const {
  near.clear();
  for (const ShapePair& pair : candidates(among, X_WS, &travel, margin)) {
    const double reach = travel[static_cast<std::size_t>(pair.a)] +
                         travel[static_cast<std::size_t>(pair.b)] + margin;
    if (may_be_within(pair, X_WS, reach)) near.push_back(pair);
  }
}

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
    const Geometry& geometry = model_->shapes[static_cast<std::size_t>(shape)].geometry;
    return std::holds_alternative<Box>(geometry) || std::holds_alternative<Convex>(geometry);
  };
  return is_polytope(pair.a) && is_polytope(pair.b);
}

// Of a pair with a height field the finder is the distance: it needs no more than the range.
double Collision::gap_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                             double range) const {
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
  double gap = kInfinity;
  for (const ContactPoint& point : found) gap = std::min(gap, point.gap);
  return gap;
}

double Collision::smallest_gap(const Evaluator& here, double range) const {
  const PairSelection& among = select(here, range);
  const std::vector<Pose>& X_WS = here.shapes(among.shapes);
  double smallest = kInfinity;
  for (const ShapePair& pair : candidates(among, X_WS, nullptr, range)) {
    if (!may_be_within(pair, X_WS, std::min(range, smallest))) continue;
    // Finders take no range below zero: another pair may be deeper than one that touches.
    smallest = std::min(smallest, gap_within(pair, X_WS, std::clamp(smallest, 0.0, range)));
  }
  return smallest <= range ? smallest : kInfinity;
}

void Collision::add_overlapping(const Evaluator& here, double depth,
                                std::vector<ShapePair>& pairs) const {
  const std::vector<Pose>& X_WS = here.shapes(all_.shapes);
  for (const ShapePair& pair : candidates(all_, X_WS, nullptr, 0.0))
    if (may_be_within(pair, X_WS, -depth) && gap_within(pair, X_WS, 0.0) < -depth &&
        std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
      pairs.push_back(pair);
}

Contact make_contact(const Model& model, const ContactPoint& point) {
  Contact contact;
  contact.key = point.key;
  contact.link_a = model.shapes[static_cast<std::size_t>(point.key.shape_a)].link;
  contact.link_b = model.shapes[static_cast<std::size_t>(point.key.shape_b)].link;
  contact.p_W = point.p_W;
  contact.n_W = point.n_W;
  contact.gap = point.gap;
  contact.surface = model.surface(point.key.shape_a, point.key.shape_b);
  set_tangents(contact);
  return contact;
}

BodyMotion shape_motion(const Shape& shape, const BodyMotion& link) {
  BodyMotion motion = link;
  if (shape.link < 0) {  // nothing of it moves
    motion.X_WL = shape.X_LS;
    return motion;
  }
  motion.X_WL = link.X_WL * shape.X_LS;
  motion.v = velocity_at(link, motion.X_WL.p);
  motion.a = acceleration_at(link, motion.X_WL.p);
  return motion;
}

}  // namespace pequod
