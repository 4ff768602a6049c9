// Blocks held between two grippers (Drumwright 2015, sec. VII-A, Table I), as a contact problem.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "app/wall_clock.h"
#include "contact/solvers/complementarity/pyramid_lcp.h"
#include "contact/solvers/registry/lcp_solvers.h"
#include "contact/solvers/registry/least_distance_solvers.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Clock = std::chrono::steady_clock;

constexpr double kGraspStep = 0.01, kEdge = 0.1;  // s, m
constexpr double kGrip = 200.0;                   // N

/// A row of blocks along x between grippers that slide along x. Velocities: the left gripper's, of
/// each block its turning and its centre's, the right gripper's. All bodies have 1 kg.
struct GraspRow {
  VectorXd mass, force;                    // m each
  MatrixXd N, S, T;                        // n×m, by contact
  std::vector<Vector3d> points;            // m, of contacts
  Index per_face = 0, blocks = 0, at = 0;  // `at`: rows that are filled
};

// Velocity of body i (0 the left gripper) at p along d, as a row, times `sign`.
void add_body(const GraspRow& row, Index body, const Vector3d& p, const Vector3d& d, double sign,
              Eigen::Ref<Eigen::RowVectorXd> out) {
  if (body == 0 || body > row.blocks) {
    out[body == 0 ? 0 : out.size() - 1] += sign * d.x();
    return;
  }
  const double x = kEdge * (static_cast<double>(body) - 0.5 * static_cast<double>(row.blocks + 1));
  const Vector3d r = p - Vector3d(x, 0.0, 0.0);
  out.segment<3>(6 * body - 5) += sign * r.cross(d).transpose();
  out.segment<3>(6 * body - 2) += sign * d.transpose();
}

void add_contact(GraspRow& row, Index left, const Vector3d& p, int axis) {
  const auto fill = [&](MatrixXd& rows, int k) {
    Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(row.mass.size());
    add_body(row, left, p, Vector3d::Unit(k), -1.0, out);
    add_body(row, left + 1, p, Vector3d::Unit(k), 1.0, out);
    rows.row(row.at) = out;
  };
  fill(row.N, axis);
  fill(row.S, (axis + 1) % 3);
  fill(row.T, (axis + 2) % 3);
  row.points.push_back(p);
  ++row.at;
}

/// Points of a face in its plane, edge 1: its border first, as evenly as the count allows.
std::vector<Eigen::Vector2d> face_points(int count) {
  std::vector<Eigen::Vector2d> points;
  for (int i = 0; i < count; ++i) {
    const double s = 4.0 * i / count, along = s - std::floor(s) - 0.5;
    const int side = static_cast<int>(s);
    points.emplace_back(side == 0   ? Eigen::Vector2d(along, -0.5)
                        : side == 1 ? Eigen::Vector2d(0.5, along)
                        : side == 2 ? Eigen::Vector2d(-along, 0.5)
                                    : Eigen::Vector2d(-0.5, -along));
  }
  return points;
}

/// @param corners  four corners with three normals each, as published; else `count` points
GraspRow make_row(int blocks, int count, bool corners) {
  GraspRow row;
  row.blocks = blocks;
  row.per_face = corners ? 12 : count;
  const Index m = 6 * blocks + 2, n = row.per_face * (blocks + 1);
  row.mass = VectorXd::Ones(m);
  row.force = VectorXd::Zero(m);
  row.force[0] = 0.5 * kGrip * blocks;
  row.force[m - 1] = -row.force[0];
  for (Index i = 0; i < blocks; ++i) {
    row.mass.segment<3>(1 + 6 * i).setConstant(kEdge * kEdge / 6.0);
    row.force[6 + 6 * i] = -kGravity;
  }
  for (MatrixXd* rows : {&row.N, &row.S, &row.T}) rows->setZero(n, m);
  for (Index face = 0; face <= blocks; ++face)
    for (const Eigen::Vector2d& q : face_points(corners ? 4 : count))
      for (int axis = 0; axis < (corners ? 3 : 1); ++axis)
        add_contact(
            row, face,
            {kEdge * (static_cast<double>(face) - 0.5 * blocks), kEdge * q.x(), kEdge * q.y()},
            axis);
  return row;
}

/// One step: from the velocities without contact to those with it.
struct Solved {
  bool solved = false;
  VectorXd v;
  int pivots = 0;
  VectorXd normal, along_z;  ///< N·s, of contacts with normal x
  int carrying = 0;          ///< contacts whose normal impulse is not 0
};

