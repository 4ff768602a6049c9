// The quasistatic answer against the dynamic one, at the same way of the finger.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/pang.h"
#include "scene/quasistatic_file.h"

namespace pequod::app {
namespace {

constexpr double kWay = 0.02;  // m, of the finger

PlanarScene quasistatic_scene(const Stage& stage) {
  Diagnostics diagnostics;
  const std::optional<QuasistaticFile> file =
      read_quasistatic(stage.scenes / "tipped_box.yaml", diagnostics);
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
  // The box's position and quaternion, then the finger.
  return {q[0], 2.0 * std::atan2(q[5], q[3]), q[7]};
}

Tip quasistatic_tip(const PlanarScene& scene, double way) {
  const QuasistaticRun run = follow(scene, {way, 0.01 * way});
  if (!run.ended.empty()) throw std::runtime_error("tipped_box.yaml: " + run.ended);
  const VectorXd& q = run.records.back().configuration;
  return {q[0], -q[2], way};
}

}  // namespace

// A slow finger tips the box; a fast one throws it ahead.
void slow_push(const Stage& stage) {
  const PlanarScene scene = quasistatic_scene(stage);
  Scenario scenario = stage.load("dynamic/tipped_box");
  Chart chart{"Quasistatic against dynamic",
              "speed of the finger, m/s",
              "largest difference",
              true,
              {{"angle and position, relative", {}}},
              true};
  std::vector<double> errors;
  for (const double speed : {0.001, 0.1, 3.0}) {
    scenario.initial.v[scenario.initial.v.size() - 1] = speed;
    scenario.integrator.step = std::min(1e-3, 0.005 * kWay / speed);
    double error = 0.0;
    for (const double share : {0.25, 0.5, 1.0}) {
      scenario.duration = share * kWay / speed;
      const Tip dynamic = dynamic_tip(scenario), slow = quasistatic_tip(scene, dynamic.way);
      error = std::max(
          {error, std::abs(dynamic.angle / slow.angle - 1.0), std::abs(dynamic.x / slow.x - 1.0)});
    }
    errors.push_back(error);
    stage.print(fmt::format("    {:g} m/s: {:.3g}\n", speed, error));
    chart.curves[0].points.emplace_back(speed, error);
  }
  stage.at_most("tipped_box", "path at 1 mm/s, relative", errors[0], 0.01);
  stage.at_most("tipped_box", "error at 0.1 m/s over that at 3 m/s", errors[1] / errors[2], 1.0);
  stage.at_most("tipped_box", "error at 1 mm/s over that at 3 m/s", errors[0] / errors[2], 1.0);
  stage.draw(chart_svg(chart));
}

}  // namespace pequod::app
