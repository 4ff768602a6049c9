#include "simulation/controllers/links_trot.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "simulation/controllers/foot_spline.h"
#include "simulation/controllers/leg_geometry.h"
#include "simulation/controllers/memory.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

constexpr double kGravity = 9.8;         // m/s², of the feedback placement as published
constexpr double kReached = 1e-3;        // m: inverse kinematics stops here
constexpr double kPitchDeadband = 0.01;  // rad
constexpr double kPitchStep = 0.05;      // m/s

struct LinksTrotPlan {
  LinksTrotOptions options;
  int base = -1;  // link
  std::array<Leg, kLegs> legs;
};

struct LinksTrotMemory {
  struct Foot {
    std::array<double, 3> home{};  // m, at the first tick
    double start = 0.0, duration = 0.0, points = 0.0;
    std::array<double, 12> point{};    // m
    std::array<double, 3> integral{};  // m, sum over ticks
  };
  std::array<Foot, kLegs> feet;
};

FootSpline load_spline(const LinksTrotMemory::Foot& foot) {
  FootSpline spline{foot.start, foot.duration, static_cast<int>(foot.points), {}};
  for (std::size_t i = 0; i < 4; ++i)
    spline.point[i] = Eigen::Map<const Vector3d>(foot.point.data() + 3 * i);
  return spline;
}

void store_spline(const FootSpline& spline, LinksTrotMemory::Foot& foot) {
  foot.start = spline.start;
  foot.duration = spline.duration;
  foot.points = spline.points;
  for (int i = 0; i < spline.points; ++i)
    Eigen::Map<Vector3d>(foot.point.data() + 3 * i) = nth(spline.point, i);
}

double fraction(double x) { return x - std::floor(x); }

// Velocity of the base, base frame, m/s; pitch in rad.
struct BaseMotion {
  Vector3d velocity;
  double pitch = 0.0;
};

BaseMotion base_motion(const LinksTrotPlan& plan, const ControlInput& input) {
  const LinkKinematics& base = nth(input.kinematics.links, plan.base);
  return {base.X_WL.R.transpose() * base.v_O, std::asin(std::clamp(-base.X_WL.R(2, 0), -1.0, 1.0))};
}

// Commanded velocity of a foot's place on the base, base frame, xy only.
Vector3d commanded(const LinksTrotPlan& plan, const Vector3d& home, double pitch) {
  Vector3d v = plan.options.velocity;
  if (plan.options.pitch_compensation)
    v.x() += pitch > kPitchDeadband ? kPitchStep : pitch < kPitchDeadband ? -kPitchStep : 0.0;
  const double turn = plan.options.velocity.z();
  return {v.x() - turn * home.y(), v.y() + turn * home.x(), 0.0};
}

FootSpline plan_swing(const LinksTrotPlan& plan, const Vector3d& from, const Vector3d& home,
                      const Vector3d& velocity, const Vector3d& base_velocity, double tau) {
  const LinksTrotOptions& o = plan.options;
  Vector3d feedback =
      o.placement_gain * std::sqrt(o.virtual_height / kGravity) * (velocity - base_velocity);
  feedback.z() = 0.0;
  // A base faster than commanded puts the foot further ahead.
  const Vector3d step = velocity * (0.5 * tau / (1.0 - o.duty)) - feedback;
  const Vector3d up = o.step_height * Vector3d::UnitZ();
  return {0.0, tau, 4, {from, from + up, home + step + up, home + step}};
}

FootSpline plan_stance(const LinksTrotPlan& plan, const Vector3d& from, const Vector3d& velocity,
                       double tau) {
  const Vector3d to = from - velocity * (0.5 * tau / plan.options.duty);
  // An arc about the base's origin.
  const Vector3d chord = 0.5 * (from + to);
  const Vector3d middle = chord * (0.5 * (from.norm() + to.norm()) / chord.norm());
  const int points = middle == to ? 2 : 3;
  return {0.0, tau, points, {from, middle, to, to}};
}

// The spline of a foot at t; a new one where the last has run out.
FootSpline current_spline(const LinksTrotPlan& plan, std::size_t i, double t,
                          const BaseMotion& base, LinksTrotMemory::Foot& foot) {
  const LinksTrotOptions& o = plan.options;
  // Ticks are multiples of the period up to rounding: what ends at a tick has ended there.
  const double now = t + std::max(1e-6 * o.period, time_rounding(t));
  FootSpline spline = load_spline(foot);
  if (spline.points > 0 && now < spline.start + spline.duration) return spline;
  const Vector3d home = Eigen::Map<const Vector3d>(foot.home.data());
  const Vector3d from = spline.points > 0 ? nth(spline.point, spline.points - 1) : home;
  const double phase = fraction(now / o.gait_period);
  const bool stance = fraction(phase - o.touchdown[i]) < o.duty;
  const double change = stance ? o.touchdown[i] + o.duty : o.touchdown[i];
  const double tau = fraction(change - phase) * o.gait_period;
  const Vector3d velocity = commanded(plan, home, base.pitch);
  spline = stance ? plan_stance(plan, from, velocity, tau)
                  : plan_swing(plan, from, home, velocity, base.velocity, tau);
  spline.start = t;
  store_spline(spline, foot);
  return spline;
}

