// What scenes at random draw from: numbers, shapes, surfaces, integrators and models.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "test/simulation/random_scene.h"
#include "test/support/random.h"

namespace pequod::test {

/// Draws of one scene.
struct Dice : Random {
  using Random::Random;
  bool chance(double p) { return uniform(0.0, 1.0) < p; }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator); }
  template <typename T, std::size_t N>
  const T& of(const std::array<T, N>& choices) {
    return nth(choices, below(static_cast<int>(N)));
  }
  double scaled(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
};

/// One body's shape, where it could lie on a plane, and what holds it.
struct Piece {
  std::string shape;    ///< YAML
  double rest = 0.0;    ///< m, height of the frame over a plane it stands on; 0: no such pose
  double radius = 0.0;  ///< m, of a ball about the frame that holds it
};

/// As YAML.
[[nodiscard]] std::string text(const Vector3d& x);
[[nodiscard]] std::string text(const Quaterniond& q);

/// One of the seven kinds of shapes that can move; the plane and the height field are grounds.
/// @param scene  gets the files of those that have some
[[nodiscard]] Piece random_piece(Dice& dice, RandomScene& scene);

/// A surface in the format of Wavefront, triangles by their vertices from 0 on.
[[nodiscard]] std::string obj(const std::vector<Vector3d>& vertices,
                              const std::vector<std::array<int, 3>>& triangles);

/// A free body, as YAML.
[[nodiscard]] std::string body_text(int i, double mass, const Piece& piece, const Vector3d& p,
                                    const Matrix3d& R, const Vector3d& v, const Vector3d& w);

/// The integrator and the contact model, with a level it has: two lines of YAML.
/// @param finer  times steps of 1 to 4 ms
[[nodiscard]] std::string random_choices(Dice& dice, double finer = 1.0);
/// The surfaces of all pairs, as YAML.
[[nodiscard]] std::string random_surfaces(Dice& dice);

}  // namespace pequod::test
