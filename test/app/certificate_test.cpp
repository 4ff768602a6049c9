// Certificates: laws of single contacts, equations of motion of their own, faults that are planted,
// and estimates beside errors that are known.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>

#include "app/certify/certify.h"
#include "app/certify/newton_euler.h"
#include "test/scene/fixture.h"

namespace pequod::app::certify {
namespace {

Scenario scenario_of(const std::string& text) {
  const test::Folder folder;
  return test::load(folder.write("scene.yaml", text));
}

Scenario example(const std::string& name) { return test::load("examples/" + name + ".yaml"); }

// A ball and a box that lie on the plane and go along it.
std::string two_bodies(const std::string& model, const std::string& integrator) {
  return "duration: 0.1\nintegrator: {method: " + integrator +
         ", step: 0.005}\ncontact: {model: " + model +
         "}\nbodies:\n"
         "  ground: {fixed: true, shape: {plane: {}}}\n"
         "  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [1, 0, 0.1], velocity: "
         "[1, 0.5, 0], angular_velocity: [0, 3, 2]}\n"
         "  box: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.05], "
         "velocity: [0.4, 0.3, 0], angular_velocity: [0, 0, 1]}\n"
         "surfaces: [{between: ['*', '*'], friction: 0.4, viscous: 0.5}]\n";
}

Certificate certificate_of(const Scenario& scenario) {
  return *certify(scenario, find_closed_form(scenario), "",
                  [](double, const std::string&) { return true; });
}

const OutputEstimate& output_of(const Certificate& certificate, const std::string& name) {
  const auto at = std::ranges::find(certificate.outputs, name, &OutputEstimate::name);
  REQUIRE(at != certificate.outputs.end());
  return *at;
}

using Tamper = std::function<void(World&)>;

// The first step of a scene, the world's solvers tampered with.
StepCheck first_step(const Scenario& scenario, const Tamper& tamper) {
  StepClock clock;
  World world = make_world(scenario, {}, clock);
  tamper(world);
  Stepper stepper(world, make_method(world));
  Evaluator here(scenario.model);
  here.at(scenario.initial.q, scenario.initial.v);
  TouchingWorkspace workspace;
  Touching touching;
  find_touching(scenario.model, world.collision, here, kGapTolerance, workspace, touching);
  stepper.begin(scenario.initial, touching);
  stepper.at(scenario.integrator.step);
  return check_step(scenario, stepper);
}

void leave_alone(World&) {}

// The solver is given another problem, or other options, than those that were posed.
Tamper with_problem(
    const std::function<void(LeastDistanceProblem&, LeastDistanceOptions&)>& spoil) {
  return [spoil](World& world) {
    world.solver.least_distance.takes_basis = false;
    world.solver.least_distance.solve =
        [spoil, honest = world.solver.least_distance.solve](
            const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
            std::span<const int> warm, LeastDistanceWorkspace& workspace,
            LeastDistanceSolution& solution) {
          LeastDistanceProblem spoilt = problem;
          LeastDistanceOptions loose = options;
          spoil(spoilt, loose);
          honest(spoilt, loose, warm, workspace, solution);
          // Multipliers of rows that were left out.
          solution.f.conservativeResizeLike(VectorXd::Zero(problem.G.cols()));
          solution.fe.conservativeResizeLike(VectorXd::Zero(problem.E.cols()));
        };
  };
}

ContactTerms terms(const Vector3d& force, const Vector3d& motion, double mu, bool sticks = false) {
  ContactTerms contact;
  contact.force = force;
  contact.motion = motion;
  contact.mu = mu;
  contact.sticks = sticks;
  return contact;
}

}  // namespace

TEST_CASE("a contact law has no residual where it holds, and that of what is wrong elsewhere") {
  for (const ContactLaw law : {ContactLaw::coulomb, ContactLaw::pyramid}) {
    CHECK(law_residual(law, terms({2, 0.3, 0.4}, {0, 0, 0}, 0.5)) < 1e-15);  // sticks
    CHECK(law_residual(law, terms({2, -1, 0}, {0, 3, 0}, 0.5)) < 1e-15);     // slides
    CHECK(law_residual(law, terms({0, 0, 0}, {1, 3, 2}, 0.5)) < 1e-15);      // open
    CHECK(law_residual(law, terms({0, 0, 0}, {-0.1, 0, 0}, 0.5)) > 0.05);    // sinks
    CHECK(law_residual(law, terms({-0.1, 0, 0}, {0, 0, 0}, 0.5)) > 0.05);    // pulls
    CHECK(law_residual(law, terms({2, -1.2, 0}, {0, 3, 0}, 0.5)) > 0.05);    // too much friction
    CHECK(law_residual(law, terms({2, 1, 0}, {0, 3, 0}, 0.5)) > 0.5);        // friction drives
    CHECK(law_residual(law, terms({2, -0.5, 0}, {0, 3, 0}, 0.5)) > 0.1);     // too little
  }
  // Corners of an octagon hold less between them than the circle.
  const Vector3d between(1, 0.5 * std::cos(0.39269908169872414),
                         0.5 * std::sin(0.39269908169872414));
  CHECK(law_residual(ContactLaw::pyramid, terms(between, {0, 0, 0}, 0.5)) > 0.01);
  CHECK(law_residual(ContactLaw::coulomb, terms(between, {0, 0, 0}, 0.5)) < 1e-15);
  CHECK(law_residual(ContactLaw::frictionless, terms({1, 0.2, 0}, {0, 0, 0}, 0.5)) > 0.1);
  CHECK(law_residual(ContactLaw::no_slip, terms({1, 9, 0}, {0, 1e-3, 0}, 0.5, true)) > 1e-4);
  CHECK(law_residual(ContactLaw::dissipation, terms({1, 0.3, 0}, {0.2, 1, 0}, 0.5)) < 1e-15);
  CHECK(law_residual(ContactLaw::dissipation, terms({1, 0.6, 0}, {0.2, 1, 0}, 0.5)) > 0.05);
  ContactTerms widened = terms({1, 0.6, 0}, {0.2, 1, 0}, 0.5);
  widened.width = std::sqrt(0.36 - 0.25);
  CHECK(law_residual(ContactLaw::dissipation, widened) < 1e-15);
  CHECK(duality_gap(ContactLaw::frictionless, terms({2, 0, 0}, {3, 1, 0}, 0.0)) == 6.0);
}

// Beside the recursions that the simulator uses, composite bodies and bias force, which these sums
// over bodies know nothing of.
TEST_CASE("Newton and Euler of each body ask for the forces of inverse dynamics") {
  Scenario scenario = example("quadruped/trot");
  scenario.model.links[3].joint.armature = 0.02;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto drawn = [&] {
    VectorXd x(scenario.model.nv);
    for (double& each : x) each = normal(random);
    return x;
  };
  double worst = 0.0;
  for (int i = 0; i < 20; ++i) {
    VectorXd q;
    integrate_position(scenario.model, scenario.initial.q, drawn(), q);
    Kinematics kin;
    const VectorXd v = drawn(), vdot = drawn();
    compute_kinematics(scenario.model, q, v, kin);
    VectorXd asked;
    inverse_dynamics(scenario.model, kin, vdot, asked);
    worst = std::max(
        worst, (newton_euler(scenario.model, kin, vdot, scenario.model.gravity) - asked).norm() /
                   asked.norm());
    const std::vector<double> roots = energy_roots(scenario.model, kin, v);
    CHECK(0.5 * roots[0] * roots[0] ==
          doctest::Approx(kinetic_energy(scenario.model, kin, v)).epsilon(1e-12));
  }
  CHECK(worst < 1e-12);
  MESSAGE("worst " << worst);
}

TEST_CASE("every step of every model passes, with and without forces in the stages") {
  for (const std::string model : {"frictionless", "viscous", "no-slip", "coulomb", "baraff",
                                  "drumwright-shell", "stewart-trinkle", "anitescu-potra"})
    for (const std::string integrator : {"symplectic-euler", "rk4"}) {
      CAPTURE(model);
      CAPTURE(integrator);
      const Scenario scenario = scenario_of(two_bodies(model, integrator));
      std::vector<StepCheck> steps;
      Observer observer;
      observer.accepted = [&](const Stepper& stepper) {
        steps.push_back(check_step(scenario, stepper));
      };
      const Track track = run_track(scenario, observer, [](double) { return true; });
      CHECK(track.failure.empty());
      const StepSummary sum = sum_up(steps);
      CHECK(sum.steps == track.statistics.steps);
      CHECK(sum.with_contact > 0);
      CHECK_MESSAGE(sum.failed == 0, sum.first_failed << " at " << sum.first_failure);
      CHECK(!std::isnan(sum.newton));
      CHECK(!std::isnan(sum.law));
    }
}

// Trees whose mass matrices are full, so that what a factor does wrong shows.
TEST_CASE("every step of a robot that trots passes at both levels") {
  for (const std::string integrator : {"symplectic-euler", "rk4"})
    for (const std::string model : {"no-slip", "coulomb", "viscous"}) {
      CAPTURE(integrator);
      CAPTURE(model);
      Scenario scenario = example("quadruped/trot");
      scenario.integrator.method = integrator;
      scenario.contact = {};
      scenario.contact.model = model;
      scenario.duration = 0.02;
      const StepSummary sum = sum_up(certificate_of(scenario).steps);
      CHECK(sum.with_contact >= 20);
      CHECK_MESSAGE(sum.failed == 0, sum.first_failed << " at " << sum.first_failure);
    }
}

// Solvers are handed what was not posed, so that their own residuals are clean.
TEST_CASE("a wrong sign, a dropped row and a loose tolerance are caught at the first step") {
  const Scenario scenario = scenario_of(two_bodies("no-slip", "symplectic-euler"));
  CHECK(failures(first_step(scenario, leave_alone)).empty());
  SUBCASE("sign") {
    const auto sign = with_problem([](LeastDistanceProblem& problem, LeastDistanceOptions&) {
      Eigen::Index row = 0;
      problem.G.col(0).cwiseAbs().maxCoeff(&row);
      problem.G(row, 0) = -problem.G(row, 0);
    });
    CHECK(!failures(first_step(scenario, sign)).empty());
  }
  SUBCASE("row") {
    const auto dropped = with_problem([](LeastDistanceProblem& problem, LeastDistanceOptions&) {
      if (problem.equalities() > 0) problem.k = static_cast<int>(problem.equalities()) - 1;
    });
    CHECK(!failures(first_step(scenario, dropped)).empty());
  }
  SUBCASE("tolerance") {
    const auto loose = with_problem([](LeastDistanceProblem&, LeastDistanceOptions& options) {
      options.violated = options.negative = 0.1;
      options.residual = kInfinity;
    });
    CHECK(!failures(first_step(scenario, loose)).empty());
  }
}

TEST_CASE("a loose solve of friction cones is caught at the first step") {
  const Scenario scenario = scenario_of(two_bodies("coulomb", "symplectic-euler"));
  CHECK(failures(first_step(scenario, leave_alone)).empty());
  const StepCheck check = first_step(scenario, [](World& world) {
    world.solver.friction = [honest = world.solver.friction](
                                const FrictionProblem& problem, const FrictionOptions& options,
                                std::span<const double> warm, FrictionWorkspace& workspace,
                                FrictionSolution& solution) {
      honest(problem, options, warm, workspace, solution);
      solution.r *= 1.0 - 1e-5;  // as if it had stopped there
    };
  });
  CHECK(check.law > 1e-7);
  CHECK(failures(check) == std::vector<std::string>{"law"});
}

// Symplectic Euler's fall: x(t) = −g t (t + h)/2, so the error is g h t/2, that of half the step
// half of it, and the estimate three times the error. Velocities are exact.
TEST_CASE("the estimate of a first-order error is three times it") {
  Scenario scenario = scenario_of(
      "duration: 1\nintegrator: {method: symplectic-euler, step: 0.01}\n"
      "bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 9]}}\n");
  const Certificate certificate = certificate_of(scenario);
  const OutputEstimate& place = output_of(certificate, "ball.position");
  CHECK(place.error == doctest::Approx(0.5 * 9.81 * 0.01).epsilon(1e-9));
  CHECK(place.estimate == doctest::Approx(3.0 * 0.5 * 9.81 * 0.01).epsilon(1e-6));
  CHECK(place.effectivity() == doctest::Approx(3.0).epsilon(1e-6));
  CHECK(std::isnan(place.parted));
  CHECK(output_of(certificate, "ball.velocity").estimate < 1e-10);
  const Containment rows = count_contained(place, 1e-12);
  CHECK(rows.rows == 100);
  CHECK(rows.held == 100);
  CHECK(rows.fair == 100);
  CHECK(certificate.closed_form == "free flight");
}

// A stone that falls on its corners: with symplectic Euler it lands otherwise at half the step.
TEST_CASE("runs that become others are said to part, each output at its time") {
  Scenario scenario = example("analytic/tumbling");
  scenario.integrator.method = "symplectic-euler";
  const Certificate certificate = certificate_of(scenario);
  const OutputEstimate& spin = output_of(certificate, "stone.angular_velocity");
  CHECK(spin.parted > 0.2);  // it is in the air before
  CHECK(spin.parted < 1.2);
  scenario.integrator = {"rk4", 0.001, 0.0};
  CHECK(std::isnan(output_of(certificate_of(scenario), "stone.angular_velocity").parted));
}

TEST_CASE("steps that ticks and rows cut are halved as they are") {
  Scenario scenario = example("quadruped/trot");
  scenario.integrator.step = 0.004;  // ticks of 1 ms
  CHECK(halved(scenario).integrator.step == 0.0005);
  CHECK(step_ratio(scenario, halved(scenario)) == doctest::Approx(2.0).epsilon(1e-9));
  scenario.integrator.step = 0.00025;
  CHECK(halved(scenario).integrator.step == 0.000125);
}

TEST_CASE("only what has a tolerance of contact is run at a tighter one") {
  Scenario scenario = scenario_of(two_bodies("coulomb", "symplectic-euler"));
  REQUIRE(tightened(scenario));
  CHECK(tightened(scenario)->contact.tolerance == doctest::Approx(1e-11));
  scenario.contact.tolerance = 1e-4;
  CHECK(tightened(scenario)->contact.tolerance == doctest::Approx(1e-7));
  scenario.contact.model = "no-slip";
  CHECK(!tightened(scenario));
}

}  // namespace pequod::app::certify
