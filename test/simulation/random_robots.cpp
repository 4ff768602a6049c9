#include "test/simulation/random_robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "test/simulation/random_pieces.h"

namespace pequod::test {
namespace {

/// A link as it lies where all joints are at zero, in the frame of the base.
struct Placed {
  Pose pose;
  double radius = 0.0;  ///< m, of a ball about its origin; 0: no shape
  int parent = -1;
};

/// A robot under way.
struct Robot {
  int number = 0;
  bool fixed = false;
  std::string collision, base, links_yaml;
  std::vector<Placed> links;

  // m, of a ball about the origin of the base that holds all at the start.
  [[nodiscard]] double reach() const {
    double most = 0.0;
    for (const Placed& link : links) most = std::max(most, link.pose.p.norm() + link.radius);
    return most;
  }
  // @param x  m, where its base starts: its lowest point touches the ground, or may
  [[nodiscard]] std::string yaml(double x) const {
    const std::string position =
        fixed ? fmt::format("[{}, 0, {}]", x, reach() + 1e-3) : fmt::format("[{}, 0]", x);
    return fmt::format(
        "  r{}:\n    self_collision: {}\n    base: {{position: {}, fixed: {}, {}}}\n    links:\n{}",
        number, collision, position, fixed, base, links_yaml);
  }
};

// A pose for a link of this radius on the parent, clear of all others.
Pose place(Dice& dice, const Robot& robot, int parent, double radius) {
  const Placed& on = nth(robot.links, parent);
  Pose pose{dice.chance(0.5) ? dice.rotation() : Matrix3d::Identity(), Vector3d::Zero()};
  const auto meets = [&](const Vector3d& p) {
    for (std::size_t i = 0; i < robot.links.size(); ++i)
      if (static_cast<int>(i) != parent &&
          (p - robot.links[i].pose.p).norm() < radius + robot.links[i].radius + 1e-4)
        return true;
    return false;
  };
  double distance = std::max(on.radius + radius, 0.02) * dice.uniform(0.7, 1.2);
  do pose.p = (distance *= 1.02) * dice.unit();
  while (meets(on.pose * pose.p));
  return pose;
}

// What its joint may have but for a place. @param size  m  @param mass  kg, of the link
std::string joint_properties(Dice& dice, double size, double mass) {
  const int kind = dice.below(6);
  if (kind == 0) return ", type: spherical";
  const bool slides = kind == 1;
  std::string out = slides ? ", type: prismatic" : ", type: revolute";
  out += ", axis: " + text(dice.chance(0.5) ? dice.unit() : Vector3d::UnitZ());
  const double range = slides ? size : 1.5;  // m or rad
  if (slides || dice.chance(0.6))
    out += fmt::format(", limits: [{}, {}]", -range * dice.scaled(0.02, 1.0),
                       range * dice.scaled(0.02, 1.0));
  const double arm = slides ? 1.0 : size;  // m, of forces about the joint
  if (dice.chance(0.3)) out += fmt::format(", friction: {}", mass * arm * dice.scaled(0.01, 10.0));
  if (dice.chance(0.3))
    out += fmt::format(", damping: {}", mass * arm * arm * dice.scaled(0.005, 1.0));
  if (dice.chance(0.15)) out += fmt::format(", armature: {}", 0.1 * mass * arm * arm);
  return out;
}

void add_link(Dice& dice, Robot& robot, RandomScene& scene) {
  const int i = static_cast<int>(robot.links.size());
  const bool base = i == 0;
  robot.links_yaml += fmt::format("      l{}:\n", i);
  Placed link;
  const double mass = dice.scaled(0.03, 5.0);
  if (!base || !robot.fixed) {
    const Piece piece = random_piece(dice, scene);
    link.radius = piece.radius;
    robot.links_yaml += fmt::format("        mass: {}\n        shape: {}\n", mass, piece.shape);
  } else {
    robot.links_yaml.insert(robot.links_yaml.size() - 1, " {}");
  }
  if (!base) {
    link.parent = dice.chance(0.5) ? dice.below(i) : i - 1;
    const Pose on_parent = place(dice, robot, link.parent, link.radius);
    link.pose = nth(robot.links, link.parent).pose * on_parent;
    robot.links_yaml += fmt::format(
        "        joint: {{parent: l{}, position: {}, orientation: {{quaternion: {}}}{}}}\n",
        link.parent, text(on_parent.p), text(Quaterniond(on_parent.R)),
        joint_properties(dice, link.radius, mass));
  }
  robot.links.push_back(link);
}

Robot make_robot(Dice& dice, int number, RandomScene& scene) {
  Robot robot;
  robot.number = number;
  robot.collision = dice.chance(0.4) ? "true" : "false";
  robot.fixed = dice.chance(0.3);
  robot.base = fmt::format("orientation: {{quaternion: {}}}", text(Quaterniond(dice.rotation())));
  if (!robot.fixed)
    robot.base += fmt::format(", velocity: {}, angular_velocity: {}", text(dice.vector(1.0)),
                              text(dice.vector(4.0)));
  for (int left = 2 + dice.below(7); left > 0; --left) add_link(dice, robot, scene);
  return robot;
}

// The last link to one that is neither itself nor its parent, where they are at the start.
std::string loop_of(Dice& dice, const Robot& robot) {
  const int last = static_cast<int>(robot.links.size()) - 1;
  int other = dice.below(last);
  if (other == robot.links.back().parent) other = (other + 1) % last;
  const bool turns = dice.chance(0.3);
  return fmt::format(
      "loops:\n  - {{between: [r{0}/l{1}, r{0}/l{2}], type: {3}, points: [{4}]{5}}}\n",
      robot.number, last, other, turns ? "revolute" : "spherical",
      text(dice.vector(robot.links.back().radius)),
      turns ? ", axes: [" + text(dice.unit()) + "]" : "");
}

std::string spring_of(Dice& dice, const Robot& robot) {
  return fmt::format(
      "springs:\n  - {{between: [r{}/l1, world], points: [{}, {}], stiffness: {}, damping: {}}}\n",
      robot.number, text(dice.vector(0.05)), text(dice.vector(0.5)), dice.scaled(1.0, 300.0),
      dice.uniform(0.0, 2.0));
}

// Above all, towards the first.
std::string thrown_bodies(Dice& dice, double height, RandomScene& scene) {
  std::string out;
  for (int i = 0, count = std::max(dice.below(4) - 1, 0); i < count; ++i) {
    const Piece piece = random_piece(dice, scene);
    height += piece.radius;
    const Vector3d p(dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1), height);
    const Vector3d v(0.0, 0.0, -height / dice.uniform(0.05, 0.3));
    out += body_text(i, dice.scaled(0.1, 3.0), piece, p, dice.rotation(), v, dice.vector(5.0));
    height += piece.radius + 1e-3;
  }
  return out;
}

}  // namespace

RandomScene random_robots(std::uint64_t seed) {
  Dice dice(seed);
  RandomScene scene;
  const std::string head =
      fmt::format(
          "name: robots-{}\ngravity: [0, 0, -9.81]\nduration: 0.4\nrecord: {{every: 0.02}}\n",
          seed) +
      random_choices(dice, 0.25) + random_surfaces(dice);  // light links spin fast
  const Robot robot = make_robot(dice, 0, scene);
  scene.yaml = head + "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\n" +
               thrown_bodies(dice, 2.0 * robot.reach() + 0.01, scene) + "robots:\n" +
               robot.yaml(0.0);
  if (dice.chance(0.25)) {
    const Robot other = make_robot(dice, 1, scene);
    scene.yaml += other.yaml(robot.reach() + other.reach() + 0.01);
  }
  if (robot.links.size() > 2 && dice.chance(0.2)) scene.yaml += loop_of(dice, robot);
  if (dice.chance(0.2)) scene.yaml += spring_of(dice, robot);
  return scene;
}

}  // namespace pequod::test
