// Centres of mass and inertias in another unit than the shapes are asked about.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// A bar of 0.2 m and 1 kg, of 1 / 12 · 0.2² = 0.0033 kg m² about its middle.
std::string bar(const std::string& com, const std::string& inertia) {
  return report(
      "bodies:\n  bar:\n    mass: 1\n    shape: {box: {size: [0.2, 0.02, 0.02]}}\n"
      "    com: " +
          com + "\n    inertia: " + inertia + "\n",
      Severity::warning);
}

std::string bar_urdf(const std::string& com, const std::string& inertia) {
  return report_urdf("<robot name=\"r\">\n<link name=\"bar\">\n<inertial><origin xyz=\"" + com +
                         "\"/><mass value=\"1\"/><inertia " + inertia +
                         "/></inertial>\n<collision><geometry><box size=\"0.2 0.02 "
                         "0.02\"/></geometry></collision>\n</link>\n</robot>\n",
                     Severity::warning);
}

std::string moments(double scale) {
  return fmt::format("{{ixx: {:g}, iyy: {:g}, izz: {:g}}}", 7e-5 * scale, 3.4e-3 * scale,
                     3.4e-3 * scale);
}

}  // namespace

TEST_CASE("a centre of mass in millimetres is a warning that names the body and the figure") {
  CHECK(
      bar("[5, 0, 0]", moments(1)) ==
      "s.yaml:5:10: warning: bodies.bar: the centre of mass (5, 0, 0) m is 4.9 m from the shapes, "
      "which are 0.202 m large; if it is in millimetres, scale it by 0.001\n");
  CHECK(bar("[0.005, 0, 0]", moments(1)).empty());
  CHECK(bar("[2, 0, 0]", moments(1)).empty());  // nine times its length off
  // A pendulum: 0.9 m is many times the ball that stands for its pivot.
  CHECK(
      report("bodies:\n  pendulum: {mass: 1, shape: {sphere: {radius: 0.02}}, com: [0, 0, -0.9],\n"
             "    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}\n",
             Severity::warning)
          .find(" from the shapes") == std::string::npos);
  CHECK(bar_urdf("5 0 0",
                 "ixx=\"7e-5\" ixy=\"0\" ixz=\"0\" iyy=\"0.0034\" iyz=\"0\" izz=\"0.0034\"") ==
        "r.urdf:2:1: warning: link \"bar\": the centre of mass (5, 0, 0) m is 4.9 m from the "
        "shapes, which are 0.202 m large; if it is in millimetres, scale it by 0.001\n");
}

TEST_CASE("an inertia in kg mm² is a warning that names the body and the figure") {
  CHECK(bar("[0, 0, 0]", moments(1e6)) ==
        "s.yaml:6:14: warning: bodies.bar: the inertia, 3.4e+03 kg m² at most, is 1e+06 times that "
        "of the shapes filled evenly with its mass, 0.00337 kg m²; if it is in kg mm², scale it by "
        "1e-6\n");
  CHECK(bar("[0, 0, 0]", moments(1e-6)) ==
        "s.yaml:6:14: warning: bodies.bar: the inertia, 3.4e-09 kg m² at most, is 1e-06 times that "
        "of the shapes filled evenly with its mass, 0.00337 kg m²; is it in kg m², the mass in "
        "kilograms, the size in metres?\n");
  for (const double scale : {1e-3, 1.0, 1e3}) CHECK(bar("[0, 0, 0]", moments(scale)).empty());
  CHECK(bar("[0, 0, 0]", "{ixx: 0, iyy: 0, izz: 0}").find(" filled evenly") == std::string::npos);
  CHECK(
      bar_urdf("0 0 0", "ixx=\"70\" ixy=\"0\" ixz=\"0\" iyy=\"3400\" iyz=\"0\" izz=\"3400\"") ==
      "r.urdf:2:1: warning: link \"bar\": the inertia, 3.4e+03 kg m² at most, is 1e+06 times that "
      "of the shapes filled evenly with its mass, 0.00337 kg m²; if it is in kg mm², scale it by "
      "1e-6\n");
}

// A link of 1 g, as large as 1 mm, that is welded to the bar: its inertia is any number.
TEST_CASE("an inertia that is little of the body it is welded into is not asked about") {
  const auto sensor = [](const std::string& moment) {
    return report_urdf(
        "<robot name=\"r\">\n<link name=\"bar\"><inertial><mass value=\"1\"/><inertia ixx=\"7e-5\" "
        "ixy=\"0\" ixz=\"0\" iyy=\"0.0034\" iyz=\"0\" izz=\"0.0034\"/></inertial></link>\n"
        "<link name=\"imu\"><inertial><mass value=\"0.001\"/><inertia ixx=\"" +
            moment + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment +
            "\"/></inertial><collision><geometry><sphere radius=\"0.001\"/></geometry></collision>"
            "</link>\n<joint name=\"weld\" type=\"fixed\"><parent link=\"bar\"/><child "
            "link=\"imu\"/></joint>\n</robot>\n",
        Severity::warning);
  };
  CHECK(sensor("1e-4").empty());
  CHECK(sensor("0.1").find("link \"imu\": the inertia, 0.1 kg m² at most, is 2.5e+08 times") !=
        std::string::npos);
}

TEST_CASE("no scene of the examples has figures in another unit") {
  for (const fs::path& path : example_scenes()) {
    Diagnostics diagnostics;
    (void)load_scene(path, {}, diagnostics);
    const std::string text = diagnostics.text(Severity::warning);
    CAPTURE(path);
    CHECK_MESSAGE(text.find(" from the shapes, which are ") == std::string::npos, text);
    CHECK_MESSAGE(text.find(" filled evenly with its mass, ") == std::string::npos, text);
  }
}

TEST_SUITE("shared") {
  TEST_CASE("no robot of those at hand has figures in another unit") {
    const auto shared = shared_or_skip();
    if (!shared) return;
    UrdfOptions options;
    options.package_paths = {*shared / "robots"};
    for (const fs::path& path : fs::recursive_directory_iterator(*shared / "robots")) {
      if (path.extension() != ".urdf") continue;
      Diagnostics diagnostics;
      (void)load_urdf(path, options, diagnostics);
      const std::string text = diagnostics.text(Severity::warning);
      CAPTURE(path);
      CHECK_MESSAGE(text.find(" from the shapes, which are ") == std::string::npos, text);
      CHECK_MESSAGE(text.find(" filled evenly with its mass, ") == std::string::npos, text);
    }
  }
}
