// Closed forms of simple scenes, beside formulas and a fine integration of their own.
#include "app/experiments/closed_form.h"

#include <doctest/doctest.h>

#include <cmath>

#include "test/scene/fixture.h"

namespace pequod::app {
namespace {

Scenario load_example(const std::string& name) { return test::load("examples/" + name + ".yaml"); }

std::optional<ClosedForm> form_of_text(const std::string& text) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder.write("scene.yaml", text));
  return find_closed_form(scenario);
}

// A body on a slope of 0.2 rad, its keys given.
std::string on_slope(const std::string& shape, const std::string& more,
                     const std::string& contact = "{model: coulomb}",
                     const std::string& surface = "friction: 0.1") {
  return "contact: " + contact +
         "\nbodies:\n  slope: {fixed: true, shape: {plane: {}}, orientation: {rpy: [0, 0.2, 0]}}\n"
         "  body: {mass: 1, shape: " +
         shape + ", orientation: {rpy: [0, 0.2, 0]}, " + more +
         "}\nsurfaces: [{between: ['*', '*'], " + surface + "}]\n";
}

// 0.1 along the normal of the slope.
const std::string kOnIt = "position: [0.019866933079506123, 0, 0.098006657784124163]";

}  // namespace

TEST_CASE("a ball that slides has the way of the textbook when it rolls") {
  const Scenario scenario = load_example("analytic/slide_to_roll");
  const auto form = find_closed_form(scenario);
  REQUIRE(form);
  const double mu = 0.3, g = 9.81, v0 = 3.0, t = 2.0 * v0 / (7.0 * mu * g);
  const auto row = form->row(1.0);
  CHECK(row[1] == doctest::Approx(12.0 / 49.0 * v0 * v0 / (mu * g) + 5.0 / 7.0 * v0 * (1.0 - t))
                      .epsilon(1e-12));
  // It turned by 5/2 μ g t²/(2 r) while it slid, then by its way over its radius.
  const double angle = 1.25 * mu * g * t * t / 0.1 + 5.0 / 7.0 * v0 / 0.1 * (1.0 - t);
  CHECK(std::abs(row[6]) == doctest::Approx(std::abs(std::sin(0.5 * angle))).epsilon(1e-9));
}

TEST_CASE("a ball falls, bounces and rests at the times of the geometric series") {
  const Scenario scenario = load_example("analytic/bouncing_ball");
  const auto form = find_closed_form(scenario);
  REQUIRE(form);
  const double g = 9.81, T = std::sqrt(2.0 / g);
  CHECK(form->row(0.5 * T)[3] == doctest::Approx(0.1 + 0.75));
  CHECK(form->row(T)[3] == doctest::Approx(0.1));
  CHECK(form->row(1.5 * T)[3] == doctest::Approx(0.1 + 0.25));  // e² of the height, after e T
  CHECK(form->row(2.25 * T)[3] == doctest::Approx(0.1 + 0.0625));
  CHECK(form->row(3.1 * T)[3] == doctest::Approx(0.1).epsilon(1e-15));
}

// u' = g_t − λ u and v' = g_t − c u/m, by a thousand midpoint steps.
TEST_CASE("a ball in a film slides as its equations of motion say") {
  const auto form =
      form_of_text(on_slope("{sphere: {radius: 0.1}}", kOnIt + ", angular_velocity: [0, 3, 0]",
                            "{model: viscous}", "viscous: 1.5"));
  REQUIRE(form);
  const double c = 1.5, r = 0.1, inertia = 0.4 * r * r, pull = 9.81 * std::sin(0.2), h = 1e-4;
  double s = 0.0, v = 0.0, w = 3.0;
  for (int i = 0; i < 10000; ++i) {
    const double u = v - r * w;
    const double v1 = v + 0.5 * h * (pull - c * u), w1 = w + 0.5 * h * c * u * r / inertia;
    s += h * v1;
    v += h * (pull - c * (v1 - r * w1));
    w += h * c * (v1 - r * w1) * r / inertia;
  }
  CHECK(form->row(1.0)[1] - form->row(0.0)[1] == doctest::Approx(s * std::cos(0.2)).epsilon(1e-6));
}

TEST_CASE("a box slides down a slope that is steeper than its friction, and up it until it rests") {
  const std::string box = "{box: {size: [0.4, 0.4, 0.2]}}";
  const auto down = form_of_text(on_slope(box, kOnIt));
  REQUIRE(down);
  const double a = 9.81 * (std::sin(0.2) - 0.1 * std::cos(0.2));
  CHECK(down->row(2.0)[1] - down->row(0.0)[1] == doctest::Approx(2.0 * a * std::cos(0.2)));
  // Uphill at 1 m/s against both, under friction that then holds it.
  const auto up = form_of_text(
      on_slope(box, kOnIt + ", velocity: [-0.98006657784124163, 0, 0.19866933079506122]",
               "{model: coulomb}", "friction: 0.5"));
  REQUIRE(up);
  const double way = 0.5 / (9.81 * (std::sin(0.2) + 0.5 * std::cos(0.2)));
  CHECK(up->row(0.0)[1] - up->row(5.0)[1] == doctest::Approx(way * std::cos(0.2)));
}

TEST_CASE("there is no closed form of what one formula does not cover") {
  const std::string ball = "{sphere: {radius: 0.1}}", box = "{box: {size: [0.4, 0.4, 0.2]}}";
  CHECK(form_of_text(on_slope(ball, kOnIt)).has_value());
  CHECK(!form_of_text(on_slope(ball, kOnIt + ", velocity: [0, 1, 0]")));          // no line
  CHECK(!form_of_text(on_slope(ball, kOnIt + ", angular_velocity: [1, 0, 0]")));  // another axis
  CHECK(!form_of_text(on_slope(ball, kOnIt, "{model: stewart-trinkle}")));
  CHECK(!form_of_text(on_slope(ball, "position: [0, 0, 1]")));  // falls on a slope
  CHECK(!form_of_text(on_slope(box, kOnIt, "{model: viscous}", "viscous: 1")));
  CHECK(!form_of_text(on_slope("{box: {size: [0.01, 0.01, 0.2]}}", kOnIt)));  // tips
  CHECK(!form_of_text("bodies:\n  a: {mass: 1, shape: " + ball +
                      "}\n  b: {mass: 1, shape: " + ball + ", position: [5, 0, 0]}\n"));
  // Turns about no principal axis: its orientation has no formula here.
  CHECK(!form_of_text("bodies: {a: {mass: 1, shape: " + box + ", angular_velocity: [1, 2, 3]}}\n"));
  CHECK(form_of_text("bodies: {a: {mass: 1, shape: " + box + ", angular_velocity: [0, 0, 3]}}\n"));
  CHECK(!find_closed_form(load_example("quadruped/trot")));
}

}  // namespace pequod::app
