// Checks of a robot as a whole: its joints form one tree, its inertias are those of bodies.
#pragma once

#include <string>
#include <vector>

#include "core/robot.h"
#include "scene/diagnostics.h"

namespace pequod {

/// Places of the robot, of Robot::links and of Robot::joints in the file.
struct UrdfPlaces {
  Place robot;
  std::vector<Place> links, joints;
};

/// Duplicate names, unknown parents and children, two parents, two roots, loops.
void check_robot_tree(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics);

/// A link whose own inertia no body can have is an error, unless the body it is welded into by
/// fixed joints has a physical one: then it is a warning, because only the sum moves.
void check_robot_inertia(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics);

/// Warns of centres of mass and inertias that do not fit their link's shapes.
void warn_of_units(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics);

/// Some files float the base by a joint to a massless "world" link: both go, the base floats
/// anyway.
void drop_floating_root(Robot& robot);

}  // namespace pequod
