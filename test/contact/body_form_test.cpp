// Coulomb's law of many bodies in their own coordinates, judged by W of all contacts.
#include "contact/models/body_form.h"

#include <doctest/doctest.h>

#include "contact/models/friction_form.h"
#include "contact/select_contacts.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

// Contacts between neighbours of a ring of free bodies, and of each with the world. Rows are at
// random; the bodies fall onto all of them.
ContactProblem ring_of_bodies(int bodies, std::uint64_t seed) {
  Random random{seed};
  ContactProblem problem;
  problem.m = kBodyWidth * bodies;
  problem.normals.reset(problem.m);
  problem.tangents.reset(problem.m);
  const auto fill = [&](Eigen::Ref<VectorXd> column, int body, double sign) {
    for (int c = 0; c < kBodyWidth; ++c)
      column[kBodyWidth * body + c] = sign * random.uniform(-1.0, 1.0);
  };
  for (int i = 0; i < 2 * bodies; ++i) {
    const int first = i / 2, second = i % 2 == 0 ? -1 : (first + 1) % bodies;
    for (int k = 0; k < 3; ++k) {
      auto column = (k == 0 ? problem.normals : problem.tangents).append();
      fill(column, first, 1.0);
      if (second >= 0) fill(column, second, -1.0);
    }
    problem.friction.push_back(random.uniform(0.0, 0.8));
  }
  problem.n = 2 * bodies;
  problem.c.setZero(problem.n);
  problem.limit.assign(static_cast<std::size_t>(problem.n), 0);
  problem.patch.resize(static_cast<std::size_t>(problem.n));
  for (int i = 0; i < problem.n; ++i) nth(problem.patch, i) = i;
  problem.y = -problem.normals.matrix().rowwise().sum();
  problem.step = 1e-3;
  return problem;
}

// The natural map of the impulses that the model gave, with W and q of the whole problem.
double residual_of(const ContactProblem& problem, const ContactSolution& solution) {
  ContactWorkspace workspace;
  pose_friction(problem, true, workspace);
  FrictionSolution judged;
  judged.r.resize(3 * problem.n);
  for (int i = 0; i < problem.n; ++i)
    judged.r.segment<3>(3 * i) << solution.fn[i], solution.ft.segment<2>(2 * i);
  measure(workspace.friction, judged);
  return judged.residuals.scaled;
}

ContactSolution solve(const ContactProblem& problem, const ContactSolver& solver) {
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_coulomb_cones(problem, solver, {}, workspace, solution);
  return solution;
}

// y⁺ by the impulses.
VectorXd motion_of(const ContactProblem& problem, const ContactSolution& solution) {
  VectorXd y = problem.y;
  for (int i = 0; i < problem.n; ++i)
    y += solution.fn[i] * problem.normals.col(i) +
         solution.ft[2 * i] * problem.tangents.col(2 * i) +
         solution.ft[2 * i + 1] * problem.tangents.col(2 * i + 1);
  return y;
}

}  // namespace

TEST_CASE("impulses of many bodies solve the problem of all contacts") {
  const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  for (const int bodies : {50, 75, 150}) {
    const ContactProblem problem = ring_of_bodies(bodies, 7u + static_cast<unsigned>(bodies));
    const ContactSolution solution = solve(problem, solver);
    CAPTURE(bodies);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(residual_of(problem, solution) <= 1e-8);
    CHECK((motion_of(problem, solution) - solution.y).norm() <= 1e-12 * problem.y.norm());
  }
}

