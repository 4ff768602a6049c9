#include "contact/solvers/registry/least_distance_solvers.h"

#include <doctest/doctest.h>

#include "contact/solvers/least_distance/dual.h"

namespace pequod {
namespace {

TEST_CASE("solvers are found by the names that a scene uses") {
  for (const std::string_view name : {"dual", "ppm", "lemke"})
    CHECK(find_least_distance_solver(name) != nullptr);
  CHECK(find_least_distance_solver("Dual") == nullptr);
  CHECK(find_least_distance_solver("") == nullptr);
}

TEST_CASE("the default is the solver that cannot cycle") {
  CHECK(least_distance_solvers().front().name == "dual");
  for (const LeastDistanceSolver& solver : least_distance_solvers())
    CHECK_FALSE(solver.description.empty());
}

}  // namespace
}  // namespace pequod
