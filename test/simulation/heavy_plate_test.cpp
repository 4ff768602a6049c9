// A block on a plate that weighs up to 1e10 times as much: the cone that counts is the block's own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kPlateSpeed = 0.2, kBlock = 0.5, kLift = 0.5;  // m/s, kg, kg of the guide above it
constexpr double kStiffness = 100.0, kFriction = 0.4;           // N/m of a spring set each tick
constexpr double kTick = 1e-3, kDuration = 0.25;                // s

std::string block_on_plate(const std::string& model, double plate) {
  return fmt::format(
      "duration: {}\nintegrator: {{method: rk4, step: {}}}\ncontact: {{model: {}}}\n"
      "bodies:\n  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
      "  plate: {{mass: {}, shape: {{box: {{size: [20, 2, 0.1]}}}}, position: [0, 0, 0.05],"
      " velocity: [{}, 0, 0]}}\n"
      "surfaces:\n- {{between: [r, plate], friction: {}}}\n- {{between: ['*', '*'], friction: 0}}\n"
      "robots:\n  r:\n    base: {{fixed: true}}\n    links:\n"
      "      base: {{mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}}}\n"
      "      guide: {{mass: {}, inertia: {{ixx: 1, iyy: 1, izz: 1}},\n"
      "        joint: {{name: lift, parent: base, type: prismatic, axis: [0, 0, 1]}}}}\n"
      "      block: {{mass: {}, shape: {{box: {{size: [0.1, 0.1, 0.1]}}}},\n"
      "        joint: {{name: x, parent: guide, type: prismatic, axis: [1, 0, 0]}}}}\n"
      "    joints: {{lift: {{position: 0.15}}}}\n"
      "    controller: {{type: pd, kp: {}, kd: 0, period: {}, target: {{x: 0, lift: 0.15}}}}\n",
      kDuration, kTick, model, plate, kPlateSpeed, kFriction, kLift, kBlock, kStiffness, kTick);
}

struct Block {
  double x = 0.0, slips = kNaN;  // m at the end; s, when it slips again
};

// The block on a plate that nothing slows: a parabola in each tick, cut where it sticks.
Block integrate_block() {
  const double bound = kFriction * (kBlock + kLift) * 9.81;  // N
  Block block;
  double v = 0.0;
  bool sticks = false;
  for (int tick = 0; tick < std::lround(kDuration / kTick); ++tick) {
    const double spring = kStiffness * block.x;
    if (sticks && spring > bound) {
      sticks = false;
      block.slips = tick * kTick;
    }
    const double a = (bound - spring) / kBlock;
    const double slide = sticks ? 0.0 : a > 0.0 ? std::min(kTick, (kPlateSpeed - v) / a) : kTick;
    block.x += v * slide + 0.5 * a * slide * slide + kPlateSpeed * (kTick - slide);
    v += a * slide;
    sticks = sticks || slide < kTick;
    if (sticks) v = kPlateSpeed;
  }
  return block;
}

Block simulate_block(const std::string& model, double plate) {
  const Folder folder;
  Block block;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      if (row.kind == EventKind::slip && !(block.slips <= row.t)) block.slips = row.t;
  };
  const Scenario scenario = load(folder, block_on_plate(model, plate));
  Simulation run(scenario, observer);
  run.run();
  block.x = run.state().q[run.state().q.size() - 1];
  return block;
}

}  // namespace

// The plate is slowed by what friction takes from it, some 0.8 N·s, for which 1 m/M is room enough.
TEST_CASE("a block on a heavy plate slips at its own cone, whatever the plate weighs") {
  const Block expected = integrate_block();
  CHECK(expected.slips == doctest::Approx(0.21).epsilon(1e-9));
  for (const char* model : {"coulomb", "baraff"}) {
    for (const double plate : {1e3, 1e5, 1e6, 1e7, 1e9, 1e10}) {
      CAPTURE(model);
      CAPTURE(plate);
      const Block block = simulate_block(model, plate);
      CHECK(std::abs(block.slips - expected.slips) <= 1e-9);
      CHECK(std::abs(block.x - expected.x) <= 1e-6 + 1.0 / plate);
    }
  }
}

}  // namespace pequod::test
