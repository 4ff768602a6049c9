// Writes random scenes as files, a folder each: write_scenes DIR [--robots | --rough] SEED...
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "test/simulation/random_robots.h"
#include "test/simulation/random_rough.h"
#include "test/simulation/random_scene.h"

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "write_scenes DIR [--robots | --rough] SEED...\n";
    return 2;
  }
  const std::string kind = words[2];
  const bool robots = kind == "--robots", rough = kind == "--rough";
  const auto generate = robots  ? pequod::test::random_robots
                        : rough ? pequod::test::random_rough
                                : pequod::test::random_scene;
  for (int i = robots || rough ? 3 : 2; i < count; ++i) {
    const std::uint64_t seed = std::strtoull(words[i], nullptr, 10);
    const std::filesystem::path folder = std::filesystem::path(words[1]) / std::to_string(seed);
    pequod::test::write_scene(generate(seed), folder);
  }
  return 0;
}
