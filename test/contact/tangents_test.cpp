#include <doctest/doctest.h>

#include <cmath>

#include "contact/contact.h"

namespace pequod {
namespace {

Contact with_normal(const Vector3d& n) {
  Contact contact;
  contact.n_W = n.normalized();
  set_tangents(contact);
  return contact;
}

}  // namespace

// Rows of a contact are told from each other by their tangents within a step: where the normal of
// level ground, of a wall or of a slope was as far from two axes, its rounding chose one.
TEST_CASE("tangents turn no farther than their normal at those that people build") {
  for (const Vector3d& n :
       {Vector3d{0, 0, 1}, Vector3d{0, 0, -1}, Vector3d{1, 0, 0}, Vector3d{0, 1, 0},
        Vector3d{1, 0, 1}, Vector3d{0, 1, 1}, Vector3d{1, 1, 0}, Vector3d{1, 1, 1}}) {
    const Contact level = with_normal(n);
    for (const Vector3d& change : {Vector3d{1e-9, 0, 0}, Vector3d{0, 1e-9, 0}, Vector3d{0, 0, 1e-9},
                                   Vector3d{-1e-9, 0, 0}, Vector3d{0, -1e-9, 0}}) {
      CAPTURE(n);
      CAPTURE(change);
      const Contact tilted = with_normal(n + change);
      CHECK((tilted.s_W - level.s_W).norm() < 1e-8);
      CHECK((tilted.t_W - level.t_W).norm() < 1e-8);
    }
  }
}

TEST_CASE("tangents are right-handed with any normal") {
  for (int i = 0; i < 200; ++i) {
    const double angle = 0.7 * i, z = 1.0 - 0.01 * i, r = std::sqrt(1.0 - z * z);
    const Contact contact = with_normal({r * std::cos(angle), r * std::sin(angle), z});
    Matrix3d frame;
    frame << contact.s_W, contact.t_W, contact.n_W;
    CHECK((frame.transpose() * frame - Matrix3d::Identity()).norm() < 1e-15 * 10);
    CHECK(frame.determinant() == doctest::Approx(1.0));
  }
}

}  // namespace pequod
