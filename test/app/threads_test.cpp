// Runs by several threads, as files.
#include "test/app/process.h"
#include "test/simulation/many_bodies.h"

namespace pequod::test {
namespace {

Finished run_by(const Folder& folder, const std::string& threads,
                std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", "scene.yaml", "--quiet", "--threads", threads});
  return pequod(folder, more);
}

void check_same_logs(const std::string& scene) {
  const Folder folder;
  folder.write("scene.yaml", scene + "record: {every: 0.002, steps: true}\n");
  REQUIRE(pequod(folder, {"run", "scene.yaml", "--quiet", "--duration", "0.1", "--output", "alone"})
              .code == 0);
  for (const char* threads : {"2", "3", "8"}) {
    CAPTURE(threads);
    REQUIRE(run_by(folder, threads, {"--duration", "0.1", "--output", threads}).code == 0);
    CHECK(same_logs(folder.path() / "alone", folder.path() / threads));
  }
  // One half by two threads, the other by three.
  REQUIRE(run_by(folder, "2", {"--duration", "0.05", "--output", "halves"}).code == 0);
  REQUIRE(run_by(folder, "3", {"--duration", "0.1", "--output", "halves", "--resume"}).code == 0);
  CHECK(same_logs(folder.path() / "alone", folder.path() / "halves"));
}

}  // namespace

TEST_CASE("the logs of many robots are the same bytes by any number of threads") {
  check_same_logs(many_robots("contact: {model: no-slip}\n"));
}

TEST_CASE("the logs of heaps of balls are the same bytes by any number of threads") {
  SUBCASE("event by event") { check_same_logs(many_balls("contact: {model: coulomb}\n")); }
  SUBCASE("time-stepping") {
    check_same_logs(many_balls("contact: {model: coulomb, scheme: time-stepping}\n"));
  }
}

}  // namespace pequod::test
