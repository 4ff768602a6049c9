// The picture that compares solvers.
#include "app/performance_profile.h"

#include <doctest/doctest.h>

namespace pequod::app {
namespace {

Solved solved(const char* file, const char* solver, double time,
              SolveStatus status = SolveStatus::solved) {
  Solved result;
  result.file = file;
  result.asked = solver;
  result.answer.status = status;
  result.answer.time = time;
  return result;
}

}  // namespace

// Two solvers on three problems, worked out by hand.
TEST_CASE("a profile is the share of problems solved within a multiple of the best time") {
  const std::vector<Solved> all{solved("1", "a", 1.0),
                                solved("1", "b", 3.0),
                                solved("2", "a", 4.0),
                                solved("2", "b", 2.0, SolveStatus::no_solution),
                                solved("3", "a", 1.0, SolveStatus::failed),
                                solved("3", "b", 5.0)};
  const std::vector<Profile> profiles = performance_profiles(all);
  REQUIRE(profiles.size() == 2);
  CHECK(profiles[0].ratios == std::vector<double>{1.0, 2.0});
  CHECK(profiles[1].ratios == std::vector<double>{1.0, 1.0, 3.0});
  CHECK(profiles[0].problems == 3);
  CHECK(share(profiles[0], 1.0) == 1.0 / 3.0);
  CHECK(share(profiles[0], 1.9) == 1.0 / 3.0);
  CHECK(share(profiles[0], 100.0) == 2.0 / 3.0);
  CHECK(share(profiles[1], 1.0) == 2.0 / 3.0);
  CHECK(share(profiles[1], 3.0) == 1.0);
}

TEST_CASE(
    "a problem that nobody solves counts against all, and no solver at all plots axes alone") {
  const std::vector<Profile> profiles =
      performance_profiles(std::vector<Solved>{solved("1", "a", 1.0, SolveStatus::failed)});
  CHECK(share(profiles.at(0), 1e9) == 0.0);
  CHECK(profile_svg(profiles).find("a (0/1)") != std::string::npos);
  CHECK(profile_svg({}).ends_with("</svg>\n"));
}

}  // namespace pequod::app
