#include "contact/solvers/registry/friction_solvers.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "contact/solvers/friction/dense/coulomb_chain.h"
#include "contact/solvers/friction/sparse/sparse_friction.h"
#include "contact/solvers/reference/friction_enumeration.h"
#include "contact/solvers/reference/friction_methods.h"

namespace pequod {

namespace {

constexpr Index kMostDenseRows = 6000;  // a matrix of 288 MB, of which a method has some

std::vector<FrictionSolver> dense_rows() {
  std::vector<FrictionSolver> rows = {
      {"coulomb", "chain of methods, each ended by Newton's on exact modes", solve_coulomb}};
  for (const FrictionMethod& method : friction_methods())
    rows.push_back({method.name, method.description, method});
  rows.push_back(
      {"enumerate", "all modes of a planar problem, seven contacts at most", solve_by_enumeration});
  return rows;
}

SparseFrictionSolver on_dense(const FrictionSolver& dense) {
  const auto solve = [by = dense.solve](const SparseFrictionProblem& problem,
                                        const FrictionOptions& options,
                                        std::span<const double> warm_start,
                                        FrictionWorkspace& workspace, FrictionSolution& solution) {
    check(problem);
    if (problem.q.size() > kMostDenseRows)
      throw std::invalid_argument("friction problem: W has " + std::to_string(problem.q.size()) +
                                  " rows, the method takes " + std::to_string(kMostDenseRows));
    by({problem.dimension, MatrixXd(problem.W), problem.q, problem.mu, problem.mu_rolling,
        problem.associated, problem.scale},
       options, warm_start, workspace, solution);
  };
  return {dense.name, dense.description, solve};
}

std::vector<SparseFrictionSolver> sparse_rows() {
  std::vector<SparseFrictionSolver> rows = {
      {"semismooth-newton", "sweeps, then Newton's method by BiCGSTAB", solve_sparse_newton}};
  for (const FrictionSolver& dense : friction_solvers())
    if (dense.name != rows.front().name) rows.push_back(on_dense(dense));
  return rows;
}

}  // namespace

std::span<const FrictionSolver> friction_solvers() {
  static const std::vector<FrictionSolver> rows = dense_rows();
  return rows;
}

std::span<const SparseFrictionSolver> sparse_friction_solvers() {
  static const std::vector<SparseFrictionSolver> rows = sparse_rows();
  return rows;
}

}  // namespace pequod
