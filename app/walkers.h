// How far robots with a gait came, and whether they stayed on their feet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/options.h"

namespace pequod::app {

/// A robot that a trot drives, and how it stood at the start.
struct Walker {
  std::string name;
  int q_index = -1;                                   ///< of its free base
  int frame = -1;                                     ///< of its trunk, the base link
  Eigen::Vector3d start = Eigen::Vector3d::Zero();    ///< m
  Eigen::Vector3d heading = Eigen::Vector3d::Zero();  ///< unit, level: where its x axis pointed
  std::optional<double> fell_at;                      ///< s
};
[[nodiscard]] std::vector<Walker> find_walkers(const Scenario& scenario);

/// Signed, m, along the heading of the start.
[[nodiscard]] double distance_walked(const Walker& walker, const State& state);

/// Notes who has fallen by now: the trunk touches what never moves, or leans by more than 1 rad.
void watch_falls(const Model& model, const State& state, std::vector<Walker>& walkers);

}  // namespace pequod::app
