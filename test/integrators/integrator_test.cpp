#include "integrators/integrator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "test/integrators/smooth_motions.h"
#include "test/support/differences.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

using Method = RungeKutta::Method;

/// x(T) by n steps.
using Run = std::function<VectorXd(const Model&, const VectorXd&, double, int)>;

struct Candidate {
  std::string name;
  int order;
  int coarse;  ///< steps of the coarser run: errors well above rounding, well inside the limit
  Run run;
};

std::vector<Candidate> candidates() {
  const auto runge_kutta = [](Method method) {
    return [method](const Model& model, const VectorXd& x, double T, int n) {
      return run_runge_kutta(model, method, x, T, n);
    };
  };
  return {{"symplectic-euler", 1, 800, run_symplectic_euler},
          {"rk4", 4, 100, runge_kutta(Method::rk4)},
          {"dopri5", 5, 60, runge_kutta(Method::dopri5)}};
}

/// log₂ of the ratio of the errors at n and 2n steps.
double observed_order(const Candidate& method, int n, const Model& model, const VectorXd& x,
                      double T, const std::function<double(const VectorXd&)>& error) {
  const double coarse = error(method.run(model, x, T, n));
  const double fine = error(method.run(model, x, T, 2 * n));
  return std::log2(coarse / fine);
}

/// The brick at ω = (a, 0, c) in its axes, flying and turned.
State tumbling(const FreeBody& body, double a, double c) {
  Random random(51);
  State state = random_state(random, body.model);
  const Matrix3d R = Quaterniond(state.q[3], state.q[4], state.q[5], state.q[6]).toRotationMatrix();
  state.v.head<3>() = R * Vector3d(a, 0.0, c);
  return state;
}

Matrix3d attitude(const VectorXd& x) {
  return Quaterniond(x[3], x[4], x[5], x[6]).normalized().toRotationMatrix();
}

constexpr double kA = 3.0, kC = 2.0;  // rad/s

}  // namespace

TEST_CASE("Euler's top in elliptic functions obeys Euler's equations") {
  const Vector3d I = asymmetric_body().I;
  for (const double t : {0.0, 0.3, 1.7}) {
    const auto at = [&](double s) -> Vector3d { return euler_top(I, kA, kC, t + s); };
    const Vector3d w = at(0.0), rate = derivative(at);
    CHECK((I.cwiseProduct(rate) + w.cross(I.cwiseProduct(w))).norm() < 1e-10);
  }
}

TEST_CASE("each integrator has its order on a tumbling brick") {
  const FreeBody body = asymmetric_body();
  const VectorXd x0 = stacked(tumbling(body, kA, kC));
  const double T = 2.0;
  const Vector3d expected = euler_top(body.I, kA, kC, T);
  for (const Candidate& method : candidates()) {
    const auto error = [&](const VectorXd& x) {
      return (attitude(x).transpose() * x.segment<3>(7) - expected).norm();
    };
    const double order = observed_order(method, method.coarse, body.model, x0, T, error);
    MESSAGE(method.name << ": order " << order << ", error "
                        << error(method.run(body.model, x0, T, method.coarse)));
    // The next term of the error moves the slope by about h times the rates: 0.1 to 0.3.
    CHECK(std::abs(order - method.order) < 0.35);
  }
}

TEST_CASE("a tumbling brick keeps energy and angular momentum to the integrator's order") {
  const FreeBody body = asymmetric_body();
  const VectorXd x0 = stacked(tumbling(body, kA, kC));
  const auto invariants = [&](const VectorXd& x) {
    const Matrix3d R = attitude(x);
    const Vector3d w = R.transpose() * x.segment<3>(7), L = body.I.cwiseProduct(w);
    Vector4d out;
    out << R * L, 0.5 * w.dot(L);
    return out;
  };
  const double T = 2.0;
  for (const Candidate& method : candidates()) {
    const auto error = [&](const VectorXd& x) {
      return (invariants(x) - invariants(x0)).norm() / invariants(x0).norm();
    };
    const VectorXd x1 = method.run(body.model, x0, T, 2 * method.coarse);
    MESSAGE(method.name << ": drift " << error(x1));
    CHECK(observed_order(method, method.coarse, body.model, x0, T, error) > method.order - 0.35);
    // Free flight of the centre of mass is linear: exact in all three.
    const Vector3d landing = x0.head<3>() + T * x0.segment<3>(10);
    CHECK((x1.head<3>() - landing).norm() < 1e-12);
  }
}

TEST_CASE("each integrator has its order on a pendulum of large swings") {
  const Pendulum swing = pendulum();
  const double amplitude = 2.0;  // rad
  const double T = period(swing, amplitude);
  // After a whole period and a quarter it passes the bottom at θ̇ = −2 ω₀ sin(θ₀/2).
  const Eigen::Vector2d bottom(0.0, -2.0 * swing.rate * std::sin(amplitude / 2.0));
  const VectorXd x0 = Eigen::Vector2d(amplitude, 0.0);
  for (const Candidate& method : candidates()) {
    const auto error = [&](const VectorXd& x) { return (x - bottom).norm(); };
    // Four times the brick's steps: the bar turns by 9 rad/s at the bottom.
    const double order =
        observed_order(method, 4 * method.coarse, swing.model, x0, 1.25 * T, error);
    MESSAGE(method.name << ": order " << order);
    CHECK(std::abs(order - method.order) < 0.35);  // as for the brick
  }
}

