#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "contact/solvers/friction_problem.h"

namespace pequod {

/// Buffers of the friction solvers. They grow to the largest problem met, after which a solve
/// allocates nothing. A workspace carries no meaning from one solve to the next.
class FrictionWorkspace {
 public:
  struct Buffers;  ///< friction_buffers.h

  FrictionWorkspace();
  ~FrictionWorkspace();
  FrictionWorkspace(FrictionWorkspace&& other) noexcept;
  FrictionWorkspace& operator=(FrictionWorkspace&& other) noexcept;

  [[nodiscard]] Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
};

/// What every friction solver looks like.
/// @param warm_start  r of a similar problem, same contacts; empty: a cold start
/// @throws std::invalid_argument  as check(problem)
using SolveFriction = std::function<void(
    const FrictionProblem& problem, const FrictionOptions& options,
    std::span<const double> warm_start, FrictionWorkspace& workspace, FrictionSolution& solution)>;

struct FrictionSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveFriction solve;
};

/// All of them, the default first.
[[nodiscard]] std::span<const FrictionSolver> friction_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveFriction> find_friction_solver(std::string_view name);

/// The same for sparse problems: they keep no buffers, because their structure changes anyway.
using SolveSparseFriction = std::function<FrictionSolution(const SparseFrictionProblem& problem,
                                                           const FrictionOptions& options,
                                                           std::span<const double> warm_start)>;

struct SparseFrictionSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveSparseFriction solve;
};

/// All of them, the default first.
[[nodiscard]] std::span<const SparseFrictionSolver> sparse_friction_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveSparseFriction> find_sparse_friction_solver(std::string_view name);

}  // namespace pequod
