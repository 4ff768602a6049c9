// What is written is read back to the same bits.
#include "scene/problem_writer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "test/scene/problem_texts.h"
#include "test/support/random.h"

using namespace pequod;
using namespace pequod::test;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Numbers of all sizes, negative zeros and denormals among them.
double any_number(Random& random) {
  const double size = random.uniform(0.0, 1.0);
  if (size < 0.1) return -0.0;
  if (size < 0.2) return random.uniform(-1.0, 1.0) * 1e-310;
  return random.uniform(-1.0, 1.0) * std::pow(10.0, std::floor(random.uniform(-300.0, 300.0)));
}

MatrixXd any_matrix(Random& random, Index rows, Index cols) {
  MatrixXd matrix(rows, cols);
  for (double& x : matrix.reshaped()) x = any_number(random);
  return matrix;
}

VectorXd any_vector(Random& random, Index size) { return any_matrix(random, size, 1); }

FrictionProblem any_friction(Random& random, int dimension, Index contacts, bool associated) {
  FrictionProblem problem;
  problem.dimension = dimension;
  problem.W = any_matrix(random, dimension * contacts, dimension * contacts);
  problem.q = any_vector(random, dimension * contacts);
  problem.mu = any_vector(random, contacts).cwiseAbs();
  if (dimension == 5) problem.mu_rolling = any_vector(random, contacts).cwiseAbs();
  problem.associated = associated;
  return problem;
}

GlobalFrictionProblem any_bodies(Random& random, int dimension, Index contacts) {
  GlobalFrictionProblem problem;
  problem.dimension = dimension;
  problem.M = any_matrix(random, 6, 6).sparseView();
  problem.H = any_matrix(random, 6, dimension * contacts).sparseView();
  problem.q = any_vector(random, 6);
  problem.b = any_vector(random, dimension * contacts);
  problem.mu = any_vector(random, contacts).cwiseAbs();
  return problem;
}

// Wider than it counts, as those of a run.
LeastDistanceProblem any_least_distance(Random& random, int k, int n) {
  LeastDistanceProblem problem;
  problem.y0 = any_vector(random, 6);
  problem.E = any_matrix(random, 6, k + 2);
  problem.e = any_vector(random, k + 2);
  problem.G = any_matrix(random, 6, n + 3);
  problem.c = any_vector(random, n + 3);
  problem.k = k;
  problem.n = n;
  return problem;
}

ProblemData any_data(Random& random, ProblemKind kind, Index n) {
  switch (kind) {
    case ProblemKind::lcp:
      return LcpProblem{any_matrix(random, n, n), any_vector(random, n)};
    case ProblemKind::mlcp: {
      std::vector<char> equality;
      for (Index i = 0; i < n; ++i) equality.push_back(random.uniform(0.0, 1.0) < 0.5);
      return MlcpProblem{any_matrix(random, n, n), any_vector(random, n), equality};
    }
    case ProblemKind::relay: {
      VectorXd lower = -any_vector(random, n).cwiseAbs(), upper = any_vector(random, n).cwiseAbs();
      lower[0] = -INFINITY;
      upper[n - 1] = INFINITY;
      return BoxProblem{any_matrix(random, n, n), any_vector(random, n), lower, upper};
    }
    case ProblemKind::fc2d:
      return any_friction(random, 2, n, false);
    case ProblemKind::fc3d:
      return any_friction(random, 3, n, false);
    case ProblemKind::rfc3d:
      return any_friction(random, 5, n, false);
    case ProblemKind::soclcp:
      return any_friction(random, 3, n, true);
    case ProblemKind::gfc2d:
      return any_bodies(random, 2, n);
    case ProblemKind::gfc3d:
      return any_bodies(random, 3, n);
    case ProblemKind::qp: {
      VectorXd lower = any_vector(random, n);
      lower[0] = -INFINITY;
      return QuadraticProblem{any_matrix(random, n, n), any_vector(random, n), lower,
                              any_matrix(random, n - 1, n), any_vector(random, n - 1)};
    }
    case ProblemKind::dissipation:
      return DissipationProblem{any_friction(random, 3, n, false), 1e-6,
                                any_vector(random, n).cwiseAbs()};
    case ProblemKind::least_distance:
      break;
  }
  return any_least_distance(random, static_cast<int>(n) - 1, static_cast<int>(n));
}

}  // namespace

