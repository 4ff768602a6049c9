#include "test/simulation/walk.h"

#include <doctest/doctest.h>

#include <numbers>
#include <random>
#include <sstream>

#include "test/simulation/referee.h"

namespace pequod::test {
namespace {

constexpr double kCell = 0.15;            // m, of rough ground
constexpr int kRows = 91, kColumns = 31;  // 13.5 m × 4.5 m

// The same heights whatever the standard library: its distributions may differ, its generator not.
std::string rough_ground(double height, unsigned seed) {
  std::mt19937 random(seed);
  std::ostringstream text;
  text.precision(17);
  text << kRows << ' ' << kColumns << '\n';
  for (int i = 0; i < kRows * kColumns; ++i)
    text << height * (2.0 * (random() / 4294967296.0) - 1.0) << ((i + 1) % kColumns ? ' ' : '\n');
  return text.str();
}

const Entity& robot_of(const Model& model) {
  return *std::ranges::find_if(model.entities, [](const Entity& entity) { return entity.robot; });
}

bool touches(const State& state, const Model& model, int link) {
  return std::ranges::any_of(state.mode, [&](const ContactMode& contact) {
    return !is_joint_limit(contact.key) && nth(model.shapes, contact.key.shape_b).link == link;
  });
}

TrotReport scales_of(const Folder& folder, const TrotRun& run) {
  const Scenario scenario = load(folder, trot_scene(folder, run, {}));
  const Model& model = scenario.model;
  TrotReport report;
  (void)make_trot(model, static_cast<int>(&robot_of(model) - model.entities.data()),
                  scenario.initial.q, {}, &report);
  return report;
}

// The part of the command that is asked at t: standing for 4/ω0, then a ramp over 6/ω0.
double ramp(const Walk& walk, double t) {
  return std::clamp((t * walk.scales.omega0 - 4.0) / 6.0, 0.0, 1.0);
}

void command_until(double t, const TrotRun& run, Walk& walk) {
  const double dt = t - walk.t, part = ramp(walk, 0.5 * (t + walk.t));
  const double turn = part * run.command.z() * walk.scales.omega0 * dt;
  const double heading = walk.yaw_commanded + 0.5 * turn;
  const Eigen::Vector2d v = part * walk.scales.speed * run.command.head<2>();
  walk.commanded += dt * (Eigen::Rotation2Dd(heading) * v);
  walk.yaw_commanded += turn;
  walk.t = t;
}

void observe(const Model& model, const State& state, const Kinematics& kin, Walk& walk) {
  const Entity& robot = robot_of(model);
  walk.end = mass_centre(model, kin, robot.first_link, robot.links).position;
  if (state.t == 0.0) walk.start = walk.end;
  const Matrix3d& R = nth(kin.links, robot.base_link).X_WL.R;
  walk.tilt = std::max(walk.tilt, std::acos(std::min(1.0, R(2, 2))));
  walk.yaw += std::remainder(std::atan2(R(1, 0), R(0, 0)) - walk.yaw, 2.0 * std::numbers::pi);
  const double height = walk.end.z() / walk.scales.z0;
  walk.fell = walk.fell || height < 0.5 || touches(state, model, robot.base_link);
  walk.effort =
      std::max(walk.effort, state.tau.cwiseAbs().maxCoeff() /
                                (walk.scales.mass * model.gravity.norm() * walk.scales.z0));
  if (state.t * walk.scales.omega0 < 4.0) return;
  walk.lowest = std::min(walk.lowest, height);
  walk.highest = std::max(walk.highest, height);
}

}  // namespace

std::string trot_scene(const Folder& folder, const TrotRun& run, const TrotReport& scales) {
  const bool scaled = !std::isnan(scales.speed);
  const double U = scaled ? scales.speed : 0.0, omega0 = scaled ? scales.omega0 : 0.0;
  std::ostringstream text;
  text.precision(17);
  text << "duration: " << run.duration
       << "\nintegrator: {method: symplectic-euler, step: " << run.step
       << "}\ncontact: {model: no-slip}\nrecord: {every: " << 10.0 * run.step << "}\nbodies:\n";
  if (run.rough > 0.0) {
    folder.write("ground.dat", rough_ground(run.rough, run.seed));
    text << "  ground:\n    fixed: true\n    position: [" << 0.4 * (kRows - 1) * kCell
         << ", 0, 0]\n    shape: {heightfield: {file: ground.dat, size: [" << (kRows - 1) * kCell
         << ", " << (kColumns - 1) * kCell << "]}}\n";
  } else {
    text << "  ground: {fixed: true, shape: {plane: {}}}\n";
  }
  text << "robots:\n  dog:\n    urdf: " << run.urdf.string()
       << "\n    controller: {type: trot, velocity: [" << run.command.x() * U << ", "
       << run.command.y() * U << ", " << run.command.z() * omega0 << "], period: " << run.hold
       << (run.start_right ? ", gait: {start_right: true}" : "") << "}\n";
  if (scaled && run.push != Vector3d::Zero()) {
    const double lasts = 0.5 / omega0;
    const Vector3d force = run.push * (scales.mass * U / lasts);
    text << "forces:\n  - {on: dog, from: 4, to: " << 4.0 + lasts << ", force: [" << force.x()
         << ", " << force.y() << ", " << force.z() << "]}\n";
  }
  return text.str();
}

Walk walk(const TrotRun& run) {
  TrotRun absolute = run;
  absolute.urdf = fs::absolute(run.urdf);
  const Folder folder;
  Walk walk;
  walk.scales = scales_of(folder, absolute);
  const std::string scene = trot_scene(folder, absolute, walk.scales);
  CHECK(std::ranges::count(scene, '\n') <= 15);
  const Scenario scenario = load(folder, scene);

  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport&) {
    command_until(state.t, run, walk);
    observe(scenario.model, state, kin, walk);
  };
  Simulation simulation(scenario, observer);
  Referee referee(scenario.model);
  try {
    while (!walk.fell && simulation.step()) referee.look(simulation.state());
  } catch (const std::runtime_error& error) {
    walk.failure = error.what();
  }
  walk.statistics = simulation.statistics();
  walk.overlap = referee.overlap();
  walk.slip = referee.slip();
  walk.forces = referee.forces();
  return walk;
}

