// Friction solvers: feet of a quadruped with 4 and 12 contacts (the budget of `coulomb`, warm, is
// 5 and 15 µs, that of QP 1 40 and 200 µs), and 3000 contacts of spheres in a box (1 s).
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/registry/friction_solvers.h"

namespace {

using namespace pequod;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3d skew(const Vector3d& a) {
  Matrix3d result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

/// Contact velocities of four feet with `points` contacts each under a base on legs of three
/// hinges, in coordinates of unit mass.
MatrixXd feet(int points) {
  const double base_mass = 20, base_inertia = 0.6, leg_inertia = 0.05;
  MatrixXd J = MatrixXd::Zero(12 * points, 18);
  for (int foot = 0; foot < 4; ++foot) {
    const Vector3d hip(foot % 2 ? 0.3 : -0.3, foot / 2 ? 0.15 : -0.15, 0);
    const Vector3d knee = hip + Vector3d(0.15, 0, -0.25), end = hip - Vector3d(0, 0, 0.5);
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * M_PI / 3 * i, radius = points > 1 ? 0.03 : 0;
      const Vector3d p = end + radius * Vector3d(std::cos(angle), std::sin(angle), 0);
      MatrixXd rows = MatrixXd::Zero(3, 18);
      rows.leftCols<3>() = -skew(p) / std::sqrt(base_inertia);
      rows.middleCols<3>(3) = Matrix3d::Identity() / std::sqrt(base_mass);
      const int leg = 6 + 3 * foot;
      rows.col(leg) = Vector3d::UnitX().cross(p - hip) / std::sqrt(leg_inertia);
      rows.col(leg + 1) = Vector3d::UnitY().cross(p - hip) / std::sqrt(leg_inertia);
      rows.col(leg + 2) = Vector3d::UnitY().cross(p - knee) / std::sqrt(leg_inertia);
      const int first = 3 * (points * foot + i);
      J.row(first) = rows.row(2);
      J.row(first + 1) = rows.row(0);
      J.row(first + 2) = rows.row(1);
    }
  }
  return J;
}

/// A trot's landing: velocities that change by a thousandth from step to step.
std::vector<FrictionProblem> steps_of_feet(int points, double mu) {
  constexpr int kSteps = 64;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const MatrixXd J = feet(points);
  VectorXd v(18);
  for (double& x : v) x = 0.1 * normal(random);
  v[5] = -1;
  std::vector<FrictionProblem> problems;
  for (int k = 0; k < kSteps; ++k) {
    for (double& x : v) x += 1e-3 * v.norm() / std::sqrt(18) * normal(random);
    FrictionProblem problem;
    problem.W = J * J.transpose();
    problem.q = J * v;
    problem.mu = VectorXd::Constant(J.rows() / 3, mu);
    problem.scale = v.norm();
    problems.push_back(problem);
  }
  return problems;
}

void solve(benchmark::State& state, std::string_view name, int points, double mu, bool warm) {
  const auto solver = find_friction_solver(name)->solve;
  const std::vector<FrictionProblem> problems = steps_of_feet(points, mu);
  FrictionWorkspace workspace;
  std::array<FrictionSolution, 2> solutions;
  solver(problems[0], {}, {}, workspace, solutions[0]);
  std::size_t k = 0;
  int exact = 0, slides = 0;
  for (auto _ : state) {
    const VectorXd& r = solutions[k % 2].r;
    const std::span<const double> start(r.data(), warm ? r.size() : 0);
    FrictionSolution& solution = solutions[++k % 2];
    solver(problems[k % problems.size()], {}, start, workspace, solution);
    exact += solution.exact;
    slides += solution.modes[0] == FrictionMode::slide;
  }
  state.counters["exact"] = exact / static_cast<double>(k);
  state.counters["slides"] = slides / static_cast<double>(k);
}

void qp1(benchmark::State& state, int points) {
  const std::vector<FrictionProblem> problems = steps_of_feet(points, 0.6);
  MaximumDissipationWorkspace workspace;
  MaximumDissipationSolution solution;
  std::size_t k = 0;
  int solved = 0;
  for (auto _ : state) {
    solve_maximum_dissipation(problems[++k % problems.size()], {}, workspace, solution);
    solved += solution.status == SolveStatus::solved;
  }
  state.counters["solved"] = solved / static_cast<double>(k);
}

/// Spheres on a disturbed cubic lattice of edge³ places, of whose neighbours a part touch, at rest
/// under gravity.
SparseFrictionProblem spheres(int edge, double closed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> even;
  const int bodies = edge * edge * edge;
  std::vector<Vector3d> places;
  for (int i = 0; i < bodies; ++i) {
    const int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
    places.emplace_back(x + 0.15 * normal(random), y + 0.15 * normal(random),
                        z + 0.15 * normal(random));
  }
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  const auto add = [&](int body, int other, const Vector3d& n) {
    if (even(random) > closed) return;
    const Vector3d s = n.unitOrthogonal();
    for (const Vector3d& axis : {n, s, Vector3d(n.cross(s))}) {
      for (const int sign : {1, -1}) {
        const int at = sign > 0 ? body : other;
        if (at < 0) continue;
        // Radius 1, unit mass, inertia 2/5; both points lie along the normal.
        const Vector3d turn = -n.cross(axis) / std::sqrt(0.4);
        for (int c = 0; c < 3; ++c) {
          entries.emplace_back(rows, 6 * at + c, sign * axis[c]);
          entries.emplace_back(rows, 6 * at + 3 + c, turn[c]);
        }
      }
      ++rows;
    }
  };
  const std::array<int, 3> stride = {1, edge, edge * edge};
  for (int i = 0; i < bodies; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const int place = i / stride[axis] % edge, before = i - stride[axis];
      if (place > 0) add(i, before, (places[i] - places[before]).normalized());
      if (place == 0) add(i, -1, Vector3d::Unit(axis));
      if (place == edge - 1 && axis < 2) add(i, -1, -Vector3d::Unit(axis));
    }
  Eigen::SparseMatrix<double, Eigen::RowMajor> J(rows, 6 * bodies);
  J.setFromTriplets(entries.begin(), entries.end());
  VectorXd v = VectorXd::Zero(6 * bodies);
  for (int i = 0; i < bodies; ++i) v[6 * i + 2] = -1;
  SparseFrictionProblem problem;
  problem.W = Eigen::SparseMatrix<double>(J * J.transpose());
  problem.W.makeCompressed();
  problem.q = J * v;
  problem.mu.setConstant(rows / 3, 0.3);
  problem.scale = v.norm();
  return problem;
}

void packing(benchmark::State& state, std::string_view name) {
  const SparseFrictionProblem problem =
      spheres(11, 0.7, static_cast<std::uint64_t>(state.range(0)));
  const auto solver = find_row(sparse_friction_solvers(), name)->solve;
  FrictionWorkspace workspace;
  FrictionSolution solution;
  for (auto _ : state) solver(problem, {}, {}, workspace, solution);
  state.counters["contacts"] = static_cast<double>(problem.mu.size());
  state.counters["residual"] = solution.residuals.scaled;
}

BENCHMARK_CAPTURE(solve, coulomb_4_warm, "coulomb", 1, 0.6, true);
BENCHMARK_CAPTURE(solve, coulomb_4_cold, "coulomb", 1, 0.6, false);
BENCHMARK_CAPTURE(solve, coulomb_4_warm_slippery, "coulomb", 1, 0.05, true);
BENCHMARK_CAPTURE(solve, coulomb_12_warm, "coulomb", 3, 0.6, true);
BENCHMARK_CAPTURE(solve, coulomb_12_cold, "coulomb", 3, 0.6, false);
BENCHMARK_CAPTURE(solve, coulomb_12_warm_slippery, "coulomb", 3, 0.05, true);
BENCHMARK_CAPTURE(solve, newton_4_warm, "semismooth-newton", 1, 0.6, true);
BENCHMARK_CAPTURE(solve, nsgs_4_warm, "nsgs", 1, 0.6, true);
BENCHMARK_CAPTURE(qp1, interior_point_4, 1);
BENCHMARK_CAPTURE(qp1, interior_point_12, 3);
BENCHMARK_CAPTURE(packing, newton_3000, "semismooth-newton")
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(1, 6);

}  // namespace

BENCHMARK_MAIN();
