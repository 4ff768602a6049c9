// What happens at an instant: impacts, ends of Zeno sequences, strikes.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "simulation/settle/friction_mode.h"
#include "simulation/settle/tolerances.h"
#include "test/simulation/settle_table.h"

namespace pequod::table {

// v⁺ = e v, p = m (1 + e) v, loss ½ m v² (1 − e²), with m = 2 kg, v = 3 m/s, e = ½.
TEST_CASE("a ball that meets the floor leaves it with the share e of its speed") {
  Table table = balls("frictionless", 1, 0.5);
  table.p(0).z() = kRadius;
  table.v(0).z() = -3.0;
  const Impacts impacts = table.impacts();
  CHECK(impacts.any);
  CHECK(impacts.approach == doctest::Approx(3.0).epsilon(kRounding));
  CHECK(impacts.stats.solves == 1);
  CHECK(table.v(0).z() == doctest::Approx(1.5).epsilon(kRounding));
  CHECK(table.state.ledger.impact_loss == doctest::Approx(6.75).epsilon(kRounding));
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].kind == EventKind::impact);
  CHECK(table.rows[0].impulse_n == doctest::Approx(9.0).epsilon(kRounding));
  CHECK(table.rows[0].energy_change == doctest::Approx(-6.75).epsilon(kRounding));
}

TEST_CASE("a ball that leaves the floor has no impact") {
  Table table = balls("frictionless", 1, 0.5);
  table.p(0).z() = kRadius;
  table.v(0).z() = 1.0;
  CHECK_FALSE(table.impacts().any);
  CHECK(table.v(0).z() == 1.0);
  CHECK(table.rows.empty());
}

// Equal balls, one at rest: v₁⁺ = ½ (1 − e) v, v₂⁺ = ½ (1 + e) v; loss ¼ m v² (1 − e²).
TEST_CASE("a ball that hits an equal one at rest hands on the share (1 + e)/2 of its speed") {
  Table table = balls("frictionless", 2, 0.5);
  table.p(0) << 0.0, 0.0, 1.0;
  table.p(1) << 2.0 * kRadius, 0.0, 1.0;
  table.v(0).x() = 4.0;
  CHECK(table.impacts().any);
  CHECK(table.v(0).x() == doctest::Approx(1.0).epsilon(kRounding));
  CHECK(table.v(1).x() == doctest::Approx(3.0).epsilon(kRounding));
  CHECK(table.state.ledger.impact_loss == doctest::Approx(6.0).epsilon(kRounding));
}

// Without restitution nothing is left of ½ m v² = 9 J, whatever number of bodies is in between.
TEST_CASE("a plastic impact on a ball that rests on the floor stops both") {
  Table table = balls("frictionless", 2, 0.0);
  table.p(0).z() = kRadius;
  table.p(1).z() = 3.0 * kRadius;
  table.v(1).z() = -3.0;
  CHECK(table.impacts().any);
  CHECK(table.state.v.norm() <= kRounding);
  CHECK(table.state.ledger.impact_loss == doctest::Approx(9.0).epsilon(kRounding));
}

// A ball that must not slip rolls at once: m v R = (m R² + I) ω, I = 2/5 m R², so v⁺ = 5/7 v.
TEST_CASE("under infinite friction a ball that slides is struck until it rolls") {
  Table table = balls("no-slip", 1, 0.0);
  REQUIRE(table.world.rubs());
  table.p(0).z() = kRadius;
  table.v(0).x() = 7.0;
  table.find();
  CHECK(must_grip(table.world, table.here, table.state, table.touching));
  CHECK(table.impacts().any);
  CHECK(table.v(0).x() == doctest::Approx(5.0).epsilon(1e-9));
  CHECK_FALSE(must_grip(table.world, table.here, table.state, table.touching));
}

// The flights of a ball that leaves with u take 2u/g, and e times as long each time: 2u/g/(1 − e).
TEST_CASE("a ball that leaves at a micrometre a second is closed, at the end of its flights") {
  constexpr double u = 1e-6, e = 0.5, m = 2.0;
  Table table = balls("frictionless", 1, e);
  table.state.t = 0.25;
  table.p(0).z() = kRadius;
  table.v(0).z() = u;
  table.close_short_flights(u / e);
  CHECK(std::abs(table.v(0).z()) <= 1e-15);
  CHECK(table.state.ledger.zeno_loss == doctest::Approx(0.5 * m * u * u).epsilon(1e-9));
  CHECK(table.state.ledger.impact_loss == 0.0);
  CHECK(table.state.ledger.suspect == 0.0);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].kind == EventKind::zeno);
  CHECK(table.rows[0].speed_before == u);
  CHECK(table.rows[0].t - 0.25 == doctest::Approx(2.0 * u / g / (1.0 - e)).epsilon(1e-8));
}

