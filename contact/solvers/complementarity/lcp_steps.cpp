#include "contact/solvers/complementarity/lcp_steps.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "contact/solvers/complementarity/lcp_bounds.h"
#include "contact/solvers/least_distance/non_negative_least_squares.h"

namespace pequod {

namespace {

/// Solutions this many times max |q| / max |M| are not told from none.
constexpr double kFar = 1e9;
/// A proof must survive changes of q by this part of its largest entry: opposed contacts that all
/// but touch contradict each other by rounding.
constexpr double kClear = 1e-10;

/// An empty vector would give its buffer back, so the buffer is put aside.
void copy_start(const VectorXd& warm_start, LcpWorkspace& workspace) {
  if (workspace.start.size() == 0) workspace.start.swap(workspace.spare_start);
  if (warm_start.size() > 0 && warm_start.allFinite()) {
    workspace.start = warm_start;
  } else {
    workspace.spare_start.resize(0);
    workspace.start.swap(workspace.spare_start);
  }
}

double largest(const MatrixXd& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

/// A residual that is small only beside a huge z proves nothing: at z = 0 it is no more than |q|.
/// Where z runs off because there is no solution, rounding of M z is all that is left of q.
bool hides_behind(const LcpProblem& problem, const LcpResiduals& residuals) {
  return residuals.natural > 1e-9 * problem.q.lpNorm<Eigen::Infinity>();
}

/// With other bounds |q| is no scale of the residual.
bool hides_behind(const BoxProblem& /*problem*/, const LcpResiduals& /*residuals*/) {
  return false;
}

/// Moves z to a bound that it is nearer to than its w, in the unit of w, is to zero: iterative
/// methods leave such rows almost there. The rows between bounds go to workspace.set, their block
/// of M is factored.
/// @return  how regular the block is, see DenseLu::factor
template <class Problem>
double factor_inner_rows(const Problem& problem, LcpWorkspace& workspace, LcpSolution& solution) {
  VectorXd& z = solution.z;
  std::vector<int>& set = workspace.set;
  set.clear();
  for (Index i = 0; i < z.size(); ++i) {
    const Bounds bound = bounds(problem, i);
    const double size = problem.M(i, i), w = solution.w[i];
    if (size > 0 && bound.below() && size * (z[i] - bound.lower) < w) z[i] = bound.lower;
    if (size > 0 && bound.above() && size * (bound.upper - z[i]) < -w) z[i] = bound.upper;
    if (z[i] > bound.lower && z[i] < bound.upper) set.push_back(static_cast<int>(i));
  }
  // A singular block gets a shift, which the passes of the refinement take out again.
  for (const double shift : {0.0, 1e-11}) {
    const auto k = static_cast<Index>(set.size());
    Eigen::Map<MatrixXd> block = workspace.lu.matrix(k);
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i) block(i, j) = problem.M(set[i], set[j]);
    if (shift > 0) block.diagonal().array() += shift * block.cwiseAbs().maxCoeff();
    const double regular = workspace.lu.factor();
    if (regular > 1e-13 || shift > 0) return regular;
  }
  return 0;
}

const char* why_none(const LcpProblem& /*problem*/) { return "no z ≥ 0 has M z + q ≥ 0"; }
const char* why_none(const BoxProblem& /*problem*/) {
  return "no z within the bounds has an M z + q of the signs it needs";
}

}  // namespace

template <class Problem>
bool begin_lcp(const Problem& problem, const VectorXd& warm_start, LcpWorkspace& workspace,
               LcpSolution& solution, std::string_view name) {
  check_sizes(problem);
  const Index n = problem.q.size();
  if (warm_start.size() != 0 && warm_start.size() != n)
    throw std::invalid_argument("the warm start has " + std::to_string(warm_start.size()) +
                                " entries but q has " + std::to_string(n));
  copy_start(warm_start, workspace);
  workspace.lu.reserve(n);
  workspace.set.reserve(n);
  solution.status = SolveStatus::failed;
  solution.reason.clear();
  solution.z.setZero(n);
  solution.w.setConstant(n, NAN);
  solution.certificate.resize(0);
  solution.residuals = {};
  solution.solver = name;
  solution.pivots = solution.switches = 0;
  if (problem.q.allFinite() && problem.M.allFinite()) return true;
  solution.reason = "the data are not finite";
  return false;
}

template <class Problem>
void finish_lcp(const Problem& problem, const LcpOptions& options, LcpSolution& solution) {
  measure(problem, solution);
  const double residual = solution.residuals.relative;
  if (residual <= options.residual && hides_behind(problem, solution.residuals)) {
    solution.status = SolveStatus::failed;
    if (solution.reason.empty()) solution.reason = "z is so large that nothing is left of q";
    return;
  }
  if (residual <= options.residual) {
    solution.status = SolveStatus::solved;
    solution.reason.clear();
    return;
  }
  solution.status = SolveStatus::failed;
  if (!solution.reason.empty()) return;
  char text[120];
  std::snprintf(text, sizeof text, "the natural residual of %.1e is above %.1e", residual,
                options.residual);
  solution.reason = text;
}

template <class Problem>
void refine_lcp(const Problem& problem, LcpWorkspace& workspace, LcpSolution& solution) {
  measure(problem, solution);
  const double before = solution.residuals.natural;
  workspace.kept = solution.z;
  if (factor_inner_rows(problem, workspace, solution) <= 1e-16) {
    solution.z = workspace.kept;
    return;
  }
  const std::vector<int>& set = workspace.set;
  const std::size_t k = set.size();
  workspace.step.resize(problem.q.size());
  // The first pass starts from z, so two more suffice as long as the block is not singular to
  // working precision.
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t i = 0; i < k; ++i) {
      long double missing = -problem.q[set[i]];
      for (Index j = 0; j < problem.q.size(); ++j)
        if (solution.z[j] != 0)
          missing -= static_cast<long double>(problem.M(set[i], j)) * solution.z[j];
      workspace.step[i] = static_cast<double>(missing);
    }
    workspace.lu.solve(workspace.step.data());
    for (std::size_t i = 0; i < k; ++i) solution.z[set[i]] += workspace.step[i];
  }
  for (const int row : set) solution.z[row] = bounds(problem, row).project(solution.z[row]);
  measure(problem, solution);
  if (!(solution.residuals.natural <= before)) solution.z = workspace.kept;
}

