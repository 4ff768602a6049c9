#include "simulation/held/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/loop_rows.h"
#include "core/loop.h"
#include "simulation/contact_motion.h"
#include "simulation/errors.h"
#include "simulation/held/workspace.h"
#include "simulation/joint_friction.h"
#include "simulation/tolerances.h"

namespace pequod {
namespace {

// Loops that open as they and the gaps are closed are near a dead point, where a small gap asks for
// a huge motion, or the step was too long for them. m, rad: the widest of all before, of loops
// after
void refuse_opening(double before, double after, const SceneTolerances& tolerance) {
  if (after <= kLoopOpens * before + kLoopNoise * tolerance.length) return;
  throw ContactError(fmt::format(
      "gaps and loops that were open by {:.2g} m or rad after a step leave loops open by {:.2g} on "
      "being closed: the linkage is near a dead point, or integrator.step is too long for it",
      before, after));
}

// Whether closing gaps moves an island farther than their sizes account for, as rows do that all
// but repeat each other: along the edge between their facets, if anywhere. Those of limbs do not.
bool goes_astray(const HeldIsland& part, const VectorXd& e, const VectorXd& y) {
  if (part.sparse || part.in_limbs || !part.island.loops.empty()) return false;
  double own = 0.0;  // m² kg, if each gap were closed by itself
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(part.island.contacts.size()); ++i) {
    const double square = part.problem.normals.squared_norm(i);
    if (square > 0.0) own += e[i] * e[i] / square;
  }
  return y.squaredNorm() > kAstray * kAstray * own;
}

// m: what closing the independent gaps leaves of the others, which contradict them by that.
double left_of_others(const HeldIsland& part, const VectorXd& e, const VectorXd& y) {
  if (part.sparse || !part.repeats()) return 0.0;
  double left = 0.0;
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(part.island.contacts.size()); ++i)
    left = std::max(left, std::abs(e[i] - part.problem.normals.dot(i, y)));
  return left;
}

enum class Closing { none, sunk, all };

// Which gaps of an island are closed. What contradicts others by no more than the slack stays where
// it is: moved onto zero it would lift others off, which fall back and move it again, for ever.
// Where others would open or sink by more than all are off those that sink are lifted, and that is
// all: those of a body that rubs over dozens of facets contradict each other, and three of them
// side by side would tilt it.
// @param y  what closes the independent gaps
Closing closing_of(const HeldIsland& part, const VectorXd& e, const VectorXd& y, double noise,
                   double slack) {
  const double off =
      e.head(static_cast<Eigen::Index>(part.island.contacts.size())).lpNorm<Eigen::Infinity>();
  const double left = left_of_others(part, e, y);
  if (part.island.loops.empty() && left > noise && off <= slack) return Closing::none;
  return goes_astray(part, e, y) || left > kOpensOthers * off ? Closing::sunk : Closing::all;
}

// Of a thread: the first has those that other functions of what is held have used.
RowBuffers& rows_of(HeldWorkspace& workspace, std::size_t thread) {
  return thread == 0 ? workspace.rows : workspace.projection.of_thread[thread].rows;
}

// To step what closes the gaps and loops of one island, by itself: what it does shall not depend on
// others.
// @return whether its contacts contradict each other, so that no more than what sinks was lifted
bool add_closing_step(const Model& model, const MassFactor& mass, const SceneTolerances& tolerance,
                      const HeldSet& set, const HeldIsland& part, const std::vector<Pose>& X_WL,
                      RowBuffers& rows, PushBuffers& push, VectorXd& step) {
  const Island& island = part.island;
  const auto open_at = [&](int i) {
    return std::abs(nth(set.touching.contacts, i).gap) > tolerance.noise();
  };
  if (island.loops.empty() && std::ranges::none_of(island.contacts, open_at)) return false;
  // Tangents stay where they are: zero on their rows.
  rows.e.setZero(part.row_count());
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    rows.e[static_cast<Eigen::Index>(i)] = -nth(set.touching.contacts, island.contacts[i]).gap;
  rows.y.setZero(island.m);
  if (!island.loops.empty()) {
    loop_displacements(model, X_WL, island, rows.loop_e);
    part.keep_loops(rows.loop_e, rows.y, rows.e, rows.rest);
  }
  part.solve(rows.e, rows.y, rows.f);
  const double slack = set.brief ? 0.0 : kContradictsBy * tolerance.rounding;
  const Closing closing = closing_of(part, rows.e, rows.y, tolerance.noise(), slack);
  if (closing != Closing::all) rows.y.setZero();
  const bool pushes =
      closing == Closing::sunk ||
      (set.brief && falls_short(part, rows.e.data(), 0.5 * tolerance.still(), rows.y));
  if (pushes) push_from(part, rows.e.data(), {}, push, rows.y);
  scatter_metric(model, mass, island, rows.y, step);
  part.rest_joints(0.0, step);
  return pushes || closing == Closing::none;
}

