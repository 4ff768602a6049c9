// The modes that are tried where not everything that is at rest can stick.
#include <algorithm>
#include <array>
#include <cmath>

#include "contact/loop_rows.h"
#include "contact/models/by_loads.h"
#include "contact/models/friction_form.h"
#include "contact/solvers/friction/dense/coulomb_chain.h"
#include "simulation/contact_motion.h"
#include "simulation/joint_friction.h"
#include "simulation/settle/friction_trial.h"
#include "simulation/settle/tolerances.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

// The contacts of a mode that stick in `stuck` slide against the friction that they have there.
// @return whether any does, and friction tells a direction for all of them
bool release_sticking(const State& stuck, std::vector<ContactMode>& modes) {
  bool any = false;
  for (ContactMode& mode : modes) {
    if (!mode.sticking) continue;
    const Vector3d force = find_mode(stuck, mode.key)->force_W;
    const Vector3d friction = force - mode.normal_W * mode.normal_W.dot(force);
    if (friction.norm() <= 0.0) return false;
    mode.sticking = false;
    mode.slide = {SlideKind::starting, -friction.normalized()};
    any = true;
  }
  return any;
}

// The coefficient of friction by which a contact is held that is at rest.
double friction_at_rest(const World& world, const Contact& contact) {
  return world.contact.friction == StageFriction::no_slip ? kYieldFriction
                                                          : contact.surface.sticking();
}

// One round of turning directions, by the slip at the end of the stepper's step.
// @return the largest turn
double turn_directions(const FrictionQuestion& question, std::vector<ContactMode>& modes) {
  const Model& model = question.world.model();
  const double gravity = std::max(1.0, model.gravity.norm());
  double turn = 0.0;
  for (const Contact& contact : question.stepper.trial().held.set().touching.contacts) {
    const auto mode = std::ranges::find(modes, contact.key, &ContactMode::key);
    if (mode->slide.kind != SlideKind::starting) continue;
    const Vector3d slip =
        slip_velocity(model, question.stepper.trial().terms.kinematics(), contact);
    Vector3d& d = mode->slide.direction_W;
    const double mu = friction_at_rest(question.world, contact);
    const Vector3d turned = (d + slip / (2.0 * question.look * mu * gravity)).normalized();
    turn = std::max(turn, (turned - d).norm());
    d = turned;
  }
  return turn;
}

// A contact that slides has the one force n − μ d: its column takes the place of that of n.
void slide_along(const Contact& contact, const Vector3d& d, Eigen::Index i,
                 ContactWorkspace& posed) {
  FrictionProblem& out = posed.friction;
  const double mu = out.mu[i];
  out.W.col(3 * i) -=
      mu * (contact.s_W.dot(d) * out.W.col(3 * i + 1) + contact.t_W.dot(d) * out.W.col(3 * i + 2));
  posed.columns.col(3 * i) -= mu * (contact.s_W.dot(d) * posed.columns.col(3 * i + 1) +
                                    contact.t_W.dot(d) * posed.columns.col(3 * i + 2));
  out.mu[i] = 0.0;
}

// Row i of the friction problem: as it is for a contact at rest, whose slip accelerates also
// without v̇, else that of a contact that slides.
void pose_contact(const World& world, const Kinematics& kin, const Holdable& holdable,
                  const Touching& followed, std::size_t index, int i, const ContactProblem& problem,
                  ContactWorkspace& posed) {
  const Contact& contact = followed.contacts[index];
  FrictionProblem& out = posed.friction;
  const bool no_slip = world.contact.friction == StageFriction::no_slip;
  if (no_slip && !is_joint_limit(contact.key)) out.mu[i] = kYieldFriction;
  if (holdable.at_rest[index]) {
    if (!no_slip) out.mu[i] = contact.surface.sticking();
    const Vector3d rate = slip_bias(world.model(), kin, followed.points[index]);
    out.q[3 * i + 1] += contact.s_W.dot(rate) + tangent_in_loops(problem, 2 * i);
    out.q[3 * i + 2] += contact.t_W.dot(rate) + tangent_in_loops(problem, 2 * i + 1);
    return;
  }
  const SlideMode& slide = holdable.closed.contacts[index].slide;
  const Vector3d d = slide.kind == SlideKind::moving
                         ? slip_velocity(world.model(), kin, contact).normalized()
                         : slide.direction_W;
  slide_along(contact, d, i, posed);
}

