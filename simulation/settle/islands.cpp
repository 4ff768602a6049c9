#include "simulation/settle/islands.h"

#include <algorithm>
#include <string>

#include "contact/loop_rows.h"
#include "simulation/contact_motion.h"
#include "simulation/errors.h"
#include "simulation/joint_friction.h"

namespace pequod {

Rows rows_of(const ContactModel& model) {
  const bool tangents =
      model.level == ContactLevel::velocity || model.friction != StageFriction::none;
  return tangents ? Rows::all : Rows::normals;
}

void assemble(const World& world, const Evaluator& here, std::span<const Contact> contacts,
              const Island& island, std::span<const int> tree_offset, Rows rows,
              ContactProblem& problem) {
  (rows == Rows::normals ? assemble_normals : assemble_rows)(
      world.model(), here.kinematics(), here.factor(), contacts, island, tree_offset, problem);
}

void pose_accelerations(const World& world, const Evaluator& here, const State& state,
                        const Touching& candidates, const VectorXd& vdot_free, const Island& island,
                        std::span<const int> tree_offset, Rows rows, VectorXd& rates,
                        PosedProblem& posed) {
  const Model& model = world.model();
  ContactProblem& problem = posed.problem;
  assemble(world, here, candidates.contacts, island, tree_offset, rows, problem);
  if (!island.joints.empty()) {
    assemble_joint_rows(model, here.factor(), island, tree_offset, problem);
    for (std::size_t j = 0; j < island.joints.size(); ++j)
      problem.slide[j] = find_joint(state.joints, island.joints[j]).slide;
  }
  gather_metric(model, here.factor(), island, vdot_free, problem.y);
  problem.c.resize(problem.n);
  posed.warm.clear();
  for (int i = 0; i < problem.n; ++i) {
    const Contact& contact = candidates.contacts[contact_index(island, i)];
    // Of a contact whose normal belongs to no motion no impulse makes anything.
    const bool moves = !problem.normals.col(i).isZero(0.0);
    problem.c[i] = moves ? -contact.bias : std::min(-contact.bias, 0.0);
    if (const ContactMode* mode = find_mode(state, contact.key); mode && mode->active)
      posed.warm.push_back(i);
  }
  if (island.loops.empty()) return;
  loop_rates(model, here.kinematics(), island, rates);
  hold_loops(rates, problem);
}

void accelerate_freely(const World& world, const Evaluator& here, const State& state,
                       Touching& touching, FreeAcceleration& out) {
  compute_biases(world.model(), here.kinematics(), touching);
  std::vector<JointMode> joints;
  std::vector<int> joints_at_rest;
  sort_joints(state, joints, joints_at_rest);
  compute_free_acceleration(*world.scenario, here, state, state.v, touching, false, out,
                            sliding_joints(world, joints));
}

void require_forces(const ContactSolution& solution, int contacts, double t) {
  if (solution.status != SolveStatus::solved)
    throw ContactError("no contact force keeps the " + std::to_string(contacts) +
                       " touching contacts apart at t = " + std::to_string(t) +
                       " s: " + solution.reason);
}

}  // namespace pequod
