#include "core/model.h"

#include <algorithm>

namespace pequod {

Inertia combine(const Inertia& A, const Inertia& B, const Pose& X_AB) {
  const double mass = A.mass + B.mass;
  const Vector3d com_B = X_AB * B.com;
  Inertia sum;
  sum.mass = mass;
  // Two massless bodies have no centre of mass; any point serves.
  sum.com = mass > 0.0 ? Vector3d((A.mass * A.com + B.mass * com_B) / mass) : A.com;

  // Steiner: I_C = I + m (|r|² 1 − r rᵀ), r from the body's centre of mass to the common one.
  const auto moved = [&sum](const Matrix3d& I, double m, const Vector3d& com) -> Matrix3d {
    const Vector3d r = com - sum.com;
    return I + m * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  };
  sum.about_com = moved(A.about_com, A.mass, A.com) +
                  moved(X_AB.R * B.about_com * X_AB.R.transpose(), B.mass, com_B);
  return sum;
}

const Surface& Model::surface(int shape_a, int shape_b) const {
  const Frame& A = nth(frames, nth(shapes, shape_a).frame);
  const Frame& B = nth(frames, nth(shapes, shape_b).frame);
  return nth(surfaces, A.surface_class * surface_classes + B.surface_class);
}

std::string link_name(const Model& model, int link) {
  for (const Frame& frame : model.frames)
    if (frame.link == link) return frame.name;
  return "link " + std::to_string(link);
}

int velocity_count(const Model& model, const Entity& entity) {
  int count = 0;
  for (int i = entity.first_link; i < entity.first_link + entity.links; ++i)
    count += velocity_count(nth(model.links, i).joint.type);
  return count;
}

std::string joint_name(const Model& model, int link) {
  for (const NamedJoint& joint : model.joints)
    if (joint.link == link) return joint.name;
  return link_name(model, link);
}

namespace {

/// Joined by one moving joint; the world stands for the base of a robot that is fixed.
bool neighbours(const Model& model, int link_a, int link_b) {
  const auto parent = [&model](int link) { return link < 0 ? -2 : nth(model.links, link).parent; };
  return parent(link_a) == link_b || parent(link_b) == link_a;
}

/// Joined by a loop; to the world it joins a link with the one frame it names.
bool joined(const Model& model, const Shape& a, const Shape& b) {
  const auto is_end = [](const Shape& shape, int link, int frame) {
    return shape.link == link && (link >= 0 || shape.frame == frame);
  };
  return std::ranges::any_of(model.loops, [&](const Loop& loop) {
    const auto closes = [&](const Shape& s, const Shape& t) {
      return is_end(s, loop.link_a, loop.frame_a) && is_end(t, loop.link_b, loop.frame_b);
    };
    return closes(a, b) || closes(b, a);
  });
}

}  // namespace

std::pair<int, int> Model::shapes_of(int frame) const {
  const auto first = std::ranges::lower_bound(shapes, frame, {}, &Shape::frame);
  const auto last = std::ranges::upper_bound(shapes, frame, {}, &Shape::frame);
  return {static_cast<int>(first - shapes.begin()), static_cast<int>(last - shapes.begin())};
}

Pairing Model::pairing(int shape_a, int shape_b) const {
  const Shape& a = nth(shapes, shape_a);
  const Shape& b = nth(shapes, shape_b);
  if (a.link == b.link) return a.link < 0 ? Pairing::both_fixed : Pairing::one_link;
  for (const CollideRule& rule : collide_rules) {
    if ((rule.frame_a == a.frame && rule.frame_b == b.frame) ||
        (rule.frame_a == b.frame && rule.frame_b == a.frame)) {
      return rule.collide ? Pairing::may_touch : Pairing::ruled_out;
    }
  }
  if (joined(*this, a, b)) return Pairing::joined_by_loop;
  const int entity_a = nth(frames, a.frame).entity;
  if (entity_a != nth(frames, b.frame).entity) return Pairing::may_touch;
  if (!nth(entities, entity_a).self_collision) return Pairing::no_self_collision;
  return neighbours(*this, a.link, b.link) ? Pairing::neighbours : Pairing::may_touch;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  // On a mismatch the last star swallows one more character.
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                     [](char c) { return c == '*'; });
}

}  // namespace pequod
