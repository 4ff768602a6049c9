// Writes random scenes as files, a folder each: write_scenes DIR [--robots] SEED...
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "test/simulation/random_robots.h"
#include "test/simulation/random_scene.h"

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "write_scenes DIR [--robots] SEED...\n";
    return 2;
  }
  const bool robots = std::string(words[2]) == "--robots";
  for (int i = robots ? 3 : 2; i < count; ++i) {
    const std::uint64_t seed = std::strtoull(words[i], nullptr, 10);
    const std::filesystem::path folder = std::filesystem::path(words[1]) / std::to_string(seed);
    pequod::test::write_scene(
        robots ? pequod::test::random_robots(seed) : pequod::test::random_scene(seed), folder);
  }
  return 0;
}
