#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "events/contact_geometry.h"
#include "test/events/found_contacts.h"
#include "test/events/mesh_shapes.h"
#include "test/events/projections.h"
#include "test/support/random.h"

using namespace pequod;
using test::contacts_of;
using test::least_gap;

namespace {

Cone random_cone(Random& random) { return {random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)}; }

/// Of the pairs that the slow method has down to 1e-10 m all must agree with it, to its bracket and
/// 1e-12 of the size, 1 m.
template <typename Make>
void compare_with_projections(const char* name, std::uint64_t seed, int poses, Make make) {
  Random random(seed);
  int apart = 0, contacts_missing = 0;
  double widest = 0.0, worst_contact = 0.0;
  for (int trial = 0; trial < poses; ++trial) {
    const Cone A = random_cone(random);
    const auto B = make(random);
    const Pose X_WA = random.pose(0.8), X_WB = random.pose(0.8);
    CAPTURE(name);
    CAPTURE(trial);
    const double distance = signed_distance(A, X_WA, B, X_WB);
    if (distance < 1e-3) continue;
    ++apart;
    const test::Bracket bracket = test::alternating_projections(A, X_WA, B, X_WB, 5000);
    CHECK(distance > bracket.lower - 1e-12);
    CHECK(distance < bracket.upper + 1e-12);
    widest = std::max(widest, bracket.upper - bracket.lower);
    const auto contacts = contacts_of(A, X_WA, B, X_WB, distance + 1e-6);
    if (contacts.empty()) {
      ++contacts_missing;
    } else {
      worst_contact = std::max(worst_contact, std::abs(least_gap(contacts) - distance));
    }
  }
  MESSAGE(name << ": " << apart << " pairs apart, widest bracket " << widest << " m, worst contact "
               << worst_contact << " m, without contact " << contacts_missing);
  CHECK(apart > poses / 5);
  CHECK(worst_contact < 1e-12);
  CHECK(contacts_missing == 0);
}

void compare_all(int poses) {
  compare_with_projections("sphere", 41, poses,
                           [](Random& r) { return Sphere{r.uniform(0.05, 0.4)}; });
  compare_with_projections("capsule", 42, poses, [](Random& r) {
    return Capsule{r.uniform(0.05, 0.3), r.uniform(0.1, 0.8)};
  });
  compare_with_projections("box", 43, poses,
                           [](Random& r) { return Box{Vector3d(0.5, 0.5, 0.5) + r.vector(0.4)}; });
  compare_with_projections("cylinder", 44, poses, [](Random& r) {
    return Cylinder{r.uniform(0.05, 0.4), r.uniform(0.1, 0.8)};
  });
  compare_with_projections("cone", 45, poses, [](Random& r) { return random_cone(r); });
}

Pose turned(double angle, const Vector3d& p) {
  return {Eigen::AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix(), p};
}

}  // namespace

TEST_CASE("the distance of a cone lies between the bounds of alternating projections") {
  compare_all(100);
}

TEST_SUITE("long") {
  TEST_CASE(
      "the distance of a cone lies between the bounds of alternating projections, 1000 poses") {
    compare_all(1000);
  }
}

TEST_CASE("the distance of cones and cylinders to a mesh is that to its nearest triangle") {
  Random random(46);
  const Mesh step = test::step_mesh(0.8);
  const auto check = [&](const auto& body) {
    const Pose X_WA = random.pose(1.5), X_WB = random.pose(0.8);
    const double distance = signed_distance(body, X_WA, step, X_WB);
    if (distance < 1e-3) return 0;
    double lower = kInfinity, upper = kInfinity;
    for (const auto& t : step.triangles) {
      const test::TriangleCorners corners = {step.vertices[std::size_t(t[0])],
                                             step.vertices[std::size_t(t[1])],
                                             step.vertices[std::size_t(t[2])]};
      const test::Bracket bracket = test::alternating_projections(body, X_WA, corners, X_WB, 3000);
      lower = std::min(lower, bracket.lower);
      upper = std::min(upper, bracket.upper);
    }
    CHECK(distance > lower - 1e-12);
    CHECK(distance < upper + 1e-12);
    return 1;
  };
  int apart = 0;
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    apart += check(random_cone(random));
    apart += check(Cylinder{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)});
  }
  MESSAGE(apart << " pairs apart");
  CHECK(apart > 40);
}

