#include "core/convex.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace pequod;

namespace {

void check_consistency(const Convex& hull) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  CHECK(count(hull.vertices) - count(hull.edges) + count(hull.faces) == 2);  // Euler
  CHECK(hull.edge_faces.size() == hull.edges.size());
  for (const Convex::Face& face : hull.faces) {
    CHECK(std::abs(face.normal.norm() - 1.0) < 1e-14);
    for (const Vector3d& p : hull.vertices) CHECK(face.normal.dot(p) <= face.offset + 1e-14);
    for (std::size_t k = 0; k < face.vertices.size(); ++k) {
      const auto at = [&](std::size_t i) {
        return hull.vertices[std::size_t(face.vertices[i % face.vertices.size()])];
      };
      CHECK((at(k + 1) - at(k)).cross(at(k + 2) - at(k + 1)).dot(face.normal) > 0.0);
    }
  }
}

}  // namespace

TEST_CASE("the hull of a cube's corners and inner points has 8 vertices, 12 edges, 6 faces") {
  std::vector<Vector3d> points = {{0, 0, 0}, {0.1, 0.2, 0.3}};
  for (int i = 0; i < 8; ++i) points.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  points.emplace_back(1, 0, 0);    // on a face
  points.emplace_back(1, 1, 0.5);  // on an edge
  points.emplace_back(1, 1, 1);    // twice the same corner
  const Convex hull = make_convex(points);
  CHECK(hull.vertices.size() == 8);
  CHECK(hull.edges.size() == 12);
  CHECK(hull.faces.size() == 6);
  for (const auto& ring : hull.neighbours) CHECK(ring.size() == 3);
  check_consistency(hull);
}

TEST_CASE("every point lies in the hull and every vertex is one of the points") {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  for (const int n : {4, 8, 50, 400}) {
    std::vector<Vector3d> points;
    for (int i = 0; i < n; ++i) {
      points.emplace_back(normal(generator), normal(generator), normal(generator));
      if (n != 400) points.back().normalize();
    }
    const Convex hull = make_convex(points);
    check_consistency(hull);
    for (const Vector3d& p : points) {
      for (const Convex::Face& face : hull.faces) {
        CHECK(face.normal.dot(p) <= face.offset + 1e-14);
      }
    }
    if (n != 400) CHECK(hull.vertices.size() == points.size());
  }
}

TEST_CASE("points without a volume or without a number are refused") {
  CHECK_THROWS_AS(make_convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), std::invalid_argument);
  CHECK_THROWS_AS(make_convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), std::invalid_argument);
  CHECK_THROWS_WITH_AS(make_convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, kNaN}}),
                       "convex: point 3 is not finite", std::invalid_argument);
}
