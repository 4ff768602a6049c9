// The quasistatic answer against the dynamic one, at the same way of the finger.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "scene/quasistatic_file.h"

namespace pequod::app {
namespace {

PlanarScene quasistatic_scene(const Stage& stage, const std::string& name) {
  Diagnostics diagnostics;
  const std::optional<QuasistaticFile> file =
      read_quasistatic(stage.scenes / (name + ".yaml"), diagnostics);
  if (!file || !file->scene) throw BadScene(diagnostics.text());
  PlanarScene scene = *file->scene;
  scene.fingers.back().joints.front().velocity = 1.0;  // so that time is the way
  return scene;
}

struct Tip {
  double x = 0.0, angle = 0.0, way = 0.0;  // m, rad clockwise, m
};

Tip dynamic_tip(const Scenario& scenario) {
  const VectorXd q = simulate(scenario).state.q;
  // The part's position and quaternion, then the finger.
  return {q[0], 2.0 * std::atan2(q[5], q[3]), q[7]};
}

Tip quasistatic_tip(const PlanarScene& scene, const std::string& name, double way) {
  const QuasistaticRun run = follow(scene, {way, 0.01 * way});
  if (!run.ended.empty()) throw std::runtime_error(name + ".yaml: " + run.ended);
  const VectorXd& q = run.records.back().configuration;
  return {q[0], -q[2], way};
}

/// A part that a finger moves, in both forms.
struct Push {
  const char* name;
  double way;                    // m, of the finger
  std::array<double, 3> speeds;  // m/s, rising
};

// Largest difference of position and angle on the way, relative to those at its end.
double path_error(const Push& push, const PlanarScene& scene, Scenario scenario, double speed) {
  scenario.initial.v[scenario.initial.v.size() - 1] = speed;
  scenario.integrator.step = std::min(1e-3, 0.005 * push.way / speed);
  double x = 0.0, angle = 0.0;
  Tip slow;
  for (const double share : {0.25, 0.5, 1.0}) {
    scenario.duration = share * push.way / speed;
    const Tip dynamic = dynamic_tip(scenario);
    slow = quasistatic_tip(scene, push.name, dynamic.way);
    x = std::max(x, std::abs(dynamic.x - slow.x));
    angle = std::max(angle, std::abs(dynamic.angle - slow.angle));
  }
  return std::max(x / std::abs(slow.x), angle / std::abs(slow.angle));
}

std::array<double, 3> errors_of(const Stage& stage, const Push& push, Chart& chart) {
  const PlanarScene scene = quasistatic_scene(stage, push.name);
  const Scenario scenario = stage.load(std::string("dynamic/") + push.name);
  std::array<double, 3> errors{};
  Curve curve{push.name, {}};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    errors[k] = path_error(push, scene, scenario, push.speeds[k]);
    stage.print(fmt::format("    {}, {:g} m/s: {:.3g}\n", push.name, push.speeds[k], errors[k]));
    curve.points.emplace_back(push.speeds[k], errors[k]);
  }
  chart.curves.push_back(std::move(curve));
  return errors;
}

// Where the bar's corner ceases to slide friction and weight decide; it comes to rest against what
// they are too weak for, so the error is as the speed. The box stays at its finger, at low speed by
// the same kinematics; a fast finger throws it ahead.
void slow_push(const Stage& stage) {
  Chart chart{"Quasistatic against dynamic",
              "speed of the finger, m/s",
              "difference, relative",
              true,
              {},
              true};
  const auto bar = errors_of(stage, {"pried_bar", 0.06, {0.001, 0.01, 0.1}}, chart);
  stage.at_most("pried_bar", "path at 1 mm/s, relative", bar[0], 0.01);
  stage.at_most("pried_bar", "error at 1 mm/s over that at 10 mm/s", bar[0] / bar[1], 0.2);
  stage.at_most("pried_bar", "error at 10 mm/s over that at 100 mm/s", bar[1] / bar[2], 0.2);
  const double slow = stage.quick ? 0.01 : 0.001;  // m/s; the slower, the longer
  const auto box = errors_of(stage, {"tipped_box", 0.02, {slow, 0.1, 3.0}}, chart);
  stage.at_most("tipped_box", fmt::format("path at {:g} mm/s, relative", 1e3 * slow), box[0], 1e-9);
  stage.at_most("tipped_box", "error at 0.1 m/s over that at 3 m/s", box[1] / box[2], 1e-6);
  stage.draw(chart_svg(chart));
}

}  // namespace

extern const Experiment kSlowPush{"slow-push",
                                  "quasistatic against dynamic motion at three speeds",
                                  {slow_push},
                                  "examples/quasistatic"};

}  // namespace pequod::app
