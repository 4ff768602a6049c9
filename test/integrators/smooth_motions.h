// Smooth motions with known answers, and the ways to step them.
#pragma once

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>

#include "core/articulated.h"
#include "core/dynamics.h"
#include "core/state.h"
#include "integrators/integrator.h"

namespace pequod::test {

inline VectorXd free_acceleration(const Model& model, const VectorXd& q, const VectorXd& v) {
  Kinematics kin;
  compute_kinematics(model, q, v, kin);
  ArticulatedBody body;
  compute_articulated(model, kin, body);
  VectorXd vdot;
  forward_dynamics(model, kin, body, VectorXd::Zero(model.nv), vdot);
  return vdot;
}

/// x = [q; v], ẋ = [q̇; −M⁻¹h].
inline Rhs free_motion(const Model& model) {
  return [&model](const VectorXd& x, VectorXd& dxdt, double) {
    const VectorXd q = x.head(model.nq), v = x.tail(model.nv);
    dxdt.resize(x.size());
    position_rate(model, q, v, dxdt.head(model.nq));
    dxdt.tail(model.nv) = free_acceleration(model, q, v);
  };
}

inline VectorXd stacked(const State& state) {
  VectorXd x(state.q.size() + state.v.size());
  x << state.q, state.v;
  return x;
}

/// x(T) by n equal Runge–Kutta steps; quaternions are brought to unit length after each.
inline VectorXd run_runge_kutta(const Model& model, RungeKutta::Method method, VectorXd x, double T,
                                int n) {
  RungeKutta stepper(method);
  const Rhs f = free_motion(model);
  VectorXd next;
  for (int i = 0; i < n; ++i) {
    stepper.step(f, x, i * T / n, T / n, next);
    x = next;
    normalise_quaternions(model, x.head(model.nq));
  }
  return x;
}

/// x(T) by n steps of v += h v̇, then q ⊕= h v.
inline VectorXd run_symplectic_euler(const Model& model, const VectorXd& x, double T, int n) {
  VectorXd q = x.head(model.nq), v = x.tail(model.nv);
  const double h = T / n;
  for (int i = 0; i < n; ++i) {
    v += h * free_acceleration(model, q, v);
    integrate_position(model, q, h * v, q);
  }
  VectorXd out(x.size());
  out << q, v;
  return out;
}

/// A free asymmetric body without gravity, its frame at the centre of mass.
struct FreeBody {
  Model model;
  Vector3d I;  ///< kg m², principal
};

inline FreeBody asymmetric_body() {
  FreeBody body;
  body.I = {0.3, 0.2, 0.1};
  ModelBuilder builder(Vector3d::Zero());
  builder.add_free_body("brick", {2.0, Vector3d::Zero(), body.I.asDiagonal()}, {});
  body.model = builder.build();
  return body;
}

/// Euler's top, I₁ > I₂ > I₃ and L² > 2 T I₂ (Landau & Lifshitz, Mechanics, sec. 37): body rates
/// after t from ω(0) = (a, 0, c): ω₁ = a dn τ, ω₂ = ± s sn τ, ω₃ = c cn τ.
inline Vector3d euler_top(const Vector3d& I, double a, double c, double t) {
  // I₁ω̇₁ = (I₂ − I₃) ω₂ω₃ and so on give k² and the rate of τ.
  const double p = a * std::sqrt((I[0] - I[1]) * (I[0] - I[2]) / (I[1] * I[2]));
  const double s = c * std::sqrt(I[2] * (I[0] - I[2]) / (I[1] * (I[0] - I[1])));
  const double k = c / a * std::sqrt(I[2] * (I[1] - I[2]) / (I[0] * (I[0] - I[1])));
  double cn = 0.0, dn = 0.0;
  const double sn = boost::math::jacobi_elliptic(k, p * t, &cn, &dn);
  return {a * dn, -s * sn, c * cn};
}

/// A bar of mass m on a hinge, its centre of mass l below; the hinge turns about y.
struct Pendulum {
  Model model;
  double rate = 0.0;  ///< rad/s, √(m g l / I) of small swings
};

inline Pendulum pendulum() {
  const double m = 1.3, l = 0.4, I = 0.05, g = 9.81;
  Robot robot;
  robot.links.resize(2);
  robot.links[0].name = "wall";
  robot.links[1].name = "bar";
  robot.links[1].mass = m;
  robot.links[1].com = {0.0, 0.0, -l};
  robot.links[1].inertia = I * Matrix3d::Identity();
  robot.joints.resize(1);
  robot.joints[0].name = "hinge";
  robot.joints[0].type = RobotJointType::continuous;
  robot.joints[0].parent = "wall";
  robot.joints[0].child = "bar";
  robot.joints[0].axis = Vector3d::UnitY();
  ModelBuilder builder({0.0, 0.0, -g});
  builder.add_robot("pendulum", robot, true, Pose{}, false);
  return {builder.build(), std::sqrt(m * g * l / (I + m * l * l))};
}

/// T = 4 K(sin(θ₀/2)) / ω₀.
inline double period(const Pendulum& pendulum, double amplitude) {
  return 4.0 * boost::math::ellint_1(std::sin(amplitude / 2.0)) / pendulum.rate;
}

}  // namespace pequod::test
