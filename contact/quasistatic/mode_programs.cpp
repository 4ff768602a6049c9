#include "contact/quasistatic/mode_programs.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearProgram dual_of_velocities(const MatrixXd& P, const VectorXd& driven) {
  LinearProgram program = LinearProgram::standard(P.transpose(), VectorXd::Zero(P.cols()));
  program.lower.setZero();
  program.upper.setZero();
  program.cost = driven;
  return program;
}

// Columns: a, then b.
LinearProgram cone_edges(const QuasistaticProblem& problem, const MatrixXd& P) {
  const Index n_c = problem.contacts();
  const MatrixXd normal = P.topRows(n_c).transpose();
  const MatrixXd friction = P.bottomRows(n_c).transpose() * problem.friction.asDiagonal();
  MatrixXd A(P.cols(), 2 * n_c);
  A << normal + friction, normal - friction;
  return LinearProgram::standard(A, balanced_load(problem));
}

constexpr ModeZeros kNone{{false, false, false}, {false, false, false}};

}  // namespace

ModePrograms::ModePrograms(const QuasistaticProblem& problem)
    : contacts_(problem.contacts()),
      P_(free_directions(problem)),
      driven_(driven_velocity(problem)),
      friction_(problem.friction),
      zeros_(static_cast<std::size_t>(contacts_), kNone),
      X_(dual_of_velocities(P_, driven_)),
      Y_(cone_edges(problem, P_)) {}

void ModePrograms::bind(Index contact, QuasistaticMode mode) { set_zeros(contact, zeros_of(mode)); }

void ModePrograms::release(Index contact) { set_zeros(contact, kNone); }

void ModePrograms::set_zeros(Index contact, const ModeZeros& zeros) {
  zeros_[static_cast<std::size_t>(contact)] = zeros;
  const auto [n, plus, minus] = zeros.y;
  const int a = static_cast<int>(contact), b = static_cast<int>(contact + contacts_);
  Y_.set_bounds(a, 0.0, n || plus ? 0.0 : INFINITY);
  Y_.set_bounds(b, 0.0, n || minus ? 0.0 : INFINITY);
}

std::optional<VectorXd> ModePrograms::velocities(const VectorXd& y) {
  for (Index i = 0; i < contacts_; ++i) {
    const auto [n, plus, minus] = zeros_[static_cast<std::size_t>(i)].x;
    const int normal = static_cast<int>(i), tangent = static_cast<int>(i + contacts_);
    X_.set_bounds(normal, -INFINITY, n ? INFINITY : y[i]);
    X_.set_bounds(tangent, minus ? -INFINITY : -y[i + 2 * contacts_],
                  plus ? INFINITY : y[i + contacts_]);
  }
  const LpSolution solution = X_.solve();
  if (solution.status != LpStatus::optimal) return std::nullopt;
  const VectorXd v = P_ * solution.price - driven_, v_t = v.tail(contacts_);
  VectorXd x(3 * contacts_);
  x << v.head(contacts_).cwiseMax(0.0), v_t.cwiseMax(0.0), (-v_t).cwiseMax(0.0);
  for (Index i = 0; i < contacts_; ++i)
    for (Index k = 0; k < 3; ++k)
      if (zeros_[static_cast<std::size_t>(i)].x[static_cast<std::size_t>(k)])
        x[i + k * contacts_] = 0.0;
  return x;
}

std::optional<VectorXd> ModePrograms::forces(const VectorXd& x) {
  const VectorXd v_n = x.head(contacts_);
  VectorXd cost(2 * contacts_);
  cost << v_n + 2.0 * friction_.cwiseProduct(x.segment(contacts_, contacts_)),
      v_n + 2.0 * friction_.cwiseProduct(x.tail(contacts_));
  Y_.set_cost(cost);
  const LpSolution solution = Y_.solve();
  if (solution.status != LpStatus::optimal) return std::nullopt;
  const VectorXd a = solution.x.head(contacts_), b = solution.x.tail(contacts_);
  VectorXd y(3 * contacts_);
  y << a + b, 2.0 * friction_.cwiseProduct(a), 2.0 * friction_.cwiseProduct(b);
  return y.cwiseMax(0.0);
}

}  // namespace pequod