// On its base a cone has its rim's four fixed points, on its side the line's two ends, on its tip
// the tip. The axis of one that lies leans by the half angle at the tip.
TEST_CASE("a cone stands on its base and its tip, and lies on its side") {
  const Cone cone{0.3, 0.8};
  const double half_angle = std::atan2(cone.radius, cone.length);
  const double lying = 0.5 * cone.length * std::sin(half_angle);
  const Mesh sheet = test::sheet(6, 4.0, [](double, double) { return 0.0; });
  const HeightField field = test::level_field(5, 1.0);
  for (const Geometry& ground :
       {Geometry(Plane{}), Geometry(Box{{8, 8, 2}}), Geometry(sheet), Geometry(field)}) {
    CAPTURE(ground.index());
    const Pose X_WG{Matrix3d::Identity(), {0, 0, std::holds_alternative<Box>(ground) ? -1.0 : 0.0}};
    const auto touch = [&](const Pose& X) {
      CHECK(std::abs(signed_distance(cone, X, ground, X_WG)) < 1e-15);
      const auto contacts = contacts_of(cone, X, ground, X_WG, 1e-9);
      for (const ContactPoint& contact : contacts) {
        CHECK(std::abs(contact.gap) < 1e-15);
        CHECK((contact.n_W + Vector3d::UnitZ()).norm() < 1e-12);
      }
      return contacts.size();
    };
    const std::size_t standing = touch({Matrix3d::Identity(), {0.53, 0.41, 0.4}});
    const std::size_t on_tip = touch(turned(M_PI, {0.53, 0.41, 0.4}));
    const std::size_t on_side = touch(turned(M_PI / 2 + half_angle, {0.53, 0.41, lying}));
    // Over a height field its edges take part, flat or not.
    const bool exact = !std::holds_alternative<HeightField>(ground);
    CHECK((exact ? standing == 4 : standing >= 4));
    CHECK((exact ? on_tip == 1 : on_tip >= 1));
    CHECK((exact ? on_side == 2 : on_side >= 2));
  }
}

// Along the normal the distance falls exactly as the body moves, down to touching and a little
// beyond.
TEST_CASE("a cone moved along its normal closes the gap exactly") {
  Random random(47);
  double worst = 0.0;
  int tested = 0;
  const auto check = [&](const auto& B) {
    const Cone A = random_cone(random);
    const Pose X_WA = random.pose(0.8);
    Pose X_WB = random.pose(0.8);
    const double distance = signed_distance(A, X_WA, B, X_WB);
    if (distance < 1e-2) return;
    const auto contacts = contacts_of(A, X_WA, B, X_WB, distance + 1e-12);
    if (contacts.size() != 1) return;
    // Sharp points beside rims and edges have a normal of their own only while apart.
    const FeaturePair& pair = contacts[0].feature;
    const auto is_sharp = [](const Feature& f) {
      return f.rounding == 0.0 && f.taper == 0.0 && f.kind != FeatureKind::face;
    };
    const bool a_point = pair.A.kind == FeatureKind::point,
               b_point = pair.B.kind == FeatureKind::point;
    if ((a_point || b_point) && is_sharp(pair.A) && is_sharp(pair.B)) return;
    ++tested;
    const Vector3d p = X_WB.p;
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6}) {
      X_WB.p = p - (distance - gap) * contacts[0].n_W;
      CAPTURE(gap);
      CAPTURE(int(pair.A.kind));
      CAPTURE(int(pair.B.kind));
      const double found = signed_distance(A, X_WA, B, X_WB);
      CHECK(found > gap - 1e-12);
      CHECK(found < gap + 1e-12 + (gap < -1e-10 ? 0.2 * std::abs(gap) : 0.0));
      if (gap > -1e-10) worst = std::max(worst, std::abs(found - gap));
    }
  };
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    check(Sphere{random.uniform(0.05, 0.4)});
    check(Capsule{random.uniform(0.05, 0.3), random.uniform(0.1, 0.8)});
    check(Box{Vector3d(0.5, 0.5, 0.5) + random.vector(0.4)});
    check(Cylinder{random.uniform(0.05, 0.4), random.uniform(0.1, 0.8)});
    check(random_cone(random));
  }
  MESSAGE(tested << " pairs, worst error " << worst << " m");
  CHECK(tested > 100);
}
