#include "test/simulation/random_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "contact/models/contact_model.h"

namespace pequod::test {
namespace {

Piece convex_piece(Dice& dice, double size) {
  Piece piece;
  std::string points;
  for (int n = 5 + dice.below(12); n > 0; --n) {
    const Vector3d p = dice.uniform(0.5, 1.0) * size * dice.unit();
    piece.radius = std::max(piece.radius, p.norm());
    points += text(p) + (n > 1 ? ", " : "");
  }
  piece.shape = "{convex: {points: [" + points + "]}}";
  return piece;
}

// An L: a concave solid of which two can hook into each other.
Piece mesh_piece(Dice& dice, double size, RandomScene& scene) {
  const double a = size, b = dice.uniform(0.3, 0.7) * size, depth = dice.uniform(0.4, 1.0) * size;
  const std::vector<Eigen::Vector2d> outline{{0, 0}, {a, 0}, {a, b}, {b, b}, {b, a}, {0, a}};
  std::vector<Vector3d> vertices;
  Piece piece;
  for (const double z : {-0.5 * depth, 0.5 * depth})
    for (const Eigen::Vector2d& p : outline) {
      vertices.emplace_back(p.x() - 0.4 * a, p.y() - 0.4 * a, z);
      piece.radius = std::max(piece.radius, vertices.back().norm());
    }
  std::vector<std::array<int, 3>> triangles{{0, 3, 1}, {1, 3, 2}, {0, 5, 3},  {5, 4, 3},
                                            {6, 7, 9}, {7, 8, 9}, {6, 9, 11}, {11, 9, 10}};
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    triangles.push_back({i, j, j + 6});
    triangles.push_back({i, j + 6, i + 6});
  }
  const std::string name = fmt::format("bent{}.obj", scene.files.size());
  scene.files.emplace_back(name, obj(vertices, triangles));
  piece.shape = "{mesh: {file: " + name + "}}";
  return piece;
}

double friction(Dice& dice) {
  if (dice.chance(0.15)) return 0.0;
  return dice.chance(0.2) ? dice.scaled(1.0, 5.0) : dice.uniform(0.05, 1.0);
}

double restitution(Dice& dice) {
  if (dice.chance(0.3)) return 0.0;
  return dice.chance(0.15) ? 1.0 : dice.uniform(0.0, 1.0);
}

}  // namespace

std::string text(const Vector3d& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

std::string text(const Quaterniond& q) {
  return fmt::format("[{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z());
}

std::string obj(const std::vector<Vector3d>& vertices,
                const std::vector<std::array<int, 3>>& triangles) {
  std::string out;
  for (const Vector3d& p : vertices) out += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& t : triangles) out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return out;
}

Piece random_piece(Dice& dice, RandomScene& scene) {
  const double r = dice.scaled(0.03, 0.15), l = dice.scaled(0.05, 0.4);
  switch (dice.below(7)) {
    case 0:
      return {fmt::format("{{sphere: {{radius: {}}}}}", r), r, r};
    case 1: {
      const Vector3d size(dice.scaled(0.05, 0.3), dice.scaled(0.05, 0.3), dice.scaled(0.05, 0.3));
      return {"{box: {size: " + text(size) + "}}", 0.5 * size.z(), 0.5 * size.norm()};
    }
    case 2:
      return {fmt::format("{{capsule: {{radius: {}, length: {}}}}}", r, l), 0.5 * l + r,
              0.5 * l + r};
    case 3:
      return {fmt::format("{{cylinder: {{radius: {}, length: {}}}}}", r, l), 0.5 * l,
              std::hypot(0.5 * l, r)};
    case 4:
      return {fmt::format("{{cone: {{radius: {}, length: {}}}}}", r, l), 0.25 * l,
              std::max(0.75 * l, std::hypot(0.25 * l, r))};
    case 5:
      return convex_piece(dice, r);
    default:
      return mesh_piece(dice, r, scene);
  }
}

std::string body_text(int i, double mass, const Piece& piece, const Vector3d& p, const Matrix3d& R,
                      const Vector3d& v, const Vector3d& w) {
  return fmt::format(
      "  body{}:\n    mass: {}\n    shape: {}\n    position: {}\n"
      "    orientation: {{quaternion: {}}}\n    velocity: {}\n"
      "    angular_velocity: {}\n",
      i, mass, piece.shape, text(p), text(Quaterniond(R)), text(v), text(w));
}

std::string random_choices(Dice& dice, double finer) {
  const std::string method = dice.of<std::string, 3>({"symplectic-euler", "rk4", "dopri5"});
  const auto models = contact_models();
  const ContactModel& model = nth(models, dice.below(static_cast<int>(models.size())));
  const bool both =
      has_level(model, ContactLevel::velocity) && has_level(model, ContactLevel::acceleration);
  const ContactLevel level = !both              ? model.level
                             : dice.chance(0.5) ? ContactLevel::velocity
                                                : ContactLevel::acceleration;
  return fmt::format(
      "integrator: {{method: {}, step: {}}}\ncontact: {{model: {}, level: {}, restitution: {}}}\n",
      method, finer * dice.of<double, 3>({0.001, 0.002, 0.004}), model.name, level_name(level),
      dice.chance(0.5) ? "poisson" : "newton");
}

std::string random_surfaces(Dice& dice) {
  return fmt::format(
      "surfaces:\n  - {{between: [\"*\", \"*\"], friction: {}, viscous: {}, "
      "restitution: {}}}\n",
      friction(dice), dice.chance(0.5) ? 0.0 : dice.scaled(0.01, 2.0), restitution(dice));
}

}  // namespace pequod::test
