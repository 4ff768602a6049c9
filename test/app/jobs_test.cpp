// Programs side by side, and which of them goes first.
#include "app/jobs.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/comparison_run.h"

namespace pequod::test {
namespace {

app::Program run_shell(const std::string& script) {
  return {"/bin/sh", {"-c", script}, app::Program::Streams::heard};
}

app::ComparisonRow row_to_run(const char* integrator, const char* model, double step) {
  app::ComparisonRow row;
  row.integrator = integrator;
  row.model = model;
  row.effective = step;
  return row;
}

}  // namespace

TEST_CASE("jobs begin with the longest, as many at once as allowed, and are heard to their end") {
  std::vector<int> begun;
  std::vector<std::string> told(4);
  int now = 0, most = 0;
  std::vector<app::Job> jobs;
  const double expected[] = {1.0, 3.0, 2.0, 3.0};
  for (int i = 0; i < 4; ++i)
    jobs.push_back({[&expected, i] { return expected[i]; },
                    [&, i] {
                      begun.push_back(i);
                      most = std::max(most, ++now);
                      return run_shell(fmt::format("echo said {} >&2; exit {}", i, i));
                    },
                    [&, i](const app::Program& program) {
                      --now;
                      told[i] = fmt::format("{}{}", program.messages(), *program.exit_code());
                    }});
  app::run_jobs(jobs, 2, [] {});
  CHECK(begun == std::vector<int>{1, 3, 2, 0});
  CHECK(most == 2);
  for (int i = 0; i < 4; ++i) CHECK(told[i] == fmt::format("said {}\n{}", i, i));
}

// A pipe holds 64 KiB: who waits for the end alone would wait for ever.
TEST_CASE("a program that says more than a pipe holds comes to its end") {
  app::Program program = run_shell("head -c 300000 /dev/zero | tr '\\0' x >&2; kill -9 $$");
  CHECK(program.wait() == 128 + 9);
  CHECK(program.messages().size() == 300000);
}

// Before anything has run the stages of the steps tell; then what stages have taken.
TEST_CASE("what a run of a comparison may take is learnt from those that have ended") {
  std::vector<app::ComparisonRow> rows = {
      row_to_run("rk4", "coulomb", 1e-3), row_to_run("symplectic-euler", "coulomb", 1e-3),
      row_to_run("symplectic-euler", "coulomb", 5e-4), row_to_run("rk4", "viscous", 1e-3)};
  CHECK(app::expected_cost(rows, 0) == doctest::Approx(2.0 * app::expected_cost(rows, 2)));
  rows[1].status = "finished";
  rows[1].processor_time = 0.5;
  CHECK(app::expected_cost(rows, 2) == doctest::Approx(1.0));
  // Of pairs that have not been run: 4 stages a step, and ten times for what is not known.
  CHECK(app::expected_cost(rows, 0) == doctest::Approx(20.0));
  rows[3].status = "finished";
  rows[3].processor_time = 3.5;
  CHECK(app::expected_cost(rows, 0) == doctest::Approx(32.0));  // 4 s of 5000 stages
  CHECK(app::expected_cost(rows, 2) == doctest::Approx(1.0));
}

}  // namespace pequod::test
