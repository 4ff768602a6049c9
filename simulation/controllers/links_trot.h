// The trot of the paper's quadruped: feet follow splines, nothing balances.
#pragma once

#include <array>

#include "simulation/controller.h"

namespace pequod {

/// Foot order everywhere: LF, RF, LH, RH, found by geometry (+x front, +y left).
struct LinksTrotOptions {
  double period = 0.001;                                    ///< s, control period
  Vector3d velocity{0.05, 0.0, 0.0};                        ///< m/s, m/s, rad/s in the base frame
  double gait_period = 0.7;                                 ///< s
  std::array<double, 4> touchdown{0.25, 0.75, 0.75, 0.25};  ///< fraction of the gait period
  double duty = 0.75;
  double step_height = 0.015;                                ///< m
  double placement_gain = 0.5;                               ///< η
  double virtual_height = 0.30;                              ///< m
  double joint_kp = 10.0, joint_kd = 0.1, joint_ki = 0.003;  ///< N·m/rad, N·m·s/rad, N·m/rad a tick
  double foot_kp = 1000.0, foot_kd = 10.0, foot_ki = 0.01;  ///< N/m, N·s/m, 1 a tick
  bool pitch_compensation = false;  ///< the original's toggling of the command by pitch
};

/// @throws std::invalid_argument if the robot has not four legs of three joints
[[nodiscard]] Controller make_links_trot(const Model& model, int entity,
                                         const LinksTrotOptions& options);

}  // namespace pequod
