#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/convex.h"
#include "events/contact_geometry.h"
#include "test/events/found_contacts.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

using namespace pequod;
using test::contacts_of;
using test::least_gap;
using test::level_field;

namespace {

HeightField rough_field(int n, double cell, double height, Random& random) {
  HeightField field;
  field.nx = n;
  field.ny = n + 1;
  field.dx = cell;
  field.dy = 1.1 * cell;
  field.origin = {-0.5 * cell * n, -0.5 * cell * n};
  for (int k = 0; k < field.nx * field.ny; ++k) field.heights.push_back(random.uniform(0, height));
  measure_heights(field);
  return field;
}

/// Height of the field's surface, by interpolation in the triangle over (x, y).
double height_at(const HeightField& field, double x, double y) {
  const double u = (x - field.origin.x()) / field.dx, v = (y - field.origin.y()) / field.dy;
  const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
  const double a = u - i, b = v - j;
  const double z00 = field.sample(i, j).z(), z11 = field.sample(i + 1, j + 1).z();
  if (a >= b) {
    const double z10 = field.sample(i + 1, j).z();
    return z00 + a * (z10 - z00) + b * (z11 - z10);
  }
  const double z01 = field.sample(i, j + 1).z();
  return z00 + b * (z01 - z00) + a * (z11 - z01);
}

/// Points of a shape's surface, shape frame.
std::vector<Vector3d> surface_points(const Geometry& geometry, int count, Random& random) {
  std::vector<Vector3d> out;
  for (int k = 0; k < count; ++k) {
    if (const auto* sphere = std::get_if<Sphere>(&geometry)) {
      out.push_back(sphere->radius * random.unit());
    } else if (const auto* box = std::get_if<Box>(&geometry)) {
      Vector3d p = 0.5 * random.vector(1.0).cwiseProduct(box->size);
      const int axis = k % 3;
      p[axis] = (k % 2 ? 0.5 : -0.5) * box->size[axis];
      out.push_back(p);
    } else if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
      out.push_back(capsule->radius * random.unit() +
                    Vector3d(0, 0, random.uniform(-0.5, 0.5) * capsule->length));
    } else if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) {
      const double angle = random.uniform(0, 2 * M_PI);
      const double z = k % 2 ? random.uniform(-0.5, 0.5) : (k % 4 ? 0.5 : -0.5);
      const double r = k % 2 ? 1.0 : std::sqrt(random.uniform(0, 1));
      out.emplace_back(r * cylinder->radius * std::cos(angle),
                       r * cylinder->radius * std::sin(angle), z * cylinder->length);
    }
  }
  return out;
}

const Geometry kUprightBodies[] = {Box{{0.4, 0.6, 0.5}}, Cylinder{0.3, 0.4}, Cone{0.3, 0.4},
                                   Capsule{0.2, 0.5}};

double half_height(const Geometry& upright) {
  if (const auto* box = std::get_if<Box>(&upright)) return 0.5 * box->size.z();
  if (const auto* capsule = std::get_if<Capsule>(&upright))
    return 0.5 * capsule->length + capsule->radius;
  return 0.2;
}

const Geometry kBodies[] = {Sphere{0.3}, Box{{0.4, 0.6, 0.5}}, Capsule{0.2, 0.5},
                            Cylinder{0.3, 0.4}};

}  // namespace

// h is the height of the lowest point, known in closed form for each pose.
TEST_CASE("bodies over a plane are as far from it as their lowest point") {
  const double c = std::cos(0.3), s = std::sin(0.3);
  Pose X;
  X.R = Eigen::AngleAxisd(0.3, Vector3d::UnitX()).toRotationMatrix();
  X.p = {1.0, 2.0, 1.0};
  const double truth[] = {0.7, 1.0 - 0.25 * c - 0.3 * s, 1.0 - 0.25 * c - 0.2,
                          1.0 - 0.2 * c - 0.3 * s};
  for (int k = 0; k < 4; ++k) {
    CHECK(signed_distance(kBodies[k], X, Plane{}, {}) == doctest::Approx(truth[k]).epsilon(1e-15));
    const auto contacts = contacts_of(kBodies[k], X, Plane{}, {}, 2.0);
    CHECK(least_gap(contacts) == doctest::Approx(truth[k]).epsilon(1e-15));
    for (const ContactPoint& contact : contacts) CHECK(contact.n_W == Vector3d(0, 0, -1));
    const auto turned = contacts_of(Plane{}, {}, kBodies[k], X, 2.0);
    REQUIRE(turned.size() == contacts.size());
    CHECK(turned[0].n_W == Vector3d(0, 0, 1));
    CHECK((turned[0].p_W - contacts[0].p_W).norm() < 1e-15);
    CHECK((turned[0].key.feature >> 32) == (contacts[0].key.feature & 0xffffffffu));
  }
}

