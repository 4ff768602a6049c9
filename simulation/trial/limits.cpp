#include "simulation/trial/limits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/contact_motion.h"
#include "simulation/held/project.h"
#include "simulation/rims.h"
#include "simulation/slide_mode.h"
#include "simulation/trial/smooth.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

// Whether the contact is of a rim, or a fixed point of one, over a face. `on_b` says whose it is.
bool is_rim_over_face(const ContactPoint& point, bool& on_b) {
  const auto is_face = [](FeatureKind kind) { return kind >= FeatureKind::face; };
  const Feature &A = point.feature.A, &B = point.feature.B;
  on_b = is_face(A.kind) && (B.kind == FeatureKind::circle || is_rim_point(point.key, true));
  return on_b ||
         (is_face(B.kind) && (A.kind == FeatureKind::circle || is_rim_point(point.key, false)));
}

// How a disc's axis turns as its face sees it, in world axes.
struct AxisTurn {
  Vector3d axis, rate, change;  // unit; 1/s; 1/s², without what ω × rate adds
};

// @param vdot  or none: as of shape_motion()
template <typename... Rate>
AxisTurn turn_of_axis(const Model& model, const Kinematics& kin, const ContactPoint& point,
                      bool on_b, const Rate&... vdot) {
  const int a = point.key.shape_a, b = point.key.shape_b;
  const BodyMotion D = shape_motion(model, kin, on_b ? b : a, vdot...),
                   F = shape_motion(model, kin, on_b ? a : b, vdot...);
  const Vector3d axis = D.X_WL.R.col(2);
  return {axis, (D.w - F.w).cross(axis), (D.alpha - F.alpha).cross(axis)};
}

// s, in which the rim point may turn about its disc.
// @param turn  at the start, with v̇
// @param most  rad, of a disc that is not nearly flat
double turn_limit(const AxisTurn& turn, const ContactPoint& point, bool on_b, double most) {
  const Vector3d &axis = turn.axis, &n = point.n_W;
  const double sine = axis.cross(n).norm();
  const double rate = turn.rate.norm(), change = turn.change.norm();
  // ω h + ½ ω̇ h² = angle
  const auto turning_time = [&](double angle) {
    const double h = 2.0 * angle / (rate + std::sqrt(rate * rate + 2.0 * change * angle));
    return std::max(kShortestTurn, h);
  };
  if (is_rim_point(point.key, on_b))
    return sine < kTipped && rate > kSpeedTolerance ? turning_time(kTipped) : kInfinity;
  const double cosine = std::abs(axis.dot(n));
  return sine >= kFlat ? turning_time(most * std::min(1.0, sine / cosine)) : kInfinity;
}

const Feature& rim_of(const ContactPoint& point, bool on_b) {
  return on_b ? point.feature.B : point.feature.A;
}

// 1/s, how the axis of a disc rocks on a face of normal n.
Vector3d rocking(const AxisTurn& turn, const Vector3d& n) {
  return turn.rate - n * n.dot(turn.rate);
}

// m/s, up to which a rim is slow.
double slow_rim(const World& world) {
  return kSlowRim * world.model().gravity.norm() * world.scenario->integrator.step;
}

// s, in which the rim's lowest point turns by kRimTurn about the disc, or the disc becomes flat; +∞
// if neither happens, or if its rim is no faster than `slow` (m/s). The part of the axis across the
// normal moves straight in a step.
double swing_time(const AxisTurn& turn, const ContactPoint& point, bool on_b, double slow) {
  const Vector3d &axis = turn.axis, &n = point.n_W;
  const Vector3d across = axis - n * n.dot(axis), change = rocking(turn, n);
  const double square = across.squaredNorm();
  const double radius = rim_of(point, on_b).radius;
  if (square < kFlat * kFlat || radius * change.norm() <= slow) return kInfinity;
  // |across × change| t = tan(kRimTurn) (across² + across·change t)
  const double tangent = std::tan(kRimTurn);
  const double swing = across.cross(change).norm() - tangent * across.dot(change);
  return swing > 0.0 ? std::max(kShortestTurn, tangent * square / swing) : kInfinity;
}

// How a contact that moves slips at the start, and how that changes.
struct Slip {
  double speed = 0.0;   // m/s
  double along = 0.0;   // m²/s³, of the slip with its rate
  double change = 0.0;  // m/s², of the rate
};

Slip slip_at(const StepTask& task, const Trial& trial, std::size_t i) {
  const Touching& touching = trial.held.set().touching;
  const Kinematics& kin = task.start.terms.kinematics();
  const Vector3d slip = slip_velocity(task.model(), kin, touching.contacts[i]);
  const Vector3d rate = slip_rate(task.model(), kin, trial.motion.free.vdot, touching.points[i]);
  const Vector3d& n = touching.contacts[i].n_W;
  return {slip.norm(), slip.dot(rate), (rate - n * n.dot(rate)).norm()};
}

// s, in which a rim's crossing of an edge nears the other one, as the step starts.
double merging_limit(const StepTask& task, const ContactPoint& point) {
  const Kinematics& kin = task.start.terms.kinematics();
  return merging_time(point, shape_motion(task.model(), kin, point.key.shape_a),
                      shape_motion(task.model(), kin, point.key.shape_b));
}

}  // namespace

Vector3d slip_velocity(const Model& model, const Kinematics& kin, const Contact& contact) {
  if (is_joint_limit(contact.key)) return Vector3d::Zero();
  const Vector3d v = relative_velocity(model, kin, contact);
  return v - contact.n_W * contact.n_W.dot(v);
}

