#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "events/contact_geometry.h"
#include "events/cylinder_features.h"
#include "test/events/found_contacts.h"
#include "test/events/projections.h"
#include "test/support/random.h"

using namespace pequod;
using test::alternating_projections;
using test::Bracket;
using test::contacts_of;
using test::least_gap;

namespace {

Pose lying(const Vector3d& p) {
  return {Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix(), p};
}

}  // namespace

TEST_CASE("the distance of cylinder and box lies between the bounds of alternating projections") {
  Random random(31);
  int apart = 0;
  double widest = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const Cylinder A{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)};
    const Box B{Vector3d(0.5, 0.5, 0.5) + random.vector(0.4)};
    const Pose X_WA = random.pose(0.8), X_WB = random.pose(0.8);
    const Bracket bracket = alternating_projections(A, X_WA, B, X_WB, 3000);
    if (!(bracket.upper >= 1e-3)) continue;
    ++apart;
    const double distance = signed_distance(A, X_WA, B, X_WB);
    CAPTURE(trial);
    CHECK(distance > bracket.lower - 1e-13);
    CHECK(distance < bracket.upper + 1e-13);
    widest = std::max(widest, bracket.upper - bracket.lower);
    std::vector<ContactPoint> contacts;
    find_contacts(A, X_WA, B, X_WB, 0, 1, distance + 1e-6, contacts);
    CHECK(std::abs(least_gap(contacts) - distance) < 1e-12);
  }
  MESSAGE(apart << " pairs apart, widest bracket " << widest << " m");
  CHECK(apart > 50);
}

TEST_CASE("the distance of two cylinders lies between the bounds of alternating projections") {
  Random random(33);
  int apart = 0;
  double widest = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const Cylinder A{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)};
    const Cylinder B{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)};
    const Pose X_WA = random.pose(0.8), X_WB = random.pose(0.8);
    CAPTURE(trial);
    const Bracket bracket = alternating_projections(A, X_WA, B, X_WB, 5000);
    if (!(bracket.upper >= 1e-3)) continue;
    ++apart;
    const double distance = signed_distance(A, X_WA, B, X_WB);
    CHECK(distance > bracket.lower - 1e-13);
    CHECK(distance < bracket.upper + 1e-13);
    widest = std::max(widest, bracket.upper - bracket.lower);
    std::vector<ContactPoint> contacts;
    find_contacts(A, X_WA, B, X_WB, 0, 1, distance + 1e-6, contacts);
    CHECK(std::abs(least_gap(contacts) - distance) < 1e-12);
    REQUIRE(!contacts.empty());
    const ContactPoint nearest = *std::min_element(
        contacts.begin(), contacts.end(),
        [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
    for (const double gap : {1e-9, 0.0, -1e-9}) {
      const Pose X{X_WB.R, X_WB.p - (distance - gap) * nearest.n_W};
      CHECK(std::abs(signed_distance(A, X_WA, B, X) - gap) < 1e-10);
    }
  }
  MESSAGE(apart << " pairs apart, widest bracket " << widest << " m");
  CHECK(apart > 50);
}

TEST_CASE("two cylinders touch along the common line of their sides and on their caps") {
  const auto count = [](const Pose& X) {
    std::vector<ContactPoint> contacts;
    find_contacts(Cylinder{0.2, 1.0}, {}, Cylinder{0.1, 0.6}, X, 0, 1, 1e-9, contacts);
    for (const ContactPoint& contact : contacts) CHECK(std::abs(contact.gap) < 1e-15);
    return contacts.size();
  };
  CHECK(count({Matrix3d::Identity(), {0.3, 0, 0}}) == 2);
  CHECK(count({Matrix3d::Identity(), {0.1, 0, 0.8}}) >= 4);
  CHECK(count(lying({0, 0.3, 0})) == 1);
}

