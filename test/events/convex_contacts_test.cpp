#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/convex.h"
#include "events/contact_geometry.h"
#include "events/convex_distance.h"
#include "test/events/found_contacts.h"
#include "test/support/random.h"

using namespace pequod;
using test::least_gap;

namespace {

using Real = long double;
using Vec = Eigen::Matrix<Real, 3, 1>;

std::vector<Vec> placed(const Convex& hull, const Pose& X) {
  std::vector<Vec> out;
  for (const Vector3d& p : hull.vertices) {
    out.push_back(X.R.cast<Real>() * p.cast<Real>() + X.p.cast<Real>());
  }
  return out;
}

/// Oracle in 80-bit floats. Apart: the least distance over all vertex–face, edge–edge, vertex–edge
/// and vertex–vertex pairs. Overlapping: minus the least depth over all face normals and all edge
/// pairs' normals, each by a full search for the extremes.
Real oracle_distance(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB) {
  const std::vector<Vec> a = placed(A, X_WA), b = placed(B, X_WB);
  Real best = -1e300L;
  const auto consider = [&](Vec n) {
    n.normalize();
    Real a_max = -1e300L, b_min = 1e300L, a_min = 1e300L, b_max = -1e300L;
    for (const Vec& p : a) {
      a_max = std::max(a_max, n.dot(p));
      a_min = std::min(a_min, n.dot(p));
    }
    for (const Vec& p : b) {
      b_min = std::min(b_min, n.dot(p));
      b_max = std::max(b_max, n.dot(p));
    }
    best = std::max({best, b_min - a_max, a_min - b_max});
  };
  const auto face_normals = [&](const Convex& hull, const std::vector<Vec>& p) {
    for (const Convex::Face& f : hull.faces) {
      consider((p[std::size_t(f.vertices[1])] - p[std::size_t(f.vertices[0])])
                   .cross(p[std::size_t(f.vertices[2])] - p[std::size_t(f.vertices[1])]));
    }
  };
  face_normals(A, a);
  face_normals(B, b);
  const auto segment = [](const std::array<int, 2>& e, const std::vector<Vec>& p) {
    return std::pair<Vec, Vec>(p[std::size_t(e[0])], p[std::size_t(e[1])] - p[std::size_t(e[0])]);
  };
  Real nearest = 1e300L;  // over edge pairs with their ends: covers vertex–edge and vertex–vertex
  for (const auto& ea : A.edges) {
    for (const auto& eb : B.edges) {
      const std::pair<Vec, Vec> line_a = segment(ea, a), line_b = segment(eb, b);
      const Vec &p = line_a.first, &u = line_a.second, &q = line_b.first, &v = line_b.second;
      const Vec n = u.cross(v);
      if (n.norm() > 1e-12L * u.norm() * v.norm()) consider(n);
      const auto clamp01 = [](Real x) { return std::clamp<Real>(x, 0, 1); };
      const auto try_pair = [&](Real s, Real t) {
        nearest = std::min(nearest, (q + t * v - p - s * u).norm());
      };
      for (const Real s : {Real(0), Real(1)}) {
        try_pair(s, clamp01((p + s * u - q).dot(v) / v.squaredNorm()));
      }
      for (const Real t : {Real(0), Real(1)}) {
        try_pair(clamp01((q + t * v - p).dot(u) / u.squaredNorm()), t);
      }
    }
  }
  // Separated, and a vertex–edge or vertex–vertex pair is nearest: no normal above shows it all.
  if (best > 0) {
    const auto over_faces = [&](const Convex& hull, const std::vector<Vec>& f,
                                const std::vector<Vec>& points) {
      for (const Convex::Face& face : hull.faces) {
        const auto at = [&](std::size_t k) {
          return f[std::size_t(face.vertices[k % face.vertices.size()])];
        };
        const Vec n = (at(1) - at(0)).cross(at(2) - at(1)).normalized();
        for (const Vec& p : points) {
          bool inside = n.dot(p - at(0)) > 0;
          for (std::size_t k = 0; k < face.vertices.size(); ++k) {
            inside = inside && n.cross(at(k + 1) - at(k)).dot(p - at(k)) >= 0;
          }
          if (inside) nearest = std::min(nearest, n.dot(p - at(0)));
        }
      }
    };
    over_faces(A, a, b);
    over_faces(B, b, a);
    for (const auto& ea : A.edges) {
      for (const auto& eb : B.edges) {
        const auto [p, u] = segment(ea, a);
        const auto [q, v] = segment(eb, b);
        const Vec n = u.cross(v), w = q - p;
        const Real square = n.squaredNorm();
        if (square <= 1e-24L * u.squaredNorm() * v.squaredNorm()) continue;
        const Real s = w.cross(v).dot(n) / square, t = w.cross(u).dot(n) / square;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
          nearest = std::min(nearest, (w + t * v - s * u).norm());
      }
    }
    return nearest;
  }
  return best;
}

Convex box_hull(const Vector3d& size) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(0.5 *
                     size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  return make_convex(points);
}

Convex random_hull(int n, Random& random) {
  std::vector<Vector3d> points;
  for (int i = 0; i < n; ++i) points.push_back(0.3 * random.unit() + random.vector(0.05));
  return make_convex(points);
}

/// Moves B along a random direction until the oracle's distance is `gap`.
void bring_to_gap(const Convex& A, const Pose& X_WA, const Convex& B, Pose& X_WB, double gap,
                  Random& random) {
  const Vector3d direction = random.unit();
  const auto at = [&](double shift) {
    Pose X = X_WB;
    X.p = X_WA.p + shift * direction;
    return X;
  };
  double low = 0.0, high = 4.0;
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (low + high);
    (oracle_distance(A, X_WA, B, at(middle)) < Real(gap) ? low : high) = middle;
  }
  X_WB = at(high);
}

