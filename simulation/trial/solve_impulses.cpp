// The impulses of a step.
#include <algorithm>
#include <cmath>
#include <span>

#include "simulation/joint_friction.h"
#include "simulation/taken_solution.h"
#include "simulation/tolerances.h"
#include "simulation/trial/impulses.h"
#include "simulation/trial/rest.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// One island's problem, and what was found.
struct SolvedIsland {
  const Island& island;
  ContactProblem& problem;
  const VectorXd& start;  // y there
  const ContactSolution& solution;
  const ContactSpeeds &after, &mean;  // m/s, see SolveBuffers
  double tau;                         // s
  const std::vector<int>& carrying;   // of the first contact of each patch: how many of it carry
};

// What the turn of rows adds to the free velocity y. Rows that turn about in the step, as of sharp
// edges that all but touch (at 1e13 m/s²), have left what they touched long before its end.
// @return whether they are followed
bool find_turned(const StepTask& task, std::size_t k, double tau, const VectorXd& y,
                 VectorXd& turned) {
  turned = tau * task.start.impulses.turn[k];
  if (!(turned.norm() > kMostTurned * y.norm())) return true;
  turned.setZero();
  return false;
}

// problem with what depends on τ and the free velocity, and what the turn of rows adds to that.
// @return as find_turned()
bool pose_impulses(const StepTask& task, std::size_t k, double tau, const VectorXd& v_free,
                   VectorXd& turned) {
  const Model& model = task.model();
  const Island& island = task.start.impulses.islands[k];
  ContactProblem& problem = task.start.impulses.problems[k];
  gather_metric(model, task.start.terms.factor(), island, v_free, problem.y);
  const bool followed = find_turned(task, k, tau, problem.y, turned);
  problem.y += turned;
  for (int i = 0; i < problem.n; ++i)
    problem.c[i] = -task.start.apart[contact_index(island, i)] / tau;
  for (std::size_t j = 0; j < island.joints.size(); ++j)
    problem.bound[j] = tau * joint_friction(model, island.joints[j]);
  problem.step = tau;
  return followed;
}

// Island k from the forces at the start of the step, as those of another trial may lead nowhere.
// @return whether they are others
bool start_anew(const StepTask& task, std::size_t k) {
  ImpulseProblems& impulses = task.start.impulses;
  const std::vector<int> warm = impulses.warm[k];
  const VectorXd force = impulses.problems[k].force;
  remember_forces(task.method, task.start, k, impulses);
  return warm != impulses.warm[k] || force != impulses.problems[k].force;
}

void solve_problem(const StepTask& task, std::size_t k, SolveBuffers& buffers, StepStats& stats) {
  ImpulseProblems& impulses = task.start.impulses;
  ContactProblem& problem = impulses.problems[k];
  const ContactModel& model = task.method.contact;
  const ContactSolver& solver = task.method.solver;
  ContactWorkspace& workspace = buffers.solver;
  ContactSolution& solution = buffers.solution;
  const std::vector<int>& warm = impulses.warm[k];
  const auto solve = [&] {
    solution.usable = false;
    if (problem.in_bodies() ||
        !solve_needed(model, solver, problem, warm, buffers.needed, workspace, solution))
      model.solve(problem, solver, warm, workspace, solution);
  };
  solve();
  if (solution.status != SolveStatus::solved && problem.n >= kManyImpulses && start_anew(task, k))
    solve();
  stats += take_solution(task.world, {"contact problem", problem.n, task.start.state.t},
                         end_of(solution));
}

void add_stats(const SolvedIsland& solved, StepStats& stats) {
  const ContactSolution& solution = solved.solution;
  const VectorXd& y = solved.problem.y;
  stats.pivots += solution.pivots;
  stats.solves += 1;
  stats.locks += solution.locks;
  stats.switches += solution.switches;
  stats.residual = std::max(stats.residual, solution.residual);
  // ½|y⁺|² − ½|y|², without cancellation.
  const double gained = (solution.y - y).dot(solution.y + y);
  if (gained > 0.0) stats.gain = std::max(stats.gain, gained / y.squaredNorm());
}

// Contact i is the only one of its patch, or none of the others carries and it is the first. The
// others may open slowly: closing them too would turn the body about an arm of micrometres.
// @param carries  whether it does itself
bool leads_patch(const SolvedIsland& solved, bool carries, int i) {
  const auto at = static_cast<std::size_t>(i);
  return solved.problem.patch[at] == i && solved.carrying[at] == (carries ? 1 : 0);
}

// Whether a contact separates at this speed (m/s) although a force pushes it apart: impulses of
// least energy need not be complementary to velocities.
bool parts_while_pushed(const World& world, double speed) {
  return world.contact.family == SolverFamily::dissipation &&
         speed > kPushedApart * world.tolerance.pace;
}

