#pragma once

#include <functional>
#include <memory>
#include <span>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

/// Buffers of the friction solvers on matrices. They grow to the largest problem met, after which a
/// solve allocates nothing, of a sparse W one of the same structure. A workspace carries no meaning
/// from one solve to the next.
class FrictionWorkspace {
 public:
  struct Buffers;  ///< friction_buffers.h

  FrictionWorkspace();
  ~FrictionWorkspace();
  FrictionWorkspace(FrictionWorkspace&& other) noexcept;
  FrictionWorkspace& operator=(FrictionWorkspace&& other) noexcept;

  [[nodiscard]] Buffers& buffers() { return *buffers_; }
  void poison();

 private:
  std::unique_ptr<Buffers> buffers_;
};

/// What every friction solver looks like.
/// @param warm_start  r of a similar problem, same contacts; empty: a cold start
/// @throws std::invalid_argument  as check(problem)
template <class Problem>
using SolveContacts = std::function<void(const Problem& problem, const FrictionOptions& options,
                                         std::span<const double> warm_start,
                                         FrictionWorkspace& workspace, FrictionSolution& solution)>;

using SolveFriction = SolveContacts<FrictionProblem>;
using SolveSparseFriction = SolveContacts<SparseFrictionProblem>;

}  // namespace pequod
