// The choice of modes at an instant.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulation/settle/friction_mode.h"
#include "simulation/settle/mode.h"
#include "simulation/settle/tolerances.h"
#include "test/simulation/settle_table.h"

namespace pequod::table {

TEST_CASE("a ball at rest on the floor is held, and leaves it where it is lifted") {
  Table table = balls("frictionless", 1, 0.0);
  table.p(0).z() = kRadius;
  table.find();
  ChosenMode chosen;
  const double weight = 2.0 * g;  // N
  for (const double lift : {0.0, 0.9 * weight, 1.1 * weight}) {
    CAPTURE(lift);
    table.force(0).z() = lift;
    solve_mode(table.world, table.here, table.state, table.touching, nullptr, chosen,
               table.workspace);
    REQUIRE(chosen.held.size() == (lift < weight ? 1 : 0));
    CHECK(chosen.stats.solves == 1);
    if (lift < weight) CHECK_FALSE(chosen.held[0].floating);
  }
}

TEST_CASE("a mode that is set holds its contacts at rest and tells which open") {
  Table table = balls("frictionless", 2, 0.0);
  table.p(0).z() = kRadius;
  table.p(1) << 1.0, 0.0, kRadius;
  table.find();
  choose_mode(table.world, table.here, table.state, table.touching, table.rows, table.workspace);
  CHECK(table.state.mode.size() == 2);
  CHECK(table.rows.empty());
  table.force(1).z() = 3.0 * g;
  choose_mode(table.world, table.here, table.state, table.touching, table.rows, table.workspace);
  REQUIRE(table.state.mode.size() == 1);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].kind == EventKind::lift_off);
  CHECK_FALSE(table.rows[0].key == table.state.mode[0].key);
}

TEST_CASE("a contact whose mode ends goes over to its neighbouring mode") {
  State state;
  ContactMode mode;
  mode.key = {0, 1, 0};
  state.mode = {mode};
  std::vector<HeldKey> held = {{mode.key, false}};
  leave_mode(state, mode.key, held);
  CHECK(held.empty());  // closed: it opens
  state.mode[0].floating = true;
  for (const double share : {0.0, 1.0}) {
    state.mode[0].share = share;
    held = {{mode.key, true}};
    leave_mode(state, mode.key, held);
    if (share > 0.5)
      CHECK_FALSE(held.at(0).floating);  // all of its friction acts: it closes
    else
      CHECK(held.empty());
  }
  held = {{mode.key, false}};  // the solve has changed it already
  leave_mode(state, mode.key, held);
  CHECK(held.size() == 1);
}

// Pushed at the height of its centre, the block would tip at m g only.
TEST_CASE("a block that is pushed sticks up to μ m g and slides beyond") {
  constexpr double mu = 0.5, m = 1.0;
  const Vector3d size = Vector3d::Constant(0.2);
  for (const char* model : {"coulomb", "baraff"})
    for (const double push : {0.9 * mu * m * g, 1.1 * mu * m * g}) {
      CAPTURE(model);
      CAPTURE(push);
      Table table(model, {{box_inertia(m, size), Box{size}}}, {.friction = mu});
      const World& world = table.world;
      REQUIRE(world.rubs());
      Stepper stepper(world, make_method(world, world.contact, "rk4"));
      const double look = 1e-5;  // s
      table.p(0).z() = 0.1;
      table.find();
      REQUIRE(table.touching.size() == 4);
      FrictionModeWorkspace& workspace = table.workspace.friction;
      CHECK(choose_friction_mode(world, stepper, table.state, table.touching, look, table.rows,
                                 workspace)
                .found);
      CHECK(table.rows.empty());
      table.force(0).x() = push;
      const bool sticks = push < mu * m * g;
      CHECK(friction_mode_holds(world, stepper, table.state, table.touching, look, workspace) ==
            sticks);
      const FrictionChoice choice = choose_friction_mode(
          world, stepper, table.state, table.touching, look, table.rows, workspace);
      CHECK(choice.found);
      REQUIRE(table.state.mode.size() == 4);
      CHECK(table.rows.size() == (sticks ? 0 : 4));
      for (const ContactMode& mode : table.state.mode) {
        CHECK(mode.sticking == sticks);
        if (!sticks) CHECK(mode.slide.direction_W.x() == doctest::Approx(1.0).epsilon(1e-6));
      }
      for (const EventRow& row : table.rows) CHECK(row.kind == EventKind::slip);
    }
}

}  // namespace pequod::table
