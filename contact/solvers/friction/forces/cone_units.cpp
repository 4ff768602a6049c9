#include "contact/solvers/friction/forces/cone_units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pequod {

void find_cone_units(const Eigen::Ref<const Eigen::MatrixXd>& C, std::span<const ForceCone> cones,
                     const Eigen::VectorXd& f, Eigen::VectorXd& loads, std::vector<double>& units) {
  // Of the largest entry of a contact: a smaller one is rounding. Those of two bodies differ by the
  // root of their mass ratio.
  constexpr double kNoShare = 1e-12;
  loads.setZero(C.rows());
  Eigen::Index at = 0;
  for (const ForceCone& cone : cones) {
    loads += f.segment(at, cone.size()).norm() * C.middleCols(at, cone.size()).rowwise().norm();
    at += cone.size();
  }
  units.clear();
  at = 0;
  for (const ForceCone& cone : cones) {
    const auto columns = C.middleCols(at, cone.size());
    const double largest = columns.rowwise().norm().maxCoeff();
    double unit = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < C.rows(); ++k)
      if (const double share = columns.row(k).norm(); share > kNoShare * largest)
        unit = std::min(unit, loads[k] / share);
    units.push_back(std::isfinite(unit) ? unit : 0.0);
    at += cone.size();
  }
}

void put_into_units(const std::vector<ForceCone>& cones, const Eigen::VectorXd& unit,
                    std::vector<ForceCone>& out) {
  out = cones;
  if (unit.size() == 0) return;
  Eigen::Index column = 0;
  for (ForceCone& cone : out) {
    if (cone.kind == ForceCone::Kind::interval) cone.bound /= unit[column];
    column += cone.size();
  }
}

}  // namespace pequod
