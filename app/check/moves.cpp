// Bodies, robots, joints, masses, and the choices of the run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <numeric>

#include "app/check/meaning.h"
#include "app/json_number.h"
#include "contact/models/contact_model.h"
#include "simulation/loop/step_grid.h"

namespace pequod::app {
namespace {

constexpr std::size_t kNamesShown = 5;

std::string kind_name(JointType type) {
  constexpr std::array<const char*, 4> kNames{"free", "revolute", "prismatic", "spherical"};
  return nth(kNames, type);
}

using KindCounts = std::map<std::string, int>;

std::string counts_text(const KindCounts& counts) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", count, kind));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

double entity_mass(const Model& model, const Entity& entity) {
  double mass = 0.0;
  for (int i = 0; i < entity.links; ++i)
    mass += nth(model.links, entity.first_link + i).inertia.mass;
  return mass;
}

MeaningRow bodies_row(const Model& model) {
  std::vector<std::string> fixed, free;
  for (const Entity& entity : model.entities)
    if (!entity.robot) (entity.links == 0 ? fixed : free).push_back(entity.name);
  const auto told = [](const std::vector<std::string>& names, const char* what) {
    if (names.empty()) return fmt::format("0 {}", what);
    return fmt::format("{} {} ({})", names.size(), what, first_of(names, kNamesShown, ", "));
  };
  return {"bodies",
          told(fixed, "fixed") + ", " + told(free, "free"),
          {{"fixed", fixed}, {"free", free}}};
}

MeaningRow robots_row(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::vector<std::string> texts;
  MeaningRow row{"robots", "", nlohmann::ordered_json::array()};
  for (std::size_t e = 0; e < model.entities.size(); ++e) {
    const Entity& robot = model.entities[e];
    if (!robot.robot) continue;
    std::string driver;
    for (const Controller& controller : scenario.controllers)
      if (controller.entity == static_cast<int>(e))
        driver = fmt::format("{} every {:g} s", controller.name, controller.period);
    const int freedom = velocity_count(model, robot);
    texts.push_back(fmt::format("{}: {} {}, {} moving, {} base, {} degrees of freedom; {}",
                                robot.name, robot.frames, robot.frames == 1 ? "link" : "links",
                                robot.links, robot.base_link < 0 ? "fixed" : "floating", freedom,
                                driver.empty() ? "no controller" : driver));
    row.value.push_back({{"name", robot.name},
                         {"links", robot.frames},
                         {"moving_links", robot.links},
                         {"fixed_base", robot.base_link < 0},
                         {"degrees_of_freedom", freedom},
                         {"controller", driver}});
  }
  row.text = first_of(texts, kNamesShown, "\n");
  return row;
}

MeaningRow joints_row(const Model& model) {
  KindCounts counts;
  for (const Link& link : model.links)
    if (link.joint.type != JointType::free) ++counts[kind_name(link.joint.type)];
  std::string text = fmt::format("{}; {} degrees of freedom in all", counts_text(counts), model.nv);
  if (!model.loops.empty()) text += fmt::format("; {} loops closed", model.loops.size());
  if (!model.springs.empty()) text += fmt::format("; {} springs", model.springs.size());
  nlohmann::ordered_json value(counts);
  value["degrees_of_freedom"] = model.nv;
  value["loops"] = model.loops.size();
  value["springs"] = model.springs.size();
  return {"joints", text, value};
}

MeaningRow mass_row(const Model& model) {
  double total = 0.0;
  std::vector<std::string> texts;
  nlohmann::ordered_json each = nlohmann::ordered_json::object();
  for (const Entity& entity : model.entities) {
    if (entity.links == 0) continue;
    const double mass = entity_mass(model, entity);
    total += mass;
    texts.push_back(fmt::format("{} {:.4g}", entity.name, mass));
    each[entity.name] = json_number(mass);
  }
  std::string text = fmt::format("{:.4g} kg", total);
  if (!texts.empty()) text += " that moves: " + first_of(texts, kNamesShown, ", ");
  return {"mass", text, {{"total_kg", json_number(total)}, {"each_kg", each}}};
}

MeaningRow integrator_row(const Scenario& scenario) {
  const IntegratorOptions& options = scenario.integrator;
  const double mean = step_grid(scenario).mean;
  const std::string length = options.tolerance > 0.0
                                 ? fmt::format("steps of its own up to {:g} s, tolerance {:g}",
                                               options.step, options.tolerance)
                                 : fmt::format("steps of {:g} s", options.step);
  return {"integrator",
          fmt::format("{}, {}; {:g} s from t = {:g} s, a row every {:g} s", options.method, length,
                      scenario.duration, scenario.initial.t, scenario.record.every),
          {{"method", options.method},
           {"step_s", options.step},
           {"effective_step_s", json_number(mean)},
           {"tolerance", options.tolerance},
           {"start_s", scenario.initial.t},
           {"duration_s", scenario.duration},
           {"record_every_s", scenario.record.every}}};
}

MeaningRow contact_row(const Scenario& scenario) {
  const ContactOptions& options = scenario.contact;
  const ContactModel* model = find_contact_model(options.model);
  const std::string level(model ? level_name(contact_level(*model, options, scenario.integrator))
                                : "unknown");
  const bool impacts = options.scheme != "time-stepping";
  return {"contact",
          fmt::format("{} at the {} level, solver {}; {}{}", options.model, level, options.solver,
                      options.scheme,
                      impacts ? ", restitution by " + options.restitution : ", plastic"),
          {{"model", options.model},
           {"level", level},
           {"solver", options.solver},
           {"scheme", options.scheme},
           {"restitution", impacts ? options.restitution : "plastic"}}};
}

}  // namespace

std::string first_of(const std::vector<std::string>& texts, std::size_t most,
                     const std::string& between) {
  const std::size_t shown = texts.size() <= most ? texts.size() : most;
  std::string text = fmt::format(
      "{}", fmt::join(texts.begin(), texts.begin() + static_cast<long>(shown), between));
  if (shown < texts.size()) text += fmt::format("{}and {} more", between, texts.size() - shown);
  return text;
}

Meaning what_moves(const Scenario& scenario) {
  const Vector3d& g = scenario.model.gravity;
  Meaning meaning{bodies_row(scenario.model)};
  MeaningRow robots = robots_row(scenario);
  if (!robots.text.empty()) {
    meaning.push_back(std::move(robots));
    meaning.push_back(joints_row(scenario.model));
  }
  meaning.push_back(mass_row(scenario.model));
  meaning.push_back({"gravity",
                     fmt::format("({:g}, {:g}, {:g}) m/s²", g.x(), g.y(), g.z()),
                     {g.x(), g.y(), g.z()}});
  meaning.push_back(integrator_row(scenario));
  meaning.push_back(contact_row(scenario));
  return meaning;
}

Meaning what_moves(const Robot& robot) {
  KindCounts counts;
  constexpr std::array<const char*, 6> kNames{"fixed",     "revolute",  "continuous",
                                              "prismatic", "spherical", "floating"};
  for (const RobotJoint& joint : robot.joints) ++counts[nth(kNames, joint.type)];
  const double mass =
      std::accumulate(robot.links.begin(), robot.links.end(), 0.0,
                      [](double sum, const RobotLink& link) { return sum + link.mass; });
  return {{"links", fmt::format("{}", robot.links.size()), robot.links.size()},
          {"joints", counts_text(counts), counts},
          {"mass", fmt::format("{:.4g} kg", mass), {{"total_kg", json_number(mass)}}}};
}

std::string meaning_text(const Meaning& meaning) {
  std::string text;
  for (const MeaningRow& row : meaning) {
    std::string name = row.name;
    for (std::size_t from = 0; from <= row.text.size();) {
      const std::size_t to = std::min(row.text.find('\n', from), row.text.size());
      text += fmt::format("  {:<12}{}\n", name, row.text.substr(from, to - from));
      name.clear();
      from = to + 1;
    }
  }
  return text;
}

nlohmann::ordered_json meaning_json(const Meaning& meaning) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const MeaningRow& row : meaning) json[row.name] = row.value;
  return json;
}

}  // namespace pequod::app