std::string figures(const Walk& walk) {
  std::ostringstream text;
  text.precision(4);
  const RunStatistics& s = walk.statistics;
  if (walk.commanded.norm() > 0.0)
    text << "distance " << walk.distance() << ", drift " << 100.0 * walk.drift() << " %, ";
  if (walk.yaw_commanded != 0.0) text << "turn " << walk.yaw / walk.yaw_commanded << ", ";
  text << "tilt " << walk.tilt << " rad, height " << walk.lowest << " to " << walk.highest
       << " z0, effort " << walk.effort << " m g z0" << (walk.fell ? ", FELL" : "") << " at "
       << walk.t << " s; gap " << -s.max_penetration << " m, slip " << s.worst_slip
       << " m/s (referee " << walk.overlap << " m, " << walk.slip << " m/s at " << walk.forces
       << " forces), residual " << s.worst_residual << ", fallbacks " << s.fallbacks
       << (walk.failure.empty() ? "" : "; FAILED: ") << walk.failure;
  return text.str();
}

void check_contacts(const Walk& walk) {
  CHECK(walk.failure == "");
  CHECK(walk.statistics.unbalanced == 0);
  CHECK(walk.overlap <= 1e-9);
  CHECK(walk.slip <= 1e-10);
  CHECK(walk.forces > 0);
}

void check_flat(const Walk& walk) {
  CHECK_FALSE(walk.fell);
  CHECK(walk.distance() == doctest::Approx(1.0).epsilon(0.05));
  CHECK(std::abs(walk.drift()) < 0.02);
  CHECK(walk.lowest > 0.98);
  CHECK(walk.highest < 1.02);
  CHECK(walk.tilt < 0.1);
  CHECK(walk.statistics.worst_residual <= 1e-8);
  CHECK(walk.statistics.fallbacks == 0);
  check_contacts(walk);
}

void check_rough(const Walk& walk) {
  CHECK_FALSE(walk.fell);
  CHECK(walk.tilt < 0.15);
  CHECK(walk.distance() == doctest::Approx(1.0).epsilon(0.05));
  CHECK(walk.statistics.worst_residual <= 1e-8);
  CHECK(walk.statistics.fallbacks <= 1);
  check_contacts(walk);
}

}  // namespace pequod::test