// Along the normal the distance falls exactly as the body moves, down to touching and beyond: the
// least gap is unique in a neighbourhood that small.
TEST_CASE("cylinder and box moved along their normal close the gap exactly") {
  Random random(32);
  double worst = 0.0;
  int tested = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Cylinder A{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)};
    const Box B{Vector3d(0.5, 0.5, 0.5) + random.vector(0.4)};
    const Pose X_WA = random.pose(0.8);
    Pose X_WB = random.pose(0.8);
    if (!(alternating_projections(A, X_WA, B, X_WB, 1000).upper >= 1e-2)) continue;
    ++tested;
    const double distance = signed_distance(A, X_WA, B, X_WB);
    std::vector<ContactPoint> contacts;
    find_contacts(A, X_WA, B, X_WB, 0, 1, distance + 1e-12, contacts);
    REQUIRE(!contacts.empty());
    const Vector3d p = X_WB.p;
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6}) {
      X_WB.p = p - (distance - gap) * contacts[0].n_W;
      CAPTURE(trial);
      CAPTURE(gap);
      const double found = signed_distance(A, X_WA, B, X_WB);
      CHECK(found > gap - 1e-12);
      // Overlapping, the least translation may lie along a neighbouring normal: of a vertex beside
      // a rim, whose normals span an arc, one far from it.
      const FeaturePair& pair = contacts[0].feature;
      const bool sharp = pair.A.kind == FeatureKind::point || pair.B.kind == FeatureKind::point;
      CHECK(found < gap + 1e-12 + (gap < -1e-10 ? (sharp ? 0.9 : 0.2) * std::abs(gap) : 0.0));
      if (gap > -1e-10) worst = std::max(worst, std::abs(found - gap));
    }
  }
  MESSAGE(tested << " pairs, worst error " << worst << " m");
  CHECK(tested > 50);
  CHECK(worst < 1e-12);
}

TEST_CASE("a cylinder on a box touches in a patch") {
  const auto contacts_at = [](const Pose& X) {
    std::vector<ContactPoint> contacts;
    find_contacts(Cylinder{0.1, 0.6}, X, Box{{1, 1, 1}}, {}, 0, 1, 1e-9, contacts);
    for (const ContactPoint& contact : contacts) {
      CHECK(std::abs(contact.gap) < 1e-15);
      CHECK((contact.n_W - Vector3d(0, 0, -1)).norm() < 1e-12);
    }
    return contacts.size();
  };
  CHECK(contacts_at({Matrix3d::Identity(), {0, 0, 0.8}}) == 4);  // standing
  CHECK(contacts_at(lying({0, 0, 0.6})) == 2);                   // lying
  CHECK(contacts_at(lying({0.4, 0, 0.6})) == 2);  // overhanging: a rim, and side on edge
  // Standing over the border: fixed points over the face and both crossings of rim and edge.
  CHECK(contacts_at({Matrix3d::Identity(), {0.45, 0.0, 0.8}}) == 5);
}

// A point that a contact names is where its name says, on a plane and on a box; the inclination of
// a disc that has left takes it away, and so does a face that does not reach below it.
TEST_CASE("a disc that lies flat has the points of its rim that contacts name") {
  const Cylinder cylinder{0.1, 0.6};
  const int step = kRimSteps / 12;  // 30°, to 2e-6 rad
  const std::uint64_t name = feature_name(FeatureClass::rim_point, step);
  const auto points = [&](const Geometry& ground, double top, double x, double tilt) {
    const std::vector<ContactKey> named{{0, 1, name << 32}};
    const Pose X{Eigen::AngleAxisd(tilt, Vector3d::UnitX()).toRotationMatrix(), {x, 0, top + 0.3}};
    std::vector<ContactPoint> contacts;
    find_contacts(cylinder, X, ground, {}, 0, 1, 1e-7, contacts, named);
    int found = 0;
    for (const ContactPoint& contact : contacts) {
      if (contact.key.feature >> 32 != name) continue;
      ++found;
      CHECK((contact.p_W - (X.p + Vector3d(0.1 * std::cos(M_PI / 6), 0.05, -0.3))).norm() < 1e-6);
      CHECK(std::abs(contact.gap) < 1e-9);
    }
    return found;
  };
  CHECK(points(Plane{}, 0.0, 0.0, 0.0) == 1);
  CHECK(points(Plane{}, 0.0, 0.0, 5e-9) == 1);
  CHECK(points(Plane{}, 0.0, 0.0, 2e-8) == 0);
  CHECK(points(Box{{1, 1, 1}}, 0.5, 0.0, 0.0) == 1);
  CHECK(points(Box{{1, 1, 1}}, 0.5, 0.41, 0.0) == 1);
  CHECK(points(Box{{1, 1, 1}}, 0.5, 0.42, 0.0) == 0);
}

