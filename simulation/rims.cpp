#include "simulation/rims.h"

#include <algorithm>
#include <cmath>

#include "events/contact_geometry.h"
#include "events/cylinder_features.h"
#include "simulation/contact_motion.h"
#include "simulation/settle/tolerances.h"
#include "simulation/world.h"

namespace pequod {
namespace {

// Of one scene at a time; a disc that needs a dozen has told its direction to rounding.
constexpr std::size_t kMostRims = 48;

bool same_point(const ContactKey& x, const ContactKey& y, bool of_b) {
  return x.shape_a == y.shape_a && x.shape_b == y.shape_b && name_of(x, of_b) == name_of(y, of_b);
}

// Whether two points of a rim are so near, 5e-5 rad, that the rim sinks beside either at less than
// 1e-9 of its speed: what a solver leaves of it is not to be chased.
bool is_beside(const ContactKey& x, const ContactKey& y, bool of_b) {
  constexpr int kBeside = 8;  // steps
  if (x.shape_a != y.shape_a || x.shape_b != y.shape_b || !is_rim_point(y, of_b)) return false;
  const int i = feature_index(name_of(x, of_b)), j = feature_index(name_of(y, of_b));
  const int apart = std::abs(i - j);
  return i / kRimSteps == j / kRimSteps && std::min(apart, kRimSteps - apart) <= kBeside;
}

/// A disc that a contact belongs to: what ends a cylinder, or a cone.
struct Disc {
  int cap = -1;  ///< −1: the contact is of none
  double radius = 0.0;
};

double radius_of(const Geometry& geometry) {
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return cylinder->radius;
  if (const auto* cone = std::get_if<Cone>(&geometry)) return cone->radius;
  return 0.0;
}

// A face may lie on an arc between the fixed points of a rim, and touch it where its edges cross it
// and by its corners alone.
Disc disc_of(const Model& model, const ContactKey& key, bool of_b) {
  if (is_joint_limit(key)) return {};
  const std::uint32_t name = name_of(key, of_b);
  const auto shape = static_cast<std::size_t>(of_b ? key.shape_b : key.shape_a);
  const double radius = radius_of(model.shapes[shape].geometry);
  if (radius == 0.0) return {};
  if (is_of(FeatureClass::rim_point, name)) return {feature_index(name) / kRimSteps, radius};
  if (is_of(FeatureClass::rim, name)) return {feature_index(name) % 2, radius};
  if (is_of(FeatureClass::face, name)) return {feature_index(name), radius};
  return {};
}

/// How a gap at the point of a rim changes, m/s or m/s², and how the disc turns against the face.
struct RimMotion {
  bool counts = true;
  double change = 0.0;
  Vector3d turn = Vector3d::Zero();  ///< rad/s or rad/s², of B against A
};

/// Where a disc that lies flat sinks most.
struct Lowest {
  double change = 0.0;
  int index = -1;  ///< of the rim point's name; −1: the disc does not lie flat, or does not turn
};

// φ̇ at x is that at the contact's own point p and (x − p)·(m × ω), m out of the face.
Lowest lowest_point(const ContactPoint& point, bool of_b, const Disc& disc, const Pose& X_WD,
                    const RimMotion& motion) {
  const Vector3d p = X_WD.R.transpose() * (point.p_W - X_WD.p);
  const double side = of_b ? 1.0 : -1.0;
  const Vector3d m = side * (X_WD.R.transpose() * point.n_W);
  const Vector3d down = -m.cross(side * (X_WD.R.transpose() * motion.turn));
  const double fall = std::hypot(down.x(), down.y());
  if (std::hypot(m.x(), m.y()) > kLying || fall == 0.0) return {};
  return {motion.change - (disc.radius * fall - p.head<2>().dot(down.head<2>())),
          disc.cap * kRimSteps + rim_step(down)};
}

// The named points that a search adds to those there are.
struct RimSearch {
  const World& world;
  const Kinematics& kin;
  const Touching& touching;
  const SinkBounds& bounds;
  std::vector<ContactKey>& rims;
  ContactKey missed = {};  // last

