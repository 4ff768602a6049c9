#include "contact/models/body_form.h"

#include <algorithm>
#include <array>

namespace pequod {
namespace {

// Marks the blocks of the column's entries in `on`, ascending.
// @return  false if they are more than two
bool find_blocks(const Eigen::Ref<const VectorXd>& column, std::array<int, 2>& on) {
  const double least = SparseColumns::kRounding * column.cwiseAbs().maxCoeff();
  const auto blocks = static_cast<int>(column.size()) / kBodyWidth;
  for (int block = 0; block < blocks; ++block) {
    if (on[0] == block || on[1] == block ||
        !(column.segment<kBodyWidth>(static_cast<Eigen::Index>(kBodyWidth) * block)
              .cwiseAbs()
              .maxCoeff() > least))
      continue;
    if (on[1] >= 0) return false;
    on[on[0] >= 0 ? 1 : 0] = block;
  }
  return true;
}

void append_rows(const std::array<Eigen::Ref<const VectorXd>, 3>& columns, int block,
                 std::vector<double>& rows) {
  for (const auto& column : columns)
    for (int c = 0; c < kBodyWidth; ++c)
      rows.push_back(block < 0 ? 0.0 : column[static_cast<Eigen::Index>(kBodyWidth) * block + c]);
}

}  // namespace

bool pose_bodies(const ContactProblem& problem, BodyProblem& bodies) {
  if (problem.m % kBodyWidth != 0 || !problem.bound.empty() || problem.loops.rank() > 0)
    return false;
  bodies.reset(problem.m / kBodyWidth);
  bodies.y = problem.y;
  bodies.b.setZero(3 * problem.n);
  for (int i = 0; i < problem.n; ++i) {
    const std::array<Eigen::Ref<const VectorXd>, 3> columns{
        problem.normals.col(i), problem.tangents.col(2 * i), problem.tangents.col(2 * i + 1)};
    std::array<int, 2> on{-1, -1};
    for (const auto& column : columns)
      if (!find_blocks(column, on)) return false;
    for (const int block : on) append_rows(columns, block, bodies.rows);
    bodies.on.push_back(on);
    bodies.b[3 * i] = -problem.c[i];
    const auto at = static_cast<std::size_t>(i);
    bodies.mu.push_back(problem.limit[at] ? 0.0 : problem.friction[at]);
  }
  return true;
}

}  // namespace pequod
