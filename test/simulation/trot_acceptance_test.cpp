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

using PublicRobots = std::vector<PublicRobot>;

const PublicRobots kOurs{{"mara", kMara}};

// None where they are not at hand, which is said.
PublicRobots public_robots() {
  const auto shared = shared_or_skip();
  if (!shared) return {};
  const fs::path folder = *shared / "robots/example-robot-data/robots";
  return {{"a1", folder / "a1_description/urdf/a1.urdf"},
          {"anymal_b", folder / "anymal_b_simple_description/robots/anymal.urdf"},
          // ±3 cm would be 0.14 of the 0.216 m that its centre of mass is high; it is given ±0.1.
          {"solo12", folder / "solo_description/robots/solo12.urdf", 0.0216}};
}

Walk walk_and_tell(const std::string& what, const TrotRun& run) {
  Walk result = walk(run);
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

namespace {

void trot_on_flat_ground(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
    CAPTURE(robot.name);
    check_flat(walk_and_tell(robot.name + ", flat", run_of(robot.urdf, 20.0)));
  }
}

void trot_on_rough_ground(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
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

void stand_pushes(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
    CAPTURE(robot.name);
    for (const double sign : {1.0, -1.0}) {
      check_push(robot.name, robot.urdf, {0.0, 0.3 * sign, 0.0});
      check_push(robot.name, robot.urdf, {0.3 * sign, 0.0, 0.0});
    }
  }
}

void hold_efforts(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
    CAPTURE(robot.name);
    check_hold(robot.name, robot.urdf, 20.0);
  }
}

void go_faster(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
    CAPTURE(robot.name);
    check_command(robot.name + " at 0.5 U", robot.urdf, {0.5, 0.0, 0.0}, 10.0);
    check_push(robot.name, robot.urdf, {0.0, 0.9, 0.0});
  }
}

void follow_commands(const PublicRobots& robots) {
  for (const PublicRobot& robot : robots) {
    CAPTURE(robot.name);
    check_commands(robot.name, robot.urdf, 20.0);
  }
}

}  // namespace

TEST_SUITE("long") {
  TEST_CASE("robots trot on flat ground for 20 s as asked") { trot_on_flat_ground(kOurs); }

  TEST_CASE("robots trot for 10 s over five rough fields") { trot_on_rough_ground(kOurs); }

  TEST_CASE("pushes of 0.3 m U from all sides make no robot fall") { stand_pushes(kOurs); }

  TEST_CASE("efforts held for 1 or 2 ms carry any robot equally far") { hold_efforts(kOurs); }

  TEST_CASE("robots trot at 0.5 U, and a push of 0.9 m U from the side makes none fall") {
    go_faster(kOurs);
  }

  TEST_CASE("robots trot backwards, sideways and turn") { follow_commands(kOurs); }
}

TEST_SUITE("shared") {
  TEST_CASE("a public robot trots on flat ground as asked") {
    for (const PublicRobot& robot : public_robots())
      if (robot.name == "a1") check_flat(walk_and_tell("a1, 4 s", run_of(robot.urdf, 4.0)));
  }
}

TEST_SUITE("long-shared") {
  TEST_CASE("robots trot on flat ground for 20 s as asked, public ones") {
    trot_on_flat_ground(public_robots());
  }

  TEST_CASE("robots trot for 10 s over five rough fields, public ones") {
    trot_on_rough_ground(public_robots());
  }

  TEST_CASE("pushes of 0.3 m U from all sides make no robot fall, public ones") {
    stand_pushes(public_robots());
  }

  TEST_CASE("efforts held for 1 or 2 ms carry any robot equally far, public ones") {
    hold_efforts(public_robots());
  }

  TEST_CASE(
      "robots trot at 0.5 U, and a push of 0.9 m U from the side makes none fall, public ones") {
    go_faster(public_robots());
  }

  TEST_CASE("robots trot backwards, sideways and turn, public ones") {
    follow_commands(public_robots());
  }
}
