#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/convex.h"
#include "events/contact_geometry.h"
#include "events/mesh_queries.h"
#include "test/events/complexes.h"
#include "test/events/found_contacts.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

using namespace pequod;
using test::contacts_of;
using test::least_gap;

namespace {

std::vector<Geometry> bodies(Random& random) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(0.4 * random.unit());
  return {Sphere{0.3},         Capsule{0.2, 0.5},    Box{{0.4, 0.6, 0.5}},
          make_convex(points), test::step_mesh(0.7), test::box_mesh({0.5, 0.4, 0.6})};
}

/// A closed surface with dents: an octahedron refined twice, vertices at random radii.
Mesh dented_ball(Random& random) {
  std::vector<Vector3d> v = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<int, 3>> t = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int round = 0; round < 2; ++round) {
    std::vector<Vector3d> corners;
    std::vector<std::array<int, 3>> finer;
    for (const auto& f : t) {
      const Vector3d a = v[std::size_t(f[0])], b = v[std::size_t(f[1])], c = v[std::size_t(f[2])];
      const int k = int(corners.size());
      for (const Vector3d& p : {a, b, c, Vector3d(a + b), Vector3d(b + c), Vector3d(c + a)})
        corners.push_back(p.normalized());
      finer.insert(
          finer.end(),
          {{k, k + 3, k + 5}, {k + 3, k + 1, k + 4}, {k + 5, k + 4, k + 2}, {k + 3, k + 4, k + 5}});
    }
    const Mesh welded = make_mesh(corners, finer);
    v = welded.vertices;
    t = welded.triangles;
  }
  for (Vector3d& p : v) p *= random.uniform(0.6, 1.0);
  return make_mesh(v, t);
}

/// Random poses around a dented ball, brought to a gap by the oracle's own distance: how far off is
/// the signed distance? Tolerance 1e-12 of the size, which is 1 m.
void compare_with_enumeration(int poses) {
  Random random(81);
  const Mesh mesh = dented_ball(random);
  for (const Geometry& body : bodies(random)) {
    double worst = 0.0;
    int apart = 0;
    for (int trial = 0; trial < poses; ++trial) {
      const Pose X_WA = random.pose(1.2), X_WB = random.pose(0.5);
      const test::Complex A = test::complex_of(body, X_WA), B = test::complex_of(mesh, X_WB);
      const double truth = double(test::surface_distance(A, B));
      // Cut, or one within the other.
      const bool cut = truth <= 0.0 || test::is_inside(B, A.at(0)) || test::is_inside(A, B.at(0));
      const double found = signed_distance(body, X_WA, mesh, X_WB);
      // Told whole within any limit that it does not pass, and above that one which it does.
      for (const double within : {0.0, 0.5 * std::abs(found), 1.5 * std::abs(found)}) {
        const double told = signed_distance(body, X_WA, mesh, X_WB, within);
        CHECK((found <= within ? told == found : told > within));
      }
      CAPTURE(trial);
      CAPTURE(body.index());
      CAPTURE(truth);
      // Deep inside each other the two meshes may see other ways out.
      const double exchanged = signed_distance(mesh, X_WB, body, X_WA);
      if (cut)
        CHECK((found < 0.0) == (exchanged < 0.0));
      else
        CHECK(found == doctest::Approx(exchanged).epsilon(1e-9));
      if (cut) {
        CHECK(found <= 1e-12);
      } else {
        ++apart;
        worst = std::max(worst, std::abs(found - truth));
      }
    }
    MESSAGE("shape " << body.index() << ": " << apart << " of " << poses << " apart, worst "
                     << worst << " m");
    CHECK(worst < 1e-12);
    CHECK(apart > poses / 10);
  }
}

}  // namespace

TEST_CASE("the distance to a mesh is that of an enumeration in 80-bit floats") {
  compare_with_enumeration(60);
}

TEST_SUITE("long") {
  TEST_CASE(
      "the distance to a mesh is that of an enumeration in 80-bit floats, 1000 poses a pair") {
    compare_with_enumeration(1000);
  }
}

