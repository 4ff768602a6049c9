#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/sparse/block_friction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/sparse_factor.h"

namespace pequod {

struct BlockAdmmSettings {
  int iterations = 2000;
  double tolerance = 1e-9;  ///< ends where the natural map is at most this times S
};

struct BlockAdmmResult {
  bool converged = false;
  int iterations = 0;
};

/// W + c I, factorised.
class ShiftedFactor {
 public:
  void set(const BlockFriction& problem);
  /// @return whether no pivot vanished
  bool factorise(double shift) { return factor_.factorise(values_, shift, symmetric_); }
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) { factor_.solve(right, x); }

 private:
  void find_mirrored(const BlockFriction& problem);

  std::vector<int> starts_, columns_;  // W in compressed rows
  std::vector<double> values_;
  std::vector<int> mirror_start_, mirrored_, pattern_;  // of the transposed blocks; of one row
  bool symmetric_ = false;
  SparseFactor factor_;
};

/// Buffers; no meaning from one solve to the next.
struct BlockAdmmBuffers {
  ShiftedFactor factor;
  Eigen::VectorXd u, x, y, z, best, before, right, relaxed;

  void poison() { pequod::poison(u, x, y, z, best, before, right, relaxed); }
};

/// solve_admm for sparse problems, with x relaxed to 1.6 x − 0.6 y. Returns in ρ the y of least
/// natural map among those looked at.
BlockAdmmResult solve_admm(const BlockFriction& problem, const BlockAdmmSettings& settings,
                           BlockAdmmBuffers& buffers, Eigen::VectorXd& rho);

}  // namespace pequod
