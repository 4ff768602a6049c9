// Problem files of every kind and storage.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "test/scene/problem_texts.h"
#include "test/support/random.h"

using namespace pequod;
using namespace pequod::test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

template <typename Data>
const Data& data_of(const Problem& problem) {
  const Data* data = std::get_if<Data>(&problem.data);
  REQUIRE(data != nullptr);
  return *data;
}

VectorXd vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorXd>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

TEST_CASE("each storage of a matrix gives the same numbers") {
  for (const char* matrix : {kDense, kBlocks, kTriplets, kColumns, kRows}) {
    CAPTURE(matrix);
    const Problem problem =
        load_problem("lcp/a.dat", std::string("3\n") + matrix + "-1 +2e-1 3\nIn prose: 4 5 6\n");
    CHECK(problem.kind == ProblemKind::lcp);
    CHECK(data_of<LcpProblem>(problem).M == matrix_of_texts());
    CHECK(data_of<LcpProblem>(problem).q == vector({-1, 0.2, 3}));
  }
}

TEST_CASE("both forms of a mixed problem give the same numbers, and must") {
  const std::string rows = "0 1 3\n0 1\n" + std::string(kDense) + "-1 2 3\n";
  // A = 1, B = [5 6; 8 9.5], C = [2 3], D = [4; 7], row-major.
  const std::string parts = "1\n5 6 8 9.5\n2 3\n4 7\n-1\n2 3\n";
  for (const std::string& text :
       {"1 0 1 2\n" + rows, "0 1 1 2\n" + parts, "1 1 1 2\n" + rows + parts}) {
    const Problem problem = load_problem("mlcp/a.dat", text);
    const MlcpProblem& data = data_of<MlcpProblem>(problem);
    CHECK(data.M == matrix_of_texts());
    CHECK(data.q == vector({-1, 2, 3}));
    CHECK(data.equality == std::vector<char>{1, 0, 0});
  }
  CHECK(report_problem("mlcp/a.dat", "1 1 1 2\n" + rows + "1\n5 6 8 9\n2 3\n4 7\n-1\n2 3\n")
            .find("M, q and A, B, C, D, a, b pose different problems") != std::string::npos);
}

TEST_CASE("equalities of a mixed problem may stand anywhere") {
  const Problem problem =
      load_problem("mlcp/a.dat", "1 0 1 2\n0 1 2 3\n1 0 1\n" + std::string(kDense) + "-1 2 3\n");
  CHECK(data_of<MlcpProblem>(problem).equality == std::vector<char>{0, 1, 0});
}

TEST_CASE("bounds of a relay may be infinite") {
  const Problem problem =
      load_problem("relay/a.dat", "3\n" + std::string(kDense) + "1 2 3\n-1 -inf 0\n1 0 inf\n");
  const BoxProblem& data = data_of<BoxProblem>(problem);
  CHECK(data.M == matrix_of_texts());
  CHECK(data.lower == vector({-1, -INFINITY, 0}));
  CHECK(data.upper == vector({1, 0, INFINITY}));
}

TEST_CASE("a cone problem is the convex model of the friction problem with its numbers") {
  const Problem friction =
      load_problem("fc3d/a.dat", "3 1\n" + std::string(kDense) + "1 2 3\n0.5\n");
  const Problem cone =
      load_problem("soclcp/a.dat", "3 1\n" + std::string(kDense) + "1 2 3\n0 3\n0.5\n");
  const FrictionProblem& a = data_of<FrictionProblem>(friction);
  const FrictionProblem& b = data_of<FrictionProblem>(cone);
  CHECK(a.W == b.W);
  CHECK(a.q == b.q);
  CHECK(a.mu == b.mu);
  CHECK(a.dimension == 3);
  CHECK_FALSE(a.associated);
  CHECK(b.associated);
}

TEST_CASE("planar and rolling contacts have two and five numbers") {
  const Problem flat = load_problem("fc2d/a.dat", "2 1\n0 2 2 2 2 1 2 3 4\n5 6\n0.5\n");
  CHECK(data_of<FrictionProblem>(flat).dimension == 2);
  CHECK(data_of<FrictionProblem>(flat).W == (Eigen::Matrix2d() << 1, 3, 2, 4).finished());
  const Problem rolling = load_problem("rfc3d/a.dat",
                                       "5 1\n1 5 5\n1 1 1\n5 5\n2 1\n0 1 0 0\n"
                                       "1 0 0 0 0 0 2 0 0 0 0 0 3 0 0 0 0 0 4 0 0 0 0 0 5\n"
                                       "1 2 3 4 5\n0.5\n0.1\n");
  CHECK(data_of<FrictionProblem>(rolling).dimension == 5);
  CHECK(data_of<FrictionProblem>(rolling).W.diagonal() == vector({1, 2, 3, 4, 5}));
  CHECK(data_of<FrictionProblem>(rolling).mu_rolling == vector({0.1}));
}

