#include "app/natural_map.h"

#include <algorithm>
#include <cmath>

namespace pequod::app {

using Eigen::VectorXd;

double natural_map(const LeastDistanceProblem& problem, const LeastDistanceSolution& solution) {
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  double sum = (solution.y - problem.y0 - problem.E.leftCols(k) * solution.fe.head(k) -
                problem.G.leftCols(n) * solution.f.head(n))
                   .squaredNorm();
  const auto add = [&](double x) { sum += x * x; };
  for (Eigen::Index j = 0; j < k; ++j) {
    const double length = problem.E.col(j).norm();
    add((problem.E.col(j).dot(solution.y) - problem.e[j]) / (length > 0.0 ? length : 1.0));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double length = problem.G.col(i).norm() > 0.0 ? problem.G.col(i).norm() : 1.0;
    add(std::min(solution.f[i] * length,
                 (problem.G.col(i).dot(solution.y) - problem.c[i]) / length));
  }
  const double s = scale(problem);
  return std::sqrt(sum) / (s > 0.0 ? s : 1.0);
}

VectorXd joined(const VectorXd& a, const VectorXd& b) {
  VectorXd result(a.size() + b.size());
  result << a, b;
  return result;
}

double natural_map(const QuadraticProblem& problem, const QuadraticSolution& solution) {
  const VectorXd gradient = problem.M * solution.x + problem.q;
  const VectorXd pull = gradient - problem.A.transpose() * solution.lambda;
  const VectorXd slack = problem.A * solution.x - problem.b;
  const VectorXd natural =
      joined(pull.cwiseMin(solution.x - problem.lower), slack.cwiseMin(solution.lambda));
  const double size = std::max({problem.q.norm(), solution.x.norm(), gradient.norm()});
  return natural.norm() / (size > 0.0 ? size : 1.0);
}

}  // namespace pequod::app
