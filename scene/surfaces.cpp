// Surfaces, collision rules and forces: everything that names bodies by pattern.
#include <fmt/format.h>

#include <algorithm>

#include "scene/reader.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

bool names_frame(const Model& model, const std::string& pattern, const Frame& frame) {
  return glob_match(pattern, frame.name) ||
         glob_match(pattern, nth(model.entities, frame.entity).name);
}

std::vector<int> matching_frames(const Model& model, const std::string& pattern) {
  std::vector<int> found;
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    if (names_frame(model, pattern, model.frames[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<std::string> known_names(const Model& model) {
  std::vector<std::string> names;
  for (const Entity& entity : model.entities) names.push_back(entity.name);
  for (const Frame& frame : model.frames) names.push_back(frame.name);
  return names;
}

/// Reports a name that matches nothing, unless it may be that of a body that could not be read.
bool check_name(const SceneReader& reader, const std::string& path, const YAML::Node& node,
                const Model& model, const std::set<std::string>& failed) {
  const std::string& pattern = node.Scalar();
  if (!matching_frames(model, pattern).empty()) return true;
  const std::string owner = pattern.substr(0, pattern.find('/'));
  for (const std::string& name : failed) {
    if (glob_match(owner, name)) return false;
  }
  std::string hint = did_you_mean(pattern, known_names(model));
  if (hint.empty()) {
    std::vector<std::string> names;
    for (const Entity& entity : model.entities) names.push_back(entity.name);
    if (!names.empty()) hint = "there are: " + join(names);
  }
  reader.error(node, path, "\"" + pattern + "\" matches nothing", hint);
  return false;
}

/// What one rule is for.
struct RuleUse {
  std::vector<char> a, b;  ///< per frame: whether the pattern names it
  bool decides = false;    ///< it is the first that names some pair that may touch
  int behind = -1;         ///< a rule that comes first for a pair; −1: it names no pair

  RuleUse(const Model& model, const SurfaceRule& rule) {
    for (const Frame& frame : model.frames) {
      a.push_back(names_frame(model, rule.a, frame) ? 1 : 0);
      b.push_back(names_frame(model, rule.b, frame) ? 1 : 0);
    }
  }
  [[nodiscard]] bool names(int frame_a, int frame_b) const {
    const auto i = static_cast<std::size_t>(frame_a), j = static_cast<std::size_t>(frame_b);
    return (a[i] != 0 && b[j] != 0) || (a[j] != 0 && b[i] != 0);
  }
};

}  // namespace

int find_one_frame(const SceneReader& reader, const std::string& path, const YAML::Node& node,
                   const Model& model, const std::set<std::string>& failed) {
  const std::string& name = node.Scalar();
  int found = -1;
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    const Frame& frame = model.frames[f];
    const Entity& entity = nth(model.entities, frame.entity);
    const bool base = entity.name == name && entity.first_frame == static_cast<int>(f);
    if (frame.name == name || base) found = static_cast<int>(f);
  }
  if (found < 0 && check_name(reader, path, node, model, failed))
    reader.error(node, path, "must name one body or link, without globs");
  return found;
}

std::vector<SurfaceRule> read_surfaces(const SceneReader& reader, const YAML::Node& surfaces,
                                       const Model& model, const std::set<std::string>& failed) {
  std::vector<SurfaceRule> rules;
  for (std::size_t i = 0; surfaces && i < surfaces.size(); ++i) {
    const YAML::Node node = surfaces[i];
    const YAML::Node between = node["between"];
    const std::string path = "surfaces[" + std::to_string(i) + "].between";
    check_name(reader, path, between[0], model, failed);
    check_name(reader, path, between[1], model, failed);
    SurfaceRule rule{between[0].Scalar(), between[1].Scalar(), Surface{}};
    rule.surface.friction = number_at(node, "friction", rule.surface.friction);
    rule.surface.static_friction = number_at(node, "static_friction", 0.0);
    rule.surface.viscous = number_at(node, "viscous", rule.surface.viscous);
    rule.surface.restitution = number_at(node, "restitution", rule.surface.restitution);
    rules.push_back(rule);
  }
  return rules;
}

void warn_of_idle_surfaces(const SceneReader& reader, const YAML::Node& surfaces,
                           const Model& model, const std::vector<SurfaceRule>& rules) {
  std::vector<RuleUse> uses;
  for (const SurfaceRule& rule : rules) uses.emplace_back(model, rule);
  std::size_t idle = uses.size();
  bool any_pair = false;
  for (std::size_t a = 0; a < model.shapes.size() && idle > 0; ++a) {
    for (std::size_t b = a + 1; b < model.shapes.size() && idle > 0; ++b) {
      if (!model.may_collide(static_cast<int>(a), static_cast<int>(b))) continue;
      any_pair = true;
      int first = -1;
      for (std::size_t r = 0; r < uses.size(); ++r) {
        RuleUse& use = uses[r];
        if (!use.names(model.shapes[a].frame, model.shapes[b].frame)) continue;
        if (first < 0) {
          first = static_cast<int>(r);
          idle -= use.decides ? 0 : 1;
          use.decides = true;
        } else if (use.behind < 0) {
          use.behind = first;
        }
      }
    }
  }
  for (std::size_t r = 0; r < uses.size(); ++r) {
    // A last rule for whatever is left may be left with nothing.
    const bool rest = rules[r].a == "*" && rules[r].b == "*";
    if (uses[r].decides || rest || !any_pair) continue;
    const int behind = uses[r].behind;
    reader.diagnostics.warning(reader.at(surfaces[r]),
                               "surfaces[" + std::to_string(r) + "] never applies: " +
                                   (behind < 0 ? "nothing that it names can touch"
                                               : "the first match wins, and surfaces[" +
                                                     std::to_string(behind) + "] stands above it"),
                               behind < 0 ? "" : "put the rule for fewer pairs first");
  }
}

std::vector<CollideRule> read_collide(const SceneReader& reader, const YAML::Node& collide,
                                      const Model& model, const std::set<std::string>& failed) {
  std::vector<CollideRule> rules;
  for (std::size_t i = 0; collide && i < collide.size(); ++i) {
    const YAML::Node node = collide[i];
    const std::string path = "collide[" + std::to_string(i) + "]";
    const bool known = check_name(reader, path, node[0], model, failed) &&
                       check_name(reader, path, node[1], model, failed);
    if (!known) continue;
    for (const int a : matching_frames(model, node[0].Scalar())) {
      for (const int b : matching_frames(model, node[1].Scalar())) {
        if (a != b) rules.push_back({a, b, node[2].Scalar() == "true"});
      }
    }
  }
  return rules;
}

std::vector<ExternalForce> read_forces(const SceneReader& reader, const YAML::Node& forces,
                                       const Model& model, const std::set<std::string>& failed) {
  std::vector<ExternalForce> result;
  for (std::size_t i = 0; forces && i < forces.size(); ++i) {
    const YAML::Node node = forces[i];
    const std::string path = "forces[" + std::to_string(i) + "]";
    ExternalForce force;
    force.frame = find_one_frame(reader, path + ".on", node["on"], model, failed);
    if (force.frame < 0) continue;
    if (nth(model.frames, force.frame).link < 0) {
      reader.error(node["on"], path + ".on", "\"" + node["on"].Scalar() + "\" never moves");
    }
    force.from = number_at(node, "from", 0.0);
    force.to = number_at(node, "to", kInfinity);
    if (force.from >= force.to) reader.error(node, path, "ends before it begins: from >= to");
    force.force = vector_at(node, "force", Vector3d::Zero());
    force.torque = vector_at(node, "torque", Vector3d::Zero());
    if (!node["force"] && !node["torque"] && force.from < force.to)
      reader.error(node, path, "does nothing", "give it a force, N, or a torque, N·m");
    result.push_back(force);
  }
  return result;
}

void tell_idle_forces(const SceneReader& reader, const YAML::Node& forces,
                      const Scenario& scenario) {
  const double start = scenario.initial.t, end = end_time(scenario);
  for (std::size_t i = 0; i < scenario.forces.size(); ++i) {
    const ExternalForce& force = scenario.forces[i];
    const Place place = reader.at(forces[i]);
    const std::string path = "forces[" + std::to_string(i) + "]";
    if (force.to <= start)
      reader.diagnostics.warning(
          place,
          path + fmt::format(" never acts: it ends at {:g} s, and the run begins at {:g} s",
                             force.to, start),
          "times of forces are compared with t");
    else if (force.from >= end && force.from > start)
      reader.diagnostics.note(
          place,
          path + fmt::format(" does not act in this run: it begins at {:g} s, and the run ends at "
                             "{:g} s",
                             force.from, end),
          "a longer duration reaches it");
    else if (force.force.isZero(0.0) && force.torque.isZero(0.0))
      reader.diagnostics.note(place, path + " is zero");
  }
}

}  // namespace pequod