// Contact i of the island. @param contacts  that carry are marked active
void read_contact(const StepTask& task, const SolvedIsland& solved, int i, StepStats& stats,
                  std::vector<ContactImpulse>& contacts) {
  const auto& [island, problem, start, solution, after, mean, tau, carrying] = solved;
  const std::size_t index = contact_index(island, i);
  const Contact& contact = task.start.touching.contacts[index];
  const double fn = solution.fn[i], fs = solution.ft[2 * i], ft = solution.ft[2 * i + 1];
  ContactImpulse& out = contacts[index];
  out.sticks = nth(solution.sticking, i) != 0;
  const double speed = after.normal[i];
  const bool stays = task.start.apart[index] + speed * tau <= task.world.tolerance.still() &&
                     leads_patch(solved, out.active, i);
  out.held = task.start.forced[index] ||
             ((out.active || fn > 0.0) && !parts_while_pushed(task.world, speed));
  out.closed = stays || out.held;
  for (int j = 2 * i; j < 2 * i + 2 && fn > 0.0; ++j)
    if (nth(solution.held, j)) stats.slip = std::max(stats.slip, std::abs(after.tangent[j]));
  // The work of an impulse is its product with (v₀ + v⁺)/2.
  out.normal_work = fn * mean.normal[i];
  out.friction_work = fs * mean.tangent[2 * i] + ft * mean.tangent[2 * i + 1];
  out.impulse = is_joint_limit(contact.key)
                    ? Vector3d(fn, 0.0, 0.0)
                    : Vector3d(fn * contact.n_W + fs * contact.s_W + ft * contact.t_W);
}

// The solver holds the tangents of a patch at its first contact; what they are to hold at the end
// of the step is the point that carries.
// @param contacts  that carry are marked active
void stick_where_patches_carry(const SolvedIsland& solved, std::vector<ContactImpulse>& contacts) {
  const ContactProblem& problem = solved.problem;
  const auto impulse = [&](int i) -> ContactImpulse& {
    return contacts[contact_index(solved.island, i)];
  };
  for (int i = 0; i < problem.n; ++i) {
    if (!impulse(i).sticks || impulse(i).active) continue;
    for (int j = 0; j < problem.n; ++j) {
      if (nth(problem.patch, j) != nth(problem.patch, i) || !impulse(j).active) continue;
      impulse(i).sticks = false;
      impulse(j).sticks = true;
      break;
    }
  }
}

// What leaves is not led along its row.
bool all_that_turn_carry(const Island& island, const std::vector<ContactImpulse>& contacts) {
  return std::ranges::all_of(island.contacts, [&](int i) {
    const ContactImpulse& contact = nth(contacts, i);
    return !contact.turns || contact.active;
  });
}

// Half of what the turn of rows takes from v⁺: the middle of the path.
void move_along_path(const StepTask& task, const Island& island, SolveBuffers& buffers) {
  if (buffers.turned.lpNorm<Eigen::Infinity>() == 0.0) return;  // as where all stands
  buffers.part = 0.5 * buffers.turned;
  scatter_metric(task.model(), task.start.terms.factor(), island, buffers.part,
                 task.workspace.impulses.chord);
}

// Friction of the island's joints: modes, and the work impulse × mean velocity.
void read_joints(const SolvedIsland& solved, const VectorXd& mean, std::vector<JointMode>& joints,
                 std::vector<double>& work) {
  for (std::size_t j = 0; j < solved.island.joints.size(); ++j) {
    JointMode& joint = find_joint(joints, solved.island.joints[j]);
    joint.slide = solved.solution.slide[j];
    joint.force = solved.solution.fj[j] / solved.tau;
    work.push_back(solved.solution.fj[j] *
                   solved.problem.joints.col(static_cast<Eigen::Index>(j)).dot(mean));
  }
}

// The trials of one step differ in its length: the next starts from the forces of this one.
void warm_start_next(const StepMethod& method, const SolvedIsland& solved, std::vector<int>& warm) {
  const ContactSolution& solution = solved.solution;
  warm = solution.active;
  if (!starts_from_forces(method, solved.problem)) return;
  for (int i = 0; i < solved.problem.n; ++i)
    solved.problem.force.segment<3>(3 * i) << solution.fn[i] / solved.tau,
        solution.ft[2 * i] / solved.tau, solution.ft[2 * i + 1] / solved.tau;
}

