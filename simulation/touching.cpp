#include "simulation/touching.h"

#include <algorithm>

#include "simulation/world.h"

namespace pequod {
namespace {

// Where a ball touches a facet, the border of the next one is within the gap tolerance too: nearly
// the same row, but with the curvature of an edge in Ṅ v. Held together they would demand enormous
// accelerations, so a part that belongs to another touched facet does not count; of facets that
// touch with the border they share, the first does.
void drop_shadowed(const std::vector<Pose>& X_WS, TouchingWorkspace& workspace,
                   std::vector<ContactPoint>& points) {
  workspace.parts.clear();
  bool any = false;
  for (const ContactPoint& point : points) {
    workspace.parts.push_back(touched_part(point, X_WS[static_cast<std::size_t>(point.key.shape_a)],
                                           X_WS[static_cast<std::size_t>(point.key.shape_b)]));
    any = any || workspace.parts.back().corners > 0;
  }
  if (!any) return;
  workspace.kept.clear();
  for (std::size_t x = 0; x < points.size(); ++x) {
    bool shadowed = false;
    for (std::size_t y = 0; y < points.size() && !shadowed; ++y) {
      if (x == y || !covers(points[y], points[x], workspace.parts[x])) continue;
      const bool mutual = covers(points[x], points[y], workspace.parts[y]);
      shadowed = !mutual || y < x;
    }
    if (!shadowed) workspace.kept.push_back(points[x]);
  }
  points.swap(workspace.kept);
}

}  // namespace

void Touching::add(const Touching& other, std::size_t i) {
  if (i >= other.points.size()) {
    contacts.push_back(other.contacts[i]);
    return;
  }
  // Before the joint limits that are here already, so that points[i] belongs to contacts[i].
  contacts.insert(contacts.begin() + std::ssize(points), other.contacts[i]);
  points.push_back(other.points[i]);
}

bool Touching::has(const ContactKey& key) const {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const Contact& contact) { return contact.key == key; });
}

double limit_gap(const Joint& joint, const VectorXd& q, double sign) {
  const double position = q[joint.q_index];
  return sign > 0.0 ? position - joint.lower : joint.upper - position;
}

Contact make_limit(const Model& model, int link, double sign, double gap) {
  Contact contact;
  contact.key = joint_limit_key(link, sign < 0.0);
  contact.link_a = model.links[static_cast<std::size_t>(link)].parent;
  contact.link_b = link;
  contact.sign = sign;
  contact.gap = gap;
  contact.surface.restitution = 0.0;
  return contact;
}

void copy_poses(const Kinematics& kin, std::vector<Pose>& X_WL) {
  X_WL.resize(kin.links.size());
  for (std::size_t i = 0; i < X_WL.size(); ++i) X_WL[i] = kin.links[i].X_WL;
}

void find_touching(const Model& model, const Collision& collision, const Evaluator& here,
                   double range, TouchingWorkspace& workspace, Touching& touching,
                   std::span<const ContactKey> rims) {
  touching.clear();
  const std::vector<Pose>& X_WS = here.shapes();
  workspace.travel.assign(model.shapes.size(), 0.0);
  collision.near_pairs(X_WS, workspace.travel, range, workspace.near);
  for (const ShapePair& pair : workspace.near)
    collision.contacts(pair, X_WS, range, touching.points, rims);
  drop_shadowed(X_WS, workspace, touching.points);
  for (const ContactPoint& point : touching.points)
    touching.contacts.push_back(make_contact(model, point));
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Joint& joint = model.links[i].joint;
    if (joint.type != JointType::revolute && joint.type != JointType::prismatic) continue;
    for (const double sign : {1.0, -1.0}) {
      const double gap = limit_gap(joint, here.q(), sign);
      if (gap <= range)
        touching.contacts.push_back(make_limit(model, static_cast<int>(i), sign, gap));
    }
  }
}

void find_touching(const World& world, const State& state, double range, Evaluator& here,
                   TouchingWorkspace& workspace, Touching& touching) {
  here.at(state.q, state.v);
  const auto collision_time = world.clock->during(StepPart::collision);
  find_touching(world.model(), world.collision, here, range, workspace, touching, state.loop.rims);
}

ContactMode closed_mode(const Contact& contact) {
  ContactMode mode;
  mode.key = contact.key;
  mode.point_W = contact.p_W;
  mode.normal_W = contact.n_W;
  mode.gap = contact.gap;
  return mode;
}

void follow_touching(const Model& model, const std::vector<Pose>& X_WL, const VectorXd& q,
                     Touching& touching) {
  for (std::size_t i = 0; i < touching.size(); ++i) {
    Contact& contact = touching.contacts[i];
    if (is_joint_limit(contact.key)) {
      const Joint& joint = model.links[static_cast<std::size_t>(contact.link_b)].joint;
      contact.gap = limit_gap(joint, q, contact.sign);
      continue;
    }
    ContactPoint& point = touching.points[i];
    const auto place = [&](int shape_index) {
      const Shape& shape = model.shapes[static_cast<std::size_t>(shape_index)];
      return shape.link < 0 ? shape.X_LS : X_WL[static_cast<std::size_t>(shape.link)] * shape.X_LS;
    };
    follow(point, place(contact.key.shape_a), place(contact.key.shape_b));
    contact.p_W = point.p_W;
    contact.n_W = point.n_W;
    contact.gap = point.gap;
    set_tangents(contact);
  }
}

namespace {

// What a derivative of the pair's geometry says for the motions of its two shapes, without v̇ or
// with that given.
template <typename Derivative, typename... Rate>
auto along_motion(const Model& model, const Kinematics& kin, const ContactPoint& point,
                  const Derivative& derivative, const Rate&... vdot) {
  const auto motion = [&](int index) {
    const Shape& shape = model.shapes[static_cast<std::size_t>(index)];
    return shape_motion(shape, link_motion(model, kin, shape.link, vdot...));
  };
  return derivative(point, motion(point.key.shape_a), motion(point.key.shape_b));
}

}  // namespace

void compute_biases(const Model& model, const Kinematics& kin, Touching& touching) {
  for (std::size_t i = 0; i < touching.points.size(); ++i)
    touching.contacts[i].bias = gap_bias(model, kin, touching.points[i]);
}

double gap_bias(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  return along_motion(model, kin, point, gap_acceleration);
}

Vector3d slip_bias(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  return along_motion(model, kin, point, slip_acceleration);
}

Vector3d slip_rate(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                   const ContactPoint& point) {
  return along_motion(model, kin, point, slip_acceleration, vdot);
}

double gap_acceleration_with(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                             const ContactPoint& point) {
  return along_motion(model, kin, point, gap_acceleration, vdot);
}

}  // namespace pequod