TEST_CASE("symplectic Euler keeps the energy of a pendulum for a thousand swings") {
  const Pendulum swing = pendulum();
  const double T = period(swing, 1.0);
  VectorXd x = Eigen::Vector2d(1.0, 0.0);
  const auto energy = [&](const VectorXd& at) {
    const Kinematics kin = kinematics_of(swing.model, at.head(1), at.tail(1));
    return kinetic_energy(swing.model, kin, at.tail(1)) + potential_energy(swing.model, kin);
  };
  const double before = energy(x), depth = before - energy(Eigen::Vector2d::Zero());
  Worst worst;
  for (int i = 0; i < 1000; ++i) {
    x = run_symplectic_euler(swing.model, x, T, 100);
    worst.see(std::abs(energy(x) - before) / depth);
  }
  MESSAGE("energy off by " << worst.value());
  // It oscillates by h ω₀ = 0.06 and does not drift; explicit Euler gains e^{h² ω₀² n}, n = 1e5.
  CHECK(worst.value() < 0.06);
}

TEST_CASE("a brick's quaternion stays at unit length, and leaves it only at the step's order") {
  const FreeBody body = asymmetric_body();
  const VectorXd x0 = stacked(tumbling(body, kA, kC));
  const Rhs f = free_motion(body.model);
  VectorXd x1;
  for (const auto& [method, order] : {std::pair{Method::rk4, 4}, std::pair{Method::dopri5, 5}}) {
    RungeKutta stepper(method);
    const auto length_error = [&](double h) {
      stepper.step(f, x0, 0.0, h, x1);
      return std::abs(x1.segment<4>(3).norm() - 1.0);
    };
    CHECK(std::log2(length_error(0.1) / length_error(0.05)) > order + 0.5);
  }
  Worst length;
  VectorXd x = x0;
  for (int i = 0; i < 100; ++i) {
    x = run_symplectic_euler(body.model, x, 0.05, 10);
    length.see(std::abs(x.segment<4>(3).norm() - 1.0));
  }
  CHECK(length.value() < 5e-16);
}

TEST_CASE("a step re-taken to any fraction is the direct step, bit for bit") {
  Random random(52);
  const RandomTree tree = random_tree(random, {.links = 8});
  const VectorXd x0 = stacked(random_state(random, tree.model));
  const Rhs f = free_motion(tree.model);
  const double h = 0.01;
  for (const Method method : {Method::rk4, Method::dopri5}) {
    RungeKutta used(method);
    VectorXd trial, retaken, direct;
    for (int i = 0; i < 50; ++i) {
      const double fraction = i == 0 ? 1.0 : random.uniform(0.0, 1.0);
      used.step(f, x0, 0.0, h, trial);
      const double error = used.step(f, x0, 0.0, fraction * h, retaken);
      RungeKutta fresh(method);
      CHECK(fresh.step(f, x0, 0.0, fraction * h, direct) == error);
      CHECK(retaken == direct);
    }
    // A longer vector after a shorter one, and back.
    const VectorXd y0 = VectorXd::LinSpaced(3 * x0.size(), 0.0, 1.0);
    const Rhs decay = [](const VectorXd& x, VectorXd& dxdt, double) { dxdt = -x; };
    used.step(decay, y0, 0.0, h, trial);
    CHECK((trial - std::exp(-h) * y0).norm() < 1e-10);
    used.step(f, x0, 0.0, h, retaken);
    RungeKutta fresh(method);
    fresh.step(f, x0, 0.0, h, direct);
    CHECK(retaken == direct);
  }
}

TEST_CASE("time reaches the right-hand side: both are exact on polynomials of their order") {
  for (const auto& [method, order] : {std::pair{Method::rk4, 4}, std::pair{Method::dopri5, 5}}) {
    RungeKutta stepper(method);
    const double t = 0.7, h = 0.9;
    for (int power = 0; power < order; ++power) {
      const Rhs f = [power](const VectorXd&, VectorXd& dxdt, double time) {
        dxdt = VectorXd::Constant(1, (power + 1) * std::pow(time, power));
      };
      VectorXd x1;
      stepper.step(f, VectorXd::Constant(1, std::pow(t, power + 1)), t, h, x1);
      CHECK(x1[0] == doctest::Approx(std::pow(t + h, power + 1)).epsilon(1e-14));
    }
  }
}

