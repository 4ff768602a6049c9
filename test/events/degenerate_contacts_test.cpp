#include <doctest/doctest.h>

#include <cmath>

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

HeightField flat_field() {
  HeightField field;
  field.nx = field.ny = 5;
  field.dx = field.dy = 0.5;
  field.origin = {-1.0, -1.0};
  field.heights.assign(25, 0.0);
  measure_heights(field);
  return field;
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
        check_finite(bodies[i], {R, 0.5 * p}, flat_field(), {});
      }
    }
  }
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
