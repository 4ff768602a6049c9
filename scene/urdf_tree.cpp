#include "scene/urdf_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/model.h"
#include "scene/mass_properties.h"
#include "scene/unit_doubts.h"

namespace pequod {
namespace {

template <typename Items>
std::map<std::string, std::size_t> unique_names(const Items& items, const std::string& what,
                                                const std::vector<Place>& of,
                                                Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [first, fresh] = index.emplace(items[i].name, i);
    if (!fresh) {
      diagnostics.error(of[i], "a second " + what + " named \"" + items[i].name +
                                   "\", first given at line " +
                                   std::to_string(of[first->second].line));
    }
  }
  return index;
}

std::vector<std::string> link_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const RobotLink& link : robot.links) names.push_back(link.name);
  return names;
}

const RobotJoint* joint_above(const Robot& robot, const std::string& link) {
  const auto found = std::ranges::find_if(
      robot.joints, [&](const RobotJoint& joint) { return joint.child == link; });
  return found == robot.joints.end() ? nullptr : &*found;
}

/// The link that carries this one through fixed joints, and this one's frame there.
std::pair<std::string, Pose> carrier(const Robot& robot, std::string link) {
  Pose X;
  for (const RobotJoint* joint = joint_above(robot, link);
       joint != nullptr && joint->type == RobotJointType::fixed; joint = joint_above(robot, link)) {
    X = joint->X_PJ * X;
    link = joint->parent;
  }
  return {link, X};
}

Inertia welded(const Robot& robot, const std::string& link) {
  const std::string base = carrier(robot, link).first;
  Inertia sum;
  for (const RobotLink& part : robot.links) {
    const auto [on, X] = carrier(robot, part.name);
    if (on == base) sum = combine(sum, {part.mass, part.com, part.inertia}, X);
  }
  return sum;
}

void check_roots(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics) {
  std::vector<std::string> above;
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (joint_above(robot, robot.links[i].name) == nullptr) roots.push_back(i);
  }
  if (robot.links.empty()) {
    diagnostics.error(places.robot, "the robot has no link");
  } else if (roots.empty()) {
    diagnostics.error(places.joints[0], "the joints form a loop: every link has a parent");
  }
  for (std::size_t k = 1; k < roots.size(); ++k) {
    diagnostics.error(places.links[roots[k]],
                      "link \"" + robot.links[roots[k]].name +
                          "\" has no parent, and neither has \"" + robot.links[roots[0]].name +
                          "\" at line " + std::to_string(places.links[roots[0]].line),
                      "join them, one robot has one base");
  }
  // With one parent each, a link that does not lead up to a root is on a ring or hangs on one.
  for (std::size_t i = 0; i < robot.links.size() && !roots.empty(); ++i) {
    std::string link = robot.links[i].name;
    const RobotJoint* joint = joint_above(robot, link);
    for (std::size_t k = 0; joint != nullptr && k < robot.links.size(); ++k) {
      joint = joint_above(robot, joint->parent);
    }
    if (joint != nullptr) {
      diagnostics.error(places.links[i], "link \"" + link + "\" is part of a loop of joints");
      return;
    }
  }
}

}  // namespace

void check_robot_tree(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errors();
  const auto links = unique_names(robot.links, "link", places.links, diagnostics);
  unique_names(robot.joints, "joint", places.joints, diagnostics);
  std::map<std::string, std::size_t> above;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const RobotJoint& joint = robot.joints[j];
    for (const auto& [role, link] :
         {std::pair<const char*, const std::string&>("parent", joint.parent),
          {"child", joint.child}}) {
      if (links.contains(link)) continue;
      diagnostics.error(places.joints[j],
                        "joint \"" + joint.name + "\": unknown " + role + " link \"" + link + "\"",
                        did_you_mean(link, link_names(robot)));
    }
    const auto [first, fresh] = above.emplace(joint.child, j);
    if (!fresh) {
      diagnostics.error(places.joints[j], "joint \"" + joint.name + "\": link \"" + joint.child +
                                              "\" already hangs on joint \"" +
                                              robot.joints[first->second].name + "\" at line " +
                                              std::to_string(places.joints[first->second].line));
    }
  }
  if (diagnostics.errors() == errors_before) check_roots(robot, places, diagnostics);
}

void check_robot_inertia(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const std::string why = why_not_physical(link.inertia);
    if (why.empty()) continue;
    const std::string message = "link \"" + link.name + "\" has a non-physical inertia, " + why;
    if (!why_not_physical(welded(robot, link.name).about_com).empty()) {
      diagnostics.error(places.links[i], message);
    } else {
      diagnostics.warning(places.links[i],
                          message + "; kept, because the body it is welded into is physical");
    }
  }
}

void warn_of_units(const Robot& robot, const UrdfPlaces& places, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    for (const UnitDoubt& doubt : unit_doubts({link.mass, link.com, link.inertia}, link.collisions,
                                              welded(robot, link.name)))
      diagnostics.warning(places.links[i], "link \"" + link.name + "\": " + doubt.message,
                          doubt.hint);
  }
}

void drop_floating_root(Robot& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& root = robot.links[i];
    if (joint_above(robot, root.name) != nullptr) continue;
    const auto hangs_on_root = [&](const RobotJoint& joint) { return joint.parent == root.name; };
    const auto joint = std::ranges::find_if(robot.joints, hangs_on_root);
    if (root.mass == 0.0 && root.collisions.empty() && joint != robot.joints.end() &&
        joint->type == RobotJointType::floating &&
        std::ranges::count_if(robot.joints, hangs_on_root) == 1) {
      robot.joints.erase(joint);
      robot.links.erase(robot.links.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return;
  }
}

}  // namespace pequod