  [[nodiscard]] const Model& model() const { return world.model(); }

  // @param motion_at  RimMotion of a contact point of a disc of this radius
  template <typename Motion>
  bool add(Motion motion_at) {
    const std::size_t before = rims.size();
    for (const ContactPoint& point : touching.points)
      for (const bool of_b : {false, true}) add_lowest(point, of_b, motion_at);
    return rims.size() > before;
  }

  template <typename Motion>
  void add_lowest(const ContactPoint& point, bool of_b, Motion motion_at) {
    const Disc disc = disc_of(model(), point.key, of_b);
    if (disc.cap < 0 || rims.size() >= kMostRims) return;
    const RimMotion motion = motion_at(point, disc.radius);
    if (!motion.counts) return;
    const Pose X_WA = shape_motion(model(), kin, point.key.shape_a).X_WL,
               X_WB = shape_motion(model(), kin, point.key.shape_b).X_WL;
    const Lowest lowest = lowest_point(point, of_b, disc, of_b ? X_WB : X_WA, motion);
    if (lowest.index < 0 || lowest.change >= -bounds.slow) return;
    ContactKey key = point.key;
    const std::uint64_t name = feature_name(FeatureClass::rim_point, lowest.index);
    key.feature = of_b ? (key.feature >> 32 << 32 | name)
                       : (name << 32 | static_cast<std::uint32_t>(key.feature));
    if (is_known(key, of_b)) return;
    const double touches =
        bounds.range ? *bounds.range : touching_gap(world, kin, {key.shape_a, key.shape_b});
    const double gap = gap_of(key, of_b, X_WA, X_WB);
    const bool stays =
        bounds.span > 0.0 && gap + bounds.span * lowest.change >= -world.tolerance.still();
    if (gap > touches || stays)
      missed = key;
    else
      rims.push_back(key);
  }

