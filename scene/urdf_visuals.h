// What the links of a URDF look like.
#pragma once

#include <tinyxml2.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/visual.h"
#include "scene/diagnostics.h"

namespace pequod {

/// The <visual> elements of one file. A picture decides nothing in a run, so none is an error: what
/// cannot be drawn is counted in notes. Meshes are looked for as those of collisions are, and not
/// opened.
class UrdfVisuals {
 public:
  /// Reads the colours of named materials.
  /// @param file  of the URDF, to whose folder names are relative
  UrdfVisuals(const tinyxml2::XMLElement& robot, std::string file,
              std::vector<std::filesystem::path> package_paths);

  /// What is to be drawn of a <link>, in the order of the file.
  [[nodiscard]] std::vector<Visual> of(const tinyxml2::XMLElement& link);

  /// Notes on what of() left out.
  void report(Diagnostics& diagnostics) const;

 private:
  using Colour = std::array<double, 4>;
  /// Pictures that are left out for one reason.
  struct LeftOut {
    Place first;
    std::string name;  ///< of the first one's file
    int count = 0;
  };
  using Drawn = std::variant<Geometry, MeshFile>;

  [[nodiscard]] std::optional<Drawn> geometry(const tinyxml2::XMLElement& visual);
  [[nodiscard]] std::optional<Drawn> mesh(const tinyxml2::XMLElement& xml);
  [[nodiscard]] std::optional<Colour> colour(const tinyxml2::XMLElement& visual) const;
  void leave_out(LeftOut& reason, const tinyxml2::XMLElement& xml, const std::string& name) const;
  void learn(const tinyxml2::XMLElement& parent);

  std::string file_;
  std::vector<std::filesystem::path> package_paths_;
  std::map<std::string, Colour> materials_;
  LeftOut missing_, malformed_;
};

}  // namespace pequod