struct Worst {
  double distance = 0.0, contact = 0.0;
};

/// Compares with the oracle over random poses at prescribed gaps.
Worst compare_with_oracle(int trials, Random& random) {
  Worst worst;
  const double gaps[] = {0.1, 1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3};
  for (int trial = 0; trial < trials; ++trial) {
    const Vector3d a_size = Vector3d(0.2, 0.2, 0.2) + random.vector(0.15);
    const bool boxes = trial % 2 == 0;
    const Convex A = boxes ? box_hull(a_size) : random_hull(20, random);
    const Convex B = trial % 3 ? box_hull({0.5, 0.3, 0.1}) : random_hull(12, random);
    const Pose X_WA = random.pose(0.5);
    Pose X_WB = random.pose(0.5);
    bring_to_gap(A, X_WA, B, X_WB, gaps[trial % 10], random);
    const double truth = static_cast<double>(oracle_distance(A, X_WA, B, X_WB));
    const Geometry first = boxes ? Geometry(Box{a_size}) : Geometry(A);
    CAPTURE(trial);
    CAPTURE(truth);
    const double distance = signed_distance(first, X_WA, B, X_WB);
    CHECK(std::abs(distance - truth) < 1e-12);
    worst.distance = std::max(worst.distance, std::abs(distance - truth));
    std::vector<ContactPoint> contacts;
    find_contacts(first, X_WA, B, X_WB, 0, 1, truth + 1e-3, contacts);
    REQUIRE(!contacts.empty());
    if (truth < -1e-8) continue;  // deep inside, neighbouring pairs of features may lie deeper
    CHECK(std::abs(least_gap(contacts) - truth) < 1e-11);
    worst.contact = std::max(worst.contact, std::abs(least_gap(contacts) - truth));
    // What is found further away takes nothing away.
    const double least = least_gap(contacts);
    contacts.clear();
    find_contacts(first, X_WA, B, X_WB, 0, 1, 10.0, contacts);
    CHECK(least_gap(contacts) == least);
  }
  return worst;
}

}  // namespace

TEST_CASE("distance of boxes and hulls agrees with enumeration in 80-bit floats") {
  Random random(21);
  const Worst worst = compare_with_oracle(60, random);
  MESSAGE("worst distance " << worst.distance << " m, worst contact " << worst.contact << " m");
}

TEST_SUITE("long") {
  TEST_CASE("distance of boxes and hulls agrees with enumeration, many") {
    Random random(22);
    const Worst worst = compare_with_oracle(2000, random);
    MESSAGE("worst distance " << worst.distance << " m, worst contact " << worst.contact << " m");
  }
}

// A triangle of a bowl in single precision and one of a block in it: their planes differ by 1e-8
// rad, the block's corners are 2.4e-10, 1.4e-10 and −3e-18 m above the bowl's plane (in rational
// numbers), and no normal but that of the plane says so.
TEST_CASE("triangles that are nearly coplanar touch without depth") {
  const auto triangle = [](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    return Polytope({a, b, c}, (b - a).cross(c - a).normalized());
  };
  const Polytope bowl = triangle({0.25, 0, 0.02500000037252903}, {0.5, 0.25, 0.125},
                                 {0.25, 0.25, 0.05000000074505806});
  const Polytope block = triangle({0.38248293903185332, 0.11858176006577878, 0.076603058119954409},
                                  {0.35900990894659141, 0.089226931080579233, 0.066625666120042684},
                                  {0.3578531726899451, 0.11825369233385427, 0.069181321267682214});
  CHECK(std::abs(core_distance(bowl, block, Pose{}).distance) < 1e-12);
  CHECK(std::abs(core_distance(block, bowl, Pose{}).distance) < 1e-12);
}