Vector3d leg_part(const VectorXd& x, const std::array<int, 3>& index) {
  return {x[index[0]], x[index[1]], x[index[2]]};
}

// Newton steps from the measured angles, each halved while that brings the foot nearer, until the
// foot is there or would move away.
Vector3d inverse_kinematics(const Model& model, const Leg& leg, const Vector3d& target,
                            Vector3d angles) {
  LegPose pose = leg_pose(model, leg, angles);
  double error = (target - pose.foot).norm();
  while (error > kReached) {
    Vector3d step = pose.jacobian.partialPivLu().solve(target - pose.foot);
    if (!step.allFinite()) break;  // a stretched leg
    LegPose next = leg_pose(model, leg, angles + step);
    for (;;) {
      const LegPose half = leg_pose(model, leg, angles + 0.5 * step);
      if (!((target - half.foot).norm() < (target - next.foot).norm())) break;
      step *= 0.5;
      next = half;
    }
    const double reached = (target - next.foot).norm();
    if (!(reached < error)) break;
    angles += step;
    pose = next;
    error = reached;
  }
  return angles;
}

Vector3d leg_effort(const LinksTrotPlan& plan, const ControlInput& input, const Leg& leg,
                    const FootMotion& wanted, LinksTrotMemory::Foot& foot) {
  const LinksTrotOptions& o = plan.options;
  const Vector3d q = leg_part(input.state.q, leg.q), qdot = leg_part(input.state.v, leg.v);
  const LegPose pose = leg_pose(input.model, leg, q);
  const Matrix3d& J = pose.jacobian;
  const Vector3d angles = inverse_kinematics(input.model, leg, wanted.p, q);
  Vector3d rates = J.partialPivLu().solve(wanted.v);
  if (!rates.allFinite()) rates.setZero();
  // The joint integral of the original starts anew at each call: it adds to the stiffness.
  const Vector3d joint = (o.joint_kp + o.joint_ki) * (angles - q) + o.joint_kd * (rates - qdot);

  const Vector3d error = wanted.p - pose.foot;
  Eigen::Map<Vector3d> integral(foot.integral.data());
  integral += error;
  const double ki = o.foot_ki * o.period / 0.001;  // given per tick of 1 ms
  const Vector3d force = o.foot_kp * (error + ki * integral) + o.foot_kd * (wanted.v - J * qdot);
  return joint + J.transpose() * force;
}

}  // namespace

Controller make_links_trot(const Model& model, int entity, const LinksTrotOptions& options) {
  const Entity& robot = nth(model.entities, entity);
  const LinksTrotPlan plan{options, robot.base_link, find_legs(model, entity)};
  Controller controller;
  controller.name = robot.name + ".links-trot";
  controller.entity = entity;
  controller.period = options.period;
  controller.memory_size = memory_size_of<LinksTrotMemory>();
  controller.shares_nothing = true;
  controller.initialise = [plan](const ControlInput& input, std::span<double> memory) {
    LinksTrotMemory first;
    for (std::size_t i = 0; i < kLegs; ++i) {
      const LegPose pose =
          leg_pose(input.model, plan.legs[i], leg_part(input.state.q, plan.legs[i].q));
      Eigen::Map<Vector3d>(first.feet[i].home.data()) = pose.foot;
    }
    store_memory(first, memory);
  };
  controller.update = [plan](const ControlInput& input, std::span<double> kept, VectorXd& tau) {
    LinksTrotMemory memory = load_memory<LinksTrotMemory>(kept);
    const BaseMotion base = base_motion(plan, input);
    for (std::size_t i = 0; i < kLegs; ++i) {
      const FootSpline spline = current_spline(plan, i, input.state.t, base, memory.feet[i]);
      const FootMotion wanted = evaluate(spline, input.state.t);
      const Vector3d effort = leg_effort(plan, input, plan.legs[i], wanted, memory.feet[i]);
      for (std::size_t k = 0; k < 3; ++k)
        tau[plan.legs[i].v[k]] = effort[static_cast<Eigen::Index>(k)];
    }
    store_memory(memory, kept);
  };
  return controller;
}

}  // namespace pequod
