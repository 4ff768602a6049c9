// Impulses where Coulomb's law has no force.
#include <algorithm>
#include <cmath>

#include "simulation/settle/impacts.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/workspace.h"
#include "simulation/taken_solution.h"

namespace pequod {
namespace {

// The largest share s ≤ 1 of impulses that act on y, with ½|y + s change|² ≤ ½|y|²: they were found
// for an approach that is not there.
double share_without_gain(const VectorXd& y, const VectorXd& change) {
  const double squared = change.squaredNorm();
  return squared > 0.0 ? std::clamp(-2.0 * y.dot(change) / squared, 0.0, 1.0) : 1.0;
}

// The impulses of a step of vanishing length δ, v* = v + δ v̇_free, act on one island's v.
// @return J, the loss
double strike_island(const World& world, const Evaluator& here, const State& state,
                     const Touching& touching, const VectorXd& vdot_free, const Island& island,
                     VectorXd& v, ContactImpulses& impulses, StepStats& stats,
                     IslandWorkspace& workspace) {
  const auto contact_time = world.clock->during(StepPart::contact);
  const Model& model = world.model();
  ContactProblem& problem = workspace.posed.problem;
  ContactSolution& solution = workspace.solution;
  VectorXd& y = workspace.part;
  pose_accelerations(world, here, state, touching, vdot_free, island, workspace.islands.tree_offset,
                     Rows::all, workspace.loop_rates, workspace.posed);
  gather_metric(model, here.factor(), island, state.v, y);
  if (y.isZero(0.0)) return 0.0;  // what is at rest approaches nothing
  const double delta = kStrikeApproach * y.norm() / std::max(problem.y.norm(), 1e-300);
  problem.c *= delta;
  problem.y = y + delta * problem.y;
  stats += solve_by_model(world, problem, {}, "impulses without a force", state.t, workspace.solver,
                          solution);
  stats += {.pivots = solution.pivots, .solves = 1};
  VectorXd change = solution.y - problem.y;  // what the impulses did
  const double share = share_without_gain(y, change);
  change *= share;
  for (Eigen::Index i = 0; i < problem.n; ++i) {
    const std::size_t index = contact_index(island, i);
    impulses.impulse[index] << share * solution.fn[i],
        share * std::hypot(solution.ft[2 * i], solution.ft[2 * i + 1]);
    impulses.sticking[index] = nth(solution.sticking, i);
  }
  const double loss = -change.dot(y + 0.5 * change);
  y += change;
  scatter_metric(model, here.factor(), island, y, v);
  return loss;
}

// Contacts that the impulses left with no more than the approach that they were given are closed.
// @return J, what that takes
double close_struck(const World& world, Evaluator& here, State& state, const Touching& touching,
                    const ContactImpulses& impulses, ProjectionWorkspace& workspace) {
  const Model& model = world.model();
  here.at(state.q, state.v);
  const double left = kStrikeLeft * kStrikeApproach *
                      std::sqrt(2.0 * kinetic_energy(model, here.kinematics(), state.v));
  Touching closed;
  std::vector<char> sticking;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (std::abs(normal_velocity(model, here.kinematics(), contact, state.v)) > left) continue;
    closed.add(touching, i);
    sticking.push_back(impulses.sticking[i]);
  }
  return project_away(world, here, state, closed, sticking, workspace);
}

}  // namespace

Strike strike(const World& world, Evaluator& here, State& state, Touching& touching,
              std::vector<EventRow>& events, SettleWorkspace& workspace) {
  find_touching(world, state, here, workspace.touching, touching);
  Touching biased = touching;
  accelerate_freely(world, here, state, biased, workspace.free);
  Islands& islands = workspace.island.islands;
  find_islands(world.model(), biased.contacts, islands.all, islands.tree_offset);
  ContactImpulses impulses(normal_velocities(world, here, state, touching));
  Strike done;
  VectorXd v = state.v;
  double loss = 0.0;
  for (const Island& island : islands.all)
    if (!island.contacts.empty())
      loss += strike_island(world, here, state, biased, workspace.free.vdot, island, v, impulses,
                            done.stats, workspace.island);
  if (impulses.none()) return done;
  done.any = true;
  state.v = v;
  loss += close_struck(world, here, state, touching, impulses, workspace.projection);
  state.ledger.impact_loss += loss;
  report_impulses(world, here, state, touching, impulses, EventKind::painleve, loss, events);
  return done;
}

}  // namespace pequod
