// Fig. 4 of Drumwright & Shell 2010: what a contact solve of one cylinder takes, by three methods.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/engine.h"
#include "app/wall_clock.h"
#include "contact/solvers/lcp_solvers.h"
#include "contact/solvers/maximum_dissipation.h"
#include "contact/solvers/pyramid_lcp.h"

namespace pequod::app {
namespace {

constexpr int kPyramidEdges = 4;

/// One method on all problems of a run, in their order, each started from the solution before.
struct Racer {
  std::string name;
  Curve curve;  // ms over the simulated time in ms
  double seconds = 0.0, solved = 0.0, failed = 0.0, shifted = 0.0, iterations = 0.0, most = 0.0;
  double first_failure = NAN;  // s, simulated
  double apart = 0.0;          // of normal velocities from those of the first method

  void add(double t, double took, bool success, int count) {
    curve.points.emplace_back(1e3 * t, 1e3 * took);
    seconds += took;
    most = std::max(most, took);
    iterations += count;
    (success ? solved : failed) += 1.0;
    if (!success && std::isnan(first_failure)) first_failure = t;
  }
};

/// A complementarity solver with what it remembers.
struct WarmLcp {
  const LcpSolver* solver;
  LcpWorkspace work;
  LcpSolution solution;
  VectorXd start;

  explicit WarmLcp(const char* name) : solver(find_lcp_solver(name)) {}

  void race(const LcpProblem& problem, double t, Racer& racer) {
    if (start.size() != problem.q.size()) start.resize(0);
    const auto begin = std::chrono::steady_clock::now();
    solver->solve(problem, {}, start, work, solution);
    const bool solved = solution.status == LcpStatus::solved;
    racer.add(t, seconds_since(begin), solved, solution.pivots);
    racer.shifted += solved && solution.switches > 0;
    if (solved) start = solution.z;
  }
};

/// The contact problems of a run of QP 1, each solved again by all.
struct Race {
  Racer normal{"without friction, dual", {}}, cones{"QP 1, interior point", {}},
      pyramids{"Anitescu & Potra, Lemke", {}};
  WarmLcp dual{"dual"}, lemke{"lemke"};
  MaximumDissipationWorkspace work;
  MaximumDissipationSolution solution;
  double t = 0.0;  // s
  Eigen::Index most = 0;
  double contacts = 0.0;

  void take(const FrictionProblem& problem, const MaximumDissipationOptions& options);
};

void Race::take(const FrictionProblem& problem, const MaximumDissipationOptions& options) {
  const Eigen::Index n = problem.mu.size();
  most = std::max(most, n);
  contacts += static_cast<double>(n);
  const auto normals = Eigen::seqN(0, n, problem.dimension);
  dual.race({problem.W(normals, normals), problem.q(normals)}, t, normal);
  const auto begin = std::chrono::steady_clock::now();
  solve_maximum_dissipation(problem, options, work, solution);
  const bool solved = solution.status == FrictionStatus::solved;
  cones.add(t, seconds_since(begin), solved, solution.iterations);
  lemke.race(pyramid_lcp({problem.W, problem.q, problem.mu}, kPyramidEdges), t, pyramids);
  const double scale = std::max(1e-12, problem.q.lpNorm<Eigen::Infinity>());
  const auto off = [&](const VectorXd& w) {
    return (w - dual.solution.w).lpNorm<Eigen::Infinity>() / scale;
  };
  if (solved) cones.apart = std::max(cones.apart, off(solution.u(normals)));
  if (lemke.solution.status == LcpStatus::solved)
    pyramids.apart = std::max(pyramids.apart, off(lemke.solution.w.head(n)));
}

void show_race(const Stage& stage, const std::string& scene, const Race& race) {
  const double solves = race.normal.solved + race.normal.failed;
  Table table{fmt::format("{}: {:g} contact problems of {:.3g} contacts in the mean, {} at most, "
                          "up to {:g} s",
                          scene, solves, race.contacts / solves, race.most, race.t),
              {"method", "mean, ms", "longest, ms", "over the first", "iterations, mean", "solved",
               "with a shifted matrix", "failed", "first failure, s", "velocities apart, relative"},
              {}};
  for (const Racer* one : {&race.normal, &race.cones, &race.pyramids})
    table.rows.push_back({one->name, 1e3 * one->seconds / solves, 1e3 * one->most,
                          one->seconds / race.normal.seconds, one->iterations / solves, one->solved,
                          one->shifted, one->failed,
                          std::isnan(one->first_failure) ? Cell("none") : Cell(one->first_failure),
                          one->apart});
  stage.show(table);
}

}  // namespace

void engine_solves(const Stage& stage) {
  const std::string scene = stage.quick ? "one_cylinder" : "one_cylinder_flush";
  Scenario scenario = stage.load(scene);
  scenario.duration = stage.quick ? 0.004 : 0.003;
  Race race;
  Observer observer;
  observer.step = [&](const StepReport& step) { race.t = step.t; };
  observer.problem.dissipation =
      [&](const FrictionProblem& problem, const MaximumDissipationOptions& options,
          const MaximumDissipationSolution&) { race.take(problem, options); };
  Simulation(scenario, observer).run();
  show_race(stage, scene, race);
  stage.at_most(scene, "contact problems that QP 1 does not solve", race.cones.failed, 0.0,
                "never fails");
  stage.at_most(scene, "the same of its phase I, without friction", race.normal.failed, 0.0,
                "never fails");
  stage.at_most(scene, "normal velocities of QP 1 off those without friction, relative",
                race.cones.apart, 1e-6);
  stage.draw(chart_svg({"Fig. 4: one cylinder, " + fmt::format("{} contacts", race.most),
                        "simulated time, ms",
                        "time of a contact solve, ms",
                        false,
                        {race.normal.curve, race.cones.curve, race.pyramids.curve},
                        true}));
}

}  // namespace pequod::app
