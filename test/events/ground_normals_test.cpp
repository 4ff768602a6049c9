// Contacts followed past what they began at: the facets beyond carry the body.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "events/cylinder_features.h"
#include "events/feature_pair.h"
#include "test/events/found_contacts.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

using namespace pequod;
using test::contacts_of;
using test::least_gap;

namespace {

constexpr double kBarRadius = 0.05;  // m
constexpr int kSheetCells = 4;
constexpr double kSheetSize = 2.0;  // m

HeightField field_of(const std::function<double(double, double)>& height) {
  HeightField field;
  field.nx = field.ny = kSheetCells + 1;
  field.dx = field.dy = kSheetSize / kSheetCells;
  field.origin = {-0.5 * kSheetSize, -0.5 * kSheetSize};
  for (int i = 0; i < field.nx; ++i)
    for (int j = 0; j < field.ny; ++j)
      field.heights.push_back(
          height(field.origin.x() + i * field.dx, field.origin.y() + j * field.dy));
  measure_heights(field);
  return field;
}

// The same surface as a height field and as a mesh.
void on_both(const std::function<double(double, double)>& height,
             const std::function<void(const Geometry&)>& check) {
  SUBCASE("height field") { check(field_of(height)); }
  SUBCASE("mesh") { check(test::sheet(kSheetCells, kSheetSize, height)); }
}

Matrix3d turned_about(double angle, const Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace

// A roof z = −s |x|. The ball stands on its left side, 1 mm from the ridge, and then at a height of
// g over its right side, 1 mm from the ridge, which is beyond the ridge's normals. Followed about
// the ridge, the gap would be wrong by (1 mm)²/2r = 1e-5 m, the normal by 1 mm / r = 0.02.
TEST_CASE("a ball that crossed a ridge stands on the facet beyond") {
  for (const double s : {1e-9, 1e-6, 1e-3, 0.3}) {
    const auto check = [&](const Geometry& ground) {
      CAPTURE(s);
      const double beside = 1e-3, g = 1e-7;  // m
      const Vector3d right = Vector3d(s, 0.0, 1.0).normalized(), left(-right.x(), 0.0, right.z());
      const Vector3d foot(beside, 0.13, -s * beside);
      Pose X;
      X.p = Vector3d(-foot.x(), foot.y(), foot.z()) + kBarRadius * left;
      const auto contacts = contacts_of(Sphere{kBarRadius}, X, ground, {}, 1e-9);
      REQUIRE(contacts.size() == 1);
      ContactPoint contact = contacts[0];
      X.p = foot + (kBarRadius + g) * right;
      follow(contact, X, {});
      CHECK(std::abs(contact.gap - g) < 1e-15);  // rounding
      CHECK((contact.n_W + right).norm() < 1e-12);
    };
    on_both([&](double x, double) { return -s * std::abs(x); }, check);
  }
}

// A pyramid z = −s (|x| + |y|). A bar lies on its tip along y and moves by d = 2 mm along x. No
// facet leans by more than √2 s, so that the bar rises over the tip's planes by at most √2 s d.
// Followed about the tip, its normal would lean by d / r = 0.04, and its gap be d²/2r = 4e-5 m.
TEST_CASE("a bar that passed a peak stands on no steeper plane than the peak has") {
  const double s = 1e-6, d = 2e-3;
  const auto check = [&](const Geometry& ground) {
    for (const Geometry& bar :
         {Geometry(Capsule{kBarRadius, 0.2}), Geometry(Cylinder{kBarRadius, 0.2})}) {
      Pose X;
      X.R = turned_about(0.5 * M_PI, Vector3d::UnitX());
      X.p = {0.0, 0.03, kBarRadius};
      auto contacts = contacts_of(bar, X, ground, {}, 1e-9);
      REQUIRE_FALSE(contacts.empty());
      X.p.x() += d;
      for (ContactPoint& contact : contacts) {
        follow(contact, X, {});
        CHECK(contact.n_W.z() < 0.0);
        CHECK(contact.n_W.head<2>().norm() < 1.5 * s);
        CHECK(std::abs(contact.gap) < 1.5 * s * d);
      }
    }
  };
  on_both([&](double x, double y) { return -s * (std::abs(x) + std::abs(y)); }, check);
}

// A bar lies across the ridge of a roof z = −s |x|, and pitches by 3 s: more than the roof leans.
TEST_CASE("a bar that pitches more than a ridge leans stands on the facet") {
  const double s = 1e-6;
  const auto check = [&](const Geometry& ground) {
    Pose X;
    X.R = turned_about(0.5 * M_PI, Vector3d::UnitY());
    X.p = {0.0, 0.13, kBarRadius};
    auto contacts = contacts_of(Capsule{kBarRadius, 0.2}, X, ground, {}, 1e-9);
    REQUIRE_FALSE(contacts.empty());
    X.R = turned_about(3.0 * s, Vector3d::UnitY()) * X.R;
    for (ContactPoint& contact : contacts) {
      follow(contact, X, {});
      CHECK(contact.n_W.x() == doctest::Approx(-s).epsilon(1e-6));
      CHECK(std::abs(contact.gap) < 1e-11);  // (3 s)² r
    }
  };
  on_both([&](double x, double) { return -s * std::abs(x); }, check);
}

// An upright cylinder stands almost flat on a facet of a hill z = −s (x² + y² + xy/2), over whose
// sides it reaches, and tips by 5e-7 rad about another axis. Its lowest point over the facet's
// plane would run a quarter round the rim, over ground that leans elsewhere: it stops where the rim
// leaves the facet. Second method: all points of the rim over that corner of it.
TEST_CASE("the lowest point of an almost flat rim stays over its facet on uneven ground") {
  const double s = 1e-6, radius = 0.2;
  // In the corner of the facet at (0.5, 0.5).
  const auto is_over = [](const Vector3d& p) {
    return p.y() > 0.25 && p.y() < p.x() + 1e-9 && p.x() < 0.5 + 1e-9;
  };
  const auto check = [&](const Geometry& ground) {
    const Vector3d up = Vector3d(0.5 * s, 0.75 * s, 1.0).normalized();
    const Vector3d centre(0.354, 0.146, -0.2865 * s);  // of the facet's incircle
    Pose X;
    X.R = turned_about(-1e-7, Vector3d::UnitX()) *
          Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), up).toRotationMatrix();
    X.p = centre + 0.05 * up;
    const auto contacts = contacts_of(Cylinder{radius, 0.1}, X, ground, {}, 1e-7);
    const auto found = std::ranges::find_if(contacts, [&](const ContactPoint& contact) {
      return contact.feature.A.kind == FeatureKind::circle && is_over(contact.p_W);
    });
    REQUIRE(found != contacts.end());
    for (const double tip : {5e-7, -5e-7}) {
      ContactPoint contact = *found;
      Pose tipped = X;
      tipped.R = turned_about(tip, Vector3d::UnitY()) * X.R;
      follow(contact, tipped, {});
      CHECK(is_over(contact.p_W));
      for (int k = 0; k < 3600; ++k) {
        const double angle = k * M_PI / 1800.0;
        const Vector3d p =
            tipped * Vector3d(radius * std::cos(angle), radius * std::sin(angle), -0.05);
        if (is_over(p)) CHECK(up.dot(p - contact.p_W) > -1e-15);
      }
    }
  };
  on_both([&](double x, double y) { return -s * (x * x + y * y + 0.5 * x * y); }, check);
}