// Closing takes m u downwards, of which friction was μ m u: m Δv_x = μ m u and I Δω_y = −R μ m u,
// I = 2/5 m R². No more than the impact of that instant had lost, whose row then tells of less.
TEST_CASE("a flight that is closed gives back the friction of the speed that it takes") {
  constexpr double u = 1e-5, v = 3.0, mu = 0.5;
  for (const std::string model : {"coulomb", "baraff", "frictionless"}) {
    CAPTURE(model);
    Table table = balls(model, 1, 0.0);
    table.p(0).z() = kRadius;
    table.v(0) << v, 0.0, u;
    const double before = table.kinetic() - 0.5 * 2.0 * u * u;
    EventRow impact;
    impact.energy_change = -1e-3;
    table.rows = {impact};
    table.close_short_flights(1e-4);
    const double given = model == "frictionless" ? 0.0 : mu * u;  // m/s
    CHECK(std::abs(table.v(0).z()) <= 1e-15);
    CHECK(std::abs(table.v(0).x() - v - given) <= 1e-14);
    CHECK(std::abs(table.state.v[1] + 2.5 * given / kRadius) <= 1e-12);
    const double gain = table.kinetic() - before;
    CHECK(std::abs(gain + table.state.ledger.impact_loss) <= 1e-13);
    CHECK(std::abs(table.rows[0].energy_change + 1e-3 - gain) <= 1e-13);
  }
}

TEST_CASE("a flight that is closed gives back no more than its impact had lost") {
  Table table = balls("coulomb", 1, 0.0);
  table.p(0).z() = kRadius;
  table.v(0) << 3.0, 0.0, 1e-5;
  const double before = table.kinetic() - 1e-10;
  EventRow impact;
  impact.energy_change = -1e-6;
  table.rows = {impact};
  table.close_short_flights(1e-4);
  CHECK(table.kinetic() - before <= 1e-6 + 1e-13);
  CHECK(table.kinetic() - before >= 0.99e-6);
  CHECK(table.rows[0].energy_change <= 0.0);
}

TEST_CASE("a ball that leaves at a metre a second flies") {
  Table table = balls("frictionless", 1, 0.5);
  table.p(0).z() = kRadius;
  table.v(0).z() = 1.0;
  table.close_short_flights(2.0);
  CHECK(table.v(0).z() == 1.0);
  CHECK(table.rows.empty());
}

TEST_CASE("while another ball flies on, the end of a Zeno sequence is told at its instant") {
  Table table = balls("frictionless", 2, 0.5);
  table.p(0).z() = kRadius;
  table.p(1) << 1.0, 0.0, kRadius;
  table.v(0).z() = 1e-6;
  table.v(1).z() = 1.0;
  table.close_short_flights(2.0);
  CHECK(std::abs(table.v(0).z()) <= 1e-15);
  CHECK(table.v(1).z() == 1.0);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].t == table.state.t);
}

TEST_CASE("a contact that sinks at once is closed if it leaves slowly") {
  for (const double speed : {0.0, 0.1 * kHop, 2.0 * kHop}) {
    CAPTURE(speed);
    Table table = balls("frictionless", 1, 0.5);
    table.p(0).z() = kRadius;
    table.v(0).z() = speed;
    table.find();
    REQUIRE(table.touching.size() == 1);
    const bool slow = speed > 0.0 && speed < kHop;
    CHECK(close_hop(table.world, table.here, table.state, table.touching,
                    table.touching.contacts[0].key, table.rows, table.workspace) == slow);
    CHECK(table.v(0).z() == doctest::Approx(slow ? 0.0 : speed).epsilon(kRounding));
  }
}

TEST_CASE("what is projected away is the kinetic energy of its velocity") {
  Table table = balls("frictionless", 1, 0.0);
  table.p(0).z() = kRadius;
  table.v(0) << 2.0, 0.0, -1.0;
  table.find();
  const double lost = project_away(table.world, table.here, table.state, table.touching, {0},
                                   table.workspace.projection);
  CHECK(lost == doctest::Approx(1.0).epsilon(kRounding));  // ½ m v_z²
  CHECK(table.v(0).x() == 2.0);
  CHECK(std::abs(table.v(0).z()) <= 1e-15);
}

