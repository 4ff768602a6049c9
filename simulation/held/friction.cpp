#include "simulation/held/friction.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/friction/forces/cone_force.h"
#include "contact/solvers/linear/decompositions.h"
#include "simulation/held/tolerances.h"
#include "simulation/held/workspace.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

// force.f from the forces that the contacts had before. @return whether all are there, in their
// cones
bool take_known_forces(const IslandView& view, const ForceColumns& columns, VectorXd& force) {
  force.resize(columns.C.columns());
  double* f = force.data();
  for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size()) {
    const Contact& contact = view.contact(columns.contact[b]);
    const ForceCone& cone = columns.cones[b];
    const Vector3d& F = view.law(columns.contact[b]).known_force;
    f[0] = is_joint_limit(contact.key) ? F.x() : contact.n_W.dot(F);
    if (!(f[0] >= 0.0)) return false;  // NaN too
    if (cone.size() == 1) continue;
    f[1] = contact.s_W.dot(F);
    f[2] = contact.t_W.dot(F);
    if (cone.kind == ForceCone::Kind::grip) continue;
    const bool pyramid = cone.kind == ForceCone::Kind::pyramid;
    const double tangential =
        pyramid ? std::max(std::abs(f[1]), std::abs(f[2])) : std::hypot(f[1], f[2]);
    if (tangential > cone.bound * f[0] * (1.0 + kForcesDo)) return false;
  }
  return true;
}

// m/s² (times √(m²) where a joint turns): the largest of the accelerations y = L v̇ of the trees.
double fastest_tree(const IslandView& view, const VectorXd& y) {
  double fastest = 0.0;
  Eigen::Index from = 0;
  for (const int t : view.part.island.trees) {
    const Tree& tree = nth(view.model().trees, t);
    fastest = std::max(fastest, y.segment(from, tree.nv).squaredNorm() / tree.mass);
    from += tree.nv;
  }
  return std::sqrt(fastest);
}

// What stands still is held by the forces that held it before: that they still do is proof enough
// where forces are not unique, and costs a product in place of a decomposition. A light body is
// judged as a heavy one: by what its acceleration lacks.
bool known_forces_do(const IslandView& view, const ForceColumns& columns, const VectorXd& asked,
                     ConeForceSolution& force, VectorXd& left) {
  const bool unique = columns.C.columns() <= view.part.island.m;  // they may be
  if (unique || !view.part.island.joints.empty() || !take_known_forces(view, columns, force.f))
    return false;
  const double largest = fastest_tree(view, asked);
  left = asked;
  left.noalias() -= columns.C.matrix() * force.f;
  force.residual = largest > 0.0 ? fastest_tree(view, left) / largest : 0.0;
  return force.residual <= kForcesDo;
}

// The columns in units and their cones as these rows see them.
// @param units    of each cone
// @param buffers  out: unit, of each column; problem but for what is asked
void measure_columns(const HeldRows& rows, const ForceColumns& columns,
                     const std::vector<double>& units, ConeBuffers& buffers) {
  MatrixXd& W = buffers.problem.W;
  W.resize(rows.rank(), columns.C.columns());
  for (Eigen::Index j = 0; j < columns.C.columns(); ++j) rows.measure(columns.C.col(j), W.col(j));
  spread_units(columns, units, buffers.unit);
  W *= buffers.unit.asDiagonal();
  put_into_units(columns.cones, buffers.unit, buffers.problem.cones);
}

// The force along the columns with the effect that is asked for, in the cones if there is any.
// @return whether it is the only one along the columns
bool find_force(const ForceColumns& columns, const VectorXd& asked, ConeForceSolution& force,
                ConeBuffers& buffers) {
  HeldRows& range = buffers.range;
  ConeForceProblem& problem = buffers.problem;
  range.reset(asked.size());
  for (Eigen::Index j = 0; j < columns.C.columns(); ++j) range.add(columns.C.col(j));
  const bool unique = range.rank() == columns.C.columns(), differ = units_differ(columns);
  // In units of masses two heavy bodies on a light one leave no digit of what presses on that.
  std::vector<double> own;
  if (differ && !unique) own.assign(columns.unit.size(), 1.0);
  const std::vector<double>& units = own.empty() ? columns.unit : own;
  measure_columns(range, columns, units, buffers);
  problem.a.resize(range.rank());
  range.measure(asked, problem.a);
  if (unique)
    solve_plain_force(problem, buffers.solver, force);
  else
    solve_cone_force(problem, buffers.solver, force);
  force.f.array() *= buffers.unit.array();
  if (unique || !differ) return unique;
  find_load_units(columns, force.f, buffers.left, own);
  measure_columns(range, columns, own, buffers);
  solve_cone_force(problem, buffers.solver, force);
  force.f.array() *= buffers.unit.array();
  return unique;
}

