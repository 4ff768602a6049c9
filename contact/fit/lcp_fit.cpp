#include "contact/fit/lcp_fit.h"

#include <algorithm>
#include <stdexcept>

#include "contact/programs/linear_program.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Bounds of an entry further apart than this, relative to the row, leave it undetermined. Costs may
// exceed the least by what the simplex method leaves.
constexpr double kApart = 1e-4, kCostSlack = 1e-9;

void check_sizes(const FitSamples& samples, const FitOptions& options) {
  const bool fits =
      samples.lambda.rows() == samples.inputs.rows() && samples.lambda.rows() > 0 &&
      (options.bias.empty() || static_cast<Index>(options.bias.size()) == samples.lambda.cols());
  if (fits) return;
  throw std::invalid_argument("fit: " + std::to_string(samples.lambda.rows()) + " samples of λ, " +
                              std::to_string(samples.inputs.rows()) + " of the inputs, " +
                              std::to_string(options.bias.size()) + " flags of biases");
}

bool has_bias(const FitOptions& options, Index row) {
  return !options.bias.empty() && options.bias[static_cast<std::size_t>(row)] != 0;
}

// Unknowns: the entries, free; then with l1 a bound of each. Rows: samples, scale, bounds of
// entries.
LinearProgram row_program(const FitSamples& samples, const FitOptions& options, Index row) {
  const MatrixXd F = fit_features(samples);
  const Index N = F.rows(), p = F.cols(), bounds = options.l1 > 0.0 ? p : 0;
  LinearProgram program;
  program.A = MatrixXd::Zero(N + 1 + 2 * bounds, p + bounds);
  program.A.topLeftCorner(N, p) = F;
  program.A.row(N).head(p) = F.colwise().mean();
  program.row_lower = VectorXd::Constant(program.A.rows(), options.margin);
  program.row_upper = VectorXd::Constant(program.A.rows(), INFINITY);
  program.row_lower[N] = program.row_upper[N] = 1.0;
  for (Index j = 0; j < bounds; ++j) {
    // −s ≤ θ ≤ s
    program.A(N + 1 + 2 * j, j) = 1.0;
    program.A(N + 2 + 2 * j, j) = -1.0;
    program.A(N + 1 + 2 * j, p + j) = program.A(N + 2 + 2 * j, p + j) = 1.0;
  }
  program.row_lower.tail(2 * bounds).setZero();
  program.lower = VectorXd::Constant(p + bounds, -INFINITY);
  program.upper = VectorXd::Constant(p + bounds, INFINITY);
  if (!has_bias(options, row)) program.lower[p - 1] = program.upper[p - 1] = 0.0;
  program.cost = VectorXd::Constant(p + bounds, options.l1);
  program.cost.head(p) = F.transpose() * samples.lambda.col(row);
  return program;
}

// Each entry's least and largest value among the rows of the same cost.
void find_bounds(LinearProgram program, Index p, FitRow& row) {
  const Index m = program.A.rows();
  program.A.conservativeResize(m + 1, Eigen::NoChange);
  program.A.row(m) = program.cost.transpose();
  program.row_lower.conservativeResize(m + 1);
  program.row_upper.conservativeResize(m + 1);
  program.row_lower[m] = -INFINITY;
  // A product of nonnegative factors; below zero it is by the simplex method's tolerance only.
  const double least = std::max(row.cost, 0.0);
  program.row_upper[m] = least + kCostSlack * (1.0 + least);
  Simplex simplex(program);
  row.low = VectorXd::Constant(p, -INFINITY);
  row.high = VectorXd::Constant(p, INFINITY);
  for (Index j = 0; j < p; ++j) {
    VectorXd probe = VectorXd::Zero(program.cost.size());
    for (const double sign : {1.0, -1.0}) {
      probe[j] = sign;
      simplex.set_cost(probe);
      const LpSolution solution = simplex.solve();
      if (solution.status == LpStatus::optimal)
        (sign > 0.0 ? row.low : row.high)[j] = solution.x[j];
    }
  }
  const double size = entries(row).norm();
  for (Index j = 0; j < p; ++j)
    if (!(row.high[j] - row.low[j] <= kApart * size)) ++row.undetermined;
}

FitRow fit_row(const FitSamples& samples, const FitOptions& options, Index i) {
  const LinearProgram program = row_program(samples, options, i);
  const LpSolution solution = solve(program);
  FitRow row;
  if (solution.status != LpStatus::optimal) {
    row.reason = solution.status == LpStatus::infeasible
                     ? "no row keeps M λ + q at or above the margin with a mean of 1"
                     : "the simplex method gave up";
    return row;
  }
  const Index n = samples.lambda.cols(), k = samples.inputs.cols();
  row.solved = true;
  row.M = solution.x.head(n);
  row.W = solution.x.segment(n, k);
  row.bias = solution.x[n + k];
  row.cost = solution.objective;
  find_bounds(program, n + k + 1, row);
  return row;
}

}  // namespace

MatrixXd fit_features(const FitSamples& samples) {
  MatrixXd F(samples.lambda.rows(), samples.lambda.cols() + samples.inputs.cols() + 1);
  F << samples.lambda, samples.inputs, VectorXd::Ones(F.rows());
  return F;
}

VectorXd entries(const FitRow& row) {
  VectorXd all(row.M.size() + row.W.size() + 1);
  all << row.M, row.W, row.bias;
  return all;
}

LcpFit fit_lcp(const FitSamples& samples, const FitOptions& options) {
  check_sizes(samples, options);
  LcpFit fit;
  for (Index i = 0; i < samples.lambda.cols(); ++i)
    fit.rows.push_back(fit_row(samples, options, i));
  return fit;
}

VectorXd extrapolated_row(const FitSamples& samples, FitOptions options, int row) {
  check_sizes(samples, options);
  const VectorXd coarse = entries(fit_row(samples, options, row));
  options.margin *= 0.5;
  return 2.0 * entries(fit_row(samples, options, row)) - coarse;
}

}  // namespace pequod
