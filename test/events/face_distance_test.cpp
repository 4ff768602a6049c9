// Distances that one vertex and one face tell, against all axes of two boxes and projections.
#include "events/face_distance.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "test/events/projections.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

// m, along a direction: what parts the boxes, by their half sizes alone.
double parted(const Box& P, const Box& Q, const Pose& X_PQ, const Vector3d& n) {
  const double reach_p = n.cwiseAbs().dot(0.5 * P.size);
  const double reach_q = (X_PQ.R.transpose() * n).cwiseAbs().dot(0.5 * Q.size);
  return n.dot(X_PQ.p) - reach_p - reach_q;
}

// m: the most over faces and edges, either way round (Gottschalk, Lin & Manocha 1996): the signed
// distance of boxes that touch or overlap.
double most_parted(const Box& P, const Box& Q, const Pose& X_PQ) {
  double most = -kInfinity;
  const auto consider = [&](const Vector3d& axis) {
    if (axis.norm() < 1e-9) return;
    for (const double sign : {1.0, -1.0})
      most = std::max(most, parted(P, Q, X_PQ, sign * axis.normalized()));
  };
  for (int i = 0; i < 3; ++i) {
    consider(Vector3d::Unit(i));
    consider(X_PQ.R.col(i));
    for (int j = 0; j < 3; ++j) consider(Vector3d::Unit(i).cross(X_PQ.R.col(j)));
  }
  return most;
}

// m: of boxes that are apart.
double apart(const Box& P, const Box& Q, const Pose& X_PQ) {
  Vector3d on_p = Vector3d::Zero();
  double distance = kInfinity;
  for (int round = 0; round < 20000; ++round) {
    const Vector3d on_q = X_PQ * test::nearest_in(Q, X_PQ.R.transpose() * (on_p - X_PQ.p));
    on_p = test::nearest_in(P, on_q);
    distance = (on_q - on_p).norm();
  }
  return distance;
}

Box random_box(Random& random) {
  return Box{
      Vector3d(random.uniform(0.05, 0.3), random.uniform(0.05, 0.3), random.uniform(0.05, 0.3))};
}

// Q on the top of P, flush but for a tilt and a gap, shifted aside.
Pose on_top(const Box& P, const Box& Q, double tilt, double gap, Random& random) {
  Pose X_PQ;
  X_PQ.R = Eigen::AngleAxisd(tilt, random.unit()).toRotationMatrix() *
           Eigen::AngleAxisd(random.uniform(-3.0, 3.0), Vector3d::UnitZ()).toRotationMatrix();
  X_PQ.p = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2),
            0.5 * (P.size.z() + Q.size.z()) + gap};
  return X_PQ;
}

}  // namespace

TEST_CASE("a vertex over a face tells the distance of boxes, wherever it tells one") {
  Random random(20261126);
  int told = 0, deep = 0;
  for (int i = 0; i < 3000; ++i) {
    const Box P = random_box(random), Q = random_box(random);
    const double gap = i % 3 == 0 ? 0.0 : random.uniform(-0.02, 0.02);
    const Pose X_PQ = i % 5 == 0 ? random.pose(0.3)
                                 : on_top(P, Q, i % 2 ? 0.0 : random.uniform(0, 0.3), gap, random);
    const auto found = face_distance(Polytope(P), Polytope(Q), X_PQ, 1e-13);
    if (!found) continue;
    ++told;
    CAPTURE(i);
    CHECK(found->normal.norm() == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(std::abs(parted(P, Q, X_PQ, found->normal) - found->distance) < 1e-14);
    const double most = most_parted(P, Q, X_PQ);
    if (most > 1e-4) continue;  // below, by projections
    CHECK(std::abs(found->distance - most) < 2e-13);
    deep += most < -1e-4;
  }
  CHECK(told > 1000);
  CHECK(deep > 200);
}

TEST_CASE("a vertex over a face tells the distance of boxes that are apart") {
  Random random(7);
  int told = 0;
  for (int i = 0; i < 60; ++i) {
    const Box P = random_box(random), Q = random_box(random);
    const Pose X_PQ = on_top(P, Q, random.uniform(0.0, 0.5), random.uniform(0.03, 0.1), random);
    const auto found = face_distance(Polytope(P), Polytope(Q), X_PQ, 1e-13);
    if (!found) continue;
    ++told;
    CAPTURE(i);
    CHECK(std::abs(found->distance - apart(P, Q, X_PQ)) < 1e-9);  // where projections end
  }
  CHECK(told > 10);
}

TEST_CASE("what lies in the plane of a triangle, beside it, does not touch it") {
  const Polytope triangle({Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)},
                          Vector3d::UnitZ());
  const auto of_ball = [&](const Vector3d& centre) {
    return face_distance(triangle, Polytope(Sphere{0.1}), {Matrix3d::Identity(), centre}, 1e-13);
  };
  CHECK_FALSE(of_ball({2.0, 0.0, 0.0}));
  CHECK_FALSE(of_ball({2.0, 0.0, 0.3}));
  REQUIRE(of_ball({0.2, 0.3, 0.0}));
  CHECK(of_ball({0.2, 0.3, 0.0})->distance == 0.0);
  REQUIRE(of_ball({0.2, 0.3, -0.4}));
  CHECK(of_ball({0.2, 0.3, -0.4})->distance == 0.4);
  CHECK(of_ball({0.2, 0.3, -0.4})->normal.z() == -1.0);
}

TEST_CASE("edges that cross, and corners beside faces, are no answer of a vertex and a face") {
  const Box beam{Vector3d(1.0, 0.1, 0.1)};
  Pose X_PQ;
  X_PQ.R = Eigen::AngleAxisd(0.5, Vector3d::UnitX()).toRotationMatrix() *
           Eigen::AngleAxisd(1.0, Vector3d::UnitZ()).toRotationMatrix();
  X_PQ.p = {0.0, 0.0, 0.2};
  CHECK_FALSE(face_distance(Polytope(beam), Polytope(beam), X_PQ, 1e-13));
  const Pose corner{Matrix3d::Identity(), Vector3d(1.1, 0.2, 0.2)};
  CHECK_FALSE(face_distance(Polytope(beam), Polytope(beam), corner, 1e-13));
}
