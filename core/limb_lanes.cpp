#include <cstddef>

#include "core/dynamics.h"
#include "core/held_lanes.h"
#include "core/limb_fours.h"
#include "core/sine_cosine.h"

namespace pequod {
namespace {

// Of one limb of a four, or of all.
struct HeldPose {
  HeldVector R[3], p;  // columns
};

PEQUOD_INLINE HeldVector vector_of(const std::array<LimbLevel::Numbers, 3>& numbers) {
  return {load(numbers[0].data()), load(numbers[1].data()), load(numbers[2].data())};
}

PEQUOD_INLINE HeldVector turned(const HeldPose& X, const HeldVector& a) {
  return a.x * X.R[0] + a.y * X.R[1] + a.z * X.R[2];
}

// From the links before to those of the level.
PEQUOD_INLINE void go_on(const LimbLevel& level, std::span<const SineCosine> angles, HeldPose& X) {
  const auto angle = [&](int lane) { return &nth(angles, nth(level.q, lane)); };
  const Held s = load(level.sign.data()) * load_one([&](int k) { return &angle(k)->sine; });
  const Held c = load_one([&](int k) { return &angle(k)->cosine; });
  X.p = X.p + turned(X, vector_of(level.place));
  HeldVector &u = X.R[(level.axis + 1) % 3], &w = X.R[(level.axis + 2) % 3];
  const HeldVector before = u;
  u = c * before + s * w;
  w = c * w - s * before;
}

PEQUOD_INLINE HeldPose four_times(const Pose& X) {
  return {{all_alike(Vector3d(X.R.col(0))), all_alike(Vector3d(X.R.col(1))),
           all_alike(Vector3d(X.R.col(2)))},
          all_alike(X.p)};
}

// R and p stand one behind the other.
template <typename Place>
PEQUOD_INLINE void store_pose(const HeldPose& X, const Place& pose) {
  static_assert(sizeof(Pose) == 12 * sizeof(double));
  const auto places = four_places([&](int lane) { return pose(lane).R.data(); });
  const auto& [x, y, z] = X.R;
  store_four(x.x, x.y, x.z, y.x, behind(places, 0));
  store_four(y.y, y.z, z.x, z.y, behind(places, 4));
  store_four(z.z, X.p.x, X.p.y, X.p.z, behind(places, 8));
}

// m, h and I of links stand one behind the other; I is symmetric.
struct HeldInertia {
  Held m;
  HeldVector h;
  Held xx, yx, zx, yy, zy, zz;
};
PEQUOD_INLINE HeldVector operator*(const HeldInertia& I, const HeldVector& a) {
  return {I.xx * a.x + I.yx * a.y + I.zx * a.z, I.yx * a.x + I.yy * a.y + I.zy * a.z,
          I.zx * a.x + I.zy * a.y + I.zz * a.z};
}

// R I Rᵀ + m (c·c 1 − c cᵀ).
PEQUOD_INLINE HeldInertia inertia_at(const LimbLevel& level, const HeldPose& X,
                                     const HeldVector& O) {
  HeldInertia out;
  const HeldVector c = turned(X, vector_of(level.com)) + X.p - O;
  out.m = load(level.mass.data());
  out.h = out.m * c;
  HeldVector half[3];
  for (std::size_t j = 0; j < 3; ++j)
    half[j] =
        turned(X, {load(level.about_com[3 * j].data()), load(level.about_com[3 * j + 1].data()),
                   load(level.about_com[3 * j + 2].data())});
  const auto& [x, y, z] = X.R;
  const Held cc = dot(out.h, c);
  out.xx = half[0].x * x.x + half[1].x * y.x + half[2].x * z.x - out.h.x * c.x + cc;
  out.yx = half[0].y * x.x + half[1].y * y.x + half[2].y * z.x - out.h.y * c.x;
  out.zx = half[0].z * x.x + half[1].z * y.x + half[2].z * z.x - out.h.z * c.x;
  out.yy = half[0].y * x.y + half[1].y * y.y + half[2].y * z.y - out.h.y * c.y + cc;
  out.zy = half[0].z * x.y + half[1].z * y.y + half[2].z * z.y - out.h.z * c.y;
  out.zz = half[0].z * x.z + half[1].z * y.z + half[2].z * z.z - out.h.z * c.z + cc;
  return out;
}

// &link.m of each.
template <typename Links>
PEQUOD_INLINE auto inertia_places(const LimbLevel& level, Links& links) {
  static_assert(offsetof(LinkKinematics, h) == offsetof(LinkKinematics, m) + sizeof(double));
  static_assert(offsetof(LinkKinematics, I) == offsetof(LinkKinematics, m) + 4 * sizeof(double));
  return four_places([&](int lane) { return &nth(links, nth(level.link, lane)).m; });
}

PEQUOD_INLINE void store_inertia(const HeldInertia& I, const LimbLevel& level,
                                 std::vector<LinkKinematics>& links) {
  const auto places = inertia_places(level, links);
  store_four(I.m, I.h.x, I.h.y, I.h.z, behind(places, 0));
  store_four(I.xx, I.yx, I.zx, I.yx, behind(places, 4));
  store_four(I.yy, I.zy, I.zx, I.zy, behind(places, 8));
  store_one(I.zz, behind(places, 12));
}

PEQUOD_INLINE HeldInertia load_inertia(const LimbLevel& level,
                                       const std::vector<LinkKinematics>& links) {
  HeldInertia I;
  Held again, more;
  const auto places = inertia_places(level, links);
  load_four(behind(places, 0), I.m, I.h.x, I.h.y, I.h.z);
  load_four(behind(places, 4), I.xx, I.yx, I.zx, again);
  load_four(behind(places, 8), I.yy, I.zy, again, more);
  I.zz = load_one(behind(places, 12));
  return I;
}

PEQUOD_INLINE void add(const HeldInertia& a, HeldInertia& to) {
  to.m += a.m;
  to.h = to.h + a.h;
  to.xx += a.xx, to.yx += a.yx, to.zx += a.zx;
  to.yy += a.yy, to.zy += a.zy, to.zz += a.zz;
}

struct HeldWrench {
  HeldVector angular, linear;
};
PEQUOD_INLINE Held dot(const HeldWrench& a, const HeldWrench& b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

// Columns of S.
template <typename Columns>
PEQUOD_INLINE auto axis_places(const LimbLevel& level, Columns& S) {
  return four_places([&](int lane) { return S.data() + 6 * nth(level.v, lane); });
}
PEQUOD_INLINE void store_axis(const HeldWrench& axis, const LimbLevel& level,
                              Eigen::Matrix<double, 6, Eigen::Dynamic>& S) {
  const auto& [a, b] = axis;
  const auto places = axis_places(level, S);
  store_four(a.x, a.y, a.z, b.x, behind(places, 0));
  store_one(b.y, behind(places, 4));
  store_one(b.z, behind(places, 5));
}
PEQUOD_INLINE HeldWrench load_axis(const LimbLevel& level,
                                   const Eigen::Matrix<double, 6, Eigen::Dynamic>& S) {
  HeldWrench axis;
  auto& [a, b] = axis;
  const auto places = axis_places(level, S);
  load_four(behind(places, 0), a.x, a.y, a.z, b.x);
  b.y = load_one(behind(places, 4));
  b.z = load_one(behind(places, 5));
  return axis;
}

// Of the bodies of a level.
PEQUOD_INLINE HeldWrench inertia_times(const HeldInertia& I, const HeldVector& w,
                                       const HeldVector& v) {
  return {I * w + cross(I.h, v), I.m * v + cross(w, I.h)};
}

// w, v_O, α and a of links stand one behind the other.
struct HeldMotion {
  HeldVector w, v, alpha, a;
};
template <typename Links>
PEQUOD_INLINE auto motion_places(const LimbLevel& level, Links& links) {
  static_assert(offsetof(LinkKinematics, a_O) == offsetof(LinkKinematics, w) + 9 * sizeof(double));
  return four_places([&](int lane) { return nth(links, nth(level.link, lane)).w.data(); });
}
PEQUOD_INLINE void store_motion(const HeldMotion& motion, const LimbLevel& level,
                                std::vector<LinkKinematics>& links) {
  const auto& [w, v, alpha, a] = motion;
  const auto places = motion_places(level, links);
  store_four(w.x, w.y, w.z, v.x, behind(places, 0));
  store_four(v.y, v.z, alpha.x, alpha.y, behind(places, 4));
  store_four(alpha.z, a.x, a.y, a.z, behind(places, 8));
}
PEQUOD_INLINE HeldMotion load_motion(const LimbLevel& level,
                                     const std::vector<LinkKinematics>& links) {
  HeldMotion motion;
  auto& [w, v, alpha, a] = motion;
  const auto places = motion_places(level, links);
  load_four(behind(places, 0), w.x, w.y, w.z, v.x);
  load_four(behind(places, 4), v.y, v.z, alpha.x, alpha.y);
  load_four(behind(places, 8), alpha.z, a.x, a.y, a.z);
  return motion;
}

PEQUOD_INLINE HeldWrench force_of(const LimbLevel& level, const Kinematics& kin,
                                  const HeldVector& gravity) {
  const auto [w, v, alpha, a] = load_motion(level, kin.links);
  const HeldInertia I = load_inertia(level, kin.links);
  const HeldWrench force = inertia_times(I, alpha, a - gravity);
  const HeldWrench momentum = inertia_times(I, w, v);
  return {force.angular + cross(w, momentum.angular) + cross(v, momentum.linear),
          force.linear + cross(w, momentum.linear)};
}

// I a, each sum in the order in which Eigen takes it for one link.
PEQUOD_INLINE HeldVector times_as_alone(const HeldInertia& I, const HeldVector& a) {
  return {I.xx * a.x + I.yx * a.y + I.zx * a.z, I.yx * a.x + I.yy * a.y + I.zy * a.z,
          I.zx * a.x + (I.zy * a.y + I.zz * a.z)};
}

PEQUOD_INLINE auto energy_places(const LimbLevel& level, LinkEnergies& energies) {
  return four_places([&](int lane) { return nth(energies, nth(level.link, lane)).data(); });
}

PEQUOD_INLINE Vector3d added_up(const HeldVector& a) {
  return {sum_of(a.x), sum_of(a.y), sum_of(a.z)};
}

}  // namespace

PEQUOD_CLONES
void place_limbs(const Model& model, const Tree& tree, std::span<const SineCosine> angles,
                 std::vector<Pose>& X_WL) {
  for (const LimbFour& four : fours_of(model, tree)) {
    HeldPose X = four_times(nth(X_WL, tree.first_link));
    for (const LimbLevel& level : four) {
      go_on(level, angles, X);
      store_pose(X, [&](int lane) -> Pose& { return nth(X_WL, nth(level.link, lane)); });
    }
  }
}

PEQUOD_CLONES
void place_limbs(const Model& model, const Tree& tree, std::span<const SineCosine> angles,
                 Kinematics& kin) {
  const Pose& base = nth(kin.links, tree.first_link).X_WL;
  const HeldVector O = all_alike(base.p);
  for (const LimbFour& four : fours_of(model, tree)) {
    HeldPose X = four_times(base);
    for (const LimbLevel& level : four) {
      go_on(level, angles, X);
      store_pose(X, [&](int lane) -> Pose& { return nth(kin.links, nth(level.link, lane)).X_WL; });
      const HeldVector axis = load(level.sign.data()) * X.R[level.axis];
      store_axis({axis, cross(X.p - O, axis)}, level, kin.S);
      store_inertia(inertia_at(level, X, O), level, kin.links);
    }
  }
}

PEQUOD_CLONES
void move_limbs(const Model& model, const Tree& tree, const VectorXd& v, Kinematics& kin) {
  const LinkKinematics& base = nth(kin.links, tree.first_link);
  for (const LimbFour& four : fours_of(model, tree)) {
    HeldMotion motion{all_alike(base.w), all_alike(base.v_O), all_alike(base.alpha_O),
                      all_alike(base.a_O)};
    for (const LimbLevel& level : four) {
      const Held rate = load_one([&](int lane) { return v.data() + nth(level.v, lane); });
      const HeldWrench S = load_axis(level, kin.S);
      const HeldVector u_w = rate * S.angular, u_v = rate * S.linear;
      motion.alpha = motion.alpha + cross(motion.w, u_w);
      motion.a = motion.a + cross(motion.w, u_v) + cross(motion.v, u_w);
      motion.w = motion.w + u_w;
      motion.v = motion.v + u_v;
      store_motion(motion, level, kin.links);
    }
  }
}

PEQUOD_CLONES
Wrench limb_forces(const Model& model, const Tree& tree, const Kinematics& kin, VectorXd& tau) {
  const HeldVector gravity = all_alike(model.gravity);
  HeldWrench all{};
  for (const LimbFour& four : fours_of(model, tree)) {
    HeldWrench f{};
    for (std::size_t l = four.size(); l-- > 0;) {
      const HeldWrench own = force_of(four[l], kin, gravity);
      f = {f.angular + own.angular, f.linear + own.linear};
      store_one(dot(load_axis(four[l], kin.S), f),
                [&](int lane) { return tau.data() + nth(four[l].v, lane); });
    }
    all = {all.angular + f.angular, all.linear + f.linear};
  }
  return {added_up(all.angular), added_up(all.linear)};
}

PEQUOD_CLONES
void limb_kinetic_energies(const Model& model, const Tree& tree, const Kinematics& kin,
                           const VectorXd& v, LinkEnergies& energies) {
  for (const LimbFour& four : fours_of(model, tree))
    for (const LimbLevel& level : four) {
      const HeldInertia I = load_inertia(level, kin.links);
      const HeldMotion motion = load_motion(level, kin.links);
      const HeldVector angular = times_as_alone(I, motion.w) + cross(I.h, motion.v);
      const HeldVector linear = I.m * motion.v + cross(motion.w, I.h);
      const auto places = energy_places(level, energies);
      store_one(0.5 * (dot(motion.w, angular) + dot(motion.v, linear)), behind(places, 0));
      const Held rate = load_one([&](int lane) { return v.data() + nth(level.v, lane); });
      const Held armature = load_one(
          [&](int lane) { return &nth(model.links, nth(level.link, lane)).joint.armature; });
      store_one(0.5 * armature * (rate * rate), behind(places, 1));
    }
}

PEQUOD_CLONES
void limb_potential_energies(const Model& model, const Tree& tree, const Kinematics& kin,
                             LinkEnergies& energies) {
  const HeldVector gravity = all_alike(model.gravity);
  const HeldVector O = all_alike(nth(kin.origins, nth(model.links, tree.first_link).tree));
  for (const LimbFour& four : fours_of(model, tree))
    for (const LimbLevel& level : four) {
      Held m;
      HeldVector h;
      const auto inertias = inertia_places(level, kin.links);
      load_four(behind(inertias, 0), m, h.x, h.y, h.z);
      const auto places = energy_places(level, energies);
      store_one(-dot(gravity, h + m * O), behind(places, 0));
    }
}

PEQUOD_CLONES
Composite limb_mass(const Model& model, const Tree& tree, const Kinematics& kin, MassMatrix& M) {
  double* const block = M.blocks.data() + tree.mass_offset;
  HeldInertia all{};
  for (const LimbFour& four : fours_of(model, tree)) {
    HeldWrench S[kMostLevels];
    for (std::size_t l = 0; l < four.size(); ++l) S[l] = load_axis(four[l], kin.S);
    HeldInertia c{};
    for (std::size_t l = four.size(); l-- > 0;) {
      const LimbLevel& level = four[l];
      add(load_inertia(level, kin.links), c);
      const HeldWrench F = inertia_times(c, S[l].angular, S[l].linear);
      const auto rows = four_places(
          [&](int lane) { return block + (nth(level.v, lane) - tree.first_v) * tree.nv; });
      store_four(F.angular.x, F.angular.y, F.angular.z, F.linear.x, behind(rows, 0));
      store_one(F.linear.y, behind(rows, 4));
      store_one(F.linear.z, behind(rows, 5));
      for (std::size_t j = 0; j <= l; ++j) {
        Held entry = dot(S[j], F);
        if (j == l)
          entry += load_one(
              [&](int lane) { return &nth(model.links, nth(level.link, lane)).joint.armature; });
        store_one(entry, [&](int lane) {
          return nth(rows, lane) + (nth(four[j].v, lane) - tree.first_v);
        });
      }
    }
    add(c, all);
  }
  Matrix3d I;
  const double yx = sum_of(all.yx), zx = sum_of(all.zx), zy = sum_of(all.zy);
  I << sum_of(all.xx), yx, zx, yx, sum_of(all.yy), zy, zx, zy, sum_of(all.zz);
  return {sum_of(all.m), added_up(all.h), I};
}

}  // namespace pequod
