// Plays efforts from a table.
#pragma once

#include <string>
#include <vector>

#include "simulation/controller.h"

namespace pequod {

/// Efforts at given times, held until the next row; zero before the first.
struct TorqueTable {
  double period = 0.001;        ///< s
  std::vector<double> times;    ///< s, increasing
  std::vector<int> links;       ///< column j drives the joint of Model::links[links[j]]
  std::vector<double> efforts;  ///< N·m or N, times.size() × links.size(), row-major
};

[[nodiscard]] Controller make_torque(const Model& model, int entity, const TorqueTable& table);

}  // namespace pequod