// Forces along the columns to contacts and joints.
void read_cones(const IslandView& view, const ForceColumns& columns, const VectorXd& force,
                FrictionForces& out) {
  const Island& island = view.part.island;
  const double* f = force.data();
  std::size_t joint = 0;
  for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size()) {
    const int i = columns.contact[b];
    if (i < 0) {
      out.joint[view.set.joint_index(island.joints[joint++])] = f[0];
      continue;
    }
    const std::size_t index = view.index(i);
    const Contact& contact = view.contact(i);
    out.normal[index] = f[0];
    if (columns.cones[b].size() == 3)
      out.tangential[index] = f[1] * contact.s_W + f[2] * contact.t_W;
    else if (view.slides(i))
      out.tangential[index] = -friction_coefficient(view.set, index) * f[0] *
                              slip_direction(view.here, view.set, index);
  }
}

// Where all contacts stick at limbs, the multipliers of the rows are the forces.
void read_multipliers(const IslandView& view, const VectorXd& multipliers, FrictionForces& out) {
  const int n = view.part.problem.n;
  for (int i = 0; i < n; ++i) {
    const Contact& contact = view.contact(i);
    const int s = n + 2 * i;
    out.normal[view.index(i)] = multipliers[i];
    out.tangential[view.index(i)] = multipliers[s] * contact.s_W + multipliers[s + 1] * contact.t_W;
  }
}

// N: the unit of the forces of other contacts between the bodies of contact i of the island.
double unit_beside(const IslandView& view, const IslandMotion& motion, int i) {
  const Contact& contact = view.contact(i);
  for (std::size_t b = 0; b < motion.units.size(); ++b) {
    const int j = motion.columns.contact[b];
    if (j >= 0 && view.contact(j).link_a == contact.link_a &&
        view.contact(j).link_b == contact.link_b)
      return motion.units[b];
  }
  return 1.0;
}

// How far the contacts of an island are from the ends of their modes; the forces have been read.
void read_margins(const IslandView& view, const IslandMotion& motion, bool unique,
                  FrictionForces& out, VectorXd& column) {
  for (int i = 0; i < static_cast<int>(view.part.island.contacts.size()); ++i) {
    const std::size_t index = view.index(i);
    const double mu = friction_coefficient(view.set, index);
    double& margin = out.margin[index];
    margin = unique ? out.normal[index] : kInfinity;
    if (view.slides(i) && view.law(i).slide.weightless) {
      // What it would carry if it did.
      column.resize(view.part.island.m);
      place_sliding(view, i, column);
      const double unit = unit_beside(view, motion, i);
      margin = -unit * unit * SlidingRows::load(view.part.rows, motion.forces, column);
    } else if (unique && view.law(i).sticks && std::isfinite(mu)) {
      const Contact& contact = view.contact(i);
      const Vector3d& f = out.tangential[index];
      const double tangential =
          view.set.friction == StageFriction::per_row
              ? std::max(std::abs(f.dot(contact.s_W)), std::abs(f.dot(contact.t_W)))
              : f.norm();
      margin = std::min(margin, mu * out.normal[index] - tangential);
    }
  }
}