// A ball of 2 kg, impulse q on it, one contact whose frame is turned by 90° about z.
TEST_CASE("a problem in body space is condensed to contact space, and its velocities come back") {
  const Problem problem = load_problem("gfc3d/a.dat",
                                       "3 1\n0 3 3 3 3 2 0 0 0 2 0 0 0 2\n"
                                       "0 3 3 3 3 0 0 1 0 1 0 -1 0 0\n"
                                       "2 4 -6\n0.5 0.25 0\n0.7\n");
  const GlobalFrictionProblem& global = data_of<GlobalFrictionProblem>(problem);
  const FrictionProblem local = condensed(global);
  CHECK((local.W - 0.5 * Eigen::Matrix3d::Identity()).norm() == 0.0);
  CHECK(local.q == vector({-3 + 0.5, 2 + 0.25, -1}));  // H = [e_z e_y −e_x], Hᵀq/2 + b
  CHECK(local.mu == vector({0.7}));
  CHECK(body_velocities(global, vector({4, 0, 0})) == vector({1, 2, -1}));
  CHECK_THROWS_WITH(condensed({3, Eigen::SparseMatrix<double>(3, 3), global.H, global.q, global.b,
                               global.mu, false}),
                    "M of a problem in body space is singular");
}

TEST_CASE("the kind comes from the caller, else from the folder, else from the counts") {
  const std::string lcp = "3\n" + std::string(kDense) + "1 2 3\n";
  CHECK(load_problem("a.dat", lcp).kind == ProblemKind::lcp);
  CHECK(load_problem("a.dat", lcp + "0 0 0\n1 1 1\n").kind == ProblemKind::relay);
  CHECK(load_problem("lcp/a.dat", lcp + "0 0 0\n1 1 1\n").kind == ProblemKind::lcp);
  CHECK(load_problem("lcp/a.dat", lcp + "0 0 0\n1 1 1\n", ProblemKind::relay).kind ==
        ProblemKind::relay);
  CHECK(load_problem("a.dat", "3 1\n" + std::string(kDense) + "1 2 3\n0.5\n").kind ==
        ProblemKind::fc3d);
}

TEST_CASE("a large sparse friction problem stays sparse") {
  const int n = 1001;
  std::string text =
      "2 1001\n2 2002 2002\n1\nCSparse\ntriplet: 2002-by-2002, nzmax: 2002 nnz: 2002\n";
  for (int i = 0; i < 2 * n; ++i) text += fmt::format("{0} {0} : 2\n", i);
  for (int i = 0; i < 2 * n; ++i) text += "1 ";
  for (int i = 0; i < n; ++i) text += "0.5 ";
  const Problem problem = load_problem("fc2d/a.dat", text);
  CHECK(data_of<SparseFrictionProblem>(problem).W.nonZeros() == 2 * n);
}

TEST_CASE("our YAML layout poses the same problems") {
  const Problem lcp = load_problem("a.yaml",
                                   "kind: lcp\nM: [[1, 2, 3], [4, 5, 6], [7, 8, 9.5]]\n"
                                   "q: [-1, 0.2, 3]\n");
  CHECK(data_of<LcpProblem>(lcp).M == matrix_of_texts());
  const Problem mixed = load_problem(
      "a.yaml", "kind: mlcp\nM: [[1, 2], [4, 5]]\nq: [-1, 2]\nequality: [false, true]\n");
  CHECK(data_of<MlcpProblem>(mixed).equality == std::vector<char>{0, 1});
  const Problem box =
      load_problem("a.yaml", "kind: relay\nM: [[1]]\nq: [2]\nlower: [-.inf]\nupper: [3]\n");
  CHECK(data_of<BoxProblem>(box).lower == vector({-INFINITY}));
  const Problem friction =
      load_problem("a.yaml", "kind: fc2d\nW: [[1, 2], [4, 5]]\nq: [5, 6]\nmu: [.inf]\nscale: 2\n");
  CHECK(data_of<FrictionProblem>(friction).dimension == 2);
  CHECK(data_of<FrictionProblem>(friction).mu == vector({INFINITY}));
  CHECK(data_of<FrictionProblem>(friction).scale == 2.0);
  const Problem global =
      load_problem("a.yaml", "kind: gfc2d\nM: [[2]]\nH: [[1, 3]]\nq: [4]\nb: [5, 6]\nmu: [0.5]\n");
  CHECK(MatrixXd(data_of<GlobalFrictionProblem>(global).H) == (MatrixXd(1, 2) << 1, 3).finished());
}

TEST_CASE("rows of a least-distance file are columns of the problem") {
  const Problem problem = load_problem(
      "a.yaml",
      "kind: least-distance\ny0: [1, 2]\nE: [[3, 4]]\ne: [5]\nG: [[6, 7], [8, 9]]\nc: [0, -1]\n"
      "warm_start: [1, 0]\n");
  const LeastDistanceProblem& data = data_of<LeastDistanceProblem>(problem);
  CHECK(data.E == vector({3, 4}));
  CHECK(data.G == (Eigen::Matrix2d() << 6, 8, 7, 9).finished());
  CHECK(problem.warm_start == std::vector<int>{1, 0});
  const Problem free = load_problem("a.yaml", "kind: least-distance\ny0: [1, 2]\n");
  CHECK(data_of<LeastDistanceProblem>(free).E.cols() == 0);
  CHECK(data_of<LeastDistanceProblem>(free).G.rows() == 2);
}
