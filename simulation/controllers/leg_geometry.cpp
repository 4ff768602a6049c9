#include "simulation/controllers/leg_geometry.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulation/controllers/foot_ball.h"

namespace pequod {
namespace {

using Chain = std::vector<int>;  // links from the one next to the base to the last

const Link& link_at(const Model& model, int link) { return nth(model.links, link); }

// Chains of revolute joints from the base to a link without children.
std::vector<Chain> revolute_chains(const Model& model, const Entity& robot) {
  const int end = robot.first_link + robot.links;
  std::vector<char> has_child(model.links.size(), 0);
  for (int i = robot.first_link; i < end; ++i)
    if (const int parent = link_at(model, i).parent; parent >= 0) nth(has_child, parent) = 1;
  std::vector<Chain> chains;
  for (int i = robot.first_link; i < end; ++i) {
    if (nth(has_child, i) || i == robot.base_link) continue;
    Chain chain;
    int link = i;
    while (link >= 0 && link_at(model, link).joint.type == JointType::revolute) {
      chain.insert(chain.begin(), link);
      link = link_at(model, link).parent;
    }
    if (link == robot.base_link && chain.size() >= 3) chains.push_back(chain);
  }
  return chains;
}

std::string describe(const Model& model, const std::vector<Chain>& chains) {
  std::string text;
  for (const Chain& chain : chains)
    text += (text.empty() ? "" : ", ") + link_name(model, chain.back()) + " (" +
            std::to_string(chain.size()) + " joints)";
  return text.empty() ? "none" : text;
}

std::vector<Chain> four_chains(const Model& model, const Entity& robot) {
  if (robot.base_link < 0)
    throw std::invalid_argument(robot.name + " has a fixed base: a trot needs a floating one");
  std::vector<Chain> all = revolute_chains(model, robot);
  std::vector<Chain> legs = all;
  if (legs.size() > kLegs)
    std::erase_if(legs, [](const Chain& chain) { return chain.size() != 3; });
  const bool three =
      std::ranges::all_of(legs, [](const Chain& chain) { return chain.size() == 3; });
  if (legs.size() != kLegs || !three)
    throw std::invalid_argument(
        robot.name +
        " needs four legs, each a chain of three revolute joints from the base to a "
        "foot; chains of three or more that were found: " +
        describe(model, all));
  return legs;
}

Leg make_leg(const Model& model, const Chain& chain) {
  Leg leg;
  for (std::size_t k = 0; k < 3; ++k) {
    leg.links[k] = chain[k];
    leg.q[k] = link_at(model, chain[k]).joint.q_index;
    leg.v[k] = link_at(model, chain[k]).joint.v_index;
  }
  const FootBall ball = find_foot_ball(model, chain.back());
  leg.frame = ball.frame;
  leg.foot = ball.centre;
  leg.radius = ball.radius;
  return leg;
}

}  // namespace

std::array<Leg, kLegs> find_legs(const Model& model, int entity) {
  const Entity& robot = nth(model.entities, entity);
  const std::vector<Chain> chains = four_chains(model, robot);
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const Chain& chain : chains)
    middle += 0.25 * link_at(model, chain[0]).joint.X_PF.p.head<2>();
  std::array<Leg, kLegs> legs;
  for (const Chain& chain : chains) {
    const Vector3d& hip = link_at(model, chain[0]).joint.X_PF.p;
    const std::size_t i = (hip.x() > middle.x() ? 0 : 2) + (hip.y() > middle.y() ? 0 : 1);
    if (legs[i].frame >= 0)
      throw std::invalid_argument("the hips of " + robot.name +
                                  " are not front and hind, left and right of their middle: " +
                                  link_name(model, legs[i].links[2]) + " and " +
                                  link_name(model, chain[2]) + " lie in one quarter");
    legs[i] = make_leg(model, chain);
  }
  return legs;
}

LegPose leg_pose(const Model& model, const Leg& leg, const Vector3d& angles) {
  LegPose pose;
  Pose X_BL;
  for (std::size_t k = 0; k < 3; ++k) {
    const Joint& joint = link_at(model, leg.links[k]).joint;
    const Pose X_BF = X_BL * joint.X_PF;
    pose.anchor[k] = X_BF.p;
    pose.axis[k] = X_BF.R * joint.axis;
    const double angle = angles[static_cast<Eigen::Index>(k)];
    X_BL = {X_BF.R * Eigen::AngleAxisd(angle, joint.axis).toRotationMatrix(), X_BF.p};
  }
  pose.foot = X_BL * leg.foot;
  for (std::size_t k = 0; k < 3; ++k)
    pose.jacobian.col(static_cast<Eigen::Index>(k)) =
        pose.axis[k].cross(pose.foot - pose.anchor[k]);
  return pose;
}

}  // namespace pequod
