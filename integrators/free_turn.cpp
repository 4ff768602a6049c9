#include "integrators/free_turn.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

namespace pequod {
namespace {

// rad: within a turn as long as this Newton's method finds the midpoint from the angular velocity
// at its start (of 50 000 bodies with any moments of inertia, all up to 2 rad).
constexpr double kLongestTurn = 1.0;
// Parts that a longer turn is split into: beyond 1000 rad a step no motion is resolved anyway.
constexpr double kMostParts = 1000.0;
// Newton's method doubles the digits: two or three rounds are usual.
constexpr int kRounds = 12;

// w with I w − I w₀ = ½ τ I w × w: the angular velocity in the middle, body axes.
Vector3d middle_velocity(const Matrix3d& I, const Vector3d& w0, double tau) {
  const Vector3d m0 = I * w0;
  Vector3d w = w0;
  for (int round = 0; round < kRounds; ++round) {
    const Vector3d m = I * w;
    const Vector3d off = m - m0 - 0.5 * tau * m.cross(w);
    const Matrix3d slope = I - 0.5 * tau * (skew(m) - skew(w) * I);
    const Vector3d step = slope.partialPivLu().solve(off);
    w -= step;
    if (!(step.norm() > std::numeric_limits<double>::epsilon() * w.norm())) break;
  }
  return w;
}

Vector3d short_turn(const Matrix3d& I, const Vector3d& w0, double tau) {
  const Vector3d w = middle_velocity(I, w0, tau);
  const double half = 0.5 * tau * w.norm();  // tan of half the angle
  const double scale = half < 1e-4 ? 1.0 - half * half / 3.0 : std::atan(half) / half;
  return tau * scale * w;
}

// The rotation vector of R that is nearest to one: a turn may be longer than half a circle.
Vector3d rotation_near(const Quaterniond& R, const Vector3d& near) {
  const Eigen::AngleAxisd turn(R);
  const double more = turn.axis().dot(near) - turn.angle();
  return (turn.angle() + 2.0 * M_PI * std::round(more / (2.0 * M_PI))) * turn.axis();
}

}  // namespace

Vector3d free_turn(const Matrix3d& I, const Vector3d& w0, double tau) {
  const double angle = tau * w0.norm();
  if (!(angle > kLongestTurn)) return short_turn(I, w0, tau);
  const double parts = std::ceil(std::min(angle / kLongestTurn, kMostParts));
  const Eigen::PartialPivLU<Matrix3d> inertia(I);
  const Vector3d m0 = I * w0;
  Quaterniond R = Quaterniond::Identity();
  Vector3d sum = Vector3d::Zero();  // rad, axes of the start
  for (double part = 0.0; part < parts; ++part) {
    const Vector3d w = inertia.solve(R.conjugate() * m0);
    const Vector3d turn = short_turn(I, w, tau / parts);
    sum += R * turn;
    R = (R * quaternion_exp(turn)).normalized();
  }
  return rotation_near(R, sum);
}

}  // namespace pequod
