// A disc that lies on an edge, where both its crossings of it run into one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "events/contact_geometry.h"
#include "test/events/mesh_shapes.h"

using namespace pequod;

namespace {

constexpr double kRadius = 0.1, kLength = 0.06;

// A disc on the ground's top, which ends at x = 0.5: by so much of its radius over the edge, and
// turned about x.
Pose over_edge(double depth, double tilt = 0.0) {
  const double x = 0.5 + kRadius * (1.0 - depth);
  // Turned so that none of its rim's fixed points stands behind the edge.
  const Eigen::AngleAxisd lean(tilt, Vector3d::UnitX()), turn(0.7, Vector3d::UnitZ());
  return {(lean * turn).toRotationMatrix(), {x, 0.02, 0.5 * kLength}};
}

std::vector<ContactPoint> contacts_with(const Geometry& disc, const Pose& X, const Geometry& ground,
                                        double top) {
  const Pose X_WG{Matrix3d::Identity(), {0, 0, -top}};
  std::vector<ContactPoint> found;
  find_contacts(disc, X, ground, X_WG, 0, 1, 1e-9, found);
  return found;
}

}  // namespace

// The chord of a disc that reaches by d over an edge is 2 √(2 d r) long and crosses the rim at an
// angle of √(2 d/r): d/r = 6e-5 is longer than a short chord, 4e-5 shorter. Its middle stands on
// the edge, at the disc's own y.
TEST_CASE("the middle of a short chord stands for both of its ends") {
  const Geometry grounds[] = {Box{{1, 1, 0.2}}, test::box_mesh({1, 1, 0.2}),
                              test::level_field(11, 0.1)};
  const double tops[] = {0.1, 0.1, 0.0};
  for (int k = 0; k < 3; ++k)
    for (const Geometry& disc :
         {Geometry(Cylinder{kRadius, kLength}), Geometry(Cone{kRadius, kLength})}) {
      CAPTURE(k);
      const auto at = [&](double depth) {
        return contacts_with(disc, over_edge(depth), grounds[k], tops[k]);
      };
      CHECK(at(6e-5).size() == 2);
      for (const double depth : {4e-5, 1e-7}) {
        CAPTURE(depth);
        const std::vector<ContactPoint> found = at(depth);
        REQUIRE(found.size() == 1);
        CHECK((found[0].n_W + Vector3d::UnitZ()).norm() < 1e-15);
        CHECK((found[0].p_W - Vector3d(0.5, 0.02, 0.0)).norm() < 1e-14);
        CHECK(std::abs(found[0].gap) < 1e-15);
      }
    }
}

// A disc that leans along its chord touches at one end of it: the middle is farther by half the
// chord times the tilt, here 1e-8 m and less than 1e-11 m.
TEST_CASE("a disc that leans along a short chord touches at its ends") {
  const Cylinder disc{kRadius, kLength};
  const Box box{{1, 1, 0.2}};
  const auto has_end = [&](double tilt) {
    const std::vector<ContactPoint> found = contacts_with(disc, over_edge(4e-5, tilt), box, 0.1);
    return std::ranges::any_of(
        found, [](const ContactPoint& contact) { return std::abs(contact.p_W.y() - 0.02) > 1e-4; });
  };
  CHECK(!has_end(1e-9));
  CHECK(has_end(1e-5));
}

// The distance is that of the ends too, whose normals alone tell it where the disc leans: it dips
// by half the chord, √(2 · 4e-5) · 0.1 m, times its tilt, to the order of what it reaches over.
TEST_CASE("the distance of a disc to the edge below it is told by the ends of a short chord") {
  const Pose X_WB{Matrix3d::Identity(), {0, 0, -0.1}};
  for (const double tilt : {1e-10, 1e-9, 1e-8}) {
    const Pose X = over_edge(4e-5, tilt);
    const double gap = signed_distance(Cylinder{kRadius, kLength}, X, Box{{1, 1, 0.2}}, X_WB);
    const double half = std::sqrt(2.0 * 4e-5) * kRadius;
    // Of its centre's height, by 0.5 (1 − cos tilt) of its length, nothing is left.
    CHECK(gap == doctest::Approx(-half * tilt).epsilon(0.01));
  }
}

// s: at 2 m/s across the edge the crossing runs along the rim at v/sin α, α the angle of the two,
// and has r sin α to go: a fifth of that.
TEST_CASE("a crossing nears the other one in its share of the time that is left") {
  for (const double depth : {1e-2, 1e-3, 1e-4}) {
    const Pose X = over_edge(depth);
    const std::vector<ContactPoint> found =
        contacts_with(Cylinder{kRadius, kLength}, X, Box{{1, 1, 0.2}}, 0.1);
    BodyMotion disc, box;
    disc.X_WL = X;
    disc.v = {2.0, 0, 0};
    box.X_WL = {Matrix3d::Identity(), {0, 0, -0.1}};
    const double cosine = 1.0 - depth, square = 1.0 - cosine * cosine;
    REQUIRE(found.size() >= 2);
    int crossings = 0;
    for (const ContactPoint& contact : found) {
      const double time = merging_time(contact, disc, box);
      if (time == kInfinity) continue;
      ++crossings;
      CHECK(time == doctest::Approx(0.2 * kRadius * square / 2.0).epsilon(1e-9));
    }
    CHECK(crossings == 2);
  }
}
