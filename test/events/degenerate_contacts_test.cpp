#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "core/convex.h"
#include "events/contact_geometry.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

std::vector<Geometry> all_bodies() {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  return {Sphere{0.5},       Box{{1, 1, 1}},      Box{{1, 1, 1e-6}},   Capsule{0.5, 1.0},
          Capsule{0.5, 0.0}, Cylinder{0.5, 1.0},  Cylinder{1e-3, 2.0}, Cone{0.5, 1.0},
          Cone{1e-3, 2.0},   make_convex(corners)};
}

void check_finite(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB) {
  CHECK(std::isfinite(signed_distance(A, X_WA, B, X_WB)));
  std::vector<ContactPoint> contacts;
  find_contacts(A, X_WA, B, X_WB, 0, 1, 0.1, contacts);
  BodyMotion motion_a{X_WA, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, motion_b;
  motion_b.X_WL = X_WB;
  for (const ContactPoint& contact : contacts) {
    CHECK(std::isfinite(contact.gap));
    CHECK(contact.p_W.allFinite());
    CHECK(std::abs(contact.n_W.norm() - 1.0) < 1e-12);
    CHECK(std::isfinite(gap_rate(contact, motion_a, motion_b)));
    CHECK(std::isfinite(gap_acceleration(contact, motion_a, motion_b)));
  }
}

}  // namespace

// Same centres, parallel and equal faces, edges and axes, flat and thin bodies: what a scene
// builder writes down by hand.
TEST_CASE("aligned, coincident and flat bodies give finite contacts") {
  std::vector<Geometry> bodies = all_bodies();
  bodies.emplace_back(test::box_mesh({1, 1, 1}));
  bodies.emplace_back(test::box_mesh({1, 1, 1e-6}));
  bodies.emplace_back(test::sheet(4, 2.0, [](double, double) { return 0.0; }));
  const Matrix3d I = Matrix3d::Identity();
  const Matrix3d quarter = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const Matrix3d& R : {I, quarter}) {
      for (const Vector3d& p : {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 0, 1),
                                Vector3d(1, 1, 0), Vector3d(1, 1, 1), Vector3d(0, 0, 1 + 1e-15)}) {
        CAPTURE(i);
        CAPTURE(p.transpose());
        for (std::size_t j = 0; j < bodies.size(); ++j) {
          CAPTURE(j);
          check_finite(bodies[i], {R, p}, bodies[j], {});
        }
        check_finite(bodies[i], {R, p}, Plane{}, {});
        check_finite(bodies[i], {R, 0.5 * p}, test::level_field(5, 0.5), {});
      }
    }
  }
}

namespace {

/// Names of the contacts that touch, sorted.
std::vector<std::uint64_t> touching_names(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                          const Pose& X_WB) {
  std::vector<ContactPoint> contacts;
  find_contacts(A, X_WA, B, X_WB, 0, 1, 1e-6, contacts);
  std::vector<std::uint64_t> names;
  for (const ContactPoint& contact : contacts)
    if (std::abs(contact.gap) <= 1e-9) names.push_back(contact.key.feature);
  std::sort(names.begin(), names.end());
  return names;
}

/// A prism along y over a polygon in the x–z plane.
Geometry wedge(const std::vector<Eigen::Vector2d>& outline) {
  std::vector<Vector3d> corners;
  for (const Eigen::Vector2d& p : outline)
    for (const double y : {-0.5, 0.5}) corners.emplace_back(p.x(), y, p.y());
  return make_convex(corners);
}

}  // namespace

