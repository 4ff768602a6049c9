// Many contacts in reach, of which few are solved for: the solution is one of all.
#include "simulation/trial/needed_contacts.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

constexpr double kStep = 1e-3;  // s

// A shell of facets, whose lowest corners touch the ground or are near it. It falls, slides, spins.
Scene faceted_shell(Random& random, int corners) {
  Scene scene;
  ModelBuilder builder;
  builder.add_free_body("shell", {2.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}, {});
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.state.v << random.vector(60.0), random.vector(1.0);
  scene.state.v[5] = -0.3;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.4 * i, off = 0.06 * std::sqrt(double(i) / corners);
    const double gap = i < 3 ? 0.0 : 0.5 * off * off + 2e-5;  // of a radius of 1 m
    const Vector3d corner(off * std::cos(angle), off * std::sin(angle), gap - 0.1);
    Contact contact = touch(-1, 0, corner, Vector3d::UnitZ(), i);
    contact.gap = gap;
    contact.surface.friction = 0.4;
    scene.contacts.push_back(contact);
  }
  pose(scene);
  ContactProblem& problem = scene.problems[0];
  for (int i = 0; i < corners; ++i) {
    const double gap = nth(scene.contacts, i).gap;
    problem.c[i] = gap < 1e-9 ? 0.0 : -gap / kStep;
  }
  problem.step = kStep;
  return scene;
}

}  // namespace

// Judged by the conditions of the whole problem: nothing passes its gap, what pushes closes it,
// and the impulses lead to the velocity. Without friction the solution is unique, and the same.
TEST_CASE("contacts that are left out are passed by nothing, and the others' impulses do it all") {
  Random random(21);
  for (const char* name : {"frictionless", "no-slip", "coulomb", "stewart-trinkle"}) {
    const ContactModel& model = *find_contact_model(name);
    const ContactSolver solver = make_contact_solver(model.family, {});
    Worst passed, pushed, balance, other;
    std::size_t posed = 0;
    for (int trial = 0; trial < 50; ++trial) {
      const Scene scene = faceted_shell(random, 120);
      const ContactProblem& problem = scene.problems[0];
      NeededBuffers buffers;
      ContactWorkspace workspace;
      ContactSolution solution;
      const std::vector<int> warm = {7, 2};
      REQUIRE(solve_needed(model, solver, problem, warm, buffers, workspace, solution));
      posed = std::max(posed, buffers.chosen.size());
      const VectorXd speeds = normal_speeds(problem, solution.y) - problem.c;
      passed.see(-speeds.minCoeff());
      pushed.see((solution.fn.array() * speeds.array()).abs().maxCoeff());
      for (const int i : solution.active) CHECK(solution.fn[i] > 0.0);
      const VectorXd off = after_impulses(problem, solution.fn, solution.ft) - solution.y;
      balance.see(off.norm() / impulse_scale(problem, solution.fn, solution.ft));
      if (model.name != "frictionless") continue;
      ContactSolution whole;
      model.solve(problem, solver, {}, workspace, whole);
      other.see((solution.y - whole.y).norm() / whole.y.norm());
    }
    MESSAGE(std::string(name) << ": at most " << posed << " of 120 posed; passed by "
                              << passed.value() << " m/s, impulse times speed " << pushed.value()
                              << ", balance " << balance.value());
    CHECK(posed > 5);  // some were found to be passed
    CHECK(posed < 90);
    CHECK(passed.value() < 1e-10);
    CHECK(pushed.value() < 1e-9);
    CHECK(balance.value() < 1e-12);
    CHECK(other.value() < 1e-12);
  }
}

TEST_CASE("few open contacts are solved for as they are") {
  Random random(22);
  const ContactModel& model = *find_contact_model("coulomb");
  const Scene scene = faceted_shell(random, 10);
  NeededBuffers buffers;
  ContactWorkspace workspace;
  ContactSolution solution;
  CHECK_FALSE(solve_needed(model, make_contact_solver(model.family, {}), scene.problems[0], {},
                           buffers, workspace, solution));
}
