#include "contact/programs/linear_program.h"

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <stdexcept>
#include <string>

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Clp's own is 1e-7; vertices are computed anew from their bases by those who need more.
constexpr double kTolerance = 1e-9;
// Relative to the largest entry: rounding, which Clp's scaling would blow up to an entry like
// others.
constexpr double kZero = 1e-14;

void check_sizes(const LinearProgram& program) {
  const Index m = program.A.rows(), n = program.A.cols();
  if (program.row_lower.size() == m && program.row_upper.size() == m && program.lower.size() == n &&
      program.upper.size() == n && program.cost.size() == n)
    return;
  throw std::invalid_argument("linear program: A is " + std::to_string(m) + "×" +
                              std::to_string(n) + ", which its bounds or costs do not fit");
}

double clp_bound(double x) { return x >= COIN_DBL_MAX ? COIN_DBL_MAX : std::max(x, -COIN_DBL_MAX); }

VectorXd clp_bounds(const VectorXd& x) { return x.unaryExpr(&clp_bound); }

CoinPackedMatrix packed(const MatrixXd& A) {
  CoinPackedMatrix matrix(true, 0, 0);
  const double zero = A.size() > 0 ? kZero * A.cwiseAbs().maxCoeff() : 0.0;
  matrix.setDimensions(static_cast<int>(A.rows()), 0);
  std::vector<int> rows;
  std::vector<double> entries;
  for (Index j = 0; j < A.cols(); ++j) {
    rows.clear();
    entries.clear();
    for (Index i = 0; i < A.rows(); ++i) {
      if (std::abs(A(i, j)) <= zero) continue;
      rows.push_back(static_cast<int>(i));
      entries.push_back(A(i, j));
    }
    matrix.appendCol(static_cast<int>(rows.size()), rows.data(), entries.data());
  }
  return matrix;
}

}  // namespace

struct Simplex::Program {
  ClpSimplex clp;
  bool primal = true;  // costs have changed since the last solve
};

LinearProgram LinearProgram::standard(const MatrixXd& A, const VectorXd& b) {
  const Index n = A.cols();
  return {A, b, b, VectorXd::Zero(n), VectorXd::Constant(n, INFINITY), VectorXd::Zero(n)};
}

Simplex::Simplex(const LinearProgram& program) : program_(std::make_unique<Program>()) {
  check_sizes(program);
  ClpSimplex& clp = program_->clp;
  clp.setLogLevel(0);
  clp.setPerturbation(100);  // off: vertices shall be those of the problem itself
  clp.setPrimalTolerance(kTolerance);
  clp.setDualTolerance(kTolerance);
  const VectorXd lower = clp_bounds(program.lower), upper = clp_bounds(program.upper);
  const VectorXd row_lower = clp_bounds(program.row_lower);
  const VectorXd row_upper = clp_bounds(program.row_upper);
  clp.loadProblem(packed(program.A), lower.data(), upper.data(), program.cost.data(),
                  row_lower.data(), row_upper.data());
}

Simplex::Simplex(Simplex&&) noexcept = default;
Simplex& Simplex::operator=(Simplex&&) noexcept = default;
Simplex::~Simplex() = default;

void Simplex::set_cost(const VectorXd& cost) {
  for (Index j = 0; j < cost.size(); ++j)
    program_->clp.setObjectiveCoefficient(static_cast<int>(j), cost[j]);
  program_->primal = true;
}

void Simplex::set_bounds(int column, double lower, double upper) {
  program_->clp.setColumnBounds(column, clp_bound(lower), clp_bound(upper));
}

bool Simplex::is_fixed(int column) const {
  return program_->clp.columnLower()[column] == program_->clp.columnUpper()[column];
}

LpSolution Simplex::solve() {
  ClpSimplex& clp = program_->clp;
  // After a change of bounds alone the old basis is still dual feasible.
  if (program_->primal)
    clp.primal();
  else
    clp.dual();
  program_->primal = false;
  LpSolution solution;
  solution.status = clp.isProvenOptimal()            ? LpStatus::optimal
                    : clp.isProvenPrimalInfeasible() ? LpStatus::infeasible
                    : clp.isProvenDualInfeasible()   ? LpStatus::unbounded
                                                     : LpStatus::failed;
  solution.x = VectorXd::Map(clp.primalColumnSolution(), clp.numberColumns());
  solution.price = VectorXd::Map(clp.dualRowSolution(), clp.numberRows());
  solution.objective = clp.objectiveValue();
  for (int j = 0; j < clp.numberColumns(); ++j)
    if (clp.getColumnStatus(j) == ClpSimplex::basic) solution.basic.push_back(j);
  return solution;
}

LpSolution solve(const LinearProgram& program) { return Simplex(program).solve(); }

}  // namespace pequod
