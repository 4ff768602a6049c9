// The immutable description of everything that moves and touches.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/limb_fours.h"
#include "core/robot.h"
#include "core/shape.h"
#include "core/types.h"

namespace pequod {

/// Mass properties in the link frame.
struct Inertia {
  double mass = 0.0;                      ///< kg
  Vector3d com = Vector3d::Zero();        ///< m
  Matrix3d about_com = Matrix3d::Zero();  ///< kg m², link axes
};

/// Mechanical equivalent of two bodies welded together; `X_AB` places B's frame in A's.
[[nodiscard]] Inertia combine(const Inertia& A, const Inertia& B, const Pose& X_AB);

enum class JointType { free, revolute, prismatic, spherical };

/// Joint between a link and its parent. q and v of the four types:
///   free       q = [p_WB (3); unit quaternion w x y z], v = [ω_WB; velocity of the frame origin],
///              both in world axes
///   revolute, prismatic   one coordinate along `axis`
///   spherical  q = unit quaternion of R_FL, v = angular velocity of L in F, in L's axes
struct Joint {
  JointType type = JointType::free;
  Pose X_PF;                          ///< joint frame F in the parent link (world if no parent)
  Vector3d axis = Vector3d::UnitX();  ///< unit, in F; revolute and prismatic
  double lower = -kInfinity, upper = kInfinity;  ///< rad or m; revolute and prismatic
  double effort = kInfinity;                     ///< N·m or N, largest actuator effort
  double damping = 0.0;                          ///< N·m·s/rad or N·s/m
  double friction = 0.0;                         ///< N·m or N, Coulomb
  double armature = 0.0;                         ///< kg m² or kg, added to the diagonal of M
  int q_index = -1, v_index = -1;                ///< first coordinate in State::q and State::v
  // What saves products; ModelBuilder::build fills it in.
  bool straight = false;     ///< X_PF does not turn
  int coordinate_axis = -1;  ///< k if `axis` is the k-th coordinate axis or its opposite
};

[[nodiscard]] constexpr int velocity_count(JointType type) {
  switch (type) {
    case JointType::free:
      return 6;
    case JointType::spherical:
      return 3;
    case JointType::revolute:
    case JointType::prismatic:
      break;
  }
  return 1;
}
/// A quaternion has one number more than angular velocity.
[[nodiscard]] constexpr int position_count(JointType type) {
  const bool turns_freely = type == JointType::free || type == JointType::spherical;
  return velocity_count(type) + (turns_freely ? 1 : 0);
}

/// One moving body: its frame coincides with the joint frame at q = 0.
struct Link {
  int parent = -1;  ///< −1: the world
  int tree = -1;
  Inertia inertia;
  Joint joint;
  bool abreast = false;  ///< in one of Model::limb_fours
};

/// Links [first_link, first_link + links) in depth-first order, velocity coordinates
/// [first_v, first_v + nv).
struct Tree {
  int first_link = 0, links = 0;
  int first_v = 0, nv = 0;
  int mass_offset = 0;  ///< where the tree's nv × nv block of M starts in a flat array
  double mass = 0.0;    ///< kg, of its links
  std::size_t first_four = 0, fours = 0;  ///< of Model::limb_fours
  int first_beside = 0;  ///< of these, the first coordinate behind the base that none of them has
  /// Into MassFactor::spatial, of a tree whose branches are long; −1: L has rows of numbers.
  int first_spatial = -1;
  /// A free body whose M is the same diagonal however it lies, as of a ball or a cube.
  bool even = false;
};

/// Whether the base is the only link of a tree that is not abreast: of a robot on equal limbs.
[[nodiscard]] inline bool has_base_beside(const Tree& tree) {
  return tree.fours > 0 && tree.first_beside == tree.nv;
}
/// The link behind the last of a tree that is not abreast, or one behind that.
[[nodiscard]] inline int end_beside(const Tree& tree) {
  return tree.first_link + (has_base_beside(tree) ? 1 : tree.links);
}

/// Velocity coordinates [begin, end), numbered from the first of their tree.
struct Run {
  int begin = 0, end = 0;
};

/// A named frame: a body, or a robot's link as the URDF names it (also one that was merged).
struct Frame {
  std::string name;  ///< "crate" or "dog/FL_foot"
  int link = -1;     ///< moving link that carries it, −1 the world
  Pose X_LF;         ///< in that link
  int entity = -1;
  int surface_class = 0;  ///< row and column of Model::surfaces
  bool leaf = false;      ///< no joint leaves it (before merging)
};

struct NamedJoint {
  std::string name;  ///< "dog/FL_knee"
  int link = -1;     ///< the link it moves
};

/// A body or a robot of the scene.
struct Entity {
  std::string name;
  bool robot = false;
  int base_link = -1;  ///< −1: fixed to the world
  int first_link = 0, links = 0;
  int first_frame = 0, frames = 0;
  int first_joint = 0, joints = 0;  ///< into Model::joints, moving joints only, no free base
  bool self_collision = false;
};

/// Material pair.
struct Surface {
  double friction = 0.5;     ///< Coulomb μc, may be +∞
  double viscous = 0.0;      ///< μv, N·s/m
  double restitution = 0.0;  ///< 0…1
  /// Coulomb, of a contact that sticks in the stages of an integrator, where it is more than μc.
  double static_friction = 0.0;

