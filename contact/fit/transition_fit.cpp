#include "contact/fit/transition_fit.h"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "contact/fit/transition_law.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSame = 1.01;  // errors of two starts whose ratio is below this are the same
constexpr double kNullspace =
    1e-10;  // of scaled normal equations: a direction that changes nothing

void check_sizes(const TransitionSamples& samples, const TransitionOptions& options) {
  if (samples.inputs.rows() == samples.next.rows() && samples.next.size() > 0 &&
      options.forces >= 1 && options.forces <= 6)
    return;
  throw std::invalid_argument("fit: " + std::to_string(samples.inputs.rows()) +
                              " samples of the inputs, " + std::to_string(samples.next.rows()) +
                              " of what follows, " + std::to_string(options.forces) +
                              " forces (1 to 6)");
}

// Where the entries of a law stand in a vector: A, B, H by columns, then M without its diagonal.
struct Layout {
  Index m, n, features;

  [[nodiscard]] Index A(Index row, Index c) const { return c * m + row; }
  [[nodiscard]] Index B(Index row, Index j) const { return features * m + j * m + row; }
  [[nodiscard]] Index H(Index j, Index c) const { return (features + n) * m + c * n + j; }
  // Of an entry off the diagonal.
  [[nodiscard]] Index M(Index j, Index l) const {
    return (features + n) * m + features * n + l * (n - 1) + (j < l ? j : j - 1);
  }
  [[nodiscard]] Index size() const { return (features + n) * m + features * n + n * (n - 1); }
};

// Calls f(entry, index) for all entries but the diagonal of M.
template <class Law, class Function>
void for_entries(const Layout& at, Law& law, const Function& f) {
  for (Index c = 0; c < at.features; ++c) {
    for (Index row = 0; row < at.m; ++row) f(law.A(row, c), at.A(row, c));
    for (Index j = 0; j < at.n; ++j) f(law.H(j, c), at.H(j, c));
  }
  for (Index j = 0; j < at.n; ++j) {
    for (Index row = 0; row < at.m; ++row) f(law.B(row, j), at.B(row, j));
    for (Index l = 0; l < at.n; ++l)
      if (l != j) f(law.M(j, l), at.M(j, l));
  }
}

/// The sum of squares at a law, and its normal equations.
struct Linearised {
  double cost = INFINITY;
  MatrixXd normal;
  VectorXd gradient;  // Jᵀ r
};

/// The samples, with the contacts of each as they were last.
class Problem {
 public:
  Problem(const TransitionSamples& samples, int forces)
      : at{samples.next.cols(), forces, samples.inputs.cols() + 1},
        features_(with_one(samples.inputs)),
        next_(samples.next),
        active_(static_cast<std::size_t>(next_.rows()), 0) {}

  const Layout at;

  // Forces by the LCP; ∞ where it has no solution.
  double cost(const TransitionLaw& law, MatrixXd& lambda, std::vector<unsigned>& active) const {
    lambda.resize(next_.rows(), at.n);
    active = active_;
    double sum = 0.0;
    for (Index i = 0; i < next_.rows(); ++i) {
      const VectorXd d = features_.row(i);
      const LawForces forces = forces_of(law, d, active_[static_cast<std::size_t>(i)]);
      if (!forces.solved) return INFINITY;
      active[static_cast<std::size_t>(i)] = forces.active;
      lambda.row(i) = forces.lambda;
      sum += (next_.row(i).transpose() - law.A * d - law.B * forces.lambda).squaredNorm();
    }
    return sum;
  }

  Linearised linearised(const TransitionLaw& law) {
    Linearised result{INFINITY, MatrixXd::Zero(at.size(), at.size()), VectorXd::Zero(at.size())};
    MatrixXd lambda;
    std::vector<unsigned> active;
    result.cost = cost(law, lambda, active);
    if (!std::isfinite(result.cost)) return result;
    active_ = active;
    MatrixXd J(at.m, at.size());
    for (Index i = 0; i < next_.rows(); ++i) {
      const VectorXd d = features_.row(i), force = lambda.row(i);
      differentiate(law, d, force, active_[static_cast<std::size_t>(i)], J);
      result.normal.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
      result.gradient += J.transpose() * (next_.row(i).transpose() - law.A * d - law.B * force);
    }
    result.normal = result.normal.selfadjointView<Eigen::Lower>();
    return result;
  }