TEST_CASE("contacts of a body at rest on a plane span its patch") {
  const auto count = [](const Geometry& geometry, const Pose& X) {
    std::set<std::uint64_t> names;
    const auto contacts = contacts_of(geometry, X, Plane{}, {}, 1e-9);
    for (const ContactPoint& contact : contacts) names.insert(contact.key.feature);
    CHECK(names.size() == contacts.size());
    return contacts.size();
  };
  Pose X;
  X.p.z() = 0.25;
  CHECK(count(Box{{0.4, 0.6, 0.5}}, X) == 4);
  X.p.z() = 0.2;
  CHECK(count(Cylinder{0.3, 0.4}, X) == 4);
  X.R = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
  X.p.z() = 0.3;
  CHECK(count(Cylinder{0.3, 0.4}, X) == 2);
  CHECK(count(Capsule{0.3, 0.4}, X) == 2);
}

// Moving by minus its distance along the plane's normal makes any body touch: then no point of it
// lies below the plane, and the sampled points come close. 2e-16 × size is rounding.
TEST_CASE("no point of a body at distance zero lies below the plane") {
  Random random(3);
  for (int trial = 0; trial < 400; ++trial) {
    const Geometry& body = kBodies[trial % 4];
    const Pose X_WP = random.pose(1.0);
    Pose X = random.pose(1.0);
    X.p -= X_WP.R.col(2) * signed_distance(body, X, Plane{}, X_WP);
    CHECK(std::abs(least_gap(contacts_of(body, X, Plane{}, X_WP, 1e-9))) < 1e-14);
    for (const Vector3d& p : surface_points(body, 200, random)) {
      CHECK(X_WP.R.col(2).dot(X * p - X_WP.p) > -1e-14);
    }
  }
}

namespace {

/// Lowers bodies onto rough ground by their distance until it vanishes: the gap shrinks by no more
/// than the motion. @return m, depth of the deepest surface point
double deepest_after_lowering(int trials, int points, Random& random) {
  const double sizes[] = {0.05, 0.2, 0.6};
  double worst_depth = -kInfinity;
  for (int trial = 0; trial < trials; ++trial) {
    const double cell = sizes[trial % 3] / 3;
    const HeightField field = rough_field(60, cell, 0.02, random);
    const Geometry geometry = field;
    const Geometry& body = kBodies[trial % 4];
    Pose X{random.rotation(), {0.01, 0.02, 0.6}};
    double distance = kInfinity;
    for (int k = 0; k < 300 && distance > 1e-11; ++k) {
      distance = signed_distance(body, X, geometry, {});
      X.p.z() -= distance;
    }
    CAPTURE(trial);
    CHECK(std::abs(distance) < 1e-11);
    for (const Vector3d& p : surface_points(body, points, random)) {
      const Vector3d p_W = X * p;
      if (std::abs(p_W.x()) > 27 * cell || std::abs(p_W.y()) > 27 * cell) continue;
      worst_depth = std::max(worst_depth, height_at(field, p_W.x(), p_W.y()) - p_W.z());
    }
  }
  return worst_depth;
}

}  // namespace

// Second method: points of the body's surface against the interpolated surface of the ground.
TEST_CASE("a body lowered to distance zero touches rough ground and does not enter it") {
  Random random(4);
  CHECK(deepest_after_lowering(48, 3000, random) < 1e-11);
}

