#include "contact/solvers/friction/dense/friction_admm.h"

#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

constexpr int kDenseLook = 10;        // steps between looks at the residuals
constexpr double kDenseRatio = 10.0;  // of the residuals, from which on the penalty changes

void factorise_step(const ScaledFriction& problem, double diagonal, AdmmBuffers& buffers) {
  buffers.matrix = problem.W;
  buffers.matrix.diagonal().array() += diagonal;
  if (problem.symmetric)
    factorise(buffers.matrix, buffers.symmetric);
  else
    factorise(buffers.matrix, buffers.unsymmetric);
}

void solve_factorised(const ScaledFriction& problem, AdmmBuffers& buffers) {
  if (problem.symmetric) {
    buffers.x = buffers.right;
    solve_in_place(buffers.symmetric, buffers.x);
  } else {
    solve(buffers.unsymmetric, buffers.right, buffers.x);
  }
}

void step(const ScaledFriction& problem, double penalty, double eta, AdmmBuffers& b) {
  b.right = b.z + penalty * b.y + eta * b.x - problem.q;
  for (int i = 0; i < problem.n; ++i)
    b.right[problem.stride * i] -= problem.shift(i, b.z.data() + problem.stride * i);
  solve_factorised(problem, b);
  b.before = b.y;
  b.y = b.x - b.z / penalty;
  for (int i = 0; i < problem.n; ++i) problem.project(i, b.y.data() + problem.stride * i);
  b.z -= penalty * (b.x - b.y);
}

void resize(int N, AdmmBuffers& buffers) {
  for (VectorXd* v : {&buffers.x, &buffers.y, &buffers.z, &buffers.before, &buffers.right,
                      &buffers.u, &buffers.best})
    v->resize(N);
  buffers.matrix.resize(N, N);
}

}  // namespace

int solve_admm(const ScaledFriction& problem, int steps, double tolerance, AdmmBuffers& b,
               VectorXd& rho) {
  resize(problem.rows(), b);
  b.x = b.y = b.best = rho;
  double least = natural_residual(problem, rho, b.u);
  b.z = b.u;
  for (int i = 0; i < problem.n; ++i)
    b.z[problem.stride * i] += problem.shift(i, b.u.data() + problem.stride * i);
  const double eta = 1e-6 * problem.W.norm();
  double penalty = 1;
  factorise_step(problem, penalty + eta, b);
  int done = 0;
  while (least > tolerance && done < steps) {
    step(problem, penalty, eta, b);
    if (++done % kDenseLook != 0) continue;
    const double residual = natural_residual(problem, b.y, b.u);
    if (residual < least) {
      least = residual;
      b.best = b.y;
    }
    const double primal = (b.x - b.y).norm(), dual = penalty * (b.y - b.before).norm();
    if (primal > kDenseRatio * dual)
      penalty *= 2;
    else if (dual > kDenseRatio * primal)
      penalty *= 0.5;
    else
      continue;
    factorise_step(problem, penalty + eta, b);
  }
  rho = b.best;
  return done;
}

}  // namespace pequod
