#include "simulation/trial/move_apart.h"

#include "simulation/contact_motion.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// @return m, the deepest; at least 0
double find_gaps(const StepTask& task, const Island& island, const VectorXd& q,
                 const std::vector<Pose>& X_WL, VectorXd& gaps) {
  gaps.resize(std::ssize(island.contacts));
  double deepest = 0.0;
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    gaps[i] = followed_gap(task.model(), X_WL, q, task.start.touching, contact_index(island, i));
    deepest = std::max(deepest, -gaps[i]);
  }
  return deepest;
}

void move_island_apart(const StepTask& task, std::size_t k, Trial& trial) {
  const Island& island = task.start.impulses.islands[k];
  const ContactProblem& problem = task.start.impulses.problems[k];
  auto& [gaps, delta, step, nearest, X_WL, sweeps] = task.workspace.apart;
  VectorXd& q = trial.state.q;
  double least = kInfinity;
  for (int round = 0; round < kApartRounds; ++round) {
    compute_poses(task.model(), q, X_WL);
    const double deepest = find_gaps(task, island, q, X_WL, gaps);
    if (deepest <= task.world.tolerance.still()) return;
    if (deepest >= least) {  // bodies that wedge each other, or turn far
      q = nearest;
      return;
    }
    least = deepest;
    nearest = q;
    delta.setZero(island.m);
    open_gaps(problem.bodies, gaps, {.tolerance = 0.5 * task.world.tolerance.still()}, sweeps,
              delta);
    step.setZero(task.model().nv);
    scatter_metric(task.model(), task.start.terms.factor(), island, delta, step);
    integrate_position(task.model(), q, step, q);
    trial.moved_apart = true;
  }
}

}  // namespace

void move_apart(const StepTask& task, const std::vector<ContactImpulse>& contacts, Trial& trial) {
  const auto contact_time = task.world.clock->during(StepPart::contact);
  const ImpulseProblems& impulses = task.start.impulses;
  for (std::size_t k = 0; k < impulses.islands.size(); ++k) {
    const Island& island = impulses.islands[k];
    if (island.contacts.empty()) continue;
    const ContactImpulse& first = nth(contacts, island.contacts.front());
    if (first.swept && !first.rests) move_island_apart(task, k, trial);
  }
}

}  // namespace pequod