// Motion after the impulses of island k, as solved, and what they did.
void take_impulses(const StepTask& task, const SolvedIsland& solved, bool followed, Trial& trial,
                   std::vector<ContactImpulse>& contacts, SolveBuffers& buffers,
                   SolveOutcome& outcome) {
  const Model& model = task.model();
  const MassFactor& mass = task.start.terms.factor();
  const auto& [island, problem, start, solution, after, mean, tau, carrying] = solved;
  VectorXd& part = buffers.part;
  part = 0.5 * (start + solution.y - buffers.turned);
  find_speeds(problem, part, buffers.mean);
  find_speeds(problem, solution.y, buffers.after);
  for (const int i : island.contacts) {
    ContactImpulse& contact = nth(contacts, i);
    contact.turns = followed && nth(task.start.impulses.turns, i) == Turns::with_contact;
    contact.swept = problem.in_bodies();
  }
  buffers.carrying.assign(static_cast<std::size_t>(problem.n), 0);
  for (const int i : solution.active) {
    contacts[contact_index(island, i)].active = true;
    ++nth(buffers.carrying, nth(problem.patch, i));
  }
  for (int i = 0; i < problem.n; ++i) read_contact(task, solved, i, outcome.stats, contacts);
  stick_where_patches_carry(solved, contacts);
  read_joints(solved, part, trial.state.joints, outcome.joint_work);
  part = solution.y - buffers.turned;
  if (leaves_at_rest(model, island, part, problem.y)) {
    part.setZero();
    const bool stays = task.method.symplectic || is_at_rest(model, island, task.start.state.v);
    for (const int i : island.contacts) nth(contacts, i).rests = stays;
  }
  scatter_metric(model, mass, island, part, trial.v_plus);
}

void solve_island(const StepTask& task, std::size_t k, double tau, Trial& trial,
                  std::vector<ContactImpulse>& contacts, SolveBuffers& buffers) {
  ImpulseProblems& impulses = task.start.impulses;
  SolveOutcome& outcome = task.workspace.impulses.of_island[k];
  const bool followed = pose_impulses(task, k, tau, trial.v_free, buffers.turned);
  solve_problem(task, k, buffers, outcome.stats);
  const SolvedIsland solved{
      impulses.islands[k], impulses.problems[k], impulses.y[k], buffers.solution,
      buffers.after,       buffers.mean,         tau,           buffers.carrying};
  add_stats(solved, outcome.stats);
  take_impulses(task, solved, followed, trial, contacts, buffers, outcome);
  if (followed && task.method.symplectic && all_that_turn_carry(solved.island, contacts))
    move_along_path(task, solved.island, buffers);
  if (solved.problem.n >= kManyImpulses) warm_start_next(task.method, solved, impulses.warm[k]);
}

// In the order of the islands and their contacts, whoever solved them when.
void add_outcomes(const StepTask& task, const std::vector<ContactImpulse>& contacts, Trial& trial) {
  const std::vector<Island>& islands = task.start.impulses.islands;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const SolveOutcome& outcome = task.workspace.impulses.of_island[k];
    trial.stats += outcome.stats;
    for (const int i : islands[k].contacts) {
      trial.work.impulse_normal -= nth(contacts, i).normal_work;
      trial.work.impulse_friction -= nth(contacts, i).friction_work;
    }
    for (const double work : outcome.joint_work) trial.work.impulse_friction -= work;
  }
}

}  // namespace

void solve_impulses(const StepTask& task, double tau, std::span<const char> wanted_islands,
                    Trial& trial, std::vector<ContactImpulse>& contacts) {
  const auto contact_time = task.world.clock->during(StepPart::contact);
  ImpulseBuffers& buffers = task.workspace.impulses;
  const std::vector<Island>& islands = task.start.impulses.islands;
  trial.v_free = trial.state.v;
  const std::vector<char>& resting = task.start.state.loop.resting;
  for (std::size_t t = 0; t < resting.size(); ++t)
    if (const Tree& tree = task.model().trees[t]; resting[t])
      trial.v_free.segment(tree.first_v, tree.nv).setZero();
  trial.v_plus = trial.v_free;
  contacts.assign(task.start.touching.size(), {});
  buffers.chord.setZero(task.model().nv);
  buffers.of_island.resize(std::max(buffers.of_island.size(), islands.size()));
  for_each_index(task.world.solving_team(), islands.size(), kIslandsOfPart,
                 [&](std::size_t k, std::size_t thread) {
                   buffers.of_island[k].stats = {};
                   buffers.of_island[k].joint_work.clear();
                   if (islands[k].contacts.empty() && islands[k].joints.empty())
                     return;  // a loop by itself
                   if (!wanted_islands.empty() && !wanted_islands[k]) return;
                   solve_island(task, k, tau, trial, contacts, buffers.of_thread[thread]);
                 });
  add_outcomes(task, contacts, trial);
}

}  // namespace pequod
