// The contact problems of a run, each to a file of its own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "contact/solvers/complementarity/baraff.h"
#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "scene/problem.h"

namespace pequod::app {

/// Writes problem-00000001.yaml and so on, in the order in which they are solved, each with its
/// warm start and with what the solver made of it.
class ProblemRecorder {
 public:
  /// Creates the folder if there is none.
  /// @param solver  of the run's least-distance problems
  /// @param cones   of its problems with friction cones (dense ones) or pyramids, if it has any
  /// @param go_on   whether the numbers go on behind those that are there, as a resumed run does:
  ///                what was solved between its last checkpoint and its end then comes twice
  /// @throws RunFolderRefused  if problems are there and the numbers are not to go on
  /// @throws FileError
  ProblemRecorder(const std::filesystem::path& folder, std::string solver, bool go_on,
                  std::string cones = {});

  /// @throws FileError
  void write(const LeastDistanceProblem& problem, std::span<const int> warm_start,
             const LeastDistanceSolution& solution);
  void write(const FrictionProblem& problem, std::span<const double> warm_start,
             const FrictionSolution& solution);
  void write(const SparseFrictionProblem& problem, std::span<const double> warm_start,
             const FrictionSolution& solution);
  void write(const FrictionProblem& problem, const MaximumDissipationOptions& options,
             const MaximumDissipationSolution& solution);
  void write(const LcpProblem& problem, const LcpSolution& solution);
  /// Of a choice of modes, solved by `coulomb`; that by rows as an LCP with the answer of `baraff`.
  void write(const FrictionProblem& problem, const FrictionSolution& solution);
  void write(const BaraffProblem& problem, const LcpSolution& solution);

 private:
  template <typename Friction>
  void write_friction(const Friction& problem, std::string_view solver,
                      std::span<const double> warm_start, const FrictionSolution& solution);
  void write(const Problem& problem);
  std::filesystem::path folder_;
  std::string solver_, cones_;
  long last_ = 0;
};

}  // namespace pequod::app
