#include "contact/models/least_distance_form.h"

#include <algorithm>
#include <cmath>

namespace pequod {

void pose_normals(const ContactProblem& problem, LeastDistanceProblem& out) {
  out.y0 = problem.y;
  // Storage only grows, so that a run settles into a steady state without allocation.
  if (out.G.rows() != problem.m || out.G.cols() < problem.n) out.G.resize(problem.m, problem.n);
  if (out.c.size() != out.G.cols()) out.c.resize(out.G.cols());
  const Index equalities = 2 * problem.n + problem.joints.columns();
  if (out.E.rows() != problem.m || out.E.cols() < equalities) {
    out.E.resize(problem.m, equalities);
    out.e.setZero(equalities);
  }
  out.G.leftCols(problem.n) = problem.normals.matrix();
  out.c.head(problem.n) = problem.c;
  out.n = problem.n;
}

void read_normals(const ContactProblem& problem, const LeastDistanceSolution& in,
                  ContactSolution& out) {
  out.status = in.status;
  out.reason = in.reason;
  out.y = in.y;
  out.fn = in.f.head(problem.n);
  out.ft.setZero(2 * problem.n);
  out.active = in.active;
  out.pivots = in.pivots;
  out.residual = worst_of(in.residuals);
}

double worst_of(const LeastDistanceResiduals& r) {
  const double sum = r.infeasibility + r.complementarity + r.stationarity + r.dual_infeasibility;
  return std::isnan(sum)
             ? sum
             : std::max({r.infeasibility, r.complementarity, r.stationarity, r.dual_infeasibility});
}

LeastDistanceResiduals measure_on_limbs(const ContactProblem& problem, const VectorXd& y,
                                        const VectorXd& multipliers) {
  const LimbRows::Residuals found = problem.limbs.measure(problem.y, y, multipliers);
  const double size = problem.y.norm(), scale = size > 0.0 ? size : 1.0;
  LeastDistanceResiduals result{0, 0, 0, 0};
  result.infeasibility = found.speed / scale;
  result.complementarity = found.work / (scale * scale);
  result.stationarity = found.left / scale;
  return result;
}

}  // namespace pequod
