// What is said about problem files that are wrong.
#include <doctest/doctest.h>

#include <algorithm>

#include "test/scene/problem_texts.h"
#include "test/support/random.h"

using namespace pequod;
using namespace pequod::test;

namespace {

std::string lcp(const std::string& text) { return report_problem("a.dat", text, ProblemKind::lcp); }

std::string matrix(const std::string& text) { return lcp("3\n" + text + "1 2 3\n"); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

}  // namespace

TEST_CASE("a wrong number is named with its place, what it should be, and its value") {
  CHECK(lcp("") == "a.dat:1:1: error: the file ends before n, the number of unknowns\n");
  CHECK(lcp("x") ==
        "a.dat:1:1: error: n, the number of unknowns must be a whole number >= 1, not \"x\"\n");
  CHECK(lcp("1\n0 1 1\n1 1\n2\nthree\n") == "a.dat:5:1: error: q: \"three\" is not a number\n");
  CHECK(lcp("1\n0 1 1\n1 1\n 1e999 2\n") ==
        "a.dat:4:2: error: M: 1e999 is out of the range of a double\n");
  CHECK(lcp("1\n0 1 1\n1 1\n nan 2\n") == "a.dat:4:2: error: M: \"nan\" is not a number\n");
  CHECK(lcp("1\n0 1 1\n1 1\n inf 2\n") == "a.dat:4:2: error: M: must be finite, not inf\n");
  CHECK(lcp("2\n0 2 2\n2 2\n1 2 3 4\n5\n") ==
        "a.dat:6:1: error: the file ends before q is complete: 1 of 2 numbers\n");
  CHECK(lcp("2\n0 1 1\n1 1\n1\n5 6\n") ==
        "a.dat:4:1: error: M must be 2×2 by the counts at the top of the file, not 1×1\n");
}

TEST_CASE("a count that the file has no room for costs no memory") {
  CHECK(lcp("9000000000000000000\n0 1 1\n") ==
        "a.dat:1:1: error: n, the number of unknowns: 9000000000000000000 numbers cannot stand in "
        "the 7 bytes that follow\n");
  CHECK(matrix("0 9000000000000000000 3\n").find("a.dat:2:3: error: M: rows: ") == 0);
  CHECK(matrix(replaced(kBlocks, "4 2 2", "4000000000 2 2")).find("M: number of blocks: ") !=
        std::string::npos);
  CHECK(matrix(replaced(kTriplets, "nnz: 10", "nnz: 9000000000000000000")).find("M: entries: ") !=
        std::string::npos);
  // 6 001 rows would fit the file as entries, but not the memory as a dense matrix.
  std::string text =
      "6001\n2 6001 6001\n1\nCSparse\ntriplet: 6001-by-6001, nzmax: 1 nnz: 1\n0 0 : 1\n";
  for (int i = 0; i < 6001; ++i) text += "1 ";
  CHECK(lcp(text).find("M has 6001 rows; the solvers of this kind are dense and take 6000") !=
        std::string::npos);
}

TEST_CASE("storages that contradict themselves are refused") {
  const auto wrong = [](const char* text, const char* what, const char* by, const char* message) {
    const std::string report = matrix(replaced(text, what, by));
    CHECK_MESSAGE(report.find(message) != std::string::npos, report);
  };
  wrong(kDense, "0 3 3", "7 3 3",
        "a.dat:2:1: error: M: unknown storage 7; 0 dense, 1 sparse blocks");
  wrong(kDense, "\n3 3", "\n3 2", "M: dense storage gives its cols again; 3 expected, not 2");
  wrong(kBlocks, "\n1 3\n", "\n1 4\n", "M: row end: 4 is beyond the 3 of the matrix");
  wrong(kBlocks, "\n1 3\n", "\n1 2\n", "M: row end: the last must be 3, the size of the matrix");
  wrong(kBlocks, "\n2 3\n", "\n2 1\n", "M: column end must be a whole number >= 2, not \"1\"");
  wrong(kBlocks, "\n3 4\n", "\n4 4\n", "M: 2 block rows have 3 row starts, not 4");
  wrong(kBlocks, "0 2 4", "0 2 3", "M: the last row start must be 4, not 3");
  wrong(kBlocks, "0 1 0 1", "0 1 0 2", "M: block column 2 of only 2");
  wrong(kBlocks, "\n1 3\n2 4", "\n2 3\n2 4", "M: block 1 is announced as block 2");
  wrong(kTriplets, "3-by-3", "3-by-4", "M: 3-by-4 here, but 3-by-3 above");
  wrong(kTriplets, "3-by-3, nzmax: 20 nnz: 10", "hello", "a line like \"3-by-3, nzmax: 9 nnz: 9\"");
  wrong(kTriplets, "0 1 : 2", "0 3 : 2", "M: column: 3 of only 3, counted from 0");
  wrong(kTriplets, "0 1 : 2", "0 1 2", "M: \":\" expected, not \"2\"");
  wrong(kColumns, "col 1", "col 2", "M: column 1 is announced as 2");
  wrong(kColumns, "6 to 8", "6 to 7", "M: 9 entries announced, 8 found");
  wrong(kColumns, "2 and", "4 and", "M: unknown origin 4 of a sparse matrix; 1 triplets");
}

TEST_CASE("data that make no problem are refused") {
  CHECK(report_problem("relay/a.dat", "1\n0 1 1\n1 1\n2\n3\n1\n0\n") ==
        "relay/a.dat:7:1: error: lower 1 is above upper 0 (number 0); read as relay by the name of "
        "its folder; --kind says otherwise\n");
  CHECK(report_problem("fc3d/a.dat", "2 1\n")
            .find("fc3d/a.dat:1:1: error: dimension: fc3d has 3 numbers a contact, not 2; another "
                  "--kind "
                  "may fit") == 0);
  CHECK(report_problem("fc2d/a.dat", "2 1\n0 2 2 2 2 1 2 3 4\n5 6\n-0.5\n")
            .find("mu: must be >= 0, not -0.5") != std::string::npos);
  CHECK(report_problem("soclcp/a.dat", "3 1\n" + std::string(kDense) + "1 2 3\n0 2\n0.5\n")
            .find("cone start: cones of one size are read, so 3 expected, not 2") !=
        std::string::npos);
  CHECK(report_problem("a.dat", "1 2 3", ProblemKind::least_distance) ==
        "a.dat:1:1: error: least-distance problems have no text layout; write them as YAML\n");
}

TEST_CASE("a kind that cannot be told is asked for") {
  CHECK(
      report_problem("a.dat", "hello") ==
      "a.dat:1:1: error: the numbers fit no kind of problem; --kind KIND tells what is wrong with "
      "them as one of that kind\n");
  CHECK(report_problem("missing/../a.yaml", "3").find("a problem is a mapping") !=
        std::string::npos);
}

TEST_CASE("errors of YAML problems name the key that was meant") {
  const auto yaml = [](const std::string& text) { return report_problem("a.yaml", text); };
  CHECK(yaml("kind: lpc\n") == "a.yaml:1:7: error: unknown kind \"lpc\"; did you mean \"lcp\"?\n");
  CHECK(yaml("M: 1\n").find("a.yaml:1:1: error: the key \"kind\" is missing; one of: lcp, ") == 0);
  CHECK(yaml("kind: lcp\nM: [[1]]\n") == "a.yaml:1:1: error: lcp: the key \"q\" is missing\n");
  CHECK(yaml("kind: lcp\nMM: [[1]]\nq: [1]\n") ==
        "a.yaml:2:1: error: unknown key \"MM\" of lcp; did you mean \"M\"?\n");
  CHECK(yaml("kind: lcp\nM: [[1]]\nq: [1]\nq: [2]\n") ==
        "a.yaml:4:1: error: \"q\" is here for the second time\n");
  CHECK(yaml("kind: lcp\nM: [[1, 2], [3]]\nq: [1, 2]\n") ==
        "a.yaml:2:13: error: M[1]: 2 items expected, not 1\n");
  CHECK(yaml("kind: lcp\nM: [[1]]\nq: [1,5, 2]\n") ==
        "a.yaml:2:4: error: M: 3 items expected, not 1\n");
  CHECK(yaml("kind: lcp\nM: [[x]]\nq: [1]\n") ==
        "a.yaml:2:6: error: M[0]: must be a number, not \"x\"\n");
  CHECK(yaml("kind: lcp\nM: [[1]]\nq: [.inf]\n") == "a.yaml:3:5: error: q: must be finite\n");
  CHECK(yaml("kind: relay\nM: [[1]]\nq: [1]\nlower: [1]\nupper: [0]\n") ==
        "a.yaml:4:9: error: lower 1 is above upper 0\n");
  CHECK(yaml("kind: fc3d\nW: [[1]]\nq: [1]\nmu: [1]\n") ==
        "a.yaml:3:4: error: q: 1 contacts of fc3d have 3 numbers, not 1\n");
  CHECK(yaml("kind: fc2d\nW: [[1, 0], [0, 1]]\nq: [1, 1]\nmu: [-1]\n") ==
        "a.yaml:4:6: error: mu: must be >= 0, not -1\n");
  CHECK(yaml("kind: fc2d\nW: {size: 2, entries: [[0, 2, 1]]}\nq: [1, 1]\nmu: [1]\n") ==
        "a.yaml:2:24: error: W: rows and columns are from 0 to 1, not 2\n");
  CHECK(yaml("kind: fc2d\nW: {size: 3, entries: []}\nq: [1, 1]\nmu: [1]\n") ==
        "a.yaml:2:11: error: size: must be 2, as long as q\n");
  CHECK(yaml("kind: mlcp\nM: [[1]]\nq: [1]\nequality: [1]\n") ==
        "a.yaml:4:12: error: equality: true or false\n");
  CHECK(yaml("kind: least-distance\ny0: [1]\nc: [1]\n") ==
        "a.yaml:1:1: error: the key \"G\" is missing\n");
  CHECK(yaml("kind: least-distance\ny0: [1]\nG: [[1]]\nc: [1]\nwarm_start: [1]\n") ==
        "a.yaml:5:14: error: warm_start: must be a row from 0 to 0, not 1\n");
  CHECK(report_problem("a.yaml", "kind: lcp\nM: [[1]]\nq: [1]\n", ProblemKind::relay) ==
        "a.yaml:1:7: error: the file's kind is lcp, not relay; leave out --kind\n");
}

// Whatever is cut off or changed: a problem or one error, never a crash.
TEST_CASE("no damaged file does harm") {
  Random random(3);
  int refused = 0;
  const std::string text = "3 1\n" + std::string(kBlocks) + "1 2 3\n0.5\n";
  for (std::size_t size = 0; size < text.size(); ++size)
    refused += !report_problem("fc3d/a.dat", text.substr(0, size)).empty();
  CHECK(refused > 50);
  const char bytes[] = "0123456789-+.e \n:x\0\xff";
  for (const char* matrix : {kDense, kBlocks, kTriplets, kColumns, kRows}) {
    for (int i = 0; i < 400; ++i) {
      std::string damaged = "3 1\n" + std::string(matrix) + "1 2 3\n0.5\n";
      for (int k = 0; k < 3; ++k)
        nth(damaged, random.uniform(0.0, 1.0) * (damaged.size() - 1)) =
            nth(bytes, random.uniform(0.0, sizeof(bytes) - 1.0));
      const std::string report = report_problem("fc3d/a.dat", damaged);
      CHECK(std::ranges::count(report, '\n') <= 1);
      (void)report_problem("a.dat", damaged);
      (void)report_problem("a.yaml", damaged);
    }
  }
}
