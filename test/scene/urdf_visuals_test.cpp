// What robots look like: read from <visual>, forgiven if wrong, and of no say in the run.
#include <doctest/doctest.h>

#include <variant>

#include "scene/urdf.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

std::string robot_with(const std::string& in_link, const std::string& beside = "") {
  return "<robot name=\"r\">\n" + beside +
         "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n" +
         in_link + "</link></robot>\n";
}

std::string visual(const std::string& geometry, const std::string& more = "") {
  return "<visual>" + more + "<geometry>" + geometry + "</geometry></visual>\n";
}

struct ReadVisuals {
  std::vector<Visual> visuals;
  std::string notes;
};

ReadVisuals read(const Folder& folder, const std::string& text) {
  Diagnostics diagnostics;
  const Robot robot = load_urdf(folder.write("r.urdf", text), {}, diagnostics);
  CHECK(diagnostics.ok());
  CHECK(diagnostics.warnings() == 0);
  REQUIRE(robot.links.size() == 1);
  return {robot.links[0].visuals, folder.relative(diagnostics.text())};
}

}  // namespace

TEST_CASE("visuals have shape, place and colour") {
  const Folder folder;
  folder.write("package/part.stl", "not opened");
  const ReadVisuals seen = read(
      folder,
      robot_with(
          visual("<box size=\"1 2 3\"/>",
                 "<origin xyz=\"0.1 0.2 0.3\" rpy=\"0 0 1.5707963267948966\"/>"
                 "<material name=\"red\"><color rgba=\"1 0 0 0.5\"/></material>") +
              visual("<sphere radius=\"0.2\"/>", "<material name=\"blue\"/>") +
              visual("<cylinder radius=\"0.1\" length=\"0.4\"/>", "<material name=\"red\"/>") +
              visual("<capsule radius=\"0.1\" length=\"0.4\"/>", "<material name=\"unknown\"/>") +
              visual("<mesh filename=\"package://package/part.stl\" scale=\"1 1 0.001\"/>"),
          "<material name=\"blue\"><color rgba=\"0 0 1 1\"/></material>\n"));
  CHECK(seen.notes == "");
  REQUIRE(seen.visuals.size() == 5);
  const auto shape = [&](std::size_t i) { return std::get<Geometry>(seen.visuals[i].geometry); };
  CHECK(std::get<Box>(shape(0)).size == Vector3d(1, 2, 3));
  CHECK(seen.visuals[0].X_LV.p == Vector3d(0.1, 0.2, 0.3));
  // Columns are rounded sines of the right angle.
  CHECK((seen.visuals[0].X_LV.R.col(0) - Vector3d::UnitY()).norm() < 1e-15);
  CHECK(seen.visuals[0].colour == std::array{1.0, 0.0, 0.0, 0.5});
  CHECK(std::get<Sphere>(shape(1)).radius == 0.2);
  CHECK(seen.visuals[1].colour == std::array{0.0, 0.0, 1.0, 1.0});
  CHECK(std::get<Cylinder>(shape(2)).length == 0.4);
  CHECK(seen.visuals[2].colour == seen.visuals[0].colour);  // by the name of the first
  CHECK(std::get<Capsule>(shape(3)).radius == 0.1);
  CHECK(!seen.visuals[3].colour);
  const auto& mesh = std::get<MeshFile>(seen.visuals[4].geometry);
  CHECK(mesh.path == (folder.path() / "package/part.stl").string());
  CHECK(mesh.scale == Vector3d(1, 1, 0.001));
}

TEST_CASE("a visual that cannot be drawn is a note, never an error") {
  const Folder folder;
  const ReadVisuals seen = read(
      folder,
      robot_with("<visual/>\n" + visual("<box size=\"1 2\"/>") + visual("<sphere radius=\"-1\"/>") +
                 visual("<blob/>") + visual("<mesh scale=\"1 1 1\"/>") +
                 visual("<mesh filename=\"r.urdf\" scale=\"1 0 1\"/>") +
                 visual("<sphere radius=\"1\"/>", "<origin xyz=\"nan 0 0\"/>") +
                 visual("<sphere radius=\"1\"/>", "<material><color rgba=\"1 1\"/></material>") +
                 visual("<mesh filename=\"package://away/a.stl\"/>") +
                 visual("<mesh filename=\"gone.dae\"/>")));
  CHECK(seen.notes ==
        "r.urdf:3:1: note: 7 <visual> cannot be drawn, the first here; a box, sphere, cylinder, "
        "capsule or mesh of a size above 0\n"
        "r.urdf:11:19: note: 2 visual meshes are not there, the first \"package://away/a.stl\"; "
        "pictures go without; --package-path names where packages are\n");
  REQUIRE(seen.visuals.size() == 1);
  CHECK(!seen.visuals[0].colour);
}
