#include "scene/problem.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace pequod {
namespace {

using NamedKind = std::pair<ProblemKind, std::string_view>;

constexpr std::array kNames{NamedKind{ProblemKind::lcp, "lcp"},
                            NamedKind{ProblemKind::mlcp, "mlcp"},
                            NamedKind{ProblemKind::relay, "relay"},
                            NamedKind{ProblemKind::fc2d, "fc2d"},
                            NamedKind{ProblemKind::fc3d, "fc3d"},
                            NamedKind{ProblemKind::rfc3d, "rfc3d"},
                            NamedKind{ProblemKind::gfc2d, "gfc2d"},
                            NamedKind{ProblemKind::gfc3d, "gfc3d"},
                            NamedKind{ProblemKind::soclcp, "soclcp"},
                            NamedKind{ProblemKind::qp, "qp"},
                            NamedKind{ProblemKind::least_distance, "least-distance"},
                            NamedKind{ProblemKind::dissipation, "dissipation"}};

using BodySpaceLu = Eigen::SparseLU<Eigen::SparseMatrix<double>>;

// M is symmetric only to the digits that a file printed, hence LU.
void factorise(const Eigen::SparseMatrix<double>& M, BodySpaceLu& factor) {
  factor.compute(M);
  if (factor.info() != Eigen::Success)
    throw std::invalid_argument("M of a problem in body space is singular");
}

}  // namespace

std::string_view name(ProblemKind kind) { return kNames.at(static_cast<std::size_t>(kind)).second; }

std::span<const ProblemKind> problem_kinds() {
  static const auto kinds = [] {
    std::array<ProblemKind, kNames.size()> result{};
    std::transform(kNames.begin(), kNames.end(), result.begin(),
                   [](const NamedKind& kind) { return kind.first; });
    return result;
  }();
  return kinds;
}

std::optional<ProblemKind> find_problem_kind(std::string_view name) {
  for (const auto& [kind, word] : kNames)
    if (word == name) return kind;
  return std::nullopt;
}

FrictionProblem condensed(const GlobalFrictionProblem& problem) {
  BodySpaceLu factor;
  factorise(problem.M, factor);
  FrictionProblem local;
  local.dimension = problem.dimension;
  local.mu = problem.mu;
  local.associated = problem.associated;
  local.W.resize(problem.H.cols(), problem.H.cols());
  // Column by column: M⁻¹H as a whole may be many times larger than W.
  for (Eigen::Index j = 0; j < problem.H.cols(); ++j) {
    const Eigen::VectorXd h = problem.H.col(j);
    const Eigen::VectorXd response = factor.solve(h);
    local.W.col(j) = problem.H.transpose() * response;
  }
  const Eigen::VectorXd free = factor.solve(problem.q);
  local.q = problem.H.transpose() * free + problem.b;
  return local;
}

Eigen::VectorXd body_velocities(const GlobalFrictionProblem& problem, const Eigen::VectorXd& r) {
  BodySpaceLu factor;
  factorise(problem.M, factor);
  return factor.solve(problem.H * r + problem.q);
}

}  // namespace pequod