TEST_CASE("a box on a box touches in the corners of the common polygon") {
  const auto count = [](double yaw, const Vector3d& shift, const Vector3d& top) {
    Pose X;
    X.R = Eigen::AngleAxisd(yaw, Vector3d::UnitZ()).toRotationMatrix();
    X.p = shift;
    std::vector<ContactPoint> contacts;
    find_contacts(Box{{1, 1, 1}}, {}, Box{top}, X, 0, 1, 1e-9, contacts);
    for (const ContactPoint& contact : contacts) {
      CHECK(std::abs(contact.gap) < 1e-15);
      CHECK((contact.n_W - Vector3d::UnitZ()).norm() < 1e-12);
    }
    return contacts.size();
  };
  CHECK(count(0.0, {0, 0, 1}, {1, 1, 1}) == 4);           // flush
  CHECK(count(0.0, {0, 0, 0.75}, {0.5, 0.5, 0.5}) == 4);  // smaller, on top
  CHECK(count(0.7, {0, 0, 1}, {1, 1, 1}) == 8);
  CHECK(count(0.3, {0, 0, 1}, {1, 1, 1}) == 8);
  CHECK(count(0.0, {0.3, 0.2, 1}, {1, 1, 1}) == 4);  // overhang
  CHECK(count(0.0, {0.5, 0.0, 0.75}, {1, 0.5, 0.5}) == 4);
}

TEST_CASE("balls and capsules against boxes keep their closed forms") {
  const auto distance = [](const Geometry& A, const Vector3d& p, const Geometry& B) {
    return signed_distance(A, {Matrix3d::Identity(), p}, B, {});
  };
  const Box box{{1, 1, 1}};
  CHECK(distance(Sphere{0.2}, {0, 0, 1}, box) == doctest::Approx(0.3).epsilon(1e-15));
  CHECK(distance(Sphere{0.2}, {0.8, 0.9, 0}, box) == doctest::Approx(0.5 - 0.2).epsilon(1e-15));
  CHECK(distance(Sphere{0.2}, {0.7, 0.7, 0.6}, box) == doctest::Approx(0.1).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {0, 0, 0.7}, box) == doctest::Approx(0.0).epsilon(1e-15));
  CHECK(distance(Sphere{0.2}, {0, 0, 0.4}, box) == doctest::Approx(-0.3).epsilon(1e-15));
  CHECK(distance(Capsule{0.2, 1.0}, {0, 0, 1.3}, box) == doctest::Approx(0.1).epsilon(1e-14));
  CHECK(distance(Sphere{0.2}, {0, 0, 1}, Sphere{0.3}) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(distance(Sphere{0.2}, {0, 0, 0}, Sphere{0.3}) == doctest::Approx(-0.5).epsilon(1e-15));
  CHECK(distance(Capsule{0.2, 1.0}, {1, 0, 0.3}, Capsule{0.3, 1.0}) ==
        doctest::Approx(0.5).epsilon(1e-15));
}

TEST_CASE("a capsule on a box's face touches at both ends, on its edge at the crossing") {
  const Matrix3d lying = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix();
  std::vector<ContactPoint> contacts;
  find_contacts(Capsule{0.1, 0.6}, {lying, {0, 0, 0.6}}, Box{{1, 1, 1}}, {}, 0, 1, 1e-9, contacts);
  CHECK(contacts.size() == 2);
  contacts.clear();
  find_contacts(Capsule{0.1, 0.6}, {lying, {0.4, 0, 0.6}}, Box{{1, 1, 1}}, {}, 0, 1, 1e-9,
                contacts);
  CHECK(contacts.size() >= 2);  // one end, and where the axis crosses the edge
  for (const ContactPoint& contact : contacts) {
    CHECK(std::abs(contact.gap) < 1e-15);
    CHECK((contact.n_W - Vector3d(0, 0, -1)).norm() < 1e-12);
  }
  contacts.clear();
  find_contacts(Capsule{0.1, 0.6}, {lying, {0, 0, 0}}, Capsule{0.1, 0.4}, {lying, {0, 0.2, 0}}, 0,
                1, 1e-9, contacts);
  CHECK(contacts.size() == 2);  // parallel capsules: both ends of the common stretch
}

// Of round bodies that are out of reach only that is found: nothing of the rest may change.
TEST_CASE("a range cuts short what is out of it and changes no bit of what is in it") {
  Random random(31);
  const auto any_shape = [&]() -> Geometry {
    switch (static_cast<int>(random.uniform(0.0, 4.0))) {
      case 0:
        return Box{{0.1, 0.2, 0.15}};
      case 1:
        return Capsule{0.05, 0.2};
      case 2:
        return Cylinder{0.1, 0.15};
      default:
        return Cone{0.1, 0.2};
    }
  };
  int near = 0, far = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Geometry A =
        random.uniform(-1.0, 1.0) > 0.0 ? Geometry(Cylinder{0.08, 0.2}) : Cone{0.08, 0.2};
    const Geometry B = any_shape();
    const Pose X_WA{random.rotation(), Vector3d::Zero()},
        X_WB{random.rotation(), random.uniform(0.1, 0.4) * random.unit()};
    const double range = random.uniform(0.0, 0.1), exact = signed_distance(A, X_WA, B, X_WB),
                 within = signed_distance(A, X_WA, B, X_WB, range);
    std::vector<ContactPoint> found;
    find_contacts(A, X_WA, B, X_WB, 0, 1, range, found);
    if (exact <= range) {
      CHECK(within == exact);
      ++near;
    } else {
      CHECK(within > range);
      CHECK(found.empty());
      ++far;
    }
  }
  CHECK(near > 200);
  CHECK(far > 200);
}