// How the gaps of the sliding contacts of an island answer to their forces, those along n − μ d,
// while what sticks or has no friction holds.
void respond_to_sliding(const HeldSet& set, const HeldIsland& part, const ForceColumns& columns,
                        SlidingBuffers& out) {
  out.others.reset(part.problem.m);
  out.forces.clear();
  Eigen::Index c = 0;
  for (std::size_t b = 0; b < columns.cones.size(); c += columns.cones[b++].size()) {
    const int i = columns.contact[b];
    if (i >= 0 && set.slides(contact_index(part.island, i)))
      out.forces.push_back({i, c});
    else
      for (Eigen::Index j = c; j < c + columns.cones[b].size(); ++j)
        out.others.add(columns.C.col(j));
  }
  const auto size = static_cast<Eigen::Index>(out.forces.size());
  out.response.resize(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    out.normal = part.problem.normals.col(nth(out.forces, i).contact);
    out.others.project(out.normal);
    for (Eigen::Index j = 0; j < size; ++j)
      out.response(i, j) = out.normal.dot(columns.C.col(nth(out.forces, j).column));
  }
}

// Of the contacts of an island that move, but for those that are left out: in buffers.across the
// rows g √(μ fn/|v_t|), in settling what the held rows leave of them, in power a vector to begin
// with, no sum that symmetry makes zero.
void turn_slips(const IslandView& view, const HeldMotion& motion, const IslandMotion& own,
                std::span<const char> left_out, VectorXd& none, SlidingBuffers& out) {
  const ContactProblem& problem = view.part.problem;
  out.turns.clear();
  out.across.reset(view.part.island.m);
  out.settling.reset(view.part.island.m);
  out.power.setZero(view.part.island.m);
  none.setZero(view.part.row_count());
  for (int i = 0; i < problem.n; ++i) {
    const std::size_t index = view.index(i);
    if (view.law(i).slide.kind != SlideMode::Kind::moving) continue;
    if (!left_out.empty() && left_out[index]) continue;
    const Contact& contact = view.contact(i);
    const Vector3d across = contact.n_W.cross(slip_direction(view.here, view.set, index));
    const double speed = slip_velocity(view.model(), view.kin(), contact).norm();
    const double weight = std::sqrt(friction_coefficient(view.set, index) *
                                    std::max(0.0, motion.force[index]) / speed);
    out.turns.push_back({index, speed, weight});
    Eigen::Ref<VectorXd> g = out.across.append();
    g = weight * across.dot(contact.s_W) * problem.tangents.col(2 * i);
    g += weight * across.dot(contact.t_W) * problem.tangents.col(2 * i + 1);
    out.power += (1.0 + i) * g;
    // What turns changes the forces that hold the rows: much, where they barely push.
    out.image = g;
    own.sliding.solve(view.part.rows, own.columns.C.matrix(), none, out.image, out.turning);
    out.settling.append() = out.image;
  }
}

// |λ|max of Σ settling acrossᵀ by power iteration.
double settling_rate(SlidingBuffers& buffers) {
  double value = 0.0;
  for (int iteration = 0; iteration < kStiffnessIterations && buffers.power.squaredNorm() > 0.0;
       ++iteration) {
    buffers.power.normalize();
    buffers.image.setZero(buffers.power.size());
    for (Eigen::Index j = 0; j < buffers.across.columns(); ++j)
      buffers.image += buffers.across.col(j).dot(buffers.power) * buffers.settling.col(j);
    value = buffers.image.norm();
    buffers.power.swap(buffers.image);
  }
  return value;
}

}  // namespace

void judge_friction(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                    FrictionForces& out, HeldWorkspace& workspace) {
  const HeldSet& set = held.set();
  out.normal.assign(set.touching.size(), 0.0);
  out.tangential.assign(set.touching.size(), Vector3d::Zero());
  out.margin.assign(set.touching.size(), kInfinity);
  out.joint.assign(set.joints.size(), 0.0);
  out.missing = 0.0;
  ConeBuffers& buffers = workspace.cones;
  buffers.columns.resize(std::max(buffers.columns.size(), held.islands().size()));
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    const IslandView view{here, set, held.islands()[k]};
    const IslandMotion& island = motion.islands[k];
    if (view.part.in_limbs) {
      read_multipliers(view, island.multipliers, out);
      read_margins(view, island, true, out, workspace.rows.y);
      continue;
    }
    const bool slides = slides_in(set, view.part.island);
    if (!slides) place_columns(view, Weightless::left_out, buffers.columns[k]);
    const ForceColumns& columns = slides ? island.columns : buffers.columns[k];
    buffers.asked = island.y - island.y_free;
    const bool known = known_forces_do(view, columns, buffers.asked, buffers.force, buffers.left);
    const bool unique = !known && find_force(columns, buffers.asked, buffers.force, buffers);
    read_cones(view, columns, buffers.force.f, out);
    read_margins(view, island, unique, out, workspace.rows.y);
    if (unique) continue;
    const double asked = buffers.asked.norm();
    out.missing =
        std::max(out.missing, view.part.share_left(buffers.force.residual * asked, asked));
  }
}

