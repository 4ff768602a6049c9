// Coulomb friction and no-slip contact at the acceleration level, against closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "test/simulation/referee.h"
#include "test/simulation/stage_bench.h"
#include "test/support/inertias.h"

namespace pequod {
namespace {

Bench box_on_slope(double mu, double tangent, double step, const Vector3d& size,
                   const std::string& model = "coulomb") {
  Bench bench(model, step);
  bench.add(box_inertia(2.0, size), Box{size});
  bench.build(mu, tangent);
  bench.scenario.initial.q[2] = 0.5 * size.z();
  return bench;
}

Bench ball(const std::string& model, double mu, double tangent, double step) {
  const double r = 0.1, m = 1.5;
  Bench bench(model, step);
  bench.add(ball_inertia(m, r), Sphere{r});
  bench.build(mu, tangent);
  bench.scenario.initial.q[2] = r;
  return bench;
}

/// A steady force on the first body, N.
void push(Bench& bench, const Vector3d& force) {
  const std::vector<Frame>& frames = bench.scenario.model.frames;
  ExternalForce push;
  push.frame = static_cast<int>(
      std::ranges::find_if(frames, [](const Frame& f) { return f.link == 0; }) - frames.begin());
  push.force = force;
  bench.scenario.forces = {push};
}

}  // namespace

// What touches within 1e-10 m is closed where the run starts, by a step of no length: its stages
// are all the start, and its projection needs the factor of that.
TEST_CASE("a ball that starts 5e-11 m over the ground is closed at once") {
  for (const std::string model : {"coulomb", "no-slip", "baraff"}) {
    Bench bench = ball(model, 0.5, 0.0, 0.001);
    bench.scenario.initial.q[2] += 5e-11;
    bench.scenario.duration = 0.01;
    Simulation run = bench.start();
    run.run();
    CHECK(std::abs(run.state().q[2] - 0.1) < 1e-13);
    CHECK(run.state().v.norm() < 1e-12);
  }
}

// 98 % of the friction angle: the uphill corners' least-norm friction is past its cone, yet a force
// exists. What creeps is rounding of positions of order 0.1 m.
TEST_CASE("a box below the friction angle does not creep in a minute") {
  for (const std::string model : {"coulomb", "baraff"}) {
    Bench bench = box_on_slope(0.5, 0.98 * 0.5, 0.02, {0.2, 0.2, 0.2}, model);
    bench.scenario.duration = 60.0;
    Simulation run = bench.start();
    run.run();
    CHECK((run.state().q - bench.scenario.initial.q).norm() < 1e-12);
    CHECK(run.state().v.norm() < 1e-30);
    CHECK(bench.rows.empty());
  }
}

TEST_CASE("above the friction angle a box slides at g (sin − μ cos)") {
  for (const auto& [model, share] :
       {std::pair{"coulomb", 1.02}, {"coulomb", 1.2}, {"baraff", 1.02}, {"baraff", 1.2}}) {
    const std::string which = std::string(model) + " at " + std::to_string(share);
    CAPTURE(which);
    Bench bench = box_on_slope(0.5, share * 0.5, 0.01, {0.3, 0.2, 0.2}, model);
    bench.scenario.duration = 1.0;
    Simulation run = bench.start();
    run.run();
    const double cosine = 1.0 / std::sqrt(1.0 + share * share * 0.25);
    const double way = 0.5 * g * cosine * 0.5 * (share - 1.0);
    CHECK(run.state().q[0] == doctest::Approx(way).epsilon(1e-9));
    CHECK(residual(bench, run) < 1e-12);
  }
}

// v = 5/7 v₀ from t = 2 v₀/(7 μ g) on. Constant forces: RK4 is exact, and the event is found to
// rounding.
TEST_CASE("a ball that slides begins to roll at 2 v / 7 μ g, with five sevenths of its speed") {
  Bench bench = ball("coulomb", 0.3, 0.0, 0.01);
  bench.scenario.initial.v[3] = 2.0;
  bench.scenario.duration = 1.0;
  Simulation run = bench.start();
  run.run();
  REQUIRE(bench.rows.size() == 1);
  CHECK(bench.rows[0].kind == EventKind::stick);
  CHECK(bench.rows[0].t == doctest::Approx(4.0 / (7.0 * 0.3 * g)).epsilon(1e-9));
  CHECK(run.state().v[3] == doctest::Approx(10.0 / 7.0).epsilon(1e-12));
  CHECK(run.state().v[1] == doctest::Approx(100.0 / 7.0).epsilon(1e-12));
  CHECK(run.state().ledger.friction_loss ==
        doctest::Approx(0.5 * 1.5 * 4.0 * 2.0 / 7.0).epsilon(1e-12));
  CHECK(residual(bench, run) < 1e-12);
}

TEST_CASE("a box that slides comes to rest after v²/2μg, all corners at once") {
  Bench bench = box_on_slope(0.4, 0.0, 0.01, {0.2, 0.3, 0.1});
  bench.scenario.initial.v.segment<3>(3) << 0.8, 0.6, 0.0;
  bench.scenario.duration = 1.0;
  Simulation run = bench.start();
  run.run();
  CHECK(bench.rows.size() == 4);
  CHECK(bench.count(EventKind::stick) == 4);
  CHECK(bench.rows[0].t == doctest::Approx(1.0 / (0.4 * g)).epsilon(1e-7));  // slips below 1e-7 m/s
  CHECK(run.state().q.head<2>().norm() == doctest::Approx(1.0 / (0.8 * g)).epsilon(1e-9));
  CHECK(run.state().v.norm() < 1e-30);
}

// A force of 1.5 μ m g against the motion: the box halts at v/(2.5 μ g) and is drawn back with
// 0.5 μ g.
TEST_CASE("a box that is pulled back harder than friction holds it reverses its slip") {
  Bench bench = box_on_slope(0.4, 0.0, 0.01, {0.3, 0.3, 0.1});
  bench.scenario.initial.v[3] = 1.0;
  bench.scenario.duration = 1.0;
  push(bench, {-1.5 * 0.4 * 2.0 * g, 0.0, 0.0});
  Simulation run = bench.start();
  run.run();
  const double halt = 1.0 / (2.5 * 0.4 * g);
  CHECK(bench.count(EventKind::reverse) == 4);
  CHECK(bench.rows[0].t == doctest::Approx(halt).epsilon(1e-7));
  CHECK(run.state().v[3] == doctest::Approx(-0.5 * 0.4 * g * (1.0 - halt)).epsilon(1e-7));
  CHECK(residual(bench, run) < 1e-9);
}

// Directions of friction turn, forces are not unique: no closed form, but order four. The steps
// near the stop are shares of the time that is left, not of h, which costs a little of the order.
TEST_CASE("a box that slides and spins until it stops is found at order four") {
  const auto end = [](double step) {
    Bench bench = box_on_slope(0.4, 0.0, step, {0.4, 0.3, 0.1});
    bench.scenario.initial.v << 0.0, 0.0, 2.0, 1.0, 0.3, 0.0;
    bench.scenario.duration = 0.15;  // it stops at 0.27 s
    Simulation run = bench.start();
    run.run();
    CHECK(residual(bench, run) < 1e-4);
    return VectorXd(run.state().q);
  };
  const VectorXd truth = end(0.02 / 32.0 / 1.0173);
  double error[3];
  for (int k = 0; k < 3; ++k) error[k] = (end(0.02 / std::pow(2.0, k) / 1.0173) - truth).norm();
  MESSAGE("errors " << error[0] << ", " << error[1] << ", " << error[2]);
  CHECK(std::log2(error[0] / error[1]) > 3.7);
  CHECK(std::log2(error[1] / error[2]) > 3.7);
}

// A push at the centre of mass tips a box of half length a about its front edge if F h > m g a,
// where the least-norm normal forces would lift the rear corners at two thirds of that.
TEST_CASE("a box tips at the load that its weight no longer balances") {
  const Vector3d size(0.2, 0.3, 0.4);
  for (const double share : {0.999, 1.001}) {
    Bench bench = box_on_slope(0.9, 0.0, 0.01, size);
    bench.scenario.duration = 0.1;
    push(bench, {share * 2.0 * g * size.x() / size.z(), 0.0, 0.0});
    Simulation run = bench.start();
    run.run();
    CHECK((run.state().v.norm() > 1e-6) == (share > 1.0));
    CHECK(run.statistics().fallbacks == 0);
  }
}

// A rolling body falls along a slope with g sin / (1 + I/mr²), and friction does no work.
TEST_CASE("balls and cylinders roll down a slope without slip and without loss") {
  const double r = 0.1, m = 1.5, tangent = 0.3, sine = tangent / std::sqrt(1.0 + tangent * tangent);
  for (const std::string model : {"coulomb", "no-slip"}) {
    for (const bool is_ball : {true, false}) {
      Bench bench(model, 0.02);
      const double share = is_ball ? 0.4 : 0.5;
      const Matrix3d lying = Eigen::AngleAxisd(0.5 * M_PI, Vector3d::UnitX()).toRotationMatrix();
      if (is_ball)
        bench.add({m, Vector3d::Zero(), share * m * r * r * Matrix3d::Identity()}, Sphere{r});
      else
        bench.add({m, Vector3d::Zero(), share * m * r * r * Matrix3d::Identity()}, Cylinder{r, 0.3},
                  {lying, Vector3d::Zero()});
      bench.build(0.5, tangent);
      bench.scenario.initial.q[2] = r;
      bench.scenario.duration = 1.0;
      Simulation run = bench.start();
      run.run();
      const double way = 0.5 * g * sine / (1.0 + share);
      INFO(model << (is_ball ? " ball" : " cylinder"));
      CHECK(run.state().q[0] == doctest::Approx(way).epsilon(1e-9));
      CHECK(run.state().v[1] * r == doctest::Approx(run.state().v[3]).epsilon(1e-12));
      CHECK(run.state().ledger.friction_loss == 0.0);
      CHECK(residual(bench, run) < 1e-9);
      CHECK(bench.rows.empty());
    }
  }
}

TEST_CASE("under infinite friction slip ends in an impulse, which leaves five sevenths") {
  Bench bench = ball("no-slip", 0.0, 0.0, 0.01);
  bench.scenario.initial.v[3] = 2.0;
  bench.scenario.duration = 1.0;
  Simulation run = bench.start();
  run.run();
  CHECK(run.state().v[3] == doctest::Approx(10.0 / 7.0).epsilon(1e-12));
  CHECK(run.state().q[0] == doctest::Approx(10.0 / 7.0).epsilon(1e-12));
  CHECK(run.state().ledger.impact_loss == doctest::Approx(0.5 * 1.5 * 4.0 * 2.0 / 7.0));
}

namespace {

// A thin rod at atan 2 = 63.4° from the horizontal, its lower end sliding to the side it leans:
// with μ = 1.5 a normal force presses the end into the ground, 1 + 3cos² − 3μ sin cos = −0.2 < 0,
// so no force holds it up (Painlevé 1895).
// @param speed  rad/s, by which it rights itself, its lower end at rest along the normal
Bench painleve_rod(const std::string& model, double speed) {
  const double length = 1.0, radius = 1e-3, lean = std::atan(0.5);
  Bench bench(model, 0.001);
  Inertia inertia{1.0, Vector3d::Zero(), Matrix3d::Zero()};
  inertia.about_com.diagonal() << length * length / 12.0, length * length / 12.0, 1e-4;
  bench.add(inertia, Capsule{radius, length});
  bench.build(1.5);
  const Quaterniond turn(Eigen::AngleAxisd(lean, Vector3d::UnitY()));
  bench.scenario.initial.q << 0.0, 0.0, 0.5 * length * std::cos(lean) + radius, turn.w(), turn.x(),
      turn.y(), turn.z();
  const Vector3d end(-0.5 * length * std::sin(lean), 0.0, -0.5 * length * std::cos(lean) - radius);
  const Vector3d spin(0.0, speed, 0.0);
  bench.scenario.initial.v << spin, Vector3d(-1.0, 0.0, 0.0) - spin.cross(end);
  return bench;
}

void check_rod(const std::string& model) {
  Bench bench = painleve_rod(model, 0.0);
  bench.scenario.duration = 0.5;
  Simulation run = bench.start();
  const test::Referee referee = test::watch(run, bench.scenario.model);
  REQUIRE(!bench.rows.empty());
  CHECK(bench.rows[0].kind == EventKind::painleve);
  CHECK(bench.rows[0].energy_change < 0.0);
  CHECK(bench.rows[0].impulse_t <= 1.5 * bench.rows[0].impulse_n);
  CHECK(run.statistics().fallbacks == 0);
  CHECK(residual(bench, run) < 1e-9);
  CHECK(referee.overlap() < 1e-9);
}

}  // namespace

TEST_CASE("a rod that no force keeps above the ground gets an impulse, and goes on") {
  for (const std::string model : {"coulomb", "baraff"}) {
    INFO(model);
    check_rod(model);
  }
}

// Its turning lifts the end with ω² l/2 cos − g = 1.4 m/s²: no force at all, and one that presses
// the end down as hard, both solve its equations, and so does an impulse (Baraff 1994).
TEST_CASE("a rod with a force and without one lifts off, and the run says that both would do") {
  for (const std::string model : {"coulomb", "baraff"}) {
    INFO(model);
    Bench bench = painleve_rod(model, -5.0);
    bench.scenario.duration = 0.02;
    Simulation run = bench.start();
    run.run();
    REQUIRE(bench.rows.size() == 1);
    CHECK(bench.rows[0].kind == EventKind::painleve);
    CHECK(bench.rows[0].impulse_n == 0.0);
    CHECK(bench.rows[0].energy_change == 0.0);
    CHECK(run.state().v[3] == bench.scenario.initial.v[3]);
    CHECK(run.statistics().fallbacks == 0);
    CHECK(residual(bench, run) < 1e-12);
  }
}

TEST_CASE("a stack of three boxes, each shifted, stands") {
  const Vector3d size(0.2, 0.2, 0.2);
  Bench bench("coulomb", 0.02);
  for (int k = 0; k < 3; ++k) bench.add(box_inertia(2.0, size), Box{size});
  bench.build(0.5);
  const double x[3] = {0.0, 0.03, 0.01}, y[3] = {0.0, 0.02, -0.03};
  for (int k = 0; k < 3; ++k)
    bench.scenario.initial.q.segment<3>(7 * k) << x[k], y[k], 0.1 + 0.2 * k;
  bench.scenario.duration = 5.0;
  Simulation run = bench.start();
  run.run();
  CHECK((run.state().q - bench.scenario.initial.q).norm() < 1e-12);
  CHECK(bench.rows.empty());
  // The forces are those that were found at first, and still carry the weight.
  double carried = 0.0;
  for (const ContactMode& mode : run.state().mode)
    if (std::abs(mode.point_W.z()) < 1e-9) carried += std::abs(mode.force_W.z());
  CHECK(carried == doctest::Approx(3 * 2.0 * 9.81).epsilon(1e-10));
}

TEST_CASE("models with both levels take that of the integrator, others refuse what they are not") {
  const ContactModel& coulomb = *find_contact_model("coulomb");
  const auto level = [&](const std::string& integrator, const std::string& asked,
                         const std::string& scheme) {
    ContactOptions contact;
    contact.level = asked;
    contact.scheme = scheme;
    return contact_level(coulomb, contact, {integrator, 0.001, 0.0});
  };
  CHECK(level("symplectic-euler", "", "event-driven") == ContactLevel::velocity);
  CHECK(level("rk4", "", "event-driven") == ContactLevel::acceleration);
  CHECK(level("dopri5", "", "event-driven") == ContactLevel::acceleration);
  CHECK(level("rk4", "velocity", "event-driven") == ContactLevel::velocity);
  CHECK(level("rk4", "", "time-stepping") == ContactLevel::velocity);
  CHECK_THROWS_WITH(at_level(*find_contact_model("stewart-trinkle"), ContactLevel::acceleration),
                    "stewart-trinkle acts at the velocity level alone: it is defined by impulses "
                    "over a step");
  CHECK_THROWS_WITH(at_level(*find_contact_model("viscous"), ContactLevel::velocity),
                    "viscous acts at the acceleration level alone: its forces act in every stage "
                    "of the integrator");
}

}  // namespace pequod