// A roof z = −s |x|, and a cylinder whose lowest point as its left side sees it is below that by
// `depth`: vertically below the right side, and along the normal below the left one. That side has
// to tell of it, as the ridge's normals end there.
TEST_CASE("a rim that has sunk beside a ridge is seen") {
  Random random(6);
  const Cylinder cylinder{0.05, 0.2};
  for (int trial = 0; trial < 200; ++trial) {
    const double s = random.uniform(0.05, 0.3), depth = std::pow(10.0, random.uniform(-9.0, -4.5));
    const Vector3d left = Vector3d(-s, 0.0, 1.0).normalized();
    Pose X;
    X.R = turned_about(random.uniform(0.0, 6.0), Vector3d::UnitZ()) *
          turned_about(random.uniform(0.4, 1.2), Vector3d::UnitX());
    const Vector3d lowest = X.R * support_point(cylinder, -(X.R.transpose() * left));
    X.p = Vector3d(0.5 * s * depth, 0.13, 0.0) - lowest;
    X.p.z() -= (left.dot(X * (X.R.transpose() * lowest)) + depth) / left.z();
    const auto check = [&](const Geometry& ground) {
      const auto contacts = contacts_of(cylinder, X, ground, {}, 1e-4);
      REQUIRE_FALSE(contacts.empty());
      CHECK(least_gap(contacts) == doctest::Approx(-depth).epsilon(1e-6));
    };
    CAPTURE(trial);
    on_both([&](double x, double) { return -s * std::abs(x); }, check);
  }
}