// A rim that crosses an edge, a rim or a side twice: a mode or an event names one of the two.
TEST_CASE("contacts of one pair that touch at once have names of their own") {
  const auto count_names = [](const Geometry& A, const Pose& X, const Geometry& B) {
    std::vector<ContactPoint> contacts;
    find_contacts(A, X, B, {}, 0, 1, 1e-9, contacts);
    std::set<std::uint64_t> names;
    for (const ContactPoint& contact : contacts) names.insert(contact.key.feature);
    CHECK(names.size() == contacts.size());
    return names.size();
  };
  const Matrix3d upright = Matrix3d::Identity();
  const Cylinder cylinder{0.1, 0.6};
  CHECK(count_names(cylinder, {upright, {0.45, 0, 0.8}}, Box{{1, 1, 1}}) == 5);
  // On another that is shifted: both rims stand over caps, and cross each other twice.
  CHECK(count_names(cylinder, {upright, {0.05, 0.02, 0.6}}, cylinder) > 4);
  CHECK(count_names(Cone{0.1, 0.6}, {upright, {0.05, 0.02, 0.6}}, cylinder) > 4);
  // Its side on the cap of another: the rim below crosses the line of contact twice.
  CHECK(count_names(cylinder, lying({0, 0, 0.4}), cylinder) == 2);
}

TEST_CASE("balls and capsules against a cylinder keep their closed forms") {
  const Cylinder cylinder{0.3, 1.0};
  const auto distance = [&](const Geometry& A, const Pose& X) {
    return signed_distance(A, X, cylinder, {});
  };
  const Matrix3d upright = Matrix3d::Identity();
  CHECK(distance(Sphere{0.2}, {upright, {0.8, 0, 0}}) == doctest::Approx(0.3).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {upright, {0, 0, 0.9}}) == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {upright, {0.6, 0, 0.9}}) == doctest::Approx(0.3).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {upright, {0.5, 0, 0}}) == doctest::Approx(0.0).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {upright, {0.4, 0, 0.1}}) == doctest::Approx(-0.1).epsilon(1e-14));
  CHECK(distance(Capsule{0.1, 1.0}, lying({0, 0.5, 0})) == doctest::Approx(0.1).epsilon(1e-14));
  CHECK(distance(Capsule{0.1, 1.0}, {upright, {0, 0.5, 0}}) == doctest::Approx(0.1).epsilon(1e-14));
}

namespace {

/// A point of the rim of a cylinder or cone in turn, a normal n between those of base and side, and
/// how deep something sharp sinks there, m.
struct OnRim {
  Geometry round;
  Vector3d n, p;
  double depth;

  OnRim(int trial, Random& random) {
    constexpr double kRadius = 0.04, kLength = 0.1;
    round =
        trial % 2 == 0 ? Geometry(Cone{kRadius, kLength}) : Geometry(Cylinder{kRadius, kLength});
    const double angle = random.uniform(0.0, 2.0 * M_PI), lean = random.uniform(0.1, 1.4);
    const Vector3d radial(std::cos(angle), std::sin(angle), 0.0);
    n = std::cos(lean) * radial - std::sin(lean) * Vector3d::UnitZ();
    p = kRadius * radial - 0.5 * kLength * Vector3d::UnitZ();
    depth = std::pow(10.0, random.uniform(-14.0, -9.0));
  }