template <class Problem>
bool accept_certificate(const Problem& problem, const VectorXd& p, LcpSolution& solution) {
  if (!(-problem.q.dot(p) > kClear * largest(problem.q) * p.template lpNorm<1>())) return false;
  // Without rounding, also where M is zero and gives no measure of what is far.
  const double size = ruled_out(problem, p);
  if (std::isfinite(size) && !(size * largest(problem.M) > kFar * largest(problem.q))) return false;
  solution.status = SolveStatus::no_solution;
  solution.certificate = p;
  solution.reason = why_none(problem);
  return true;
}

void look_for_certificate(const LcpProblem& problem, LcpSolution& solution) {
  const Index n = problem.q.size();
  const double size = largest(problem.M), of_q = largest(problem.q);
  if (n == 0 || !problem.M.allFinite() || !problem.q.allFinite() || of_q == 0) return;
  // Mᵀp + s = 0, qᵀp = −1 with p, s ≥ 0; columns of length about one.
  MatrixXd A(n + 1, 2 * n);
  const double scale = size > 0 ? size : 1.0;
  A << problem.M.transpose() / scale, MatrixXd::Identity(n, n), problem.q.transpose() / of_q,
      Eigen::RowVectorXd::Zero(n);
  const VectorXd length = A.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
  const VectorXd wanted = -VectorXd::Unit(n + 1, n);
  const VectorXd found =
      solve_non_negative_least_squares(A * length.cwiseInverse().asDiagonal(), wanted);
  const VectorXd p = found.head(n).cwiseQuotient(length.head(n));
  accept_certificate(problem, p, solution);
}

template bool begin_lcp(const LcpProblem&, const VectorXd&, LcpWorkspace&, LcpSolution&,
                        std::string_view);
template void finish_lcp(const LcpProblem&, const LcpOptions&, LcpSolution&);
template void refine_lcp(const LcpProblem&, LcpWorkspace&, LcpSolution&);
template bool accept_certificate(const LcpProblem&, const VectorXd&, LcpSolution&);
template bool begin_lcp(const BoxProblem&, const VectorXd&, LcpWorkspace&, LcpSolution&,
                        std::string_view);
template void finish_lcp(const BoxProblem&, const LcpOptions&, LcpSolution&);
template void refine_lcp(const BoxProblem&, LcpWorkspace&, LcpSolution&);
template bool accept_certificate(const BoxProblem&, const VectorXd&, LcpSolution&);

}  // namespace pequod
