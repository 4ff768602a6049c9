// Visuals of robots: in model.json and in the page, thinned, and of no say in the run.
#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "app/view/grid_mesh.h"
#include "test/app/packed_page.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

constexpr const char* kStatue = R"(duration: 0.2
record: {every: 0.05}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
robots:
  statue: {urdf: statue.urdf, base: {position: [0, 0, 0.5]}, joints: {turn: 0.4}}
)";

// The head is merged with the neck by a fixed joint.
std::string statue_urdf(const std::string& visuals) {
  const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" "
      "izz=\"0.1\"/></inertial>";
  return "<robot name=\"statue\"><link name=\"base\">" + inertial +
         "<collision><geometry><box size=\"0.3 0.2 0.1\"/></geometry></collision></link>\n"
         "<link name=\"neck\">" +
         inertial + "</link><link name=\"head\">" + visuals +
         "</link>\n<joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/><child "
         "link=\"neck\"/><axis xyz=\"0 0 1\"/></joint><joint name=\"fix\" type=\"fixed\"><origin "
         "xyz=\"0 0 0.7\" rpy=\"0 0 1\"/><parent link=\"neck\"/><child link=\"head\"/></joint>"
         "</robot>\n";
}

constexpr const char* kBallAndMesh =
    "<visual><origin xyz=\"0.1 0 0\"/><geometry><sphere radius=\"0.2\"/></geometry><material "
    "name=\"m\"><color rgba=\"0.5 0.25 1 1\"/></material></visual><visual><geometry><mesh "
    "filename=\"tetra.obj\" scale=\"2 2 2\"/></geometry></visual>";
constexpr const char* kTetra =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// In a folder with the scene, a mesh and a script for pages.
Finished run_statue(const Folder& folder, const std::string& visuals, const char* out) {
  folder.write("view.js", "");
  folder.write("tetra.obj", kTetra);
  folder.write("statue.yaml", kStatue);
  folder.write("statue.urdf", statue_urdf(visuals));
  return pequod(folder, {"run", "statue.yaml", "--output", out, "--quiet"});
}

Finished view_statue(const Folder& folder, const char* out) {
  return pequod(folder, {"view", out}, [&] { ::setenv("PEQUOD_WEB", folder.path().c_str(), 1); });
}

nlohmann::json model_of(const fs::path& folder) {
  return nlohmann::json::parse(read_file(folder / "model.json"));
}

// A ball of unit radius by rings and sectors.
Mesh round_mesh(int rings, int sectors) {
  Mesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      const double polar = M_PI * i / rings, turn = 2.0 * M_PI * j / sectors;
      mesh.vertices.emplace_back(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                                 std::cos(polar));
    }
  const auto at = [&](int i, int j) { return i * sectors + j % sectors; };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

Vector3d grid_point(const app::GridMesh& grid, int corner) {
  const auto& x = nth(grid.corners, corner);
  return grid.low + grid.unit * Vector3d(static_cast<double>(x[0]), static_cast<double>(x[1]),
                                         static_cast<double>(x[2]));
}

// One third of the flux of x through the surface (Gauss).
double volume_of(const app::GridMesh& grid) {
  double sum = 0.0;
  for (const auto& [a, b, c] : grid.triangles)
    sum += grid_point(grid, a).dot(grid_point(grid, b).cross(grid_point(grid, c))) / 6.0;
  return sum;
}

}  // namespace

TEST_CASE("model.json tells visuals, those of merged links on the link that carries them") {
  const Folder folder;
  REQUIRE(run_statue(folder, kBallAndMesh, "out").code == 0);
  const nlohmann::json model = model_of(folder.path() / "out");
  REQUIRE(model["visuals"].size() == 2);
  const nlohmann::json &ball = model["visuals"][0], &mesh = model["visuals"][1];
  CHECK(model["frames"][ball["frame"].get<std::size_t>()]["name"] == "statue/head");
  CHECK(ball["link"] == 1);
  CHECK(ball["type"] == "sphere");
  CHECK(ball["radius"] == 0.2);
  CHECK(ball["colour"] == std::vector{0.5, 0.25, 1.0, 1.0});
  // 0.1 m along the head's x, which is turned by a radian.
  const std::vector<double> pose = ball["pose"];
  CHECK(pose[0] == doctest::Approx(0.1 * std::cos(1.0)));
  CHECK(pose[1] == doctest::Approx(0.1 * std::sin(1.0)));
  CHECK(pose[2] == doctest::Approx(0.7));
  CHECK(mesh["type"] == "mesh_file");
  CHECK(mesh["file"] == (folder.path() / "tetra.obj").string());
  CHECK(!mesh.contains("colour"));
}

TEST_CASE("no bit of a run depends on visuals") {
  const Folder folder;
  REQUIRE(run_statue(folder, kBallAndMesh, "with").code == 0);
  REQUIRE(run_statue(folder, "", "without").code == 0);
  REQUIRE(run_statue(folder,
                     "<visual/><visual><geometry><mesh filename=\"no.stl\"/></geometry></visual>",
                     "broken")
              .code == 0);
  for (const char* log : {"state.csv", "energy.csv", "contacts.csv", "events.csv"})
    for (const char* other : {"without", "broken"})
      CHECK_MESSAGE(
          read_file(folder.path() / "with" / log) == read_file(folder.path() / other / log), log);
}

