#include "core/mesh.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "test/events/mesh_shapes.h"

using namespace pequod;

namespace {

std::string refusal(const std::vector<Vector3d>& vertices,
                    const std::vector<std::array<int, 3>>& triangles) {
  try {
    (void)make_mesh(vertices, triangles);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

const std::vector<Vector3d> kSquare = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

}  // namespace

TEST_CASE("a cut box has six faces, twelve edges and eight corners") {
  const Mesh mesh = test::box_mesh({1, 2, 3});
  CHECK(mesh.closed);
  CHECK(mesh.faces.size() == 6);
  CHECK(mesh.edges.size() == 12);
  CHECK(std::ranges::count(mesh.corner, 1) == 8);
}

// Ten sides of the outline become four; the diagonals and grid lines inside are no edges.
TEST_CASE("a flat sheet is one face with four edges, however it is cut") {
  const Mesh mesh = test::sheet(10, 2.0, [](double, double) { return 0.0; });
  CHECK(!mesh.closed);
  CHECK(mesh.faces.size() == 1);
  CHECK(mesh.edges.size() == 4);
  CHECK(std::ranges::count(mesh.corner, 1) == 4);
  CHECK(mesh.triangles.size() == 200);
}

// The L has 6 sides and 2 ends; its re-entrant edge touches nothing.
TEST_CASE("a concave edge is no edge of contact") {
  const Mesh mesh = test::step_mesh(1.0);
  CHECK(mesh.faces.size() == 8);
  CHECK(mesh.edges.size() == 17);  // 6 uprights but the re-entrant one, 2 × 6 around the ends
}

TEST_CASE("duplicate vertices become one and triangles without area are left out") {
  const Mesh twice =
      make_mesh({kSquare[0], kSquare[1], kSquare[2], kSquare[0], kSquare[2], kSquare[3]},
                {{0, 1, 2}, {3, 4, 5}});
  CHECK(twice.vertices.size() == 4);
  CHECK(twice.faces.size() == 1);
  const Mesh thin = make_mesh({kSquare[0], kSquare[1], kSquare[2], kSquare[3], {0.5, 0.5, 0}},
                              {{0, 1, 2}, {0, 2, 3}, {0, 4, 2}, {1, 1, 2}});
  CHECK(thin.triangles.size() == 2);
}

TEST_CASE("a surface that no solid has is refused with its triangles") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal(kSquare, {{0, 1, 2}, {0, 3, 2}}).find("triangles 0 and 1") != std::string::npos);
  CHECK(refusal({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}).find("no triangle has an area") !=
        std::string::npos);
  CHECK(refusal({{0, 0, 0}, {1, 0, nan}, {2, 0, 0}}, {{0, 1, 2}}).find("vertex 1 is not finite") !=
        std::string::npos);
  CHECK(refusal(kSquare, {{0, 1, 4}}).find("vertex 4 of 4") != std::string::npos);
  CHECK(refusal({}, {}).find("no triangle") != std::string::npos);
  Mesh box = test::box_mesh({1, 1, 1});
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  CHECK(refusal(box.vertices, box.triangles).find("inside out") != std::string::npos);
}
