// A block on a ramp (Drumwright & Shell 2010, Fig. 2): two contact models, one motion.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/experiment.h"

namespace pequod::app {
namespace {

constexpr double kAngle = 0.5236;  // rad

struct Case {
  const char* name;
  double mu, speed;  // speed at the start, m/s, downhill
};
constexpr std::array<Case, 4> kCases{{{"mu 0.54", 0.54, 0.0},
                                      {"mu 0", 0.0, 0.0},
                                      {"mu 0.6", 0.6, 0.0},
                                      {"mu 0.54, uphill", 0.54, -1.0}}};

struct Place {
  Vector3d x, v;  // m, m/s
};

// Downhill is turned by `turn` about the ramp's normal, while the tangents of contacts, and with
// them the edges of a pyramid, stay.
std::vector<Place> slide(Scenario scenario, const Case& one, const char* model, double turn) {
  const Vector3d down(std::cos(turn), std::sin(turn), 0.0);
  scenario.model.gravity =
      kGravity * (std::sin(kAngle) * down - std::cos(kAngle) * Vector3d::UnitZ());
  for (Surface& surface : scenario.model.surfaces) surface.friction = one.mu;
  scenario.contact.model = model;
  scenario.contact.edges = 4;
  scenario.contact.solver = scenario.contact.model == "anitescu-potra" ? "lemke" : "";
  scenario.initial.v.segment<3>(3) = one.speed * down;
  std::vector<Place> rows;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    rows.push_back({state.q.head<3>(), state.v.segment<3>(3)});
  };
  Simulation(scenario, observer).run();
  return rows;
}

// Largest difference of positions and velocities, all records.
double apart(const std::vector<Place>& a, const std::vector<Place>& b) {
  double most = a.size() == b.size() ? 0.0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max({most, (a[i].x - b[i].x).norm(), (a[i].v - b[i].v).norm()});
  return most;
}

// The same block as a point: v + h g sin θ, less at most what friction takes in a step; the place
// follows the new velocity.
std::vector<Place> point_mass(const Case& one, double h, std::size_t count) {
  std::vector<Place> rows;
  double x = 0.0, v = one.speed;
  const double drive = h * kGravity * std::sin(kAngle);
  const double bound = h * one.mu * kGravity * std::cos(kAngle);
  while (rows.size() < count) {
    rows.push_back({Vector3d(x, 0.0, 0.5), Vector3d(v, 0.0, 0.0)});
    v += drive;
    v -= std::clamp(v, -bound, bound);
    x += h * v;
  }
  return rows;
}

void ramp(const Stage& stage) {
  const Scenario scenario = stage.load("ramp");
  Table table{"after 1 s", {"case", "way, m", "speed, m/s", "way of the continuous motion, m"}, {}};
  for (const Case& one : kCases) {
    const auto cone = slide(scenario, one, "drumwright-shell", 0.0);
    const auto pyramid = slide(scenario, one, "anitescu-potra", 0.0);
    const auto truth = point_mass(one, scenario.integrator.step, cone.size());
    const std::string name = one.name;
    // Its normal impulses may exceed those without friction by 1e-7 (`slack`), and friction with
    // them: that much of what friction takes in a second is the difference.
    const double slack = 1.1e-7 * one.mu * kGravity * std::cos(kAngle) * scenario.duration;
    stage.at_most("ramp", name + ": models apart, any step, m or m/s", apart(cone, pyramid),
                  1e-10 + slack, "same \"to numerical precision\"");
    stage.at_most("ramp", name + ": pyramid off the recurrence, m or m/s", apart(pyramid, truth),
                  1e-10);
    stage.at_most("ramp", name + ": coulomb off the recurrence, m or m/s",
                  apart(slide(scenario, one, "coulomb", 0.0), truth), 1e-10);
    const double a = kGravity * (std::sin(kAngle) - one.mu * std::cos(kAngle));
    const bool uniform = one.speed == 0.0;
    table.rows.push_back({name, cone.back().x.x(), cone.back().v.x(),
                          uniform ? Cell(0.5 * std::max(0.0, a)) : Cell("two parts")});
  }
  stage.show(table);
  const Case& slides = kCases.front();
  const double turn = std::acos(-1.0) / 4.0;
  const auto along = slide(scenario, slides, "drumwright-shell", 0.0);
  const auto cone = slide(scenario, slides, "drumwright-shell", turn);
  const auto pyramid = slide(scenario, slides, "anitescu-potra", turn);
  stage.at_most("ramp", "downhill turned by 45°: the cone's way changes by, m",
                std::abs(cone.back().x.head<2>().norm() - along.back().x.head<2>().norm()), 1e-10);
  // Between its four edges the pyramid is weaker by cos 45°.
  const double a = kGravity * (std::sin(kAngle) - slides.mu * std::cos(turn) * std::cos(kAngle));
  const double h = scenario.integrator.step, n = std::round(scenario.duration / h);
  stage.at_most("ramp", "turned by 45°: the pyramid's way, off its weakest friction's, m",
                std::abs(pyramid.back().x.head<2>().norm() - 0.5 * a * h * h * n * (n + 1.0)),
                1e-10);
}

}  // namespace

extern const Experiment kRamp{
    "ramp",
    "a block on a ramp by two contact models (Drumwright & Shell 2010, Fig. 2)",
    {ramp},
    "examples/ramp"};

}  // namespace pequod::app