TEST_CASE("a problem of each kind survives writing and reading, every bit of it") {
  Random random(7);
  for (const ProblemKind kind : problem_kinds()) {
    for (Index n = 1; n <= 5; ++n) {
      Problem problem;
      problem.kind = kind;
      problem.data = any_data(random, kind, n);
      const std::string text = write_problem(problem);
      CAPTURE(text);
      const std::string file =
          std::string(name(kind)) + "/a." + std::string(problem_extension(problem));
      // 17 digits tell all doubles apart, so equal texts are equal bits.
      CHECK(write_problem(load_problem(file, text)) == text);
    }
  }
}

TEST_CASE("what a run recorded survives, a warm start and an empty answer too") {
  Random random(8);
  Problem problem;
  problem.kind = ProblemKind::least_distance;
  problem.data = any_least_distance(random, 1, 2);
  problem.warm_start = {1, 0};
  problem.recorded =
      RecordedAnswer{"ppm", "solved", any_vector(random, 6), any_vector(random, 3), 4};
  const std::string text = write_problem(problem);
  const Problem again = load_problem("a.yaml", text);
  CHECK(write_problem(again) == text);
  CHECK(again.warm_start == problem.warm_start);
  REQUIRE(again.recorded);
  CHECK(again.recorded->x == problem.recorded->x);
  CHECK(again.recorded->pivots == 4);

  problem.recorded = RecordedAnswer{"dual", "failed", {}, {}, 0};
  CHECK(write_problem(load_problem("a.yaml", write_problem(problem))) == write_problem(problem));
}

TEST_CASE("scale, warm start and answer of a friction problem survive") {
  Random random(9);
  Problem problem;
  problem.kind = ProblemKind::fc3d;
  FrictionProblem data{
      3, any_matrix(random, 6, 6), any_vector(random, 6), any_vector(random, 2), {}};
  data.mu = data.mu.cwiseAbs();
  data.mu[1] = INFINITY;
  data.scale = 1.0 / 3.0;
  problem.data = data;
  CHECK(problem_extension(problem) == "yaml");
  problem.start = any_vector(random, 6);
  problem.recorded = RecordedAnswer{"coulomb", "solved", any_vector(random, 6), {}, 3};
  const std::string text = write_problem(problem);
  const Problem again = load_problem("a.yaml", text);
  CHECK(write_problem(again) == text);
  CHECK(std::get<FrictionProblem>(again.data).scale == data.scale);
  CHECK(again.start == problem.start);
  CHECK(again.recorded->x == problem.recorded->x);
}

TEST_CASE("a large sparse friction problem survives") {
  const Index n = 1500;
  SparseFrictionProblem data;
  data.dimension = 2;
  data.W.resize(2 * n, 2 * n);
  for (Index i = 0; i < 2 * n; ++i) data.W.insert(i, (7 * i) % (2 * n)) = 1.0 / (1.0 + i);
  data.q = VectorXd::LinSpaced(2 * n, 0.0, 1.0 / 3.0);
  data.mu = VectorXd::Constant(n, 0.1);
  Problem problem;
  problem.kind = ProblemKind::fc2d;
  problem.data = data;
  const std::string text = write_problem(problem);
  CHECK(write_problem(load_problem("fc2d/a.dat", text)) == text);

  // With what a run adds it is YAML, still sparse: an entry that is stored and zero stays stored.
  data.W.coeffRef(0, 0) = 0.0;
  problem.data = data;
  problem.start = data.q;
  problem.recorded = RecordedAnswer{"nsgs", "solved", data.q, {}, 3};
  const std::string yaml = write_problem(problem);
  const Problem again = load_problem("a.yaml", yaml);
  CHECK(write_problem(again) == yaml);
  CHECK(std::get<SparseFrictionProblem>(again.data).W.nonZeros() == data.W.nonZeros());
}
