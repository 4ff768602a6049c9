#include "simulation/near_pairs.h"

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
// m: pairs that are farther apart than asked for by no more than this are told too, by no more than
// that share of the mean radius where shapes are small. More makes more pairs to look at, less
// makes them looked for more often: a leg swings by it in some steps. No result depends on it.
constexpr double kNearby = 0.05, kNearbyShare = 0.5;

double margin_of(const std::vector<double>& radius) {
  double sum = 0.0;
  int count = 0;
  for (const double r : radius)
    if (std::isfinite(r)) sum += r, ++count;
  return count > 0 ? std::min(kNearby, kNearbyShare * sum / count) : kNearby;
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

NearPairs::NearPairs(const Model& model)
    : model_(&model),
      radius_(bounding_radii(model)),
      ground_(find_ground(model)),
      margin_(margin_of(radius_)),
      bound_(model, radius_) {
  const int n = static_cast<int>(model.shapes.size());
  for (int a = 0; a < n; ++a) all_.shapes.push_back(a);
  all_.listed = n <= kFewShapes;
  if (!all_.listed) return;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (model.may_collide(a, b)) all_.pairs.push_back({a, b});
}

const PairSelection& NearPairs::select(const Evaluator& here, double distance) const {
  if (all_.listed ? all_.pairs.empty() : !std::isfinite(distance)) return all_;
  if (knows(here, distance)) return nearby_.selection;
  if (nearby_.way == kInfinity) return all_;
  find_nearby(here, distance);
  return nearby_.selection;
}

// Asked three times a step: at its end, and twice at the next start. How far the bodies have gone
// is found where a bound of how much farther is not enough.
bool NearPairs::knows(const Evaluator& here, double distance) const {
  if (nearby_.q.size() == 0) return false;
  if (!are_equal(nearby_.asked, here.q())) {
    nearby_.way += bound_.growth(nearby_.asked, here.q());
    nearby_.asked = here.q();
    nearby_.exact = false;
  }
  const auto is_enough = [&] { return 2.0 * nearby_.way + distance <= nearby_.apart; };
  if (is_enough()) return true;
  if (nearby_.exact) return false;
  nearby_.way = bound_.between(nearby_.q, here.q(), here.team());
  nearby_.exact = true;
  return is_enough();
}

double NearPairs::fastest(const VectorXd& v, const Team* team) const {
  if (!fastest_.exact || !are_equal(fastest_.v, v)) {
    fastest_.v = v;
    fastest_.speed = bound_.speed(v, team);
    fastest_.exact = true;
  }
  return fastest_.speed;
}

double NearPairs::roughly_fastest(const VectorXd& from, const VectorXd& to) const {
  if (!are_equal(fastest_.v, from)) return fastest(to) + bound_.growth(to, from);
  fastest_.speed += bound_.growth(from, to);
  fastest_.v = to;
  fastest_.exact = false;
  return fastest_.speed;
}

// Those within reach and a little more, so that they need not be looked for soon again. Boxes that
// reach half as far and do not meet are of pairs that are farther apart.
void NearPairs::find_nearby(const Evaluator& here, double distance) const {
  const double reach = distance + margin_;
  const std::vector<Pose>& X_WS = here.shapes(all_.shapes);
  nearby_.q = nearby_.asked = here.q();
  nearby_.way = 0.0;
  nearby_.exact = true;
  nearby_.apart = all_.listed ? kInfinity : reach;
  std::vector<ShapePair>& pairs = nearby_.selection.pairs;
  std::vector<char>& is_near = nearby_.is_near;
  is_near.assign(X_WS.size(), 0);
  pairs.clear();
  for (const ShapePair& pair : candidates(all_, X_WS, nullptr, 0.5 * reach)) {
    const double apart = clearance(pair, X_WS);
    if (apart > reach) {
      nearby_.apart = std::min(nearby_.apart, apart);
      continue;
    }
    pairs.push_back(pair);
    nth(is_near, pair.a) = nth(is_near, pair.b) = 1;
  }
  std::vector<int>& shapes = nearby_.selection.shapes;
  shapes.clear();
  for (const int shape : all_.shapes)
    if (nth(is_near, shape)) shapes.push_back(shape);
}

double NearPairs::clearance(const ShapePair& pair, const std::vector<Pose>& X_WS) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  if (ground_[a] || ground_[b]) {
    const std::size_t ground = ground_[a] ? a : b, other = ground_[a] ? b : a;
    return ground_clearance(model_->shapes[ground].geometry, X_WS[ground], X_WS[other].p,
                            radius_[other]);
  }
  return (X_WS[b].p - X_WS[a].p).norm() - radius_[a] - radius_[b];
}

bool NearPairs::may_be_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                              double distance) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  if (ground_[a] || ground_[b]) return clearance(pair, X_WS) <= distance;
  const double reach = radius_[a] + radius_[b] + distance;
  return reach >= 0.0 && (X_WS[b].p - X_WS[a].p).squaredNorm() <= reach * reach;
}

const std::vector<ShapePair>& NearPairs::candidates(const PairSelection& among,
                                                    const std::vector<Pose>& X_WS,
                                                    const std::vector<double>* travel,
                                                    double margin) const {
  if (among.listed) return among.pairs;
  const std::size_t n = model_->shapes.size();
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

void NearPairs::find(const PairSelection& among, const std::vector<Pose>& X_WS,
                     const std::vector<double>& travel, double margin,
                     std::vector<ShapePair>& near) const {
  near.clear();
  for (const ShapePair& pair : candidates(among, X_WS, &travel, margin)) {
    const double reach = nth(travel, pair.a) + nth(travel, pair.b) + margin;
    if (may_be_within(pair, X_WS, reach)) near.push_back(pair);
  }
}

}  // namespace pequod