TEST_SUITE("long") {
  TEST_CASE("bodies lowered onto rough ground, many") {
    Random random(40);
    CHECK(deepest_after_lowering(1200, 20000, random) < 1e-11);
  }
}

TEST_CASE("a ball at rest on a flat height field touches the triangles under it alone") {
  const HeightField field = test::level_field(11, 0.1, 0.2);
  Pose X;
  X.p = {0.03, 0.01, 0.25};
  const auto contacts = contacts_of(Sphere{0.05}, X, field, {}, 1e-9);
  REQUIRE(contacts.size() == 1);
  CHECK(std::abs(contacts[0].gap) < 1e-16);
  CHECK((contacts[0].n_W - Vector3d(0, 0, -1)).norm() < 1e-15);
  X.p = {0.0, 0.0, 0.2 + 0.05};  // over a sample six triangles meet
  CHECK(contacts_of(Sphere{0.05}, X, field, {}, 1e-9).size() == 6);
  X.p.z() = 0.18;  // the centre below the surface: still pushed up
  CHECK(contacts_of(Sphere{0.05}, X, field, {}, 1e-9)[0].gap == doctest::Approx(-0.07));
  X.p = {5.0, 0.0, 0.0};
  CHECK(contacts_of(Sphere{0.05}, X, field, {}, 1e-9).empty());
}

// The lowest point of an upright body is as high as the ground but for 1e-12 m, in its middle, over
// its border and beyond, as its border is: no contact can be deeper. A border that was as high as
// the side's end was a wall 0.2 m deep in a cylinder that stood before it.
TEST_CASE("a body on ground that is level with the border is not deep in the border") {
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const HeightField field = rough_field(6, 0.2, k % 2 == 0 ? 0.0 : 1e-12, random);
    const Geometry& body = nth(kUprightBodies, k / 2 % 4);
    const auto axis = [&] { return random.uniform(-0.9, 0.9); };
    Pose X;
    X.R = Eigen::AngleAxisd(1e-12 * random.uniform(-1.0, 1.0), random.unit()).toRotationMatrix();
    X.p = {axis(), axis(), half_height(body) + 1e-12 * random.uniform(-1.0, 1.0)};
    CAPTURE(k);
    CAPTURE(body.index());
    CAPTURE(X.p.transpose());
    CHECK(least_gap(contacts_of(field, {}, body, X, 1e-3)) >= -1e-11);
  }
}

// A peak that has come beneath the edge of a body by less than it is deep is nearest to its side,
// which it cannot meet: a box that slid over a height field met nothing, sank by 3 µm and stopped
// dead. All around it the ground falls off, so that nothing else tells its depth.
TEST_CASE("a peak beneath the edge of a body is seen at its depth") {
  constexpr double kPeak = 1e-5;  // m
  Random random(7);
  for (int k = 0; k < 600; ++k) {
    HeightField field = level_field(5, 0.4);
    for (double& height : field.heights) height = -random.uniform(0.0, 0.05);
    field.heights[12] = kPeak;
    measure_heights(field);
    const auto row = [](double x) { return static_cast<int>(std::lround((x + 0.8) / 0.4)); };
    const Geometry grounds[] = {field, test::sheet(4, 1.6, [&](double x, double y) {
                                  return field.sample(row(x), row(y)).z();
                                })};
    const Geometry& body = nth(kUprightBodies, k % 3);  // no capsule
    const bool leans = k % 3 == 2;                      // its side, by less than 45°
    const double depth = std::pow(10.0, random.uniform(-8.0, -5.2));
    const double within = std::pow(10.0, random.uniform(-9.0, -5.5)) + (leans ? 0.75 * depth : 0.0);
    const double side = k % 3 == 0 ? 0.2 : 0.3;  // m, from the axis
    const Pose X{Matrix3d::Identity(),
                 {within - side, k % 2 == 0 ? 0.0 : 1e-5, kPeak - depth + half_height(body)}};
    CAPTURE(k);
    CAPTURE(within);
    CAPTURE(depth);
    for (const Geometry& ground : grounds) {
      // What rises to the peak beside it may be deeper by its slope times what is above it.
      const double gap = least_gap(contacts_of(ground, {}, body, X, 1e-3));
      CHECK(gap <= -depth + 1e-15);
      CHECK(gap >= -depth - 0.25 * within - 1e-15);
    }
  }
}

