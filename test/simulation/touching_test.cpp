// The contacts and joint limits that touch at one state.
#include "simulation/touching.h"

#include <doctest/doctest.h>

namespace pequod {
namespace {

// Contact points of the shapes 0, 1, …, and behind them limits of the joints 0, 1, ….
Touching touching_of(int points, int limits) {
  Touching touching;
  for (int i = 0; i < points; ++i) {
    ContactPoint point;
    point.key = {i, i + 1, 0};
    touching.points.push_back(point);
    touching.contacts.emplace_back().key = point.key;
  }
  for (int i = 0; i < limits; ++i) touching.contacts.emplace_back().key = joint_limit_key(i, false);
  return touching;
}

}  // namespace

// A contact that was added behind a joint limit had no point, and following it read beyond them.
TEST_CASE("contacts precede joint limits in whatever order they are added") {
  const Touching from = touching_of(3, 2);
  Touching touching;
  for (const std::size_t i : {3U, 0U, 4U, 2U, 1U}) touching.add(from, i);
  REQUIRE(touching.size() == 5);
  REQUIRE(touching.points.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_FALSE(is_joint_limit(touching.contacts[i].key));
    CHECK(touching.points[i].key == touching.contacts[i].key);
  }
  CHECK(touching.contacts[1].key == from.contacts[2].key);
  CHECK(is_joint_limit(touching.contacts[3].key));
  CHECK(is_joint_limit(touching.contacts[4].key));
}

}  // namespace pequod
