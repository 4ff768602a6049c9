// Collision shapes, each in its own shape frame S.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/types.h"

namespace pequod {

struct Sphere {
  double radius = kNaN;  ///< m, centre at the origin
};

struct Box {
  Vector3d size = Vector3d::Constant(kNaN);  ///< m, full edge lengths, centred
};

/// Cylinder of the given length along z with a half ball on either end, centred.
struct Capsule {
  double radius = kNaN;  ///< m
  double length = kNaN;  ///< m, between the centres of the half balls
};

struct Cylinder {
  double radius = kNaN;  ///< m
  double length = kNaN;  ///< m, along z, centred
};

/// Apex at z = +length/2, base circle at z = −length/2.
struct Cone {
  double radius = kNaN;  ///< m
  double length = kNaN;  ///< m
};

/// Half space z ≤ 0 is solid, the normal is +z.
struct Plane {};

/// Convex hull with its combinatorics (built by make_convex).
struct Convex {
  struct Face {
    Vector3d normal;            ///< unit, outward
    double offset = kNaN;       ///< m, normal·x = offset on the face
    std::vector<int> vertices;  ///< counter-clockwise seen from outside
  };
  std::vector<Vector3d> vertices;
  std::vector<Face> faces;                     ///< coplanar triangles merged
  std::vector<std::array<int, 2>> edges;       ///< vertex pairs
  std::vector<std::array<int, 2>> edge_faces;  ///< the two faces that meet in each edge
  std::vector<std::vector<int>> neighbours;    ///< vertices joined to each vertex by an edge
};

/// Triangle mesh with its combinatorics (built by make_mesh): the surface of a closed solid, or an
/// open sheet that is solid only just behind what its outside shows.
struct Mesh {
  /// Connected triangles in one plane.
  struct Face {
    Vector3d normal;  ///< unit, outward
    Vector3d point;   ///< m, in the plane
  };
  /// Straight stretch between two faces that a body can touch: where they meet convexly, or where
  /// the surface ends.
  struct Edge {
    std::array<int, 2> ends;
    std::array<int, 2> faces;      ///< the second −1 where the surface ends
    std::array<Vector3d, 2> into;  ///< unit, in each face, across the edge; 0 if there is none
  };
  /// Of the tree of boxes around triangles. A leaf holds order[first] … order[first + count − 1],
  /// any other node (count = 0) has the children first and first + 1.
  struct Node {
    Vector3d lo = Vector3d::Constant(kNaN), hi = lo;  ///< m
    int first = 0, count = 0;
  };
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;   ///< counter-clockwise seen from outside
  std::vector<std::array<int, 3>> neighbours;  ///< triangle across side k to k+1, −1 for none
  std::vector<std::array<int, 3>> sides;       ///< edge along side k to k+1; −1: flat or concave
  std::vector<int> face_of;                    ///< of each triangle
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<std::vector<int>> rings;   ///< vertices joined to each vertex
  std::vector<char> corner;              ///< 1 for a vertex where an edge ends
  std::vector<Vector3d> vertex_normals;  ///< sums of face normals weighted by angle, not unit
  std::vector<int> order;
  std::vector<Node> nodes;  ///< the root first
  bool closed = false;      ///< every side has a neighbour
  double size = kNaN;       ///< m, diagonal of the box around it
};

/// Heights over a regular grid in the x–y plane, solid below. Sample (i, j) lies at
/// x = origin.x + i dx, y = origin.y + j dy. Each cell is split into two triangles along the
/// diagonal (i, j)–(i+1, j+1).
struct HeightField {
  int nx = 0, ny = 0;
  double dx = kNaN, dy = kNaN;                               ///< m, > 0
  Eigen::Vector2d origin = Eigen::Vector2d::Constant(kNaN);  ///< m, of sample (0, 0)
  std::vector<double> heights;                               ///< m, index i * ny + j
  double min_height = kNaN, max_height = kNaN;               ///< m, by measure_heights
  double max_slope = kNaN;                                   ///< no facet is steeper

  [[nodiscard]] Vector3d sample(int i, int j) const {
    return {origin.x() + i * dx, origin.y() + j * dy,
            heights[static_cast<std::size_t>(i) * static_cast<std::size_t>(ny) +
                    static_cast<std::size_t>(j)]};
  }
};

/// Sets min_height, max_height and max_slope from the heights.
void measure_heights(HeightField& field);

using Geometry =
    std::variant<Sphere, Box, Capsule, Cylinder, Cone, Plane, Convex, Mesh, HeightField>;

/// A shape fixed to a link (or to the world, link = −1).
struct Shape {
  Geometry geometry;
  int link = -1;   ///< index into Model::links, −1 the world
  Pose X_LS;       ///< shape frame in the link frame (in the world if link = −1)
  int frame = -1;  ///< index into Model::frames: the named body or link it belongs to
  /// X_LS is the identity, as of most bodies of one shape.
  bool is_at_link = false;
};

/// Radius of the smallest ball about the shape frame's origin that holds the shape, m; +∞ for a
/// plane.
[[nodiscard]] double bounding_radius(const Geometry& geometry);

/// What a hit on one feature of a pair is called from step to step: the two shapes and the feature
/// (vertex, edge pair, triangle, …) that touches, in a coding that events/ chooses.
struct ContactKey {
  int shape_a = -1, shape_b = -1;
  std::uint64_t feature = 0;
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

}  // namespace pequod