TEST_CASE("ground shapes do not touch one another") {
  CHECK(contacts_of(Plane{}, {}, Plane{}, {}, 1.0).empty());
  CHECK(signed_distance(Plane{}, {}, Plane{}, {}) == kInfinity);
}

// Between the prisms over two facets that meet in a valley there is none below it: a tip that slid
// along it sank by a micrometre there and was not seen.
TEST_CASE("a tip below a valley or crest of rough ground is seen at its depth") {
  Random random(41);
  const HeightField field = rough_field(10, 0.1, 0.02, random);
  const Geometry geometry = field;
  const Cone cone{0.004, 0.1};
  for (int trial = 0; trial < 500; ++trial) {
    const int i = 1 + trial % 7, j = 1 + trial / 7 % 7;
    // Over the middle stretch of a cell's diagonal, to rounding.
    const double along = random.uniform(0.2, 0.8);
    const Vector3d p =
        field.sample(i, j) + along * (field.sample(i + 1, j + 1) - field.sample(i, j));
    const double depth = std::pow(10.0, random.uniform(-12.0, -6.0));
    const Pose X{Eigen::AngleAxisd(M_PI, Vector3d::UnitX()).toRotationMatrix(),
                 {p.x() + random.uniform(-1e-17, 1e-17), p.y(), p.z() + 0.5 * cone.length - depth}};
    CAPTURE(trial);
    const auto contacts = contacts_of(cone, X, geometry, {}, 1e-9);
    REQUIRE_FALSE(contacts.empty());
    CHECK(least_gap(contacts) < -0.9 * depth + 1e-15);  // slopes are below 0.3
    CHECK(least_gap(contacts) > -depth - 1e-15);
    CHECK(signed_distance(cone, X, geometry, {}) == least_gap(contacts));
  }
}

// Second method: the search over all features. Bodies pushed into rough ground and lifted out of
// it, and asked for what they touch there and what they touched a little higher.
TEST_CASE(
    "a contact over terrain that is asked for by its key is the one that is found among all") {
  Random random(22);
  int found = 0, gone = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Geometry field = rough_field(20, 0.06, 0.05, random);
    std::vector<Vector3d> points;
    for (int i = 0; i < 30; ++i) points.push_back(0.2 * random.unit());
    const std::vector<Geometry> bodies = {make_convex(points), Box{{0.3, 0.2, 0.1}}, Sphere{0.1},
                                          Capsule{0.05, 0.3}, test::box_mesh({0.3, 0.2, 0.1})};
    const Geometry& body = bodies[static_cast<std::size_t>(trial) % bodies.size()];
    Pose X{random.rotation(), {0.01, 0.02, 0.6}};
    X.p.z() -= signed_distance(body, X, field, {});
    const double range = random.uniform(0.0, 0.02);
    std::vector<ContactKey> keys;
    for (const double lift : {0.01, 0.0, -0.005, -0.02}) {
      const Pose at{X.R, X.p + lift * Vector3d::UnitZ()};
      std::vector<ContactPoint> all;
      find_contacts(body, at, field, {}, 0, 1, range, all);
      for (const ContactPoint& contact : all) keys.push_back(contact.key);
      const auto with_key = [](const std::vector<ContactPoint>& contacts, const ContactKey& key) {
        return std::ranges::find(contacts, key, &ContactPoint::key);
      };
      for (const ContactKey& key : keys) {
        std::vector<ContactPoint> one;
        find_contacts(body, at, field, {}, 0, 1, range, one, {}, &key);
        const auto asked = with_key(one, key), among = with_key(all, key);
        REQUIRE((asked == one.end()) == (among == all.end()));
        if (among == all.end()) {
          ++gone;
          continue;
        }
        ++found;
        CHECK(asked->gap == among->gap);
        CHECK(asked->p_W == among->p_W);
        CHECK(asked->n_W == among->n_W);
      }
    }
  }
  CHECK(found > 1000);
  CHECK(gone > 100);
}
