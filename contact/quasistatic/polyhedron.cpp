#include "contact/quasistatic/polyhedron.h"

#include <algorithm>
#include <deque>
#include <set>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependent = 1e-9;  // what is left of a column of length 1 that depends on others
constexpr double kZero = 1e-11;      // relative: an entry of a vertex below this is rounding

// An orthonormal basis that grows by one vector at a time.
class Span {
 public:
  explicit Span(Index size) : Q_(size, 0) {}
  // Adds a vector unless it depends on those before.
  bool add(const VectorXd& vector) {
    VectorXd rest = vector;
    for (int pass = 0; pass < 2; ++pass) rest -= Q_ * (Q_.transpose() * rest).eval();
    const double length = rest.norm();
    if (!(length > kDependent * vector.norm())) return false;
    Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
    Q_.rightCols(1) = rest / length;
    return true;
  }
  [[nodiscard]] Index size() const { return Q_.cols(); }

 private:
  MatrixXd Q_;
};

std::vector<int> completed(const MatrixXd& A, const std::vector<int>& basic) {
  Span span(A.rows());
  std::vector<int> basis;
  const auto try_column = [&](int j) {
    if (span.size() < A.rows() && span.add(A.col(j))) basis.push_back(j);
  };
  for (const int j : basic) try_column(j);
  for (int j = 0; j < A.cols(); ++j)
    if (std::ranges::find(basic, j) == basic.end()) try_column(j);
  std::sort(basis.begin(), basis.end());
  return basis;
}

// How far an edge goes, and which basic entry reaches zero there.
struct Edge {
  double length = INFINITY;
  Index leaves = -1;  // position in the basis
};

// @param rates  decrease of the basic entries along the edge
Edge edge(const VectorXd& x_basic, const VectorXd& rates) {
  Edge result;
  const double steepest = rates.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < x_basic.size(); ++i) {
    if (rates[i] < kDependent * steepest) continue;
    const double length = x_basic[i] / rates[i];
    if (length >= result.length) continue;
    result.length = length;
    result.leaves = i;
  }
  return result;
}

bool same(const VectorXd& a, const VectorXd& b) {
  return (a - b).lpNorm<Eigen::Infinity>() <= 1e-9 * (1.0 + a.lpNorm<Eigen::Infinity>());
}

}  // namespace

Polyhedron independent_rows(const MatrixXd& A, const VectorXd& b) {
  Span rows(A.cols()), with_b(A.cols() + 1);
  std::vector<Index> kept;
  bool contradiction = false;
  for (Index i = 0; i < A.rows(); ++i) {
    const bool independent = rows.add(A.row(i).transpose());
    VectorXd extended(A.cols() + 1);
    extended << A.row(i).transpose(), b[i];
    if (with_b.add(extended) && !independent) contradiction = true;
    if (independent) kept.push_back(i);
  }
  Polyhedron result{A(kept, Eigen::all), b(kept)};
  if (contradiction) result = {MatrixXd::Zero(1, A.cols()), VectorXd::Ones(1)};
  return result;
}

Vertex exact_vertex(const Polyhedron& polyhedron, const std::vector<int>& basic) {
  const MatrixXd& A = polyhedron.A;
  Vertex vertex{VectorXd::Zero(A.cols()), completed(A, basic)};
  if (A.rows() == 0) return vertex;
  const MatrixXd B = A(Eigen::all, vertex.basis);
  Eigen::PartialPivLU<MatrixXd> lu;
  factorise(B, lu);
  VectorXd x, correction;
  solve(lu, polyhedron.b, x);
  solve(lu, polyhedron.b - B * x, correction);
  x += correction;
  const double zero = kZero * (1.0 + x.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < x.size(); ++i)
    vertex.x[vertex.basis[static_cast<std::size_t>(i)]] = x[i] > zero ? x[i] : 0.0;
  return vertex;
}

Vertex refined(const Polyhedron& polyhedron, const std::vector<int>& basic,
               const VectorXd& approximation) {
  Vertex vertex = exact_vertex(polyhedron, basic);
  const double near = 1e-7 * (1.0 + approximation.lpNorm<Eigen::Infinity>());
  if (!((vertex.x - approximation).lpNorm<Eigen::Infinity>() <= near))
    vertex.x = approximation.cwiseMax(0.0);
  return vertex;
}

Vertex refined(const Polyhedron& polyhedron, const Simplex& simplex, const LpSolution& solution) {
  std::vector<int> basic;
  for (const int j : solution.basic)
    if (!simplex.is_fixed(j)) basic.push_back(j);
  Vertex vertex = refined(polyhedron, basic, solution.x);
  for (int j = 0; j < vertex.x.size(); ++j)
    if (simplex.is_fixed(j)) vertex.x[j] = 0.0;
  return vertex;
}

std::vector<Vertex> adjacent_vertices(const Polyhedron& polyhedron, const Vertex& vertex,
                                      int most_bases) {
  const MatrixXd& A = polyhedron.A;
  std::vector<Vertex> found;
  if (A.rows() == 0) return found;
  std::set<std::vector<int>> seen{vertex.basis};
  std::deque<std::vector<int>> bases{vertex.basis};
  while (!bases.empty()) {
    const std::vector<int> basis = bases.front();
    bases.pop_front();
    const MatrixXd rates = solve_square(A(Eigen::all, basis), A);
    const VectorXd x_basic = vertex.x(basis);
    for (int j = 0; j < A.cols(); ++j) {
      if (std::binary_search(basis.begin(), basis.end(), j)) continue;
      const Edge way = edge(x_basic, rates.col(j));
      if (way.leaves < 0) continue;
      Vertex next{vertex.x, basis};
      next.basis[static_cast<std::size_t>(way.leaves)] = j;
      std::sort(next.basis.begin(), next.basis.end());
      if (way.length > 0.0) {
        next.x(basis) -= way.length * rates.col(j);
        next.x[j] = way.length;
        next.x = next.x.cwiseMax(0.0);
        if (std::ranges::none_of(found, [&](const Vertex& other) { return same(next.x, other.x); }))
          found.push_back(std::move(next));
      } else if (static_cast<int>(seen.size()) < most_bases && seen.insert(next.basis).second) {
        bases.push_back(next.basis);
      }
    }
  }
  return found;
}

}  // namespace pequod