using SolveStep = std::function<Solved(const GraspRow&, const VectorXd& v)>;

// min ½|y − y₀|², y = L v, Eᵀy = 0 along all tangents, Gᵀy ≥ 0 along normals.
SolveStep no_slip(const char* name, bool warm) {
  return [solve = find_least_distance_solver(name)->solve, warm, work = LeastDistanceWorkspace(),
          solution = LeastDistanceSolution(),
          active = std::vector<int>()](const GraspRow& row, const VectorXd& v) mutable {
    const VectorXd root = row.mass.cwiseSqrt();
    const VectorXd inverse = root.cwiseInverse();
    const Index m = v.size(), n = row.N.rows();
    LeastDistanceProblem problem;
    problem.y0 = root.cwiseProduct(v);
    problem.E.resize(m, 2 * n);
    problem.E << inverse.asDiagonal() * row.S.transpose(), inverse.asDiagonal() * row.T.transpose();
    problem.e = VectorXd::Zero(2 * n);
    problem.G = inverse.asDiagonal() * row.N.transpose();
    problem.c = VectorXd::Zero(n);
    solve(problem, {}, active, work, solution);
    if (warm) active = solution.active;
    Solved answer;
    answer.solved = solution.status == SolveStatus::solved;
    if (!answer.solved) return answer;
    answer.v = inverse.cwiseProduct(solution.y);
    answer.pivots = solution.pivots;
    answer.normal = solution.f;
    answer.along_z = solution.fe.tail(n);
    answer.carrying = static_cast<int>((solution.f.array() > 1e-12).count());
    return answer;
  };
}

// Pyramids of four edges, friction 100: n (4 + 2) variables.
SolveStep stewart_trinkle(bool warm) {
  return [solver = find_lcp_solver("lemke"), warm, work = LcpWorkspace(), start = VectorXd()](
             const GraspRow& row, const VectorXd& v) mutable {
    const Index n = row.N.rows();
    MatrixXd J(3 * n, v.size());
    for (Index i = 0; i < n; ++i)
      J.middleRows(3 * i, 3) << row.N.row(i), row.S.row(i), row.T.row(i);
    const MatrixXd response = row.mass.cwiseInverse().asDiagonal() * J.transpose();
    const LcpProblem lcp = pyramid_lcp({J * response, J * v, VectorXd::Constant(n, 100.0)}, 4);
    LcpSolution solution;
    solver->solve(lcp, {}, start, work, solution);
    Solved answer;
    answer.solved = solution.status == SolveStatus::solved;
    answer.pivots = solution.pivots;
    if (!answer.solved) return answer;
    if (warm) start = solution.z;
    const VectorXd impulses = pyramid_impulses(solution.z, n, 4);
    answer.v = v + response * impulses;
    answer.normal = solution.z.head(n);
    answer.along_z.resize(n);
    for (Index i = 0; i < n; ++i) answer.along_z[i] = impulses[3 * i + 2];
    answer.carrying = static_cast<int>((answer.normal.array() > 1e-12).count());
    return answer;
  };
}

struct Held {
  int steps = 0;
  double seconds = 0.0, moved = 0.0, gain = -kInfinity;  ///< m; J, by contact impulses
  double pivots = 0.0;                                   ///< mean
  int most = 0;
  Solved last;
};

// Velocities take the forces, then contact, then places follow; the rows stay those of the start,
// as long as nothing moves by more than a micrometre.
Held hold(const GraspRow& row, const SolveStep& solve, int steps) {
  Held held;
  VectorXd v = VectorXd::Zero(row.mass.size()), moved = v;
  const auto start = Clock::now();
  while (held.steps < steps) {
    v += kGraspStep * row.force.cwiseQuotient(row.mass);
    Solved solved = solve(row, v);
    if (!solved.solved) break;
    held.gain = std::max(held.gain, 0.5 * (solved.v.cwiseAbs2() - v.cwiseAbs2()).dot(row.mass));
    v = solved.v;
    moved += kGraspStep * v;
    held.moved = moved.lpNorm<Eigen::Infinity>();
    held.pivots += solved.pivots;
    held.most = std::max(held.most, solved.pivots);
    held.last = std::move(solved);
    ++held.steps;
    if (held.moved > 1e-6) break;
  }
  held.seconds = seconds_since(start);
  held.pivots /= std::max(1, held.steps);
  return held;
}

