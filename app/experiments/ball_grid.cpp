#include "app/experiments/ball_grid.h"

#include <random>

namespace pequod::app {
namespace {

constexpr int kSide = 6;           // balls along an edge of the grid
constexpr double kPitch = 0.21;    // m
constexpr double kJitter = 0.001;  // m, each coordinate
constexpr double kRadius = 0.1;    // m

}  // namespace

// i, j, k with k innermost, drawn in the order x, y, z.
Scenario ball_grid(Scenario scenario, double restitution, unsigned seed) {
  const double height = restitution > 0.0 ? 1.101 : 0.101;
  for (Surface& surface : scenario.model.surfaces) surface.restitution = restitution;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> jitter(0.0, kJitter);
  for (Eigen::Index n = 0; n < scenario.initial.q.size() / 7; ++n) {
    const Eigen::Index i = n / (kSide * kSide), j = n / kSide % kSide, k = n % kSide;
    double* p = scenario.initial.q.data() + 7 * n;
    p[0] = kPitch * static_cast<double>(i) + jitter(random);
    p[1] = kPitch * static_cast<double>(j) + jitter(random);
    p[2] = kPitch * static_cast<double>(k) + jitter(random) + height;
  }
  return scenario;
}

double overlap(const State& state) {
  double sum = 0.0;
  const auto square = [](double depth) { return depth > 0.0 ? depth * depth : 0.0; };
  for (Eigen::Index i = 0; i < state.q.size(); i += 7) {
    sum += square(kRadius - state.q[i + 2]);
    for (Eigen::Index j = 0; j < i; j += 7)
      sum += square(2.0 * kRadius - (state.q.segment<3>(i) - state.q.segment<3>(j)).norm());
  }
  return sum;
}

}  // namespace pequod::app