// ContactWorkspace::friction of one island, in accelerations and forces.
void pose_island(const World& world, const Evaluator& here, const State& state,
                 const Holdable& holdable, const Touching& followed, const Island& island,
                 FrictionSolveWorkspace& solve) {
  const ContactProblem& problem = solve.island.posed.problem;
  pose_accelerations(world, here, state, followed, solve.free.vdot, island,
                     solve.island.islands.tree_offset, Rows::all, solve.island.loop_rates,
                     solve.island.posed);
  pose_friction(problem, true, solve.island.solver);
  for (int i = 0; i < problem.n; ++i)
    pose_contact(world, here.kinematics(), holdable, followed, contact_index(island, i), i, problem,
                 solve.island.solver);
}

// island.part, L v̇, by the forces that were found.
void accelerate_by_forces(FrictionSolveWorkspace& solve) {
  const ContactWorkspace& solved = solve.island.solver;
  solve.island.part = solve.island.posed.problem.y;
  solve.island.part.noalias() += solved.columns * solved.friction_solution.r;
}

// By loads, where masses differ: a heavy body leaves no digits of a light one in W.
// @return  whether that has found out.r, out.u and y
bool solve_modes_by_loads(const World& world, FrictionSolveWorkspace& solve) {
  const ContactProblem& problem = solve.island.posed.problem;
  ContactWorkspace& posed = solve.island.solver;
  if (world.solver.choice == FrictionOptions::Choice::other ||
      !solve_posed_by_loads(problem, world.solver.least_distance, posed, solve.island.solution))
    return false;
  const LoadFrictionProblem& in = posed.loads;
  FrictionSolution& out = posed.friction_solution;
  out.status = SolveStatus::solved;
  out.iterations = posed.load_solution.iterations;
  out.r = posed.load_solution.r;
  out.u.noalias() = in.G.transpose() * posed.load_solution.y;
  out.u -= in.c;
  solve.island.part = posed.load_solution.y;
  return true;
}

void solve_by_cones(const World& world, FrictionSolveWorkspace& solve) {
  if (solve_modes_by_loads(world, solve)) return;
  ContactWorkspace& posed = solve.island.solver;
  FrictionOptions options;
  options.choice = world.solver.choice;
  solve_coulomb(posed.friction, options, {}, posed.friction_solver, posed.friction_solution);
  if (world.solver.watch.modes) world.solver.watch.modes(posed.friction, posed.friction_solution);
  if (posed.friction_solution.status == SolveStatus::solved) accelerate_by_forces(solve);
}