// Bodies at rest move by rounding from step to step; a contact that came and went with it would be
// an event each time. The mitred pair has a corner on two faces of the other body at once.
TEST_CASE("bodies that lie flush touch in the same four corners whatever rounding does") {
  const Geometry cube = Box{{1, 1, 1}};
  const Geometry left = wedge({{-1, 0}, {0, 0}, {0, 0.3}, {-0.8, 0.5}});
  const Geometry right = wedge({{1, 0}, {0, 0}, {0, 0.3}, {0.8, 0.5}});
  const Geometry leaning = wedge({{-0.4, 0}, {0, 0.9}, {0, 1.1}, {-0.5, 0.05}});
  const Geometry against = wedge({{0.4, 0}, {0, 0.9}, {0, 1.1}, {0.5, 0.05}});
  const std::tuple<const Geometry*, const Geometry*, Vector3d> pairs[] = {
      {&cube, &cube, {0, 0, 1}},
      {&cube, &cube, {1, 0, 0}},
      {&left, &right, {0, 0, 0}},
      {&leaning, &against, {0, 0, 0}}};
  Random random(41);
  for (const auto& [A, B, p] : pairs) {
    const Pose X_WB{Matrix3d::Identity(), p};
    const std::vector<std::uint64_t> exact = touching_names(*A, {}, *B, X_WB);
    CHECK(exact.size() == 4);
    for (int trial = 0; trial < 300; ++trial) {
      const Matrix3d R =
          Eigen::AngleAxisd(random.uniform(0.0, 3e-15), random.unit()).toRotationMatrix();
      CHECK(touching_names(*A, {R, random.vector(1e-15)}, *B, X_WB) == exact);
    }
  }
}

// The lowest edge of a box across a crest, over the sample where two of its parts meet.
TEST_CASE("an edge over a sample of the ground touches all that meets there") {
  HeightField field = test::level_field(5, 0.5);
  for (int i = 0; i < field.nx; ++i)
    for (int j = 0; j < field.ny; ++j)
      nth(field.heights, i * field.ny + j) = -0.3 * std::abs(i - 2);
  measure_heights(field);
  const Matrix3d R = Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitX()).toRotationMatrix();
  const auto crossed = [&](double y) {
    std::set<std::uint64_t> names;
    std::vector<ContactPoint> contacts;
    find_contacts(Box{{0.4, 0.2, 0.2}}, {R, {0.01, y, 0.1 * std::sqrt(2.0)}}, field, {}, 0, 1, 1e-9,
                  contacts);
    for (const ContactPoint& contact : contacts)
      if (contact.feature.A.kind == FeatureKind::line &&
          contact.feature.B.kind == FeatureKind::line)
        names.insert(contact.key.feature);
    return names;
  };
  std::set<std::uint64_t> all = crossed(1e-3);
  all.merge(crossed(-1e-3));
  CHECK(all.size() == 2);
  Random random(89);
  for (int trial = 0; trial < 100; ++trial)
    CHECK(crossed(trial == 0 ? 0.0 : random.uniform(-1e-15, 1e-15)) == all);
}

TEST_CASE("exchanging the shapes turns normals and keeps gaps, whatever the pair") {
  const std::vector<Geometry> bodies = all_bodies();
  Random random(77);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const Pose X_WA = random.pose(1.5), X_WB = random.pose(1.5);
      const double there = signed_distance(bodies[i], X_WA, bodies[j], X_WB);
      const double back = signed_distance(bodies[j], X_WB, bodies[i], X_WA);
      CAPTURE(i);
      CAPTURE(j);
      CHECK(std::abs(there - back) < 1e-12);
      if (there < 0.0) continue;
      std::vector<ContactPoint> contacts;
      find_contacts(bodies[i], X_WA, bodies[j], X_WB, 0, 1, there + 1e-9, contacts);
      REQUIRE(!contacts.empty());
      const ContactPoint& contact = contacts.front();
      CHECK(std::abs(contact.gap - there) < 1e-9);
      // Moving B along the normal opens the gap by as much.
      const Pose X{X_WB.R, X_WB.p + 1e-3 * contact.n_W};
      CHECK(std::abs(signed_distance(bodies[i], X_WA, bodies[j], X) - there - 1e-3) < 1e-9);
    }
  }
}
