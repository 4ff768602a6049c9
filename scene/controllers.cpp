#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "scene/degrees.h"
#include "scene/mesh_file.h"
#include "scene/reader.h"
#include "simulation/controllers/links_trot.h"
#include "simulation/controllers/pd.h"
#include "simulation/controllers/torque.h"
#include "simulation/controllers/trot.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

TrotOptions read_trot(const YAML::Node& node) {
  TrotOptions o;
  o.period = number_at(node, "period", o.period);
  o.velocity = vector_at(node, "velocity", o.velocity);
  o.cone = number_at(node, "cone", o.cone);
  if (const YAML::Node gait = node["gait"]) {
    o.gait_period = number_at(gait, "period", o.gait_period);
    o.duty = number_at(gait, "duty", o.duty);
    o.step_height = number_at(gait, "step_height", o.step_height);
    o.start_right = boolean_at(gait, "start_right", o.start_right);
  }
  if (const YAML::Node gains = node["gains"]) {
    TrotGains& g = o.gains;
    g.velocity = number_at(gains, "velocity", g.velocity);
    g.position = number_at(gains, "position", g.position);
    g.height = number_at(gains, "height", g.height);
    g.height_damping = number_at(gains, "height_damping", g.height_damping);
    g.tilt = number_at(gains, "tilt", g.tilt);
    g.tilt_damping = number_at(gains, "tilt_damping", g.tilt_damping);
    g.yaw = number_at(gains, "yaw", g.yaw);
    g.yaw_damping = number_at(gains, "yaw_damping", g.yaw_damping);
    g.swing = number_at(gains, "swing", g.swing);
    g.placement = number_at(gains, "placement", g.placement);
    g.leg_damping = number_at(gains, "leg_damping", g.leg_damping);
  }
  return o;
}

LinksTrotOptions read_links_trot(const YAML::Node& node) {
  LinksTrotOptions o;
  o.period = number_at(node, "period", o.period);
  o.velocity = vector_at(node, "velocity", o.velocity);
  o.pitch_compensation = boolean_at(node, "pitch_compensation", o.pitch_compensation);
  if (const YAML::Node gait = node["gait"]) {
    o.gait_period = number_at(gait, "period", o.gait_period);
    o.duty = number_at(gait, "duty", o.duty);
    o.step_height = number_at(gait, "step_height", o.step_height);
    o.virtual_height = number_at(gait, "virtual_height", o.virtual_height);
    if (gait["touchdown"]) {
      const std::vector<double> touchdown = numbers_in(gait["touchdown"]);
      std::copy(touchdown.begin(), touchdown.end(), o.touchdown.begin());
    }
  }
  if (const YAML::Node gains = node["gains"]) {
    o.placement_gain = number_at(gains, "placement", o.placement_gain);
    o.joint_kp = number_at(gains, "joint_kp", o.joint_kp);
    o.joint_kd = number_at(gains, "joint_kd", o.joint_kd);
    o.joint_ki = number_at(gains, "joint_ki", o.joint_ki);
    o.foot_kp = number_at(gains, "foot_kp", o.foot_kp);
    o.foot_kd = number_at(gains, "foot_kd", o.foot_kd);
    o.foot_ki = number_at(gains, "foot_ki", o.foot_ki);
  }
  return o;
}

/// The joints of a robot by the names a scene uses, without "robot/".
std::vector<std::string> joint_names(const Model& model, int entity) {
  const Entity& robot = nth(model.entities, entity);
  std::vector<std::string> names;
  for (int j = 0; j < robot.joints; ++j) {
    const std::string& name = nth(model.joints, robot.first_joint + j).name;
    names.push_back(name.substr(robot.name.size() + 1));
  }
  return names;
}

const Joint& joint_of(const Model& model, int entity, std::size_t j) {
  const Entity& robot = nth(model.entities, entity);
  const NamedJoint& named = model.joints[static_cast<std::size_t>(robot.first_joint) + j];
  return nth(model.links, named.link).joint;
}

/// A target that the joint cannot reach presses it against its limit for ever.
void warn_of_target(const SceneReader& reader, const YAML::Node& node, const std::string& path,
                    const Joint& joint, double target) {
  const bool turns = joint.type != JointType::prismatic;
  if (target >= joint.lower && target <= joint.upper) {
    if (turns) warn_of_degrees(reader.diagnostics, reader.at(node), path, {&target, 1});
    return;
  }
  reader.diagnostics.warning(reader.at(node),
                             path + fmt::format(": {:g} is outside the joint's limits [{:g}, {:g}]",
                                                target, joint.lower, joint.upper),
                             turns && more_than(kTurns, target)
                                 ? degrees_hint(target)
                                 : "the controller will press against the limit");
}

