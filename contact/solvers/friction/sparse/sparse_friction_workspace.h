#pragma once

#include <functional>
#include <memory>
#include <span>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

/// Buffers of the sparse solvers: after the first solve of a structure of W another one allocates
/// nothing (but for `admm` on a W that is not symmetric). No meaning from one solve to the next.
class SparseFrictionWorkspace {
 public:
  struct Buffers;  ///< sparse_friction_buffers.h

  SparseFrictionWorkspace();
  ~SparseFrictionWorkspace();
  SparseFrictionWorkspace(SparseFrictionWorkspace&& other) noexcept;
  SparseFrictionWorkspace& operator=(SparseFrictionWorkspace&& other) noexcept;

  [[nodiscard]] Buffers& buffers() { return *buffers_; }
  void poison();

 private:
  std::unique_ptr<Buffers> buffers_;
};

/// The same as SolveFriction for sparse problems.
using SolveSparseFriction =
    std::function<void(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution)>;

}  // namespace pequod
