#include "app/walkers.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace pequod::app {
namespace {

using Eigen::Vector3d;

constexpr double kMostTilt = 1.0;  // rad

Vector3d up(const Model& model) {
  const double g = model.gravity.norm();
  return g > 0.0 ? Vector3d(-model.gravity / g) : Vector3d::UnitZ();
}

Eigen::Matrix3d turn_of(const State& state, int q_index) {
  const Eigen::Vector4d wxyz = state.q.segment<4>(q_index + 3);
  return Eigen::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).toRotationMatrix();
}

bool trunk_touches(const Model& model, const State& state, const Walker& walker) {
  const auto is_fixed = [&](int index) { return nth(model.shapes, index).link < 0; };
  const auto [first, last] = model.shapes_of(walker.frame);
  bool touches = false;
  visit_modes(state, first, last, [&](const ContactMode& mode) {
    touches |= mode.closed && (is_fixed(mode.key.shape_a) || is_fixed(mode.key.shape_b));
  });
  return touches;
}

}  // namespace

std::vector<Walker> find_walkers(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::vector<Walker> walkers;
  for (const Controller& controller : scenario.controllers) {
    const std::string_view name = controller.name;
    if (!name.ends_with(".trot") && !name.ends_with(".links-trot")) continue;
    const Entity& entity = nth(model.entities, controller.entity);
    if (entity.base_link < 0) continue;
    const Joint& base = nth(model.links, entity.base_link).joint;
    if (base.type != JointType::free) continue;
    Walker walker;
    walker.name = entity.name;
    walker.q_index = base.q_index;
    walker.frame = entity.first_frame;
    walker.start = scenario.initial.q.segment<3>(base.q_index);
    const Eigen::Matrix3d R_WB = turn_of(scenario.initial, base.q_index);
    const Vector3d z = up(model), x = R_WB.col(0) - z.dot(R_WB.col(0)) * z;
    walker.heading = x.norm() > 1e-6 ? Vector3d(x.normalized()) : Vector3d::UnitX();
    walkers.push_back(std::move(walker));
  }
  return walkers;
}

double distance_walked(const Walker& walker, const State& state) {
  return walker.heading.dot(state.q.segment<3>(walker.q_index) - walker.start);
}

void watch_falls(const Model& model, const State& state, std::vector<Walker>& walkers) {
  for (Walker& walker : walkers) {
    if (walker.fell_at) continue;
    // The z axis of a base is up where the robot stands, as all trots take it.
    const double upright = up(model).dot(turn_of(state, walker.q_index).col(2));
    if (upright < std::cos(kMostTilt) || trunk_touches(model, state, walker))
      walker.fell_at = state.t;
  }
}

}  // namespace pequod::app
