#include "events/broad_phase.h"

#include <doctest/doctest.h>

#include "test/support/random.h"

using namespace pequod;

TEST_CASE("sort and sweep finds the pairs that comparing all boxes finds") {
  Random random(1);
  BroadPhaseWorkspace workspace;
  std::vector<std::pair<int, int>> pairs;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < trial; ++i) {
      const Vector3d centre = random.vector(1.0).cwiseProduct(Vector3d(1.0, 5.0, 0.3));
      const Vector3d half = 0.2 * random.vector(1.0).cwiseAbs();
      boxes.push_back({centre - half, centre + half});
      if (i % 17 == 3) boxes.back().lo[i % 3] = -kInfinity;
      if (i % 29 == 5) boxes.back().hi.setConstant(kInfinity);
    }
    std::vector<std::pair<int, int>> truth;
    for (int i = 0; i < trial; ++i) {
      for (int j = i + 1; j < trial; ++j) {
        if (boxes[std::size_t(i)].overlaps(boxes[std::size_t(j)])) truth.emplace_back(i, j);
      }
    }
    find_candidate_pairs(boxes, workspace, pairs);
    CHECK(pairs == truth);
  }
}

// A mean that is rounded to the edge of the boxes, or overflows, leaves all of them on one side of
// it: before, they were divided for ever, and the program ended by a full stack.
TEST_CASE("boxes of no extent, far away, or too far to add are compared too") {
  BroadPhaseWorkspace workspace;
  std::vector<std::pair<int, int>> pairs;
  for (const double place : {0.0, 0.1, 1.0 / 3.0, 1e20, -1e20, 1e200, -1e300, 1.7e308}) {
    CAPTURE(place);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 100; ++i) {
      const Vector3d p = Vector3d::Constant(i % 4 == 3 ? 0.5 * place : place);
      boxes.push_back({p, p});
    }
    find_candidate_pairs(boxes, workspace, pairs);
    std::size_t truth = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) truth += boxes[i].overlaps(boxes[j]) ? 1 : 0;
    CHECK(pairs.size() == truth);
  }
}

// Points of the shape on all sides: none outside the box, the farthest ones near its walls.
TEST_CASE("bounding boxes are tight") {
  Random random(2);
  const double r = 0.3, l = 0.8;
  for (int trial = 0; trial < 50; ++trial) {
    const Pose X = random.pose(2.0);
    const Aabb cylinder = bounding_box(Cylinder{r, l}, X), cone = bounding_box(Cone{r, l}, X);
    Aabb cylinder_points, cone_points;
    for (int k = 0; k < 720; ++k) {
      const double angle = k * M_PI / 360;
      for (const double z : {-l / 2, l / 2}) {
        const Vector3d p = X * Vector3d(r * std::cos(angle), r * std::sin(angle), z);
        cylinder_points = merge(cylinder_points, {p, p});
        const Vector3d q =
            X * (z < 0 ? Vector3d(r * std::cos(angle), r * std::sin(angle), z) : Vector3d(0, 0, z));
        cone_points = merge(cone_points, {q, q});
      }
    }
    // A rim sampled every 0.5° stays r (1 − cos 0.25°) = 3e-6 m short of its extent at most.
    CHECK((cylinder.hi - cylinder_points.hi).cwiseAbs().maxCoeff() < 4e-6);
    CHECK((cylinder.lo - cylinder_points.lo).cwiseAbs().maxCoeff() < 4e-6);
    CHECK((cone.hi - cone_points.hi).cwiseAbs().maxCoeff() < 4e-6);
    CHECK((cone.lo - cone_points.lo).cwiseAbs().maxCoeff() < 4e-6);
    const Vector3d size = random.vector(0.4).cwiseAbs() + Vector3d::Constant(0.1);
    Aabb corners, ends;
    for (int k = 0; k < 8; ++k) {
      const Vector3d p =
          X * (0.5 * size.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
      corners = merge(corners, {p, p});
    }
    for (const double z : {-l / 2, l / 2}) {
      const Vector3d p = X * Vector3d(0, 0, z), reach = Vector3d::Constant(r);
      ends = merge(ends, {p - reach, p + reach});
    }
    const Aabb box = bounding_box(Box{size}, X), capsule = bounding_box(Capsule{r, l}, X);
    CHECK((box.hi - corners.hi).norm() + (box.lo - corners.lo).norm() < 1e-14);
    CHECK((capsule.hi - ends.hi).norm() + (capsule.lo - ends.lo).norm() < 1e-14);
  }
  const Aabb plane = bounding_box(Plane{}, {Matrix3d::Identity(), {0, 0, 0.5}});
  CHECK(plane.hi.z() == 0.5);
  CHECK(plane.hi.x() == kInfinity);
  CHECK(plane.lo.z() == -kInfinity);
}
