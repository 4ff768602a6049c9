// pequod solve: problems from files, their answers and exit codes.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "test/app/process.h"

namespace pequod::test {
namespace {

using Json = nlohmann::json;

// z = (4/3, 7/3), w = 0.
constexpr const char* kSolvable = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\n";
// w = −z − 1 is below zero for all z ≥ 0.
constexpr const char* kInfeasible = "1\n0 1 1\n1 1\n-1\n-1\n";
// 1 kg falling at 1 m/s and sliding at 3 m/s onto μ = 0.5: r_n = 1 N·s stops the fall, sliding
// friction takes 0.5 m/s, in the convex model some lift is left.
constexpr const char* kSliding = "3 1\n0 3 3 3 3 1 0 0 0 1 0 0 0 1\n-1 3 0\n0.5\n";

std::vector<Json> parse_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

Json solve_one(const Folder& folder, std::vector<std::string> words, int code = 0) {
  words.insert(words.begin(), "solve");
  words.emplace_back("--json");
  const Finished finished = pequod(folder, words);
  CHECK_MESSAGE(finished.code == code, finished.err);
  const std::vector<Json> lines = parse_lines(finished.out);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

}  // namespace

TEST_CASE("a solved problem is told with its unknowns, residuals and work") {
  const Folder folder;
  folder.write("lcp/a.dat", kSolvable);
  const Json answer = solve_one(folder, {"lcp/a.dat"});
  CHECK(answer.at("file") == "lcp/a.dat");
  CHECK(answer.at("kind") == "lcp");
  CHECK(answer.at("model").is_null());
  CHECK(answer.at("solver").is_string());
  CHECK(answer.at("status") == "solved");
  CHECK_FALSE(answer.contains("reason"));
  CHECK(std::abs(answer.at("x")[0].get<double>() - 4.0 / 3.0) < 1e-15);
  CHECK(std::abs(answer.at("x")[1].get<double>() - 7.0 / 3.0) < 1e-15);
  CHECK(std::abs(answer.at("y")[0].get<double>()) < 1e-14);
  CHECK(answer.at("residuals").at("natural_map").get<double>() < 1e-14);
  CHECK(answer.at("pivots").get<int>() > 0);
  CHECK(answer.at("time_s").get<double>() >= 0.0);
}

TEST_CASE("a problem proven to have no solution is told so, with the proof, and is no failure") {
  const Folder folder;
  folder.write("lcp/a.dat", kInfeasible);
  const Json answer = solve_one(folder, {"lcp/a.dat"});
  CHECK(answer.at("status") == "no-solution");
  CHECK(answer.at("certificate")[0].get<double>() > 0.0);  // p ≥ 0, Mᵀp ≤ 0, qᵀp < 0
  CHECK(answer.at("residuals").at("ruled_out") == "inf");
}

TEST_CASE("Coulomb's law and the convex model part on a sliding ball") {
  const Folder folder;
  folder.write("fc3d/a.dat", kSliding);
  folder.write("soclcp/a.dat", "3 1\n0 3 3 3 3 1 0 0 0 1 0 0 0 1\n-1 3 0\n0 3\n0.5\n");
  const Json coulomb = solve_one(folder, {"fc3d/a.dat"});
  CHECK(coulomb.at("model") == "coulomb");
  const std::vector<double> r{1.0, -0.5, 0.0}, u{0.0, 2.5, 0.0};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(coulomb.at("x")[i].get<double>() - r[i]) < 1e-14);
    CHECK(std::abs(coulomb.at("y")[i].get<double>() - u[i]) < 1e-14);
  }
  // The projection of −q = (1, −3, 0) onto the cone |r_t| ≤ r_n/2: r_n (1, −1/2), r_n = 2.5/1.25.
  const std::vector<double> projected{2.0, -1.0, 0.0};
  for (const Json& convex : {solve_one(folder, {"soclcp/a.dat"}),
                             solve_one(folder, {"fc3d/a.dat", "--model", "associated"})}) {
    CHECK(convex.at("model") == "associated");
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(std::abs(convex.at("x")[i].get<double>() - projected[i]) < 1e-13);
  }
  CHECK(solve_one(folder, {"soclcp/a.dat", "--model", "coulomb"}).at("x") == coulomb.at("x"));
}

