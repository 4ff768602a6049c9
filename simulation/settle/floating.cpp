#include "simulation/settle/floating.h"

#include <algorithm>

#include "contact/solvers/complementarity/lcp_auto.h"
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
// @return whether any did
bool move_by_gaps(const VectorXd& opening, const std::vector<char>& has_friction,
                  std::vector<Hold>& hold) {
  bool moved = false;
  for (std::size_t i = 0; i < hold.size(); ++i) {
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
  workspace.whole.setOnes(k);
  solve_floating(rows, e, workspace.pull, n - k, workspace.whole, y, workspace.f, workspace.shares);
}

// The shares of those that float, with the closed ones and sticking joints held: past 1 a contact
// is closed, below 0 open. One whose row the others hold already is closed at 1.
bool move_by_shares(const ContactProblem& problem, const ContactSolution& solution,
                    std::vector<Hold>& hold, VectorXd& shares, FloatingWorkspace& workspace) {
  std::vector<int>& order = workspace.order;
  order.clear();
  for (const Hold kind : {Hold::closed, Hold::floating})
    for (std::size_t i = 0; i < hold.size(); ++i)
      if (hold[i] == kind) order.push_back(static_cast<int>(i));
  const auto k = std::ranges::count(hold, Hold::floating);
  const auto n = std::ssize(order);
  whole_shares(hold, shares);
  if (k == 0) return false;
  solve_shares(problem, solution, n, k, workspace);
  bool moved = false;
  for (Eigen::Index j = n - k; j < n; ++j) {
    const int i = nth(order, j);
    const double share = workspace.shares.share[j - (n - k)];
    const bool repeats = !nth(workspace.rows.accepted(), j);
    shares[i] = std::clamp(share, 0.0, 1.0);
    Hold& now = nth(hold, i);
    if (share > (repeats ? 1.0 - kShareTolerance : 1.0 + kShareTolerance))
      now = Hold::closed;
    else if (share < -kShareTolerance)
      now = Hold::open;
    moved = moved || now != Hold::floating;
  }
  return moved;
}

// The same as one complementarity problem: of each contact 0 ≤ N ⟂ 1 − α ≥ 0 and 0 ≤ α ⟂ a ≥ 0, N
// its force, α its share and a its opening; frictions of joints at rest within their bounds. In
// units in which all are about 1.
// @param acceleration  m/s², such a unit. @param solution, share  where the solver starts
void pose_shares(const ContactProblem& problem, double acceleration,
                 const IslandFrictions& frictions, const ContactSolution& solution,
                 const VectorXd& share, SharesProblem& out) {
  const Eigen::Index n = problem.n, k = std::ssize(problem.bound), size = 2 * n + k;
  BoxProblem& box = out.box;
  box.M.setZero(size, size);
  box.q.setOnes(size);
  box.lower.setZero(size);
  box.upper.setConstant(size, kInfinity);
  out.effect.resize(problem.m, size);
  out.start.setZero(size);
  const auto row = [&](Eigen::Index i, const auto& along, double rate) {
    box.M.row(i) = along.transpose() * out.effect / acceleration;
    box.q[i] = (along.dot(frictions.y_bare) - rate) / acceleration;
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    const double square = problem.normals.squared_norm(i);  // 1/kg; 0 of what nothing moves
    const double unit = square > 0.0 ? acceleration / square : 1.0;  // N
    out.start[i] = solution.fn[i] / unit;
    out.start[n + i] = share[i];
    out.effect.col(i) = unit * problem.normals.col(i);
    out.effect.col(n + i) = frictions.pull.col(i);
    box.M(i, n + i) = -1.0;
  }
  for (Eigen::Index j = 0; j < k; ++j) {
    out.effect.col(2 * n + j) = nth(problem.bound, j) * problem.joints.col(j);
    box.lower[2 * n + j] = -1.0;
    box.upper[2 * n + j] = 1.0;
  }
  for (Eigen::Index i = 0; i < n; ++i) row(n + i, problem.normals.col(i), problem.c[i]);
  for (Eigen::Index j = 0; j < k; ++j) row(2 * n + j, problem.joints.col(j), problem.rest[j]);
}

// The modes that a solution of it tells.
void read_shares(const std::vector<char>& has_friction, const LcpSolution& solution,
                 double acceleration, std::vector<Hold>& hold, VectorXd& share) {
  const auto n = static_cast<Eigen::Index>(hold.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool opens = acceleration * solution.w[n + i] > kAccelerationTolerance;
    const double own = std::clamp(solution.z[n + i], 0.0, 1.0);
    const bool floats = nth(has_friction, i) && own < 1.0 - kShareTolerance;
    nth(hold, i) = opens ? Hold::open : floats ? Hold::floating : Hold::closed;
    share[i] = opens ? 0.0 : floats ? own : 1.0;
  }
}

// What floats without a share opens if the others hold it at zero anyway.
void open_implied(const ContactProblem& problem, const VectorXd& share, HeldRows& rows,
                  std::vector<Hold>& hold) {
  const auto is_idle = [&](Eigen::Index i) {
    return nth(hold, i) == Hold::floating && share[i] <= kShareTolerance;
  };
  rows.reset(problem.m);
  for (Eigen::Index i = 0; i < problem.n; ++i)
    if (nth(hold, i) != Hold::open && !is_idle(i)) rows.add(problem.normals.col(i));
  for (Eigen::Index i = 0; i < problem.n; ++i)
    if (is_idle(i) && !rows.add(problem.normals.col(i))) nth(hold, i) = Hold::open;
}

// All modes at once. @param solved  in: of the last round of changes; out: the shares found
// @return whether they were found
bool find_all_modes(const ContactProblem& problem, double acceleration, LcpWorkspace& solver,
                    std::vector<Hold>& hold, IslandAccelerations& solved,
                    FloatingWorkspace& workspace) {
  const IslandFrictions& frictions = workspace.frictions;
  SharesProblem& shares = workspace.complementarity;
  pose_shares(problem, acceleration, frictions, solved.solution, solved.share, shares);
  // From anywhere, then from there, where rows that repeat each other have left no way.
  solve_box_auto(shares.box, {}, {}, solver, shares.solution);
  if (shares.solution.status != SolveStatus::solved)
    solve_box_auto(shares.box, {}, shares.start, solver, shares.solution);
  if (shares.solution.status != SolveStatus::solved) return false;
  read_shares(frictions.any, shares.solution, acceleration, hold, solved.share);
  open_implied(problem, solved.share, workspace.rows, hold);
  return true;
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
// to the neighbouring one. It ends when none contradicts with the shares that it has; where rounds
// go in circles all modes are found at once. If even that fails the mode stands as it is, and the
// event search will tell what is wrong with it.
StepStats share_friction(const World& world, const Evaluator& here, double t,
                         const Touching& candidates, const Island& island, PosedProblem& posed,
                         std::vector<Hold>& hold, IslandAccelerations& solved,
                         ContactWorkspace& solver, FloatingWorkspace& workspace) {
  ContactProblem& problem = posed.problem;
  const IslandFrictions& frictions = workspace.frictions;
  StepStats stats;
  place_frictions(here, candidates, island, problem, workspace);
  whole_shares(hold, solved.share);
  const int rounds = kRoundsPerContact * problem.n;
  const auto solve = [&] {
    problem.y = frictions.y_bare + frictions.pull * solved.share;
    stats += solve_accelerations(world, t, posed, solved, solver);
  };
  for (int round = 0; round < rounds; ++round) {
    solve();
    workspace.solved_with = solved.share;
    bool moved = move_by_gaps(solved.opening, frictions.any, hold);
    moved = move_by_shares(problem, solved.solution, hold, solved.share, workspace) || moved;
    const double change = (solved.share - workspace.solved_with).lpNorm<Eigen::Infinity>();
    if (!moved && change <= kShareTolerance) return stats;
  }
  const double acceleration = std::max(1.0, world.model().gravity.norm());
  if (find_all_modes(problem, acceleration, solver.lcp_solver, hold, solved, workspace)) solve();
  return stats;
}

}  // namespace pequod
