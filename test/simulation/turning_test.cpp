// Bodies that spin on their contacts: impulses of a step know how the contacts turn over it.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/convex.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

const Vector3d kUp = Vector3d::UnitZ();
constexpr double kBall = 0.02, kWheel = 0.1, kHalfRim = 0.005;  // m: radii, and half of a rim

/// The vector from the centre of mass to the point that touches the plane z = 0, and its rate.
struct Arm {
  Vector3d c, rate;
};

/// A body with one contact. Motion of its centre of mass.
struct Spinner {
  std::string name, model;
  double mass, friction;
  Vector3d moments;  // kg m², body axes
  Vector3d centre;   // m, of mass, in the frame of the shape
  Geometry shape;
  Matrix3d R;        // at the start
  Vector3d w, slip;  // rad/s, m/s at the start
  std::function<Arm(const Matrix3d& R, const Vector3d& w)> arm;
  double duration;  // s
};

/// Newton and Euler with the one force that keeps the contact closed, and without slip or against
/// it; nothing of the simulator.
struct Reference {
  const Spinner& body;
  Matrix3d R;
  Vector3d p, v, w, force;

  // Rate of the velocity at the contact under the force F.
  [[nodiscard]] Vector3d contact_rate(const Vector3d& F, Vector3d& a, Vector3d& alpha) const {
    const Arm arm = body.arm(R, w);
    const Matrix3d I = R * body.moments.asDiagonal() * R.transpose();
    a = F / body.mass - g * kUp;
    alpha = I.inverse() * (arm.c.cross(F) - w.cross(I * w));
    return a + alpha.cross(arm.c) + w.cross(arm.rate);
  }
  void accelerate(Vector3d& a, Vector3d& alpha) {
    const Vector3d none = contact_rate(Vector3d::Zero(), a, alpha);
    Matrix3d A;
    for (int j = 0; j < 3; ++j) A.col(j) = contact_rate(Vector3d::Unit(j), a, alpha) - none;
    force = A.inverse() * -none;
    if (body.model == "coulomb") {
      Vector3d slip = v + w.cross(body.arm(R, w).c);
      slip.z() = 0.0;
      const Vector3d along = kUp - body.friction * slip.normalized();
      force = -none.z() / (A.row(2) * along) * along;
    }
    (void)contact_rate(force, a, alpha);
  }
  // The midpoint rule: of order two, with steps that are fine enough.
  void advance(double h) {
    const Reference start = *this;
    Vector3d a, alpha;
    accelerate(a, alpha);
    p += 0.5 * h * v;
    R = rotation_exp(0.5 * h * w) * R;
    v += 0.5 * h * a;
    w += 0.5 * h * alpha;
    const Vector3d v_mid = v, w_mid = w;
    accelerate(a, alpha);
    p = start.p + h * v_mid;
    R = rotation_exp(h * w_mid) * start.R;
    v = start.v + h * a;
    w = start.w + h * alpha;
  }
};

Reference start_of(const Spinner& body) {
  const Vector3d c = body.arm(body.R, body.w).c;
  const Vector3d p(0.0, 0.0, -c.z());
  return {body, body.R, p, body.slip - body.w.cross(c), body.w, Vector3d::Zero()};
}

// The reference at some instant.
struct Moment {
  double t;
  Reference truth;
  Vector3d force_rate;
};

std::vector<Moment> moments_of(const Spinner& body) {
  constexpr double kFine = 2e-6;  // s: 1e-7 off
  std::vector<Moment> moments;
  Reference truth = start_of(body);
  const int count = static_cast<int>(std::lround(body.duration / kFine));
  for (int i = 1; i <= count; ++i) {
    truth.advance(kFine);
    if (i != count / 2 && i != 3 * count / 4 && i != count) continue;
    Moment& now = moments.emplace_back(Moment{i * kFine, truth, Vector3d::Zero()});
    Vector3d a, alpha;
    now.truth.accelerate(a, alpha);
    now.force_rate = (now.truth.force - truth.force) / (0.5 * kFine);
  }
  return moments;
}

// How far the simulator is from the reference, m or rad, and N, summed over the moments.
struct Errors {
  double pose = 0.0, force = 0.0;
};

// A force is the mean over its step, that of its middle.
Errors error_at(const Spinner& body, double h, const Moment& moment, const State& state) {
  const VectorXd& q = state.q;
  const Matrix3d R = Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
  const Vector3d p = q.head<3>() + R * body.centre;
  Vector3d force = 0.5 * h * moment.force_rate - moment.truth.force;
  for (const ContactMode& mode : state.mode) force += mode.force_W;
  return {(p - moment.truth.p).norm() + (R - moment.truth.R).norm(), force.norm()};
}

