// What every model with friction cones owes: energy, no approach, its own cone, joints in bounds.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contact/impact.h"
#include "contact/models/friction_form.h"
#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

ContactSolver solver_of(const ContactModel& model, std::string_view name = {}) {
  return make_contact_solver(model.family, name);
}

std::vector<const ContactModel*> cone_models() {
  std::vector<const ContactModel*> models;
  for (const ContactModel& model : contact_models())
    if (model.family != SolverFamily::least_distance) models.push_back(&model);
  return models;
}

/// A random scene whose contacts have μ of 0 to `most`.
Scene random_friction_scene(Random& random, double most) {
  Scene scene = random_scene(random);
  for (ContactProblem& problem : scene.problems)
    for (double& mu : problem.friction)
      if (mu > 0.0) mu = random.uniform(0.0, 1.0) < 0.05 ? 0.0 : random.uniform(0.0, most);
  return scene;
}

/// Largest |ft| − μ fn, N·s.
double outside_cone(const ContactProblem& problem, const ContactSolution& solution) {
  double worst = 0.0;
  for (int i = 0; i < problem.n; ++i)
    if (!nth(problem.limit, i))
      worst = std::max(
          worst, solution.ft.segment<2>(2 * i).norm() - nth(problem.friction, i) * solution.fn[i]);
  return worst;
}

/// A brick of mass m on a corner of its lower face, moved along x at v and pressed by h m g.
Scene sliding_brick(double mu, double v, double h) {
  Scene scene;
  ModelBuilder builder;
  builder.add_free_body("brick", {2.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}, {});
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.state.v << 0.0, 0.0, 0.0, v, 0.0, -9.81 * h;
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) {
      Contact contact =
          touch(-1, 0, {x, y, -1e-9}, Vector3d::UnitZ(), static_cast<int>(scene.contacts.size()));
      contact.surface.friction = mu;
      scene.contacts.push_back(contact);
    }
  pose(scene);
  return scene;
}

}  // namespace

// Pressed by an impulse m g h, a brick loses μ g h of its speed, or all of it if that is more.
TEST_CASE("a brick slides or sticks as its cone says, under every model with a round cone") {
  for (const ContactModel* model : cone_models()) {
    if (model->family == SolverFamily::pyramid) continue;  // its cone has corners
    for (const double v : {1.0, 0.001}) {
      const double mu = 0.4, h = 0.01;
      Scene scene = sliding_brick(mu, v, h);
      ContactWorkspace workspace;
      ContactSolution solution;
      model->solve(scene.problems[0], solver_of(*model), {}, workspace, solution);
      REQUIRE(solution.status == SolveStatus::solved);
      VectorXd after = solution.y;
      island_solve_L(scene.model, scene.factor, scene.islands[0], after);
      VectorXd expected = VectorXd::Zero(6);
      expected[3] = std::max(0.0, v - mu * 9.81 * h);
      // The interior point method ends 1e-8 from the least energy, in speed the root of that.
      const double tolerance = model->family == SolverFamily::dissipation ? 1e-5 : 1e-12;
      INFO(model->name);
      CHECK((after - expected).norm() < tolerance);
    }
  }
}

TEST_CASE("models with cones: no gain, no approach, cones kept, impulses that lead there") {
  Random random(303);
  for (const ContactModel* model : cone_models()) {
    const ContactSolver solver = solver_of(*model);
    Worst gain, approach, cone, balance;
    int islands = 0, unsolved = 0;
    for (int trial = 0; trial < 200; ++trial) {
      Scene scene = random_friction_scene(random, 1.5);
      for (const ContactProblem& problem : scene.problems) {
        ContactWorkspace workspace;
        ContactSolution solution;
        model->solve(problem, solver, {}, workspace, solution);
        ++islands;
        if (solution.status != SolveStatus::solved) {
          MESSAGE(model->name << ": " << solution.reason);
          ++unsolved;
          continue;
        }
        const double energy = problem.y.squaredNorm(), speed = std::sqrt(energy);
        gain.see((solution.y.squaredNorm() - energy) / energy);
        approach.see(-normal_speeds(problem, solution.y).minCoeff());
        cone.see(outside_cone(problem, solution) / speed);
        const VectorXd off = after_impulses(problem, solution.fn, solution.ft) - solution.y;
        balance.see(off.norm() / impulse_scale(problem, solution.fn, solution.ft));
      }
    }
    MESSAGE(model->name << ": " << islands << " islands, " << unsolved << " unsolved; gain "
                        << gain.value() << ", approach " << approach.value()
                        << " m/s, outside cone " << cone.value() << ", balance "
                        << balance.value());
    // Asked of every model.
    CHECK(gain.value() < 1e-12);
    CHECK(approach.value() < 1e-10);
    CHECK(cone.value() < 1e-10);
    CHECK(balance.value() < 1e-12);
    CHECK(unsolved == 0);
  }
}

