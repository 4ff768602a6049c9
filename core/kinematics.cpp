#include <algorithm>
#include <cstddef>

#include "core/clones.h"
#include "core/dynamics.h"
#include "core/limb_fours.h"
#include "core/links_beside.h"
#include "core/sine_cosine.h"
#include "core/tree_parts.h"
#include "core/whole_vectors.h"

namespace pequod {
namespace {

// visit(i) for the links of the trees that are not abreast, each after its parent, and then
// of_limbs(tree) where some are.
template <typename Visit, typename OfLimbs>
inline void for_each_link(const Model& model, std::span<const Tree> trees, const Visit& visit,
                          const OfLimbs& of_limbs) {
  for (const Tree& tree : trees) visit_links(model, tree, false, visit);
  for (const Tree& tree : trees)
    if (tree.fours > 0) of_limbs(tree);
}

Quaterniond quaternion_at(const VectorXd& q, int i) {
  return Quaterniond(q[i], q[i + 1], q[i + 2], q[i + 3]).normalized();
}

// Those of the rotation of a pose.
struct Columns {
  Whole at[3];

  explicit Columns(const Pose& X)
      : at{load_whole(X.R.data()), load_whole(X.R.data() + 3), load_whole(X.R.data() + 6)} {}
  // The place, which stands behind, is stored afterwards.
  void store(Pose& X) const {
    for (int k = 0; k < 3; ++k) pequod::store(at[k], X.R.data() + std::ptrdiff_t{3} * k);
  }
  // R ← R T.
  void multiply(const Matrix3d& T) {
    const Whole x = at[0], y = at[1], z = at[2];
    for (int k = 0; k < 3; ++k) at[k] = x * T(0, k) + y * T(1, k) + z * T(2, k);
  }
};

// A pose in registers: who has just stored it would wait for memory to read it.
struct WholePose {
  Columns R;
  Whole p;
};

// R ← R · (rotation by that angle about the joint's axis). About a coordinate axis it mixes two
// columns; else Rodrigues: c 1 + s [a]× + (1 − c) a aᵀ.
PEQUOD_INLINE void turn(const Joint& joint, const SineCosine& angle, Columns& R) {
  const auto [s, c] = angle;
  const Vector3d& a = joint.axis;
  if (joint.coordinate_axis >= 0) {
    const int k = joint.coordinate_axis;
    Whole &u = R.at[(k + 1) % 3], &w = R.at[(k + 2) % 3];
    const double sine = a[k] * s;
    const Whole before = u;
    u = before * c + w * sine;
    w = w * c - before * sine;
    return;
  }
  const Vector3d k = (1.0 - c) * a;
  Matrix3d T;
  T << c + k.x() * a.x(), k.x() * a.y() - s * a.z(), k.x() * a.z() + s * a.y(),
      k.y() * a.x() + s * a.z(), c + k.y() * a.y(), k.y() * a.z() - s * a.x(),
      k.z() * a.x() - s * a.y(), k.z() * a.y() + s * a.x(), c + k.z() * a.z();
  R.multiply(T);
}

// Sines and cosines of the coordinates of these trees, four at a time whatever they mean.
std::span<const SineCosine> find_angles(const Model& model, std::span<const Tree> trees,
                                        const VectorXd& q) {
  thread_local std::vector<SineCosine> storage;  // workspace only
  storage.resize(static_cast<std::size_t>(q.size()));
  for (const Tree& tree : trees) {
    const Joint& first = nth(model.links, tree.first_link).joint;
    if (tree.links == 1 && first.type != JointType::revolute) continue;
    const Joint& last =
        model.links[static_cast<std::size_t>(tree.first_link + tree.links) - 1].joint;
    const bool hinge = first.type == JointType::revolute;
    int i = first.q_index + (hinge ? 0 : position_count(first.type));
    const int end = last.q_index + position_count(last.type);
    for (; i + 4 <= end; i += 4) four_sine_cosines(q.data() + i, &nth(storage, i));
    for (; i < end; ++i) nth(storage, i) = sine_cosine(q[i]);
  }
  return storage;
}

// X_WL of the link behind the joint, from its parent's (none: the world).
// @param angles  of each coordinate of q that is one
PEQUOD_INLINE WholePose place(const Joint& joint, const Pose* X_WP, const VectorXd& q,
                              std::span<const SineCosine> angles, Pose& X_WL) {
  const Pose& from = X_WP ? *X_WP : joint.X_PF;
  WholePose X{Columns(from), load_behind(from.p.data())};
  auto& [R, p] = X;
  if (X_WP) p = times(R.at, joint.X_PF.p) + p;
  if (X_WP && !joint.straight) R.multiply(joint.X_PF.R);
  const int i = joint.q_index;
  switch (joint.type) {
    case JointType::free:
      p += times(R.at, q.data() + i);
      R.multiply(quaternion_at(q, i + 3).toRotationMatrix());
      break;
    case JointType::spherical:
      R.multiply(quaternion_at(q, i).toRotationMatrix());
      break;
    case JointType::revolute:
      turn(joint, nth(angles, i), R);
      break;
    case JointType::prismatic:
      p += q[i] * times(R.at, joint.axis);
      break;
  }
  R.store(X_WL);
  store_whole(p, X_WL.p.data());
  return X;
}

// World axes of a joint that has one; turning about it leaves it where it is.
PEQUOD_INLINE Whole axis_in_world(const Joint& joint, const Columns& R_WL) {
  const int k = joint.coordinate_axis;
  if (k >= 0) return joint.axis[k] * R_WL.at[k];
  return times(R_WL.at, joint.axis);
}

// Columns of S for the joint of the link at that pose.
PEQUOD_INLINE void joint_columns(const Joint& joint, const WholePose& X_WL, const Whole& O,
                                 Eigen::Matrix<double, 6, Eigen::Dynamic>& S) {
  const int i = joint.v_index;
  const auto turns_about = [&](int column, const Whole& axis) {
    store_six(six_of(axis, cross(X_WL.p - O, axis)), S.col(column).data());
  };
  switch (joint.type) {
    case JointType::free:
      S.block<6, 6>(0, i).setIdentity();
      break;
    case JointType::revolute:
      turns_about(i, axis_in_world(joint, X_WL.R));
      break;
    case JointType::prismatic:
      store_six(six_of(Whole{}, axis_in_world(joint, X_WL.R)), S.col(i).data());
      break;
    case JointType::spherical:
      for (int k = 0; k < 3; ++k) turns_about(i + k, X_WL.R.at[k]);
      break;
  }
}

// ω, v_O, α and a of a link, which stand one behind the other.
struct WholeMotion {
  Whole w, v, alpha, a;
};
PEQUOD_INLINE WholeMotion load_motion(const LinkKinematics& link) {
  return {load_whole(link.w.data()), load_whole(link.v_O.data()), load_whole(link.alpha_O.data()),
          load_whole(link.a_O.data())};
}
PEQUOD_INLINE void store_motion(const WholeMotion& motion, LinkKinematics& link) {
  static_assert(offsetof(LinkKinematics, a_O) == offsetof(LinkKinematics, w) + 9 * sizeof(double));
  store(motion.w, link.w.data()), store(motion.v, link.v_O.data());
  store(motion.alpha, link.alpha_O.data());
  store_whole(motion.a, link.a_O.data());
}

// Spatial velocity and bias acceleration of a link from its parent's: V = V_p + S v and
// A = A_p + V_p × S v; for a free base Ṡ v = [0; −ω × v], because O moves with it.
PEQUOD_INLINE void propagate(const Link& description, const VectorXd& v, const Kinematics& kin,
                             LinkKinematics& link) {
  const Joint& joint = description.joint;
  const double* const rate = v.data() + joint.v_index;
  if (joint.type == JointType::free) {
    const Whole w = load_whole(rate), v_O = load_behind(rate + 3);
    return store_motion({w, v_O, Whole{}, -cross(w, v_O)}, link);
  }
  Whole u_w{}, u_v{};
  for (int k = 0; k < velocity_count(joint.type); ++k) {
    const double* const S = kin.S.col(joint.v_index + k).data();
    u_w += load_whole(S) * rate[k];
    u_v += load_behind(S + 3) * rate[k];
  }
  if (description.parent < 0) return store_motion({u_w, u_v, Whole{}, Whole{}}, link);
  const WholeMotion of = load_motion(nth(kin.links, description.parent));
  store_motion({of.w + u_w, of.v + u_v, of.alpha + cross(of.w, u_w),
                of.a + cross(of.w, u_v) + cross(of.v, u_w)},
               link);
}

// That of a body that is even, however it lies.
void keep_inertia(const Inertia& inertia, LinkKinematics& link) {
  link.m = inertia.mass;
  link.h.setZero();
  link.I = inertia.about_com;
}

PEQUOD_INLINE void place_inertia(const Inertia& inertia, const Whole& O, const WholePose& X_WL,
                                 LinkKinematics& link) {
  const Matrix3d& R = link.X_WL.R;
  const Whole c = times(X_WL.R.at, inertia.com) + X_WL.p - O;
  const Whole h = inertia.mass * c;
  link.m = inertia.mass;
  store_whole(h, link.h.data());
  // R I Rᵀ + m (c·c 1 − c cᵀ) is symmetric: six entries.
  Columns half = X_WL.R;
  half.multiply(inertia.about_com);
  const auto column = [&](int j) -> Whole { return times(half.at, R.row(j)) - h * c[j]; };
  const Whole x = column(0), y = column(1), z = column(2);
  const double cc = dot(h, c);
  link.I << x[0] + cc, x[1], x[2], x[1], y[1] + cc, y[2], x[2], y[2], z[2] + cc;
}

}  // namespace

void make_room(const Model& model, Kinematics& kin) {
  kin.links.resize(model.links.size());
  kin.origins.resize(model.trees.size());
  kin.S.resize(6, model.nv);
}

PEQUOD_CLONES
void copy(const Model& model, std::span<const Tree> trees, const Kinematics& from,
          Kinematics& kin) {
  if (trees.empty()) return;
  const Tree &first = trees.front(), &last = trees.back();
  const auto tree = &first - model.trees.data();
  std::copy_n(from.origins.begin() + tree, trees.size(), kin.origins.begin() + tree);
  const std::ptrdiff_t link = first.first_link, links = last.first_link + last.links - link;
  std::copy_n(from.links.begin() + link, links, kin.links.begin() + link);
  const Eigen::Index v = first.first_v, nv = last.first_v + last.nv - v;
  kin.S.middleCols(v, nv) = from.S.middleCols(v, nv);
}

void compute_positions(const Model& model, const VectorXd& q, Kinematics& kin) {
  make_room(model, kin);
  compute_positions(model, model.trees, q, kin);
}

PEQUOD_CLONES
void compute_positions(const Model& model, std::span<const Tree> trees, const VectorXd& q,
                       Kinematics& kin) {
  const std::span<const SineCosine> angles = find_angles(model, trees, q);
  const auto place_link = [&](std::size_t i) {
    const Link& description = model.links[i];
    const Joint& joint = description.joint;
    LinkKinematics& link = kin.links[i];
    const int parent = description.parent;
    const WholePose X_WL =
        place(joint, parent < 0 ? nullptr : &nth(kin.links, parent).X_WL, q, angles, link.X_WL);
    double* const origin = nth(kin.origins, description.tree).data();
    if (description.parent < 0) store_whole(X_WL.p, origin);
    const Whole O = {origin[0], origin[1], origin[2], 0.0};
    joint_columns(joint, X_WL, O, kin.S);
    if (nth(model.trees, description.tree).even)
      keep_inertia(description.inertia, link);
    else
      place_inertia(description.inertia, O, X_WL, link);
  };
  for_each_link(model, trees, place_link,
                [&](const Tree& tree) { place_limbs(model, tree, angles, kin); });
}

void compute_velocities(const Model& model, const VectorXd& v, Kinematics& kin) {
  compute_velocities(model, model.trees, v, kin);
}

PEQUOD_CLONES
void compute_velocities(const Model& model, std::span<const Tree> trees, const VectorXd& v,
                        Kinematics& kin) {
  for_each_link(
      model, trees, [&](std::size_t i) { propagate(model.links[i], v, kin, kin.links[i]); },
      [&](const Tree& tree) { move_limbs(model, tree, v, kin); });
}

void compute_kinematics(const Model& model, const VectorXd& q, const VectorXd& v, Kinematics& kin,
                        const Team* team) {
  make_room(model, kin);
  for_each_trees(team, model, [&](std::span<const Tree> trees, std::size_t) {
    compute_positions(model, trees, q, kin);
    compute_velocities(model, trees, v, kin);
  });
}

namespace {

PEQUOD_CLONES
void compute_poses(const Model& model, std::span<const Tree> trees, const VectorXd& q,
                   std::vector<Pose>& X_WL) {
  const std::span<const SineCosine> angles = find_angles(model, trees, q);
  const auto place_link = [&](std::size_t i) {
    const Link& link = model.links[i];
    place(link.joint, link.parent < 0 ? nullptr : &nth(X_WL, link.parent), q, angles, X_WL[i]);
  };
  for_each_link(model, trees, place_link,
                [&](const Tree& tree) { place_limbs(model, tree, angles, X_WL); });
}

}  // namespace

void compute_poses(const Model& model, const VectorXd& q, std::vector<Pose>& X_WL,
                   const Team* team) {
  X_WL.resize(model.links.size());
  for_each_trees(team, model, [&](std::span<const Tree> trees, std::size_t) {
    compute_poses(model, trees, q, X_WL);
  });
}

std::vector<Pose> shape_poses(const Model& model, const VectorXd& q) {
  std::vector<Pose> X_WL, X_WS;
  compute_poses(model, q, X_WL);
  for (const Shape& shape : model.shapes)
    X_WS.push_back(shape.link < 0 ? shape.X_LS : nth(X_WL, shape.link) * shape.X_LS);
  return X_WS;
}

BodyMotion link_motion(const Model& model, const Kinematics& kin, int link) {
  if (link < 0) return {};
  const LinkKinematics& k = nth(kin.links, link);
  const Vector3d r = k.X_WL.p - nth(kin.origins, nth(model.links, link).tree);
  const Vector3d v = k.v_O + k.w.cross(r);
  return {k.X_WL, k.w, v, k.alpha_O, k.a_O + k.alpha_O.cross(r) + k.w.cross(v)};
}

BodyMotion link_motion(const Model& model, const Kinematics& kin, int link, const VectorXd& vdot) {
  BodyMotion motion = link_motion(model, kin, link);
  if (link < 0) return motion;
  const Link& description = nth(model.links, link);
  const Vector3d r = motion.X_WL.p - nth(kin.origins, description.tree);
  const Joint& joint = description.joint;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= 0;
       i = nth(model.dof_parent, i)) {
    const Vector3d s_w = kin.S.col(i).head<3>();
    motion.alpha += s_w * vdot[i];
    motion.a += (kin.S.col(i).tail<3>() + s_w.cross(r)) * vdot[i];
  }
  return motion;
}

Vector3d point_velocity(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W) {
  if (link < 0) return Vector3d::Zero();
  const LinkKinematics& k = nth(kin.links, link);
  const auto tree = static_cast<std::size_t>(nth(model.links, link).tree);
  return k.v_O + k.w.cross(p_W - kin.origins[tree]);
}

MassCentre mass_centre(const Model& model, const Kinematics& kin, int first_link, int count) {
  MassCentre centre;
  for (int i = first_link; i < first_link + count; ++i) {
    const LinkKinematics& k = nth(kin.links, i);
    const auto tree = static_cast<std::size_t>(nth(model.links, i).tree);
    centre.mass += k.m;
    centre.position += k.h + k.m * kin.origins[tree];
    centre.velocity += k.m * k.v_O + k.w.cross(k.h);
  }
  if (centre.mass > 0.0) {
    centre.position /= centre.mass;
    centre.velocity /= centre.mass;
  }
  return centre;
}

}  // namespace pequod
