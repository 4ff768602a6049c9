#include "contact/solvers/friction/loads/load_units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pequod {

namespace {

// Of a contact's largest entry: a smaller one is rounding.
constexpr double kNoLoad = 1e-12;
// Of the momentum that stops a body: what it is loaded with at least.
constexpr double kLeastLoad = 1e-3;

double share_of_row(const double* block) {
  return std::sqrt(block[0] * block[0] + block[1] * block[1] + block[2] * block[2]);
}

// The entries of G and P that are there.
void pack_rows(const LoadFrictionProblem& problem, LoadScaled& out) {
  const MatrixXd& P = problem.P.size() > 0 ? problem.P : problem.G;
  out.begin.assign(1, 0);
  out.rows.clear();
  out.blocks.clear();
  out.pushes.clear();
  for (int i = 0; i < out.n; ++i) {
    const auto block = problem.G.middleCols<3>(3 * i), push = P.middleCols<3>(3 * i);
    const double least =
        kNoLoad * std::max(block.cwiseAbs().maxCoeff(), push.cwiseAbs().maxCoeff());
    for (int k = 0; k < out.m; ++k) {
      if (!(block.row(k).cwiseAbs().maxCoeff() > least) &&
          !(push.row(k).cwiseAbs().maxCoeff() > least))
        continue;
      out.rows.push_back(k);
      for (int component = 0; component < 3; ++component) {
        out.blocks.push_back(block(k, component));
        out.pushes.push_back(push(k, component));
      }
    }
    out.begin.push_back(static_cast<int>(out.rows.size()));
  }
}

}  // namespace

void LoadScaled::speed_of(int i, const VectorXd& at, double* u) const {
  u[0] = u[1] = u[2] = 0.0;
  for (int p = begin[i]; p < begin[i + 1]; ++p)
    for (int k = 0; k < 3; ++k) u[k] += blocks[3 * p + k] * at[rows[p]];
  for (int k = 0; k < 3; ++k) u[k] -= c[3 * i + k];
}

void LoadScaled::add(int i, double factor, const double* r, VectorXd& out) const {
  for (int p = begin[i]; p < begin[i + 1]; ++p) {
    const double* push = pushes.data() + 3 * p;
    out[rows[p]] += factor * (push[0] * r[0] + push[1] * r[1] + push[2] * r[2]);
  }
}

void scale_by_speed(const LoadFrictionProblem& problem, LoadScaled& scaled) {
  scaled.n = static_cast<int>(problem.mu.size());
  scaled.m = static_cast<int>(problem.y.size());
  scaled.y = problem.y;
  scaled.c = problem.c;
  scaled.mu = problem.mu;
  pack_rows(problem, scaled);
  scaled.rate.setZero(scaled.m);
  scaled.speed = 0.0;
  for (int i = 0; i < scaled.n; ++i) {
    double speed = share_of_row(scaled.c.data() + 3 * i);
    for (int p = scaled.begin[i]; p < scaled.begin[i + 1]; ++p) {
      const double own =
          std::max(share_of_row(&scaled.blocks[3 * p]), share_of_row(&scaled.pushes[3 * p]));
      speed += own * std::abs(scaled.y[scaled.rows[p]]);
      scaled.rate[scaled.rows[p]] = std::max(scaled.rate[scaled.rows[p]], own);
    }
    scaled.speed = std::max(scaled.speed, speed);
  }
  for (double& rate : scaled.rate) rate = rate > 0.0 ? scaled.speed / rate : 1.0;
}

void scale_by_loads(const VectorXd& r, LoadScaled& scaled) {
  scaled.load = scaled.y.cwiseAbs() + kLeastLoad * scaled.rate;
  for (int i = 0; i < scaled.n; ++i)
    for (int p = scaled.begin[i]; p < scaled.begin[i + 1]; ++p)
      scaled.load[scaled.rows[p]] +=
          share_of_row(&scaled.pushes[3 * p]) * share_of_row(r.data() + 3 * i);
  scaled.force.resize(scaled.n);
  for (int i = 0; i < scaled.n; ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (int p = scaled.begin[i]; p < scaled.begin[i + 1]; ++p)
      least = std::min(least, scaled.load[scaled.rows[p]] / share_of_row(&scaled.pushes[3 * p]));
    scaled.force[i] = std::isfinite(least) ? least : 1.0;
  }
  scaled.load.setZero();
  for (int i = 0; i < scaled.n; ++i)
    for (int p = scaled.begin[i]; p < scaled.begin[i + 1]; ++p)
      scaled.load[scaled.rows[p]] += share_of_row(&scaled.pushes[3 * p]) * scaled.force[i];
  scaled.load = scaled.load.cwiseMax(scaled.rate);
}

}  // namespace pequod
