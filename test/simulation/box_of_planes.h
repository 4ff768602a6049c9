// What bodies are thrown into.
#pragma once

namespace pequod::test {

/// The bodies of a scene, begun with one that is fixed: a floor and four walls, 0.6 m apart.
inline constexpr const char* kBoxOfPlanes = R"(
bodies:
  box:
    fixed: true
    shapes:
    - {shape: {plane: {normal: [0, 0, 1]}}}
    - {shape: {plane: {normal: [1, 0, 0]}}, position: [-0.3, 0, 0]}
    - {shape: {plane: {normal: [-1, 0, 0]}}, position: [0.3, 0, 0]}
    - {shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.3, 0]}
    - {shape: {plane: {normal: [0, -1, 0]}}, position: [0, 0.3, 0]}
)";

}  // namespace pequod::test