TEST_CASE("a block at rest gets no impulse where its mode is asked for") {
  const Vector3d size = Vector3d::Constant(0.2);
  Table table("coulomb", {{box_inertia(1.0, size), Box{size}}}, {.friction = 0.5});
  REQUIRE(table.world.rubs());
  table.p(0).z() = 0.1;
  CHECK_FALSE(
      strike(table.world, table.here, table.state, table.touching, table.rows, table.workspace)
          .any);
  CHECK(table.state.v.isZero(0.0));
  CHECK(table.rows.empty());
}

// A rod (half its length l, I = m l²/3) slides at s with its lower end ahead, inclined by 45°. In
// 1/m the response of that end is W = [5/2 3/2; 3/2 5/2] along the slip and the normal. A force f n
// brings −μ f against the slip and lifts the end by (5/2 − 3/2 μ) f: with μ = 5/2 > 5/3 it presses
// it down, and no force holds it up (Painlevé). The impulse stops the end: p = −m W⁻¹ (s, 0)
// = m s (−5/8, 3/8), within the cone, and takes ½ m s² 5/8.
TEST_CASE("a rod whose lower end jams is struck, and its end stands still") {
  constexpr double l = 0.5, r = 0.01, s = 2.0;  // m, m, m/s
  const double c = l / std::sqrt(2.0);
  const Inertia rod = {1.0, Vector3d::Zero(), l * l / 3.0 * Matrix3d::Identity()};
  Table table("coulomb", {{rod, Sphere{r}}}, {.friction = 2.5},
              {Matrix3d::Identity(), Vector3d(c, 0.0, r - c)});
  table.p(0).z() = c;
  table.v(0).x() = s;
  const double before = table.kinetic();
  const Strike struck =
      strike(table.world, table.here, table.state, table.touching, table.rows, table.workspace);
  CHECK(struck.any);
  CHECK(struck.stats.solves == 1);
  REQUIRE(table.touching.size() == 1);
  table.here.at(table.state.q, table.state.v);
  const Vector3d end =
      relative_velocity(table.scenario.model, table.here.kinematics(), table.touching.contacts[0]);
  CHECK(end.norm() <= 1e-5 * s);  // ten times the approach that asks for the impulse
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].kind == EventKind::painleve);
  CHECK(table.rows[0].impulse_n == doctest::Approx(0.375 * s).epsilon(1e-5));
  CHECK(table.rows[0].impulse_t == doctest::Approx(0.625 * s).epsilon(1e-5));
  CHECK(table.state.ledger.impact_loss == doctest::Approx(0.3125 * s * s).epsilon(1e-5));
  CHECK(before - table.kinetic() ==
        doctest::Approx(table.state.ledger.impact_loss).epsilon(kRounding));
}

// Storage carries no meaning: the same bits, whatever was settled in it before.
TEST_CASE("a workspace that was used before changes nothing") {
  const Vector3d size = Vector3d::Constant(0.2);
  const auto settle = [](Table& table, const Vector3d& velocity, double push) {
    Stepper stepper(table.world, make_method(table.world, table.world.contact, "rk4"));
    table.state = table.scenario.initial;
    table.p(0).z() = 0.1;
    table.v(0) = velocity;
    table.force(0).x() = push;
    const Impacts impacts = table.impacts();
    table.close_short_flights(impacts.approach);
    table.find();
    return settle_friction(table.world, stepper, table.state, table.touching, 1e-5, table.rows,
                           table.workspace)
        .found;
  };
  for (const char* model : {"coulomb", "no-slip", "baraff"}) {
    CAPTURE(model);
    const Surface surface{.friction = 0.5, .restitution = 0.1};
    Table fresh(model, {{box_inertia(1.0, size), Box{size}}}, surface);
    Table used(model, {{box_inertia(1.0, size), Box{size}}}, surface);
    settle(used, {0.3, 0.1, -2.0}, 1.0);
    settle(used, {0.0, 0.0, 0.0}, 20.0);
    const bool found = settle(fresh, {0.2, 0.0, -1e-5}, 3.0);
    CHECK(settle(used, {0.2, 0.0, -1e-5}, 3.0) == found);
    CHECK(found);
    CHECK(used.state.v == fresh.state.v);
    CHECK(used.state.ledger.impact_loss == fresh.state.ledger.impact_loss);
    CHECK(used.state.ledger.stabilisation == fresh.state.ledger.stabilisation);
    REQUIRE(used.state.mode.size() == fresh.state.mode.size());
    for (std::size_t i = 0; i < used.state.mode.size(); ++i) {
      CHECK(used.state.mode[i].key == fresh.state.mode[i].key);
      CHECK(used.state.mode[i].sticking == fresh.state.mode[i].sticking);
      CHECK(used.state.mode[i].force_W == fresh.state.mode[i].force_W);
    }
  }
}

}  // namespace pequod::table