// The same problem with friction bounded along each tangent (Baraff 1994, sec. 5), its answer as
// that of a friction solver. @param contacts  how many of its contacts are no joints
void solve_per_row(const World& world, Eigen::Index contacts, FrictionSolveWorkspace& solve) {
  ContactWorkspace& posed = solve.island.solver;
  const FrictionProblem& in = posed.friction;
  BaraffProblem& by_rows = solve.by_rows;
  by_rows.normal.clear();
  solve.posed.clear();
  solve.mu.clear();
  for (Eigen::Index i = 0; i < in.mu.size(); ++i) {
    const int normal = static_cast<int>(solve.posed.size());
    const int tangents = in.mu[i] == 0.0 ? 0 : i < contacts ? 2 : 1;  // of a joint one
    for (int j = 0; j <= tangents; ++j) {
      solve.posed.push_back(3 * i + j);
      by_rows.normal.push_back(j == 0 ? -1 : normal);
      solve.mu.push_back(in.mu[i]);
    }
  }
  by_rows.A = in.W(solve.posed, solve.posed);
  by_rows.b = in.q(solve.posed);
  by_rows.mu = Eigen::Map<const VectorXd>(solve.mu.data(), std::ssize(solve.mu));
  solve_baraff(by_rows, {}, posed.lcp_solver, posed.lcp_solution);
  FrictionSolution& out = posed.friction_solution;
  const LcpSolution& found = posed.lcp_solution;
  if (world.solver.watch.modes_by_rows) world.solver.watch.modes_by_rows(by_rows, found);
  out.status = found.status;
  out.iterations = found.pivots;
  if (out.status != SolveStatus::solved) return;
  out.r.setZero(in.q.size());
  out.r(solve.posed) = found.z;
  out.u = in.q;
  out.u.noalias() += in.W * out.r;
  accelerate_by_forces(solve);
}

// Modes by accelerations, never by one of many forces.
// @param opens  of the holdable contacts: 1, if it leaves the mode
void read_island(const Holdable& holdable, const Touching& followed, const Island& island,
                 int contacts, const FrictionSolution& in, ModeCandidate& mode,
                 std::vector<char>& opens) {
  for (int i = 0; i < contacts; ++i) {
    const std::size_t index = contact_index(island, i);
    const Contact& contact = followed.contacts[index];
    opens[index] = in.u[3 * i] > kAccelerationTolerance ? 1 : 0;
    if (!holdable.at_rest[index] || opens[index]) continue;
    const Vector3d slip = in.u[3 * i + 1] * contact.s_W + in.u[3 * i + 2] * contact.t_W;
    if (slip.norm() <= kAccelerationTolerance) continue;
    mode.contacts[index].sticking = false;
    mode.contacts[index].slide = {SlideKind::starting, slip.normalized()};
  }
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    const auto row = 3 * (contacts + static_cast<Eigen::Index>(j)) + 1;
    if (std::abs(in.u[row]) > kAccelerationTolerance)
      find_joint(mode.joints, island.joints[j]).slide = in.u[row] > 0.0 ? 1 : -1;
  }
}

}  // namespace

std::optional<ModeCandidate> slide_from_rest(const FrictionQuestion& question,
                                             const Holdable& holdable, const State& stuck) {
  ModeCandidate mode = holdable.closed;
  if (!release_sticking(stuck, mode.contacts)) return std::nullopt;
  State start = stuck;
  std::array<double, kDirectionRounds> turns{};
  for (std::size_t round = 0; round < turns.size(); ++round) {
    start.mode = mode.contacts;
    sort_modes(start);
    question.stepper.begin(start, question.touching);
    question.stepper.at(question.look);
    turns[round] = turn_directions(question, mode.contacts);
    if (turns[round] <= kDirectionTurn) return mode;
    if (round >= kStuckRounds && turns[round] >= turns[round - kStuckRounds]) break;
  }
  return std::nullopt;
}

std::optional<ModeCandidate> slide_joints(const Model& model, const Holdable& holdable,
                                          const State& stuck) {
  ModeCandidate mode = holdable.closed;
  bool any = false;
  for (JointMode& joint : mode.joints) {
    const double force = find_joint(stuck.joints, joint.coordinate).force;
    if (joint.slide != 0 || std::abs(force) <= joint_friction(model, joint.coordinate)) continue;
    joint.slide = force > 0.0 ? -1 : 1;
    any = true;
  }
  return any ? std::optional(mode) : std::nullopt;
}