// The closing steps of all islands, to workspace.projection: step, and which were pushed.
void find_closing_step(const Model& model, const MassFactor& mass, const SceneTolerances& tolerance,
                       const HeldFactor& held, HeldWorkspace& workspace) {
  ProjectionBuffers& all = workspace.projection;
  std::vector<IslandBuffers>& buffers = all.for_threads(held.team());
  all.step.setZero(model.nv);
  for_each_index(
      held.team(), held.islands().size(), kIslandsOfPart, [&](std::size_t k, std::size_t thread) {
        all.pushed[k] =
            add_closing_step(model, mass, tolerance, held.set(), held.islands()[k], all.X_WL,
                             rows_of(workspace, thread), buffers[thread].push, all.step);
      });
}

// m: the largest gap that is to be closed, of contacts that contradict each other the deepest.
// @param pushed  of each island: what add_closing_step() said of it
double widest_to_close(const HeldFactor& held, std::span<const char> pushed) {
  double widest = 0.0;
  for (std::size_t k = 0; k < pushed.size(); ++k)
    for (const int i : held.islands()[k].island.contacts) {
      const double gap = nth(held.set().touching.contacts, i).gap;
      widest = std::max(widest, pushed[k] ? -gap : std::abs(gap));
    }
  return widest;
}

// At q: the links of `end`, or their poses alone if there is none.
void place_links(const Model& model, const VectorXd& q, Evaluator* end, std::vector<Pose>& X_WL,
                 const Team* team) {
  if (end)
    end->place_at(q);
  else
    compute_poses(model, q, X_WL, team);
}

// What is held, to where these have been placed.
void follow_placed(const Model& model, const Evaluator* end, const std::vector<Pose>& X_WL,
                   const VectorXd& q, HeldFactor& held) {
  if (end)
    held.follow(model, end->kinematics(), q);
  else
    held.follow(model, X_WL, q);
}

// J, if the speed along the row were all of the motion. @param known  m/s, to which speeds are
double own_energy(const ColumnBuffer& rows, Eigen::Index i, double known, const VectorXd& y) {
  const double speed = std::abs(rows.dot(i, y)) + known, square = rows.squared_norm(i);
  return square > 0.0 ? 0.5 * speed * speed / square : 0.0;
}

double own_energies(const HeldIsland& part, double known, const VectorXd& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < part.island.contacts.size(); ++i)
    sum += own_energy(part.problem.normals, static_cast<Eigen::Index>(i), known, y);
  for (const int i : part.tangents)
    sum += own_energy(part.problem.tangents, 2 * i, known, y) +
           own_energy(part.problem.tangents, 2 * i + 1, known, y);
  for (const int j : part.joints) sum += own_energy(part.problem.joints, j, known, y);
  return sum;
}

// J, see project_velocity(). @param before  y of the projection; with the squares of its ends
double unexplained_loss(const HeldIsland& part, double known, const VectorXd& before,
                        double square_before, double square_after) {
  const double energy = 0.5 * square_before, taken = energy - 0.5 * square_after;
  if (taken <= kUnseenLoss * energy) return 0.0;
  return taken > kOwnLosses * own_energies(part, known, before) ? taken : 0.0;
}

// Whether the projection of an island's velocities takes more than it explains. Where rows that all
// but repeat each other ask for a motion between them, the equalities are no mode: contacts that
// open may, and those that approach are pushed apart.
Projected judge_projection(const HeldIsland& part, double known, const VectorXd& before,
                           double square, double square_after, PushBuffers& buffers, VectorXd& y) {
  const double loss = unexplained_loss(part, known, before, square, square_after);
  if (loss == 0.0 || !part.island.loops.empty()) return {.suspect = loss};
  buffers.y = before;
  push_from(part, nullptr, {}, buffers, buffers.y);
  const double other = unexplained_loss(part, known, before, square, buffers.y.squaredNorm());
  if (other >= loss) return {.suspect = loss};
  y = buffers.y;
  return {.suspect = other, .opened = true};
}

