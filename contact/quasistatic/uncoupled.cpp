#include "contact/quasistatic/uncoupled.h"

#include <random>

namespace pequod {
namespace {

using Eigen::VectorXd;

// A decrease smaller than this is none; relative to xᵀy.
constexpr double kDecrease = 1e-9;

/// One run of the algorithm.
class Search {
 public:
  Search(const UncoupledProblem& problem, const BilinearOptions& options)
      : problem_(problem),
        options_(options),
        X_(LinearProgram::standard(problem.X.A, problem.X.b)),
        Y_(LinearProgram::standard(problem.Y.A, problem.Y.b)),
        generator_(options.seed) {}

  BilinearSolution run() {
    if (!start()) return result_;
    for (;;) {
      if (!descend()) return result_;
      if (result_.status == BilinearStatus::solved) return result_;
      if (!leave()) return result_;
    }
  }

 private:
  // Step 0.
  bool start() {
    const LpStatus x = solve(X_, problem_.X, VectorXd::Zero(problem_.X.A.cols()), x_);
    if (x == LpStatus::infeasible) return stop(BilinearStatus::no_x);
    const LpStatus y = solve(Y_, problem_.Y, VectorXd::Zero(problem_.Y.A.cols()), y_);
    if (y == LpStatus::infeasible) return stop(BilinearStatus::no_y);
    if (x != LpStatus::optimal || y != LpStatus::optimal) return stop(BilinearStatus::failed);
    accept();
    return true;
  }

  // Steps 1 and 2, until xᵀy is zero or falls no more.
  bool descend() {
    while (x_.x.dot(y_.x) > options_.zero) {
      if (result_.pairs >= options_.most_pairs) return stop(BilinearStatus::stationary);
      const double before = x_.x.dot(y_.x);
      if (solve(X_, problem_.X, y_.x, x_) != LpStatus::optimal ||
          solve(Y_, problem_.Y, x_.x, y_) != LpStatus::optimal)
        return stop(BilinearStatus::failed);
      ++result_.pairs;
      accept();
      if (x_.x.dot(y_.x) >= before * (1.0 - kDecrease)) break;
    }
    result_.status =
        x_.x.dot(y_.x) <= options_.zero ? BilinearStatus::solved : BilinearStatus::stationary;
    return true;
  }

  // Step 3: to a better pair of neighbours, else to any.
  bool leave() {
    for (;;) {
      const std::vector<Vertex> xs = adjacent_vertices(problem_.X, x_);
      const std::vector<Vertex> ys = adjacent_vertices(problem_.Y, y_);
      if (xs.empty() || ys.empty()) return false;
      if (step_down(xs, ys)) {
        ++result_.adjacent_steps;
        return true;
      }
      if (result_.restarts >= options_.restarts) return false;
      ++result_.restarts;
      step_to(xs[pick(xs.size())], ys[pick(ys.size())]);
      if (options_.back_to_lps) return true;
    }
  }

  bool step_down(const std::vector<Vertex>& xs, const std::vector<Vertex>& ys) {
    double best = x_.x.dot(y_.x) * (1.0 - kDecrease);
    const Vertex *x = nullptr, *y = nullptr;
    for (const Vertex& one : xs)
      for (const Vertex& other : ys) {
        const double product = one.x.dot(other.x);
        if (product >= best) continue;
        best = product;
        x = &one;
        y = &other;
      }
    if (x == nullptr) return false;
    step_to(*x, *y);
    return true;
  }

  void step_to(const Vertex& x, const Vertex& y) {
    x_ = refined(problem_.X, x.basis, x.x);
    y_ = refined(problem_.Y, y.basis, y.x);
    accept();
  }

  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator_);
  }

  LpStatus solve(Simplex& simplex, const Polyhedron& polyhedron, const VectorXd& cost,
                 Vertex& vertex) {
    simplex.set_cost(cost);
    ++result_.programs;
    const LpSolution solution = simplex.solve();
    if (solution.status == LpStatus::optimal) vertex = refined(polyhedron, simplex, solution);
    return solution.status;
  }

  void accept() {
    const double product = x_.x.dot(y_.x);
    result_.history.push_back(product);
    if (product >= result_.product) return;
    result_.product = product;
    result_.x = x_.x;
    result_.y = y_.x;
  }

  bool stop(BilinearStatus status) {
    result_.status = status;
    return false;
  }

  const UncoupledProblem& problem_;
  const BilinearOptions& options_;
  Simplex X_, Y_;
  std::mt19937_64 generator_;
  Vertex x_, y_;
  BilinearSolution result_;
};

}  // namespace

BilinearSolution minimise_product(const UncoupledProblem& problem, const BilinearOptions& options) {
  return Search(problem, options).run();
}

}  // namespace pequod