// Moved along the normal of the nearest features the gap falls as the body moves, through zero. A
// neighbouring pair may be deeper, none may be missed.
TEST_CASE("a body moved into a mesh along its normal closes the gap exactly") {
  Random random(82);
  const Mesh mesh = dented_ball(random);
  for (const Geometry& body : bodies(random)) {
    double worst = 0.0;
    int tested = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const Pose X_WB = random.pose(0.5);
      Pose X_WA = random.pose(1.2);
      const test::Complex A = test::complex_of(body, X_WA), B = test::complex_of(mesh, X_WB);
      const double distance = double(test::surface_distance(A, B));
      if (distance < 1e-3 || test::is_inside(B, A.at(0)) || test::is_inside(A, B.at(0))) continue;
      // Sharp corners beside corners or edges have no contact of their own.
      if (!test::has_proper_nearest(A, B, distance)) continue;
      CAPTURE(body.index());
      CAPTURE(trial);
      std::vector<ContactPoint> contacts = contacts_of(body, X_WA, mesh, X_WB, distance + 1e-6);
      REQUIRE(!contacts.empty());
      const auto nearest = std::min_element(
          contacts.begin(), contacts.end(),
          [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
      CHECK(std::abs(nearest->gap - distance) < 1e-12);
      // What is found further away takes nothing away.
      CHECK(least_gap(contacts_of(body, X_WA, mesh, X_WB, 10.0)) == nearest->gap);
      ++tested;
      const Vector3d p = X_WA.p;
      for (const double gap : {1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-4}) {
        X_WA.p = p + (distance - gap) * nearest->n_W;
        CAPTURE(gap);
        const double found = signed_distance(body, X_WA, mesh, X_WB);
        CHECK(found < gap + 1e-12);
        CHECK(least_gap(contacts_of(body, X_WA, mesh, X_WB, 1e-3)) < gap + 1e-12);
        if (gap > -1e-8) worst = std::max(worst, std::abs(found - gap));
      }
    }
    MESSAGE("shape " << body.index() << ": " << tested << " tested, worst " << worst << " m");
    CHECK(tested > 10);
    CHECK(worst < 1e-11);
  }
}

// The names of the features say which contacts there are: on a floor cut into 200 triangles a box
// has its four corners on one face, wherever it stands.
TEST_CASE("a flat floor is one face, however it is cut") {
  const Mesh floor = test::sheet(10, 4.0, [](double, double) { return 0.0; });
  Random random(83);
  std::set<std::uint64_t> names;
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix3d R =
        Eigen::AngleAxisd(random.uniform(0, 6), Vector3d::UnitZ()).toRotationMatrix();
    const Vector3d p(random.uniform(-1, 1), trial % 3 ? random.uniform(-1, 1) : 0.0, 0.25);
    const auto contacts = contacts_of(Box{{0.4, 0.6, 0.5}}, {R, p}, floor, {}, 1e-9);
    REQUIRE(contacts.size() == 4);
    for (const ContactPoint& contact : contacts) {
      CHECK((contact.n_W - Vector3d(0, 0, -1)).norm() < 1e-15);
      CHECK(std::abs(contact.gap) < 1e-15);
      names.insert(contact.key.feature);
    }
    CHECK(contacts_of(Cylinder{0.2, 0.5}, {R, p}, floor, {}, 1e-9).size() == 4);
  }
  CHECK(names.size() == 4);
}

TEST_CASE("a body in a valley touches both sides, on a ridge the ridge") {
  const auto valley = [](double s) {
    return test::sheet(2, 2.0, [s](double x, double) { return s * std::abs(x); });
  };
  const double r = 0.1;
  const Mesh down = valley(1.0), up = valley(-1.0);
  CHECK(down.edges.size() == 6);  // the border alone, cut where the valley meets it
  auto contacts =
      contacts_of(Sphere{r}, {Matrix3d::Identity(), {0, 0.3, r * std::sqrt(2.0)}}, down, {}, 1e-9);
  std::set<double> sides;
  for (const ContactPoint& contact : contacts) sides.insert(contact.n_W.x() > 0 ? 1 : -1);
  CHECK(sides.size() == 2);
  const Matrix3d eighth = Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitY()).toRotationMatrix();
  contacts =
      contacts_of(Box{{0.2, 0.2, 0.2}}, {eighth, {0, 0.3, 0.1 * std::sqrt(2.0)}}, down, {}, 1e-9);
  CHECK(contacts.size() == 8);  // four corners a side, two of them in the valley on both
  CHECK(up.edges.size() == 7);
  contacts = contacts_of(Box{{0.2, 0.2, 0.2}}, {Matrix3d::Identity(), {0, 0.3, 0.1}}, up, {}, 1e-9);
  CHECK(contacts.size() == 2);  // two edges of the box across the ridge
  for (const ContactPoint& contact : contacts) CHECK(std::abs(contact.gap) < 1e-15);
}

