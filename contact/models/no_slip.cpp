#include <algorithm>
#include <array>
#include <numeric>

#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"
#include "contact/models/least_distance_form.h"
#include "contact/models/stuck.h"
#include "contact/patches.h"

namespace pequod {
namespace {

// m/s: a contact that separates more slowly counts as touching.
constexpr double kTouching = 1e-9;

// A tangent whose row is left with less by the ones held before repeats them (Drumwright 2015,
// Algorithm 2): several corners of one foot on nearly the same plane. Holding it would ask for
// impulses that are larger by the inverse; it slips by this share of the speeds at most. A light
// body between two of 1e10 times its mass leaves 1e-5 of what says how these move. The other shares
// are for problems that are not solved with the one before, or jam: a bar may on a crease of two
// facets.
constexpr std::array<double, 3> kRepeated = {1e-6, 1e-4, 1e-2};
// What rows leave that are well apart, and in falling shares others: a row that all but repeats one
// before it, taken first, would leave its own errors, so many times larger, of what repeats both.
constexpr double kWellApart = 0.1, kLessApart = 0.1;
// Of the impulses that would stop the bodies, with each share but the last: more is asked for by
// tangents that cancel each other, as those of an edge on facets that lean by 1e-4, or of contacts
// that carry nothing. Up to a hundred times as much levers and wedges ask for too.
constexpr double kJam = 1e2;
// Of these impulses, by tangents of a contact that does not press: more levers against others. One
// that comes down within the step is held by about as much as stops it.
constexpr double kLever = 10.0;
// In ContactWorkspace::tried: has left the set once, as it carried nothing; holds no tangents.
constexpr char kLeft = 1, kBarred = 2;

// The contacts in the set stick, once for a patch, and hold their tangents, but for barred ones.
void mark_tangents(const ContactProblem& problem, ContactWorkspace& workspace) {
  const int n = problem.n;
  workspace.sticking.assign(n, 0);
  workspace.held.assign(2 * n, 0);
  for (int i = 0; i < n; ++i) {
    if (workspace.tried[i] == kBarred || !holds_patch(problem, workspace.set, i)) continue;
    workspace.sticking[i] = workspace.held[2 * i] = workspace.held[2 * i + 1] = 1;
  }
}

// Not with one contact for each two links: no row comes near another.
bool may_repeat(const ContactProblem& problem) { return problem.crowded && !problem.has_basis; }

// Of the marked tangents none that repeats others stays.
void drop_repeating(const ContactProblem& problem, double repeated, ContactWorkspace& workspace) {
  std::vector<char>& held = workspace.held;
  std::vector<char>& left = workspace.left;
  left = held;
  std::ranges::fill(held, 0);
  workspace.rows.reset(problem.m, repeated);
  for (double share = kWellApart;; share *= kLessApart) {
    const double least = std::max(share, repeated);
    for (std::size_t j = 0; j < left.size(); ++j) {
      if (!left[j] || !workspace.rows.add(problem.tangents.col(static_cast<Index>(j)),
                                          {.times = least / repeated}))
        continue;
      held[j] = 1;
      left[j] = 0;
    }
    if (least == repeated) return;
  }
}

// The columns S, T of what sticks become the equalities Eᵀy = 0.
void hold_tangents(const ContactProblem& problem, double repeated, ContactWorkspace& workspace) {
  mark_tangents(problem, workspace);
  if (may_repeat(problem)) drop_repeating(problem, repeated, workspace);
  LeastDistanceProblem& out = workspace.problem;
  out.k = 0;
  for (std::size_t j = 0; j < workspace.held.size(); ++j) {
    if (!workspace.held[j]) continue;
    out.E.col(out.k) = problem.tangents.col(static_cast<Index>(j));
    out.e[out.k] = 0.0;
    ++out.k;
  }
}

// N·s: of the impulses along single tangents that would stop one of the bodies there, the largest.
double stopping_impulse(const ContactProblem& problem) {
  double largest = 0.0;
  for (Index j = 0; j < problem.tangents.columns(); ++j) {
    const auto column = problem.tangents.col(j);
    for (const Stretch& s : problem.tangents.stretches(j)) {
      const double moves = problem.y.segment(s.begin, s.end - s.begin).norm(),
                   length = column.segment(s.begin, s.end - s.begin).norm();
      if (length > 0.0) largest = std::max(largest, moves / length);
    }
  }
  return largest;
}

// Whether tangents ask for impulses that only cancel each other.
bool jams(const ContactProblem& problem, const ContactWorkspace& workspace) {
  const VectorXd& impulses = workspace.solution.fe;
  return may_repeat(problem) && impulses.size() > 0 &&
         impulses.lpNorm<Eigen::Infinity>() > kJam * stopping_impulse(problem);
}

void read_tangents(const ContactWorkspace& workspace, ContactSolution& out) {
  int k = 0;
  for (std::size_t j = 0; j < workspace.held.size(); ++j)
    if (workspace.held[j]) out.ft[j] = workspace.solution.fe[k++];
}

// Gᵀy − c
void measure_speed(const ContactProblem& problem, const VectorXd& y, VectorXd& speed) {
  problem.normals.measure(y, speed);
  speed -= problem.c;
}

// T ← {touching} ∪ locked; contacts taken back while sets repeat are locked for good.
bool update_set(const VectorXd& speed, ContactWorkspace& workspace, int& locks) {
  std::vector<char>& set = workspace.set;
  std::vector<char>& next = workspace.next;
  next = workspace.locked;
  for (std::size_t i = 0; i < set.size(); ++i)
    if (speed[i] <= kTouching) next[i] = 1;
  if (next == set) return false;
  const auto& earlier = workspace.earlier;
  if (std::ranges::find(earlier, next) != earlier.end()) {
    for (std::size_t i = 0; i < set.size(); ++i)
      if (next[i] && !set[i] && !workspace.locked[i]) {
        workspace.locked[i] = 1;
        ++locks;
      }
    for (std::size_t i = 0; i < set.size(); ++i)
      if (workspace.locked[i]) next[i] = 1;
  }
  workspace.earlier.push_back(set);
  set = next;
  return true;
}

// Contacts that hold tangents without pressing, an adhesion that no friction has (a wheel in a
// crease would be locked by the facet it leaves): they leave T, once each. One that is apart, was
// locked into T or came back to it, and levers against others of its link holds none from then on,
// and slips if it presses after all.
bool drop_weightless(const ContactProblem& problem, ContactWorkspace& workspace) {
  const LeastDistanceSolution& last = workspace.solution;
  bool dropped = false;
  int k = 0;
  for (int i = 0; i < problem.n; ++i) {
    double pull = 0.0;
    for (int j = 2 * i; j < 2 * i + 2; ++j)
      if (workspace.held[j]) pull = std::max(pull, std::abs(last.fe[k++]));
    if (last.f[i] > 0.0 || pull == 0.0) continue;
    const bool stays = workspace.locked[i] || workspace.tried[i];
    if (stays && (problem.c[i] >= 0.0 || pull <= kLever * stopping_impulse(problem))) continue;
    if (!stays) workspace.set[i] = 0;
    workspace.tried[i] = stays ? kBarred : kLeft;
    dropped = true;
  }
  return dropped;
}

// What measure() finds of the problem that holds all normals and the marked tangents, c and e zero,
// without posing it. @param ft  of all tangents, zero of those that are not held
LeastDistanceResiduals measure_all_held(const ContactProblem& problem, const VectorXd& y,
                                        const VectorXd& f, const VectorXd& ft,
                                        ContactWorkspace& workspace) {
  LeastDistanceResiduals result{0, 0, 0, 0};
  const ContactSpeeds& speeds = workspace.speeds;
  find_speeds(problem, y, workspace.speeds);
  VectorXd& left = workspace.y;
  left = problem.y - y;
  problem.normals.add_all(f, left);
  problem.tangents.add_all(ft, left);
  for (int i = 0; i < problem.n; ++i) {
    const double norm = std::sqrt(problem.normals.squared_norm(i));  // of a basis: none is zero
    result.infeasibility = std::max(result.infeasibility, -speeds.normal[i] / norm);
    result.complementarity = std::max(result.complementarity, std::abs(f[i] * speeds.normal[i]));
    result.dual_infeasibility = std::max(result.dual_infeasibility, -f[i] * norm);
  }
  for (int j = 0; j < 2 * problem.n; ++j)
    if (workspace.held[j])
      result.infeasibility =
          std::max(result.infeasibility,
                   std::abs(speeds.tangent[j]) / std::sqrt(problem.tangents.squared_norm(j)));
  const double size = problem.y.norm(), scale = size > 0.0 ? size : 1.0;
  result.infeasibility /= scale;
  result.complementarity /= scale * scale;
  result.stationarity = left.norm() / scale;
  result.dual_infeasibility /= scale;
  return result;
}

// Where all contacts stay held: they press, and none slips. The rows' basis is at hand, and what
// is left of the sets is one test of signs.
// @return whether it is so; the answer is in the workspace then
bool solve_all_held(const ContactProblem& problem, const LeastDistanceSolver& solver,
                    std::span<const int> warm, ContactWorkspace& workspace,
                    ContactSolution& solution) {
  if (!solver.takes_basis || !problem.has_basis || !problem.bound.empty() ||
      (problem.c.array() != 0.0).any())
    return false;
  measure_speed(problem, problem.y, workspace.speed);
  if (workspace.speed.maxCoeff() > kTouching) return false;  // the first set would be another
  LeastDistanceSolution& out = workspace.solution;
  const Index rows = problem.basis_rows();
  out.y = problem.y;
  workspace.zero.setZero(rows);
  problem.solve_by_basis(workspace.zero, out.y, workspace.multipliers);
  if (!(workspace.multipliers.head(problem.n).minCoeff() > 0.0)) return false;
  workspace.set.assign(problem.n, 1);
  workspace.tried.assign(problem.n, 0);
  mark_tangents(problem, workspace);
  out.status = SolveStatus::solved;
  out.reason.clear();
  out.pivots = out.switches = 0;
  out.f = workspace.multipliers.head(problem.n);
  out.fe = workspace.multipliers.tail(rows - problem.n);
  out.active.resize(problem.n);
  std::iota(out.active.begin(), out.active.end(), 0);
  out.accepted.resize(rows - problem.n);
  std::iota(out.accepted.begin(), out.accepted.end(), 0);
  solution.ft.setZero(2 * problem.n);
  read_tangents(workspace, solution);
  out.residuals = problem.limbs.factored()
                      ? measure_on_limbs(problem, out.y, workspace.multipliers)
                      : measure_all_held(problem, out.y, out.f, solution.ft, workspace);
  if (!(worst_of(out.residuals) <= LeastDistanceOptions{}.residual)) return false;
  if (solver.watched) {
    pose_normals(problem, workspace.problem);
    hold_tangents(problem, kRepeated.front(), workspace);
    LeastDistanceSolution shown;  // what the solver makes of it
    solver.solve(workspace.problem, {}, warm, workspace.solver, shown);
  }
  solution.rounds = 1;
  solution.locks = 0;
  return true;
}

// Whether standing still is a solution, so that there is one: restitution may ask for what nothing
// gives.
bool may_stand_still(const ContactProblem& problem) { return (problem.c.array() <= 0.0).all(); }

// For solvers of cones.
ContactProblem with_infinite_friction(const ContactProblem& problem) {
  ContactProblem stuck = problem;
  for (std::size_t i = 0; i < stuck.friction.size(); ++i)
    stuck.friction[i] = stuck.limit[i] ? 0.0 : kNoSlipFriction;
  return stuck;
}

// The sets T one after the other, until one of them stands or none is found.
void solve_sets(const ContactProblem& problem, const LeastDistanceSolver& solver,
                std::span<const int> warm, double repeated, ContactWorkspace& workspace,
                ContactSolution& solution) {
  const int n = problem.n;
  workspace.set.assign(n, 0);
  workspace.locked.assign(n, 0);
  workspace.tried.assign(n, 0);
  workspace.earlier.clear();
  measure_speed(problem, problem.y, workspace.speed);
  for (int i = 0; i < n; ++i) workspace.set[i] = workspace.speed[i] <= kTouching ? 1 : 0;
  solution.locks = 0;
  for (bool changed = true, first = true; changed; first = false) {
    hold_tangents(problem, repeated, workspace);
    solve_with_joints(problem, solver, warm, first, workspace);
    solution.pivots += workspace.solution.pivots;
    ++solution.rounds;
    if (workspace.solution.status != SolveStatus::solved) return;
    measure_speed(problem, workspace.solution.y, workspace.speed);
    changed = update_set(workspace.speed, workspace, solution.locks) ||
              drop_weightless(problem, workspace);
  }
}

}  // namespace

bool find_no_slip(const ContactProblem& problem, const LeastDistanceSolver& solver,
                  std::span<const int> warm, ContactWorkspace& workspace,
                  ContactSolution& solution) {
  solution.pivots = solution.rounds = solution.switches = 0;
  const bool stays = solve_all_held(problem, solver, warm, workspace, solution);
  if (!stays) pose_normals(problem, workspace.problem);
  const SolveStatus& status = workspace.solution.status;
  for (std::size_t i = 0; i < kRepeated.size() && !stays; ++i) {
    solution.switches = static_cast<int>(i);
    solve_sets(problem, solver, warm, kRepeated[i], workspace, solution);
    const bool last = !problem.crowded || i + 1 == kRepeated.size();
    if (last || (status == SolveStatus::solved && !jams(problem, workspace))) break;
  }
  if (status == SolveStatus::failed || (status != SolveStatus::solved && may_stand_still(problem)))
    return false;
  const int pivots = solution.pivots;
  read_normals(problem, workspace.solution, solution);
  solution.sticking = workspace.sticking;
  solution.held = workspace.held;
  read_tangents(workspace, solution);
  if (!stays) share_parallel_tangents(problem, solution.ft);  // of a basis none are parallel
  read_joints(problem, workspace, solution);
  solution.pivots = pivots;
  return true;
}

void solve_no_slip(const ContactProblem& problem, const LeastDistanceSolver& solver,
                   std::span<const int> warm, ContactWorkspace& workspace,
                   ContactSolution& solution) {
  if (!find_no_slip(problem, solver, warm, workspace, solution))
    solve_by_last_resort(with_infinite_friction(problem), solution.switches, workspace, solution);
}

void hold_pressed(const ContactProblem& problem, const LeastDistanceSolver& solver,
                  const VectorXd& pressed, ContactWorkspace& workspace, ContactSolution& solution) {
  pose_normals(problem, workspace.problem);
  workspace.problem.n = 0;
  workspace.set.assign(problem.n, 0);
  workspace.tried.assign(problem.n, 0);
  for (int i = 0; i < problem.n; ++i) workspace.set[i] = pressed[i] > 0.0 ? 1 : 0;
  hold_tangents(problem, kRepeated.front(), workspace);
  solver.solve(workspace.problem, {}, {}, workspace.solver, workspace.solution);
  if (workspace.solution.status == SolveStatus::failed)
    return rub_by_last_resort(with_infinite_friction(problem), pressed, workspace, solution);
  read_normals(problem, workspace.solution, solution);
  solution.fn.setZero(problem.n);
  solution.active.clear();
  solution.sticking = workspace.sticking;
  solution.held = workspace.held;
  read_tangents(workspace, solution);
  share_parallel_tangents(problem, solution.ft);
  solution.slide.clear();
  solution.fj.clear();
  solution.switches = solution.locks = 0;
  solution.rounds = 1;
}

}  // namespace pequod
