// Fast and thin bodies that must not miss each other.
#include <random>

#include "app/experiments/analytic.h"
#include "core/dynamics.h"
#include "events/contact_geometry.h"

namespace pequod::app {
namespace {

// What turns about one of its principal axes keeps its angular velocity.
struct Spin {
  Vector3d w;  // rad/s
  [[nodiscard]] Quaterniond after(double t) const { return quaternion_exp(w * t); }
};

class Aim {
 public:
  explicit Aim(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(random_), normal(random_), normal(random_)).normalized();
  }
  Vector3d principal_axis() {
    return Vector3d::Unit(std::uniform_int_distribution<int>(0, 2)(random_));
  }

 private:
  std::mt19937_64 random_;
};

void set_pose(State& state, Eigen::Index body, const Vector3d& p, const Quaterniond& q) {
  state.q.segment<3>(7 * body) = p;
  state.q.segment<4>(7 * body + 3) << q.w(), q.x(), q.y(), q.z();
}

void set_motion(State& state, Eigen::Index body, const Vector3d& w, const Vector3d& v) {
  state.v.segment<3>(6 * body) = w;
  state.v.segment<3>(6 * body + 3) = v;
}

// A rod may lie across the blade where it starts.
bool starts_inside(const Scenario& scenario) {
  std::vector<Pose> X_WL;
  compute_poses(scenario.model, scenario.initial.q, X_WL);
  const std::vector<Shape>& shapes = scenario.model.shapes;
  return signed_distance(shapes[0].geometry, X_WL[0] * shapes[0].X_LS, shapes[1].geometry,
                         X_WL[1] * shapes[1].X_LS) <= 0.0;
}

// Shots whose second body reaches, at some instant of the run, a point inside the first.
struct Range {
  unsigned seed;
  int shots;
  double spin, speed;  // rad/s of the first, m/s of the second
  double drift;        // m/s, of the first
  Vector3d half;       // m, of the part of the first that is aimed at
};
// Up to its impact: what a body of ten grams does after it, at thousands of radians a second, is
// beyond the step.
bool hits(const Scenario& scenario) {
  Simulation run(scenario);
  const auto hit = [&] { return nth(run.statistics().events, EventKind::impact) > 0; };
  while (!hit() && run.step()) {
  }
  return hit();
}

// @return how many had no impact
int misses(Scenario scenario, const Range& range) {
  Aim aim(range.seed);
  int missed = 0;
  for (int i = 0; i < range.shots; ++i) {
    const double t = aim.between(0.2, 0.8) * scenario.duration;
    const Spin turning{aim.between(-range.spin, range.spin) * aim.principal_axis()};
    const Vector3d target(aim.between(-range.half.x(), range.half.x()),
                          aim.between(-range.half.y(), range.half.y()), 0.0);
    const Vector3d drift = aim.between(0.0, range.drift) * aim.direction();
    const Vector3d v = range.speed * aim.direction();
    set_pose(scenario.initial, 0, Vector3d::Zero(), Quaterniond::Identity());
    set_motion(scenario.initial, 0, turning.w, drift);
    set_pose(scenario.initial, 1, drift * t + turning.after(t) * target - v * t,
             Quaterniond::FromTwoVectors(Vector3d::UnitZ(), aim.direction()));
    set_motion(scenario.initial, 1, Vector3d::Zero(), v);
    if (starts_inside(scenario)) continue;
    missed += hits(scenario) ? 0 : 1;
  }
  return missed;
}

}  // namespace

void shots(const Stage& stage) {
  const int count = stage.quick ? 300 : 10000;
  const auto report = [&](const std::string& scene, const std::string& what, const Range& range) {
    stage.at_most(scene, what + ": shots that missed, of " + std::to_string(range.shots),
                  misses(stage.load(scene), range), 0.0);
  };
  const Vector3d plate(0.045, 0.045, 0.0), blade(0.45, 0.02, 0.0);
  report("bullet", "plate drifts", {7, count, 300.0, 1000.0, 100.0, plate});
  report("bullet", "both fast, 2nd seed", {11, count, 300.0, 1000.0, 1000.0, plate});
  report("bullet", "both fast, 3rd seed", {13, count, 1000.0, 1000.0, 500.0, plate});
  report("blade", "blade drifts", {7, count, 200.0, 50.0, 5.0, blade});
  report("blade", "both fast, 2nd seed", {11, count, 200.0, 50.0, 50.0, blade});
}

}  // namespace pequod::app