std::optional<ModeCandidate> slide_on(const FrictionQuestion& question, const Holdable& holdable,
                                      const State& stuck, TrialWorkspace& workspace) {
  ModeCandidate mode = holdable.closed;
  bool any = false;
  workspace.here.at(question.state.q, question.state.v);
  for (std::size_t i = 0; i < mode.contacts.size(); ++i) {
    ContactMode& one = mode.contacts[i];
    if (!one.sticking) continue;
    const Contact& contact = holdable.touching.contacts[i];
    const Vector3d slip =
        slip_velocity(question.world.model(), workspace.here.kinematics(), contact);
    const ContactMode& held = *find_mode(stuck, one.key);
    const double normal = normal_force(held);
    const double friction = (held.force_W - normal * held.normal_W).norm();
    const double mu = friction_at_rest(question.world, contact);
    if (slip.norm() <= kSlipBegun || friction <= mu * normal) continue;
    one.sticking = false;
    one.slide = {SlideKind::slow, slip.normalized()};
    any = true;
  }
  return any ? std::optional(mode) : std::nullopt;
}

std::optional<ModeCandidate> open_what_pulls(const FrictionQuestion& question, ModeCandidate mode) {
  Stepper& stepper = question.stepper;
  State placed = in_mode(question.state, mode);
  // @return whether any does
  const auto open = [&] {
    stepper.begin(placed, question.touching);
    const Trial& tried = stepper.at(look_within_slips(question));
    const auto pulls = [&](const ContactMode& contact) {
      return tried.friction_margin(contact.key) <
                 -kForce * force_scale(question.world.model(), contact.key) &&
             tried.held.set().value_of(contact.key, tried.normal_forces()) <= 0.0;
    };
    return std::erase_if(mode.contacts, pulls) > 0;
  };
  if (open() || (stepper.find_weightless(placed) && open())) return mode;
  return std::nullopt;
}

AcceleratedMode accelerated_mode(const World& world, const State& state, const Holdable& holdable,
                                 bool per_row, TrialWorkspace& workspace,
                                 FrictionSolveWorkspace& solve) {
  const Model& model = world.model();
  const Evaluator& here = workspace.here;
  workspace.here.at(state.q, state.v);
  Touching& followed = workspace.followed;
  follow_holdable(model, here.kinematics(), state.q, holdable, workspace.X_WL, followed);
  compute_biases(model, here.kinematics(), followed);
  compute_free_acceleration(*world.scenario, here, state, state.v, followed, false, solve.free,
                            holdable.closed.joints);
  const auto contact_time = world.clock->during(StepPart::contact);
  AcceleratedMode out{false, holdable.closed, solve.free.vdot, {}};
  std::vector<char> opens(followed.size(), 0);
  Islands& islands = solve.island.islands;
  const ContactProblem& problem = solve.island.posed.problem;
  const ContactWorkspace& solved = solve.island.solver;
  VectorXd& part = solve.island.part;
  find_islands(model, followed.contacts, islands.all, islands.tree_offset, holdable.joints_at_rest);
  for (const Island& island : islands.all) {
    if (island.contacts.empty() && island.joints.empty()) continue;  // a loop by itself
    pose_island(world, here, state, holdable, followed, island, solve);
    if (per_row)
      solve_per_row(world, problem.n, solve);
    else
      solve_by_cones(world, solve);
    out.stats += {.pivots = solved.friction_solution.iterations, .solves = 1};
    if (solved.friction_solution.status != SolveStatus::solved) return out;
    read_island(holdable, followed, island, problem.n, solved.friction_solution, out.mode, opens);
    scatter_metric(model, here.factor(), island, part, out.vdot);
  }
  for (std::size_t i = opens.size(); i-- > 0;)
    if (opens[i])
      out.mode.contacts.erase(out.mode.contacts.begin() + static_cast<std::ptrdiff_t>(i));
  out.solved = true;
  return out;
}

State move_ahead(const Model& model, const State& state, const VectorXd& vdot, double look) {
  State ahead = state;
  ahead.t += look;
  ahead.v += look * vdot;
  const VectorXd move = look * (state.v + 0.5 * look * vdot);
  integrate_position(model, state.q, move, ahead.q);
  return ahead;
}

}  // namespace pequod
