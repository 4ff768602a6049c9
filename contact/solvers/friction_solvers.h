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
  void poison();

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

/// The same for sparse problems.
using SolveSparseFriction =
    std::function<void(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution)>;

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