std::optional<PdOptions> read_pd(const SceneReader& reader, const std::string& path,
                                 const YAML::Node& node, const Model& model, int entity,
                                 const VectorXd& q) {
  PdOptions o;
  o.period = number_at(node, "period", o.period);
  o.kp = number_at(node, "kp", o.kp);
  o.kd = number_at(node, "kd", o.kd);
  const YAML::Node target = node["target"];
  if (!target) return o;
  const std::vector<std::string> names = joint_names(model, entity);
  const Entity& robot = nth(model.entities, entity);
  o.target.resize(robot.joints);
  for (int j = 0; j < robot.joints; ++j) {
    o.target[j] = q[joint_of(model, entity, static_cast<std::size_t>(j)).q_index];
  }
  bool good = true;
  for (const auto& entry : target) {
    bool known = false;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (!glob_match(entry.first.Scalar(), names[j])) continue;
      const double aim = *parse_number(entry.second.Scalar()).value;
      o.target[static_cast<Eigen::Index>(j)] = aim;
      warn_of_target(reader, entry.second, path + ".target." + names[j], joint_of(model, entity, j),
                     aim);
      known = true;
    }
    if (known) continue;
    reader.error(entry.first, path + ".target",
                 "no moving joint matches \"" + entry.first.Scalar() + "\"",
                 did_you_mean(entry.first.Scalar(), names));
    good = false;
  }
  return good ? std::optional(o) : std::nullopt;
}

struct Cell {
  std::string text;
  int column = 0;  ///< in the line, from 1
};

std::vector<Cell> cells(const std::string& line) {
  std::vector<Cell> result;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    const std::size_t begin = std::min(line.find_first_not_of(" \t\r\"", from), to);
    std::size_t end = to;
    while (end > begin && std::string_view(" \t\r\"").find(line[end - 1]) != std::string::npos)
      --end;
    result.push_back({line.substr(begin, end - begin), static_cast<int>(begin) + 1});
    from = to + 1;
  }
  return result;
}

constexpr const char* kSemicolons = "columns are separated by commas, not by \";\"";

/// A torque table while it is read.
struct TorqueReader {
  Place place;
  const Model& model;
  int entity;
  TorqueTable& table;
  Diagnostics& diagnostics;

  bool header(const std::vector<Cell>& cells);
  bool row(const std::vector<Cell>& cells);

 private:
  bool fail(const Cell& cell, const std::string& message, const std::string& hint = {}) {
    place.column = cell.column;
    diagnostics.error(place, message, hint);
    return false;
  }
};

bool TorqueReader::header(const std::vector<Cell>& cells) {
  const std::vector<std::string> names = joint_names(model, entity);
  const Entity& robot = nth(model.entities, entity);
  if (cells.size() < 2 || cells[0].text != "t") {
    const bool semicolons = cells[0].text.find(';') != std::string::npos;
    return fail(cells[0], "the header must be \"t\" and joint names, not \"" + cells[0].text + "\"",
                semicolons ? kSemicolons : "for instance: t, " + join(names));
  }
  for (std::size_t c = 1; c < cells.size(); ++c) {
    const std::string& name = cells[c].text;
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      const std::string own = robot.name + "/";
      const bool with_robot = name.starts_with(own);
      std::string hint = did_you_mean(with_robot ? name.substr(own.size()) : name, names);
      if (hint.empty()) hint = "the joints are: " + join(names);
      return fail(cells[c], "unknown joint \"" + name + "\"",
                  with_robot ? "joints stand here without their robot; " + hint : hint);
    }
    const auto j = static_cast<std::size_t>(known - names.begin());
    const int link = model.joints[static_cast<std::size_t>(robot.first_joint) + j].link;
    if (std::ranges::find(table.links, link) != table.links.end())
      return fail(cells[c], "joint \"" + name + "\" has two columns");
    table.links.push_back(link);
  }
  return true;
}

