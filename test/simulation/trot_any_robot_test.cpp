// The trot promises to know no robot: copies in the mirror and at ten times the size walk the same
// way, and so does a robot that it has never met.
#include <doctest/doctest.h>

#include <cmath>

#include "simulation/record/csv.h"
#include "test/simulation/robot_text.h"
#include "test/simulation/walk.h"
#include "test/support/random.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// Our robot with its trunk's centre of mass off the middle, so that a mirrored copy differs.
std::string lopsided_mara() {
  std::string urdf = read_file("examples/robots/mara.urdf");
  const std::string centre = "<origin xyz=\"0 0 0\"/>";
  urdf.replace(urdf.find(centre), centre.size(), "<origin xyz=\"0.01 0.004 0\"/>");
  return urdf;
}

Walk walk_text(const std::string& urdf, TrotRun run) {
  const Folder folder;
  run.urdf = folder.write("robot.urdf", urdf);
  return walk(run);
}

// Rounding alone separates the two: the feedback keeps it from growing.
void check_mirror(double duration) {
  TrotRun run;
  run.command = {0.3, 0.1, 0.05};
  run.duration = duration;
  const Walk original = walk_text(lopsided_mara(), run);
  run.command = {0.3, -0.1, -0.05};
  run.start_right = true;
  Walk mirrored = walk_text(mirrored_urdf(lopsided_mara()), run);
  mirrored.end.y() = -mirrored.end.y();
  const double apart = (mirrored.end - original.end).norm() / original.scales.z0;
  MESSAGE("mirrored, " << duration << " s: " << apart << " z0 apart, aside by "
                       << original.end.y() / original.scales.z0 << " z0");
  CHECK(apart < 1e-6);
}

// Lengths × 10 with equal gravity: times × √10. The contact tolerances of 1e-9 m do not scale.
void check_scale(double duration) {
  const double time = std::sqrt(10.0);
  TrotRun run;
  run.duration = duration / time;
  const Walk small = walk_text(lopsided_mara(), run);
  run.hold *= time;
  run.step *= time;
  run.duration = duration;
  const Walk large = walk_text(scaled_urdf(lopsided_mara(), 10.0), run);
  CHECK(large.scales.mass == doctest::Approx(1000.0 * small.scales.mass).epsilon(1e-12));
  const double apart = (0.1 * large.end - small.end).norm() / small.scales.z0;
  MESSAGE("ten times as large, " << duration << " s: " << apart << " z0 apart");
  CHECK(apart < 1e-6);
}

void check_stranger(const std::string& name, const Stranger& stranger, double duration) {
  TrotRun run;
  run.duration = duration;
  const Walk result = walk_text(stranger_urdf(stranger), run);
  MESSAGE(name << ", " << duration << " s: " << figures(result));
  check_flat(result);
}

}  // namespace

TEST_CASE("a mirrored URDF with mirrored commands walks the mirrored way") { check_mirror(4.0); }

TEST_CASE("a URDF ten times as large walks the same way in its own time") { check_scale(10.0); }

TEST_CASE("a quadruped with turned joint frames, knees outward and empty names trots") {
  check_stranger("stranger", {}, 5.0);
}

TEST_CASE("a small and a large stranger with all knees behind trot") {
  check_stranger("small stranger", {1.2, 0.12, 0.06, 0.03, 0.10, 0.10, 0.01, false, 2}, 5.0);
  check_stranger("large stranger", {45.0, 0.45, 0.20, 0.12, 0.35, 0.33, 0.04, false, 3}, 5.0);
}

TEST_SUITE("long") {
  TEST_CASE("a mirrored URDF walks the mirrored way for 20 s") { check_mirror(20.0); }

  TEST_CASE("twenty strangers trot for 10 s") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      Stranger s;
      s.half_length = random.uniform(0.16, 0.30);
      s.half_width = random.uniform(0.06, 0.14);
      s.offset = random.uniform(0.03, 0.10);
      s.thigh = random.uniform(0.16, 0.24);
      s.shank = s.thigh * random.uniform(0.85, 1.15);
      s.mass = random.uniform(6.0, 12.0);
      s.knees_outward = seed % 2 == 0;
      s.seed = seed;
      check_stranger("stranger " + std::to_string(seed), s, 10.0);
    }
  }
}
