#include "test/contact/solvers/reference_solver.h"

#include <cmath>
#include <vector>

namespace pequod::test {

namespace {

using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Set = std::vector<Eigen::Index>;

constexpr Real rounding = 1e-17L;

Vector least_squares(const Matrix& A, const Vector& b, const Set& set) {
  return Matrix(A(Eigen::all, set)).householderQr().solve(b);
}

/// True if the last of the columns is no combination of the others and gets a positive weight.
bool last_one_helps(const Matrix& A, const Vector& b, const Set& set) {
  if (static_cast<Eigen::Index>(set.size()) > A.rows()) return false;
  const Eigen::HouseholderQR<Matrix> qr(Matrix(A(Eigen::all, set)));
  const Eigen::Index last = static_cast<Eigen::Index>(set.size()) - 1;
  return std::abs(qr.matrixQR()(last, last)) > 1e-13L && Vector(qr.solve(b))[last] > 0;
}

/// Walks from x towards the least-squares solution z on `set`, dropping what turns negative.
void walk(const Matrix& A, const Vector& b, Vector& x, Set& set) {
  while (!set.empty()) {
    const Vector z = least_squares(A, b, set);
    Real alpha = 1;
    Eigen::Index blocking = -1;
    for (Eigen::Index j = 0; j < z.size(); ++j) {
      if (z[j] > 0) continue;
      const Real step = x[set[j]] > 0 ? x[set[j]] / (x[set[j]] - z[j]) : 0;
      if (blocking < 0 || step < alpha) {
        alpha = step;
        blocking = j;
      }
    }
    for (Eigen::Index j = 0; j < z.size(); ++j) x[set[j]] += alpha * (z[j] - x[set[j]]);
    if (blocking < 0) return;
    x[set[blocking]] = 0;
    set.erase(set.begin() + blocking);
  }
}

/// min |A x − b| with x ≥ 0, unit columns; false if it does not end.
bool non_negative_least_squares(const Matrix& A, const Vector& b, Vector& residual) {
  Vector x = Vector::Zero(A.cols());
  Set set;
  for (Eigen::Index round = 0; round < 100 + 20 * A.cols(); ++round) {
    residual = b;
    for (const Eigen::Index i : set) residual -= x[i] * A.col(i);
    Vector gain = A.transpose() * residual;
    for (const Eigen::Index i : set) gain[i] = 0;
    // A column that depends on the set is no gain, whatever rounding says (Lawson & Hanson).
    while (true) {
      Eigen::Index best = 0;
      if (gain.size() == 0 || gain.maxCoeff(&best) <= rounding * b.norm()) return true;
      Set larger = set;
      larger.push_back(best);
      if (last_one_helps(A, b, larger)) {
        set = larger;
        break;
      }
      gain[best] = 0;
    }
    walk(A, b, x, set);
  }
  return false;
}

/// y − y₀ of least length with Gᵀy ≥ c; unit columns.
Reference least_distance(const Matrix& G, const Vector& h, Vector& step) {
  Reference result;
  step = Vector::Zero(G.rows());
  result.solved = true;
  if (h.size() == 0 || h.maxCoeff() <= 0) return result;
  // Lawson & Hanson, LDP: min |[G; hᵀ] u − [0; 1]|, then y = −r/r_{m+1}; r_{m+1} = 1/(1 + |y|²) in
  // units of `size`, so a size much shorter than y loses digits and the solve is repeated.
  Real size = h.cwiseAbs().maxCoeff();
  for (int round = 0; round < 3; ++round) {
    Matrix A(G.rows() + 1, G.cols());
    A << G, (h / size).transpose();
    const Vector norm = A.colwise().norm();
    A = A * norm.cwiseInverse().asDiagonal();
    const Vector b = Vector::Unit(A.rows(), G.rows());
    Vector residual;
    result.finished = non_negative_least_squares(A, b, residual);
    const Real last = residual[G.rows()];
    result.solved = last > 1e-14L;
    if (!result.solved) break;
    step = -residual.head(G.rows()) / last * size;
    if (last > 1e-6L) break;
    size /= std::sqrt(last);
  }
  return result;
}

}  // namespace

Reference solve_in_extended_precision(const Contacts& contacts) {
  const Eigen::LLT<Matrix> llt(contacts.M.cast<Real>());
  const Matrix L = llt.matrixU();
  const Vector y0 = L * contacts.v.cast<Real>();
  Matrix G = llt.matrixL().solve(contacts.N.cast<Real>().transpose());
  const Vector norm = G.colwise().norm();
  G = G * norm.cwiseInverse().asDiagonal();
  const Vector c = contacts.c.cast<Real>().cwiseQuotient(norm);

  // Coordinates in the null space of J; the right-hand sides of J are zero.
  Matrix Z = Matrix::Identity(y0.size(), y0.size());
  if (contacts.J.rows() > 0) {
    const Matrix E = llt.matrixL().solve(contacts.J.cast<Real>().transpose());
    Eigen::ColPivHouseholderQR<Matrix> qr;
    qr.setThreshold(1e-9L);
    qr.compute(E);
    const Matrix Q = qr.householderQ();
    Z = Q.rightCols(y0.size() - qr.rank());
  }
  const Vector start = Z * (Z.transpose() * y0);
  const Matrix G_free = Z.transpose() * G;
  Vector step;
  Reference result;
  if (c.isZero(0)) {
    // A cone: f ≥ 0 of least |y₀ + G f| is the answer itself, and there always is one.
    Vector residual;
    result.finished = non_negative_least_squares(G_free, -Z.transpose() * y0, residual);
    result.solved = true;
    step = -residual - Z.transpose() * y0;
  } else {
    result = least_distance(G_free, c - G.transpose() * start, step);
  }
  result.L = L;
  result.v = llt.matrixU().solve(Vector(start + Z * step));
  return result;
}

}  // namespace pequod::test
