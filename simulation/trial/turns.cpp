#include "simulation/trial/turns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/loop_rows.h"
#include "events/facet_part.h"
#include "simulation/contact_motion.h"
#include "simulation/held/held_factor.h"
#include "simulation/held/tolerances.h"
#include "simulation/slide_mode.h"
#include "simulation/tolerances.h"
#include "simulation/trial/free_momentum.h"
#include "simulation/trial/limits.h"
#include "simulation/trial/tolerances.h"
#include "simulation/world.h"

namespace pequod {
namespace {

// By how much normals may lean from each other on an edge or corner of the ground, or beyond the
// sides of a facet; infinite of all else.
double sharpness(const Feature& feature) {
  if (has_border(feature.kind)) return std::ranges::max(feature.side_lean);
  return feature.lean_high - std::min(feature.lean_low, 0.0);
}

Pose place(const StepStart& start, int shape) {
  return place_shape(start.terms.model(), start.terms.kinematics(), shape);
}

// rad: by how much a normal turns in a step of the scene, with its bodies and as far as what is
// round rolls over an edge.
double turn_in_step(const World& world, const Kinematics& kin, const ContactPoint& point) {
  const Model& model = world.model();
  const BodyMotion A = shape_motion(model, kin, point.key.shape_a),
                   B = shape_motion(model, kin, point.key.shape_b);
  const double radius = point.feature.A.rounding + point.feature.B.rounding;
  double rate = (B.w - A.w).norm();
  if (radius > 0.0) {
    const Vector3d slip = velocity_at(B, point.p_W) - velocity_at(A, point.p_W);
    rate += slip.norm() / radius;
  }
  return rate * world.scenario->integrator.step;
}

// Whether a feature of the ground is so blunt an edge or corner, or so near to one, that within a
// step or two the facet beyond carries.
bool is_blunt(const World& world, const StepStart& start, const ContactPoint& point) {
  const Feature &A = point.feature.A, &B = point.feature.B;
  const double lean_a = sharpness(A), lean_b = sharpness(B);
  if (!std::isfinite(std::min(lean_a, lean_b))) return false;
  const double sharp =
      std::max(kStepsOfEdge * turn_in_step(world, start.terms.kinematics(), point), kFlatEdge);
  const bool blunt_a = lean_a < sharp, blunt_b = lean_b < sharp;
  if (!blunt_a && !blunt_b) return false;
  if ((blunt_a && !has_border(A.kind)) || (blunt_b && !has_border(B.kind))) return true;
  const Pose X_WA = place(start, point.key.shape_a), X_WB = place(start, point.key.shape_b);
  return touched_part(point, X_WA, X_WB).corners < 3;
}

// The point of a line under the surface point x, the normal pointing away from the line.
Feature point_of_line(const Feature& line, const Vector3d& x, const Vector3d& n) {
  const double along = n.dot(line.a);
  const double s = ((x - line.p).dot(line.a) - line.rounding * along) / (1.0 - line.taper * along);
  Feature point;
  point.p = line.p + s * line.a;
  point.rounding = line.rounding - line.taper * s;
  return point;
}

// What the body does over the ground's plane at the contact, where that is blunt: over the edge or
// corner itself its normal would turn as on a sharp one, but for a moment only. A face of the body
// keeps to the corner below it.
ContactPoint over_plane(const StepStart& start, const ContactPoint& point) {
  ContactPoint over = point;
  const bool ground_is_a = sharpness(point.feature.A) < sharpness(point.feature.B);
  Feature& ground = ground_is_a ? over.feature.A : over.feature.B;
  Feature& body = ground_is_a ? over.feature.B : over.feature.A;
  if (body.kind >= FeatureKind::face) return over;
  const Pose X_WG = place(start, ground_is_a ? point.key.shape_a : point.key.shape_b),
             X_WB = place(start, ground_is_a ? point.key.shape_b : point.key.shape_a);
  const Vector3d up = ground_is_a ? point.n_W : Vector3d(-point.n_W);
  if (body.kind == FeatureKind::line)
    body = point_of_line(body, X_WB.inverse() * point.p_W, X_WB.R.transpose() * -up);
  ground = {};
  ground.kind = FeatureKind::face;
  ground.p = X_WG.inverse() * point.p_W;
  ground.a = X_WG.R.transpose() * up;
  return over;
}

bool is_rim(const ContactPoint& point) {
  return point.feature.A.kind == FeatureKind::circle || point.feature.B.kind == FeatureKind::circle;
}

// What does not touch yet may not close. The lowest point of a rim over the plane may run to where
// the facet is not.
Turns turns(const World& world, const StepStart& start, std::size_t contact) {
  if (is_joint_limit(start.touching.contacts[contact].key)) return Turns::none;
  const ContactPoint& point = start.touching.points[contact];
  const bool touches = start.apart[contact] <= world.tolerance.gap();
  if (!touches || may_leave_arc(world, start.terms.kinematics(), point)) return Turns::none;
  if (!is_blunt(world, start, point)) return Turns::with_contact;
  return is_rim(point) ? Turns::none : Turns::over_plane;
}

// Whether the turn of its tangents tells if the contact sticks in the step or slips, and where to.
// Were they to stay where they are unless it sticks already, each step that slips would be followed
// by one that sticks, with no force for the turn, and a disc would roll where it slides.
// @param rate  m/s², of the slip
bool tangents_matter(const World& world, const Kinematics& kin, const Contact& contact,
                     const Vector3d& rate) {
  const double turn = std::hypot(contact.s_W.dot(rate), contact.t_W.dot(rate));
  return slip_velocity(world.model(), kin, contact).norm() <=
         kTurningSlip * world.scenario->integrator.step * turn;
}

// Those of contact i, whose point is followed as given. @param mode  its own, or none
void append_turning(const World& world, const Kinematics& kin, int i, const Contact& contact,
                    const ContactPoint& point, const ContactMode* mode, TurnBuffers& buffers) {
  const Vector3d rate = mode ? slip_bias(world.model(), kin, point) : Vector3d::Zero();
  const bool sticks = mode && mode->sticking;
  const double normal = sticks ? contact.n_W.dot(rate) : gap_bias(world.model(), kin, point);
  buffers.rows.push_back({i, -1, normal});
  if (!mode || !(sticks || tangents_matter(world, kin, contact, rate))) return;
  buffers.tangents.push_back({i, 2 * i, contact.s_W.dot(rate)});
  buffers.tangents.push_back({i, 2 * i + 1, contact.t_W.dot(rate)});
}

// The rows of an island that turn and how fast: normals of what touches, those that the mode holds
// first, before others that all but repeat them, and then tangents that stick or may, once a patch.
// Joint limits are among them, as rows that do not turn: what others turn may not open or close
// them.
void list_turning(const World& world, const StepStart& start, const Island& island,
                  const ContactProblem& problem, TurnBuffers& buffers) {
  const Kinematics& kin = start.terms.kinematics();
  buffers.rows.clear();
  buffers.tangents.clear();
  for (const bool closed : {true, false}) {
    for (int i = 0; i < problem.n; ++i) {
      const std::size_t index = contact_index(island, i);
      const Contact& contact = start.touching.contacts[index];
      const ContactMode* mode = start.mode(index);
      if (closed != (mode && mode->closed)) continue;
      if (is_joint_limit(contact.key)) {
        buffers.rows.push_back({i, -1, 0.0});
        continue;
      }
      const Turns turns = start.impulses.turns[index];
      if (turns == Turns::none) continue;
      const ContactPoint& point = start.touching.points[index];
      const bool leads = closed && nth(problem.patch, i) == i;
      const ContactMode* of_tangents = leads ? mode : nullptr;
      if (turns == Turns::over_plane)
        append_turning(world, kin, i, contact, over_plane(start, point), of_tangents, buffers);
      else
        append_turning(world, kin, i, contact, point, of_tangents, buffers);
    }
  }
  buffers.rows.insert(buffers.rows.end(), buffers.tangents.begin(), buffers.tangents.end());
}

// ẏ along the rows of the island's loops, which turn too; what that gives the rows of contacts and
// joints is taken from what these ask for. @return whether they turn
bool turn_loops(const Evaluator& here, const Island& island, const ContactProblem& problem,
                TurnBuffers& buffers, VectorXd& turn) {
  buffers.rest.setZero(static_cast<Eigen::Index>(problem.slide.size()));
  if (island.loops.empty()) return false;
  loop_rates(here.model(), here.kinematics(), island, buffers.e);  // −J̇ v
  if (buffers.e.lpNorm<Eigen::Infinity>() <= kStillTurn) return false;
  buffers.e *= -1.0;
  buffers.given.setZero(problem.n);
  hold_loops(buffers.e, problem, turn, buffers.given, buffers.rest);
  for (TurningRow& row : buffers.rows)
    row.turn +=
        row.tangent < 0 ? buffers.given[row.i] : -tangent_in_loops(problem, turn, row.tangent);
  return true;
}

// The least ẏ along which the rows go as fast as they turn, and joints with friction stay as fast
// as they are. @param turn  in: of the loops
void solve_turning(const ContactProblem& problem, TurnBuffers& buffers, VectorXd& turn) {
  auto& [rows, tangents, basis, e, f, y, v, given, rest] = buffers;
  e.resize(static_cast<Eigen::Index>(rows.size()));
  Eigen::Index count = 0;
  for (const TurningRow& row : rows) e[count++] = row.turn;
  // All rows, in the order of a basis: the problem may have it already.
  if (problem.has_basis && problem.slide.empty() && e.size() == problem.basis_rows())
    return problem.solve_by_basis(e, turn, f);
  basis.reset(problem.m, kRepeatingRow);
  for (const TurningRow& row : rows)
    add_impulse_row(
        row.tangent < 0 ? problem.normals.col(row.i) : problem.tangents.col(row.tangent), basis);
  for (std::size_t j = 0; j < problem.slide.size(); ++j)
    basis.add(problem.joints.col(static_cast<Eigen::Index>(j)));
  e.conservativeResize(static_cast<Eigen::Index>(basis.accepted().size()));
  e.tail(e.size() - count) = rest;
  basis.solve(e, turn, f);
}

// The island's part of v, without its mean velocity.
void take_off_drift(const Model& model, const StepStart& start, const Island& island, VectorXd& v) {
  v.resize(model.nv);
  for (const int t : island.trees) {
    const Tree& tree = nth(model.trees, t);
    v.segment(tree.first_v, tree.nv) = start.state.v.segment(tree.first_v, tree.nv);
  }
  const Vector3d drift = mass_centre(model, start.terms.kinematics(), island).velocity;
  for (const int t : island.trees)  // of a free base, v is first in its coordinates, behind ω
    v.segment<3>(nth(model.trees, t).first_v + 3) -= drift;
}

// y of the start. One that nothing fixed holds turns as fast for whoever passes by.
const VectorXd& moving_y(const Model& model, const StepStart& start, std::size_t k,
                         TurnBuffers& buffers) {
  const Island& island = start.impulses.islands[k];
  if (!is_free(model, start, island)) return start.impulses.y[k];
  take_off_drift(model, start, island, buffers.v);
  gather_metric(model, start.terms.factor(), island, buffers.v, buffers.y);
  return buffers.y;
}

// s, see ImpulseProblems::turn_time, of island k.
double turn_time(const Model& model, const StepStart& start, std::size_t k, TurnBuffers& buffers) {
  const Island& island = start.impulses.islands[k];
  const VectorXd &y = moving_y(model, start, k, buffers), &turn = start.impulses.turn[k];
  double time = kInfinity;
  std::array<int, 2> trees{-1, -1};
  for (const TurningRow& row : buffers.rows) {
    if (std::abs(row.turn) <= kStillTurn) continue;
    const Contact& contact = start.touching.contacts[contact_index(island, row.i)];
    const std::array<int, 2> before = std::exchange(
        trees, std::array{tree_of(model, contact.link_a), tree_of(model, contact.link_b)});
    if (trees == before) continue;     // as that of the row before
    double moves = 0.0, turned = 0.0;  // J, J/s²
    for (const int tree : trees) {
      if (tree < 0) continue;
      const auto t = static_cast<std::size_t>(tree);
      const int first = start.impulses.tree_offset[t], count = model.trees[t].nv;
      moves += y.segment(first, count).squaredNorm();
      turned += turn.segment(first, count).squaredNorm();
    }
    time = std::min(time, kMostTurned * std::sqrt(moves / turned));
  }
  return time;
}

// Whether no row of the island turns by as much as counts, told without finding it.
bool surely_stand(const World& world, const StepStart& start, const Island& island) {
  const Model& model = world.model();
  const auto& points = start.touching.points;
  return island.loops.empty() && std::ranges::all_of(island.contacts, [&](int i) {
           const auto contact = static_cast<std::size_t>(i);
           const Turns turns = start.impulses.turns[contact];
           if (turns == Turns::none) return true;
           if (contact < points.size() && keeps_rows(model, points[contact])) return true;
           return turns == Turns::with_contact &&
                  bias_bound(model, start.terms.kinematics(), points[contact]) <= kStillTurn;
         });
}

// Those of island k. @param still  nothing moves in the whole world
void find_turns_of(const World& world, std::size_t k, bool still, StepStart& start,
                   TurnBuffers& buffers) {
  const Model& model = world.model();
  ImpulseProblems& impulses = start.impulses;
  const Island& island = impulses.islands[k];
  const ContactProblem& problem = impulses.problems[k];
  VectorXd& turn = impulses.turn[k];
  turn.setZero(island.m);
  impulses.turn_times[k] = kInfinity;
  if (problem.n >= kManyHeld || (island.contacts.empty() && island.joints.empty())) return;
  for (const int i : island.contacts) {
    const auto contact = static_cast<std::size_t>(i);
    impulses.turns[contact] = turns(world, start, contact);
  }
  if (still || surely_stand(world, start, island)) return;
  list_turning(world, start, island, problem, buffers);
  const auto turning = [](const TurningRow& row) { return std::abs(row.turn) > kStillTurn; };
  if (!turn_loops(start.terms, island, problem, buffers, turn) &&
      std::ranges::none_of(buffers.rows, turning))
    return;
  solve_turning(problem, buffers, turn);
  impulses.turn_times[k] = turn_time(model, start, k, buffers);
}

}  // namespace

void find_turns(const World& world, bool stands, StepStart& start,
                std::vector<TurnBuffers>& buffers) {
  ImpulseProblems& impulses = start.impulses;
  const bool still = start.state.v.lpNorm<Eigen::Infinity>() <= kStillSpeed;
  if (stands && still) return;
  const std::size_t islands = impulses.islands.size();
  impulses.turn.resize(std::max(impulses.turn.size(), islands));
  impulses.turn_times.resize(islands);
  impulses.turns.assign(start.touching.size(), Turns::none);
  for_each_index(world.team(), islands, kIslandsOfPart, [&](std::size_t k, std::size_t thread) {
    find_turns_of(world, k, still, start, buffers[thread]);
  });
  impulses.turn_time = kInfinity;
  for (const double time : impulses.turn_times)
    impulses.turn_time = std::min(impulses.turn_time, time);
}

}  // namespace pequod
