// The trot's acceptance list, through scenes as a user types them. Figures are printed, so that
// docs/evidence.md can cite them.
#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "test/simulation/walk.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const fs::path kMara = "examples/robots/mara.urdf";

struct PublicRobot {
  std::string name;
  fs::path urdf;
  double rough = 0.03;  // m, less than the lift of 0.2 z0
};

// Those that are at hand; our own always is.
std::vector<PublicRobot> robots() {
  std::vector<PublicRobot> list{{"mara", kMara}};
  const auto folder = public_robots();
  if (!folder) return list;
  list.push_back({"a1", *folder / "a1_description/urdf/a1.urdf"});
  list.push_back({"anymal_b", *folder / "anymal_b_simple_description/robots/anymal.urdf"});
  // ±3 cm would be 0.14 of the 0.216 m that its centre of mass is high; it is given ±0.1.
  list.push_back({"solo12", *folder / "solo_description/robots/solo12.urdf", 0.0216});
  return list;
}

Walk walk_and_tell(const std::string& what, const TrotRun& run) {
  const Walk result = walk(run);
  MESSAGE(what << ": " << figures(result));
  return result;
}

TrotRun run_of(const fs::path& urdf, double duration) {
  TrotRun run;
  run.urdf = urdf;
  run.duration = duration;
  return run;
}

std::string push_name(const std::string& name, const Vector3d& push) {
  std::ostringstream text;
  text << name << ", push of (" << push.x() << ", " << push.y() << ") m U";
  return text.str();
}

void check_push(const std::string& name, const fs::path& urdf, const Vector3d& push) {
  TrotRun run = run_of(urdf, 7.0);
  run.push = push;
  const Walk result = walk_and_tell(push_name(name, push), run);
  CHECK_FALSE(result.fell);
  CHECK(result.statistics.fallbacks == 0);
  check_contacts(result);
}

void check_hold(const std::string& name, const fs::path& urdf, double duration) {
  TrotRun run = run_of(urdf, duration);
  const Walk one = walk(run);
  run.hold = 0.002;
  const Walk two = walk_and_tell(name + " held 2 ms", run);
  CHECK(two.distance() == doctest::Approx(one.distance()).epsilon(0.02));
  check_contacts(two);
}

void check_command(const std::string& name, const fs::path& urdf, const Vector3d& command,
                   double duration) {
  TrotRun run = run_of(urdf, duration);
  run.command = command;
  const Walk result = walk_and_tell(name, run);
  CHECK_FALSE(result.fell);
  CHECK(result.statistics.fallbacks == 0);
  check_contacts(result);
}

void check_commands(const std::string& name, const fs::path& urdf, double duration) {
  check_command(name + " backwards", urdf, {-0.3, 0.0, 0.0}, duration);
  check_command(name + " sideways", urdf, {0.0, 0.15, 0.0}, duration);
  check_command(name + " turning", urdf, {0.0, 0.0, 0.1}, duration);
}

}  // namespace

TEST_CASE("our robot of an ANYmal's size trots on flat ground as asked") {
  check_flat(walk_and_tell("mara, 4 s", run_of(kMara, 4.0)));
}

TEST_CASE("a public robot trots on flat ground as asked") {
  const auto folder = public_robots();
  if (!folder) return;
  check_flat(walk_and_tell("a1, 4 s", run_of(*folder / "a1_description/urdf/a1.urdf", 4.0)));
}

TEST_CASE("our robot trots over rough ground") {
  TrotRun run = run_of(kMara, 4.0);
  run.rough = 0.03;
  check_rough(walk_and_tell("mara, rough, 4 s", run));
}

TEST_CASE("a push of 0.3 m U from the side or behind does not make our robot fall") {
  check_push("mara", kMara, {0.0, 0.3, 0.0});
  check_push("mara", kMara, {0.3, 0.0, 0.0});
}

TEST_CASE("efforts held for 1 or 2 ms carry our robot equally far") {
  check_hold("mara", kMara, 4.0);
}

TEST_CASE("our robot trots backwards, sideways and turns") { check_commands("mara", kMara, 4.0); }

TEST_SUITE("long") {
  TEST_CASE("robots trot on flat ground for 20 s as asked") {
    for (const PublicRobot& robot : robots()) {
      CAPTURE(robot.name);
      check_flat(walk_and_tell(robot.name + ", flat", run_of(robot.urdf, 20.0)));
    }
  }

  TEST_CASE("robots trot for 10 s over five rough fields") {
    for (const PublicRobot& robot : robots()) {
      for (unsigned seed = 1; seed <= 5; ++seed) {
        CAPTURE(robot.name);
        CAPTURE(seed);
        TrotRun run = run_of(robot.urdf, 10.0);
        run.rough = robot.rough;
        run.seed = seed;
        check_rough(walk_and_tell(robot.name + ", rough " + std::to_string(seed), run));
      }
    }
  }

  TEST_CASE("pushes of 0.3 m U from all sides make no robot fall") {
    for (const PublicRobot& robot : robots()) {
      CAPTURE(robot.name);
      for (const double sign : {1.0, -1.0}) {
        check_push(robot.name, robot.urdf, {0.0, 0.3 * sign, 0.0});
        check_push(robot.name, robot.urdf, {0.3 * sign, 0.0, 0.0});
      }
    }
  }

  TEST_CASE("efforts held for 1 or 2 ms carry any robot equally far") {
    for (const PublicRobot& robot : robots()) {
      CAPTURE(robot.name);
      check_hold(robot.name, robot.urdf, 20.0);
    }
  }

  TEST_CASE("robots trot at 0.5 U, and a push of 0.9 m U from the side makes none fall") {
    for (const PublicRobot& robot : robots()) {
      CAPTURE(robot.name);
      check_command(robot.name + " at 0.5 U", robot.urdf, {0.5, 0.0, 0.0}, 10.0);
      check_push(robot.name, robot.urdf, {0.0, 0.9, 0.0});
    }
  }

  TEST_CASE("robots trot backwards, sideways and turn") {
    for (const PublicRobot& robot : robots()) {
      CAPTURE(robot.name);
      check_commands(robot.name, robot.urdf, 20.0);
    }
  }
}
