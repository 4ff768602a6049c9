#include "contact/models/friction_form.h"

#include <algorithm>

namespace pequod {
namespace {

// G = [N S T] contact by contact, and the coefficients; `extra` joints behind them. Without N where
// the impulses along it are known.
void pose_columns(const ContactProblem& problem, int extra, bool normals, MatrixXd& G,
                  VectorXd& mu) {
  const int n = problem.n + extra;
  G.setZero(problem.m, 3 * n);
  mu.resize(n);
  for (int i = 0; i < problem.n; ++i) {
    if (normals) G.col(3 * i) = problem.normals.col(i);
    G.middleCols(3 * i + 1, 2) = problem.tangents.matrix().middleCols(2 * i, 2);
    mu[i] = problem.friction[i];
  }
  for (int j = 0; j < extra; ++j) {
    G.col(3 * (problem.n + j) + 1) = problem.joints.col(j);
    mu[problem.n + j] = 1.0;
  }
}

// W_nn of a contact whose normal belongs to no motion of the bodies: that of its tangents, as units
// are chosen contact by contact.
double own_response(const ContactProblem& problem, int i) {
  const double tangents = std::max(problem.tangents.col(2 * i).squaredNorm(),
                                   problem.tangents.col(2 * i + 1).squaredNorm());
  return tangents > 0.0 ? tangents : 1.0;
}

// Contacts from which on W = GᵀG is found faster without the zeros of G: a contact has an entry for
// each coordinate of two bodies, whatever stands on these.
constexpr int kWide = 32;

// The three columns of a contact whose rows are those of bodies.
void append_body_columns(const BodyRows& bodies, int i, SparseColumns& G) {
  for (int k = 0; k < 3; ++k) {
    for (int body = 0; body < 2; ++body) {
      const int block = bodies.on[i][body];
      const double* row = bodies.of(i, body) + kBodyWidth * k;
      for (int c = 0; c < kBodyWidth && block >= 0; ++c)
        if (row[c] != 0.0) G.push(kBodyWidth * block + c, row[c]);
    }
    G.end_column();
  }
}

void multiply_sparse(const MatrixXd& G, SparseColumns& columns, MatrixXd& W) {
  columns.reset(G.rows());
  for (Index j = 0; j < G.cols(); ++j) columns.append(G.col(j).data());
  W.resize(G.cols(), G.cols());
  for (int j = 0; j < columns.columns(); ++j)
    for (int i = 0; i <= j; ++i) W(i, j) = W(j, i) = columns.dot(i, G.col(j).data());
}

}  // namespace

void pose_friction(const ContactProblem& problem, bool joints, ContactWorkspace& workspace,
                   const VectorXd* pressed) {
  const int extra = joints ? static_cast<int>(problem.bound.size()) : 0;
  FrictionProblem& out = workspace.friction;
  MatrixXd& G = workspace.columns;
  workspace.posed_sparse = false;
  pose_columns(problem, extra, pressed == nullptr, G, out.mu);
  if (problem.n < kWide)
    out.W.noalias() = G.transpose() * G;
  else
    multiply_sparse(G, workspace.sparse_columns, out.W);
  out.q.noalias() = G.transpose() * problem.y;
  for (int i = 0; i < problem.n; ++i) {
    const int row = 3 * i;
    if (pressed) out.W(row, row) = own_response(problem, i);
    out.q[row] -= pressed ? out.W(row, row) * (*pressed)[i] : problem.c[i];
  }
  for (int j = 0; j < extra; ++j) {
    const int row = 3 * (problem.n + j);
    out.W(row, row) = out.W(row + 1, row + 1);
    out.q[row] = -out.W(row, row) * problem.bound[j];
    out.q[row + 1] -= problem.rest[j];
  }
  out.scale = problem.y.norm();
}

void pose_sparse_friction(const ContactProblem& problem, ContactWorkspace& workspace,
                          SparseFrictionProblem& posed, const VectorXd* pressed) {
  const int extra = static_cast<int>(problem.bound.size());
  SparseColumns& G = workspace.sparse_columns;
  G.reset(problem.m);
  posed.mu.resize(problem.n + extra);
  for (int i = 0; i < problem.n; ++i) {
    if (problem.in_bodies()) {
      append_body_columns(problem.bodies, i, G);
    } else {
      if (pressed)
        G.end_column();
      else
        append_column(problem.normals, i, G);
      for (int j = 2 * i; j < 2 * i + 2; ++j) append_column(problem.tangents, j, G);
    }
    posed.mu[i] = problem.friction[i];
  }
  for (int j = 0; j < extra; ++j) {
    G.end_column();
    G.append(problem.joints.col(j).data());
    G.end_column();
    posed.mu[problem.n + j] = 1.0;
  }
  workspace.posed_sparse = true;
  const Eigen::Map<const Eigen::SparseMatrix<double>> columns(
      problem.m, G.columns(), static_cast<Index>(G.values().size()), G.starts().data(),
      G.row_of().data(), G.values().data());
  posed.W = Eigen::SparseMatrix<double>(columns.transpose()) * columns;
  posed.q.resize(G.columns());
  for (int j = 0; j < G.columns(); ++j) posed.q[j] = G.dot(j, problem.y.data());
  for (int i = 0; i < problem.n; ++i) {
    const int row = 3 * i;
    if (pressed) posed.W.coeffRef(row, row) = own_response(problem, i);
    posed.q[row] -= pressed ? own_response(problem, i) * (*pressed)[i] : problem.c[i];
  }
  for (int j = 0; j < extra; ++j) {
    const int row = 3 * (problem.n + j);
    const double own = posed.W.coeff(row + 1, row + 1);
    posed.W.coeffRef(row, row) = own;
    posed.q[row] = -own * problem.bound[j];
    posed.q[row + 1] -= problem.rest[j];
  }
  posed.W.makeCompressed();
  posed.scale = problem.y.norm();
}

void guess_impulses(const ContactProblem& problem, ContactWorkspace& workspace) {
  workspace.guess.clear();
  if (problem.force.size() != 3 * problem.n || problem.step <= 0.0) return;
  workspace.guess.assign(3 * (problem.n + problem.bound.size()), 0.0);
  for (int i = 0; i < 3 * problem.n; ++i) workspace.guess[i] = problem.step * problem.force[i];
  for (std::size_t j = 0; j < problem.bound.size(); ++j) {
    const std::size_t row = 3 * (problem.n + j);
    workspace.guess[row] = problem.bound[j];
    workspace.guess[row + 1] = -problem.slide[j] * problem.bound[j];
  }
}

void guess_from(const ContactSolution& solution, ContactWorkspace& workspace) {
  workspace.guess.clear();
  for (Index i = 0; i < solution.fn.size(); ++i)
    workspace.guess.insert(workspace.guess.end(),
                           {solution.fn[i], solution.ft[2 * i], solution.ft[2 * i + 1]});
}

void share_parallel_tangents(const ContactProblem& problem, VectorXd& ft) {
  constexpr double kParallel = 1e-9;  // of the longer: as rows repeat each other
  for (int i = 0; i < problem.n; ++i) {
    const ColumnBuffer& rows = problem.tangents;
    const double ss = rows.squared_norm(2 * i), tt = rows.squared_norm(2 * i + 1);
    const double st = rows.dot(2 * i, 2 * i + 1);
    const double longer = std::max(ss, tt);
    // |s|²|t|² − (s·t)² is rounded to 1e-16 of its terms: what passes is looked at by itself.
    if (ss * tt - st * st > 1e-12 * longer * longer || longer == 0.0) continue;
    const double along_s = ss >= tt ? 1.0 : st / tt, along_t = ss >= tt ? st / ss : 1.0;
    const auto s = rows.col(2 * i), t = rows.col(2 * i + 1);
    const double across = ss >= tt ? (t - along_t * s).norm() : (s - along_s * t).norm();
    if (across > kParallel * std::sqrt(longer)) continue;
    const double moved = along_s * ft[2 * i] + along_t * ft[2 * i + 1];
    ft.segment<2>(2 * i) << along_s, along_t;
    ft.segment<2>(2 * i) *= moved / (along_s * along_s + along_t * along_t);
  }
}

void read_impulses(const ContactProblem& problem, const VectorXd& r,
                   const ContactWorkspace& workspace, ContactSolution& out) {
  out.y = problem.y;
  if (workspace.posed_sparse)
    for (int j = 0; j < workspace.sparse_columns.columns(); ++j)
      workspace.sparse_columns.add(j, r[j], out.y.data());
  else
    out.y.noalias() += workspace.columns * r;
  read_forces(problem, r, out);
}

void read_forces(const ContactProblem& problem, const VectorXd& r, ContactSolution& out) {
  out.fn.resize(problem.n);
  out.ft.resize(2 * problem.n);
  out.active.clear();
  const double fastest = std::max(problem.y.norm(), out.y.norm());
  for (int i = 0; i < problem.n; ++i) {
    out.fn[i] = r[3 * i];
    out.ft.segment<2>(2 * i) = r.segment<2>(3 * i + 1);
    if (out.fn[i] * std::sqrt(problem.squared_normal(i)) > kNegligible * fastest)
      out.active.push_back(i);
  }
  if (!problem.in_bodies()) share_parallel_tangents(problem, out.ft);  // free ones move all ways
  out.sticking.assign(problem.n, 0);
  out.held.assign(2 * problem.n, 0);
  out.slide.clear();
  out.fj.clear();
  out.rounds = 1;
  out.locks = 0;
}

void hold_what_sticks(const ContactProblem& problem, ContactSolution& out) {
  const double fastest = std::max(problem.y.norm(), out.y.norm());
  for (const int i : out.active) {
    if (problem.limit[i]) continue;
    double slip = 0.0, row = 0.0;
    for (int j = 2 * i; j < 2 * i + 2; ++j) {
      slip = std::max(slip, std::abs(problem.tangent_speed(j, out.y)));
      row = std::max(row, problem.squared_tangent(j));
    }
    if (slip > kNegligible * std::sqrt(row) * fastest) continue;
    out.sticking[i] = 1;
    out.held[2 * i] = out.held[2 * i + 1] = 1;
  }
}

void give_no_energy(const ContactProblem& problem, ContactSolution& solution) {
  if ((problem.c.array() > 0.0).any()) return;  // what opens a gap gives energy
  const VectorXd change = solution.y - problem.y;
  const double square = change.squaredNorm(), linear = change.dot(problem.y);
  if (2.0 * linear + square <= 0.0) return;
  const double share = std::max(-2.0 * linear / square, 0.0);
  solution.y = problem.y + share * change;
  solution.fn *= share;
  solution.ft *= share;
  for (double& force : solution.fj) force *= share;
}

}  // namespace pequod
