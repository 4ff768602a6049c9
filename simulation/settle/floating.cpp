#include "simulation/settle/floating.h"

#include <algorithm>

#include "simulation/friction.h"
#include "simulation/settle/tolerances.h"
#include "simulation/taken_solution.h"

namespace pequod {
namespace {

void place_frictions(const Evaluator& here, const Touching& candidates, const Island& island,
                     const ContactProblem& problem, FloatingWorkspace& workspace) {
  IslandFrictions& out = workspace.frictions;
  out.pull.setZero(island.m, problem.n);
  out.any.assign(island.contacts.size(), 0);
  for (Eigen::Index i = 0; i < problem.n; ++i) {
    const Contact& contact = candidates.contacts[contact_index(island, i)];
    if (is_joint_limit(contact.key)) continue;
    VectorXd& part = workspace.part;
    find_viscous_pull(here, island, problem, contact, part, workspace.generalised);
    nth(out.any, i) = part.isZero(0.0) ? 0 : 1;
    out.pull.col(i) = part;
  }
  out.y_bare = problem.y - out.pull.rowwise().sum();
}

// Whole friction of what is held, none of what is open.
void whole_shares(const std::vector<Hold>& hold, VectorXd& share) {
  share.resize(std::ssize(hold));
  for (std::size_t i = 0; i < hold.size(); ++i)
    share[static_cast<Eigen::Index>(i)] = hold[i] == Hold::open ? 0.0 : 1.0;
}

// Closed contacts that separate open; open ones that would sink without friction float.
// @param one  at most one of them. @return whether any did
bool move_by_gaps(const VectorXd& opening, const std::vector<char>& has_friction, bool one,
                  std::vector<Hold>& hold) {
  bool moved = false;
  for (std::size_t i = 0; i < hold.size() && !(one && moved); ++i) {
    const bool opens = opening[static_cast<Eigen::Index>(i)] > kAccelerationTolerance;
    Hold next = hold[i];
    if (hold[i] == Hold::closed && opens) next = Hold::open;
    if (hold[i] == Hold::open && !opens) next = has_friction[i] ? Hold::floating : Hold::closed;
    moved = moved || next != hold[i];
    hold[i] = next;
  }
  return moved;
}

// Shares of those that float: of the n contacts in workspace.order, which are held, the last k.
// Joints are as in the solution.
void solve_shares(const ContactProblem& problem, const ContactSolution& solution, Eigen::Index n,
                  Eigen::Index k, FloatingWorkspace& workspace) {
  const IslandFrictions& frictions = workspace.frictions;
  HeldRows& rows = workspace.rows;
  VectorXd &e = workspace.e, &y = workspace.y;
  rows.reset(problem.m);
  e.setZero(n + static_cast<Eigen::Index>(problem.bound.size()));
  workspace.pull.resize(problem.m, k);
  y = frictions.y_bare;
  for (Eigen::Index j = 0; j < n; ++j) {
    const int i = nth(workspace.order, j);
    rows.add(problem.normals.col(i));
    e[j] = problem.c[i];
    if (j < n - k)
      y += frictions.pull.col(i);
    else
      workspace.pull.col(j - (n - k)) = frictions.pull.col(i);
  }
  for (std::size_t j = 0; j < problem.bound.size(); ++j) {
    const auto joint = problem.joints.col(static_cast<Eigen::Index>(j));
    if (solution.slide[j] == 0) {
      rows.add(joint);
      e[static_cast<Eigen::Index>(rows.accepted().size()) - 1] =
          problem.rest[static_cast<Eigen::Index>(j)];
    } else
      y += solution.fj[j] * joint;
  }
  e.conservativeResize(static_cast<Eigen::Index>(rows.accepted().size()));
  solve_floating(rows, e, workspace.pull, n - k, y, workspace.f, workspace.shares);
}

// The shares of those that float, with the closed ones and sticking joints held: past 1 a contact
// is closed, below 0 open. One whose row the others hold already is closed at 1.
bool move_by_shares(const ContactProblem& problem, const ContactSolution& solution, bool one,
                    std::vector<Hold>& hold, FloatingWorkspace& workspace) {
  std::vector<int>& order = workspace.order;
  order.clear();
  for (const Hold kind : {Hold::closed, Hold::floating})
    for (std::size_t i = 0; i < hold.size(); ++i)
      if (hold[i] == kind) order.push_back(static_cast<int>(i));
  const auto k = std::ranges::count(hold, Hold::floating);
  const auto n = std::ssize(order);
  whole_shares(hold, workspace.share);
  if (k == 0) return false;
  solve_shares(problem, solution, n, k, workspace);
  bool moved = false;
  for (Eigen::Index j = n - k; j < n; ++j) {
    const int i = nth(order, j);
    const double share = workspace.shares.share[j - (n - k)];
    const bool repeats = !nth(workspace.rows.accepted(), j);
    workspace.share[i] = std::clamp(share, 0.0, 1.0);
    if (one && moved) continue;
    Hold& now = nth(hold, i);
    if (share > (repeats ? 1.0 - kShareTolerance : 1.0 + kShareTolerance))
      now = Hold::closed;
    else if (share < -kShareTolerance)
      now = Hold::open;
    moved = moved || now != Hold::floating;
  }
  return moved;
}

}  // namespace

StepStats solve_accelerations(const World& world, double t, const PosedProblem& posed,
                              IslandAccelerations& solved, ContactWorkspace& workspace) {
  const ContactProblem& problem = posed.problem;
  ContactSolution& solution = solved.solution;
  StepStats stats = solve_by_model(world, problem, posed.warm, "forces", t, workspace, solution);
  solved.opening.resize(problem.n);
  for (int i = 0; i < problem.n; ++i)
    solved.opening[i] = problem.normals.col(i).dot(solution.y) - problem.c[i];
  stats += {.pivots = solution.pivots, .solves = 1, .residual = solution.residual};
  return stats;
}

// Each round solves with the shares as they are, and moves every contact that contradicts its mode
// to the neighbouring one; after kRoundsPerContact rounds a contact, one contact a round, so that
// two do not swap for ever. It ends when none contradicts. No proof bounds the rounds: after twice
// as many the mode stands as it is, and the event search will tell what is wrong with it.
StepStats share_friction(const World& world, const Evaluator& here, double t,
                         const Touching& candidates, const Island& island, PosedProblem& posed,
                         std::vector<Hold>& hold, IslandAccelerations& solved,
                         ContactWorkspace& solver, FloatingWorkspace& workspace) {
  ContactProblem& problem = posed.problem;
  const IslandFrictions& frictions = workspace.frictions;
  StepStats stats;
  place_frictions(here, candidates, island, problem, workspace);
  whole_shares(hold, workspace.share);
  const int rounds = kRoundsPerContact * problem.n;
  for (int round = 0; round < 2 * rounds; ++round) {
    problem.y = frictions.y_bare + frictions.pull * workspace.share;
    stats += solve_accelerations(world, t, posed, solved, solver);
    const bool one = round >= rounds;
    const bool moved = move_by_gaps(solved.opening, frictions.any, one, hold);
    if (!move_by_shares(problem, solved.solution, one, hold, workspace) && !moved) break;
  }
  return stats;
}

}  // namespace pequod