// A joint between two links with bound b: with nothing else it loses b/M of its speed, or stops.
TEST_CASE("joint friction is bounded and stops what it can, under every model") {
  for (const ContactModel& model : contact_models()) {
    Random random(7);
    Scene scene = random_scene(random);
    ContactProblem problem = scene.problems[0];
    problem.normals.reset(problem.m);
    problem.tangents.reset(problem.m);
    problem.n = 0;
    problem.limit.clear();
    problem.friction.clear();
    problem.viscous.clear();
    problem.patch.clear();
    problem.c.resize(0);
    problem.rest.setZero(1);
    problem.joints.reset(problem.m);
    problem.joints.append() = VectorXd::Unit(problem.m, 0) * 0.5;
    problem.rest = VectorXd::Zero(1);
    for (const double bound : {0.01, 100.0}) {
      problem.bound = {bound};
      problem.slide = {0};
      ContactWorkspace workspace;
      ContactSolution solution;
      model.solve(problem, solver_of(model), {}, workspace, solution);
      INFO(model.name << ", bound " << bound);
      REQUIRE(solution.status == SolveStatus::solved);
      const double before = 0.5 * problem.y[0];
      const double free = std::abs(before) - 0.25 * bound;
      const double expected = free > 0.0 ? std::copysign(free, before) : 0.0;
      CHECK(std::abs(0.5 * solution.y[0] - expected) < 1e-12);
      CHECK(std::abs(solution.fj[0]) <= bound * (1 + 1e-12));
    }
  }
}

// Kane & Levinson 1985 (problem 14.6), Stronge 1990: with friction, Newton's law can add energy.
TEST_CASE("Newton's raw law adds energy with friction; reduced it does not, nor does Poisson's") {
  const ContactModel& model = *find_contact_model("coulomb");
  Random random(11);
  Worst gain_raw, gain_newton, gain_poisson;
  int reduced = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Scene scene = random_friction_scene(random, 1.0);
    for (ContactProblem& problem : scene.problems) {
      const std::vector<double> e(static_cast<std::size_t>(problem.n), 0.8);
      const double energy = 0.5 * problem.y.squaredNorm();
      const auto gain = [&](Restitution law) {
        ContactWorkspace workspace;
        ImpactSolution solution;
        resolve_impact(problem, model, solver_of(model), law, e, {}, workspace, solution);
        if (law == Restitution::newton_raw && solution.status != SolveStatus::solved)
          return 0.0;  // walls that are told to part may pinch
        REQUIRE(solution.status == SolveStatus::solved);
        reduced += law == Restitution::newton && solution.reduced;
        return -solution.loss / energy;
      };
      gain_raw.see(gain(Restitution::newton_raw));
      gain_newton.see(gain(Restitution::newton));
      gain_poisson.see(gain(Restitution::poisson));
    }
  }
  MESSAGE("gain, relative: raw " << gain_raw.value() << ", Newton " << gain_newton.value() << " ("
                                 << reduced << " reduced), Poisson " << gain_poisson.value());
  CHECK(gain_raw.value() > 1e-3);
  CHECK(gain_newton.value() < 4e-12);  // what resolve_impact takes for rounding
  CHECK(gain_poisson.value() < 4e-12);
  CHECK(reduced > 0);
}

TEST_CASE("a solver that does not serve a model is refused, with the names of those that do") {
  CHECK_THROWS_WITH(make_contact_solver(SolverFamily::friction, "dual"),
                    doctest::Contains("coulomb semismooth-newton"));
  for (const ContactModel& model : contact_models()) {
    CHECK(solver_of(model).name == solver_names(model.family).front());
    for (const std::string_view name : solver_names(model.family))
      CHECK(solver_of(model, name).name == name);
  }
}

namespace {

// A floor of balls that a row of others lies on, falling: one island of 149 contacts.
Scene floor_of_balls() {
  Random random(93);
  const int balls = 100;
  Scene scene = balls_in_a_row(std::vector<double>(balls, 1.0), 0.1);
  for (int i = 0; i < balls; i += 2)
    scene.contacts.push_back(
        touch(-1, i, {0.2 * i, 0.0, -0.1}, Vector3d::UnitZ(), static_cast<int>(balls + i)));
  for (Contact& contact : scene.contacts) contact.surface.friction = 0.3;
  for (double& x : scene.state.v) x = random.uniform(-0.1, 0.1);
  for (int i = 0; i < balls; ++i) scene.state.v[6 * i + 5] -= 0.5;
  pose(scene);
  REQUIRE(scene.problems.size() == 1);
  REQUIRE(scene.problems[0].n == 149);
  return scene;
}

// With a coordinate more, on which nothing acts: free bodies fill blocks of six.
ContactProblem with_idle_coordinate(const ContactProblem& problem) {
  ContactProblem out = problem;
  ++out.m;
  const auto widen = [&](const ColumnBuffer& from, ColumnBuffer& to) {
    to.reset(out.m);
    for (Eigen::Index i = 0; i < from.columns(); ++i)
      to.append().head(problem.m) = from.col(i).head(problem.m);
  };
  widen(problem.normals, out.normals);
  widen(problem.tangents, out.tangents);
  out.y.setZero(out.m);
  out.y.head(problem.m) = problem.y;
  return out;
}

// The dense problem of the same contacts is the measure.
void check_impulses(const ContactProblem& problem, const ContactSolution& solution,
                    const VectorXd& r) {
  ContactWorkspace workspace;
  FrictionSolution measured;
  measured.r = r;
  pose_friction(problem, true, workspace);
  measure(workspace.friction, measured);
  CHECK(measured.residuals.scaled < 1e-8);
  CHECK(solution.y.norm() < problem.y.norm());
}

}  // namespace

TEST_CASE("an island of many contacts obeys Coulomb's law to the accuracy that is asked") {
  const Scene scene = floor_of_balls();
  const ContactProblem& bodies = scene.problems[0];
  const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_coulomb_cones(bodies, solver, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  REQUIRE(workspace.body_solution.converged);
  check_impulses(bodies, solution, workspace.body_solution.r);
  const ContactProblem others = with_idle_coordinate(bodies);  // what is no set of free bodies
  solve_coulomb_cones(others, solver, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(workspace.friction_solution.method == "newton");
  check_impulses(others, solution, workspace.friction_solution.r);
}