struct Method {
  const char* name;
  const char* published;
  std::function<SolveStep()> make;
};

std::vector<Method> methods(bool warm) {
  return {{"Stewart-Trinkle, lemke", "6.58", [=] { return stewart_trinkle(warm); }},
          {"no-slip, active set", "1.19", [=] { return no_slip("dual", warm); }},
          {"no-slip, ppm", "1", [=] { return no_slip("ppm", warm); }}};
}

// Lemke's method takes four tenths of a second a step.
int steps_of(const Stage& stage, const Method& method, int full) {
  return stage.quick && std::string_view(method.name).ends_with("lemke") ? 1 : full;
}

void table_1(const Stage& stage, bool corners, bool warm) {
  const GraspRow row = make_row(2, 12, corners);
  const int trials = stage.quick ? 2 : 10;
  Table table{fmt::format("a step, {} trials of ten; {}; {} start", trials,
                          corners ? "4 corners × 3 normals a face" : "12 points a face",
                          warm ? "warm" : "cold"),
              {"method", "mean, ms", "σ, ms", "median, ms", "over ppm", "published", "pivots",
               "most", "contacts that carry"},
              {}};
  // Ratios of medians: what else the machine does now and then makes one trial a hundred times as
  // long, which is in mean and σ.
  std::vector<double> medians;
  for (const Method& method : methods(warm)) {
    VectorXd seconds(trials);
    Held held;
    for (double& one : seconds) {
      held = hold(row, method.make(), steps_of(stage, method, 10));
      one = 1e3 * held.seconds / std::max(1, held.steps);
    }
    const double mean = seconds.mean();
    std::sort(seconds.begin(), seconds.end());
    medians.push_back(seconds[trials / 2]);
    table.rows.push_back({method.name, mean, std::sqrt((seconds.array() - mean).square().mean()),
                          medians.back(), 0.0, method.published, held.pivots,
                          static_cast<double>(held.most), static_cast<double>(held.last.carrying)});
  }
  for (std::size_t i = 0; i < medians.size(); ++i) table.rows[i][4] = medians[i] / medians.back();
  stage.show(table);
}

void times(const Stage& stage) {
  table_1(stage, true, false);
  table_1(stage, false, false);
  if (!stage.quick) table_1(stage, false, true);
}

// Sums over the contacts of a face.
double on_face(const GraspRow& row, const VectorXd& values, Index face) {
  return values.segment(face * row.per_face, row.per_face).sum();
}

// Where the normal force of a face acts, m along z.
double acts_at(const GraspRow& row, const VectorXd& normal, Index face) {
  double moment = 0.0;
  for (Index i = face * row.per_face; i < (face + 1) * row.per_face; ++i)
    moment += normal[i] * nth(row.points, i).z();
  return moment / on_face(row, normal, face);
}

void check_impulses(const Stage& stage, const GraspRow& row, const std::string& name,
                    const Held& ten, const Held& held) {
  const Solved& last = held.last;
  stage.at_least(name, "steps held", held.steps, 100.0, "≥ 100");
  double off = 0.0;
  for (Index face = 0; face < 3; ++face)
    off = std::max(off, std::abs(on_face(row, last.normal, face) - kGrip * kGraspStep));
  stage.at_most(name, "normal impulse of a face off 2 N·s", off, 1e-10);
  const double left = on_face(row, last.along_z, 0), right = on_face(row, last.along_z, 2);
  stage.at_most(name, "friction of the outer faces off the weight, N·s",
                std::abs(right - left + 2.0 * kGravity * kGraspStep), 1e-10);
  stage.at_most(name, "moved in 10 steps, m, rad", ten.moved, 1e-9, "falls 0.054 m if free");
  stage.at_most(name, "moved in 100 steps, m, rad", held.moved, 1e-7);
  stage.at_most(name, "work of contact impulses, J", held.gain, 0.0);
}

// How the friction is shared is open: the row is held at both ends. Lemke's method may find a
// solution of the pyramids in which the blocks turn; how long it holds is a row, not a check.
void impulses(const Stage& stage) {
  const GraspRow row = make_row(2, 12, false);
  Table table{"a hundred steps, 12 points a face",
              {"method", "held", "published", "moved, m, rad", "up, left, N·s", "up, middle",
               "up, right", "line of action moves, mm"},
              {}};
  for (const Method& method : methods(false)) {
    const bool ours = std::string_view(method.name).starts_with("no-slip");
    const Held ten = hold(row, method.make(), 10), held = hold(row, method.make(), 100);
    const Solved& last = held.last;
    if (ours) check_impulses(stage, row, method.name, ten, held);
    table.rows.push_back({method.name, static_cast<double>(held.steps), ours ? "≥ 100" : "about 10",
                          held.moved, -on_face(row, last.along_z, 0), on_face(row, last.along_z, 1),
                          on_face(row, last.along_z, 2),
                          1e3 * (acts_at(row, last.normal, 1) - acts_at(row, last.normal, 0))});
  }
  stage.show(table);
}