void find_slip_limit(const StepTask& task, double h, Creep creep, Trial& trial, SlipLimit& limit) {
  const HeldSet& set = trial.held.set();
  limit.span = h;
  limit.leads = false;
  limit.directions.assign(set.touching.size(), Vector3d::Zero());
  if (!set.slides()) return;
  Evaluator& terms = task.start.terms;
  accelerate(task, terms, task.start.state.q, task.start.state.v, trial);
  HeldWorkspace& workspace = task.workspace.held;
  find_settling(terms, trial.held, trial.motion.held, limit.settling, workspace);
  double followed = 0.0, fastest = 0.0;  // 1/s, of those that do not creep, and that do
  limit.creeps.assign(set.touching.size(), 0);
  task.rates.settling.assign(set.touching.size(), 0.0);
  for (std::size_t i = 0; i < set.touching.size(); ++i) {
    const SlideKind kind = set.laws[i].slide.kind;
    if (kind == SlideKind::none) continue;
    limit.directions[i] = slip_direction(terms, set, i);
    if (kind != SlideKind::moving) continue;
    const Slip slip = slip_at(task, trial, i);
    if (slip.along <= 0.0) limit.span = std::min(limit.span, kSlowing * slip.speed / slip.change);
    const double settling = limit.settling[i], rate = settling / slip.speed;
    limit.creeps[i] = creep == Creep::aimed && slip.change < kCreeping * settling ? 1 : 0;
    if (limit.creeps[i]) {
      task.rates.settling[i] = settling;
      fastest = std::max(fastest, rate);
    } else {
      followed += rate;
    }
  }
  if (followed * limit.span > kFollowed)
    limit.span = std::min(limit.span, kStiff / slip_stiffness(terms, trial.held, trial.motion.held,
                                                              limit.creeps, workspace));
  limit.leads = fastest * limit.span > kStiff;
}

double running_limit(const StepTask& task, Trial& trial) {
  const State& start = task.start.state;
  double limit = kInfinity;
  bool accelerated = false;
  const Kinematics& kin = task.start.terms.kinematics();
  const SceneTolerances& tolerance = task.world.tolerance;
  const double step = task.world.scenario->integrator.step;
  const double reach = std::min(kRun * tolerance.length, kRunSpeed * tolerance.pace * step);
  const double turning = std::min(kFlattening, kRimTurnSpeed / tolerance.pace * step);
  for (const ContactPoint& point : trial.held.set().touching.points) {
    if (has_curve(point.feature)) {
      const double time = running_time(point, shape_motion(task.model(), kin, point.key.shape_a),
                                       shape_motion(task.model(), kin, point.key.shape_b), reach);
      limit = std::min(limit, std::max(kShortestTurn, time));
      continue;
    }
    bool on_b = false;
    if (!is_rim_over_face(point, on_b)) continue;
    if (!std::exchange(accelerated, true))
      accelerate(task, task.start.terms, start.q, start.v, trial);
    const AxisTurn turn = turn_of_axis(task.model(), kin, point, on_b, trial.motion.free.vdot);
    limit = std::min(limit, turn_limit(turn, point, on_b, turning));
  }
  return limit;
}

double turning_limit(const StepTask& task, const Trial& trial) {
  const Evaluator& here = task.start.terms;
  VectorXd& y = task.workspace.end.move;
  double limit = kInfinity;
  for (std::size_t k = 0; k < trial.held.islands().size(); ++k) {
    const double turning = std::abs(trial.motion.held.islands[k].turning);
    if (turning == 0.0) continue;
    const Island& island = trial.held.islands()[k].island;
    gather_metric(task.model(), here.factor(), island, task.start.state.v, y);
    const double moving =
        scale_of_energy(task.model(), island, task.world.tolerance, y.squaredNorm());
    limit = std::min(limit, std::sqrt(kMostProjected * moving / turning));
  }
  return limit;
}

double landing_limit(const StepTask& task, const VectorXd& v) {
  double limit = kInfinity;
  Kinematics& path = task.workspace.end.path;
  bool placed = false;
  const double slow = slow_rim(task.world);
  for (const ContactPoint& point : task.start.touching.points) {
    bool on_b = false;
    if (has_curve(point.feature)) limit = std::min(limit, merging_limit(task, point));
    if (!is_rim_over_face(point, on_b) || is_rim_point(point.key, on_b)) continue;
    if (!std::exchange(placed, true)) compute_kinematics(task.model(), task.start.state.q, v, path);
    const AxisTurn turn = turn_of_axis(task.model(), path, point, on_b);
    limit = std::min(limit, swing_time(turn, point, on_b, slow));
  }
  return limit;
}

bool may_leave_arc(const World& world, const Kinematics& kin, const ContactPoint& point) {
  bool on_b = false;
  if (!is_rim_over_face(point, on_b)) return false;
  const Feature& rim = rim_of(point, on_b);
  if (rim.arc_half >= M_PI) return false;
  const AxisTurn turn = turn_of_axis(world.model(), kin, point, on_b);
  return rim.radius * rocking(turn, point.n_W).norm() <= slow_rim(world);
}

double direction_margin(const World& world, const Trial& trial) {
  const HeldSet& set = trial.held.set();
  double fastest = 0.0;
  for (std::size_t i = 0; i < set.touching.size(); ++i)
    if (set.laws[i].slide.kind == SlideKind::starting)
      fastest = std::max(
          fastest,
          slip_velocity(world.model(), trial.terms.kinematics(), set.touching.contacts[i]).norm());
  return kRelease * world.tolerance.pace - fastest;
}

}  // namespace pequod
