#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "scene/mesh_file.h"
#include "scene/reader.h"
#include "simulation/controllers/links_trot.h"
#include "simulation/controllers/pd.h"
#include "simulation/controllers/torque.h"
#include "simulation/controllers/trot.h"

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
    o.velocity_gain = number_at(gains, "velocity", o.velocity_gain);
    o.position_gain = number_at(gains, "position", o.position_gain);
    o.height_gain = number_at(gains, "height", o.height_gain);
    o.height_damping = number_at(gains, "height_damping", o.height_damping);
    o.tilt_gain = number_at(gains, "tilt", o.tilt_gain);
    o.tilt_damping = number_at(gains, "tilt_damping", o.tilt_damping);
    o.yaw_gain = number_at(gains, "yaw", o.yaw_gain);
    o.yaw_damping = number_at(gains, "yaw_damping", o.yaw_damping);
    o.swing_gain = number_at(gains, "swing", o.swing_gain);
    o.placement_gain = number_at(gains, "placement", o.placement_gain);
    o.leg_damping = number_at(gains, "leg_damping", o.leg_damping);
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
  const Entity& robot = model.entities[static_cast<std::size_t>(entity)];
  std::vector<std::string> names;
  for (int j = 0; j < robot.joints; ++j) {
    const std::string& name = model.joints[static_cast<std::size_t>(robot.first_joint + j)].name;
    names.push_back(name.substr(robot.name.size() + 1));
  }
  return names;
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
  const Entity& robot = model.entities[static_cast<std::size_t>(entity)];
  o.target.resize(robot.joints);
  for (int j = 0; j < robot.joints; ++j) {
    const NamedJoint& joint = model.joints[static_cast<std::size_t>(robot.first_joint + j)];
    o.target[j] = q[model.links[static_cast<std::size_t>(joint.link)].joint.q_index];
  }
  bool good = true;
  for (const auto& entry : target) {
    bool known = false;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (!glob_match(entry.first.Scalar(), names[j])) continue;
      o.target[static_cast<Eigen::Index>(j)] = *parse_number(entry.second.Scalar()).value;
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

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    const std::size_t begin = cell.find_first_not_of(" \t\r\"");
    const std::size_t end = cell.find_last_not_of(" \t\r\"");
    result.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return result;
}

bool read_header(const std::vector<std::string>& header, const Place& place, const Model& model,
                 int entity, TorqueTable& table, Diagnostics& diagnostics) {
  const std::vector<std::string> names = joint_names(model, entity);
  const Entity& robot = model.entities[static_cast<std::size_t>(entity)];
  if (header.size() < 2 || header[0] != "t") {
    diagnostics.error(place, "the header must be \"t\" and joint names");
    return false;
  }
  for (std::size_t c = 1; c < header.size(); ++c) {
    const auto known = std::find(names.begin(), names.end(), header[c]);
    if (known == names.end()) {
      diagnostics.error(place, "unknown joint \"" + header[c] + "\"",
                        did_you_mean(header[c], names));
      return false;
    }
    const auto j = static_cast<std::size_t>(known - names.begin());
    const int link = model.joints[static_cast<std::size_t>(robot.first_joint) + j].link;
    if (std::find(table.links.begin(), table.links.end(), link) != table.links.end()) {
      diagnostics.error(place, "joint \"" + header[c] + "\" has two columns");
      return false;
    }
    table.links.push_back(link);
  }
  return true;
}

/// Appends one row of times and efforts.
bool read_row(const std::vector<std::string>& row, const Place& place, TorqueTable& table,
              Diagnostics& diagnostics) {
  if (row.size() != table.links.size() + 1) {
    diagnostics.error(
        place, fmt::format("{} columns, the header has {}", row.size(), table.links.size() + 1));
    return false;
  }
  for (std::size_t c = 0; c < row.size(); ++c) {
    double value = 0.0;
    const char* end = row[c].data() + row[c].size();
    const auto [stop, code] = std::from_chars(row[c].data(), end, value);
    if (code != std::errc{} || stop != end || !std::isfinite(value)) {
      diagnostics.error(place, "\"" + row[c] + "\" is not a finite number");
      return false;
    }
    (c == 0 ? table.times : table.efforts).push_back(value);
  }
  if (table.times.size() > 1 && table.times.back() <= *(table.times.end() - 2)) {
    diagnostics.error(place, "times must increase");
    return false;
  }
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
  Place place{path->string(), 0, 0};
  std::istringstream stream(*text);
  bool header = true;
  for (std::string line; std::getline(stream, line);) {
    ++place.line;
    const std::vector<std::string> row = cells(line);
    if (row.empty() || row[0].empty() || row[0][0] == '#') continue;
    const bool good = header ? read_header(row, place, model, entity, table, reader.diagnostics)
                             : read_row(row, place, table, reader.diagnostics);
    if (!good) return std::nullopt;
    header = false;
  }
  if (table.times.empty()) {
    reader.diagnostics.error(place, "the table has no row");
    return std::nullopt;
  }
  return table;
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
                                          const Model& model, int entity, const VectorXd& q) {
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
      if (table) return make_torque(model, entity, *table);
    }
  } catch (const std::invalid_argument& error) {
    reader.error(node, path, error.what());
  }
  return std::nullopt;
}

}  // namespace pequod
