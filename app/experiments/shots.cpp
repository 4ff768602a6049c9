// Fast and thin bodies that must not miss each other.
#include <random>

#include "app/experiments/experiment.h"
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
// @return how many had no impact
int misses(Scenario scenario, int shots, double spin, double speed, const Vector3d& half) {
  Aim aim(7);
  int missed = 0;
  for (int i = 0; i < shots; ++i) {
    const double t = aim.between(0.2, 0.8) * scenario.duration;
    const Spin turning{aim.between(-spin, spin) * aim.principal_axis()};
    const Vector3d target(aim.between(-half.x(), half.x()), aim.between(-half.y(), half.y()), 0.0);
    const Vector3d drift = aim.between(0.0, 0.1 * speed) * aim.direction();
    const Vector3d v = speed * aim.direction();
    set_pose(scenario.initial, 0, Vector3d::Zero(), Quaterniond::Identity());
    set_motion(scenario.initial, 0, turning.w, drift);
    set_pose(scenario.initial, 1, drift * t + turning.after(t) * target - v * t,
             Quaterniond::FromTwoVectors(Vector3d::UnitZ(), aim.direction()));
    set_motion(scenario.initial, 1, Vector3d::Zero(), v);
    if (starts_inside(scenario)) continue;
    const Trace trace = simulate(scenario);
    const auto impacts = trace.statistics.events[static_cast<std::size_t>(EventKind::impact)];
    missed += impacts == 0 ? 1 : 0;
  }
  return missed;
}

}  // namespace

void shots(const Stage& stage) {
  const int count = stage.quick ? 300 : 10000;
  stage.at_most("bullet", "shots that missed, of " + std::to_string(count),
                misses(stage.load("bullet"), count, 300.0, 1000.0, {0.045, 0.045, 0.0}), 0.0);
  stage.at_most("blade", "shots that missed, of " + std::to_string(count),
                misses(stage.load("blade"), count, 200.0, 50.0, {0.45, 0.02, 0.0}), 0.0);
}

}  // namespace pequod::app