  // Least squares for A and B with the law's forces.
  void refit_map(TransitionLaw& law) {
    MatrixXd lambda;
    std::vector<unsigned> active;
    if (!std::isfinite(cost(law, lambda, active))) return;
    MatrixXd F(next_.rows(), at.features + at.n);
    F << features_, lambda;
    const MatrixXd X = LeastNormFactor(F).solve(next_).transpose();
    law.A = X.leftCols(at.features);
    law.B = X.rightCols(at.n);
  }

  [[nodiscard]] const MatrixXd& features() const { return features_; }
  [[nodiscard]] double spread() const { return (next_.rowwise() - next_.colwise().mean()).norm(); }
  [[nodiscard]] Index numbers() const { return next_.size(); }

 private:
  // y by the entries of the law: λ_σ = −M_σσ⁻¹ H_σ d, so that an entry (j, ·) of H or M, times what
  // it multiplies, moves y along −B_σ M_σσ⁻¹ e_j.
  void differentiate(const TransitionLaw& law, const VectorXd& d, const VectorXd& force,
                     unsigned active, MatrixXd& J) const {
    J.setZero();
    for (Index row = 0; row < at.m; ++row) {
      for (Index c = 0; c < at.features; ++c) J(row, at.A(row, c)) = d[c];
      for (Index j = 0; j < at.n; ++j) J(row, at.B(row, j)) = force[j];
    }
    const std::vector<int> set = members(active, static_cast<int>(at.n));
    if (set.empty()) return;
    const MatrixXd along = -law.B(Eigen::all, set) * inverse_of(law.M(set, set));
    for (std::size_t k = 0; k < set.size(); ++k) {
      const Index j = set[k];
      const VectorXd g = along.col(static_cast<Index>(k));
      for (Index c = 0; c < at.features; ++c) J.col(at.H(j, c)) = g * d[c];
      for (Index l = 0; l < at.n; ++l)
        if (l != j) J.col(at.M(j, l)) = g * force[l];
    }
  }

  MatrixXd features_, next_;
  std::vector<unsigned> active_;
};

// Each row of H is zero at a sample and points anywhere, in units of the inputs' spread.
TransitionLaw random_start(Problem& problem, std::mt19937_64& generator) {
  const Layout& at = problem.at;
  const MatrixXd& F = problem.features();
  TransitionLaw law{MatrixXd::Zero(at.m, at.features), MatrixXd::Zero(at.m, at.n),
                    MatrixXd::Identity(at.n, at.n), MatrixXd(at.n, at.features)};
  std::normal_distribution<double> any;
  std::uniform_int_distribution<Index> which(0, F.rows() - 1);
  for (Index j = 0; j < at.n; ++j) {
    VectorXd direction(at.features);
    for (Index c = 0; c + 1 < at.features; ++c) {
      const double mean = F.col(c).mean();
      const double spread = std::sqrt((F.col(c).array() - mean).square().mean());
      direction[c] = any(generator) / (spread > 0.0 ? spread : 1.0);
    }
    const Index sample = which(generator);
    direction[at.features - 1] =
        -direction.head(at.features - 1).dot(F.row(sample).head(at.features - 1));
    law.H.row(j) = direction.transpose();
  }
  problem.refit_map(law);
  return law;
}

// Damped steps until none helps. @return the sum of squares
double improve(Problem& problem, const TransitionOptions& options, double goal,
               TransitionLaw& law) {
  double damping = 1e-3;
  Linearised here = problem.linearised(law);
  for (int round = 0; round < options.most_rounds && here.cost > goal; ++round) {
    if (!std::isfinite(here.cost) || damping > 1e12) break;
    const VectorXd diagonal = here.normal.diagonal();
    MatrixXd damped = here.normal;
    damped.diagonal() += damping * (diagonal.array() + 1e-12 * diagonal.maxCoeff()).matrix();
    const VectorXd step = solve_semidefinite(damped, here.gradient);
    TransitionLaw next = law;
    for_entries(problem.at, next, [&](double& entry, Index k) { entry += step[k]; });
    MatrixXd lambda;
    std::vector<unsigned> active;
    const double cost = problem.cost(next, lambda, active);
    if (!(cost < here.cost)) {
      damping *= 4.0;
      continue;
    }
    const bool slow = cost > here.cost * (1.0 - 1e-9);
    law = next;
    here = problem.linearised(law);
    damping = std::max(damping / 5.0, 1e-14);
    if (slow) break;
  }
  return here.cost;
}