TEST_CASE("a problem in body space also gives the velocities of the bodies") {
  const Folder folder;
  folder.write("gfc3d/a.dat",
               "3 1\n0 3 3 3 3 2 0 0 0 2 0 0 0 2\n0 3 3 3 3 1 0 0 0 1 0 0 0 1\n-2 6 0\n0 0 0\n"
               "0.5\n");
  const Json answer = solve_one(folder, {"gfc3d/a.dat"});
  const std::vector<double> v{0.0, 2.5, 0.0};
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::abs(answer.at("v")[i].get<double>() - v[i]) < 1e-13);
  CHECK(answer.at("residuals").at("bodies").get<double>() < 1e-14);
}

TEST_CASE(
    "a least-distance problem gives the point, how far rows are from their bounds, and forces") {
  const Folder folder;
  folder.write("a.yaml",
               "kind: least-distance\ny0: [-3, 2]\nE: [[0, 2]]\ne: [2]\n"
               "G: [[1, 0], [1, 1]]\nc: [-1, -5]\n");
  for (const char* solver : {"dual", "ppm", "lemke"}) {
    const Json answer = solve_one(folder, {"a.yaml", "--solver", solver});
    CHECK(answer.at("solver") == solver);
    CHECK(answer.at("x") == Json({-1.0, 1.0}));
    CHECK(answer.at("y") == Json({0.0, 0.0, 5.0}));
    CHECK(answer.at("multipliers") == Json({-0.5, 2.0, 0.0}));
  }
}

// min ½x² + y² − x, x ≥ 0, x + y ≥ 3: x − 1 = 2y = λ, so x = 7/3, y = 2/3, λ = 4/3.
TEST_CASE("a quadratic program gives its point and multipliers, or the proof that there is none") {
  const Folder folder;
  folder.write("a.yaml",
               "kind: qp\nM: [[1, 0], [0, 2]]\nq: [-1, 0]\nlower: [0, -.inf]\n"
               "A: [[1, 1]]\nb: [3]\n");
  const Json answer = solve_one(folder, {"a.yaml"});
  CHECK(answer.at("solver") == "active-set");
  const std::vector<double> x{7.0 / 3.0, 2.0 / 3.0}, multipliers{0.0, 0.0, 4.0 / 3.0};
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(std::abs(answer.at("x")[i].get<double>() - x[i]) < 1e-14);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::abs(answer.at("multipliers")[i].get<double>() - multipliers[i]) < 1e-14);
  folder.write("b.yaml", "kind: qp\nM: [[1]]\nq: [0]\nA: [[1], [-1]]\nb: [1, 0]\n");
  CHECK(solve_one(folder, {"b.yaml"}).at("status") == "no-solution");
}

TEST_CASE("a batch goes on after what is wrong and says so in its exit code") {
  const Folder folder;
  folder.write("lcp/a.dat", kSolvable);
  folder.write("lcp/b.dat", kInfeasible);
  folder.write("fc3d/c.dat", kSliding);
  CHECK(pequod(folder, {"solve", "."}).code == 0);
  CHECK(pequod(folder, {"solve", ".", "--solver", "lemke"}).code == 1);  // serves no fc3d

  folder.write("lcp/d.dat", "2\n0 2 2\n2 2\n2 one\n");
  const Finished bad = pequod(folder, {"solve", "--json", "."});
  CHECK(bad.code == 2);
  CHECK(bad.err ==
        "./lcp/d.dat:4:3: error: M: \"one\" is not a number; read as lcp by the name of "
        "its folder; --kind says otherwise\n");
  const std::vector<Json> lines = parse_lines(bad.out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].at("status") == "solved");
  CHECK(lines[3].at("status") == "failed");
  CHECK(lines[3].at("kind").is_null());
  CHECK(lines[3].at("reason").get<std::string>().find("\"one\" is not a number") !=
        std::string::npos);
}

