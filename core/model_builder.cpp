#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/branches.h"
#include "core/model.h"
#include "core/spatial_factor.h"

namespace pequod {
namespace {

int count(const auto& items) { return static_cast<int>(items.size()); }

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

/// Who is whose child, checked to be one tree.
struct Topology {
  std::map<std::string, int> link_index;
  std::vector<std::vector<int>> joints_below;  ///< per link, in the order of the file
  int root = -1;
};

void connect(const Robot& robot, Topology& tree) {
  std::set<std::string> joint_names;
  std::map<std::string, std::string> joint_above;
  for (int j = 0; j < count(robot.joints); ++j) {
    const RobotJoint& joint = nth(robot.joints, j);
    if (!joint_names.insert(joint.name).second) refuse("two joints are named " + joint.name);
    for (const std::string& link : {joint.parent, joint.child}) {
      if (!tree.link_index.contains(link)) {
        refuse("joint " + joint.name + " names a link that does not exist: " + link);
      }
    }
    const auto [above, fresh] = joint_above.emplace(joint.child, joint.name);
    if (!fresh) {
      refuse("link " + joint.child + " is the child of two joints: " + above->second + " and " +
             joint.name);
    }
    nth(tree.joints_below, tree.link_index.at(joint.parent)).push_back(j);
  }
  for (int i = 0; i < count(robot.links); ++i) {
    const std::string& name = nth(robot.links, i).name;
    if (joint_above.contains(name)) continue;
    if (tree.root >= 0) {
      refuse("two links have no parent: " + nth(robot.links, tree.root).name + " and " + name);
    }
    tree.root = i;
  }
}

Topology topology(const Robot& robot) {
  Topology tree;
  for (int i = 0; i < count(robot.links); ++i) {
    const std::string& name = nth(robot.links, i).name;
    if (!tree.link_index.emplace(name, i).second) refuse("two links are named " + name);
  }
  tree.joints_below.resize(robot.links.size());
  connect(robot, tree);
  if (tree.root < 0) refuse("the joints form a loop: every link has a parent");

  // One root and one parent each leave only rings beside the tree.
  std::vector<int> reached{tree.root};
  for (std::size_t k = 0; k < reached.size(); ++k) {
    for (const int j : nth(tree.joints_below, reached[k])) {
      reached.push_back(tree.link_index.at(nth(robot.joints, j).child));
    }
  }
  if (reached.size() != robot.links.size()) refuse("some joints form a loop apart from the base");
  return tree;
}

JointType moving_type(const RobotJoint& from) {
  switch (from.type) {
    case RobotJointType::revolute:
    case RobotJointType::continuous:
      return JointType::revolute;
    case RobotJointType::prismatic:
      return JointType::prismatic;
    case RobotJointType::spherical:
      return JointType::spherical;
    case RobotJointType::fixed:
    case RobotJointType::floating:
      break;
  }
  refuse("joint " + from.name + " has a type that is not for links of a tree");
}

Joint moving_joint(const RobotJoint& from, const Pose& X_PF) {
  Joint joint;
  joint.type = moving_type(from);
  joint.X_PF = X_PF;
  if (joint.type != JointType::spherical) {
    if (!(from.axis.norm() > 1e-12)) refuse("joint " + from.name + " has a zero axis");
    joint.axis = from.axis.normalized();
    if (from.type != RobotJointType::continuous) {
      joint.lower = from.lower;
      joint.upper = from.upper;
    }
  }
  joint.effort = from.effort;
  joint.damping = from.damping;
  joint.friction = from.friction;
  joint.armature = from.armature;
  return joint;
}

/// Inertia of a link and of all that hangs on it at q = 0, about the link's origin.
Matrix3d about_origin(const Inertia& inertia) {
  const Vector3d& c = inertia.com;
  return inertia.about_com +
         inertia.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

/// Whether forces along the joint's coordinates meet some inertia.
bool has_inertia(const Joint& joint, const Inertia& below) {
  constexpr double kZero = 1e-14;  // relative: rounding of the sums above it
  const Matrix3d I = about_origin(below);
  switch (joint.type) {
    case JointType::prismatic:
      return below.mass + joint.armature > 0.0;
    case JointType::revolute:
      return joint.axis.dot(I * joint.axis) + joint.armature > kZero * I.trace();
    case JointType::spherical:
    case JointType::free: {
      const Matrix3d A = joint.type == JointType::free
                             ? below.about_com
                             : Matrix3d(I + joint.armature * Matrix3d::Identity());
      const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(A).eigenvalues();
      return (joint.type == JointType::spherical || below.mass > 0.0) &&
             moments.minCoeff() > kZero * moments.maxCoeff();
    }
  }
  return false;
}

}  // namespace

void ModelBuilder::add_link(int parent, const Inertia& inertia, const Joint& joint) {
  Link link{parent, -1, inertia, joint};
  link.joint.q_index = model_.nq;
  link.joint.v_index = model_.nv;
  if (parent < 0) {
    model_.trees.push_back({count(model_.links), 0, model_.nv, 0, 0, 0.0});
  }
  link.tree = count(model_.trees) - 1;
  ++model_.trees.back().links;
  model_.trees.back().nv += velocity_count(joint.type);
  model_.nq += position_count(joint.type);
  model_.nv += velocity_count(joint.type);
  model_.links.push_back(link);
}

int ModelBuilder::begin_entity(const std::string& name, bool robot, int base_link) {
  for (const Entity& entity : model_.entities) {
    if (entity.name == name) refuse("two bodies or robots are named " + name);
  }
  Entity entity;
  entity.name = name;
  entity.robot = robot;
  entity.base_link = base_link;
  entity.first_link = count(model_.links);
  entity.first_frame = count(model_.frames);
  entity.first_joint = count(model_.joints);
  model_.entities.push_back(entity);
  return count(model_.entities) - 1;
}

void ModelBuilder::end_entity() {
  Entity& entity = model_.entities.back();
  entity.links = count(model_.links) - entity.first_link;
  entity.frames = count(model_.frames) - entity.first_frame;
  entity.joints = count(model_.joints) - entity.first_joint;
}

int ModelBuilder::add_frame(const std::string& name, int link, const Pose& X_LF, bool leaf,
                            const std::vector<CollisionShape>& shapes) {
  const int frame = count(model_.frames);
  model_.frames.push_back({name, link, X_LF, count(model_.entities) - 1, 0, leaf});
  for (const CollisionShape& shape : shapes) {
    const Pose X_LS = X_LF * shape.X_LS;
    const bool is_at_link = X_LS.R == Matrix3d::Identity() && X_LS.p.isZero(0.0);
    model_.shapes.push_back({shape.geometry, link, X_LS, frame, is_at_link});
  }
  return frame;
}

int ModelBuilder::add_fixed_body(const std::string& name, const Pose& X_WB,
                                 const std::vector<CollisionShape>& shapes) {
  const int entity = begin_entity(name, false, -1);
  add_frame(name, -1, X_WB, true, shapes);
  end_entity();
  return entity;
}

int ModelBuilder::add_free_body(const std::string& name, const Inertia& inertia,
                                const std::vector<CollisionShape>& shapes) {
  if (!has_inertia(Joint{}, inertia)) refuse("body " + name + " has no mass or no inertia");
  const int link = count(model_.links);
  const int entity = begin_entity(name, false, link);
  add_link(-1, inertia, Joint{});
  add_frame(name, link, Pose{}, true, shapes);
  end_entity();
  return entity;
}

void ModelBuilder::add_part(const RobotLink& part, const RobotJoint* above, bool leaf,
                            RobotVisit& at) {
  const std::string& name = model_.entities.back().name;
  if (above != nullptr && above->type == RobotJointType::floating) {
    refuse("joint " + above->name + " of " + name +
           " is floating inside a robot: make its child a robot of its own");
  }
  // A fixed joint's child rides on its parent's moving link, any other joint starts one.
  if (above != nullptr && above->type != RobotJointType::fixed) {
    add_link(at.link, Inertia{}, moving_joint(*above, at.X_LF));
    at = {count(model_.links) - 1, Pose{}};
    model_.joints.push_back({name + "/" + above->name, at.link});
  }
  if (at.link >= 0) {
    Inertia& inertia = nth(model_.links, at.link).inertia;
    inertia = combine(inertia, {part.mass, part.com, part.inertia}, at.X_LF);
  }
  add_frame(name + "/" + part.name, at.link, at.X_LF, leaf, part.collisions);
}

int ModelBuilder::add_robot(const std::string& name, const Robot& robot, bool fixed_base,
                            const Pose& X_WB, bool self_collision) {
  const Topology tree = topology(robot);
  const int base_link = fixed_base ? -1 : count(model_.links);
  const int entity = begin_entity(name, true, base_link);
  model_.entities.back().self_collision = self_collision;
  if (!fixed_base) add_link(-1, Inertia{}, Joint{});

  struct Visit {
    int part, joint_above;
    RobotVisit at;
  };
  std::vector<Visit> stack{{tree.root, -1, {base_link, fixed_base ? X_WB : Pose{}}}};
  while (!stack.empty()) {
    Visit visit = stack.back();
    stack.pop_back();
    const std::vector<int>& below = nth(tree.joints_below, visit.part);
    add_part(nth(robot.links, visit.part),
             visit.joint_above < 0 ? nullptr : &nth(robot.joints, visit.joint_above), below.empty(),
             visit.at);
    for (auto j = below.rbegin(); j != below.rend(); ++j) {
      const RobotJoint& joint = nth(robot.joints, *j);
      stack.push_back(
          {tree.link_index.at(joint.child), *j, {visit.at.link, visit.at.X_LF * joint.X_PJ}});
    }
  }
  end_entity();
  check_inertia(entity);
  return entity;
}

void ModelBuilder::check_inertia(int entity) const {
  const Entity& robot = nth(model_.entities, entity);
  const std::size_t first = static_cast<std::size_t>(robot.first_link);
  std::vector<Inertia> below;
  for (int i = 0; i < robot.links; ++i) {
    below.push_back(model_.links[first + static_cast<std::size_t>(i)].inertia);
  }
  for (std::size_t i = below.size(); i-- > 0;) {
    const Link& link = model_.links[first + i];
    if (!has_inertia(link.joint, below[i])) {
      const auto joint = std::ranges::find_if(model_.joints, [&](const NamedJoint& candidate) {
        return candidate.link == int(first + i);
      });
      refuse(joint == model_.joints.end()
                 ? "robot " + robot.name + " has no mass or no inertia"
                 : "what joint " + joint->name + " moves has no mass or no inertia");
    }
    if (link.parent >= robot.first_link) {
      Inertia& parent = below[static_cast<std::size_t>(link.parent) - first];
      parent = combine(parent, below[i], link.joint.X_PF);
    }
  }
}

int ModelBuilder::find_frame(const std::string& name) const {
  const auto found =
      std::ranges::find_if(model_.frames, [&](const Frame& frame) { return frame.name == name; });
  return found == model_.frames.end() ? -1 : static_cast<int>(found - model_.frames.begin());
}

namespace {

/// A robot's own name stands for all its links.
bool names_frame(const Model& model, const std::string& pattern, const Frame& frame) {
  return glob_match(pattern, frame.name) ||
         glob_match(pattern, nth(model.entities, frame.entity).name);
}

/// Which sides of which rules a frame matches; frames that match alike share a class.
using Signature = std::vector<std::pair<bool, bool>>;

std::vector<Signature> classify(Model& model, const std::vector<SurfaceRule>& rules) {
  std::vector<Signature> classes;
  std::map<Signature, int> class_of;
  for (Frame& frame : model.frames) {
    Signature signature;
    for (const SurfaceRule& rule : rules) {
      signature.emplace_back(names_frame(model, rule.a, frame), names_frame(model, rule.b, frame));
    }
    const auto [entry, fresh] = class_of.emplace(signature, count(classes));
    if (fresh) classes.push_back(signature);
    frame.surface_class = entry->second;
  }
  return classes;
}

void resolve_surfaces(Model& model, const std::vector<SurfaceRule>& rules) {
  for (const SurfaceRule& rule : rules) {
    for (const std::string& pattern : {rule.a, rule.b}) {
      const bool known = std::ranges::any_of(
          model.frames, [&](const Frame& frame) { return names_frame(model, pattern, frame); });
      if (!known) refuse("a surface names \"" + pattern + "\", which matches nothing");
    }
  }
  const std::vector<Signature> classes = classify(model, rules);
  model.surface_classes = count(classes);
  model.surfaces.clear();
  for (const Signature& a : classes) {
    for (const Signature& b : classes) {
      Surface surface;
      for (std::size_t r = 0; r < rules.size(); ++r) {
        if ((a[r].first && b[r].second) || (a[r].second && b[r].first)) {
          surface = rules[r].surface;
          break;
        }
      }
      model.surfaces.push_back(surface);
    }
  }
}

void find_shortcuts(Joint& joint) {
  joint.straight = joint.X_PF.R == Matrix3d::Identity();
  for (int k = 0; k < 3; ++k)
    if (joint.axis.cwiseAbs() == Vector3d::Unit(k)) joint.coordinate_axis = k;
}

bool is_limited(const Joint& joint) {
  const bool slides_or_turns =
      joint.type == JointType::revolute || joint.type == JointType::prismatic;
  return slides_or_turns && (joint.lower > -kInfinity || joint.upper < kInfinity);
}

bool is_even(const Tree& tree, const Link& root) {
  const Inertia& inertia = root.inertia;
  const double I = inertia.about_com(0, 0);
  return tree.links == 1 && root.joint.type == JointType::free && inertia.com.isZero(0.0) &&
         inertia.about_com == I * Matrix3d::Identity() && I > 0.0 && inertia.mass > 0.0;
}

}  // namespace

Model ModelBuilder::build(const std::vector<SurfaceRule>& rules,
                          const std::vector<CollideRule>& collide) {
  model_.mass_size = 0;
  for (Tree& tree : model_.trees) {
    tree.mass_offset = model_.mass_size;
    model_.mass_size += tree.nv * tree.nv;
    tree.mass = 0.0;
    for (int i = tree.first_link; i < tree.first_link + tree.links; ++i)
      tree.mass += nth(model_.links, i).inertia.mass;
    tree.even = is_even(tree, nth(model_.links, tree.first_link));
  }
  // The coordinate before the first one of a joint is the last one of the parent's joint.
  model_.dof_parent.assign(static_cast<std::size_t>(model_.nv), -1);
  model_.dof_link.assign(static_cast<std::size_t>(model_.nv), -1);
  for (int i = 0; i < count(model_.links); ++i) {
    const Link& link = nth(model_.links, i);
    int before = -1;
    if (link.parent >= 0) {
      const Joint& joint = nth(model_.links, link.parent).joint;
      before = joint.v_index + velocity_count(joint.type) - 1;
    }
    for (int k = 0; k < velocity_count(link.joint.type); ++k) {
      const int dof = link.joint.v_index + k;
      nth(model_.dof_parent, dof) = k == 0 ? before : dof - 1;
      nth(model_.dof_link, dof) = i;
    }
  }
  find_branches(model_);
  for (Link& link : model_.links) find_shortcuts(link.joint);
  model_.limited.clear();
  for (int i = 0; i < count(model_.links); ++i)
    if (is_limited(nth(model_.links, i).joint)) model_.limited.push_back(i);
  find_limb_fours(model_);
  find_long_branches(model_);
  for (const CollideRule& rule : collide) {
    for (const int frame : {rule.frame_a, rule.frame_b}) {
      if (frame < 0 || frame >= count(model_.frames)) {
        refuse("a collide rule names frame " + std::to_string(frame) + ", which does not exist");
      }
    }
  }
  model_.collide_rules = collide;
  resolve_surfaces(model_, rules);
  return model_;
}

}  // namespace pequod
