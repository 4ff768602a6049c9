#include "app/scene_hash.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <variant>

#include "scene/mesh_file.h"
#include "simulation/record/checkpoint.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

class Hasher {
 public:
  void add(std::string_view text) {
    value_ = hash_bytes(text, value_);
    add_word(text.size());  // "ab" + "c" is not "a" + "bc"
  }
  void add(double x) { add_word(std::bit_cast<std::uint64_t>(x)); }
  void add(const std::vector<Vector3d>& points) {
    for (const Vector3d& p : points)
      for (int i = 0; i < 3; ++i) add(p[i]);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_word(std::uint64_t word) {
    char bytes[sizeof(word)];
    for (char& byte : bytes) {
      byte = static_cast<char>(word & 0xff);
      word >>= 8;
    }
    value_ = hash_bytes({bytes, sizeof(bytes)}, value_);
  }
  std::uint64_t value_ = kHashStart;
};

void add_node(const YAML::Node& node, Hasher& hasher) {
  if (node.IsScalar()) hasher.add(node.Scalar());
  if (node.IsSequence()) {
    hasher.add("[");
    for (const YAML::Node& item : node) add_node(item, hasher);
    hasher.add("]");
  }
  if (node.IsMap()) {
    hasher.add("{");
    for (const auto& entry : node) {
      hasher.add(entry.first.Scalar());
      add_node(entry.second, hasher);
    }
    hasher.add("}");
  }
}

std::uint64_t hash_node(const YAML::Node& node) {
  Hasher hasher;
  add_node(node, hasher);
  return hasher.value();
}

// Every file named by a key `urdf` or `file` below the node.
void add_named_files(const YAML::Node& node, const std::filesystem::path& folder,
                     const std::vector<std::filesystem::path>& packages,
                     std::vector<InputPart>& parts) {
  if (node.IsSequence())
    for (const YAML::Node& item : node) add_named_files(item, folder, packages, parts);
  if (!node.IsMap()) return;
  for (const auto& entry : node) {
    const std::string& key = entry.first.Scalar();
    if ((key != "urdf" && key != "file") || !entry.second.IsScalar()) {
      add_named_files(entry.second, folder, packages, parts);
      continue;
    }
    Diagnostics ignored;  // the scene was loaded, so what it needs was found
    const auto path = find_file(entry.second.Scalar(), folder, packages, {}, ignored);
    if (!path) continue;
    Hasher hasher;
    hasher.add(read_file(*path));
    parts.push_back({"file " + entry.second.Scalar(), hasher.value()});
  }
}

// The sections of a scene; of bodies and robots each one, and their order, which numbers them.
void add_sections(const YAML::Node& root, std::vector<InputPart>& parts) {
  // What stands in the scenario is taken from there: the command line may say otherwise.
  const std::string_view settings[] = {"name", "duration", "integrator", "contact", "record"};
  for (const auto& section : root) {
    const std::string& key = section.first.Scalar();
    if (std::find(std::begin(settings), std::end(settings), key) != std::end(settings)) continue;
    const bool named = (key == "bodies" || key == "robots") && section.second.IsMap();
    if (!named) {
      parts.push_back({key, hash_node(section.second)});
      continue;
    }
    Hasher order;
    for (const auto& item : section.second) {
      order.add(item.first.Scalar());
      parts.push_back({key + "." + item.first.Scalar(), hash_node(item.second)});
    }
    parts.push_back({"the order of " + key, order.value()});
  }
}

void add_settings(const Scenario& scenario, std::vector<InputPart>& parts) {
  const auto add = [&](const char* name, const auto& value) {
    Hasher hasher;
    hasher.add(value);
    parts.push_back({name, hasher.value()});
  };
  const IntegratorOptions& integrator = scenario.integrator;
  add("integrator.method", integrator.method);
  add("integrator.step", integrator.step);
  add("integrator.tolerance", integrator.tolerance);
  const ContactOptions& contact = scenario.contact;
  add("contact.model", contact.model);
  add("contact.level", contact.level);
  add("contact.solver", contact.solver);
  add("contact.edges", static_cast<double>(contact.edges));
  add("contact.viscous", contact.viscous);
  add("contact.tolerance", contact.tolerance);
  add("contact.unsolved", contact.unsolved);
  add("contact.sleep", contact.sleep);
  add("contact.scheme", contact.scheme);
  add("contact.restitution", contact.restitution);
  add("record.every", scenario.record.every);
  add("record.steps", scenario.record.steps ? 1.0 : 0.0);
}

}  // namespace

std::vector<InputPart> input_parts(const std::filesystem::path& path, const SceneOptions& options,
                                   const Scenario& scenario) {
  std::vector<InputPart> parts;
  const YAML::Node root = YAML::Load(read_file(path));
  add_sections(root, parts);
  add_named_files(root, path.parent_path(), options.package_paths, parts);
  Hasher meshes;
  for (const Shape& shape : scenario.model.shapes) {
    if (const auto* convex = std::get_if<Convex>(&shape.geometry)) meshes.add(convex->vertices);
    if (const auto* mesh = std::get_if<Mesh>(&shape.geometry)) meshes.add(mesh->vertices);
  }
  parts.push_back({"a mesh", meshes.value()});
  add_settings(scenario, parts);
  return parts;
}

std::uint64_t hash_of(const std::vector<InputPart>& parts) {
  Hasher hasher;
  for (const InputPart& part : parts) {
    hasher.add(part.name);
    hasher.add(std::to_string(part.hash));
  }
  return hasher.value();
}

std::vector<std::string> differing_parts(const std::vector<InputPart>& a,
                                         const std::vector<InputPart>& b) {
  std::vector<std::string> names;
  const auto add_missing = [&](const std::vector<InputPart>& from,
                               const std::vector<InputPart>& in) {
    for (const InputPart& part : from) {
      const bool same = std::ranges::any_of(in, [&](const InputPart& other) {
        return other.name == part.name && other.hash == part.hash;
      });
      if (!same && std::ranges::find(names, part.name) == names.end()) names.push_back(part.name);
    }
  };
  add_missing(a, b);
  add_missing(b, a);
  return names;
}

}  // namespace pequod::app
