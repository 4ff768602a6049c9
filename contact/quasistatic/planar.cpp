#include "contact/quasistatic/planar.h"

#include <array>
#include <cmath>

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using Points = std::vector<Vector2d>;
using Kind = PlanarContact::Kind;

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }
Vector2d turned(const Vector2d& a) { return {-a.y(), a.x()}; }

int count(const Points& points) { return static_cast<int>(points.size()); }

// Where the joints of a finger stand in a configuration.
Index first_joint(const PlanarScene& scene, int finger) {
  Index first = 3;
  for (int i = 0; i < finger; ++i) first += static_cast<Index>(scene.fingers[i].joints.size());
  return first;
}

Vector2d carried(const PlanarPose& pose, const Vector2d& point) {
  return pose.position + Eigen::Rotation2Dd(pose.angle) * point;
}

// The rigid motion of one joint by θ.
Vector2d moved(const PlanarJoint& joint, double theta, const Vector2d& point) {
  if (!joint.revolute) return point + theta * joint.axis;
  return joint.centre + Eigen::Rotation2Dd(theta) * (point - joint.centre);
}

// Velocity of a world point that the finger carries, by each of its joints.
MatrixXd joint_velocities(const PlanarScene& scene, int finger, const VectorXd& configuration,
                          const Vector2d& point) {
  const std::vector<PlanarJoint>& joints = scene.fingers[finger].joints;
  MatrixXd columns(2, static_cast<Index>(joints.size()));
  const Index first = first_joint(scene, finger);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    // The joints before it carry its axis and centre.
    Vector2d centre = joints[j].centre;
    double angle = 0.0;
    for (std::size_t k = j; k-- > 0;) {
      const double theta = configuration[first + static_cast<Index>(k)];
      centre = moved(joints[k], theta, centre);
      if (joints[k].revolute) angle += theta;
    }
    columns.col(static_cast<Index>(j)) =
        joints[j].revolute ? turned(point - centre) : Eigen::Rotation2Dd(angle) * joints[j].axis;
  }
  return columns;
}

// Foot of a corner on an edge: along it 0…length, and its height above.
struct Foot {
  double along = 0.0, length = 0.0, height = 0.0;
  Vector2d normal;  // out of the polygon
  [[nodiscard]] bool inside() const { return along >= 0.0 && along <= length; }
};

Foot foot(const Points& polygon, int edge, const Vector2d& point) {
  const Vector2d& a = polygon[edge];
  const Vector2d side = polygon[(edge + 1) % count(polygon)] - a;
  Foot result;
  result.length = side.norm();
  const Vector2d direction = side / result.length;
  result.normal = -turned(direction);
  result.along = (point - a).dot(direction);
  result.height = (point - a).dot(result.normal);
  return result;
}

// Both bodies at a configuration.
struct Pair {
  Points object, finger;
  double object_radius, finger_radius;
};

Pair pair_at(const PlanarScene& scene, int finger, const VectorXd& configuration) {
  const PlanarShape& shape = scene.fingers[finger].shape;
  return {corners(scene.object, object_pose(configuration)),
          corners(shape, finger_pose(scene, finger, configuration)), scene.object.radius,
          shape.radius};
}

void measure(const Pair& pair, PlanarContact& contact) {
  const Vector2d& a = pair.object[contact.object_feature];
  const Vector2d& b = pair.finger[contact.finger_feature];
  double distance = 0.0;
  Vector2d on_finger = b;
  switch (contact.kind) {
    case Kind::corners:
      distance = (a - b).norm();
      contact.normal = (a - b) / distance;
      break;
    case Kind::object_corner: {
      const Foot below = foot(pair.finger, contact.finger_feature, a);
      distance = below.height;
      contact.normal = below.normal;
      on_finger = a - distance * below.normal;
      break;
    }
    case Kind::finger_corner: {
      const Foot below = foot(pair.object, contact.object_feature, b);
      distance = below.height;
      contact.normal = -below.normal;
      break;
    }
  }
  contact.gap = distance - pair.object_radius - pair.finger_radius;
  contact.point = on_finger + pair.finger_radius * contact.normal;
}