  /// μ that a contact at rest holds with.
  [[nodiscard]] double sticking() const { return std::max(friction, static_friction); }
};

/// What closes a loop; named as the joints are.
enum class LoopType {
  spherical,  ///< two points coincide: three rows
  revolute,   ///< and two axes: five rows
  prismatic,  ///< a point stays on an axis, nothing turns: five rows
  fixed       ///< six rows
};

/// A joint beyond the tree: frame K of link A and frame K of link B coincide, but for what the type
/// leaves free about or along their x axis.
struct Loop {
  std::string name;
  LoopType type = LoopType::revolute;
  int frame_a = -1, frame_b = -1;  ///< −1: the world
  int link_a = -1, link_b = -1;    ///< that carry them, −1: the world
  Pose X_AK, X_BK;                 ///< in those links
};

/// A spring and a damper along the line that joins two points: with the distance l they pull by
/// stiffness · (l − rest) + damping · dl/dt. Points that coincide have no such line, and no force.
struct Spring {
  std::string name;
  int link_a = -1, link_b = -1;  ///< that carry the points, −1: the world
  Vector3d p_A = Vector3d::Zero(), p_B = Vector3d::Zero();  ///< m, in those links
  double stiffness = 0.0;                                   ///< N/m
  double damping = 0.0;                                     ///< N·s/m
  double rest = 0.0;                                        ///< m
};

/// Whether two shapes are ever tested against each other, and if not, why.
enum class Pairing {
  may_touch,
  both_fixed,  ///< to the world
  one_link,    ///< on one link
  ruled_out,   ///< by a CollideRule
  joined_by_loop,
  no_self_collision,  ///< inside a robot
  neighbours          ///< joined by one moving joint, inside a robot with self-collision
};

/// Overrides the default whether two frames may touch.
struct CollideRule {
  int frame_a = -1, frame_b = -1;
  bool collide = true;
};

/// Immutable after construction (`ModelBuilder`).
struct Model {
  Vector3d gravity{0.0, 0.0, -9.81};
  std::vector<Link> links;  ///< parents before children, each tree contiguous
  std::vector<Tree> trees;
  std::vector<int> dof_parent;  ///< per velocity coordinate: the one before it on its branch, or −1
  std::vector<int> dof_link;    ///< per velocity coordinate: its link
  std::vector<Run> runs;        ///< see ancestors()
  std::vector<int> first_run;  ///< nv + 1
  /// Per velocity coordinate: how many are between a free base and it, on a limb that lies on the
  /// base itself; −1 of all others.
  std::vector<int> along_limb;
  std::vector<LimbFour> limb_fours;  ///< in the order of their trees
  std::vector<int> limited;          ///< links whose joints have a limit, ascending
  std::vector<Shape> shapes;
  std::vector<Frame> frames;
  std::vector<Entity> entities;
  std::vector<NamedJoint> joints;
  std::vector<Surface> surfaces;  ///< surface_classes × surface_classes, row-major, symmetric
  int surface_classes = 0;
  std::vector<CollideRule> collide_rules;
  std::vector<Loop> loops;  ///< that close the trees' branches, or join trees
  std::vector<Spring> springs;
  int nq = 0, nv = 0;
  int mass_size = 0;     ///< doubles of all blocks of M
  int spatial_rows = 0;  ///< of MassFactor::spatial

