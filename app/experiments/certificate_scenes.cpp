#include "app/experiments/certificate_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "app/comparison.h"
#include "simulation/record/run_folder_rows.h"

namespace pequod::app {
namespace {

// What stands stays: tests of `piles` ask it of these.
constexpr std::array kStanding{"arch", "card_house", "stack", "tower"};

// s: scenes of which a second takes minutes, four times over.
constexpr std::array<std::pair<const char*, double>, 3> kSlow{
    {{"ball_grid", 0.1}, {"pile", 0.05}, {"tower", 0.5}}};

double shorter(const std::string& name, double duration) {
  for (const auto& [slow, longest] : kSlow)
    if (name == slow) duration = std::min(duration, longest);
  return duration;
}

ClosedForm first_place(const Scenario& scenario) {
  std::string text = state_header(scenario.model);
  append_state(text, scenario.model, scenario.initial);
  std::istringstream lines(text);
  const StateLog log = read_state_log(lines);
  return {"what stands", log.names, [row = log.rows.front()](double t) {
            std::vector<double> now = row;
            now[0] = t;
            return now;
          }};
}

// The centre of a cone that rolls about its tip goes round the vertical at the rate at which its
// spin w about x carries it.
ClosedForm about_tip(const Scenario& scenario) {
  const Vector3d start = scenario.initial.q.head<3>();
  const double rate = scenario.initial.v.head<3>().norm() * start.z() / start.head<2>().norm();
  const double sense = scenario.initial.v[4] * start.x() > 0.0 ? 1.0 : -1.0;
  return {"a cone that rolls about its tip", {"t", "cone.x", "cone.y", "cone.z"}, [=](double t) {
            const Vector3d now = Eigen::AngleAxisd(sense * rate * t, Vector3d::UnitZ()) * start;
            return std::vector<double>{t, now.x(), now.y(), now.z()};
          }};
}

std::optional<ClosedForm> form_of(const std::string& name, const Scenario& scenario) {
  if (std::ranges::find(kStanding, name) != kStanding.end()) return first_place(scenario);
  if (name == "rolling_cone") return about_tip(scenario);
  return find_closed_form(scenario);
}

void set_surfaces(Scenario& scenario, double friction, double restitution, double viscous) {
  for (Surface& surface : scenario.model.surfaces) {
    surface.friction = friction;
    surface.restitution = restitution;
    surface.viscous = viscous;
  }
}

// Velocity along x, spin about y: the scene's plane is level.
void set_motion_along_x(Scenario& scenario, double v, double w) {
  scenario.initial.v.setZero();
  scenario.initial.v[1] = w;
  scenario.initial.v[3] = v;
}

// Gravity leans forward over the scene's plane, as that would the other way.
void lean_gravity(Scenario& scenario, double angle) {
  scenario.model.gravity = kGravity * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
}

void add_known(const std::string& name, const Scenario& scenario, std::vector<KnownScene>& scenes) {
  scenes.push_back({name, scenario, find_closed_form(scenario)});
}

void add_bounces(const Stage& stage, std::vector<KnownScene>& scenes) {
  for (const auto& [e, up] : {std::pair{0.0, 0.0},
                              {0.2, 1.0},
                              {0.4, -2.0},
                              {0.6, 0.5},
                              {0.8, -1.0},
                              {0.9, 2.0},
                              {1.0, 0.0}}) {
    Scenario scenario = stage.load("bouncing_ball");
    set_surfaces(scenario, 0.0, e, 0.0);
    scenario.initial.v[5] = up;
    add_known(fmt::format("bounce e={:g} v={:g}", e, up), scenario, scenes);
  }
}

void add_slides(const Stage& stage, std::vector<KnownScene>& scenes) {
  for (const auto& [mu, v, w] : {std::array{0.1, 1.0, 0.0},
                                 {0.2, 3.0, -40.0},
                                 {0.3, 0.0, 50.0},
                                 {0.4, 2.0, 30.0},
                                 {0.6, 4.0, 0.0},
                                 {0.15, -2.0, 10.0},
                                 {0.8, 1.5, -15.0}}) {
    Scenario scenario = stage.load("slide_to_roll");
    set_surfaces(scenario, mu, 0.0, 0.0);
    set_motion_along_x(scenario, v, w);
    add_known(fmt::format("ball mu={:g} v={:g} w={:g}", mu, v, w), scenario, scenes);
  }
  for (const double mu : {0.05, 0.2, 0.5, 0.7}) {
    Scenario scenario = stage.load("slide_to_rest");
    set_surfaces(scenario, mu, 0.0, 0.0);
    add_known(fmt::format("block mu={:g}", mu), scenario, scenes);
  }
}

void add_slopes(const Stage& stage, std::vector<KnownScene>& scenes) {
  for (const auto& [angle, mu] :
       {std::pair{0.05, 0.5}, {0.1, 0.02}, {0.2, 0.5}, {0.4, 0.1}, {0.6, 0.15}, {0.3, 0.3}}) {
    Scenario scenario = stage.load("slide_to_roll");
    set_surfaces(scenario, mu, 0.0, 0.0);
    set_motion_along_x(scenario, 0.0, 0.0);
    lean_gravity(scenario, angle);
    add_known(fmt::format("slope {:g} mu={:g}", angle, mu), scenario, scenes);
  }
  for (const auto& [c, angle] : {std::pair{0.2, 0.0}, {1.0, 0.0}, {2.0, 0.2}, {0.5, 0.4}}) {
    Scenario scenario = stage.load("slide_to_roll");
    scenario.contact = {};
    scenario.contact.model = "viscous";
    set_surfaces(scenario, 0.0, 0.0, c);
    lean_gravity(scenario, angle);
    add_known(fmt::format("film c={:g} slope {:g}", c, angle), scenario, scenes);
  }
}

}  // namespace

std::vector<KnownScene> analytic_scenes(const Stage& stage, double longest) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(stage.scenes))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  std::vector<KnownScene> scenes;
  for (const std::string& name : names) {
    Scenario scenario = stage.load(name);
    scenario.duration = shorter(name, std::min(scenario.duration, longest));
    scenes.push_back({name, scenario, form_of(name, scenario)});
  }
  return scenes;
}

std::vector<KnownScene> more_scenes(const Stage& stage) {
  std::vector<KnownScene> scenes;
  add_bounces(stage, scenes);
  add_slides(stage, scenes);
  add_slopes(stage, scenes);
  return scenes;
}

}  // namespace pequod::app