Errors errors(const Spinner& body, const std::string& method, double h,
              const std::vector<Moment>& moments) {
  Bench bench(body.model, h);
  bench.scenario.integrator.method = method;
  bench.scenario.contact.level = "velocity";
  bench.scenario.duration = body.duration;
  bench.add({body.mass, body.centre, Matrix3d(body.moments.asDiagonal())}, body.shape);
  bench.build(body.friction);
  const Reference start = start_of(body);
  const Quaterniond Q(body.R);
  const Vector3d offset = body.R * body.centre, origin = start.p - offset;
  bench.scenario.initial.q << origin, Q.w(), Q.x(), Q.y(), Q.z();
  bench.scenario.initial.v << start.w, start.v - start.w.cross(offset);
  Simulation run = bench.start();
  Errors sum;
  int met = 0;
  while (run.step()) {
    for (const Moment& moment : moments) {
      if (std::abs(run.state().t - moment.t) > 1e-9) continue;
      const Errors now = error_at(body, h, moment, run.state());
      sum = {sum.pose + now.pose, sum.force + now.force};
      ++met;
    }
  }
  CHECK(met == static_cast<int>(moments.size()));
  CHECK(bench.count(EventKind::lift_off) == 0);
  CHECK(run.statistics().fallbacks == 0);
  return sum;
}

// A hull of four corners and a tip, on the tip.
Spinner top(const std::string& model, double friction) {
  const Vector3d tip(0, 0, -0.08);
  const Convex hull =
      make_convex({{0.03, 0, 0.02}, {-0.03, 0, 0.02}, {0, 0.03, 0.02}, {0, -0.03, 0.02}, tip});
  const Matrix3d R = rotation_exp(0.3 * Vector3d::UnitY());
  return {"top",
          model,
          0.2,
          friction,
          Vector3d(2e-4, 2e-4, 1.5e-4),
          Vector3d::Zero(),
          hull,
          R,
          200.0 * (R * kUp),
          model == "coulomb" ? Vector3d(0.4, 0.1, 0.0) : Vector3d::Zero(),
          [tip](const Matrix3d& pose, const Vector3d& w) {
            return Arm{pose * tip, w.cross(pose * tip)};
          },
          0.1};
}

// A ball whose centre of mass is below its middle, the tippe top's.
Spinner ball(const std::string& model, double friction, double spin) {
  const Vector3d centre(0, 0, -0.006);
  const Matrix3d R = rotation_exp(0.4 * Vector3d::UnitY());
  return {"ball",
          model,
          0.05,
          friction,
          Vector3d(8e-6, 8e-6, 7e-6),
          centre,
          Sphere{kBall},
          R,
          spin * kUp,
          model == "coulomb" ? Vector3d(0.3, 0.0, 0.0) : Vector3d::Zero(),
          [centre](const Matrix3d& pose, const Vector3d& w) {
            return Arm{-(pose * centre) - kBall * kUp, -w.cross(pose * centre)};
          },
          0.1};
}

// A wheel that rolls on the rim of one of its sides.
Spinner wheel(const std::string& model, double friction, double spin) {
  const Matrix3d R = rotation_exp(-1.2 * Vector3d::UnitX());
  return {"wheel",
          model,
          1.0,
          friction,
          Vector3d(0.0025, 0.0025, 0.005),
          Vector3d::Zero(),
          Cylinder{kWheel, 2.0 * kHalfRim},
          R,
          spin * R.col(2),
          model == "coulomb" ? Vector3d(0.5, 0.2, 0.0) : Vector3d::Zero(),
          [](const Matrix3d& pose, const Vector3d& w) {
            const Vector3d axis = pose.col(2), turn = w.cross(axis);
            const double side = axis.z() > 0.0 ? -1.0 : 1.0;
            const Vector3d up = kUp - axis.z() * axis, unit = up.normalized();
            const Vector3d up_rate = -turn.z() * axis - axis.z() * turn;
            return Arm{
                side * kHalfRim * axis - kWheel * unit,
                side * kHalfRim * turn - kWheel * (up_rate - unit * unit.dot(up_rate)) / up.norm()};
          },
          0.2};
}

}  // namespace

// Symplectic Euler and a Runge–Kutta step between impulses are both of order one there.
TEST_CASE(
    "what spins on its contact is pressed by what the turn of the contact asks, at order one") {
  for (const Spinner& body :
       {top("no-slip", 3.0), top("coulomb", 0.2), ball("no-slip", 1.0, 20.0),
        ball("coulomb", 0.1, 60.0), wheel("no-slip", 1.0, 30.0), wheel("coulomb", 0.05, 30.0)}) {
    const std::vector<Moment> moments = moments_of(body);
    for (const std::string method : {"symplectic-euler", "rk4"}) {
      CAPTURE(body.name);
      CAPTURE(body.model);
      CAPTURE(method);
      std::array<Errors, 3> found{};
      double h = 2.5e-4;  // s: a top of 200 rad/s turns by 0.05 rad
      for (Errors& one : found) {
        one = errors(body, method, h, moments);
        h /= 2.0;
      }
      const double pose = 0.5 * std::log2(found[0].pose / found[2].pose);
      const double force = 0.5 * std::log2(found[0].force / found[2].force);
      MESSAGE(body.name << ", " << body.model << ", " << method << ": pose " << found[2].pose
                        << " order " << pose << ", force " << found[2].force << " of "
                        << moments.back().truth.force.norm() << " N, order " << force);
      CHECK(pose >= 0.9);
      CHECK(force >= 0.9);
    }
  }
}

}  // namespace pequod