  /// The least depth is along another of the shared normals, up to a right angle from n.
  void check_touched_by(const Geometry& sharp, const Pose& X) const {
    for (const double gap :
         {signed_distance(round, Pose(), sharp, X), signed_distance(sharp, X, round, Pose())}) {
      CHECK(gap <= 1e-13);
      CHECK(gap >= -depth - 1e-13);
    }
    CHECK_FALSE(contacts_of(round, Pose(), sharp, X, 1e-6).empty());
    CHECK_FALSE(contacts_of(sharp, X, round, Pose(), 1e-6).empty());
  }
};

}  // namespace

// No nearest point has a normal there: the distance jumped to that of a face far from it, and there
// was no contact.
TEST_CASE("corner of a box on the rim of a cylinder or cone, to rounding") {
  Random random(911);
  for (int trial = 0; trial < 500; ++trial) {
    CAPTURE(trial);
    const OnRim rim(trial, random);
    const Vector3d size(random.uniform(0.05, 0.2), random.uniform(0.05, 0.2),
                        random.uniform(0.05, 0.2));
    const Vector3d towards(random.uniform(0.4, 1.0), random.uniform(0.4, 1.0),
                           random.uniform(0.4, 1.0));
    Pose X;
    X.R = Eigen::Quaterniond::FromTwoVectors(towards, rim.n).toRotationMatrix();
    X.p = rim.p + 0.5 * (X.R * size) - rim.depth * rim.n;
    rim.check_touched_by(Box{size}, X);
  }
}

// Both on the ground the tip of one cone met the base of another there: 90 mm deep by the distance.
TEST_CASE("tip of a cone on the rim of a cylinder or cone, to rounding") {
  Random random(912);
  for (int trial = 0; trial < 500; ++trial) {
    CAPTURE(trial);
    const OnRim rim(trial, random);
    const Cone cone{random.uniform(0.01, 0.2), random.uniform(0.05, 0.2)};
    Pose X;
    X.R = Eigen::Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), rim.n).toRotationMatrix();
    X.p = rim.p + (0.5 * cone.length - rim.depth) * rim.n;
    rim.check_touched_by(cone, X);
  }
}

// Its tangent is parallel to the side there; both on the ground, they may stay so.
TEST_CASE("a rim leans on the side of a cylinder that is parallel to its disc") {
  Random random(913);
  double worst = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const Cone cone{random.uniform(0.05, 0.1), random.uniform(0.02, 0.05)};
    const Cylinder cylinder{random.uniform(0.05, 0.1), 0.6};
    const double angle = random.uniform(0.3, 1.2), gap = random.uniform(0.0, 1e-3);
    const double tilt = trial % 3 == 0 ? 0.0 : std::pow(10.0, random.uniform(-13.0, -7.0));
    const Vector3d n(std::cos(angle), 0.0, -std::sin(angle));
    const Vector3d on_rim(cone.radius, 0.0, -0.5 * cone.length);
    Pose X;
    X.R = (Eigen::AngleAxisd(tilt, Vector3d::UnitX()) *
           Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()))
              .toRotationMatrix();
    X.p = on_rim + (cylinder.radius + gap) * n;
    CAPTURE(trial);
    const std::vector<ContactPoint> contacts = contacts_of(cone, Pose(), cylinder, X, 1e-2);
    REQUIRE_FALSE(contacts.empty());
    // The tilt moves the least distance along the side and lowers it by its square.
    worst = std::max({worst, std::abs(least_gap(contacts) - gap),
                      std::abs(signed_distance(cone, Pose(), cylinder, X) - gap)});
  }
  MESSAGE("worst error " << worst << " m");
  CHECK(worst < 1e-12);
}