  /// The coordinates before a velocity coordinate on its branch, root first.
  [[nodiscard]] std::span<const Run> ancestors(int dof) const {
    const auto i = static_cast<std::size_t>(dof);
    return {runs.data() + first_run[i], runs.data() + first_run[i + 1]};
  }
  [[nodiscard]] const Surface& surface(int shape_a, int shape_b) const;
  /// The first shape of a frame, and the one behind its last: those of a frame stand together.
  [[nodiscard]] std::pair<int, int> shapes_of(int frame) const;
  /// Whether the two shapes are ever tested: not both fixed, not on one link, not inside one robot
  /// without self-collision (neighbours never), not joined by a loop, unless a rule says otherwise.
  [[nodiscard]] Pairing pairing(int shape_a, int shape_b) const;
  [[nodiscard]] bool may_collide(int shape_a, int shape_b) const {
    return pairing(shape_a, shape_b) == Pairing::may_touch;
  }
};

/// The tree of a link, −1 for the world.
[[nodiscard]] inline int tree_of(const Model& model, int link) {
  return link < 0 ? -1 : nth(model.links, link).tree;
}
/// Whether a tree is a body by itself that moves all ways.
[[nodiscard]] inline bool is_free_body(const Model& model, int tree) {
  const Tree& description = nth(model.trees, tree);
  const JointType root = nth(model.links, description.first_link).joint.type;
  return root == JointType::free && description.nv == velocity_count(root);
}

/// kg, of all that moves.
[[nodiscard]] inline double total_mass(const Model& model) {
  double mass = 0.0;
  for (const Tree& tree : model.trees) mass += tree.mass;
  return mass;
}

/// First matching rule wins; patterns are globs over frame names ("dog/*", "ground", "*"); a
/// robot's own name stands for all its links.
struct SurfaceRule {
  std::string a, b;
  Surface surface;
};

/// Collects bodies and robots, then `build` numbers everything.
class ModelBuilder {
 public:
  explicit ModelBuilder(const Vector3d& gravity = {0.0, 0.0, -9.81}) { model_.gravity = gravity; }

  /// A body that never moves, its frame at X_WB. @return entity index
  int add_fixed_body(const std::string& name, const Pose& X_WB,
                     const std::vector<CollisionShape>& shapes);
  /// A free rigid body. @return entity index
  int add_free_body(const std::string& name, const Inertia& inertia,
                    const std::vector<CollisionShape>& shapes);
  /// A robot with its fixed joints merged. A floating base gets a free joint, a fixed one is
  /// welded to the world at X_WB. @throws std::invalid_argument if the joints form no tree
  int add_robot(const std::string& name, const Robot& robot, bool fixed_base, const Pose& X_WB,
                bool self_collision);

  /// Resolves the rules and numbers coordinates.
  /// @throws std::invalid_argument naming a rule that matches nothing
  [[nodiscard]] Model build(const std::vector<SurfaceRule>& rules = {},
                            const std::vector<CollideRule>& collide = {});

  /// Index into Model::frames, or −1.
  [[nodiscard]] int find_frame(const std::string& name) const;
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  /// Where a part of a robot rides: on which moving link, and its frame there.
  struct RobotVisit {
    int link = -1;
    Pose X_LF;
  };
  void add_link(int parent, const Inertia& inertia, const Joint& joint);
  int add_frame(const std::string& name, int link, const Pose& X_LF, bool leaf,
                const std::vector<CollisionShape>& shapes);
  void add_part(const RobotLink& part, const RobotJoint* above, bool leaf, RobotVisit& at);
  int begin_entity(const std::string& name, bool robot, int base_link);
  void end_entity();
  void check_inertia(int entity) const;
  Model model_;
};

/// Velocity coordinates of all its links.
[[nodiscard]] int velocity_count(const Model& model, const Entity& entity);

/// A name for messages: that of the first frame the link carries.
[[nodiscard]] std::string link_name(const Model& model, int link);
/// "dog/FL_knee", of the joint that moves the link.
[[nodiscard]] std::string joint_name(const Model& model, int link);

/// `*` any text, `?` one character.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace pequod
