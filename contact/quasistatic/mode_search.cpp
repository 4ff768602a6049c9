#include "contact/quasistatic/mode_search.h"

#include <algorithm>
#include <array>
#include <random>

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// What is zero in a mode: entries n, t⁺, t⁻ of x and of y.
struct Zeros {
  std::array<bool, 3> x, y;
};
Zeros zeros_of(QuasistaticMode mode) {
  switch (mode) {
    case QuasistaticMode::slides_left:
      return {{true, false, true}, {false, true, false}};
    case QuasistaticMode::slides_right:
      return {{true, true, false}, {false, false, true}};
    case QuasistaticMode::rolls:
      return {{true, true, true}, {false, false, false}};
    case QuasistaticMode::breaks:
      break;
  }
  return {{false, false, false}, {true, true, true}};
}

// In the order in which they are tried.
constexpr std::array<QuasistaticMode, 4> kModes{QuasistaticMode::slides_left,
                                                QuasistaticMode::slides_right,
                                                QuasistaticMode::rolls, QuasistaticMode::breaks};

void restrict_to(QuasistaticMode mode, Index contact, Index contacts, Simplex& X, Simplex& Y) {
  const Zeros zeros = zeros_of(mode);
  for (int k = 0; k < 3; ++k) {
    const int j = static_cast<int>(contact + k * contacts);
    X.set_bounds(j, 0.0, zeros.x[static_cast<std::size_t>(k)] ? 0.0 : INFINITY);
    Y.set_bounds(j, 0.0, zeros.y[static_cast<std::size_t>(k)] ? 0.0 : INFINITY);
  }
}

bool same(const VectorXd& a, const VectorXd& b) {
  return (a - b).lpNorm<Eigen::Infinity>() <= 1e-8 * (1.0 + a.lpNorm<Eigen::Infinity>());
}

/// The depth-first search, with one linear program for each of x and y, whose bounds follow it.
class Tree {
 public:
  Tree(const UncoupledProblem& problem, const ModeSearchOptions& options)
      : problem_(problem),
        options_(options),
        contacts_(problem.X.A.cols() / 3),
        X_(LinearProgram::standard(problem.X.A, problem.X.b)),
        Y_(LinearProgram::standard(problem.Y.A, problem.Y.b)),
        open_(static_cast<std::size_t>(contacts_), 1) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    y_probe_.resize(3 * contacts_);
    for (double& entry : y_probe_) entry = uniform(generator);
    // Of v_t⁺ and v_t⁻ only the difference has a meaning.
    x_probe_ = y_probe_;
    x_probe_.tail(contacts_) = -x_probe_.segment(contacts_, contacts_);
  }

  ModeSearch run() {
    result_.complete = true;
    visit(VectorXd::Zero(3 * contacts_));
    return std::move(result_);
  }

 private:
  // @return whether to go on
  bool visit(const VectorXd& y_before) {
    if (++result_.nodes > options_.most_nodes) {
      result_.complete = false;
      return false;
    }
    VectorXd x, y;
    if (!cheapest(X_, problem_.X, y_before, x)) return true;
    if (!cheapest(Y_, problem_.Y, x, y)) return true;
    if (!options_.all && x.dot(y) <= options_.zero) {
      result_.solutions.push_back({x, y});
      return false;
    }
    const Index contact = next(x, y);
    if (contact < 0) {
      keep(x, y);
      return options_.all;
    }
    return split(contact, y);
  }

  bool split(Index contact, const VectorXd& y) {
    open_[static_cast<std::size_t>(contact)] = 0;
    bool on = true;
    for (const QuasistaticMode mode : kModes) {
      restrict_to(mode, contact, contacts_, X_, Y_);
      on = visit(y);
      if (!on) break;
    }
    for (int k = 0; k < 3; ++k) {
      const int j = static_cast<int>(contact + k * contacts_);
      X_.set_bounds(j, 0.0, INFINITY);
      Y_.set_bounds(j, 0.0, INFINITY);
    }
    open_[static_cast<std::size_t>(contact)] = 1;
    return on;
  }

  // The open contact with the largest share of xᵀy; −1 if none is open.
  [[nodiscard]] Index next(const VectorXd& x, const VectorXd& y) const {
    Index best = -1;
    double most = -1.0;
    for (Index i = 0; i < contacts_; ++i) {
      if (open_[static_cast<std::size_t>(i)] == 0) continue;
      double share = 0.0;
      for (int k = 0; k < 3; ++k) share += x[i + k * contacts_] * y[i + k * contacts_];
      if (share <= most) continue;
      most = share;
      best = i;
    }
    return best;
  }

  static bool cheapest(Simplex& simplex, const Polyhedron& polyhedron, const VectorXd& cost,
                       VectorXd& vertex) {
    simplex.set_cost(cost);
    const LpSolution solution = simplex.solve();
    if (solution.status != LpStatus::optimal) return false;
    vertex = refined(polyhedron, simplex, solution).x;
    return true;
  }

  // Whether there is no choice: a cost that no edge is orthogonal to has one value.
  static bool only(Simplex& simplex, const VectorXd& probe) {
    simplex.set_cost(probe);
    const LpSolution low = simplex.solve();
    simplex.set_cost(-probe);
    const LpSolution high = simplex.solve();
    return low.status == LpStatus::optimal && high.status == LpStatus::optimal &&
           std::abs(low.objective + high.objective) <= 1e-7 * (1.0 + std::abs(low.objective));
  }

  void keep(const VectorXd& x, const VectorXd& y) {
    for (const ModePair& known : result_.solutions)
      if (same(known.x, x) && same(known.y, y)) return;
    result_.solutions.push_back({x, y, only(X_, x_probe_), only(Y_, y_probe_)});
  }

  const UncoupledProblem& problem_;
  const ModeSearchOptions& options_;
  Index contacts_;
  Simplex X_, Y_;
  std::vector<char> open_;
  VectorXd x_probe_, y_probe_;
  ModeSearch result_;
};

}  // namespace

std::string_view name(QuasistaticMode mode) {
  switch (mode) {
    case QuasistaticMode::breaks:
      return "breaks";
    case QuasistaticMode::rolls:
      return "rolls";
    case QuasistaticMode::slides_left:
      return "slides-left";
    case QuasistaticMode::slides_right:
      break;
  }
  return "slides-right";
}

ModeSearch search_modes(const UncoupledProblem& problem, const ModeSearchOptions& options) {
  return Tree(problem, options).run();
}

std::optional<ModePair> pair_in_modes(const UncoupledProblem& problem,
                                      const std::vector<QuasistaticMode>& modes) {
  Simplex X(LinearProgram::standard(problem.X.A, problem.X.b));
  Simplex Y(LinearProgram::standard(problem.Y.A, problem.Y.b));
  const Index contacts = problem.X.A.cols() / 3;
  for (Index i = 0; i < contacts; ++i)
    restrict_to(modes[static_cast<std::size_t>(i)], i, contacts, X, Y);
  const LpSolution x = X.solve(), y = Y.solve();
  if (x.status != LpStatus::optimal || y.status != LpStatus::optimal) return std::nullopt;
  return ModePair{refined(problem.X, X, x).x, refined(problem.Y, Y, y).x};
}

}  // namespace pequod
