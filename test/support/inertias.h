// Inertias of simple bodies.
#pragma once

#include "core/model.h"

namespace pequod {

/// Of a ball of uniform density.
inline Inertia ball_inertia(double mass, double radius) {
  return {mass, Vector3d::Zero(), 0.4 * mass * radius * radius * Matrix3d::Identity()};
}

/// Of a box of uniform density. @param size  m, full edge lengths
inline Inertia box_inertia(double mass, const Vector3d& size) {
  const Vector3d square = size.cwiseAbs2();
  return {
      mass, Vector3d::Zero(),
      Matrix3d((mass / 12.0 *
                Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()))
                   .asDiagonal())};
}

}  // namespace pequod
