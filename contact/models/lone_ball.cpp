#include "contact/models/lone_ball.h"

#include <array>
#include <cmath>

#include "contact/models/friction_form.h"
#include "contact/solvers/friction/friction_ball.h"

namespace pequod {
namespace {

// The rows along n, s and t, and what they are to do.
struct LoneContact {
  const double *n, *s, *t, *y;
  std::array<double, 9> W{};  // GᵀG, by rows
  std::array<double, 3> q{};  // Gᵀy − c
  double free = 0.0;          // |y|
};

LoneContact pose_contact(const ContactProblem& problem) {
  LoneContact out{problem.normals.col(0).data(), problem.tangents.col(0).data(),
                  problem.tangents.col(1).data(), problem.y.data()};
  auto& [n, s, t, y, W, q, free] = out;
  q[0] = -problem.c[0];
  for (int i = 0; i < problem.m; ++i) {
    W[0] += n[i] * n[i], W[1] += n[i] * s[i], W[2] += n[i] * t[i];
    W[4] += s[i] * s[i], W[5] += s[i] * t[i], W[8] += t[i] * t[i];
    q[0] += n[i] * y[i], q[1] += s[i] * y[i], q[2] += t[i] * y[i];
    free += y[i] * y[i];
  }
  W[3] = W[1], W[6] = W[2], W[7] = W[5];
  free = std::sqrt(free);
  return out;
}

void write_contact(const LoneContact& contact, int m, const BallContact& found,
                   ContactSolution& out) {
  const auto& [n, s, t, y, W, q, free] = contact;
  const auto& r = found.r;
  double square = 0.0;
  out.y.resize(m);
  for (int i = 0; i < m; ++i) {
    out.y[i] = ((y[i] + r[0] * n[i]) + r[1] * s[i]) + r[2] * t[i];
    square += out.y[i] * out.y[i];
  }
  out.fn.resize(1);
  out.ft.resize(2);
  out.fn[0] = r[0];
  out.ft << r[1], r[2];
  const double fastest = std::max(free, std::sqrt(square));
  out.active.clear();
  if (r[0] * std::sqrt(W[0]) > kNegligible * fastest) out.active.push_back(0);
  out.sticking.assign(1, found.sticks);
  out.held.assign(2, found.sticks);
  out.slide.clear();
  out.fj.clear();
  out.status = SolveStatus::solved;
  out.reason.clear();
  out.residual = found.residual;
  out.usable = false;
  out.rounds = 1;
  out.pivots = out.locks = out.switches = 0;
}

}  // namespace

bool solve_lone_ball(const ContactProblem& problem, ContactSolution& solution) {
  if (problem.n != 1 || !problem.bound.empty() || problem.in_bodies()) return false;
  const LoneContact contact = pose_contact(problem);
  BallContact found;
  if (!solve_ball(contact.W.data(), contact.q.data(), problem.friction[0], contact.free, found))
    return false;
  write_contact(contact, problem.m, found, solution);
  return true;
}

}  // namespace pequod