// 1e-8 of S² is what each may be above the least energy; |y|² is of the order of S².
TEST_CASE("drumwright-shell of many bodies leaves the energy of QP 1 over all contacts") {
  const ContactSolver solver = make_contact_solver(SolverFamily::dissipation, "");
  const ContactProblem problem = ring_of_bodies(60, 21);
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_drumwright_shell(problem, solver, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  pose_friction(problem, false, workspace);
  MaximumDissipationSolution dense;
  solve_maximum_dissipation(workspace.friction, {}, workspace.dissipation_solver, dense);
  REQUIRE(dense.status == SolveStatus::solved);
  const double change = 0.5 * (solution.y.squaredNorm() - problem.y.squaredNorm());
  CHECK(std::abs(change - dense.energy_change) <= 1e-7 * problem.y.squaredNorm());
  CHECK((motion_of(problem, solution) - solution.y).norm() <= 1e-12 * problem.y.norm());
}

// Contacts that are apart take no part under Anitescu & Potra's law; under Stewart & Trinkle's they
// may come nearer by their gap.
TEST_CASE("pyramids of many bodies: contacts that are apart") {
  const ContactSolver solver = make_contact_solver(SolverFamily::pyramid, "");
  ContactProblem problem = ring_of_bodies(60, 23);
  for (int i = 0; i < problem.n; i += 5) problem.c[i] = -0.1;
  ContactWorkspace workspace;
  for (const auto& law : {solve_anitescu_potra, solve_stewart_trinkle}) {
    ContactSolution solution;
    law(problem, solver, {}, workspace, solution);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((motion_of(problem, solution) - solution.y).norm() <= 1e-12 * problem.y.norm());
    for (int i = 0; i < problem.n; ++i) {
      const bool apart = problem.c[i] < 0.0;
      const double u = problem.normals.col(i).dot(solution.y) - problem.c[i];
      if (apart && law == solve_anitescu_potra)
        CHECK(solution.fn[i] == 0.0);
      else
        CHECK(std::min(u, solution.fn[i]) >= -1e-7 * problem.y.norm());
    }
  }
}

namespace {

// The same problem with its rows by bodies.
ContactProblem in_bodies(const ContactProblem& columns) {
  ContactProblem problem = columns;
  BodyProblem posed;
  REQUIRE(pose_bodies(columns, posed));
  problem.bodies = posed;
  problem.normals.reset(problem.m);
  problem.tangents.reset(problem.m);
  return problem;
}

}  // namespace

// Some contacts may come nearer: what is left out of the solve must hold by itself.
TEST_CASE("an island in the coordinates of its bodies is solved for all its contacts") {
  const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  for (const int bodies : {50, 150}) {
    ContactProblem columns = ring_of_bodies(bodies, 5u + static_cast<unsigned>(bodies));
    const VectorXd speed = columns.normals.matrix().transpose() * columns.y;
    for (int i = 0; i < columns.n; i += 3) columns.c[i] = (i % 2 == 0 ? 0.5 : 1.5) * speed[i];
    const ContactSolution solution = solve(in_bodies(columns), solver);
    CAPTURE(bodies);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(residual_of(columns, solution) <= 1e-8);
    CHECK(((columns.normals.matrix().transpose() * solution.y - columns.c).array() >=
           -1e-8 * columns.y.norm())
              .all());
    CHECK(std::ssize(solution.active) < columns.n);
    CHECK(std::ssize(solution.active) > 0);
  }
}

// Contacts far away, which nothing passes, take no part; y of QP 1 is unique, and its energy that
// of the least to 1e-8.
TEST_CASE("drumwright-shell finds the same motion from rows by bodies as from columns") {
  const ContactSolver solver = make_contact_solver(SolverFamily::dissipation, "");
  ContactProblem columns = ring_of_bodies(75, 31), near;
  std::vector<int> touching;
  for (int i = 0; i < columns.n; ++i)
    if (i % 4 == 0)
      columns.c[i] = -1e3;
    else
      touching.push_back(i);
  select_contacts(columns, touching, near);
  ContactWorkspace workspace;
  ContactSolution of_bodies, of_columns;
  solve_drumwright_shell(in_bodies(columns), solver, {}, workspace, of_bodies);
  solve_drumwright_shell(near, solver, {}, workspace, of_columns);
  REQUIRE(of_bodies.status == SolveStatus::solved);
  REQUIRE(of_columns.status == SolveStatus::solved);
  const double size = columns.y.norm();
  CHECK(std::abs(of_bodies.y.squaredNorm() - of_columns.y.squaredNorm()) <= 1e-7 * size * size);
  CHECK((of_bodies.y - of_columns.y).norm() <= 1e-3 * size);
  CHECK((motion_of(columns, of_bodies) - of_bodies.y).norm() <= 1e-12 * size);
  for (int i = 0; i < columns.n; i += 4) CHECK(of_bodies.fn[i] == 0.0);
}

TEST_CASE("drumwright-shell passes no contact of an island that is left out at first") {
  const ContactSolver solver = make_contact_solver(SolverFamily::dissipation, "");
  ContactProblem columns = ring_of_bodies(75, 37);
  const VectorXd speed = columns.normals.matrix().transpose() * columns.y;
  for (int i = 0; i < columns.n; i += 3) columns.c[i] = 1.5 * speed[i];
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_drumwright_shell(in_bodies(columns), solver, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(((columns.normals.matrix().transpose() * solution.y - columns.c).array() >=
         -1e-7 * columns.y.norm())
            .all());
  CHECK(solution.y.squaredNorm() <= columns.y.squaredNorm());
}

// Normals of a contact open or push; tangents push within the square that four edges leave.
TEST_CASE("pyramids from rows by bodies") {
  ContactSolver solver = make_contact_solver(SolverFamily::pyramid, "");
  solver.edges = 4;
  ContactProblem columns = ring_of_bodies(75, 33);
  const VectorXd speed = columns.normals.matrix().transpose() * columns.y;
  for (int i = 0; i < columns.n; i += 3) columns.c[i] = (i % 2 == 0 ? 0.5 : 1.5) * speed[i];
  const double allowed = 1e-7 * columns.y.norm();
  ContactWorkspace workspace;
  for (const auto& law : {solve_anitescu_potra, solve_stewart_trinkle}) {
    ContactSolution solution;
    law(in_bodies(columns), solver, {}, workspace, solution);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((motion_of(columns, solution) - solution.y).norm() <= 1e-12 * columns.y.norm());
    for (int i = 0; i < columns.n; ++i) {
      const bool takes_part = columns.c[i] >= 0.0 || law == solve_stewart_trinkle;
      const double u = columns.normals.col(i).dot(solution.y) - columns.c[i];
      const double push = solution.fn[i], bound = nth(columns.friction, i);
      if (takes_part) CHECK(std::abs(std::min(u, push)) <= allowed);
      if (!takes_part) CHECK(push == 0.0);
      CHECK(solution.ft.segment<2>(2 * i).lpNorm<1>() <= bound * push + allowed);
    }
  }
}

TEST_CASE("a problem whose contacts move three blocks is none of bodies") {
  ContactProblem problem = ring_of_bodies(50, 3);
  BodyProblem bodies;
  CHECK(pose_bodies(problem, bodies));
  CHECK(bodies.contacts() == problem.n);
  problem.normals.col(1)[kBodyWidth * 20] = 1e-6;
  CHECK_FALSE(pose_bodies(problem, bodies));
}

TEST_CASE("what no method solves to the residual asked is told, and gains no energy") {
  ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  solver.accepted = 1e-19;  // below rounding
  for (const int bodies : {5, 50}) {
    const ContactProblem problem = ring_of_bodies(bodies, 11);
    const ContactSolution solution = solve(problem, solver);
    CAPTURE(bodies);
    CHECK(solution.status == SolveStatus::failed);
    CHECK(solution.usable);
    CHECK(residual_of(problem, solution) <= 1e-8);
    CHECK(solution.y.squaredNorm() <= problem.y.squaredNorm());
    for (int i = 0; i < problem.n; ++i) {
      CHECK(solution.fn[i] >= 0.0);
      CHECK(solution.ft.segment<2>(2 * i).norm() <=
            nth(problem.friction, i) * solution.fn[i] * (1.0 + 1e-12));
    }
  }
}

namespace {

// A ring whose bodies are held by the impulses r, which were those of the step before.
ContactProblem held_ring(const VectorXd& r) {
  ContactProblem problem = ring_of_bodies(static_cast<int>(r.size()) / 6, 5);
  problem.friction.assign(problem.friction.size(), 0.5);
  problem.y.setZero(problem.m);
  for (int i = 0; i < problem.n; ++i)
    problem.y -= r[3 * i] * problem.normals.col(i) + r[3 * i + 1] * problem.tangents.col(2 * i) +
                 r[3 * i + 2] * problem.tangents.col(2 * i + 1);
  problem.step = 0x1p-10;  // exact
  problem.force = r / problem.step;
  return problem;
}

VectorXd impulses_in_cones(int contacts) {
  Random random{17};
  VectorXd r(3 * contacts);
  for (int i = 0; i < contacts; ++i) {
    const double normal = random.uniform(0.5, 1.0);
    r.segment<3>(3 * i) << normal, 0.3 * normal, -0.2 * normal;
  }
  return r;
}

}  // namespace

TEST_CASE("impulses of the step before that hold all bodies are taken again") {
  const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  for (const int bodies : {10, 60}) {
    const VectorXd r = impulses_in_cones(2 * bodies);
    const ContactProblem problem = held_ring(r);
    const ContactSolution solution = solve(problem, solver);
    CAPTURE(bodies);
    CHECK(solution.status == SolveStatus::solved);
    CHECK(solution.pivots == 0);
    CHECK(solution.y.norm() <= 1e-13 * problem.y.norm());
    for (int i = 0; i < problem.n; ++i) {
      CHECK(solution.fn[i] == r[3 * i]);
      CHECK(nth(solution.sticking, i) == 1);
    }
  }
}

TEST_CASE("impulses of the step before that are no solution are not taken again") {
  const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  const auto check = [&](const ContactProblem& problem) {
    const ContactSolution solution = solve(problem, solver);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(residual_of(problem, solution) <= 1e-8);
    VectorXd impulses(3 * problem.n);
    for (int i = 0; i < problem.n; ++i)
      impulses.segment<3>(3 * i) << solution.fn[i], solution.ft.segment<2>(2 * i);
    CHECK((impulses - problem.step * problem.force).norm() > 1e-3 * impulses.norm());
  };
  const VectorXd r = impulses_in_cones(20);
  VectorXd other = r;
  other.segment<2>(3 * 7 + 1) *= 3.0;  // beyond its cone
  check(held_ring(other));
  other = r;
  other[3 * 4] = -0.1;  // it would pull
  other.segment<2>(3 * 4 + 1).setZero();
  check(held_ring(other));
  ContactProblem apart = held_ring(r);
  apart.c[3] = -0.2 * apart.y.norm();  // what does not touch carries nothing
  check(apart);
  ContactProblem pushed = held_ring(r);
  pushed.y[5] += 1e-3 * pushed.y.norm();
  check(pushed);
}