TEST_CASE("the page holds each visual mesh once, and not where its file lies") {
  const Folder folder;
  REQUIRE(run_statue(folder, std::string(kBallAndMesh) + kBallAndMesh, "out").code == 0);
  const Finished finished = view_statue(folder, "out");
  CHECK(finished.code == 0);
  CHECK(finished.err == "");
  const PackedPage page = packed_in(read_file(folder.path() / "out/view.html"), "class=\"run\">");
  REQUIRE(page.json["meshes"].size() == 1);
  const auto& mesh = page.json["meshes"][0];
  CHECK(mesh["corners"] == 4);
  CHECK(mesh["triangles"] == 4);
  CHECK(mesh["unit"].get<double>() == doctest::Approx(2.0 / 4096));
  REQUIRE(page.json["model"]["visuals"].size() == 4);
  CHECK(page.json["model"]["visuals"][3]["mesh"] == 0);
  CHECK(page.json.dump().find("tetra") == std::string::npos);
  // Its columns are the last: x, y and z of the corners in the order of the triangles, and these.
  std::size_t at = page.begin;
  for (const auto& [name, table] : page.json["tables"].items())
    for (std::size_t k = 0; k < table["columns"].size(); ++k)
      (void)unpack(page.bytes, at, table["rows"]);
  CHECK(unpack(page.bytes, at, 4) == std::vector{0.0, 0.0, 4096.0, 0.0});
  CHECK(unpack(page.bytes, at, 4) == std::vector{0.0, 4096.0, 0.0, 0.0});
  CHECK(unpack(page.bytes, at, 4) == std::vector{0.0, 0.0, 0.0, std::round(0.3 * 4096)});
  CHECK(unpack(page.bytes, at, 12) == std::vector<double>{0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3});
  CHECK(at == page.bytes.size());
}

TEST_CASE("meshes that have gone, cannot be read or are too large are notes of view") {
  const Folder folder;
  REQUIRE(run_statue(folder, kBallAndMesh, "out").code == 0);
  const std::string mesh = (folder.path() / "tetra.obj").string();
  fs::remove(mesh);
  CHECK(view_statue(folder, "out").err ==
        "note: 1 visual mesh is left out, the first because there is no " + mesh + "\n");
  folder.write("tetra.obj", "v 0 0\n");
  const Finished broken = view_statue(folder, "out");
  CHECK(broken.code == 0);
  CHECK(broken.err.find("note: 1 visual mesh is left out, the first because ") == 0);
  folder.write("tetra.obj", kTetra);
  fs::resize_file(mesh, 64'000'001);
  CHECK(view_statue(folder, "out").err ==
        "note: 1 visual mesh is left out, the first because " + mesh + " is larger than 64 MB\n");
  std::string model = read_file(folder.path() / "out/model.json");
  model.replace(model.find("\"scale\""), 7, "\"scala\"");
  folder.write("out/model.json", model);
  const Finished damaged = view_statue(folder, "out");
  CHECK(damaged.code == 2);
  CHECK(damaged.err.find("out/model.json: its visuals are damaged; run again") !=
        std::string::npos);
}

TEST_CASE("a mesh on a grid keeps its corners to the grid's unit, and its volume") {
  const Mesh mesh = round_mesh(40, 80);
  const app::GridMesh grid = app::on_grid(mesh, 100'000);
  CHECK(grid.unit == doctest::Approx(2.0 / 4096));
  // The rings at the poles are points: a triangle of each pair is a line.
  CHECK(grid.triangles.size() == 2 * 39 * 80);
  CHECK(grid.corners.size() == 39 * 80 + 2);
  double worst = 0.0;
  for (int k = 0; k < static_cast<int>(grid.corners.size()); ++k)
    worst = std::max(worst, std::abs(grid_point(grid, k).norm() - 1.0));
  CHECK(worst <= 0.5 * std::sqrt(3.0) * grid.unit);
  // The inscribed polyhedron is a little smaller than the ball.
  CHECK(volume_of(grid) == doctest::Approx(4.0 / 3.0 * M_PI).epsilon(0.01));
}

TEST_CASE("a mesh of too many triangles is thinned, and stays the shape it was") {
  const app::GridMesh grid = app::on_grid(round_mesh(400, 800), 3000);
  CHECK(grid.triangles.size() <= 3000);
  CHECK(grid.triangles.size() > 500);
  for (int k = 0; k < static_cast<int>(grid.corners.size()); ++k)
    CHECK(std::abs(grid_point(grid, k).norm() - 1.0) <= 0.5 * std::sqrt(3.0) * grid.unit);
  // Off by a cell over the whole surface at most: 4 π r² · 0.87 unit.
  CHECK(std::abs(volume_of(grid) - 4.0 / 3.0 * M_PI) < 4.0 * M_PI * 0.87 * grid.unit);
  CHECK(app::on_grid(Mesh{}, 10).triangles.empty());
}

}  // namespace pequod::test
