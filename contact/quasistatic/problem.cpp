#include "contact/quasistatic/problem.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Relative to the largest velocity or force of a motion: below this it counts as zero.
constexpr double kStill = 1e-9;

void check_sizes(const QuasistaticProblem& p) {
  const Index n_c = p.contacts(), n_joints = p.joints(), n_q = p.object_load.size();
  const auto is = [](const MatrixXd& A, Index rows, Index columns) {
    return A.rows() == rows && A.cols() == columns;
  };
  if (is(p.W_n, n_q, n_c) && is(p.W_t, n_q, n_c) && is(p.J_n, n_c, n_joints) &&
      is(p.J_t, n_c, n_joints) && p.joint_effort.size() == n_joints &&
      p.joint_load.size() == n_joints && static_cast<Index>(p.driven.size()) == n_joints)
    return;
  throw std::invalid_argument("quasistatic problem: its matrices do not fit " +
                              std::to_string(n_c) + " contacts, " + std::to_string(n_joints) +
                              " joints and " + std::to_string(n_q) + " object velocities");
}

std::vector<Index> joints_where(const QuasistaticProblem& problem, bool driven) {
  std::vector<Index> joints;
  for (Index j = 0; j < problem.joints(); ++j)
    if ((problem.driven[static_cast<std::size_t>(j)] != 0) == driven) joints.push_back(j);
  return joints;
}

// Entries that are zero but for rounding, else a basis might be made of them.
MatrixXd without_rounding(const MatrixXd& A, double scale) {
  return A.unaryExpr([&](double a) { return std::abs(a) > 1e-14 * scale ? a : 0.0; });
}

Polyhedron velocities(const QuasistaticProblem& p) {
  const Index n_c = p.contacts();
  const MatrixXd P = free_directions(p);
  const MatrixXd Z = without_rounding(LeastNormFactor(P).left_null_space().transpose(), 1.0);
  MatrixXd A(Z.rows(), 3 * n_c);
  A << Z, -Z.rightCols(n_c);
  const VectorXd driven = driven_velocity(p);
  return {A, without_rounding(-Z * driven, driven.norm())};
}

Polyhedron forces(const QuasistaticProblem& p) {
  const Index n_c = p.contacts();
  const MatrixXd U = p.friction.asDiagonal(), eye = MatrixXd::Identity(n_c, n_c);
  const MatrixXd P = free_directions(p).transpose();
  const MatrixXd P_n = P.leftCols(n_c), P_t = P.rightCols(n_c);
  MatrixXd C = MatrixXd::Zero(n_c + P.rows(), 3 * n_c);
  C.topRows(n_c) << 2.0 * U, -eye, -eye;
  // c_t = s_t⁺ − μ c_n
  C.block(n_c, 0, P.rows(), n_c) = P_n - P_t * U;
  C.block(n_c, n_c, P.rows(), n_c) = P_t;
  VectorXd right(C.rows());
  right << VectorXd::Zero(n_c), balanced_load(p);
  return independent_rows(C, right);
}

QuasistaticMode mode_of(const QuasistaticMotion& motion, Index i, double still) {
  if (motion.v_n[i] > still) return QuasistaticMode::breaks;
  if (motion.v_t[i] > still) return QuasistaticMode::slides_left;
  return motion.v_t[i] < -still ? QuasistaticMode::slides_right : QuasistaticMode::rolls;
}

