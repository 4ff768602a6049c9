#include "contact/quasistatic/mode_search.h"

#include <algorithm>
#include <array>
#include <random>

#include "contact/quasistatic/mode_programs.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// In the order in which they are tried.
constexpr std::array<QuasistaticMode, 4> kModes{QuasistaticMode::slides_left,
                                                QuasistaticMode::slides_right,
                                                QuasistaticMode::rolls, QuasistaticMode::breaks};

void restrict_to(QuasistaticMode mode, Index contact, Index contacts, Simplex& X, Simplex& Y) {
  const ModeZeros zeros = zeros_of(mode);
  for (int k = 0; k < 3; ++k) {
    const int j = static_cast<int>(contact + k * contacts);
    X.set_bounds(j, 0.0, zeros.x[static_cast<std::size_t>(k)] ? 0.0 : INFINITY);
    Y.set_bounds(j, 0.0, zeros.y[static_cast<std::size_t>(k)] ? 0.0 : INFINITY);
  }
}

// Relative to the sizes of x and y: a product that may be zero.
constexpr double kNear = 1e-7;

bool same_motion(const VectorXd& a, const VectorXd& b) {
  return (a - b).lpNorm<Eigen::Infinity>() <= 1e-8 * (1.0 + a.lpNorm<Eigen::Infinity>());
}

// The mode in which an open contact is, or nearly is.
QuasistaticMode nearest_mode(const VectorXd& x, const VectorXd& y, Index contact) {
  const Index contacts = x.size() / 3;
  QuasistaticMode best = kModes.front();
  double least = INFINITY;
  for (const QuasistaticMode mode : kModes) {
    const ModeZeros zeros = zeros_of(mode);
    double miss = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Index j = contact + static_cast<Index>(k) * contacts;
      if (zeros.x[k]) miss = std::max(miss, x[j]);
      if (zeros.y[k]) miss = std::max(miss, y[j]);
    }
    if (miss >= least) continue;
    least = miss;
    best = mode;
  }
  return best;
}

/// The depth-first search: small programs cut off nodes, vertices are those of X and Y.
class Tree {
 public:
  Tree(const QuasistaticProblem& problem, const ModeSearchOptions& options)
      : options_(options),
        contacts_(problem.contacts()),
        full_(uncoupled(problem)),
        programs_(problem),
        X_(LinearProgram::standard(full_.X.A, full_.X.b)),
        Y_(LinearProgram::standard(full_.Y.A, full_.Y.b)),
        modes_(static_cast<std::size_t>(contacts_)) {
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
    const std::optional<VectorXd> x = programs_.velocities(y_before);
    if (!x) return true;
    const std::optional<VectorXd> y = programs_.forces(*x);
    if (!y) return true;
    const Index contact = next(*x, *y);
    // The vertices themselves decide, so a coarse test may come first.
    const bool near = x->dot(*y) <= kNear * (1.0 + x->norm() * y->norm());
    if (contact < 0 || (near && !options_.all)) {
      keep(*x, *y);
      if (!options_.all && !result_.solutions.empty()) return false;
    }
    return contact < 0 || split(contact, *y);
  }

  bool split(Index contact, const VectorXd& y) {
    std::optional<QuasistaticMode>& chosen = modes_[static_cast<std::size_t>(contact)];
    bool on = true;
    for (const QuasistaticMode mode : kModes) {
      chosen = mode;
      programs_.bind(contact, mode);
      on = visit(y);
      if (!on) break;
    }
    programs_.release(contact);
    chosen.reset();
    return on;
  }

  // The open contact with the largest share of xᵀy; −1 if none is open.
  [[nodiscard]] Index next(const VectorXd& x, const VectorXd& y) const {
    Index best = -1;
    double most = -1.0;
    for (Index i = 0; i < contacts_; ++i) {
      if (modes_[static_cast<std::size_t>(i)]) continue;
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

  // The vertices with the modes of a node, those of open contacts read from its x and y.
  void keep(const VectorXd& x_near, const VectorXd& y_near) {
    for (Index i = 0; i < contacts_; ++i)
      restrict_to(modes_[static_cast<std::size_t>(i)].value_or(nearest_mode(x_near, y_near, i)), i,
                  contacts_, X_, Y_);
    VectorXd x, y;
    if (!cheapest(X_, full_.X, y_near, x) || !cheapest(Y_, full_.Y, x, y)) return;
    if (!options_.all) {
      if (x.dot(y) <= options_.zero) result_.solutions.push_back({x, y});
      return;
    }
    for (const ModePair& known : result_.solutions)
      if (same_motion(known.x, x) && same_motion(known.y, y)) return;
    result_.solutions.push_back({x, y, only(X_, x_probe_), only(Y_, y_probe_)});
  }

  const ModeSearchOptions& options_;
  Index contacts_;
  UncoupledProblem full_;
  ModePrograms programs_;
  Simplex X_, Y_;  // with all modes bound
  std::vector<std::optional<QuasistaticMode>> modes_;
  VectorXd x_probe_, y_probe_;
  ModeSearch result_;
};

}  // namespace

ModeSearch search_modes(const QuasistaticProblem& problem, const ModeSearchOptions& options) {
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
