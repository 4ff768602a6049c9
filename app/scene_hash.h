// Whether two runs were asked to do the same, and if not, where they differ.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace pequod::app {

/// Hash of one part of what a run was asked to do.
struct InputPart {
  std::string name;  ///< "integrator.step", "bodies.crate", "file robots/dog.urdf"
  std::uint64_t hash = 0;
};

/// All that a run depends on but for its duration: each body and robot, the other sections of the
/// scene, the files it names, the shapes read from meshes, and the settings, whether from the file
/// or from the command line.
/// @throws FileError
[[nodiscard]] std::vector<InputPart> input_parts(const std::filesystem::path& path,
                                                 const SceneOptions& options,
                                                 const Scenario& scenario);

/// Of all parts together.
[[nodiscard]] std::uint64_t hash_of(const std::vector<InputPart>& parts);

/// Names of the parts that differ, or that only one of the two has.
[[nodiscard]] std::vector<std::string> differing_parts(const std::vector<InputPart>& a,
                                                       const std::vector<InputPart>& b);

}  // namespace pequod::app