/// Appends one row of times and efforts.
bool TorqueReader::row(const std::vector<Cell>& cells) {
  const std::size_t columns = table.links.size() + 1;
  if (cells.size() != columns) {
    const bool semicolons = cells[0].text.find(';') != std::string::npos;
    const bool commas = cells.size() > columns;
    return fail(cells[0], fmt::format("{} columns, the header has {}", cells.size(), columns),
                semicolons ? kSemicolons
                : commas   ? "decimals are written with a point: 1.5"
                           : "");
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const NumberText number = parse_number(cells[c].text);
    if (!number.value || !std::isfinite(*number.value))
      return fail(cells[c], "\"" + cells[c].text + "\" is not a finite number", number.hint);
    (c == 0 ? table.times : table.efforts).push_back(*number.value);
  }
  if (table.times.size() > 1 && table.times.back() <= *(table.times.end() - 2))
    return fail(cells[0], fmt::format("times must increase: {:g} follows {:g}", table.times.back(),
                                      *(table.times.end() - 2)));
  return true;
}

std::optional<TorqueTable> read_torque(const SceneReader& reader, const YAML::Node& node,
                                       const Model& model, int entity) {
  const YAML::Node name = node["file"];
  const auto path = find_file(name.Scalar(), reader.folder, reader.options.package_paths,
                              reader.at(name), reader.diagnostics);
  if (!path) return std::nullopt;
  const auto text = read_text(*path, reader.at(name), reader.diagnostics);
  if (!text) return std::nullopt;

  TorqueTable table;
  table.period = number_at(node, "period", table.period);
  TorqueReader rows{{path->string(), 0, 0}, model, entity, table, reader.diagnostics};
  std::istringstream stream(*text);
  bool header = true;
  for (std::string line; std::getline(stream, line);) {
    ++rows.place.line;
    const std::vector<Cell> row = cells(line);
    if (row[0].text.empty() || row[0].text[0] == '#') continue;
    if (!(header ? rows.header(row) : rows.row(row))) return std::nullopt;
    header = false;
  }
  if (table.times.empty()) {
    reader.diagnostics.error({path->string(), std::max(rows.place.line, 1), 1},
                             "the table has no row", "a header, then times and efforts");
    return std::nullopt;
  }
  return table;
}

// Efforts are zero before the first row.
void note_late_table(const SceneReader& reader, const YAML::Node& node, const std::string& path,
                     const TorqueTable& table, const Scenario& scenario) {
  const double begin = table.times.front(), end = end_time(scenario);
  if (begin < end || begin <= scenario.initial.t) return;
  reader.diagnostics.note(
      reader.at(node["file"]),
      path + fmt::format(": gives no effort in this run: its table begins at {:g} s, and the run "
                         "ends at {:g} s",
                         begin, end),
      "a longer duration reaches it");
}

Controller make_reported_trot(const SceneReader& reader, const Place& place,
                              const std::string& path, const Model& model, int entity,
                              const VectorXd& q, const TrotOptions& options) {
  TrotReport report;
  Controller controller = make_trot(model, entity, q, options, &report);
  reader.diagnostics.note(
      place,
      path + fmt::format(": mass {:.4g} kg, centre of mass {:.4g} m high, ω0 {:.4g} /s, "
                         "√(g z0) {:.4g} m/s; feet LF, RF, LH, RH: {}",
                         report.mass, report.z0, report.omega0, report.speed, join(report.feet)));
  for (const std::string& warning : report.warnings) {
    reader.diagnostics.warning(place, path + ": " + warning);
  }
  return controller;
}

}  // namespace

std::optional<Controller> read_controller(const SceneReader& reader, const RobotSpec& spec,
                                          const Scenario& scenario, int entity) {
  const Model& model = scenario.model;
  const VectorXd& q = scenario.initial.q;
  const YAML::Node& node = spec.controller;
  const std::string path = "robots." + spec.name + ".controller";
  const std::string type = node["type"].Scalar();
  try {
    if (type == "trot") {
      return make_reported_trot(reader, reader.at(node), path, model, entity, q, read_trot(node));
    }
    if (type == "links-trot") return make_links_trot(model, entity, read_links_trot(node));
    if (type == "pd") {
      const auto options = read_pd(reader, path, node, model, entity, q);
      if (options) return make_pd(model, entity, *options);
    } else if (type == "torque") {
      const auto table = read_torque(reader, node, model, entity);
      if (table) {
        note_late_table(reader, node, path, *table, scenario);
        return make_torque(model, entity, *table);
      }
    }
  } catch (const std::invalid_argument& error) {
    reader.error(node, path, error.what());
  }
  return std::nullopt;
}

}  // namespace pequod