// The edge that a corner stands above, if there is one: the highest plane, its foot on the edge.
int edge_below(const Points& polygon, const Vector2d& corner) {
  if (polygon.size() < 2) return -1;
  int best = 0;
  for (int e = 1; e < count(polygon); ++e)
    if (foot(polygon, e, corner).height > foot(polygon, best, corner).height) best = e;
  return foot(polygon, best, corner).inside() ? best : -1;
}

// Whether the direction from a corner of a polygon lies between the normals of its edges.
bool sees(const Points& polygon, int corner, const Vector2d& other) {
  if (polygon.size() < 2) return true;
  const int before = (corner + count(polygon) - 1) % count(polygon);
  return foot(polygon, corner, other).along < 0.0 &&
         foot(polygon, before, other).along > foot(polygon, before, other).length;
}

void add_if_near(const Pair& pair, PlanarContact contact, double within,
                 std::vector<PlanarContact>& found) {
  measure(pair, contact);
  if (contact.gap > within) return;
  // Two corners on one spot are one contact.
  for (const PlanarContact& known : found)
    if (known.finger == contact.finger && (known.point - contact.point).norm() < 1e-9 &&
        (known.normal - contact.normal).norm() < 1e-6)
      return;
  found.push_back(contact);
}

// Corners this near are on one spot, m: rounding of poses, far below what counts as touching.
constexpr double kTogether = 1e-9;

// The corner of a polygon on the spot of a point; −1 if there is none.
int corner_at(const Points& polygon, const Vector2d& point) {
  for (int i = 0; i < count(polygon); ++i)
    if ((polygon[i] - point).norm() <= kTogether) return i;
  return -1;
}

// Whether both edges of a polygon that leave a corner lead along a normal, or across it.
bool lies_beyond(const Points& polygon, int corner, const Vector2d& normal) {
  const int n = count(polygon);
  for (const int other : {(corner + 1) % n, (corner + n - 1) % n}) {
    const Vector2d edge = polygon[other] - polygon[corner];
    if (edge.dot(normal) < -kTogether * edge.norm()) return false;
  }
  return true;
}

// Of two polygons that meet corner to corner: which foot stands on which edge is a matter of
// rounding there, and all four edges together would hold the object where each one alone lets it
// go. An edge counts if it separates the two; first the finger's, along which the object's corner
// goes on if it stands in a concave corner of two fingers.
PlanarContact corner_contact(const Pair& pair, int finger, int i, int j) {
  const auto edges = [](const Points& polygon, int corner) {
    return std::array{corner, (corner + count(polygon) - 1) % count(polygon)};
  };
  if (count(pair.finger) > 1)
    for (const int edge : edges(pair.finger, j))
      if (lies_beyond(pair.object, i, foot(pair.finger, edge, pair.object[i]).normal))
        return {finger, i, edge, Kind::object_corner, {}, {}, NAN};
  if (count(pair.object) > 1)
    for (const int edge : edges(pair.object, i))
      if (lies_beyond(pair.finger, j, foot(pair.object, edge, pair.finger[j]).normal))
        return {finger, edge, j, Kind::finger_corner, {}, {}, NAN};
  return {finger, i, j, Kind::corners, {}, {}, NAN};
}

}  // namespace

std::vector<Vector2d> corners(const PlanarShape& shape, const PlanarPose& pose) {
  Points result;
  for (const Vector2d& point : shape.points) result.push_back(carried(pose, point));
  return result;
}

PlanarPose object_pose(const VectorXd& configuration) {
  return {configuration.head<2>(), configuration[2]};
}

PlanarPose finger_pose(const PlanarScene& scene, int finger, const VectorXd& configuration) {
  const PlanarFinger& body = scene.fingers[finger];
  PlanarPose pose = body.pose;
  const Index first = first_joint(scene, finger);
  for (std::size_t j = body.joints.size(); j-- > 0;) {
    const double theta = configuration[first + static_cast<Index>(j)];
    pose.position = moved(body.joints[j], theta, pose.position);
    if (body.joints[j].revolute) pose.angle += theta;
  }
  return pose;
}

