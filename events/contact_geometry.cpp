#include "events/contact_geometry.h"

#include <stdexcept>
#include <type_traits>

#include "events/convex_contacts.h"
#include "events/ground_contacts.h"

namespace pequod {
namespace {

template <typename T>
constexpr bool is_ground = std::is_same_v<T, Plane> || std::is_same_v<T, HeightField>;
template <typename T>
constexpr bool is_unsupported = std::is_same_v<T, Cone> || std::is_same_v<T, Mesh>;

template <typename T>
[[noreturn]] void reject() {
  throw std::invalid_argument(std::is_same_v<T, Cone>
                                  ? "contact of a cone is not supported yet; use convex: {points}"
                                  : "contact of a mesh is not supported yet; use its convex hull");
}

/// Boxes, hulls and the cores of balls and capsules share one view; a cylinder stays itself.
template <typename T>
auto body(const T& shape) {
  if constexpr (std::is_same_v<T, Cylinder>) {
    return shape;
  } else {
    return Polytope(shape);
  }
}

struct FindContacts {
  const Pose& X_WA;
  const Pose& X_WB;
  int shape_a, shape_b;
  double range;
  std::vector<ContactPoint>& out;

  template <typename S, typename T>
  void operator()(const S& A, const T& B) const {
    if constexpr (is_unsupported<S>) {
      reject<S>();
    } else if constexpr (is_unsupported<T>) {
      reject<T>();
    } else if constexpr (is_ground<S> && is_ground<T>) {
      return;
    } else if constexpr (is_ground<S>) {
      on_ground(B, A, {X_WB, X_WA, shape_a, shape_b, true, range, out});
    } else if constexpr (is_ground<T>) {
      on_ground(A, B, {X_WA, X_WB, shape_a, shape_b, false, range, out});
    } else {
      find_convex_contacts(body(A), body(B), {X_WA, X_WB, shape_a, shape_b, false, range, out});
    }
  }

  template <typename S>
  static void on_ground(const S& P, const Plane&, const ContactSink& sink) {
    find_plane_contacts(body(P), sink);
  }
  template <typename S>
  static void on_ground(const S& P, const HeightField& Q, const ContactSink& sink) {
    find_terrain_contacts(body(P), Q, sink);
  }
};

struct SignedDistance {
  const Pose& X_WA;
  const Pose& X_WB;

  template <typename S, typename T>
  double operator()(const S& A, const T& B) const {
    if constexpr (is_unsupported<S>) {
      reject<S>();
    } else if constexpr (is_unsupported<T>) {
      reject<T>();
    } else if constexpr (is_ground<S> && is_ground<T>) {
      return kInfinity;
    } else if constexpr (is_ground<S>) {
      return SignedDistance{X_WB, X_WA}(B, A);
    } else if constexpr (std::is_same_v<T, Plane>) {
      return plane_distance(body(A), relative());
    } else if constexpr (std::is_same_v<T, HeightField>) {
      return terrain_distance(body(A), B, X_WA, X_WB);
    } else {
      return convex_distance(body(A), body(B), relative());
    }
  }

  /// X_AB; positions are subtracted first, so that it is exact far from the origin too.
  [[nodiscard]] Pose relative() const {
    return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  }
};

}  // namespace

void find_contacts(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                   int shape_a, int shape_b, double range, std::vector<ContactPoint>& out) {
  std::visit(FindContacts{X_WA, X_WB, shape_a, shape_b, range, out}, A, B);
}

double signed_distance(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB) {
  return std::visit(SignedDistance{X_WA, X_WB}, A, B);
}

}  // namespace pequod