TEST_CASE("files, folders and patterns are solved in their order") {
  const Folder folder;
  for (const char* file : {"lcp/b.dat", "lcp/a.dat", "lcp/deep/c.dat", "other.dat"})
    folder.write(file, kSolvable);
  folder.write("lcp/notes.txt", "not a problem");
  const auto files = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"solve", "--json"});
    std::string all;
    for (const Json& line : parse_lines(pequod(folder, words).out))
      all += line.at("file").get<std::string>() + " ";
    return all;
  };
  CHECK(files({"other.dat", "lcp"}) == "other.dat lcp/a.dat lcp/b.dat lcp/deep/c.dat ");
  CHECK(files({"lcp/[ab]*.dat"}) == "lcp/a.dat lcp/b.dat ");
  CHECK(files({"lcp/deep/*"}) == "lcp/deep/c.dat ");
}

TEST_CASE("words of solve that make no sense are refused") {
  const Folder folder;
  folder.write("lcp/a.dat", kSolvable);
  fs::create_directories(folder.path() / "empty");
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "solve");
    const Finished finished = pequod(folder, words);
    CHECK(finished.code == 2);
    return finished.err.substr(0, finished.err.find('\n'));
  };
  CHECK(refused({}) == "pequod: solve: a problem file is missing: pequod solve FILE...");
  CHECK(refused({"lcp/a.dat", "--solver", "lemkee"}) ==
        "pequod: --solver: unknown name \"lemkee\"; did you mean \"lemke\"?");
  CHECK(refused({"lcp/a.dat", "--compare", "lemke,pqm"}) ==
        "pequod: --compare: unknown name \"pqm\"; did you mean \"ppm\"?");
  CHECK(refused({"lcp/a.dat", "--kind", "lpc"}) ==
        "pequod: --kind: unknown name \"lpc\"; did you mean \"lcp\"?");
  CHECK(refused({"lcp/a.dat", "--model", "coulom"}) ==
        "pequod: --model: unknown name \"coulom\"; did you mean \"coulomb\"?");
  CHECK(refused({"lcp/a.dat", "--solver", "lemke", "--compare", "ppm"}) ==
        "pequod: solve: --solver and --compare exclude each other");
  CHECK(refused({"nowhere.dat"}) == "pequod: nowhere.dat: no such file or folder");
  CHECK(refused({"*.mat"}) == "pequod: *.mat: no file matches");
  CHECK(refused({"empty"}) == "pequod: empty: no .dat, .yaml or .yml file in this folder");
}

TEST_CASE("--compare tells a table of all solvers and plots their performance profile") {
  const Folder folder;
  for (const char* file : {"lcp/a.dat", "lcp/b.dat", "lcp/c.dat"}) folder.write(file, kSolvable);
  folder.write("fc3d/d.dat", kSliding);
  const Finished finished =
      pequod(folder, {"solve", "lcp", "--compare", "lemke,ppm", "--plot", "p.svg"});
  CHECK(finished.code == 0);
  CHECK(finished.err.empty());
  for (const char* solver : {"lemke", "ppm"}) {
    const std::size_t row = finished.out.find(std::string("\n") + solver + " ");
    REQUIRE(row != std::string::npos);
    std::istringstream words(finished.out.substr(row));
    std::string name, kind;
    int problems = 0, solved = 0, none = 0, failed = 0;
    words >> name >> kind >> problems >> solved >> none >> failed;
    CHECK(kind == "lcp");
    CHECK(problems == 3);
    CHECK(solved == 3);
    CHECK(failed == 0);
  }
  const std::string svg = read_file(folder.path() / "p.svg");
  CHECK(svg.find("<svg xmlns=") == 0);
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("lemke (3/3)") != std::string::npos);
  CHECK(svg.find("ppm (3/3)") != std::string::npos);
}