// A capsule and a box 1e-9 m deep in a plate of 0.1 mm: its far side is 1e-4 m away, and no
// contact.
TEST_CASE("the far side of a thin plate takes no part") {
  const Mesh plate = test::box_mesh({2, 2, 1e-4});
  const double top = 0.5e-4, sunk = 1e-9;
  const Matrix3d lying = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix();
  const Matrix3d I = Matrix3d::Identity();
  for (const auto& [body, R, height] : {std::tuple<Geometry, Matrix3d, double>{Sphere{0.1}, I, 0.1},
                                        {Capsule{0.1, 0.5}, lying, 0.1},
                                        {Box{{0.2, 0.3, 0.4}}, I, 0.2},
                                        {Cylinder{0.1, 0.4}, I, 0.2},
                                        {test::box_mesh({0.2, 0.3, 0.4}), I, 0.2}}) {
    const std::size_t kind = body.index();
    CAPTURE(kind);
    for (const double x : {0.1, 1.0, 0.95}) {
      const Pose X{R, {x, 0.2, top + height - sunk}};
      const auto contacts = contacts_of(body, X, plate, {}, 1e-3);
      CHECK(!contacts.empty());
      CHECK(std::abs(least_gap(contacts) + sunk) < 1e-15);
      CHECK(std::abs(signed_distance(body, X, plate, {}) + sunk) < 1e-15);
    }
  }
}

// A box that leans over the border of a table has its lower edge a little inside: over the border
// of the side as well, and below the top by nothing.
TEST_CASE("a corner on a face is not behind the next face round the edge") {
  const Mesh table = test::box_mesh({2, 2, 2});
  Random random(97);
  for (int trial = 0; trial < 200; ++trial) {
    const double tilt = random.uniform(0.0, 0.09), inside = random.uniform(1e-4, 0.01);
    const Matrix3d R = Eigen::AngleAxisd(-tilt, Vector3d::UnitY()).toRotationMatrix();
    const Pose X{R, Vector3d(1.0 - inside, 0.2, 1.0) - R * Vector3d(-0.2, 0.0, -0.1)};
    const auto contacts = contacts_of(Box{{0.4, 0.6, 0.2}}, X, table, {}, 0.05);
    CHECK(contacts.size() >= 2);
    CHECK(std::abs(least_gap(contacts)) < 1e-14);
  }
}

TEST_CASE("inside a closed mesh, and apart from it behind an open one") {
  const Mesh box = test::box_mesh({2, 2, 2});
  const Pose X{Matrix3d::Identity(), {0.3, 0, 0.2}};
  // The nearest side is 0.7 − 0.1 away; past it by the ball's width, and it is out.
  CHECK(signed_distance(Sphere{0.1}, X, box, {}) == doctest::Approx(-0.8).epsilon(1e-14));
  CHECK(signed_distance(test::box_mesh({0.1, 0.1, 0.1}), X, box, {}) < 0.0);
  CHECK(signed_distance(box, {}, test::box_mesh({0.1, 0.1, 0.1}), X) < 0.0);
  CHECK(signed_distance(Box{{3, 3, 3}}, X, test::box_mesh({0.1, 0.1, 0.1}), {}) < 0.0);
  const Mesh sheet = test::sheet(4, 2.0, [](double, double) { return 0.0; });
  const Pose below{Matrix3d::Identity(), {0.1, 0, -0.5}};
  CHECK(signed_distance(Sphere{0.1}, below, sheet, {}) == doctest::Approx(0.4).epsilon(1e-14));
  CHECK(contacts_of(Sphere{0.1}, below, sheet, {}, 0.2).empty());
  CHECK_THROWS_AS(contacts_of(Mesh{}, {}, Plane{}, {}, 1.0), std::invalid_argument);
}

TEST_CASE("meshes stand on planes and on height fields") {
  const HeightField field = test::level_field(5, 0.5);
  const Mesh step = test::step_mesh(0.7);
  const Matrix3d upright = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
  const Pose X{upright, {-0.9, 0.1, 0.0}};
  for (const Geometry& ground : {Geometry(Plane{}), Geometry(field)}) {
    CHECK(std::abs(signed_distance(step, X, ground, {})) < 1e-15);
    const auto contacts = contacts_of(step, X, ground, {}, 1e-9);
    std::set<std::pair<double, double>> feet;
    for (const ContactPoint& contact : contacts) feet.insert({contact.p_W.x(), contact.p_W.y()});
    CHECK(feet.size() >= 4);  // more where samples lie below the face
    CHECK(std::abs(least_gap(contacts)) < 1e-15);
  }
}
