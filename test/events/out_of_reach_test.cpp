// What round bodies over the ground leave out: edges that they cannot reach, and contacts that
// nobody asks for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "events/cone_features.h"
#include "events/contact_geometry.h"
#include "events/cylinder_features.h"
#include "events/terrain.h"
#include "events/tolerances.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

constexpr int kSide = 12;  // samples

HeightField random_field(Random& random, double height) {
  HeightField field;
  field.nx = field.ny = kSide;
  field.dx = 0.1;
  field.dy = 0.07;
  field.origin.setZero();
  for (int i = 0; i < kSide * kSide; ++i)
    field.heights.push_back(height * random.uniform(-1.0, 1.0));
  measure_heights(field);
  return field;
}

template <typename Visit>
void visit_edges(const HeightField& field, Visit visit) {
  TerrainEdge edge;
  for (int i = 0; i < field.nx; ++i)
    for (int j = 0; j < field.ny; ++j)
      for (int k = 0; k < 3; ++k)
        if (terrain_edge(field, i, j, k, edge)) visit(edge, ground_edge(edge, 0).feature);
}

// b + x left, with x from one lean to the other.
Vector3d normal_between(const Feature& line, double share) {
  const double lean = line.lean_low + share * (line.lean_high - line.lean_low);
  return (line.b + lean * line.b.cross(line.a)).normalized();
}

// The distance to the body of 2001 points of the segment.
double least_distance(const Cylinder& body, const Vector3d& from, const Vector3d& to) {
  double least = kInfinity;
  for (int i = 0; i <= 2000; ++i)
    least = std::min(least, nearest_part(body, from + i / 2000.0 * (to - from)).distance);
  return least;
}

}  // namespace

// What comes near has a point within `range` along the axis and across it, √2 of it in all.
TEST_CASE("a segment comes near a cylinder if one of its points does") {
  Random random(61);
  int near = 0, far = 0;
  for (int i = 0; i < 2000; ++i) {
    const Cylinder body{random.uniform(0.02, 0.3), random.uniform(0.02, 0.3)};
    const double range = random.uniform(0.0, 0.1);
    const Vector3d from = random.vector(0.5);
    Vector3d to = random.vector(0.5);
    if (i % 5 == 0) to.z() = from.z();
    if (i % 7 == 0) to.head<2>() = from.head<2>();
    const double least = least_distance(body, from, to);
    const double between = (to - from).norm() / 4000.0;  // m, to the nearest of the points
    if (comes_near(body, from, to, range)) {
      ++near;
      CHECK(least <= std::sqrt(2.0) * range + between);
    } else {
      ++far;
      CHECK(least > range);
    }
  }
  CHECK(std::min(near, far) > 500);
}

// is_ridge_normal is asked for sixty normals between those of the facets, and as far beyond them.
TEST_CASE("a valley has no normal of contact") {
  Random random(62);
  int valleys = 0, ridges = 0;
  for (const double height : {1e-9, 1e-5, 0.05, 1.0}) {
    visit_edges(random_field(random, height), [&](const TerrainEdge& edge, const Feature& line) {
      if (edge.opposites < 2) {
        CHECK_FALSE(is_valley(edge, line));
        return;
      }
      bool any = false;
      for (int i = -20; i <= 40; ++i)
        any = any || is_ridge_normal(edge, normal_between(line, i / 20.0));
      const bool valley = is_valley(edge, line);
      ++(valley ? valleys : ridges);
      CHECK_FALSE((valley && any));
      // Facets that lean together by more than the slack of normals are told.
      const double steepest = std::max(std::abs(line.lean_low), std::abs(line.lean_high));
      if (line.lean_low > line.lean_high + 1e-7 * (1.0 + steepest * steepest)) CHECK(valley);
    });
  }
  CHECK(std::min(valleys, ridges) > 300);
}

// The normals that cross_rim takes: out of the rim, hence not into the side by more than its slack.
TEST_CASE("a rim stands on no edge whose normals all enter its side") {
  Random random(63);
  int stands = 0, clear = 0;
  const Cylinder body{0.1, 0.2};
  visit_edges(random_field(random, 0.05), [&](const TerrainEdge& edge, const Feature& line) {
    const Matrix3d R = random.rotation();
    for (int cap = 0; cap < 2; ++cap) {
      const bool can = rim_can_stand(body, cap, line, R);
      if (edge.opposites < 2) {
        CHECK(can);
        continue;
      }
      bool any = false;
      for (int i = 0; i <= 100; ++i) {
        const Vector3d n = -(R.transpose() * normal_between(line, i / 100.0));
        any = any || n.dot(into_side(body, cap, {})) <= kNormalSlack;
      }
      ++(can ? stands : clear);
      CHECK((can || !any));
    }
  });
  CHECK(std::min(stands, clear) > 200);
}

namespace {

// Every contact of the pair, asked for by its key, is the same to the bit.
// @return how many there were
int check_wanted(const Geometry& body, const Geometry& ground, const Pose& X_WB) {
  constexpr double kNear = 0.05;  // m
  std::vector<ContactPoint> all, one;
  find_contacts(ground, {}, body, X_WB, 0, 1, kNear, all);
  for (const ContactPoint& contact : all) {
    one.clear();
    find_contacts(ground, {}, body, X_WB, 0, 1, kNear, one, {}, &contact.key);
    // Deep in the ground a rim may cross an edge twice by one name.
    CHECK(std::ranges::any_of(one, [&](const ContactPoint& found) {
      return found.key == contact.key && found.gap == contact.gap && found.p_W == contact.p_W &&
             found.n_W == contact.n_W;
    }));
  }
  return static_cast<int>(all.size());
}

}  // namespace

TEST_CASE("a contact of a round body with the ground that is asked for alone is the same") {
  Random random(64);
  int contacts = 0;
  for (int i = 0; i < 200; ++i) {
    const double height = i % 2 ? 0.05 : 1e-7;
    const HeightField field = random_field(random, height);
    const Mesh mesh =
        test::sheet(8, 1.2, [&](double, double) { return height * random.uniform(-1.0, 1.0); });
    Pose X_WB;
    X_WB.R = i % 3 ? random.rotation() : Matrix3d::Identity();
    X_WB.p = Vector3d(random.uniform(0.3, 0.8), random.uniform(0.2, 0.6), 0.1);
    for (const Geometry& body : {Geometry(Cylinder{0.1, 0.2}), Geometry(Cone{0.1, 0.2})}) {
      contacts += check_wanted(body, field, X_WB);
      contacts += check_wanted(body, mesh, X_WB);
    }
  }
  CHECK(contacts > 2000);
}

// Its cap is all but level: 1e-10 m at its rim, which √(1 − cos²) takes for nothing.
TEST_CASE("an upright cylinder finds the ground below the lower side of its cap") {
  HeightField field;
  field.nx = field.ny = 3;
  field.dx = field.dy = 1.0;
  field.origin.setZero();
  field.heights.assign(9, 0.0);
  measure_heights(field);
  for (const double lean : {1e-12, 1e-10, 1e-9, 1e-7}) {
    const Cylinder body{0.1, 0.2};
    Pose X_WB;
    X_WB.R = Eigen::AngleAxisd(lean, Vector3d::UnitY()).toRotationMatrix();
    X_WB.p = Vector3d(0.7, 0.6, 0.1 + 0.1 * lean);
    std::vector<ContactPoint> found;
    find_contacts(field, {}, body, X_WB, 0, 1, 1e-13, found);
    CAPTURE(lean);
    CHECK_FALSE(found.empty());
  }
}
