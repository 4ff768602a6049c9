// What Baraff 1994 claims of his method: cost, that it ends, and cases solved by hand.
#include "contact/solvers/complementarity/baraff.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "app/wall_clock.h"
#include "contact/solvers/registry/lcp_solvers.h"

namespace pequod::app {
namespace {

using Clock = std::chrono::steady_clock;

// A = B Bᵀ and b = A x, so that a solution exists; with `repeat` some rows stand there twice.
LcpProblem frictionless(int n, int rank, bool repeat, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  MatrixXd B = MatrixXd::NullaryExpr(n, rank, [&] { return normal(random); });
  if (repeat)
    for (int i = 1; i < n; i += 3) B.row(i) = B.row(i - 1);
  const VectorXd x = VectorXd::NullaryExpr(n, [&] { return normal(random); });
  return {B * B.transpose(), B * (B.transpose() * x)};
}

double scaled_work(const LcpProblem& problem, const LcpSolution& solution) {
  const double scale = std::max(1.0, problem.q.norm() * solution.z.norm());
  return std::abs(solution.z.dot(solution.w)) / scale;
}

// Seconds of the fastest of some calls.
template <typename Call>
double fastest(int calls, Call call) {
  double best = kInfinity;
  for (int i = 0; i < calls; ++i) {
    const auto start = Clock::now();
    call();
    best = std::min(best, seconds_since(start));
  }
  return best;
}

// The time of one solve over that of one dense LU of the same size. Times are no checks: they
// change with what else the machine does.
void cost(const Stage& stage) {
  Table table{"time over one dense LU of size n (\"about three times\" published)",
              {"n", "rank", "LU, ms", "solve, ms", "ratio", "pivots", "warm"},
              {}};
  Chart chart{"Cost of Dantzig's method", "n", "times one LU", true, {}, true};
  chart.curves = {{"rank n", {}}, {"rank n/2", {}}};
  std::mt19937_64 random(1);
  LcpWorkspace workspace;
  for (const int n :
       stage.quick ? std::vector{10, 30, 100} : std::vector{10, 20, 50, 100, 200, 400})
    for (const int share : {1, 2}) {
      const LcpProblem problem = frictionless(n, n / share, false, random);
      LcpSolution solution, warm;
      const int calls = n <= 100 ? 20 : 5;
      const double lu = fastest(calls, [&] { Eigen::PartialPivLU<MatrixXd> factor(problem.M); });
      const double solve = fastest(
          calls, [&] { solve_lcp_by_dantzig(problem, {}, VectorXd(), workspace, solution); });
      const double again =
          fastest(calls, [&] { solve_lcp_by_dantzig(problem, {}, solution.z, workspace, warm); });
      table.rows.push_back({static_cast<double>(n), static_cast<double>(n / share), 1e3 * lu,
                            1e3 * solve, solve / lu, static_cast<double>(solution.pivots),
                            again / lu});
      nth(chart.curves, share - 1).points.emplace_back(n, solve / lu);
    }
  stage.show(table);
  stage.draw(chart_svg(chart));
}

void ends(const Stage& stage) {
  const int count = stage.quick ? 1000 : 10000;
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> size(2, 30);
  LcpWorkspace workspace;
  int failed = 0, lost = 0, worst_pivots = 0;
  double sign = 0.0, work = 0.0, apart = 0.0;
  for (int i = 0; i < count; ++i) {
    const int n = size(random);
    const LcpProblem problem = frictionless(n, 1 + (n - 1) / 2, true, random);
    LcpSolution solution, chained;
    find_lcp_solver("auto")->solve(problem, {}, VectorXd(), workspace, chained);
    lost += chained.status != SolveStatus::solved ? 1 : 0;
    solve_lcp_by_dantzig(problem, {}, VectorXd(), workspace, solution);
    if (solution.status != SolveStatus::solved) {
      ++failed;
      stage.print(fmt::format("    problem {}, size {}: {}\n", i, n, solution.reason));
      continue;
    }
    worst_pivots = std::max(worst_pivots, solution.pivots);
    const double scale = problem.q.lpNorm<Eigen::Infinity>();
    sign = std::max({sign, -solution.z.minCoeff(), -solution.w.minCoeff() / scale});
    work = std::max(work, scaled_work(problem, solution));
    for (const char* name : {"lemke", "ppm", "dual"}) {
      LcpSolution other;
      find_lcp_solver(name)->solve(problem, {}, VectorXd(), workspace, other);
      if (other.status == SolveStatus::solved)
        apart = std::max(apart, (other.w - solution.w).lpNorm<Eigen::Infinity>() / scale);
    }
  }
  stage.at_most("random", fmt::format("failed of {} with repeated rows, half rank", count), failed,
                0.0, "none");
  stage.at_most("random", "failed by auto, which goes on with other methods", lost, 0.0);
  stage.at_most("random", "largest violation of f ≥ 0, a ≥ 0, relative", sign, 1e-9);
  stage.at_most("random", "largest |fᵀa|, relative", work, 1e-9);
  stage.at_most("random", "a by lemke, ppm and dual: apart, relative", apart, 1e-9);
  stage.show({"random problems", {"most pivots"}, {{static_cast<double>(worst_pivots)}}});
}

// Normal forces of points of a body above a plane: A_ij = 1/m + r_i × n · I⁻¹ (r_j × n).
LcpProblem standing_box(const std::vector<Eigen::Vector2d>& points) {
  const Eigen::Index n = static_cast<Eigen::Index>(points.size());
  MatrixXd N(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector2d& p = nth(points, i);
    N.row(i) << 1.0, p.y(), -p.x();
  }
  const Vector3d inverse(1.0, 6.0, 6.0);  // of 1 kg and a cube of 1 m
  return {N * inverse.asDiagonal() * N.transpose(), VectorXd::Constant(n, -9.81)};
}

void box(const Stage& stage) {
  LcpWorkspace workspace;
  for (const int side : {2, 4}) {
    std::vector<Eigen::Vector2d> points;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        points.emplace_back(i / (side - 1.0) - 0.5, j / (side - 1.0) - 0.5);
    const LcpProblem problem = standing_box(points);
    LcpSolution solution, other;
    VectorXd start = VectorXd::Zero(side * side);
    start[side * side - 1] = start[0] = 1.0;
    solve_lcp_by_dantzig(problem, {}, start, workspace, solution);
    start.setZero();
    start[side - 1] = start[side * (side - 1)] = 1.0;
    solve_lcp_by_dantzig(problem, {}, start, workspace, other);
    const std::string name = fmt::format("box on {} contacts", side * side);
    stage.at_most(name, "accelerations, m/s²", solution.w.lpNorm<Eigen::Infinity>(), 1e-12);
    stage.at_most(name, "sum of the forces less m g, N", std::abs(solution.z.sum() - 9.81), 1e-12);
    stage.at_least(name, "forces from another start: apart, N (they are not unique)",
                   (solution.z - other.z).norm(), 0.1);
  }
}

void by_hand(const Stage& stage) {
  LcpWorkspace workspace;
  LcpSolution solution;
  const auto solve = [&](const MatrixXd& A, const VectorXd& b) {
    solve_lcp_by_dantzig({A, b}, {}, VectorXd(), workspace, solution);
    return solution.z;
  };
  const double m = 2.0, g = 9.81, share = 0.3;
  // A beam of length 1 on its ends, its centre of mass at `share` of it.
  Eigen::Matrix2d rows;
  rows << 1.0, -share, 1.0, 1.0 - share;
  const Eigen::Matrix2d A = rows * Eigen::Vector2d(1.0 / m, 5.0).asDiagonal() * rows.transpose();
  const VectorXd beam = solve(A, VectorXd::Constant(2, -g));
  stage.at_most("beam", "forces off m g (1 − s), m g s, N",
                (beam - m * g * Eigen::Vector2d(1.0 - share, share)).norm(), 1e-12);
  const int n = 20;
  MatrixXd stack = MatrixXd::Zero(n, n);
  VectorXd load = VectorXd::Zero(n);
  load[n - 1] = -g;
  for (int i = 0; i < n; ++i) {  // contact i is below box i, counted from the top
    stack(i, i) = (i == n - 1 ? 1.0 : 2.0) / m;
    if (i > 0) stack(i, i - 1) = stack(i - 1, i) = -1.0 / m;
  }
  const VectorXd forces = solve(stack, load);
  double off = 0.0;
  for (int i = 0; i < n; ++i) off = std::max(off, std::abs(forces[i] - (i + 1) * m * g));
  stage.at_most("stack of 20", "force below box i off i m g, N", off, 1e-10);
  const double half = 0.5;  // rad, of the groove
  const Eigen::Matrix2d walls{{std::cos(half), std::sin(half)}, {-std::cos(half), std::sin(half)}};
  const VectorXd wedge = solve(walls * walls.transpose() / m, walls * Eigen::Vector2d(0.0, -g));
  stage.at_most("wedge", "forces off m g/(2 sin half), N",
                (wedge.array() - m * g / (2.0 * std::sin(half))).matrix().norm(), 1e-12);
}

// A thin rod, its lower end sliding toward the side it leans to: the response of that end to a
// normal force and the friction that comes with it, 1/m (1 + 3 cos² θ − 3 μ sin θ cos θ).
bool rod_jams(double angle, double mu) {
  const double s = std::sin(angle), c = std::cos(angle);
  BaraffProblem problem;
  // Half length 1, mass 1, inertia 1/3: arm (−c, −s), force n + (−μ) t with t along the slip.
  problem.A = MatrixXd::Constant(1, 1, 1.0 + 3.0 * c * (c - mu * s));
  problem.b = VectorXd::Constant(1, -9.81);
  problem.normal = {-1};
  problem.mu = VectorXd::Zero(1);
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_baraff(problem, {}, workspace, solution);
  return solution.status == SolveStatus::no_solution;
}

double jamming_friction(double angle) {
  double low = 0.0, high = 100.0;
  while (high - low > 1e-13 * high) {
    const double mid = 0.5 * (low + high);
    (rod_jams(angle, mid) ? high : low) = mid;
  }
  return high;
}

void painleve(const Stage& stage) {
  double least = kInfinity, at = 0.0, off = 0.0;
  for (int i = 1; i < (stage.quick ? 3000 : 9000); ++i) {
    const double angle = i * 0.5 * std::numbers::pi / (stage.quick ? 3000 : 9000);
    const double mu = jamming_friction(angle), t = std::tan(angle);
    if (mu < 99.0) off = std::max(off, std::abs(mu / ((4.0 + t * t) / (3.0 * t)) - 1.0));
    if (mu < least) {
      least = mu;
      at = angle * 180.0 / std::numbers::pi;
    }
  }
  stage.at_most("Painlevé's rod", "friction at which it jams, any angle, relative", off, 1e-11);
  stage.at_most("Painlevé's rod", "least such friction off 4/3", std::abs(least - 4.0 / 3.0), 1e-6);
  stage.at_most("Painlevé's rod", "its angle off arctan 2, degrees",
                std::abs(at - std::atan(2.0) * 180.0 / std::numbers::pi), 0.1, "63.43°");
}

}  // namespace

extern const Experiment kBaraff{"baraff",
                                "cost, termination and limits of Dantzig's method (Baraff 1994)",
                                {cost, ends, box, by_hand, painleve}};

}  // namespace pequod::app
