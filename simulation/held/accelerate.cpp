#include "simulation/held/accelerate.h"

#include <algorithm>

#include "contact/loop_rows.h"
#include "core/tree_parts.h"
#include "simulation/contact_motion.h"
#include "simulation/friction.h"
#include "simulation/held/tolerances.h"
#include "simulation/held/workspace.h"

namespace pequod {
namespace {

// e of the normals, and zero for all other rows.
void ask_normals(const IslandView& view, VectorXd& e) {
  const std::vector<ContactPoint>& points = view.set.touching.points;
  e.setZero(view.part.row_count());
  for (std::size_t i = 0; i < view.part.island.contacts.size(); ++i) {
    const auto index = static_cast<std::size_t>(view.part.island.contacts[i]);
    const double bias =
        index < points.size() ? gap_bias(view.model(), view.kin(), points[index]) : 0.0;
    e[static_cast<Eigen::Index>(i)] = -bias;
  }
}

// e of the tangents: the slip of contacts that stick keeps its rate of zero.
void ask_no_slip(const IslandView& view, const VectorXd& y, VectorXd& e) {
  const ContactProblem& problem = view.part.problem;
  Eigen::Index row = problem.n;
  for (const int i : view.part.tangents) {
    const Contact& contact = view.contact(i);
    const Vector3d rate =
        slip_bias(view.model(), view.kin(), view.set.touching.points[view.index(i)]);
    for (const int j : {2 * i, 2 * i + 1}) {
      e[row] = -(j == 2 * i ? contact.s_W : contact.t_W).dot(rate);
      e[row++] -= tangent_in_loops(problem, y, j);
    }
  }
}

// Contacts that float hold their gaps by shares of their friction.
void hold_floating(const IslandView& view, const VectorXd& e, Eigen::Index first,
                   IslandMotion& motion, VectorXd& f, HeldMotion& out, FloatingBuffers& buffers) {
  const std::vector<int>& contacts = view.part.island.contacts;
  buffers.pull.resize(view.part.island.m, static_cast<Eigen::Index>(contacts.size()) - first);
  buffers.near.resize(buffers.pull.cols());
  for (Eigen::Index j = 0; j < buffers.pull.cols(); ++j) {
    find_viscous_pull(view.here, view.part.island, view.part.problem,
                      view.contact(static_cast<int>(first + j)), buffers.part, buffers.generalised);
    buffers.pull.col(j) = buffers.part;
    buffers.near[j] = view.set.laws[view.index(static_cast<int>(first + j))].share;
  }
  FloatingShares& found = buffers.shares;
  solve_floating(view.part.rows, e, buffers.pull, first, buffers.near, motion.y, f, found);
  motion.y_free += buffers.pull * found.share;
  for (Eigen::Index j = 0; j < buffers.pull.cols(); ++j) {
    const std::size_t index = view.index(static_cast<int>(first + j));
    out.share[index] = found.share[j];
    out.floating_margin[index] = std::min(found.to_open[j], found.to_close[j]);
  }
}

// Forces of sliding contacts; where masses differ, again in units of the loads that the first ones
// tell.
void solve_sliding(const HeldIsland& part, const VectorXd& e, IslandMotion& motion) {
  const ForceColumns& columns = motion.columns;
  VectorXd unit, loads;
  const auto solve = [&] {
    motion.y = motion.y_free;
    spread_units(columns, motion.units, unit);
    motion.sliding.factor(part.rows, columns.C.matrix(), unit);
    motion.sliding.solve(part.rows, columns.C.matrix(), e, motion.y, motion.forces);
  };
  motion.units.clear();
  solve();
  if (!units_differ(columns)) return;
  find_load_units(columns, motion.forces.f, loads, motion.units);
  solve();
}

// Where contacts slide; f as HeldRows::solve gives it, with the normal forces of all contacts.
void hold_sliding(const IslandView& view, const VectorXd& e, IslandMotion& motion, VectorXd& f,
                  HeldMotion& out, ConeForceBuffers& cones) {
  const HeldIsland& part = view.part;
  const ForceColumns& columns = motion.columns;
  place_columns(view, Weightless::left_out, motion.columns);
  part.rows.demand(e, motion.y, motion.asked);
  solve_sliding(part, e, motion);
  const double unmet = part.share_left(motion.forces.unmet, motion.asked.norm());
  if (unmet <= kForcesDo)
    motion.sliding.solve_in_cones(columns.C.matrix(), columns.cones, motion.y, motion.forces,
                                  cones);
  out.unmet = std::max(out.unmet, unmet);
  const VectorXd& column_force = motion.forces.f;
  f.setZero(e.size());
  Eigen::Index c = 0, joint = f.size() - static_cast<Eigen::Index>(part.island.joints.size());
  for (std::size_t b = 0; b < columns.cones.size(); c += columns.cones[b++].size()) {
    const int i = columns.contact[b];
    if (i < 0) {
      f[joint++] = column_force[c];
      continue;
    }
    f[i] = column_force[c];
    if (view.slides(i))
      out.slip_power += friction_coefficient(view.set, view.index(i)) * f[i] *
                        slip_direction(view.here, view.set, view.index(i))
                            .dot(relative_velocity(view.model(), view.kin(), view.contact(i)));
  }
}

// motion.y from free to where the rows are e, and their multipliers f.
void hold_rows(const IslandView& view, const VectorXd& e, IslandMotion& motion, VectorXd& f,
               HeldMotion& out, HeldWorkspace& workspace) {
  if (slides_in(view.set, view.part.island))
    return hold_sliding(view, e, motion, f, out, workspace.cones);
  const std::vector<int>& contacts = view.part.island.contacts;
  const auto first =
      std::ranges::find_if(contacts, [&](int i) { return nth(view.set.laws, i).floats; });
  if (first == contacts.end()) return view.part.solve(e, motion.y, f);
  hold_floating(view, e, first - contacts.begin(), motion, f, out, workspace.floating);
}

// @param normal, joint  forces of the island's contacts and joints
void read_forces(const HeldSet& set, const Island& island, const double* normal,
                 const double* joint, HeldMotion& out) {
  for (const int i : island.contacts) nth(out.force, i) = *normal++;
  for (const int j : island.joints) out.joint_force[set.joint_index(j)] = *joint++;
}

// v̇ of the trees of which nothing is held. @param vdot  in: forces
void accelerate_others(const Evaluator& here, const HeldFactor& held, VectorXd& vdot,
                       std::vector<char>& is_held) {
  const Model& model = here.model();
  is_held.assign(model.trees.size(), 0);
  for (const HeldIsland& part : held.islands())
    for (const int tree : part.island.trees) nth(is_held, tree) = 1;
  for_each_index(
      here.team(), model.trees.size(), 4 * trees_of_part(model), [&](std::size_t t, std::size_t) {
        if (is_held[t]) return;
        const Tree& tree = model.trees[t];
        const std::span<double> part(vdot.data() + tree.first_v, static_cast<std::size_t>(tree.nv));
        here.factor().solve_L_transposed(model, static_cast<int>(t), part);
        here.factor().solve_L(model, static_cast<int>(t), part);
      });
}

void accelerate_island(const IslandView& view, const VectorXd& force, VectorXd& vdot,
                       IslandMotion& motion, HeldMotion& out, HeldWorkspace& workspace) {
  const Island& island = view.part.island;
  VectorXd &y = workspace.rows.y, &e = workspace.rows.e, &f = workspace.rows.f;
  gather(view.model(), island, force, motion.y);
  island_solve_L_transposed(view.model(), view.here.factor(), island, motion.y);
  ask_normals(view, e);
  motion.rest.setZero(static_cast<Eigen::Index>(island.joints.size()));
  if (!island.loops.empty()) {
    loop_rates(view.model(), view.kin(), island, workspace.rows.loop_e);
    view.part.keep_loops(workspace.rows.loop_e, motion.y, e, motion.rest);
  }
  motion.y_free = motion.y;
  motion.c = e.head(static_cast<Eigen::Index>(island.contacts.size()));
  if (view.set.rubs()) ask_no_slip(view, motion.y, e);
  hold_rows(view, e, motion, f, out, workspace);
  if (view.part.in_limbs) motion.multipliers = f;
  motion.turning = f.dot(e);
  read_forces(view.set, island, f.data(), f.data() + f.size() - island.joints.size(), out);
  y = motion.y;
  scatter_metric(view.model(), view.here.factor(), island, y, vdot);
  view.part.rest_joints(0.0, vdot);
}

}  // namespace

void accelerate(const Evaluator& here, const HeldFactor& held, const VectorXd& force,
                VectorXd& vdot, HeldMotion& out, HeldWorkspace& workspace) {
  const HeldSet& set = held.set();
  out.force.assign(set.touching.size(), 0.0);
  out.joint_force.assign(set.joints.size(), 0.0);
  out.share.assign(set.touching.size(), 1.0);
  out.floating_margin.assign(set.touching.size(), kInfinity);
  out.slip_power = out.unmet = 0.0;
  out.islands.resize(std::max(out.islands.size(), held.islands().size()));
  vdot = force;
  accelerate_others(here, held, vdot, workspace.rows.is_held);
  for (std::size_t k = 0; k < held.islands().size(); ++k)
    accelerate_island({here, set, held.islands()[k]}, force, vdot, out.islands[k], out, workspace);
}

void add_floating_friction(const Evaluator& here, const HeldSet& set, const HeldMotion& motion,
                           VectorXd& force) {
  for (std::size_t i = 0; i < set.laws.size(); ++i)
    if (set.laws[i].floats)
      add_viscous_friction(here.model(), here.kinematics(), set.touching.contacts[i],
                           motion.share[i], force);
}

double push_only(const LeastDistanceSolver& solver, HeldFactor& held, HeldMotion& motion,
                 ContactWorkspace& solver_workspace, HeldWorkspace& workspace) {
  ContactSolution& pushed = workspace.rows.pushed;
  double worst = 0.0;
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    const HeldIsland& part = held.islands()[k];
    const IslandMotion& island = motion.islands[k];
    if (!part.repeats()) continue;
    solve_frictionless(held.pose(k, island.y_free, island.c, island.rest), solver, {},
                       solver_workspace, pushed);
    if (pushed.status != SolveStatus::solved) return kInfinity;
    const double moved = (island.y - island.y_free).norm();
    worst = std::max(worst, part.share_left((pushed.y - island.y).norm(), moved));
    read_forces(held.set(), part.island, pushed.fn.data(), pushed.fj.data(), motion);
  }
  return worst;
}

}  // namespace pequod
