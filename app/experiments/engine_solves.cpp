// Fig. 4 of Drumwright & Shell 2010: what a contact solve of one cylinder takes, by three methods.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/engine.h"
#include "app/wall_clock.h"
#include "contact/solvers/complementarity/pyramid_lcp.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/registry/lcp_solvers.h"

namespace pequod::app {
namespace {

constexpr int kPyramidEdges = 4;
constexpr double kLemkeBudget = 120.0;  // s; a solve of a thousand rows takes it seconds

/// One method on all problems of a run, in their order, each started from the solution before.
struct Racer {
  std::string name;
  std::vector<std::pair<double, double>> points;  // simulated time, time of the solve, ms
  double seconds = 0.0, solved = 0.0, failed = 0.0, shifted = 0.0, iterations = 0.0, most = 0.0;
  double first_failure = NAN;  // s, simulated
  double apart = 0.0;          // of normal velocities from those of the first method

  [[nodiscard]] double tries() const { return solved + failed; }
  void add(double t, double took, bool success, int count) {
    points.emplace_back(1e3 * t, 1e3 * took);
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
    const bool solved = solution.status == SolveStatus::solved;
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
  const bool known = dual.solution.status == SolveStatus::solved;
  const auto begin = std::chrono::steady_clock::now();
  solve_maximum_dissipation(problem, options, work, solution);
  const bool solved = solution.status == SolveStatus::solved;
  cones.add(t, seconds_since(begin), solved, solution.iterations);
  const double scale = std::max(1e-12, problem.q.lpNorm<Eigen::Infinity>());
  const auto off = [&](const VectorXd& w) {
    return (w - dual.solution.w).lpNorm<Eigen::Infinity>() / scale;
  };
  if (solved && known) cones.apart = std::max(cones.apart, off(solution.u(normals)));
  if (pyramids.seconds > kLemkeBudget) return;
  lemke.race(pyramid_lcp({problem.W, problem.q, problem.mu}, kPyramidEdges), t, pyramids);
  if (known && lemke.solution.status == SolveStatus::solved)
    pyramids.apart = std::max(pyramids.apart, off(lemke.solution.w.head(n)));
}

void show_race(const Stage& stage, const std::string& scene, const Race& race) {
  const double solves = race.normal.tries();
  Table table{fmt::format("{}: {:g} contact problems of {:.3g} contacts in the mean, {} at most, "
                          "up to {:g} s; Lemke's method is given {:g} s",
                          scene, solves, race.contacts / solves, race.most, race.t, kLemkeBudget),
              {"method", "problems", "mean, ms", "longest, ms", "over the first, means",
               "iterations, mean", "solved", "with a shifted matrix", "failed", "first failure, s",
               "velocities apart, relative"},
              {}};
  for (const Racer* one : {&race.normal, &race.cones, &race.pyramids})
    table.rows.push_back(
        {one->name, one->tries(), 1e3 * one->seconds / one->tries(), 1e3 * one->most,
         one->seconds / one->tries() / (race.normal.seconds / solves),
         one->iterations / one->tries(), one->solved, one->shifted, one->failed,
         std::isnan(one->first_failure) ? Cell("none") : Cell(one->first_failure), one->apart});
  stage.show(table);
}

}  // namespace

void engine_solves(const Stage& stage) {
  const std::string scene = stage.quick ? "one_cylinder" : "one_cylinder_flush";
  Scenario scenario = stage.load(scene);
  scenario.duration = 0.003;
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
  stage.at_most(scene, "the same of `dual`, over the matrix of the normals", race.normal.failed,
                0.0);
  stage.at_most(scene, "normal velocities of QP 1 off those without friction, relative",
                race.cones.apart, 1e-6);
  Chart chart{fmt::format("Fig. 4: one cylinder, {} contacts", race.most),
              "simulated time, ms",
              "time of a contact solve, ms",
              false,
              {},
              true};
  for (const Racer* one : {&race.normal, &race.cones, &race.pyramids})
    chart.curves.push_back({one->name, one->points});
  stage.draw(chart_svg(chart));
}

}  // namespace pequod::app
