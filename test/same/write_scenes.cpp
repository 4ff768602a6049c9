// Writes random scenes as files, a folder each: write_scenes DIR SEED...
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "test/simulation/random_scene.h"

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "write_scenes DIR SEED...\n";
    return 2;
  }
  for (int i = 2; i < count; ++i) {
    const std::uint64_t seed = std::strtoull(words[i], nullptr, 10);
    const std::filesystem::path folder = std::filesystem::path(words[1]) / std::to_string(seed);
    pequod::test::write_scene(pequod::test::random_scene(seed), folder);
  }
  return 0;
}
