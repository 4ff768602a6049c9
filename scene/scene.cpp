#include "scene/scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "contact/models/contact_model.h"
#include "scene/assembly.h"
#include "scene/choices.h"
#include "simulation/damping_limit.h"
#include "simulation/loop/instant.h"
#include "simulation/loop/step_grid.h"
#include "simulation/viscous_limit.h"

namespace pequod {
namespace {

IntegratorOptions read_integrator(const YAML::Node& node) {
  IntegratorOptions o;
  if (!node || !node.IsMap()) return o;
  o.method = text_at(node, "method", o.method);
  o.step = number_at(node, "step", o.step);
  o.tolerance = number_at(node, "tolerance", o.tolerance);
  return o;
}

// The solver that is used, by name: the one given or the default of the model.
std::string choose_solver(const SceneReader& reader, const YAML::Node& given,
                          const ContactModel& model, const std::string& name) {
  const std::vector<std::string_view> names = solver_names(model.family);
  if (name.empty()) return std::string(names.front());
  if (!serves(model.family, name))
    reader.diagnostics.error(
        reader.at(given),
        fmt::format("contact.solver: {} does not solve the problems of {}", name, model.name),
        fmt::format("use one of: {}", fmt::join(names, ", ")));
  return name;
}

// An odd pyramid would not be the same after half a turn.
int read_edges(const SceneReader& reader, const YAML::Node& given, double edges) {
  if (edges == 2.0 * std::floor(0.5 * edges)) return static_cast<int>(edges);
  reader.diagnostics.error(reader.at(given), fmt::format("contact.edges: {:g} is not even", edges));
  return 0;
}

// The model must have the level, and time steps of contact are impulses.
void check_level(const SceneReader& reader, const YAML::Node& node, const ContactModel& model,
                 const ContactOptions& o, const IntegratorOptions& integrator) {
  const ContactLevel level = contact_level(model, o, integrator);
  if (!has_level(model, level)) {
    const std::string other(level_name(model.level));
    reader.diagnostics.error(reader.at(node["level"]),
                             fmt::format("contact.level: {} has no {} level", o.model, o.level),
                             fmt::format("leave it out, or say {}", other));
  } else if (o.scheme == "time-stepping" && level != ContactLevel::velocity) {
    reader.diagnostics.error(
        reader.at(node["scheme"]),
        fmt::format("contact.scheme: {} acts at the acceleration level, where there are no time "
                    "steps of contact",
                    o.model),
        "choose a model at the velocity level: pequod list names them");
  } else if (o.level.empty() && level != model.level) {
    reader.diagnostics.note(reader.at(node),
                            fmt::format("contact.level: {} acts at the {} level under {}", o.model,
                                        level_name(level), integrator.method));
  }
}

ContactOptions read_contact(const SceneReader& reader, const YAML::Node& node,
                            const IntegratorOptions& integrator) {
  ContactOptions o;
  const bool given = node && node.IsMap();
  if (given) {
    o.model = text_at(node, "model", o.model);
    o.level = text_at(node, "level", o.level);
    o.solver = text_at(node, "solver", o.solver);
    o.restitution = text_at(node, "restitution", o.restitution);
    o.edges = read_edges(reader, node["edges"], number_at(node, "edges", o.edges));
    o.scheme = text_at(node, "scheme", o.scheme);
    o.viscous = text_at(node, "viscous", o.viscous);
    o.tolerance = number_at(node, "tolerance", o.tolerance);
    o.unsolved = text_at(node, "unsolved", o.unsolved);
    o.sleep = text_at(node, "sleep", o.sleep);
  }
  const ContactModel* model = find_contact_model(o.model);
  const std::vector<std::string> solvers = contact_solver_names();
  const bool known = o.solver.empty() || std::ranges::find(solvers, o.solver) != solvers.end();
  if (model && given) check_level(reader, node, *model, o, integrator);
  if (model && known)
    o.solver = choose_solver(reader, given ? node["solver"] : node, *model, o.solver);
  return o;
}

/// Implicit friction needs a step that solves for the velocity at its end.
void check_viscous(const SceneReader& reader, const YAML::Node& contact, const Scenario& scenario) {
  if (scenario.contact.viscous != "implicit") return;
  const ContactModel* model = find_contact_model(scenario.contact.model);
  if (model && !model->viscous)
    reader.diagnostics.note(
        reader.at(contact["viscous"]),
        "contact.viscous: the contact model " + scenario.contact.model + " ignores it");
  if (scenario.integrator.method != "symplectic-euler")
    reader.diagnostics.error(reader.at(contact["viscous"]),
                             "contact.viscous: implicit is for symplectic-euler; the stages of " +
                                 scenario.integrator.method + " are explicit",
                             "use symplectic-euler, or explicit and shorter steps");
}

/// Says which coefficients the chosen contact model does not look at.
void note_ignored_coefficients(const SceneReader& reader, const YAML::Node& surfaces,
                               const ContactModel& model) {
  const bool friction = model.family != SolverFamily::least_distance;
  const bool viscous = model.viscous || model.family == SolverFamily::dissipation;
  for (std::size_t i = 0; surfaces && i < surfaces.size(); ++i) {
    for (const char* key : {"friction", "viscous"}) {
      const YAML::Node given = surfaces[i][key];
      const bool used = std::string(key) == "viscous" ? viscous : friction;
      if (!given || used) continue;
      reader.diagnostics.note(reader.at(given), "surfaces[" + std::to_string(i) + "]." + key +
                                                    ": the contact model " +
                                                    std::string(model.name) + " ignores it");
    }
  }
}

/// What sticks with another coefficient than what slides needs a law that tells the two apart: that
/// of the stages.
void check_static_friction(const SceneReader& reader, const YAML::Node& surfaces,
                           const ContactModel& model, const Scenario& scenario) {
  const bool rubs =
      (model.friction == StageFriction::coulomb || model.friction == StageFriction::per_row) &&
      contact_level(model, scenario.contact, scenario.integrator) == ContactLevel::acceleration;
  for (std::size_t i = 0; surfaces && i < surfaces.size(); ++i) {
    const YAML::Node given = surfaces[i]["static_friction"];
    if (!given) continue;
    const std::string path = "surfaces[" + std::to_string(i) + "].static_friction: ";
    const double most = number_at(surfaces[i], "static_friction", 0.0);
    const double least = number_at(surfaces[i], "friction", Surface{}.friction);
    if (!rubs)
      reader.diagnostics.error(reader.at(given),
                               path + "the contact model " + std::string(model.name) +
                                   " does not know it as it is used here",
                               "use coulomb or baraff at the acceleration level, as under rk4");
    else if (most < least)
      reader.diagnostics.error(reader.at(given),
                               fmt::format("{}{:g} is less than friction, {:g}", path, most, least),
                               "what sticks holds at least as much");
  }
}

void warn_of_unused_tolerance(const SceneReader& reader, const YAML::Node& integrator,
                              const IntegratorOptions& options) {
  if (options.tolerance == 0.0 || options.method == "dopri5") return;
  reader.diagnostics.warning(reader.at(integrator["tolerance"]),
                             "integrator.tolerance: " + options.method + " ignores it",
                             "dopri5 adapts its step");
}

/// The multiples of a period must be different times all along the run.
void check_period(const SceneReader& reader, const YAML::Node& section, const std::string& path,
                  double period, const Scenario& scenario) {
  if (period >= shortest_period(scenario)) return;
  const double end = end_time(scenario);
  const YAML::Node given = section[path.substr(path.find('.') + 1)];
  reader.diagnostics.error(
      reader.at(given ? given : section),
      fmt::format("{}: {:g} s is too short at t = {:g} s, where times are rounded to {:.2g} s",
                  path, period, end, std::nextafter(end, kInfinity) - end),
      fmt::format("use {:.2g} s or more, or a shorter run that starts earlier",
                  shortest_period(scenario)));
}

/// Reads what the whole-file keys say.
Scenario read_settings(const SceneReader& reader, const YAML::Node& root) {
  Scenario scenario;
  scenario.name = text_at(root, "name", std::filesystem::path(reader.file).stem().string());
  scenario.initial.t = number_at(root, "start", scenario.initial.t);
  scenario.duration = number_at(root, "duration", scenario.duration);
  scenario.integrator = read_integrator(root["integrator"]);
  warn_of_unused_tolerance(reader, root["integrator"], scenario.integrator);
  scenario.contact = read_contact(reader, root["contact"], scenario.integrator);
  check_viscous(reader, root["contact"], scenario);
  if (const YAML::Node record = root["record"]; record && record.IsMap()) {
    scenario.record.every = number_at(record, "every", scenario.record.every);
    scenario.record.steps = boolean_at(record, "steps", scenario.record.steps);
  }
  check_period(reader, root["integrator"] ? root["integrator"] : root, "integrator.step",
               scenario.integrator.step, scenario);
  check_period(reader, root["record"] ? root["record"] : root, "record.every",
               scenario.record.every, scenario);
  return scenario;
}

/// A section of the file if it is well formed, else an undefined node: its errors are reported.
YAML::Node section(const YAML::Node& root, const std::string& key, bool items_may_fail) {
  for (const Field& field : scene_fields().of) {
    const YAML::Node node = root[key];
    if (field.key != key || !node) continue;
    const bool right = items_may_fail ? node.IsMap() : is_valid(node, field);
    if (right) return node;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

void read_entities(Assembly& assembly, const YAML::Node& root) {
  const SceneReader& reader = assembly.reader;
  const YAML::Node bodies = section(root, "bodies", true), robots = section(root, "robots", true);
  if (bodies) add_bodies(assembly, bodies);
  if (robots) add_robots(assembly, robots);
  if (!root["bodies"] && !root["robots"]) {
    reader.diagnostics.error(reader.at(root), "the scene has no bodies and no robots");
  }
}

/// Loops may leave a slower decay than that of the trees, which is the one that is known.
void warn_of_damping(const SceneReader& reader, const YAML::Node& root, const Scenario& scenario) {
  if (!scenario.model.loops.empty()) return;
  const std::string stiff = damping_warning(scenario, damping_rate_at_start(scenario));
  if (!stiff.empty()) reader.diagnostics.warning(reader.at(root), "at the start " + stiff);
}

void fill(Scenario& scenario, Assembly& assembly, const YAML::Node& root) {
  const SceneReader& reader = assembly.reader;
  const Model& named = assembly.builder.model();
  const YAML::Node surfaces = section(root, "surfaces", false);
  const std::vector<SurfaceRule> rules = read_surfaces(reader, surfaces, named, assembly.failed);
  const std::vector<CollideRule> collide =
      read_collide(reader, section(root, "collide", false), named, assembly.failed);
  const YAML::Node forces = section(root, "forces", false);
  scenario.forces = read_forces(reader, forces, named, assembly.failed);
  if (!reader.diagnostics.ok()) return;

  scenario.model = assembly.builder.build(rules, collide);
  scenario.visuals = visuals_of(assembly, scenario.model);
  const double start = scenario.initial.t;
  scenario.initial = first_state(assembly, scenario.model);
  scenario.initial.t = start;
  check_masses(assembly, scenario.model, scenario.initial);
  if (!reader.diagnostics.ok()) return;
  add_loops(assembly, section(root, "loops", false), scenario.model, scenario.initial);
  add_springs(assembly, section(root, "springs", false), scenario.initial, scenario.model);
  if (!reader.diagnostics.ok()) return;
  check_distance(assembly, scenario.model, scenario.initial);
  part_initial_overlap(assembly, scenario.model, scenario.initial);
  warn_of_idle_surfaces(reader, surfaces, scenario.model, rules);
  tell_idle_forces(reader, forces, scenario);
  if (const ContactModel* model = find_contact_model(scenario.contact.model)) {
    note_ignored_coefficients(reader, surfaces, *model);
    check_static_friction(reader, surfaces, *model, scenario);
  }
  const std::string slow = viscous_warning(scenario, viscous_rate(scenario, scenario.initial));
  if (!slow.empty()) reader.diagnostics.warning(reader.at(root), "at the start " + slow);
  warn_of_damping(reader, root, scenario);
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    const RobotSpec& robot = assembly.robots[i];
    if (!robot.controller.IsDefined()) continue;
    auto controller = read_controller(reader, robot, scenario, assembly.robot_entities[i]);
    if (!controller) continue;
    check_period(reader, robot.controller, "controller.period", controller->period, scenario);
    warn_of_gains(reader, robot, scenario, *controller);
    scenario.controllers.push_back(std::move(*controller));
  }
  if (const std::string cut = cut_note(scenario); !cut.empty())
    reader.diagnostics.note(reader.at(root["integrator"] ? root["integrator"] : root),
                            "integrator.step: " + cut);
}

/// A URDF says what a robot is, not where it stands and what it does. Says so, with the least scene
/// that does; else the parser of YAML would report its every line.
bool refuse_urdf(const std::string& text, const std::filesystem::path& path,
                 Diagnostics& diagnostics) {
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == std::string::npos || text[first] != '<') return false;
  if (text.find("<robot") == std::string::npos) {
    diagnostics.error({path.string(), 1, 1}, "this is XML, not a scene",
                      "a scene is YAML: docs/scene.md has its keys");
    return true;
  }
  std::string name = path.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  diagnostics.error({path.string(), 1, 1}, "this is a URDF: a robot alone, not a scene",
                    fmt::format("a scene to start from, {0}.yaml beside it:\n"
                                "  bodies:\n"
                                "    ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
                                "  robots:\n"
                                "    {0}: {{urdf: {1}}}",
                                name, path.filename().string()));
  return true;
}

}  // namespace

Scenario load_scene(const std::filesystem::path& path, const SceneOptions& options,
                    Diagnostics& diagnostics) {
  const std::string file = path.string();
  const auto text = read_text(path, {file, 0, 0}, diagnostics);
  if (!text || refuse_urdf(*text, path, diagnostics)) return {};
  const std::optional<YAML::Node> root = parse_yaml(*text, file, diagnostics);
  if (!root) return {};
  apply_overrides(*root, options, diagnostics);
  check_yaml(*root, scene_fields(), "", {file, 1, 1}, diagnostics);
  if (!root->IsMap()) return {};

  const SceneReader reader{file, path.parent_path(), options, diagnostics};
  const bool settings_right = diagnostics.ok();
  Scenario scenario;
  if (settings_right) scenario = read_settings(reader, *root);
  Vector3d gravity = scenario.model.gravity;
  if (settings_right) gravity = vector_at(*root, "gravity", gravity);
  Assembly assembly{reader, ModelBuilder(gravity), {}, {}, {}, {}, {}};
  read_entities(assembly, *root);
  fill(scenario, assembly, *root);
  return scenario;
}

}  // namespace pequod
