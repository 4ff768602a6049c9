// Scenes and robots written to a folder of their own for one test.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/urdf.h"

namespace pequod::test {

namespace fs = std::filesystem;

/// A folder that goes when the test ends.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = fs::temp_directory_path() /
            ("pequod-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

  /// The text without this folder's name.
  [[nodiscard]] std::string relative(std::string text) const {
    const std::string prefix = path_.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

 private:
  fs::path path_;
};

/// Every scene under examples/; the problems of other commands have a folder of their own.
inline std::vector<fs::path> example_scenes() {
  std::vector<fs::path> scenes;
  for (const fs::path& path : fs::recursive_directory_iterator("examples"))
    if (path.extension() == ".yaml" && path.parent_path().filename() != "quasistatic")
      scenes.push_back(path);
  return scenes;
}

/// What is reported for a scene of this text, of at least the given severity.
inline std::string report(const Folder& folder, const std::string& text,
                          Severity least = Severity::error, const SceneOptions& options = {}) {
  Diagnostics diagnostics;
  (void)load_scene(folder.write("s.yaml", text), options, diagnostics);
  return folder.relative(diagnostics.text(least));
}

inline std::string report(const std::string& text, Severity least = Severity::error) {
  return report(Folder(), text, least);
}

/// A scene, which must be right.
inline Scenario load(const fs::path& path, const SceneOptions& options = {}) {
  Diagnostics diagnostics;
  Scenario scenario = load_scene(path, options, diagnostics);
  if (!diagnostics.ok()) throw std::runtime_error(diagnostics.text());
  return scenario;
}

/// The same of this text.
inline Scenario load(const Folder& folder, const std::string& text,
                     const SceneOptions& options = {}) {
  return load(folder.write("s.yaml", text), options);
}

/// What is reported for a URDF of this text.
inline std::string report_urdf(const std::string& text, Severity least = Severity::error) {
  const Folder folder;
  Diagnostics diagnostics;
  (void)load_urdf(folder.write("r.urdf", text), {}, diagnostics);
  return folder.relative(diagnostics.text(least));
}

/// The shared folder of robots, terrain and problems beside the source tree, if there is one.
inline std::optional<fs::path> shared_folder() {
  const char* named = std::getenv("PEQUOD_SHARED");
  for (const fs::path& candidate :
       {fs::path(named == nullptr ? "" : named), fs::path("../shared"), fs::path("../../shared")}) {
    if (fs::is_directory(candidate / "robots")) return candidate;
  }
  return std::nullopt;
}

/// The same, and the words by which ctest knows a skipped test. Cases that need the folder are in a
/// test suite "shared" or "long-shared", which ctest runs by themselves.
inline std::optional<fs::path> shared_or_skip() {
  std::optional<fs::path> folder = shared_folder();
  if (!folder) MESSAGE("SKIPPED: PEQUOD_SHARED names no folder of robots, terrain and problems");
  return folder;
}

}  // namespace pequod::test