bool runs_away(const HeldFactor& held, const HeldMotion& motion, HeldWorkspace& workspace) {
  SlidingBuffers& buffers = workspace.sliding;
  const MatrixXd& response = buffers.response;
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    const HeldIsland& part = held.islands()[k];
    if (!slides_in(held.set(), part.island)) continue;
    respond_to_sliding(held.set(), part, motion.islands[k].columns, buffers);
    if (response.size() == 0) continue;
    const double noise =
        kRunsAway * part.problem.normals.matrix().colwise().squaredNorm().maxCoeff();
    buffers.symmetric = response + response.transpose();
    buffers.symmetric.diagonal().array() += noise;
    factorise(buffers.symmetric, buffers.pressed);
    if (buffers.pressed.info() == Eigen::Success) continue;  // no force does work on its own gap
    if ((general_eigenvalues(response).real().array() < -noise).any()) return true;
  }
  return false;
}

bool find_weightless(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                     std::vector<char>& weightless, HeldWorkspace& workspace) {
  const std::vector<HeldLaw>& laws = held.set().laws;
  ConeBuffers& buffers = workspace.cones;
  weightless.clear();
  for (const HeldLaw& law : laws) weightless.push_back(law.slide.weightless ? 1 : 0);
  buffers.columns.resize(std::max(buffers.columns.size(), held.islands().size()));
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    const IslandView view{here, held.set(), held.islands()[k]};
    if (!slides_in(view.set, view.part.island)) continue;
    const ForceColumns& columns = buffers.columns[k];
    place_columns(view, Weightless::included, buffers.columns[k]);
    measure_columns(view.part.rows, columns, columns.unit, buffers);
    buffers.problem.a = motion.islands[k].asked;
    solve_cone_force(buffers.problem, buffers.solver, buffers.force);
    const double* f = buffers.force.f.data();
    for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size())
      if (const int i = columns.contact[b]; i >= 0)
        weightless[view.index(i)] = view.slides(i) && f[0] == 0.0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < laws.size(); ++i)
    if (laws[i].slide.weightless != (weightless[i] != 0)) return true;
  return false;
}

void find_settling(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                   std::vector<double>& settling, HeldWorkspace& workspace) {
  RowBuffers& rows = workspace.rows;
  SlidingBuffers& buffers = workspace.sliding;
  settling.assign(held.set().touching.size(), 0.0);
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    turn_slips({here, held.set(), held.islands()[k]}, motion, motion.islands[k], {}, rows.e,
               buffers);
    const std::vector<SlidingBuffers::Turn>& turns = buffers.turns;
    for (std::size_t i = 0; i < turns.size(); ++i)
      for (std::size_t j = 0; turns[i].weight > 0.0 && j < turns.size(); ++j)
        settling[turns[i].contact] +=
            turns[j].speed * turns[j].weight / turns[i].weight *
            std::abs(buffers.across.col(static_cast<Eigen::Index>(i))
                         .dot(buffers.settling.col(static_cast<Eigen::Index>(j))));
  }
}

double slip_stiffness(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                      std::span<const char> left_out, HeldWorkspace& workspace) {
  RowBuffers& rows = workspace.rows;
  double stiffness = 0.0;
  for (std::size_t k = 0; k < held.islands().size(); ++k) {
    turn_slips({here, held.set(), held.islands()[k]}, motion, motion.islands[k], left_out, rows.e,
               workspace.sliding);
    stiffness = std::max(stiffness, settling_rate(workspace.sliding));
  }
  return stiffness;
}

}  // namespace pequod
