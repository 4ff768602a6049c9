#include "test/simulation/pile_scenes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "simulation/simulation.h"
#include "test/support/cone.h"

namespace pequod::test {
namespace {

// Of r, y⁺ = y + Jᵀ r: what is left of Coulomb's law, of all contacts together, in units in which
// each answers a push by the same (W_ii with a mean diagonal of 1), over the largest of what is
// asked, pushed and moved.
double left_of_law(const BodyProblem& problem, const Eigen::VectorXd& r) {
  Eigen::VectorXd y = problem.y;
  for (int i = 0; i < problem.contacts(); ++i) problem.add(i, r.data() + 3 * i, y);
  double left = 0.0, asked = 0.0, pushed = 0.0, moved = 0.0;
  for (int i = 0; i < problem.contacts(); ++i) {
    double trace = 0.0;
    Eigen::Vector3d u, q;
    for (int k = 0; k < 3; ++k) {
      trace += problem.squared_norm(i, k);
      u[k] = problem.dot(i, k, y) + problem.b[3 * i + k];
      q[k] = problem.dot(i, k, problem.y) + problem.b[3 * i + k];
    }
    const double unit = std::sqrt(3.0 / trace), mu = nth(problem.mu, i);
    const Eigen::Vector3d force = r.segment<3>(3 * i) / unit, speed = unit * u;
    Eigen::Vector3d pulled = force - speed;
    pulled[0] -= mu * speed.tail<2>().norm();
    left += (force - onto_cone(pulled, mu)).squaredNorm();
    asked += unit * unit * q.squaredNorm();
    pushed += force.squaredNorm();
    moved += speed.squaredNorm();
  }
  return std::sqrt(left / std::max({asked, pushed, moved}));
}

}  // namespace

// Every problem of the run as it is shown, measured by the rows alone. 1e-8 is what problems of up
// to 500 contacts are to be solved to; the scale of the solver is no larger than that of here, so
// that what it calls solved is.
TEST_CASE("problems of a wall that is hit are shown as they are solved") {
  const PileScene wall = brick_wall(6, 4, true);
  Scenario scenario = wall.scenario;
  scenario.duration = 0.2;
  int shown = 0, solved = 0, most = 0;
  double worst = 0.0, warm = 0.0;
  Observer observer;
  observer.problem.bodies = [&](const BodyProblem& problem, const BodyFrictionOptions& options,
                                std::span<const double> start,
                                const BodyFrictionSolution& solution) {
    ++shown;
    most = std::max(most, problem.contacts());
    CHECK(options.enough == 1e-8);
    if (!start.empty()) {
      CHECK(static_cast<int>(start.size()) == 3 * problem.contacts());
      warm += 1.0;
    }
    if (!solution.converged) return;
    ++solved;
    worst = std::max(worst, left_of_law(problem, solution.r));
  };
  Simulation(scenario, observer).run();
  std::printf("hit wall: %d of %d problems of up to %d contacts solved, worst %.1e\n", solved,
              shown, most, worst);
  CHECK(shown > 20);
  CHECK(most > 80);
  CHECK(warm > 0.9 * shown);
  CHECK(solved > 0.9 * shown);
  CHECK(worst < 1.01e-8);
}

}  // namespace pequod::test