double largest(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

double QuasistaticResiduals::worst() const {
  return std::max({object_balance, joint_balance, kinematics, penetration, cone, contact, slip});
}

MatrixXd free_directions(const QuasistaticProblem& p) {
  const std::vector<Index> free = joints_where(p, false);
  const Index n_c = p.contacts(), n_q = p.object_load.size();
  MatrixXd P(2 * n_c, n_q + static_cast<Index>(free.size()));
  P.topLeftCorner(n_c, n_q) = p.W_n.transpose();
  P.bottomLeftCorner(n_c, n_q) = p.W_t.transpose();
  P.topRightCorner(n_c, P.cols() - n_q) = -p.J_n(Eigen::all, free);
  P.bottomRightCorner(n_c, P.cols() - n_q) = -p.J_t(Eigen::all, free);
  return P;
}

VectorXd driven_velocity(const QuasistaticProblem& p) {
  const std::vector<Index> driven = joints_where(p, true);
  VectorXd v(2 * p.contacts());
  const VectorXd rates = p.joint_velocity(driven);
  v << p.J_n(Eigen::all, driven) * rates, p.J_t(Eigen::all, driven) * rates;
  return v;
}

VectorXd balanced_load(const QuasistaticProblem& p) {
  const std::vector<Index> free = joints_where(p, false);
  VectorXd load(p.object_load.size() + static_cast<Index>(free.size()));
  load << -p.object_load, p.joint_load(free) - p.joint_effort(free);
  return load;
}

UncoupledProblem uncoupled(const QuasistaticProblem& problem) {
  check_sizes(problem);
  return {velocities(problem), forces(problem)};
}

QuasistaticMotion motion_of(const QuasistaticProblem& p, const VectorXd& x, const VectorXd& y) {
  const Index n_c = p.contacts(), n_q = p.object_load.size();
  QuasistaticMotion motion;
  motion.v_n = x.head(n_c);
  motion.v_t = x.segment(n_c, n_c) - x.tail(n_c);
  motion.c_n = y.head(n_c);
  // Half the difference of both slacks: neither is preferred.
  motion.c_t = 0.5 * (y.segment(n_c, n_c) - y.tail(n_c));
  const std::vector<Index> free = joints_where(p, false);
  VectorXd v(2 * n_c);
  v << motion.v_n, motion.v_t;
  const VectorXd rates =
      LeastNormFactor(free_directions(p)).solve(VectorXd(v + driven_velocity(p)));
  motion.object_velocity = rates.head(n_q);
  motion.joint_velocity = p.joint_velocity;
  motion.joint_effort =
      p.J_n.transpose() * motion.c_n + p.J_t.transpose() * motion.c_t + p.joint_load;
  for (std::size_t k = 0; k < free.size(); ++k) {
    motion.joint_velocity[free[k]] = rates[n_q + static_cast<Index>(k)];
    motion.joint_effort[free[k]] = p.joint_effort[free[k]];
  }
  const double still = kStill * (1.0 + std::max(largest(motion.v_n), largest(motion.v_t)));
  for (Index i = 0; i < n_c; ++i) motion.modes.push_back(mode_of(motion, i, still));
  return motion;
}

QuasistaticResiduals residuals(const QuasistaticProblem& p, const QuasistaticMotion& m) {
  QuasistaticResiduals r;
  r.object_balance = largest(p.W_n * m.c_n + p.W_t * m.c_t + p.object_load);
  r.joint_balance = largest(p.J_n.transpose() * m.c_n + p.J_t.transpose() * m.c_t - m.joint_effort +
                            p.joint_load);
  r.kinematics =
      std::max(largest(m.v_n - p.W_n.transpose() * m.object_velocity + p.J_n * m.joint_velocity),
               largest(m.v_t - p.W_t.transpose() * m.object_velocity + p.J_t * m.joint_velocity));
  r.penetration = r.cone = r.contact = r.slip = r.product = 0.0;
  for (Index i = 0; i < p.contacts(); ++i) {
    const double bound = p.friction[i] * m.c_n[i];
    // Friction left before it slides that way.
    const double left = bound + (m.v_t[i] > 0.0 ? m.c_t[i] : -m.c_t[i]);
    r.penetration = std::max(r.penetration, -m.v_n[i]);
    r.cone = std::max({r.cone, std::abs(m.c_t[i]) - bound, -m.c_n[i]});
    r.contact = std::max(r.contact, std::min(m.c_n[i], m.v_n[i]));
    r.slip = std::max(r.slip, std::min(std::abs(m.v_t[i]), left));
    r.product += m.c_n[i] * m.v_n[i] + std::abs(m.v_t[i]) * left;
  }
  return r;
}

}  // namespace pequod