  [[nodiscard]] bool is_known(const ContactKey& key, bool of_b) const {
    const auto beside = [&](const ContactKey& other) { return is_beside(key, other, of_b); };
    return beside(missed) || std::ranges::any_of(rims, beside) ||
           std::ranges::any_of(touching.points,
                               [&](const ContactPoint& other) { return beside(other.key); });
  }
  [[nodiscard]] double gap_of(const ContactKey& key, bool of_b, const Pose& X_WA,
                              const Pose& X_WB) const;
};

// Gap at that point of a rim, m; +∞ where it does not touch the other body, whose face may end
// before it.
double RimSearch::gap_of(const ContactKey& key, bool of_b, const Pose& X_WA,
                         const Pose& X_WB) const {
  thread_local std::vector<ContactPoint> found;  // storage only: written before it is read
  found.clear();
  const auto geometry = [&](int shape) -> const Geometry& {
    return nth(model().shapes, shape).geometry;
  };
  find_contacts(geometry(key.shape_a), X_WA, geometry(key.shape_b), X_WB, key.shape_a, key.shape_b,
                bounds.range.value_or(world.tolerance.gap()), found, {&key, 1});
  for (const ContactPoint& point : found)
    if (same_point(point.key, key, of_b)) return point.gap;
  return kInfinity;
}

RimMotion velocity_of(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  const BodyMotion A = shape_motion(model, kin, point.key.shape_a),
                   B = shape_motion(model, kin, point.key.shape_b);
  return {true, gap_rate(point, A, B), B.w - A.w};
}

// Neither the point nor the rest of its disc moves along the normal.
bool lies_still(const ContactPoint& point, double radius, const RimMotion& velocity,
                const SceneTolerances& tolerance) {
  return rests(velocity.change, tolerance) &&
         radius * point.n_W.cross(velocity.turn).norm() <= tolerance.speed();
}

}  // namespace

bool is_rim_point(const ContactKey& key, bool of_b) {
  return !is_joint_limit(key) && is_of(FeatureClass::rim_point, name_of(key, of_b));
}

bool runs_along_rim(const ContactKey& key) {
  return !is_joint_limit(key) && (is_of(FeatureClass::rim, name_of(key, false)) ||
                                  is_of(FeatureClass::rim, name_of(key, true)));
}

bool has_discs(const Model& model, const Touching& touching) {
  return std::ranges::any_of(touching.points, [&](const ContactPoint& point) {
    return disc_of(model, point.key, false).cap >= 0 || disc_of(model, point.key, true).cap >= 0;
  });
}

bool add_sinking_rims(const World& world, const Kinematics& kin, const SinkBounds& bounds,
                      const Touching& touching, std::vector<ContactKey>& rims) {
  return RimSearch{world, kin, touching, bounds, rims}.add(
      [&](const ContactPoint& point, double) { return velocity_of(world.model(), kin, point); });
}

bool add_tipping_rims(const World& world, const Kinematics& kin, const VectorXd& vdot,
                      const Touching& touching, std::vector<ContactKey>& rims) {
  const Model& model = world.model();
  const auto motion = [&](const ContactPoint& point, double radius) -> RimMotion {
    if (!lies_still(point, radius, velocity_of(model, kin, point), world.tolerance))
      return {.counts = false};
    const BodyMotion A = shape_motion(model, kin, point.key.shape_a, vdot),
                     B = shape_motion(model, kin, point.key.shape_b, vdot);
    return {true, gap_acceleration(point, A, B), B.alpha - A.alpha};
  };
  const SinkBounds bounds{.slow = kAccelerationTolerance};
  return RimSearch{world, kin, touching, bounds, rims}.add(motion);
}

bool add_tipped_rims(const World& world, const Kinematics& before, const Kinematics& after,
                     double slow, const Touching& touching, std::vector<ContactKey>& rims) {
  const Model& model = world.model();
  const auto motion = [&](const ContactPoint& point, double radius) -> RimMotion {
    const RimMotion old = velocity_of(model, before, point);
    if (!lies_still(point, radius, old, world.tolerance)) return {.counts = false};
    const RimMotion now = velocity_of(model, after, point);
    return {true, now.change - old.change, now.turn - old.turn};
  };
  const SinkBounds bounds{.slow = slow};
  return RimSearch{world, before, touching, bounds, rims}.add(motion);
}

void drop_idle_rims(std::span<const ContactMode> modes, std::vector<ContactKey>& rims) {
  std::erase_if(rims, [&](const ContactKey& key) {
    return std::ranges::none_of(modes, [&](const ContactMode& mode) {
      return mode.active && ((is_rim_point(key, false) && same_point(mode.key, key, false)) ||
                             (is_rim_point(key, true) && same_point(mode.key, key, true)));
    });
  });
}

bool stands_on_rim_point(const ContactPoint& moving, const std::vector<Pose>& X_WS,
                         const Touching& held, const SceneTolerances& tolerance) {
  for (const bool of_b : {false, true}) {
    const std::uint32_t name = name_of(moving.key, of_b);
    const FeatureKind other = (of_b ? moving.feature.A : moving.feature.B).kind;
    if (!is_of(FeatureClass::rim, name) || other < FeatureKind::face) continue;
    const int disc = of_b ? moving.key.shape_b : moving.key.shape_a;
    const Vector3d axis = nth(X_WS, disc).R.col(2);
    if (axis.cross(moving.n_W).norm() > kSameFace) continue;
    for (const ContactPoint& point : held.points)
      if (point.key.shape_a == moving.key.shape_a && point.key.shape_b == moving.key.shape_b &&
          is_rim_point(point.key, of_b) && moving.gap >= point.gap - tolerance.still() &&
          feature_index(name_of(point.key, of_b)) / kRimSteps == feature_index(name))
        return true;
  }
  return false;
}

}  // namespace pequod
