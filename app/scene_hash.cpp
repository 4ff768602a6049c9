#include "app/scene_hash.h"

#include <yaml-cpp/yaml.h>

#include <bit>
#include <variant>

#include "scene/mesh_file.h"
#include "scene/urdf.h"
#include "simulation/checkpoint.h"
#include "simulation/csv.h"

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

// Bytes of every file named by a key `urdf` or `file` below the node.
void add_named_files(const YAML::Node& node, const std::filesystem::path& folder,
                     const std::vector<std::filesystem::path>& packages, Hasher& hasher) {
  if (node.IsSequence())
    for (const YAML::Node& item : node) add_named_files(item, folder, packages, hasher);
  if (!node.IsMap()) return;
  for (const auto& entry : node) {
    const std::string& key = entry.first.Scalar();
    if ((key != "urdf" && key != "file") || !entry.second.IsScalar()) {
      add_named_files(entry.second, folder, packages, hasher);
      continue;
    }
    Diagnostics ignored;  // the scene was loaded, so what it needs was found
    const auto path = find_file(entry.second.Scalar(), folder, packages, {}, ignored);
    if (path) hasher.add(read_file(*path));
  }
}

}  // namespace

std::uint64_t hash_scene(const std::filesystem::path& path, const SceneOptions& options,
                         const Scenario& scenario) {
  Hasher hasher;
  const std::string text = read_file(path);
  hasher.add(text);
  std::vector<std::filesystem::path> packages = options.package_paths;
  for (const auto& folder : package_paths_from_environment()) packages.push_back(folder);
  add_named_files(YAML::Load(text), path.parent_path(), packages, hasher);
  for (const Shape& shape : scenario.model.shapes) {
    if (const auto* convex = std::get_if<Convex>(&shape.geometry)) hasher.add(convex->vertices);
    if (const auto* mesh = std::get_if<Mesh>(&shape.geometry)) hasher.add(mesh->vertices);
  }
  for (const std::string& word : {scenario.integrator.method, scenario.contact.model,
                                  scenario.contact.solver, scenario.contact.restitution})
    hasher.add(word);
  for (const double x : {scenario.integrator.step, scenario.integrator.tolerance, scenario.duration,
                         scenario.record.every})
    hasher.add(x);
  hasher.add(scenario.record.steps ? "steps" : "");
  return hasher.value();
}

}  // namespace pequod::app
