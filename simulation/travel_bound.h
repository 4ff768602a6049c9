// How far the shapes of a model may have been moved, from positions or velocities alone.
#pragma once

#include <vector>

#include "core/model.h"
#include "core/parallel.h"

namespace pequod {

/// Bounds along the branches of each tree: what a joint turns by, times how far anything behind it
/// reaches from it at most, added up from the root. They need no pose.
class TravelBound {
 public:
  /// @param radius  m, of each shape about its frame's origin
  TravelBound(const Model& model, const std::vector<double>& radius);

  /// m: no point of any shape is farther from where it was at q_a, in a model at q_b. +∞ where a
  /// turn may carry something arbitrarily far, as along a slider without limits.
  /// @param team  whose threads share the trees
  [[nodiscard]] double between(const VectorXd& q_a, const VectorXd& q_b,
                               const Team* team = nullptr) const;
  /// m/s: no point of any shape is faster.
  [[nodiscard]] double speed(const VectorXd& v, const Team* team = nullptr) const;
  /// m or m/s, by which a bound of either kind grows at most where the coordinates change from a to
  /// b: by the largest change alone. Infinite where that may be anything.
  [[nodiscard]] double growth(const VectorXd& a, const VectorXd& b) const {
    const double change = (b - a).lpNorm<Eigen::Infinity>();
    return change > 0.0 ? of_all_ * change : 0.0;
  }

 private:
  const Model* model_;
  std::vector<double>
      reach_;            // m, of each link: from its origin to whatever it or those behind carry
  double of_all_ = 0.0;  // the bound if all coordinates change by 1
};

}  // namespace pequod
