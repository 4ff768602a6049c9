// Worlds of many robots and bodies, of which most do not touch, as texts of scenes.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace pequod::test {

/// Robots that trot beside each other, no two alike.
inline std::string many_robots(const std::string& choices) {
  std::string text = "duration: 10\n" + choices +
                     "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\n"
                     "robots:\n";
  const std::string urdf = std::filesystem::absolute("examples/robots/mara.urdf").string();
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    text += "  mara" + n + ":\n    urdf: " + urdf + "\n    base: {position: [" +
            std::to_string(3 * (i % 8)) + ", " + std::to_string(3 * (i / 8)) +
            ", 0.5]}\n    controller: {type: trot, velocity: [0." + std::to_string(2 + i % 3) +
            ", 0, 0], gait: {period: 0." + std::to_string(40 + i) + "}}\n";
  }
  return text;
}

/// Balls in heaps of their own, and others that fly alone; some meet while they fall.
inline std::string many_balls(const std::string& choices) {
  std::mt19937 chance(7);
  const auto draw = [&](double most) {
    return most * static_cast<double>(chance()) / static_cast<double>(std::mt19937::max());
  };
  std::string text =
      "duration: 10\n" + choices + "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\n";
  for (int i = 0; i < 240; ++i) {
    const int heap = i / 6, at = i % 6, row = heap / 8, column = heap % 8;
    text += "  ball" + std::to_string(i) +
            ": {mass: 0.5, shape: {sphere: {radius: 0.05}}, position: [" +
            std::to_string(column + 0.04 * draw(1.0)) + ", " +
            std::to_string(row + 0.04 * draw(1.0)) + ", " +
            std::to_string(0.051 + 0.12 * at + 0.01 * draw(1.0)) + "], velocity: [" +
            std::to_string(draw(0.2)) + ", 0, 0]}\n";
  }
  return text + "surfaces:\n  - {between: [\"*\", \"*\"], friction: 0.3, restitution: 0.3}\n";
}

}  // namespace pequod::test
