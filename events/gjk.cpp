#include "events/gjk.h"

namespace pequod {
namespace {

/// Barycentric coordinates of the point of the affine hull nearest to the origin, for 1–3 vertices;
/// false if one is negative or the hull is flat.
bool nearest_weights(const Vector3d* w, int count, double* weight) {
  if (count == 1) {
    weight[0] = 1.0;
    return true;
  }
  if (count == 2) {
    const Vector3d e = w[1] - w[0];
    const double square = e.squaredNorm();
    if (square <= 0.0) return false;
    weight[1] = -w[0].dot(e) / square;
    weight[0] = w[1].dot(e) / square;
    return weight[0] >= 0.0 && weight[1] >= 0.0;
  }
  const Vector3d a = w[1] - w[0], b = w[2] - w[0], n = a.cross(b);
  const double square = n.squaredNorm();
  // Flatter than rounding of the coordinates: its edges do as well.
  if (square <= 1e-28 * a.squaredNorm() * b.squaredNorm()) return false;
  weight[0] = w[1].cross(w[2]).dot(n) / square;
  weight[1] = w[2].cross(w[0]).dot(n) / square;
  weight[2] = w[0].cross(w[1]).dot(n) / square;
  return weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0;
}

/// Whether the origin is inside a tetrahedron; one that is flat to rounding has no inside.
bool origin_inside(const std::array<GjkVertex, 4>& simplex) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3d& a = simplex[(k + 1) % 4].w;
    const Vector3d& b = simplex[(k + 2) % 4].w;
    const Vector3d& c = simplex[(k + 3) % 4].w;
    const Vector3d n = (b - a).cross(c - a);
    const double apex = n.dot(simplex[k].w - a), origin = -n.dot(a);
    const double scale = n.norm() * std::max(a.norm(), simplex[k].w.norm());
    if (std::abs(apex) <= 1e-14 * scale || apex * origin < 0.0) return false;
  }
  return true;
}

}  // namespace

bool reduce_simplex(GjkResult& result) {
  const int size = result.size, newest = size - 1;
  if (size == 4 && origin_inside(result.simplex)) {
    result.v.setZero();
    return true;
  }
  // Faces that have the newest vertex: every subset of the others, at most two of them.
  double best = kInfinity;
  int best_mask = 0;
  double best_weight[3] = {0.0, 0.0, 0.0};
  for (int mask = 0; mask < 1 << newest; ++mask) {
    if (mask == 7) continue;
    Vector3d w[3];
    int count = 0;
    for (int k = 0; k < newest; ++k) {
      if (mask >> k & 1) w[count++] = nth(result.simplex, k).w;
    }
    w[count++] = nth(result.simplex, newest).w;
    double weight[3] = {0.0, 0.0, 0.0};
    if (!nearest_weights(w, count, weight)) continue;
    Vector3d v = Vector3d::Zero();
    for (int k = 0; k < count; ++k) v += weight[k] * w[k];
    if (v.squaredNorm() >= best) continue;
    best = v.squaredNorm();
    best_mask = mask;
    std::copy(weight, weight + 3, best_weight);
    result.v = v;
  }
  int kept = 0;
  for (int k = 0; k < size; ++k) {
    if (k != newest && !(best_mask >> k & 1)) continue;
    GjkVertex vertex = nth(result.simplex, k);
    vertex.weight = best_weight[kept];
    nth(result.simplex, kept++) = vertex;
  }
  result.size = kept;
  return false;
}

}  // namespace pequod