// Boxes from the side, each from corner to corner.
void add_outlines(const Scenario& scenario, const State& state, const std::string& when,
                  Chart& chart) {
  std::vector<Pose> poses(scenario.model.links.size());
  compute_poses(scenario.model, state.q, poses);
  for (const Shape& shape : scenario.model.shapes) {
    const Box* box = std::get_if<Box>(&shape.geometry);
    if (box == nullptr || shape.link < 0) continue;
    const Pose X_WS = nth(poses, shape.link) * shape.X_LS;
    Curve curve{nth(scenario.model.frames, shape.frame).name + when, {}};
    constexpr std::array<std::pair<double, double>, 5> kCorners{
        {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}}};
    for (const auto& [x, z] : kCorners) {
      const Vector3d p = X_WS * Vector3d(x * box->size.x(), 0.0, z * box->size.z());
      curve.points.emplace_back(p.x(), p.z());
    }
    chart.curves.push_back(std::move(curve));
  }
}

void scene(const Stage& stage) {
  const Scenario scenario = stage.load("grasp");
  const Trace trace = simulate(scenario);
  Chart chart{"Fig. 1: the grasp from the side", "x, m", "z, m", false, {}};
  add_outlines(scenario, scenario.initial, ", start", chart);
  add_outlines(scenario, trace.state, ", 100 steps", chart);
  stage.draw(chart_svg(chart));
  stage.at_most("grasp.yaml", "moved in 100 steps, m or rad",
                (trace.state.q - scenario.initial.q).lpNorm<Eigen::Infinity>(), 1e-7);
  stage.at_most("grasp.yaml", "deepest, m", std::max(0.0, trace.statistics.max_penetration), 1e-9);
}

// Time of a step with ppm ~ m^a n^b by least squares on logarithms.
void growth(const Stage& stage) {
  const std::vector<int> blocks = stage.quick ? std::vector{1, 2, 4} : std::vector{1, 2, 5, 10, 20};
  const std::vector<int> faces =
      stage.quick ? std::vector{4, 12, 36} : std::vector{4, 12, 36, 100, 400};
  Table table{
      "a step with no-slip and ppm", {"blocks", "m", "contacts a face", "n", "ms", "pivots"}, {}};
  Chart chart{"A step of the no-slip model, ppm", "contacts", "ms", true, {}, true};
  const auto count = static_cast<Index>(blocks.size() * faces.size());
  MatrixXd A(count, 3);
  VectorXd b(count);
  Index k = 0;
  for (const int block : blocks) {
    Curve curve{fmt::format("{} blocks", block), {}};
    for (const int face : faces) {
      const GraspRow row = make_row(block, face, false);
      double best = kInfinity, pivots = 0.0;
      for (int trial = 0; trial < 3; ++trial) {
        const Held held = hold(row, no_slip("ppm", false), 3);
        best = std::min(best, held.seconds / std::max(1, held.steps));
        pivots = held.pivots;
      }
      const double m = static_cast<double>(row.mass.size()), n = static_cast<double>(row.N.rows());
      table.rows.push_back(
          {static_cast<double>(block), m, static_cast<double>(face), n, 1e3 * best, pivots});
      curve.points.emplace_back(n, 1e3 * best);
      A.row(k) << 1.0, std::log(m), std::log(n);
      b[k++] = std::log(best);
    }
    chart.curves.push_back(std::move(curve));
  }
  stage.show(table);
  const Vector3d fit = A.colPivHouseholderQr().solve(b);
  stage.show({"time ~ m^a n^b (\"O(m³ + m²n)\" published)", {"a", "b"}, {{fit[1], fit[2]}}});
  stage.draw(chart_svg(chart));
}

}  // namespace

extern const Experiment kGrasp{
    "grasp",
    "two blocks between grippers, 36 contacts (Drumwright 2015, Table I)",
    {times, impulses, scene, growth},
    "examples/grasp"};

}  // namespace pequod::app
