#include "simulation/loop/step_grid.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "simulation/loop/instant.h"

namespace pequod {
namespace {

struct Period {
  double length = 0.0;  // s
  std::int64_t next = 1;
};

// Ends of steps after which a mean is good.
constexpr int kMost = 100000;

// Whether a period is no multiple of the step, so that its ends lie within steps.
bool cuts(double period, double step) {
  const double steps = period / step;
  return std::abs(steps - std::round(steps)) > 1e-9 * steps || steps < 0.5;
}

}  // namespace

StepGrid step_grid(const Scenario& scenario) {
  std::vector<Period> periods{{scenario.integrator.step}, {scenario.record.every}};
  for (const Controller& controller : scenario.controllers) periods.push_back({controller.period});
  StepGrid grid{kInfinity, 0.0, 0.0};
  const double end = end_time(scenario);
  double t = scenario.initial.t;
  int n = 0;
  for (; n < kMost; ++n) {
    double next = kInfinity;
    for (const Period& p : periods) next = std::min(next, multiple(scenario, p.next, p.length));
    if (next > end + instant(scenario, end)) break;
    for (Period& p : periods)
      if (multiple(scenario, p.next, p.length) <= next + instant(scenario, next)) ++p.next;
    grid.shortest = std::min(grid.shortest, next - t);
    grid.longest = std::max(grid.longest, next - t);
    t = next;
  }
  grid.mean = n > 0 ? (t - scenario.initial.t) / n : scenario.duration;
  if (n == 0) grid.shortest = grid.longest = grid.mean;
  return grid;
}

std::string cut_note(const Scenario& scenario) {
  const double step = scenario.integrator.step;
  std::string by;
  const auto add = [&](const std::string& what, double period) {
    if (cuts(period, step))
      by += fmt::format("{}{} every {:g} s", by.empty() ? "" : ", ", what, period);
  };
  add("rows", scenario.record.every);
  for (const Controller& controller : scenario.controllers)
    add("ticks of " + controller.name, controller.period);
  if (by.empty()) return {};
  const StepGrid grid = step_grid(scenario);
  if (grid.mean > (1.0 - 1e-6) * step) return {};
  return fmt::format("steps of {:g} s are cut to {:.3g} s{} by {}", step, grid.mean,
                     grid.even() ? "" : " in the mean", by);
}

}  // namespace pequod
