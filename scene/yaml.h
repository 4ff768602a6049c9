// YAML text with its places: what yaml-cpp reads wrongly or lets through is caught here.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "scene/diagnostics.h"
#include "scene/field.h"

namespace pequod {

/// The file's text. Reports an unreadable file and returns nothing.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& path,
                                                   const Place& named_at, Diagnostics& diagnostics);

/// The single document of a YAML text. Reports syntax errors and returns nothing.
[[nodiscard]] std::optional<YAML::Node> parse_yaml(const std::string& text, const std::string& file,
                                                   Diagnostics& diagnostics);

/// Where a node stands in the file.
[[nodiscard]] Place place_of(const YAML::Node& node, const std::string& file);

/// A number as a scene may write it, or why not.
struct NumberText {
  std::optional<double> value;  ///< may be ±∞, never NaN
  std::string problem, hint;
};
/// Decimal notation only: yaml-cpp would read "010" as octal 8 and "0x10" as 16.
[[nodiscard]] NumberText parse_number(std::string_view text);

/// Checks a node against its field, reporting everything that is wrong.
/// @param path  dotted name for messages, "" for the whole file
/// @return whether it is right
bool check_yaml(const YAML::Node& node, const Field& field, const std::string& path,
                const Place& place, Diagnostics& diagnostics);

/// Whether a node is right, without a report.
[[nodiscard]] bool is_valid(const YAML::Node& node, const Field& field);

/// The option of a tagged or either field that a node chose; nullptr if none fits.
[[nodiscard]] const Field* chosen(const YAML::Node& node, const Field& field);

// Values of nodes that have been checked; the fallback if the key is absent.
[[nodiscard]] double number_at(const YAML::Node& map, const char* key, double fallback);
[[nodiscard]] bool boolean_at(const YAML::Node& map, const char* key, bool fallback);
[[nodiscard]] std::string text_at(const YAML::Node& map, const char* key,
                                  const std::string& fallback);
[[nodiscard]] std::vector<double> numbers_in(const YAML::Node& sequence);
[[nodiscard]] Vector3d vector_at(const YAML::Node& map, const char* key, const Vector3d& fallback);

}  // namespace pequod
