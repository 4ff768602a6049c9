#include "simulation/checkpoint.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace pequod {
namespace {

Checkpoint some_checkpoint() {
  Checkpoint c;
  c.version = "1.2.3";
  c.scene_hash = 0x0123456789abcdefu;
  c.finished = true;
  c.wall_time = 1.5;
  c.offsets = {1, 2, 3, 4, 5};
  c.state.t = 0.1;
  c.state.step = 1e-4;
  c.state.q = VectorXd::LinSpaced(7, 0.1, 0.7);
  c.state.v = VectorXd::LinSpaced(6, -1.0, 1.0);
  c.state.ledger = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 7.0};
  c.state.tau = VectorXd::Constant(6, -0.0);
  c.state.memory = VectorXd::Constant(3, kNaN);
  c.state.ticks = {10, 20};
  c.state.records = 11;
  c.state.steps = 12;
  ContactMode mode;
  mode.key = {3, 4, 0xfedcba9876543210u};
  mode.sticking = mode.active = true;
  mode.closed = false;
  mode.floating = true;
  mode.share = 0.25;
  mode.force_W = {1.0, 2.0, 3.0};
  mode.point_W = {4.0, 5.0, 6.0};
  mode.normal_W = {0.0, 0.6, 0.8};
  mode.gap = 1e-12;
  c.state.mode = {mode, mode};
  c.statistics.steps = 100;
  c.statistics.worst_residual = 1e-14;
  c.statistics.events[1] = 7;
  return c;
}

}  // namespace

TEST_CASE("a checkpoint comes back as it was, to the bit") {
  const Checkpoint c = some_checkpoint();
  const std::string bytes = encode(c);
  const Checkpoint read = decode(bytes);
  CHECK(encode(read) == bytes);
  CHECK(read.version == c.version);
  CHECK(read.finished);
  CHECK(read.offsets == c.offsets);
  CHECK(read.state.q == c.state.q);
  CHECK(read.state.ledger.initial == 7.0);
  CHECK(read.state.ledger.normal_loss == 8.0);
  CHECK(read.state.steps == 12);
  CHECK(std::isnan(read.state.memory[1]));
  CHECK(std::signbit(read.state.tau[0]));
  REQUIRE(read.state.mode.size() == 2);
  CHECK(read.state.mode[1].key == c.state.mode[1].key);
  CHECK(read.state.mode[1].floating);
  CHECK(read.state.mode[1].share == 0.25);
  CHECK(read.state.mode[1].normal_W == c.state.mode[1].normal_W);
  CHECK(read.statistics.events == c.statistics.events);
}

TEST_CASE("a checkpoint with any byte changed, missing or added is refused") {
  const std::string bytes = encode(some_checkpoint());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 0x10;
    CHECK_THROWS_AS((void)decode(damaged), std::invalid_argument);
    CHECK_THROWS_AS((void)decode(bytes.substr(0, i)), std::invalid_argument);
  }
  CHECK_THROWS_AS((void)decode(bytes + "x"), std::invalid_argument);
}

}  // namespace pequod
