// Values from the command line put into the tree of a scene.
#include <algorithm>

#include "scene/reader.h"

namespace pequod {
namespace {

/// The field of one key below `field`, given the node that stands there.
const Field* step_down(const Field& field, const YAML::Node& node, const std::string& key) {
  if (field.kind == Kind::named) return &field.of[0];
  const Field* table = field.kind == Kind::tagged ? chosen(node, field) : &field;
  if (table == nullptr) return nullptr;
  const auto found = std::ranges::find(table->of, key, &Field::key);
  return found == table->of.end() ? nullptr : &*found;
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

void apply(const YAML::Node& root, const std::string& path, const std::string& text,
           Diagnostics& diagnostics) {
  const Place place{"command line", 0, 0};
  const Field* field = &scene_fields();
  YAML::Node node = root;
  const std::vector<std::string> keys = split(path);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Field* inner = step_down(*field, node, keys[k]);
    if (inner == nullptr) {
      std::vector<std::string> valid;
      for (const Field& child : field->of) valid.push_back(child.key);
      diagnostics.error(place, path + ": unknown key \"" + keys[k] + "\"",
                        did_you_mean(keys[k], valid));
      return;
    }
    if (k + 1 == keys.size()) {
      const std::optional<YAML::Node> value = parse_yaml(text, place.file, diagnostics);
      if (value && check_yaml(*value, *inner, path, place, diagnostics)) node[keys[k]] = *value;
      return;
    }
    if (node[keys[k]].IsDefined() && !node[keys[k]].IsMap()) {
      node[keys[k]] = YAML::Node(YAML::NodeType::Map);  // "integrator:" with nothing below
    }
    node.reset(node[keys[k]]);
    field = inner;
  }
}

}  // namespace

void apply_overrides(const YAML::Node& root, const SceneOptions& options,
                     Diagnostics& diagnostics) {
  if (!root.IsMap()) return;
  for (const auto& [path, text] : options.overrides) apply(root, path, text, diagnostics);
}

}  // namespace pequod