TEST_CASE("a small problem alone is answered with its unknowns") {
  const Folder folder;
  folder.write("lcp/a.dat", kSolvable);
  folder.write("lcp/b.dat", kSolvable);
  const std::string out = pequod(folder, {"solve", "lcp/a.dat"}).out;
  CHECK(out.find("x = [1.333333333, 2.333333333]\n") != std::string::npos);
  CHECK(pequod(folder, {"solve", "lcp"}).out.find("x = [") == std::string::npos);
}

TEST_CASE("an error in a file of a batch is told once") {
  const Folder folder;
  folder.write("a.yaml", "kind: lcp\nM: [[x]]\nq: [1]\n");
  folder.write("b.yaml", "kind: lcp\nM: [[1]]\nq: [1]\n");
  const Finished finished = pequod(folder, {"solve", "*.yaml"});
  CHECK(finished.code == 2);
  CHECK(finished.err == "a.yaml:2:6: error: M[0]: must be a number, not \"x\"\n");
  CHECK(finished.out.find("must be a number") == std::string::npos);
  CHECK(finished.out.find("failed      a.yaml") != std::string::npos);
}

TEST_CASE(
    "a solver that does not serve is named, and asking for one that serves nothing is wrong") {
  const Folder folder;
  folder.write("lcp/a.dat", kSolvable);
  folder.write("fc3d/c.dat", kSliding);
  const std::string said = "pequod: --compare: lemke does not serve fc3d; one of: ";
  const Finished some = pequod(folder, {"solve", ".", "--compare", "nsgs,lemke"});
  CHECK(some.code == 0);
  CHECK(some.err.find(said) != std::string::npos);
  const Finished none = pequod(folder, {"solve", "fc3d", "--compare", "nsgs,lemke"});
  CHECK(none.code == 2);
  CHECK(none.err.find(said) == 0);
  CHECK(pequod(folder, {"solve", "fc3d", "--solver", "lemke"}).code == 2);
}

// A singular M is solved around a centre, which the workspace keeps: the next solve is shorter.
TEST_CASE("a solve starts cold unless it is asked otherwise, and the table says which") {
  const Folder folder;
  folder.write(
      "a.yaml",
      "kind: qp\nM: [[4, -2, -2], [-2, 1, 1], [-2, 1, 1]]\nq: [0, 2, 0]\nlower: [0, 0, 0]\n"
      "A: [[-1, -2, 1], [-2, 1, 1], [2, -2, 1]]\nb: [-1, -2, 1]\n");
  const Json cold = solve_one(folder, {"a.yaml"}), warm = solve_one(folder, {"a.yaml", "--warm"});
  CHECK(cold.at("start") == "cold");
  CHECK(warm.at("start") == "warm");
  CHECK(warm.at("pivots").get<int>() < cold.at("pivots").get<int>());
  CHECK(pequod(folder, {"solve", "a.yaml"}).out.find("  start\n") != std::string::npos);
  CHECK(pequod(folder, {"solve", "a.yaml"}).out.find(" s  cold\n") != std::string::npos);
}

TEST_CASE("the help of solve names kinds, solvers and exit codes") {
  const Folder folder;
  const std::string help = pequod(folder, {"solve", "--help"}).out;
  for (const char* text : {"Usage: pequod solve", "least-distance", "dual, ppm, lemke", "coulomb",
                           "Exit codes: 0 all solved", "--compare", "natural map"})
    CHECK_MESSAGE(help.find(text) != std::string::npos, text);
}

TEST_CASE("solving twice gives the same bits") {
  const Folder folder;
  folder.write("fc3d/a.dat", kSliding);
  folder.write("lcp/a.dat", kSolvable);
  const auto answers = [&] {
    std::vector<Json> lines = parse_lines(pequod(folder, {"solve", "--json", "."}).out);
    for (Json& line : lines) line.erase("time_s");
    return lines;
  };
  CHECK(answers() == answers());
}

}  // namespace pequod::test