VectorXd start_of(const PlanarScene& scene) {
  VectorXd configuration =
      VectorXd::Zero(first_joint(scene, static_cast<int>(scene.fingers.size())));
  configuration.head<3>() << scene.pose.position, scene.pose.angle;
  return configuration;
}

std::vector<PlanarContact> facing(const PlanarScene& scene, const VectorXd& configuration,
                                  double within) {
  std::vector<PlanarContact> found;
  for (int f = 0; f < static_cast<int>(scene.fingers.size()); ++f) {
    const Pair pair = pair_at(scene, f, configuration);
    // Round shapes never meet with their cores.
    const bool sharp = pair.object_radius + pair.finger_radius == 0.0;
    for (int i = 0; i < count(pair.object); ++i) {
      const int together = sharp ? corner_at(pair.finger, pair.object[i]) : -1;
      const int edge = edge_below(pair.finger, pair.object[i]);
      if (together >= 0)
        add_if_near(pair, corner_contact(pair, f, i, together), within, found);
      else if (edge >= 0)
        add_if_near(pair, {f, i, edge, Kind::object_corner, {}, {}, NAN}, within, found);
    }
    for (int i = 0; i < count(pair.finger); ++i) {
      if (sharp && corner_at(pair.object, pair.finger[i]) >= 0) continue;
      const int edge = edge_below(pair.object, pair.finger[i]);
      if (edge >= 0)
        add_if_near(pair, {f, edge, i, Kind::finger_corner, {}, {}, NAN}, within, found);
    }
    for (int i = 0; i < count(pair.object); ++i) {
      if (sharp && corner_at(pair.finger, pair.object[i]) >= 0) continue;
      for (int j = 0; j < count(pair.finger); ++j)
        if (sees(pair.object, i, pair.finger[j]) && sees(pair.finger, j, pair.object[i]))
          add_if_near(pair, {f, i, j, Kind::corners, {}, {}, NAN}, within, found);
    }
  }
  return found;
}

PlanarContact followed(const PlanarScene& scene, const PlanarContact& contact,
                       const VectorXd& configuration) {
  PlanarContact result = contact;
  measure(pair_at(scene, contact.finger, configuration), result);
  return result;
}

QuasistaticProblem problem_of(const PlanarScene& scene, const std::vector<PlanarContact>& contacts,
                              const VectorXd& configuration) {
  const Index n_c = static_cast<Index>(contacts.size()), n_joints = configuration.size() - 3;
  QuasistaticProblem problem;
  problem.W_n = problem.W_t = MatrixXd(3, n_c);
  problem.J_n = problem.J_t = MatrixXd::Zero(n_c, n_joints);
  problem.friction.resize(n_c);
  problem.object_load = scene.load;
  for (Index i = 0; i < n_c; ++i) {
    const PlanarContact& contact = contacts[static_cast<std::size_t>(i)];
    const Vector2d r = contact.point - configuration.head<2>(), tangent = turned(contact.normal);
    problem.W_n.col(i) << contact.normal, cross(r, contact.normal);
    problem.W_t.col(i) << tangent, cross(r, tangent);
    const MatrixXd columns = joint_velocities(scene, contact.finger, configuration, contact.point);
    const Index first = first_joint(scene, contact.finger) - 3;
    problem.J_n.block(i, first, 1, columns.cols()) = contact.normal.transpose() * columns;
    problem.J_t.block(i, first, 1, columns.cols()) = tangent.transpose() * columns;
    problem.friction[i] = scene.fingers[contact.finger].friction;
  }
  problem.joint_velocity = problem.joint_effort = problem.joint_load = VectorXd(n_joints);
  Index j = 0;
  for (const PlanarFinger& finger : scene.fingers)
    for (const PlanarJoint& joint : finger.joints) {
      problem.driven.push_back(joint.driven ? 1 : 0);
      problem.joint_velocity[j] = joint.velocity;
      problem.joint_effort[j] = joint.effort;
      problem.joint_load[j++] = joint.load;
    }
  return problem;
}

}  // namespace pequod
