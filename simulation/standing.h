// Whether a robot that holds its joints by PD keeps its posture under gravity.
#pragma once

#include <optional>
#include <string>

#include "simulation/options.h"

namespace pequod {

/// The joint that gives most, against what is sensible for its kind.
struct Sag {
  int link = -1;        ///< whose joint it is
  bool slides = false;  ///< prismatic: m and N below, not rad and N·m
  double way = 0.0;     ///< rad or m, from its target to where it comes to rest, with sign
  double effort = 0.0;  ///< N·m or N, that it takes there
  double kp = 0.0;      ///< N·m/rad or N/m
};

struct Standing {
  Sag worst;
  double needed = 0.0;  ///< of kp: with less than this share of it the robot falls; ≥ 1: it falls
  Sag weakest;          ///< the joint that needs the largest share of its effort limit
  double share = 0.0;   ///< of that
};

/// Statics of the posture that the controller holds, linear in the displacement x of all
/// coordinates of the robot: (Kp + G) x = −g + Jᵀf and J x = 0, with gravity's torque g, J the
/// points that touch fixed bodies (which stick, or roll if they are of a ball) and the robot's
/// loops, and G the derivative of g − Jᵀf. In the null space Z of J the robot falls if Zᵀ(Kp + G)Z
/// is not positive. Of one link of mass m, centre of mass at l, angle θ from hanging: x = −m g l
/// sin θ / (kp + m g l cos θ). Friction of joints, which would hold part of it, is left out.
/// @param controller  with gains
/// @return nothing where that does not say it: the robot floats and touches nothing, it moves to a
/// target elsewhere, or some motion has no gain (passive joints, wheels that roll)
[[nodiscard]] std::optional<Standing> standing(const Scenario& scenario,
                                               const Controller& controller);

/// What to tell a user whose gains or efforts are too weak; empty if they are not.
[[nodiscard]] std::string standing_warning(const Scenario& scenario, const Controller& controller);

}  // namespace pequod
