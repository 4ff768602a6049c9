#include "simulation/close_loops.h"

#include "contact/loop_rows.h"
#include "core/loop.h"
#include "simulation/errors.h"
#include "simulation/evaluate.h"
#include "simulation/held/project.h"
#include "simulation/held/workspace.h"

namespace pequod {
namespace {

double widest_gap(const Model& model, const VectorXd& q) {
  std::vector<Pose> X_WL;
  compute_poses(model, q, X_WL);
  return widest_loop_gap(model.loops, X_WL);
}

void close_positions(const Model& model, Evaluator& here, State& state) {
  constexpr int kRounds = 20;  // each with its own rows: Newton's method
  HeldFactor held(model);
  HeldWorkspace workspace;
  for (int round = 0; round < kRounds; ++round) {
    here.at(state.q, state.v);
    held.factor(here, HeldTangents::without);
    if (project_position(model, here.factor(), here.kinematics(), held, {}, state.q, workspace)
            .widest <= kGapNoise)
      return;
  }
}

void close_velocities(const Model& model, const Evaluator& here, VectorXd& v) {
  std::vector<int> given, tree_offset;
  for (int i = 0; i < model.nv; ++i)
    if (v[i] != 0.0) given.push_back(i);
  std::vector<Island> islands;
  find_islands(model, {}, islands, tree_offset, given);
  ContactProblem problem;
  HeldRows rows;
  VectorXd e, f;
  for (const Island& island : islands) {
    if (island.loops.empty()) continue;
    assemble_rows(model, here.kinematics(), here.factor(), {}, island, tree_offset, problem);
    assemble_joint_rows(model, here.factor(), island, tree_offset, problem);
    gather_metric(model, here.factor(), island, v, problem.y);
    problem.loops.project(problem.y);
    rows.reset(island.m);
    e.resize(static_cast<Eigen::Index>(island.joints.size()));
    for (Eigen::Index j = 0; j < e.size(); ++j) {
      rows.add(problem.joints.col(j));
      e[j] = v[nth(island.joints, j)];
    }
    rows.solve(e, problem.y, f);
    scatter_metric(model, here.factor(), island, problem.y, v);
  }
}

}  // namespace

double close_loops(const Model& model, State& state) {
  if (model.loops.empty()) return 0.0;
  Evaluator here(model);
  try {
    close_positions(model, here, state);
  } catch (const ContactError&) {  // the gap that is returned tells
    return widest_gap(model, state.q);
  }
  here.at(state.q, state.v);
  close_velocities(model, here, state.v);
  return widest_gap(model, state.q);
}

}  // namespace pequod
