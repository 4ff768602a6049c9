#include "core/convex.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace pequod {
namespace {

using Triangle = std::array<int, 3>;

/// Triangulated hull by qhull (Barber, Dobkin & Huhdanpaa 1996), indices into `points`,
/// counter-clockwise seen from outside.
std::vector<Triangle> triangulated_hull(const std::vector<Vector3d>& points) {
  std::vector<coordT> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vector3d& p : points) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});

  qhT qhull;
  qhT* qh = &qhull;
  qh_zero(qh, nullptr);
  char command[] = "qhull Qt";
  // qhull explains itself on the stream; the exit code says enough, and a library prints nothing.
  std::FILE* silent = std::fopen("/dev/null", "w");
  const int code = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                command, nullptr, silent ? silent : stderr);
  std::vector<Triangle> triangles;
  if (code == 0) {
    facetT* facet = nullptr;
    FORALLfacet_(qh->facet_list) {
      Triangle triangle{};
      std::size_t k = 0;
      vertexT *vertex = nullptr, **vertexp = nullptr;
      FOREACHvertex_(facet->vertices) {
        if (k < 3) triangle[k++] = qh_pointid(qh, vertex->point);
      }
      const Vector3d outward(facet->normal[0], facet->normal[1], facet->normal[2]);
      const auto at = [&](std::size_t i) { return nth(points, triangle[i]); };
      if ((at(1) - at(0)).cross(at(2) - at(0)).dot(outward) < 0.0) {
        std::swap(triangle[1], triangle[2]);
      }
      triangles.push_back(triangle);
    }
  }
  int left = 0, left_bytes = 0;
  qh_freeqhull(qh, False);
  qh_memfreeshort(qh, &left, &left_bytes);
  if (silent) std::fclose(silent);
  if (code != 0) {
    throw std::invalid_argument("convex: the " + std::to_string(points.size()) +
                                " points span no volume (qhull code " + std::to_string(code) +
                                "); give at least four points that are not in one plane");
  }
  return triangles;
}

/// Union of triangles that lie in one plane.
struct Patch {
  Vector3d normal;
  std::vector<int> triangles;
};

/// Groups triangles around the largest ones: same plane within `tolerance` (m).
std::vector<Patch> merge_coplanar(const std::vector<Vector3d>& points,
                                  const std::vector<Triangle>& triangles, double tolerance) {
  std::vector<Vector3d> area(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto at = [&](std::size_t k) { return nth(points, triangles[t][k]); };
    area[t] = (at(1) - at(0)).cross(at(2) - at(0));
  }
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto area_of = [&](int t) { return nth(area, t); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int s, int t) { return area_of(s).norm() > area_of(t).norm(); });
  std::vector<Patch> patches;
  for (const int t : order) {
    const Triangle& corners = nth(triangles, t);
    const auto lies_in = [&](const Patch& patch) {
      const Vector3d& origin = nth(points, nth(triangles, patch.triangles[0])[0]);
      if (patch.normal.dot(area_of(t)) < 0.0) return false;
      return std::ranges::all_of(corners, [&](int corner) {
        return std::abs(patch.normal.dot(nth(points, corner) - origin)) <= tolerance;
      });
    };
    const auto home = std::ranges::find_if(patches, lies_in);
    if (home != patches.end()) {
      home->triangles.push_back(t);
    } else if (area_of(t).norm() > 0.0) {
      patches.push_back({area_of(t).normalized(), {t}});
    }
  }
  return patches;
}

/// Corners of the patch's outline, counter-clockwise: its vertices' planar hull (monotone chain,
/// Andrew 1979), with those on a straight side dropped.
std::vector<int> outline(const std::vector<Vector3d>& points,
                         const std::vector<Triangle>& triangles, const Patch& patch,
                         double tolerance) {
  std::vector<int> ids;
  for (const int t : patch.triangles) {
    const Triangle& corners = nth(triangles, t);
    ids.insert(ids.end(), corners.begin(), corners.end());
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const Vector3d u = patch.normal.unitOrthogonal(), v = patch.normal.cross(u);
  const auto flat = [&](int i) {
    const Vector3d& p = nth(points, i);
    return Eigen::Vector2d(u.dot(p), v.dot(p));
  };
  std::sort(ids.begin(), ids.end(), [&](int i, int j) {
    const Eigen::Vector2d a = flat(i), b = flat(j);
    return a.x() < b.x() || (a.x() == b.x() && (a.y() < b.y() || (a.y() == b.y() && i < j)));
  });
  const auto turns_left = [&](int a, int b, int c) {
    const Eigen::Vector2d ab = flat(b) - flat(a), ac = flat(c) - flat(a);
    return ab.x() * ac.y() - ab.y() * ac.x() > tolerance * ac.norm();
  };
  std::vector<int> chain;
  const auto extend = [&](int i, std::size_t floor) {
    while (chain.size() > floor && !turns_left(chain[chain.size() - 2], chain.back(), i)) {
      chain.pop_back();
    }
    chain.push_back(i);
  };
  for (const int i : ids) extend(i, 1);
  const std::size_t lower = chain.size();
  for (std::size_t k = ids.size() - 1; k-- > 0;) extend(ids[k], lower);
  chain.pop_back();
  return chain;
}

void add_edges(Convex& hull) {
  std::map<std::pair<int, int>, std::vector<int>> faces_of;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const std::vector<int>& loop = hull.faces[f].vertices;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      faces_of[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(f));
    }
  }
  hull.neighbours.resize(hull.vertices.size());
  for (const auto& [ends, faces] : faces_of) {
    if (faces.size() != 2) {
      throw std::invalid_argument(
          "convex: the points are too nearly coplanar or too close to one another to tell faces "
          "apart; remove near duplicates");
    }
    hull.edges.push_back({ends.first, ends.second});
    hull.edge_faces.push_back({faces[0], faces[1]});
    nth(hull.neighbours, ends.first).push_back(ends.second);
    nth(hull.neighbours, ends.second).push_back(ends.first);
  }
}

}  // namespace

Convex make_convex(const std::vector<Vector3d>& points) {
  Vector3d lo = Vector3d::Constant(kInfinity), hi = -lo;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {  // qhull would take a NaN without a word
      throw std::invalid_argument("convex: point " + std::to_string(i) + " is not finite");
    }
    lo = lo.cwiseMin(points[i]);
    hi = hi.cwiseMax(points[i]);
  }
  if (points.size() < 4) {
    throw std::invalid_argument("convex: " + std::to_string(points.size()) +
                                " points span no volume; give at least four");
  }
  const double tolerance = 1e-10 * (hi - lo).norm();
  const std::vector<Triangle> triangles = triangulated_hull(points);
  Convex hull;
  for (const Patch& patch : merge_coplanar(points, triangles, tolerance)) {
    std::vector<int> loop = outline(points, triangles, patch, tolerance);
    if (loop.size() < 3) continue;
    hull.faces.push_back({patch.normal, kNaN, std::move(loop)});
  }
  // Keep the corners of faces only, in the order of the points.
  std::vector<int> index(points.size(), -1);
  for (const Convex::Face& face : hull.faces) {
    for (const int i : face.vertices) nth(index, i) = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (index[i] < 0) continue;
    index[i] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  for (Convex::Face& face : hull.faces) {
    double offset = -kInfinity;
    for (int& i : face.vertices) {
      i = nth(index, i);
      offset = std::max(offset, face.normal.dot(nth(hull.vertices, i)));
    }
    face.offset = offset;
  }
  add_edges(hull);
  return hull;
}

}  // namespace pequod
