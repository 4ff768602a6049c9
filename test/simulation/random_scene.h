// Scenes at random: every shape, contact model, level and integrator, each scene from its seed
// alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pequod::test {

/// A scene file and the files that it names.
struct RandomScene {
  std::string yaml;
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text
};

/// Which bodies a scene has.
enum class Crowd {
  few_on_ground,  ///< 1 to 4 on a plane, a height field or in a bowl, started apart or at rest
  each_other      ///< 2 to 4 that fly towards each other, without gravity or ground
};

/// One in four seeds has bodies that meet in flight; the others have a ground.
[[nodiscard]] Crowd crowd_of(std::uint64_t seed);

/// The scene of this seed. Bodies do not overlap: balls around them do not, or one shape lies on a
/// plane by its closed form.
[[nodiscard]] RandomScene random_scene(std::uint64_t seed);

/// Writes scene.yaml and its files. @return the path of scene.yaml
std::filesystem::path write_scene(const RandomScene& scene, const std::filesystem::path& folder);

}  // namespace pequod::test
