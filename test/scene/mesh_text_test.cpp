// Meshes from files: what the file says, to the last digit of a double.
#include "scene/mesh_text.h"

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <set>
#include <variant>

#include "scene/mesh_file.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// A cube of edge `a` from the origin, its faces as quadrilaterals, counter-clockwise from outside.
constexpr int kQuads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                              {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

Vector3d corner(int i, double a) { return {(i & 1) * a, (i >> 1 & 1) * a, (i >> 2 & 1) * a}; }

std::string digits(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), x).ptr};
}

std::string obj_cube(double a) {
  std::string text = "# a cube\n";
  for (int i = 0; i < 8; ++i) {
    const Vector3d x = corner(i, a);
    text += "v " + digits(x[0]) + " " + digits(x[1]) + " " + digits(x[2]) + "\n";
  }
  for (const auto& quad : kQuads) {
    text += "f";
    for (const int i : quad) text += " " + std::to_string(i - 8) + "//1";  // from the end
    text += "\n";
  }
  return text;
}

template <typename Write>
void every_triangle(double a, const Write& write) {
  for (const auto& quad : kQuads)
    for (const int k : {1, 2})
      write(corner(quad[0], a), corner(quad[k], a), corner(quad[k + 1], a));
}

std::string text_stl_cube(double a) {
  std::string text = "solid cube of facets\n";
  every_triangle(a, [&](const auto&... corners) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const Vector3d& x : {corners...})
      text += "  vertex " + digits(x[0]) + " " + digits(x[1]) + " " + digits(x[2]) + "\n";
    text += " endloop\nendfacet\n";
  });
  return text + "endsolid\n";
}

std::string binary_stl_cube(double a) {
  std::string bytes = "solid in spite of its first word" + std::string(48, ' ');
  const auto add = [&](std::uint32_t word) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xff);
  };
  add(12);
  every_triangle(a, [&](const auto&... corners) {
    for (int i = 0; i < 3; ++i) add(0);
    for (const Vector3d& x : {corners...})
      for (int k = 0; k < 3; ++k) add(std::bit_cast<std::uint32_t>(static_cast<float>(x[k])));
    bytes += std::string(2, '\0');
  });
  return bytes;
}

std::optional<Mesh> load_text(const std::string& name, const std::string& text,
                              std::string* report = nullptr) {
  const Folder folder;
  Diagnostics diagnostics;
  auto mesh = load_mesh(folder.write(name, text), Vector3d::Ones(), {"s.yaml", 1, 1}, diagnostics);
  if (report) *report = folder.relative(diagnostics.text());
  return mesh;
}

std::set<double> coordinates(const Mesh& mesh) {
  std::set<double> all;
  for (const Vector3d& x : mesh.vertices) all.insert(x.begin(), x.end());
  return all;
}

}  // namespace

TEST_CASE("a cube of 0.1 has corners at 0.1 whatever file it is in") {
  for (const auto& [name, text] : {std::pair{"a.stl", text_stl_cube(0.1)},
                                   {"a.STL", binary_stl_cube(0.1)},
                                   {"a.obj", obj_cube(0.1)}}) {
    CAPTURE(name);
    const std::optional<Mesh> mesh = load_text(name, text);
    REQUIRE(mesh);
    CHECK(mesh->vertices.size() == 8);
    CHECK(mesh->triangles.size() == 12);
    CHECK(coordinates(*mesh) == std::set{0.0, 0.1});
    Diagnostics diagnostics;
    const std::optional<Mesh> surface = surface_of(*mesh, {}, diagnostics);
    REQUIRE_MESSAGE(surface, diagnostics.text());
    CHECK(surface->faces.size() == 6);
  }
}

TEST_CASE("text keeps all digits of a double, what was millimetres is scaled afterwards") {
  CHECK(coordinates(*load_text("a.obj", obj_cube(0.12345678901234567))) ==
        std::set{0.0, 0.12345678901234567});
  CHECK(coordinates(*load_text("a.stl", text_stl_cube(1.0 / 3.0))) == std::set{0.0, 1.0 / 3.0});
  const Folder folder;
  folder.write("a.stl", binary_stl_cube(100));
  const Scenario s =
      load(folder, "bodies: {b: {mass: 1, shape: {mesh: {file: a.stl, scale: 0.001}}}}\n");
  CHECK(coordinates(std::get<Mesh>(s.model.shapes[0].geometry)) == std::set{0.0, 100 * 0.001});
}

TEST_CASE("a mesh cube of 0.1 is set on the ground with its centre at 0.05") {
  const Folder folder;
  folder.write("a.stl", binary_stl_cube(0.1));
  const Scenario s = load(folder,
                          "bodies: {ground: {fixed: true, shape: {plane: {}}}}\n"
                          "robots: {r: {links: {a: {mass: 1, shapes: [{shape: {mesh: {file: "
                          "a.stl}}, position: [0, 0, -0.05]}]}}}}\n");
  CHECK(s.initial.q[2] == 0.05);
}

TEST_CASE("a float is read as the shortest decimal that it stands for") {
  for (const double x : {0.1, -0.3, 1e-5, 123.456, 7.0, 0.0, 3e38}) {
    CAPTURE(x);
    CHECK(as_written(static_cast<float>(x)) == x);
  }
}

// An L: the fan of its first corner would cover what is outside.
TEST_CASE("a polygon that is not convex is cut into triangles that cover it and no more") {
  const std::optional<Mesh> mesh =
      load_text("a.obj", "v 1 1 0\nv 0 1 0\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 2 0\nf 3 4 5 6 1 2\n");
  REQUIRE(mesh);
  REQUIRE(mesh->triangles.size() == 4);
  double area = 0.0;
  for (const auto& triangle : mesh->triangles) {
    const auto x = [&](std::size_t k) -> const Vector3d& {
      return nth(mesh->vertices, triangle[k]);
    };
    const double part = 0.5 * (x(1) - x(0)).cross(x(2) - x(0)).z();
    CHECK(part > 0.0);
    area += part;
  }
  CHECK(area == doctest::Approx(3.0).epsilon(1e-15));
}

TEST_CASE("what is wrong in a mesh file is told with its place") {
  const auto told = [](const std::string& name, const std::string& text) {
    std::string report;
    CHECK_FALSE(load_text(name, text, &report));
    return report;
  };
  CHECK(told("a.obj", "v 0 0 0\nv 1 x 0\n") == "a.obj:2:5: error: \"x\" is not a finite number\n");
  CHECK(told("a.obj", "v 0 0 0\nf 1 1 2\n") ==
        "a.obj:2:7: error: \"2\" names no vertex above; there are 1, numbered from 1\n");
  CHECK(told("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n") ==
        "a.stl:5:1: error: a facet of 1 vertices, not 3\n");
  CHECK(told("a.stl", binary_stl_cube(1).substr(0, 200)).find("s.yaml:1:1: error: mesh ") == 0);
}
