#include "contact/loop_rows.h"

#include <algorithm>

#include "core/loop.h"

namespace pequod {
namespace {

constexpr double kRank = 1e-9;  // share of a row below which it repeats others

// Calls visit(loop, direction) for each row that is offered, in their order.
template <typename Visit>
void for_each_row(const Model& model, const Island& island, const Visit& visit) {
  for (const int index : island.loops) {
    const Loop& loop = nth(model.loops, index);
    const std::array<bool, kLoopDirections> held = held_directions(loop.type);
    for (int d = 0; d < kLoopDirections; ++d)
      if (nth(held, d)) visit(loop, d);
  }
}

Eigen::Index row_count(const Model& model, const Island& island) {
  Eigen::Index count = 0;
  for_each_row(model, island, [&](const Loop&, int) { ++count; });
  return count;
}

// L⁻ᵀ of all rows of a loop; held or not, as each group of three tells what in it is rounding.
using LoopColumns = std::array<VectorXd, kLoopDirections>;

void assemble_directions(const Model& model, const Kinematics& kin, const MassFactor& factor,
                         const Island& island, const Loop& loop, LoopColumns& columns) {
  thread_local VectorXd row;  // workspace only
  for (int d = 0; d < kLoopDirections; ++d) {
    row.setZero(model.nv);
    add_loop_row(model, kin, loop, d, row);
    VectorXd& column = nth(columns, d);
    gather(model, island, row, column);
    island_solve_L_transposed(model, factor, island, column);
  }
}

// The longest of three.
double longest_column(const LoopColumns& columns, std::size_t first) {
  return std::max({columns[first].norm(), columns[first + 1].norm(), columns[first + 2].norm()});
}

}  // namespace

void assemble_loop_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        const Island& island, ContactProblem& problem) {
  thread_local LoopColumns columns;  // workspace only
  problem.loops.reset(island.m, kRank);
  for (const int index : island.loops) {
    const Loop& loop = nth(model.loops, index);
    const std::array<bool, kLoopDirections> held = held_directions(loop.type);
    assemble_directions(model, kin, factor, island, loop, columns);
    // In a planar linkage the rows that lead out of the plane are zero but for rounding, which
    // their own length would not tell; so are all of a translation, where the point is on the axis.
    const double turning = longest_column(columns, 3);
    const double moving =
        std::max(longest_column(columns, 0), loop_lever(model, kin, loop) * turning);
    for (std::size_t d = 0; d < kLoopDirections; ++d)
      if (held[d]) problem.loops.add(columns[d], {.size = d < 3 ? moving : turning});
  }
}

void take_off_loops(const HeldRows& loops, ColumnBuffer& columns, ColumnBuffer& parts) {
  parts.reset(static_cast<Eigen::Index>(loops.accepted().size()));
  for (Eigen::Index i = 0; i < columns.columns(); ++i) {
    auto column = columns.col(i);
    const double length = column.norm();
    loops.split(column, parts.append());
    if (column.norm() <= kRank * length) column.setZero();
  }
}

void loop_rates(const Model& model, const Kinematics& kin, const Island& island, VectorXd& e) {
  e.resize(row_count(model, island));
  Eigen::Index row = 0;
  const Loop* last = nullptr;
  Vector6d bias = Vector6d::Zero();
  for_each_row(model, island, [&](const Loop& loop, int direction) {
    if (&loop != last) bias = loop_bias(model, kin, loop);
    last = &loop;
    e[row++] = -bias[direction];
  });
}

void loop_displacements(const Model& model, std::span<const Pose> X_WL, const Island& island,
                        VectorXd& e) {
  e.resize(row_count(model, island));
  Eigen::Index row = 0;
  for_each_row(model, island, [&](const Loop& loop, int direction) {
    e[row++] = -loop_gap(loop, X_WL)[direction];
  });
}

void hold_loops(const VectorXd& e, const ContactProblem& problem, VectorXd& y, VectorXd& c,
                VectorXd& rest) {
  thread_local VectorXd multipliers, in_loops, part;  // workspaces only
  if (problem.loops.accepted().empty()) return;
  problem.loops.solve(e, y, multipliers);
  part = y;
  in_loops.resize(static_cast<Eigen::Index>(problem.loops.accepted().size()));
  problem.loops.split(part, in_loops);
  for (int i = 0; i < problem.n; ++i) {
    c[i] -= problem.normals_in_loops.col(i).dot(in_loops);
    if (problem.normals.col(i).isZero(0.0)) c[i] = std::min(c[i], 0.0);
  }
  for (Eigen::Index j = 0; j < problem.joints.columns(); ++j)
    rest[j] -= problem.joints_in_loops.col(j).dot(in_loops);
}

double tangent_in_loops(const ContactProblem& problem, const VectorXd& y, int j) {
  thread_local VectorXd in_loops, part;  // workspaces only
  if (problem.loops.accepted().empty()) return 0.0;
  part = y;
  in_loops.resize(static_cast<Eigen::Index>(problem.loops.accepted().size()));
  problem.loops.split(part, in_loops);
  return problem.tangents_in_loops.col(j).dot(in_loops);
}

}  // namespace pequod
