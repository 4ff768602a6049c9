// Which solutions of Coulomb's law are proven to be those of least energy, and which are not.
#include "contact/models/most_dissipation.h"

#include <doctest/doctest.h>

#include "contact/models/friction_form.h"
#include "test/contact/scenes.h"

using namespace pequod;
using namespace pequod::test;

namespace {

struct Brick {
  std::vector<Vector3d> feet;
  double friction;
  Vector3d spin, speed;
};

/// A brick of 2 kg whose feet touch the ground.
Scene brick_on_feet(const Brick& brick) {
  Scene scene;
  ModelBuilder builder;
  builder.add_free_body("brick", {2.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}, {});
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.state.v << brick.spin, brick.speed;
  for (const Vector3d& foot : brick.feet) {
    Contact contact =
        touch(-1, 0, foot, Vector3d::UnitZ(), static_cast<int>(scene.contacts.size()));
    contact.surface.friction = brick.friction;
    scene.contacts.push_back(contact);
  }
  pose(scene);
  return scene;
}

/// Four feet at the height of the centre of mass, which friction does not turn.
std::vector<Vector3d> low_feet() {
  return {{-0.1, -0.1, 0.0}, {-0.1, 0.1, 0.0}, {0.1, -0.1, 0.0}, {0.1, 0.1, 0.0}};
}

ContactSolution coulomb_of(const ContactProblem& problem) {
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_coulomb_cones(problem, make_contact_solver(SolverFamily::friction, ""), {}, workspace,
                      solution);
  REQUIRE(solution.status == SolveStatus::solved);
  return solution;
}

bool is_proven(const ContactProblem& problem, const ContactSolution& solution) {
  ContactWorkspace workspace;
  return dissipates_most(problem, default_solver(), solution, workspace);
}

MaximumDissipationSolution least_energy_of(const ContactProblem& problem) {
  ContactWorkspace workspace;
  pose_friction(problem, false, workspace);
  MaximumDissipationSolution least;
  solve_maximum_dissipation(workspace.friction, {}, workspace.dissipation_solver, least);
  REQUIRE(least.status == SolveStatus::solved);
  return least;
}

/// Share of all energy that Coulomb's impulses leave beyond the least that QP 1 finds.
double left_beyond_least(const ContactProblem& problem, const ContactSolution& coulomb) {
  const double before = 0.5 * problem.y.squaredNorm();
  const double change = 0.5 * coulomb.y.squaredNorm() - before;
  return (change - least_energy_of(problem).energy_change) / before;
}

}  // namespace

// QP 1 is solved to 1e-8 of the energy, and to 1e-7 of κ.
TEST_CASE("a brick that slides straight, or stops, is proven to lose the most energy") {
  for (const double speed : {1.0, 0.001}) {
    CAPTURE(speed);
    const Scene scene = brick_on_feet({low_feet(), 0.4, {0, 0, 0}, {speed, 0.3 * speed, -0.1}});
    const ContactSolution coulomb = coulomb_of(scene.problems[0]);
    CHECK(is_proven(scene.problems[0], coulomb));
    CHECK(std::abs(left_beyond_least(scene.problems[0], coulomb)) <= 2e-7);
  }
}

// The feet slip at four speeds, and less energy is left if those that slip most are pressed most:
// no motion of a rigid body takes them apart by what each slips.
TEST_CASE("a brick that slides and spins is not: pressed elsewhere it loses more") {
  const Scene scene = brick_on_feet({low_feet(), 0.4, {0, 0, 5}, {1, 0.6, -0.1}});
  const ContactSolution coulomb = coulomb_of(scene.problems[0]);
  CHECK_FALSE(is_proven(scene.problems[0], coulomb));
  CHECK(left_beyond_least(scene.problems[0], coulomb) > 1e-6);
}

// Friction of a foot below and before the centre of mass turns the brick onto it or off it: the
// impulse is more than κ, or less, so that more friction could be had.
TEST_CASE("a foot that friction presses or lifts is not where it slides") {
  for (const double forwards : {1.0, -1.0}) {
    CAPTURE(forwards);
    const Scene scene = brick_on_feet({{{0.1, 0, -0.1}}, 0.2, {0, 0, 0}, {forwards, 0, -0.1}});
    const ContactProblem& problem = scene.problems[0];
    const ContactSolution coulomb = coulomb_of(problem);
    CHECK_FALSE(is_proven(problem, coulomb));
    const double kappa = least_energy_of(problem).kappa;
    if (coulomb.fn.sum() <= kappa)
      CHECK(left_beyond_least(problem, coulomb) > 1e-6);
    else
      CHECK(coulomb.fn.sum() > 1.01 * kappa);
  }
}

// The same foot with friction that stops it: κ alone decides.
TEST_CASE("a foot that stops is, unless it pushes harder than without friction") {
  int proven = 0;
  for (const double forwards : {0.1, -0.1}) {
    CAPTURE(forwards);
    const Scene scene = brick_on_feet({{{0.1, 0, -0.1}}, 10.0, {0, 0, 0}, {forwards, 0, -0.1}});
    const ContactProblem& problem = scene.problems[0];
    const ContactSolution coulomb = coulomb_of(problem);
    CHECK(coulomb.sticking[0]);
    const bool feasible = coulomb.fn.sum() <= least_energy_of(problem).kappa;
    CHECK(is_proven(problem, coulomb) == feasible);
    proven += feasible ? 1 : 0;
  }
  CHECK(proven == 1);
}

TEST_CASE("impulses of contacts that are apart are no solution to prove") {
  const Scene scene = brick_on_feet({low_feet(), 0.4, {0, 0, 0}, {1, 0, -0.1}});
  const ContactProblem& problem = scene.problems[0];
  ContactSolution lifted = coulomb_of(problem);
  lifted.y += 1e-3 * problem.normals.matrix().rowwise().sum();
  CHECK_FALSE(is_proven(problem, lifted));
}
