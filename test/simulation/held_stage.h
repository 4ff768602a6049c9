/// A model at a state, with what is held there.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "simulation/evaluate.h"
#include "simulation/held/friction.h"
#include "simulation/held/workspace.h"

namespace pequod::held_test {

inline constexpr double kGravity = 9.81;  // m/s²
inline constexpr double kMass = 2.0;      // kg
inline constexpr double kRadius = 0.1;    // m, of the ball
inline constexpr double kRounding = 1e-13;

/// A model at a state, with what is held there.
struct Stage {
  Model model;
  State state;
  Evaluator here;
  HeldSet set;
  HeldFactor held;
  HeldMotion motion;
  std::unique_ptr<HeldWorkspace> workspace = std::make_unique<HeldWorkspace>();

  explicit Stage(Model built)
      : model(std::move(built)), state(make_state(model)), here(model), set(model), held(model) {}
  // The first body stands at this height.
  Stage(Model built, double height) : Stage(std::move(built)) { state.q[2] = height; }

  // Holds what is within 1 mm, all under one law.
  void hold(StageFriction friction, const HeldLaw& law, HeldTangents tangents) {
    here.at(state.q, state.v);
    TouchingWorkspace finding;
    Touching touching;
    find_touching(model, Collision(model), here, 1e-3, finding, touching);
    REQUIRE(touching.size() > 0);
    set.touching = touching;
    set.laws.assign(touching.size(), law);
    set.friction = friction;
    held.hold(set);
    factor(tangents);
  }
  void factor(HeldTangents tangents, RepeatedRows* repeated = nullptr) {
    here.at(state.q, state.v);
    held.factor(here, tangents, repeated);
  }
  // v̇ with what is held.
  VectorXd accelerate() {
    VectorXd vdot;
    pequod::accelerate(here, held, -here.bias(), vdot, motion, *workspace);
    return vdot;
  }
};

// Bodies over the plane z = 0, gravity with this slope along x.
inline Model build(const Geometry& geometry, double inertia, const Surface& surface, double slope,
                   int count = 1) {
  ModelBuilder builder(kGravity * Vector3d(std::sin(slope), 0.0, -std::cos(slope)));
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (int i = 0; i < count; ++i)
    builder.add_free_body("body" + std::to_string(i),
                          {kMass, Vector3d::Zero(), inertia * Matrix3d::Identity()},
                          {{geometry, {}}});
  return builder.build({{"*", "*", surface}});
}

inline Stage ball(double height, const Surface& surface = {}) {
  return {build(Sphere{kRadius}, 0.4 * kMass * kRadius * kRadius, surface, 0.0), height};
}

// A cube of edge 0.2 m that lies on the plane with four corners.
inline Stage cube(const Surface& surface = {}, double slope = 0.0) {
  return {build(Box{Vector3d(0.2, 0.2, 0.2)}, kMass * 0.2 * 0.2 / 6.0, surface, slope), 0.1};
}

inline double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace pequod::held_test