TEST_CASE("the error estimate of Dormand-Prince is of order 5, the error itself of order 6") {
  const FreeBody body = asymmetric_body();
  const VectorXd x0 = stacked(tumbling(body, kA, kC));
  const Rhs f = free_motion(body.model);
  RungeKutta dopri5(Method::dopri5), rk4(Method::rk4);
  VectorXd x1;
  CHECK(rk4.step(f, x0, 0.0, 0.1, x1) == 0.0);
  const auto estimate = [&](double h) { return dopri5.step(f, x0, 0.0, h, x1); };
  const auto error = [&](double h) {
    dopri5.step(f, x0, 0.0, h, x1);
    const VectorXd off = x1 - run_runge_kutta(body.model, Method::dopri5, x0, h, 50);
    return (off.array().abs() / (1.0 + x0.array().abs())).maxCoeff();
  };
  const double estimated = std::log2(estimate(0.02) / estimate(0.01));
  const double local = std::log2(error(0.02) / error(0.01));
  MESSAGE("estimate h^" << estimated << ", local error h^" << local);
  CHECK(std::abs(estimated - 5.0) < 0.4);
  CHECK(std::abs(local - 6.0) < 0.5);
  CHECK(error(0.01) < estimate(0.01));
}

TEST_CASE("the next step follows the fifth root of the error, within a factor of five") {
  CHECK(next_step(0.1, 1e-6, 1e-6) == doctest::Approx(0.09));
  CHECK(next_step(0.1, 32e-6, 1e-6) == doctest::Approx(0.045));
  CHECK(next_step(0.1, 1.0, 1e-6) == doctest::Approx(0.02));
  CHECK(next_step(0.1, 1e-30, 1e-6) == doctest::Approx(0.5));
  CHECK(next_step(0.1, 0.0, 1e-6) == doctest::Approx(0.5));
}

TEST_CASE("a step that overflows has an infinite error, wherever it overflows") {
  RungeKutta dopri5(Method::dopri5);
  VectorXd x1;
  for (int bad = 0; bad < 9; ++bad) {
    const Rhs f = [bad](const VectorXd& x, VectorXd& dxdt, double) {
      dxdt = -x;
      dxdt[bad] = std::exp(1e3 * x[bad]);
    };
    const double error = dopri5.step(f, VectorXd::Ones(9), 0.0, 0.1, x1);
    CHECK(error == kInfinity);
    CHECK(next_step(0.1, error, 1e-6) == doctest::Approx(0.02));
  }
}

TEST_CASE("steps chosen by the error reach the tolerance, and 32 times less halves them") {
  const Pendulum swing = pendulum();
  const double amplitude = 2.0, T = 1.25 * period(swing, amplitude);
  const Eigen::Vector2d bottom(0.0, -2.0 * swing.rate * std::sin(amplitude / 2.0));
  const Rhs f = free_motion(swing.model);
  int steps[2] = {0, 0};
  for (const int k : {0, 1}) {
    const double tolerance = k == 0 ? 1e-7 : 1e-7 / 32.0;
    RungeKutta stepper(Method::dopri5);
    VectorXd x = Eigen::Vector2d(amplitude, 0.0), next;
    double t = 0.0, h = 1.0;
    int refused = 0;
    while (t < T) {
      const double step = std::min(h, T - t);
      const double error = stepper.step(f, x, t, step, next);
      h = next_step(step, error, tolerance);
      if (error > tolerance) {
        ++refused;
        continue;
      }
      t += step;
      x = next;
      ++steps[k];
    }
    MESSAGE(steps[k] << " steps, " << refused << " refused, error " << (x - bottom).norm());
    CHECK(4 * refused < steps[k]);  // the bar speeds up twice a swing
    // Each step adds at most the tolerance times 1 + |x| ≤ 6; the flow stretches little.
    CHECK((x - bottom).norm() < 6.0 * tolerance * steps[k]);
  }
  CHECK(steps[1] == doctest::Approx(2.0 * steps[0]).epsilon(0.1));
}

TEST_CASE("the list of integrators tells names and orders") {
  std::vector<std::string> seen;
  for (const IntegratorInfo& info : integrators()) {
    seen.emplace_back(info.name);
    for (const Candidate& method : candidates())
      if (method.name == info.name) CHECK(method.order == info.order);
  }
  CHECK(seen == std::vector<std::string>{"symplectic-euler", "rk4", "dopri5"});
}

// ẋ = −x over 200 steps: a factor of 0.999 or 1.001 a step would not show, the limit's slope does.
TEST_CASE("a decay grows with steps beyond the limit in the list of integrators, and not below") {
  const Rhs decay = [](const VectorXd& x, VectorXd& dxdt, double) { dxdt = -x; };
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == "symplectic-euler") continue;  // x ← x − h x: the limit is 2
    RungeKutta method(info.name == "rk4" ? RungeKutta::Method::rk4 : RungeKutta::Method::dopri5);
    const auto after = [&](double h) {
      VectorXd x = VectorXd::Ones(1), next;
      for (int i = 0; i < 200; ++i) {
        method.step(decay, x, 0.0, h, next);
        x = next;
      }
      return std::abs(x[0]);
    };
    CAPTURE(info.name);
    CHECK(after(0.99 * info.damping_limit) < 0.1);
    CHECK(after(1.01 * info.damping_limit) > 10.0);
  }
}
