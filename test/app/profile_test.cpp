// pequod run --profile, against the times that steps.csv of the same run tells.
#include <sstream>

#include "test/app/run_columns.h"

namespace pequod::test {
namespace {

// A line's first number behind these words.
double number_behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  REQUIRE_MESSAGE(at != std::string::npos, words);
  std::istringstream rest(text.substr(at + words.size()));
  double number = -1.0;
  rest >> number;
  return number;
}

double sum_of(const fs::path& log, const std::string& column) {
  double sum = 0.0;
  for (const double seconds : number_column(log, column)) sum += seconds;
  return sum;
}

}  // namespace

TEST_CASE("--profile sums up what the steps took, and the longest of them") {
  const Folder folder;
  folder.write("ball.yaml",
               "duration: 0.5\nrecord: {steps: true}\nbodies:\n"
               "  ground: {fixed: true, shape: {plane: {}}}\n"
               "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3]}\n");
  const Finished finished = pequod(folder, {"run", "ball.yaml", "--profile", "--output", "out"});
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  const fs::path log = folder.path() / "out/steps.csv";
  const double shown = 6e-4;  // s: half of the last digit of the table
  CHECK(std::abs(number_behind(finished.out, "motion: forces, integration") -
                 sum_of(log, "dynamics_time")) <= shown);
  CHECK(std::abs(number_behind(finished.out, "collision: distances, points") -
                 sum_of(log, "collision_time")) <= shown);
  CHECK(std::abs(number_behind(finished.out, "contact: rows, solvers, projection") -
                 sum_of(log, "contact_time")) <= shown);
  CHECK(number_behind(finished.out, "\n  controllers") == 0.0);
  const std::vector<double> t = number_column(log, "t");
  CHECK(finished.out.find(std::to_string(t.size()) + " steps with") != std::string::npos);
  CHECK(pequod(folder, {"run", "ball.yaml", "--output", "plain"}).out.find("us a step") ==
        std::string::npos);
}

}  // namespace pequod::test