// Standard errors with the scales held; entries that some direction without effect moves have none.
TransitionLaw errors_of(Problem& problem, const TransitionLaw& law, double variance) {
  const Layout& at = problem.at;
  MatrixXd normal = problem.linearised(law).normal;
  // The entry of B that is 1 sets the scale of its column.
  for (Index j = 0; j < at.n; ++j) {
    Index row = 0;
    law.B.col(j).cwiseAbs().maxCoeff(&row);
    const Index k = at.B(row, j);
    normal.row(k).setZero();
    normal.col(k).setZero();
    normal(k, k) = INFINITY;
  }
  const VectorXd scale = normal.diagonal().unaryExpr([](double x) {
    return std::isinf(x) ? 0.0 : x > 0.0 ? 1.0 / std::sqrt(x) : 1.0;
  });
  normal.diagonal() = normal.diagonal().unaryExpr([](double x) { return std::isinf(x) ? 1.0 : x; });
  VectorXd unit = scale;
  for (double& entry : unit) entry = entry == 0.0 ? 1.0 : entry;
  const MatrixXd A = unit.asDiagonal() * normal * unit.asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(A);
  VectorXd squares = VectorXd::Zero(at.size());
  for (Index k = 0; k < at.size(); ++k) {
    const VectorXd direction = eigen.vectors.col(k);
    const double value = eigen.values[k];
    for (Index i = 0; i < at.size(); ++i) {
      if (value > kNullspace)
        squares[i] += std::pow(direction[i], 2) / value;
      else if (std::abs(direction[i]) > 1e-6)
        squares[i] = INFINITY;
    }
  }
  TransitionLaw error = law;
  error.M.setZero();
  for_entries(at, error, [&](double& entry, Index k) {
    entry = scale[k] * std::sqrt(std::isinf(squares[k]) ? squares[k] : variance * squares[k]);
    if (scale[k] == 0.0) entry = 0.0;
  });
  return error;
}

// Couplings that no sample shows, or few and by less than two standard deviations, are none.
void clear_undetermined(const Problem& problem, double cost, double variance, TransitionFit& fit) {
  TransitionLaw plain = fit.law;
  for (Index j = 0; j < problem.at.n; ++j)
    for (Index l = 0; l < problem.at.n; ++l)
      if (std::isinf(fit.error.M(j, l))) {
        plain.M(j, l) = 0.0;
        cost += 4.0 * variance;
      }
  MatrixXd lambda;
  std::vector<unsigned> active;
  if (problem.cost(plain, lambda, active) <= cost * (1.0 + 1e-9)) fit.law = plain;
}

}  // namespace

TransitionFit fit_transitions(const TransitionSamples& samples, const TransitionOptions& options) {
  check_sizes(samples, options);
  Problem problem(samples, options.forces);
  std::mt19937_64 generator(options.seed);
  const double spread = problem.spread(), goal = std::pow(options.enough * spread, 2);
  TransitionFit fit;
  double least = INFINITY;
  std::vector<double> costs;
  for (int start = 0; start < options.starts && !(least <= goal); ++start) {
    TransitionLaw law = random_start(problem, generator);
    const double cost = improve(problem, options, goal, law);
    costs.push_back(cost);
    if (cost >= least) continue;
    least = cost;
    fit.law = law;
  }
  fit.starts = static_cast<int>(costs.size());
  if (!std::isfinite(least)) return fit;
  fit.best = static_cast<int>(std::ranges::count_if(
      costs, [&](double cost) { return cost <= std::max(goal, least * kSame * kSame); }));
  const double numbers = static_cast<double>(problem.numbers());
  fit.rms = std::sqrt(least / numbers);
  fit.relative = spread > 0.0 ? std::sqrt(least) / spread : std::sqrt(least);
  fit.law = simplest(fit.law);
  const double freedom = std::max(numbers - static_cast<double>(problem.at.size()), 1.0);
  fit.error = errors_of(problem, fit.law, least / freedom);
  clear_undetermined(problem, least + goal, least / freedom, fit);
  for_entries(problem.at, fit.error, [&](double& entry, Index) {
    if (std::isinf(entry)) ++fit.undetermined;
  });
  return fit;
}

}  // namespace pequod
