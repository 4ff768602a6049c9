#include "simulation/contact_motion.h"

#include <algorithm>

#include "events/contact_geometry.h"
#include "simulation/tolerances.h"

namespace pequod {
namespace {

// What a derivative of the pair's geometry says for the motions of its two shapes, without v̇ or
// with that given.
template <typename Derivative, typename... Rate>
auto along_motion(const Model& model, const Kinematics& kin, const ContactPoint& point,
                  const Derivative& derivative, const Rate&... vdot) {
  return derivative(point, shape_motion(model, kin, point.key.shape_a, vdot...),
                    shape_motion(model, kin, point.key.shape_b, vdot...));
}

double gap_of_limit(const Model& model, const VectorXd& q, const Contact& contact) {
  const Joint& joint = nth(model.links, contact.link_b).joint;
  return limit_gap(joint, q, contact.sign);
}

// @param links  their poses, or the Kinematics there
template <typename Links>
void follow_to(const Model& model, const Links& links, const VectorXd& q, Touching& touching,
               const Team* team) {
  for_each_index(team, touching.size(), kContactsOfPart, [&](std::size_t i, std::size_t) {
    Contact& contact = touching.contacts[i];
    if (is_joint_limit(contact.key)) {
      contact.gap = gap_of_limit(model, q, contact);
      return;
    }
    ContactPoint& point = touching.points[i];
    follow(point, place_shape(model, links, point.key.shape_a),
           place_shape(model, links, point.key.shape_b));
    contact.p_W = point.p_W;
    contact.gap = point.gap;
    const bool turned = contact.n_W != point.n_W;  // not over a plane
    contact.n_W = point.n_W;
    if (turned) set_tangents(contact);
  });
}

// A corner or ball of a link over a plane of the world, by far the commonest contact.
struct Footing {
  const LinkKinematics* link;
  Vector3d O;   // m, where the link's motion is told
  Vector3d r;   // m, from there to the point
  Vector3d n;   // unit, of the plane
  bool is_a;    // the link's shape is A
  bool is_own;  // the contact's point is that of the link, else the one below on the plane
};

bool find_footing(const Model& model, const Kinematics& kin, const ContactPoint& point,
                  Footing& footing) {
  const bool on_a = point.feature.A.kind == FeatureKind::point;
  const Feature& own = on_a ? point.feature.A : point.feature.B;
  const Feature& face = on_a ? point.feature.B : point.feature.A;
  if (own.kind != FeatureKind::point || face.kind != FeatureKind::face) return false;
  const auto shape_at = [&](int shape) -> const Shape& { return nth(model.shapes, shape); };
  const Shape& shape = shape_at(on_a ? point.key.shape_a : point.key.shape_b);
  const Shape& ground = shape_at(on_a ? point.key.shape_b : point.key.shape_a);
  if (ground.link >= 0 || shape.link < 0) return false;
  const auto i = static_cast<std::size_t>(shape.link);
  footing.link = &kin.links[i];
  footing.O = nth(kin.origins, model.links[i].tree);
  footing.r = footing.link->X_WL * (shape.X_LS * own.p) - footing.O;
  footing.n = ground.X_LS.R * face.a;
  footing.is_a = on_a;
  footing.is_own = is_ball(own) || (on_a && !is_plane(face));
  return true;
}

// The normal stays, and the point is one of the link.
double gap_bias(const Footing& footing) {
  const LinkKinematics& k = *footing.link;
  const Vector3d &r = footing.r, v = k.v_O + k.w.cross(r);
  return footing.n.dot(k.a_O + k.alpha_O.cross(r) + k.w.cross(v));
}

// The point of the contact moves with the link, or over the plane as the corner above it. Of
// slip_acceleration() that leaves v̇ of O, α × p and ω × ṗ.
Vector3d slip_bias(const Footing& footing, const Vector3d& p_W) {
  const LinkKinematics& k = *footing.link;
  Vector3d p_rate = k.v_O + k.w.cross(footing.r);
  if (!footing.is_own) p_rate -= footing.n.dot(p_rate) * footing.n;
  const Vector3d rate = k.a_O + k.alpha_O.cross(p_W - footing.O) + k.w.cross(p_rate);
  return footing.is_a ? Vector3d(-rate) : rate;
}

// Most contacts ask for two of them: a product of poses costs a hundred instructions.
Pose place_at(const Shape& shape, const Pose* X_WL) {
  if (!X_WL) return shape.X_LS;
  return shape.is_at_link ? *X_WL : *X_WL * shape.X_LS;
}

}  // namespace

BodyMotion shape_motion(const Shape& shape, const BodyMotion& link) {
  BodyMotion motion = link;
  if (shape.link < 0) {  // nothing of it moves
    motion.X_WL = shape.X_LS;
    return motion;
  }
  motion.X_WL = link.X_WL * shape.X_LS;
  motion.v = velocity_at(link, motion.X_WL.p);
  motion.a = acceleration_at(link, motion.X_WL.p);
  return motion;
}

void copy_poses(const Kinematics& kin, std::vector<Pose>& X_WL, const Team* team) {
  X_WL.resize(kin.links.size());
  for_each_index(team, X_WL.size(), kCopiesOfPart,
                 [&](std::size_t i, std::size_t) { X_WL[i] = kin.links[i].X_WL; });
}

Pose place_shape(const Model& model, const std::vector<Pose>& X_WL, int shape) {
  const Shape& placed = nth(model.shapes, shape);
  return place_at(placed, placed.link < 0 ? nullptr : &nth(X_WL, placed.link));
}

Pose place_shape(const Model& model, const Kinematics& kin, int shape) {
  const Shape& placed = nth(model.shapes, shape);
  return place_at(placed, placed.link < 0 ? nullptr : &nth(kin.links, placed.link).X_WL);
}

void follow_touching(const Model& model, const std::vector<Pose>& X_WL, const VectorXd& q,
                     Touching& touching, const Team* team) {
  follow_to(model, X_WL, q, touching, team);
}

void follow_touching(const Model& model, const Kinematics& kin, const VectorXd& q,
                     Touching& touching, const Team* team) {
  follow_to(model, kin, q, touching, team);
}

double followed_gap(const Model& model, const std::vector<Pose>& X_WL, const VectorXd& q,
                    const Touching& touching, std::size_t i) {
  if (is_joint_limit(touching.contacts[i].key)) return gap_of_limit(model, q, touching.contacts[i]);
  const ContactPoint& point = touching.points[i];
  return followed_gap(point, place_shape(model, X_WL, point.key.shape_a),
                      place_shape(model, X_WL, point.key.shape_b));
}

void compute_biases(const Model& model, const Kinematics& kin, Touching& touching) {
  for (std::size_t i = 0; i < touching.points.size(); ++i)
    touching.contacts[i].bias = gap_bias(model, kin, touching.points[i]);
}

double gap_bias(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  Footing footing;
  if (find_footing(model, kin, point, footing)) return gap_bias(footing);
  return along_motion(model, kin, point, gap_acceleration);
}

Vector3d slip_bias(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  Footing footing;
  if (find_footing(model, kin, point, footing)) return slip_bias(footing, point.p_W);
  return along_motion(model, kin, point, slip_acceleration);
}

double bias_bound(const Model& model, const Kinematics& kin, const ContactPoint& point) {
  const bool on_a = point.feature.A.kind == FeatureKind::point;
  const Feature& own = on_a ? point.feature.A : point.feature.B;
  const Feature& face = on_a ? point.feature.B : point.feature.A;
  const int link = nth(model.shapes, on_a ? point.key.shape_a : point.key.shape_b).link;
  const int ground = nth(model.shapes, on_a ? point.key.shape_b : point.key.shape_a).link;
  if (own.kind != FeatureKind::point || face.kind != FeatureKind::face || ground >= 0 || link < 0)
    return kInfinity;
  // Sums of parts are no less than lengths, and ask for no roots.
  const auto size = [](const Vector3d& a) { return a.lpNorm<1>(); };
  const LinkKinematics& k = nth(kin.links, link);
  const Vector3d p = point.p_W - nth(kin.origins, nth(model.links, link).tree);
  const double reach = size(p) + own.rounding + std::abs(point.gap), w = size(k.w);
  return size(k.a_O) + size(k.alpha_O) * reach + w * (size(k.v_O) + w * reach);
}

bool keeps_rows(const Model& model, const ContactPoint& point) {
  const bool on_a = is_ball(point.feature.A);
  if (!is_ball(on_a ? point.feature.A : point.feature.B) ||
      (on_a ? point.feature.B : point.feature.A).kind != FeatureKind::face)
    return false;
  const Shape& ball = nth(model.shapes, on_a ? point.key.shape_a : point.key.shape_b);
  const Shape& ground = nth(model.shapes, on_a ? point.key.shape_b : point.key.shape_a);
  if (ground.link >= 0 || ball.link < 0 || !ball.X_LS.p.isZero(0.0)) return false;
  const int tree = tree_of(model, ball.link);
  return is_free_body(model, tree) && nth(model.trees, tree).first_link == ball.link;
}

Vector3d slip_rate(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                   const ContactPoint& point) {
  return along_motion(model, kin, point, slip_acceleration, vdot);
}

bool leaves_face(const Model& model, const Kinematics& kin, const ContactPoint& point,
                 const SceneTolerances& tolerance) {
  if (point.gap > tolerance.gap() || !is_corner_over_face(point.feature)) return false;
  const ContactKey& key = point.key;
  const auto shape = [&](int index) -> const Shape& { return nth(model.shapes, index); };
  const Shape &A = shape(key.shape_a), &B = shape(key.shape_b);
  const Vector3d v =
      point_velocity(model, kin, B.link, point.p_W) - point_velocity(model, kin, A.link, point.p_W);
  const double closing = -point.n_W.dot(v);
  if (closing <= tolerance.speed()) return false;
  const double time = (std::max(0.0, point.gap) + tolerance.still()) / closing;
  const double side = point.feature.A.kind == FeatureKind::point ? -1.0 : 1.0;
  const Vector3d along = side * time * (v + closing * point.n_W);
  // What stays on a border, or moves along it, leaves nothing.
  return !is_over_face(A.geometry, place_shape(model, kin, key.shape_a), B.geometry,
                       place_shape(model, kin, key.shape_b), point, along,
                       std::max(kAlongBorder * along.norm(), tolerance.noise()));
}

double gap_acceleration_with(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                             const ContactPoint& point) {
  return along_motion(model, kin, point, gap_acceleration, vdot);
}

}  // namespace pequod