// project_velocity() of one island.
Projected project_island(const Evaluator& here, const HeldSet& set, const HeldIsland& part,
                         const SceneTolerances& tolerance, VectorXd& v, RowBuffers& rows,
                         PushBuffers& push) {
  if (part.island.contacts.empty() && part.island.loops.empty()) return {};
  Projected found;
  gather_metric(here.model(), here.factor(), part.island, v, rows.y);
  const double moving = rows.y.squaredNorm();
  double after;
  if (part.sparse) {
    rows.e.setZero(part.row_count());
    part.solve(rows.e, rows.y, rows.f);
    after = rows.y.squaredNorm();
  } else {
    part.problem.loops.project(rows.y);
    rows.before = rows.y;
    part.project(rows.y);
    if (set.brief && falls_short(part, nullptr, tolerance.speed(), rows.y)) {
      keep_tangents_elsewhere(set, part, tolerance.speed(), rows.y, push.kept);
      push_from(part, nullptr, push.kept, push, rows.y);
    }
    const double before = part.island.loops.empty() ? moving : rows.before.squaredNorm();
    after = rows.y.squaredNorm();
    found = judge_projection(part, tolerance.speed(), rows.before, before, after, push, rows.y);
    if (found.opened) after = rows.y.squaredNorm();
    found.share =
        std::abs(before - after) / scale_of_energy(here.model(), part.island, tolerance, before);
  }
  found.taken = 0.5 * (moving - after);
  if (part.joints.empty()) found.kinetic = 0.5 * after;
  scatter_metric(here.model(), here.factor(), part.island, rows.y, v);
  part.rest_joints(kJointRest, v);
  return found;
}

}  // namespace

double scale_of_energy(const Model& model, const Island& island, const SceneTolerances& tolerance,
                       double square) {
  double mass = 0.0;
  for (const int t : island.trees) mass += nth(model.trees, t).mass;
  const double slow = kSlowIsland * tolerance.pace;
  return square + mass * slow * slow;
}

double widest_gap(std::span<const Contact> contacts) {
  double widest = 0.0;
  for (const Contact& contact : contacts) widest = std::max(widest, std::abs(contact.gap));
  return widest;
}

LeftGaps project_position(const Model& model, const MassFactor& mass, const Kinematics& at_q,
                          HeldFactor& held, const SceneTolerances& tolerance, VectorXd& q,
                          HeldWorkspace& workspace, int limit, Evaluator* ended) {
  const HeldSet& set = held.set();
  auto& [X_WL, nearest_q, step, pushed, of_thread, of_island] = workspace.projection;
  const Team* const team = held.team();
  if (set.empty()) return {};
  held.follow(model, at_q, q);
  if (set.loops) copy_poses(at_q, X_WL, team);  // no one else looks at them there
  Evaluator* const end = set.loops ? nullptr : ended;
  pushed.assign(held.islands().size(), 0);
  double worst = kInfinity, least = kInfinity;
  double moved = 0.0;
  int in_vain = 0;  // steps in a row that left nothing more to do
  for (int iteration = 0;; ++iteration) {
    follow_placed(model, end, X_WL, q, held);
    const double now_open = widest_loop_gap(model.loops, X_WL);
    const double before =
        std::exchange(worst, std::max(widest_gap(set.touching.contacts), now_open));
    refuse_opening(before, now_open, tolerance);
    if (worst > kLeadsAway * least) {
      q = nearest_q;
      return {least, least, moved};
    }
    if (worst < least) {
      least = worst;
      nearest_q = q;
    }
    const bool helps = set.loops || worst <= kHelps * before;  // nothing else closes a loop again
    const double to_close = helps ? worst : std::min(worst, widest_to_close(held, pushed));
    in_vain = !helps && to_close <= tolerance.still() ? in_vain + 1 : 0;
    const bool ends = in_vain == kInVain || (!helps && iteration >= kFewProjections);
    if (worst <= tolerance.noise() || iteration == limit || ends) return {worst, to_close, moved};
    find_closing_step(model, mass, tolerance, held, workspace);
    if (!are_finite(step)) return {worst, worst, moved};
    moved += step.lpNorm<Eigen::Infinity>();
    integrate_position(model, q, step, q, team);
    held.outdate();
    place_links(model, q, end, X_WL, team);
  }
}

Projected project_velocity(const Evaluator& here, const HeldFactor& held,
                           const SceneTolerances& tolerance, VectorXd& v,
                           HeldWorkspace& workspace) {
  const std::span<const HeldIsland> islands = held.islands();
  std::vector<IslandBuffers>& buffers = workspace.projection.for_threads(held.team());
  std::vector<Projected>& found = workspace.projection.of_island;
  found.resize(islands.size());
  for_each_index(held.team(), islands.size(), kIslandsOfPart,
                 [&](std::size_t k, std::size_t thread) {
                   found[k] = project_island(here, held.set(), islands[k], tolerance, v,
                                             rows_of(workspace, thread), buffers[thread].push);
                 });
  Projected all;
  std::size_t trees = 0;
  for (const HeldIsland& part : islands) trees += part.island.trees.size();
  if (trees == here.model().trees.size()) all.kinetic = 0.0;
  for (const Projected& one : found) {
    all.suspect += one.suspect;
    all.taken += one.taken;
    all.kinetic += one.kinetic;
    all.share = std::max(all.share, one.share);
    all.opened = all.opened || one.opened;
  }
  return all;
}

}  // namespace pequod
