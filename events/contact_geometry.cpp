#include "events/contact_geometry.h"

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "events/contact_sink.h"
#include "events/convex_contacts.h"
#include "events/ground_contacts.h"
#include "events/mesh_contacts.h"
#include "events/mesh_queries.h"
#include "events/polytope_queries.h"

namespace pequod {
namespace {

template <typename T>
constexpr bool is_ground = std::is_same_v<T, Plane> || std::is_same_v<T, HeightField>;
template <typename T>
constexpr bool is_mesh = std::is_same_v<T, Mesh>;
template <typename T>
constexpr bool is_round = std::is_same_v<T, Cylinder> || std::is_same_v<T, Cone>;

/// Boxes, hulls and the cores of balls and capsules share one view; cylinder and cone stay
/// themselves.
template <typename T>
auto body(const T& shape) {
  if constexpr (is_round<T>) {
    return shape;
  } else if constexpr (is_mesh<T>) {
    if (shape.nodes.empty()) throw std::invalid_argument("a mesh must be built by make_mesh");
    return MeshView(shape);
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
  std::span<const ContactKey> rims;
  const ContactKey* wanted;

  template <typename S, typename T>
  void operator()(const S& A, const T& B) const {
    if constexpr (is_ground<S> && is_ground<T>) {
      return;
    } else if constexpr (is_ground<S>) {
      on_ground(B, A, {X_WB, X_WA, shape_a, shape_b, true, range, out, rims, wanted});
    } else if constexpr (is_ground<T>) {
      on_ground(A, B, {X_WA, X_WB, shape_a, shape_b, false, range, out, rims, wanted});
    } else if constexpr (is_mesh<T>) {
      find_mesh_contacts(body(A), body(B).mesh(),
                         {X_WA, X_WB, shape_a, shape_b, false, range, out, rims, wanted});
    } else if constexpr (is_mesh<S>) {
      find_mesh_contacts(body(B), body(A).mesh(),
                         {X_WB, X_WA, shape_a, shape_b, true, range, out, rims, wanted});
    } else if constexpr (std::is_same_v<S, Sphere> && std::is_same_v<T, Sphere>) {
      add_contact_of_balls(A, B);
    } else {
      find_convex_contacts(body(A), body(B),
                           {X_WA, X_WB, shape_a, shape_b, false, range, out, rims, wanted});
    }
  }

  /// The centres, of which there is nothing to find.
  void add_contact_of_balls(const Sphere& A, const Sphere& B) const {
    const double reach = range + A.radius + B.radius;
    if ((X_WB.p - X_WA.p).squaredNorm() > reach * reach) return;
    const auto centre = [](const Sphere& ball) {
      return point_feature(Vector3d::Zero(), FeatureClass::vertex, 0, ball.radius);
    };
    const ContactSink sink{X_WA, X_WB, shape_a, shape_b, false, range, out, rims, wanted};
    sink.add(centre(A), centre(B));
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
  double within;

  template <typename S, typename T>
  double operator()(const S& A, const T& B) const {
    if constexpr (is_ground<S> && is_ground<T>) {
      return kInfinity;
    } else if constexpr (is_ground<S>) {
      return SignedDistance{X_WB, X_WA, within}(B, A);
    } else if constexpr (std::is_same_v<T, Plane>) {
      return plane_distance(body(A), relative());
    } else if constexpr (std::is_same_v<T, HeightField>) {
      return terrain_distance(body(A), B, X_WA, X_WB);
    } else if constexpr (is_mesh<T>) {
      return mesh_distance(body(A), body(B).mesh(), X_WA, X_WB, within);
    } else if constexpr (is_mesh<S>) {
      return mesh_distance(body(B), body(A).mesh(), X_WB, X_WA, within);
    } else if constexpr (is_round<S> || is_round<T>) {
      return convex_distance(body(A), body(B), relative(), within);
    } else {
      return convex_distance(body(A), body(B), relative());
    }
  }

  /// X_AB; positions are subtracted first, so that it is exact far from the origin too.
  [[nodiscard]] Pose relative() const {
    return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  }
};

/// Whether a point of the body's frame is over one of its faces.
struct OverFace {
  int face;
  Vector3d p;
  double slack;  // m

  template <typename Shape>
  bool operator()(const Shape& shape) const {
    if constexpr (std::is_same_v<Shape, Box> || std::is_same_v<Shape, Convex>)
      return is_over_face(Polytope(shape), face, p, slack);
    else if constexpr (std::is_same_v<Shape, Cylinder> || std::is_same_v<Shape, Cone>)
      return std::hypot(p.x(), p.y()) <= shape.radius + slack;
    else if constexpr (is_mesh<Shape>)
      return is_over_mesh_face(shape);
    else
      return true;
  }
  [[nodiscard]] bool is_over_mesh_face(const Mesh& mesh) const {
    const Mesh::Face& plane = nth(mesh.faces, face);
    const double reach = 2.0 * (std::abs(plane.normal.dot(p - plane.point)) + slack);
    bool over = false;
    visit_triangles(mesh, InBox{p.array() - reach, p.array() + reach}, [&](int t) {
      over = over || (nth(mesh.face_of, t) == face && is_over_triangle(mesh, t, p, slack));
    });
    return over;
  }
};

}  // namespace

bool is_over_face(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                  const ContactPoint& contact, const Vector3d& way, double slack) {
  if (!is_corner_over_face(contact.feature)) return true;
  const bool of_b = contact.feature.B.kind == FeatureKind::face;
  const std::uint32_t name = name_of(contact.key, of_b);
  if (!is_of(FeatureClass::face, name)) return true;
  const Vector3d p = of_b ? X_WA * contact.feature.A.p : X_WB * contact.feature.B.p;
  const Pose& X_WF = of_b ? X_WB : X_WA;
  return std::visit(OverFace{feature_index(name), X_WF.inverse() * (p + way), slack}, of_b ? B : A);
}

void find_contacts(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                   int shape_a, int shape_b, double range, std::vector<ContactPoint>& out,
                   std::span<const ContactKey> rims, const ContactKey* wanted) {
  std::visit(FindContacts{X_WA, X_WB, shape_a, shape_b, range, out, rims, wanted}, A, B);
}

double signed_distance(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                       double within) {
  return std::visit(SignedDistance{X_WA, X_WB, within}, A, B);
}

}  // namespace pequod
