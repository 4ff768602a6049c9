// Contact problems of a run, recorded and solved again.
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/problem_recorder.h"
#include "scene/problem_file.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

using Json = nlohmann::json;

std::vector<double> numbers(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

// Residuals of a recorded answer, computed here from the file.
LeastDistanceResiduals residuals_of(const Problem& problem) {
  const auto& data = std::get<LeastDistanceProblem>(problem.data);
  LeastDistanceSolution solution;
  solution.y = problem.recorded->x;
  solution.fe = problem.recorded->multipliers.head(data.e.size());
  solution.f = problem.recorded->multipliers.tail(data.c.size());
  return measure(data, solution);
}

// @return how many problems were solved again to the same bits
int check_repeated(const Folder& folder, const std::string& problems, const std::string& solver) {
  const Finished finished = pequod(folder, {"solve", problems, "--solver", solver, "--json"});
  CHECK(finished.code == 0);
  std::istringstream lines(finished.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json answer = Json::parse(line);
    CAPTURE(answer.at("file"));
    Diagnostics diagnostics;
    const auto problem =
        read_problem(folder.path() / answer.at("file").get<std::string>(), {}, diagnostics);
    REQUIRE(problem);
    REQUIRE(problem->recorded);
    CHECK(problem->recorded->solver == solver);
    CHECK(answer.at("repeated") == true);
    CHECK(answer.at("x").get<std::vector<double>>() == numbers(problem->recorded->x));
    if (problem->recorded->status != "solved") continue;
    const LeastDistanceResiduals r = residuals_of(*problem);
    CHECK(answer.at("residuals").at("infeasibility") == r.infeasibility);
    CHECK(answer.at("residuals").at("complementarity") == r.complementarity);
    CHECK(answer.at("residuals").at("stationarity") == r.stationarity);
    CHECK(answer.at("residuals").at("dual_infeasibility") == r.dual_infeasibility);
  }
  return count;
}

// @return how many problems the command solved, each to the bits that were recorded
int count_repeated(const Folder& folder, const std::vector<std::string>& words) {
  std::istringstream lines(pequod(folder, words).out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    CHECK(Json::parse(line).at("repeated") == true);
  return count;
}

}  // namespace

TEST_CASE("recorded problems solved again by the same solver give the same bits") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  for (const char* solver : {"dual", "ppm", "lemke"}) {
    const std::string problems = std::string("problems-") + solver;
    const Finished run = pequod(folder, {"run", "crate.yaml", "--solver", solver, "--output", "r",
                                         "--record-problems", problems, "--quiet"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(check_repeated(folder, problems, solver) > 100);
  }
}

TEST_CASE("problems with cones and pyramids solved again give the same bits, with their scale" *
          doctest::test_suite("heavy")) {
  const Folder folder;
  // A crate that sleeps has no more problems.
  folder.write("crate.yaml", kCrate + std::string("contact: {sleep: \"off\"}\n"));
  struct Pair {
    const char *model, *solver;
  };
  for (const Pair& pair : {Pair{"coulomb", "coulomb"},
                           {"coulomb", "nsgs"},
                           {"stewart-trinkle", "auto"},
                           {"anitescu-potra", "lemke"},
                           {"drumwright-shell", "interior-point"}}) {
    const char *const model = pair.model, *const solver = pair.solver;
    CAPTURE(model);
    CAPTURE(solver);
    const std::string problems = std::string("p-") + model + "-" + solver;
    const Finished run =
        pequod(folder, {"run", "crate.yaml", "--model", model, "--solver", solver, "--output", "r",
                        "--record-problems", problems, "--quiet"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(count_repeated(folder, {"solve", problems, "--solver", solver, "--json"}) > 100);
  }
}

// Tipped about two of its corners, so that two others open.
constexpr const char* kTipped = R"(duration: 0.3
integrator: {method: rk4, step: 0.002}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  crate: {mass: 2, shape: {box: {size: [0.2, 0.3, 0.4]}}, position: [0, 0, 0.2]}
forces:
  - {on: crate, from: 0.1, to: 0.2, force: [6, 0, 0], torque: [0, 2.5, 0]}
surfaces:
  - {between: ["*", "*"], friction: 0.6}
)";

TEST_CASE("the problem that chooses the mode of friction inside a step is recorded") {
  const Folder folder;
  folder.write("tipped.yaml", kTipped);
  for (const std::string model : {"coulomb", "baraff"}) {
    const Finished run = pequod(folder, {"run", "tipped.yaml", "--model", model, "--output", "r",
                                         "--record-problems", model, "--quiet"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
  }
  CHECK(count_repeated(folder, {"solve", "coulomb", "--json"}) > 0);
  // Baraff's method is no solver of LCPs, but its answer is one.
  Diagnostics diagnostics;
  const auto problem =
      read_problem(folder.path() / "baraff/problem-00000001.yaml", {}, diagnostics);
  REQUIRE_MESSAGE(problem, diagnostics.text());
  CHECK(problem->recorded->solver == "baraff");
  LcpSolution answer;
  answer.z = problem->recorded->x;
  measure(std::get<LcpProblem>(problem->data), answer);
  CHECK(answer.residuals.relative < 1e-12);
  CHECK(answer.z.norm() > 1.0);
}

// A plate on a hundred studs: one island, solved sparse.
TEST_CASE("problems of a hundred contacts are recorded sparse, and solved again to the same bits" *
          doctest::test_suite("heavy")) {
  const Folder folder;
  std::string scene = R"(duration: 0.01
integrator: {step: 0.002}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  plate:
    mass: 2
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.15}
    position: [0, 0, 0.05]
    velocity: [0.5, 0, 0]
    shapes:
)";
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      scene += "    - {shape: {sphere: {radius: 0.05}}, position: [" +
               std::to_string(0.1 * i - 0.45) + ", " + std::to_string(0.1 * j - 0.45) + ", 0]}\n";
  folder.write("plate.yaml", scene);
  const Finished run = pequod(folder, {"run", "plate.yaml", "--model", "coulomb", "--output", "r",
                                       "--record-problems", "p", "--quiet"});
  REQUIRE_MESSAGE(run.code == 0, run.err);
  Diagnostics diagnostics;
  const auto problem = read_problem(folder.path() / "p/problem-00000001.yaml", {}, diagnostics);
  REQUIRE_MESSAGE(problem, diagnostics.text());
  CHECK(std::holds_alternative<SparseFrictionProblem>(problem->data));
  CHECK(count_repeated(folder, {"solve", "p", "--json"}) >= 5);
}

TEST_CASE("recording changes nothing in the run") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  CHECK(pequod(folder, {"run", "crate.yaml", "--output", "a"}).code == 0);
  CHECK(pequod(folder, {"run", "crate.yaml", "--output", "b", "--record-problems", "p"}).code == 0);
  CHECK(same_logs(folder.path() / "a", folder.path() / "b"));
  CHECK(check_repeated(folder, "p", "dual") > 100);  // the default, by its name
}

TEST_CASE("problems of two runs are not mixed in one folder") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const std::vector<std::string> words{"run", "crate.yaml",        "--duration",
                                       "0.2", "--record-problems", "p"};
  CHECK(pequod(folder, words).code == 0);
  const Finished again = pequod(folder, words);
  CHECK(again.code == 2);
  CHECK(again.err.find("p: holds problems of another run; empty it, or name another folder") !=
        std::string::npos);
}

TEST_CASE("a resumed run numbers its problems on") {
  const Folder folder;
  LeastDistanceProblem problem;
  problem.y0 = Eigen::VectorXd::Constant(1, -1.0);
  problem.E = Eigen::MatrixXd(1, 0);
  problem.G = Eigen::MatrixXd::Identity(1, 1);
  problem.c = Eigen::VectorXd::Zero(1);
  const LeastDistanceSolution failed;
  for (const bool go_on : {false, true})
    for (int i = 0; i < 2; ++i)
      app::ProblemRecorder(folder.path() / "p", "dual", go_on || i > 0).write(problem, {}, failed);
  for (const char* name : {"problem-00000001.yaml", "problem-00000004.yaml"})
    CHECK(fs::exists(folder.path() / "p" / name));
  CHECK_FALSE(fs::exists(folder.path() / "p" / "problem-00000005.yaml"));
}

TEST_CASE("an answer that differs from the recorded one is told") {
  const Folder folder;
  folder.write("a.yaml",
               "kind: least-distance\ny0: [-1]\nG: [[1]]\nc: [0]\nrecorded: {solver: dual, "
               "status: solved, pivots: 1, x: [1e-300], multipliers: [1]}\n");
  const Finished finished = pequod(folder, {"solve", "a.yaml"});
  CHECK(finished.out.find("differs from the answer recorded in the file") != std::string::npos);
  const Finished other = pequod(folder, {"solve", "a.yaml", "--solver", "ppm"});
  CHECK(other.out.find("differs") == std::string::npos);
}

}  // namespace pequod::test
