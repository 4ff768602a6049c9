// Solves a problem of any kind by a solver's name, and judges the answer from the problem alone.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/problem.h"

namespace pequod::app {

/// An answer counts as solved if its relative natural map is at most this.
inline constexpr double kSolved = 1e-8;

/// "solved", "no-solution", "failed".
[[nodiscard]] std::string_view name(SolveStatus status);

struct Answer {
  SolveStatus status = SolveStatus::failed;
  /// Why it is not solved. Beside `solved`: what the solver itself held against it, if anything.
  std::string reason;
  std::string solver;  ///< that produced x
  std::string method;  ///< the stage of it, if it has any
  std::string model;   ///< "coulomb" or "associated" of friction problems, else empty

  Eigen::VectorXd x;  ///< the unknowns in the order of the file
  /// M x + q, of programs the gradient; velocities of friction problems; of least-distance problems
  /// how far each row of E, then of G, is from its right side.
  Eigen::VectorXd y;
  /// What else belongs to the answer: body velocities, multipliers, a proof that there is none.
  std::vector<std::pair<std::string, Eigen::VectorXd>> more;

  double natural_map = NAN;  ///< relative
  std::vector<std::pair<std::string, double>> residuals;
  int pivots = 0;     ///< or iterations
  double time = 0.0;  ///< s, of the solve alone; the least of three if it takes less than 10 ms
  /// What the solve that was timed began from: "cold", nothing; "file", what the file gives;
  /// "warm", the answer of a solve before it.
  std::string start = "cold";
  /// Whether a recorded answer of the same solver came again bit for bit; none if there is none.
  std::optional<bool> repeated;
};

struct SolverName {
  std::string name, description;
};

/// The solvers that serve problems of a kind, the default first.
[[nodiscard]] std::vector<SolverName> solvers_of(ProblemKind kind);

/// Chooses Coulomb's law for a friction problem, or the convex model in its place.
/// @return false if it is no friction problem
bool choose_model(Problem& problem, bool associated);

/// Solves a problem. Whatever goes wrong is a status, not an exception.
/// @param solver  one of solvers_of(problem.kind); empty: the default
/// @param warm    solve it twice, the second time from the first answer
[[nodiscard]] Answer answer(const Problem& problem, std::string_view solver, bool warm = false);

}  // namespace pequod::app
