// Scenes far from the origin, where positions are rounded more coarsely than gaps are measured.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "simulation/tolerances.h"
#include "test/scene/fixture.h"
#include "test/simulation/random_scene.h"

namespace pequod::test {
namespace {

constexpr double kFar[] = {500.0, 5e3, 1e5};  // m

double ulp(double x) { return std::nextafter(x, kInfinity) - x; }

// The same scene elsewhere.
void shift(const Vector3d& by, Scenario& scenario) {
  for (Shape& shape : scenario.model.shapes)
    if (shape.link < 0) shape.X_LS.p += by;
  for (const Link& link : scenario.model.links)
    if (link.joint.type == JointType::free) scenario.initial.q.segment<3>(link.joint.q_index) += by;
}

struct End {
  State state;
  RunStatistics statistics;
};

End run_to_end(const Scenario& scenario) {
  Simulation run(scenario);
  run.run();
  return {run.state(), run.statistics()};
}

// Largest difference of a coordinate, position or velocity, of which the shift is taken back.
double apart(const Scenario& scenario, const End& near, End far, const Vector3d& by) {
  for (const Link& link : scenario.model.links)
    if (link.joint.type == JointType::free) far.state.q.segment<3>(link.joint.q_index) -= by;
  return std::max((near.state.q - far.state.q).cwiseAbs().maxCoeff(),
                  (near.state.v - far.state.v).cwiseAbs().maxCoeff());
}

// @param factor  of the rounding of positions: what two seconds of contact make of it. Rounding may
//                also take a gap to the other side of a tolerance.
void check_far(const std::string& what, const Scenario& scenario, double factor) {
  const End near = run_to_end(scenario);
  for (const double x : kFar) {
    const Vector3d by(x, -0.6 * x, 0.3 * x);
    Scenario moved = scenario;
    shift(by, moved);
    const End far = run_to_end(moved);
    CAPTURE(what);
    CAPTURE(x);
    CHECK(far.statistics.steps == near.statistics.steps);
    CHECK(far.statistics.events == near.statistics.events);
    CHECK(far.statistics.max_penetration <= 1e-9);
    const double difference = apart(scenario, near, far, by);
    CHECK(difference <= std::max(factor * ulp(x), 2.0 * kGapTolerance));
    MESSAGE(what << " at " << x << " m: apart " << difference << ", " << difference / ulp(x)
                 << " roundings");
  }
}

const std::string kTiltedBox =
    "bodies:\n"
    "  ground: {fixed: true, shape: {box: {size: [20, 20, 1]}}, orientation: {rpy: [0.1, 0.2, "
    "0]}}\n";

}  // namespace

TEST_CASE("a ball bounces, a box slides and a robot trots far away as at the origin") {
  const std::string ball =
      "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.2], velocity: [0.5, 0, "
      "0]}\nsurfaces: [{between: ['*', '*'], restitution: 0.6}]\n";
  const std::string box =
      "  box: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.8], velocity: "
      "[0.5, 0, 0], orientation: {rpy: [0.1, 0.2, 0.4]}}\n"
      "surfaces: [{between: ['*', '*'], friction: 0.1}]\n";
  for (const char* method : {"symplectic-euler", "rk4"}) {
    const std::string settings = fmt::format(
        "duration: 1\nintegrator: {{method: {}, step: 0.002}}\ncontact: {{model: coulomb}}\n",
        method);
    check_far("ball", load(Folder(), settings + kTiltedBox + ball), 1e3);
    check_far("box", load(Folder(), settings + kTiltedBox + box), 1e3);
    Diagnostics diagnostics;
    check_far("robot",
              load_scene("examples/quadruped/trot.yaml",
                         {.package_paths = {},
                          .overrides = {{"integrator.method", method},
                                        {"contact.model", "coulomb"},
                                        {"contact.solver", "coulomb"},
                                        {"duration", "1"}}},
                         diagnostics),
              1e3);
  }
}

// Their motions are chaotic: what must hold anywhere is compared, not the motion. Where bodies jam,
// nearly all steps are fallback steps, and each motion has thousands of its own: scenes are
// counted.
TEST_CASE("scenes at random run at 100 km as well as at the origin" *
          doctest::test_suite("heavy")) {
  std::int64_t near = 0, far = 0, near_steps = 0, far_steps = 0;
  double deepest = 0.0;
  for (std::uint64_t seed = 80; seed < 120; ++seed) {
    const Folder folder;
    Scenario scenario = test::load(write_scene(random_scene(seed), folder.path()));
    CAPTURE(seed);
    const RunStatistics here = run_to_end(scenario).statistics;
    shift({1e5, -6e4, 3e4}, scenario);
    const RunStatistics there = run_to_end(scenario).statistics;
    CHECK(there.max_penetration <= 1e-9);
    near += here.fallbacks > 0 ? 1 : 0;
    far += there.fallbacks > 0 ? 1 : 0;
    near_steps += here.steps;
    far_steps += there.steps;
    deepest = std::max(deepest, there.max_penetration);
  }
  MESSAGE(near_steps << " steps, fallbacks in " << near << " of 40 scenes at the origin, "
                     << far_steps << " and " << far << " at 100 km; deepest there " << deepest
                     << " m");
  CHECK(static_cast<double>(far_steps) <= 1.2 * static_cast<double>(near_steps));
  CHECK(far <= near + 2);
}

TEST_CASE("a body so far away that its position is too coarse for contacts is an error") {
  const std::string ball = "bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: ";
  CHECK(report(ball + "[1e6, 0, 0]}}\n") ==
        "s.yaml:1:16: error: \"ball\" is 1e+06 m from the origin, where positions are rounded to "
        "1.2e-10 m: too coarse for contacts; move the scene nearer, to within 131072 m in each "
        "coordinate\n");
  CHECK(report(ball + "[1e5, -1e5, 1e5]}}\n").empty());
}

}  // namespace pequod::test
