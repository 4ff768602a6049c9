#include "test/simulation/random_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "contact/models/contact_model.h"
#include "test/support/random.h"

namespace pequod::test {
namespace {

/// Draws of one scene.
struct Dice : Random {
  using Random::Random;
  bool chance(double p) { return uniform(0.0, 1.0) < p; }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator); }
  template <typename T, std::size_t N>
  const T& of(const std::array<T, N>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }
  double scaled(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
};

/// One body's shape, where it could lie on a plane, and what holds it.
struct Piece {
  std::string shape;    ///< YAML
  double rest = 0.0;    ///< m, height of the frame over a plane it stands on; 0: no such pose
  double radius = 0.0;  ///< m, of a ball about the frame that holds it
};

std::string text(const Vector3d& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

std::string obj(const std::vector<Vector3d>& vertices,
                const std::vector<std::array<int, 3>>& triangles) {
  std::string out;
  for (const Vector3d& p : vertices) out += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& t : triangles) out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return out;
}

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

// The seven kinds that can move; the plane and the height field are grounds.
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

enum class Ground { plane, slope, field, bowl };

constexpr double kExtent = 3.0;  // m, side of the height field and of the bowl

std::string height_field(Dice& dice) {
  const int n = 16;
  const double roughness = dice.scaled(1e-3, 0.06);  // m
  std::string out = fmt::format("{} {}\n", n, n);
  for (int i = 0; i < n * n; ++i) out += fmt::format("{}\n", dice.uniform(-roughness, roughness));
  return out;
}

double bowl_height(double x, double y) { return 0.4 * (x * x + y * y); }

std::string bowl() {
  const int n = 12;
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double x = (double(i) / n - 0.5) * kExtent, y = (double(j) / n - 0.5) * kExtent;
      vertices.emplace_back(x, y, bowl_height(x, y));
    }
  const auto at = [](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return obj(vertices, triangles);
}

std::string ground_text(Dice& dice, Ground ground, RandomScene& scene) {
  std::string shape = "{plane: {}}";
  if (ground == Ground::field) {
    scene.files.emplace_back("field.dat", height_field(dice));
    shape = fmt::format("{{heightfield: {{file: field.dat, size: [{0}, {0}]}}}}", kExtent);
  }
  if (ground == Ground::bowl) {
    scene.files.emplace_back("bowl.obj", bowl());
    shape = "{mesh: {file: bowl.obj}}";
  }
  return "  ground: {fixed: true, shape: " + shape + "}\n";
}

// m: no ground is higher within `reach` of the axis.
double highest(Ground ground, double reach) {
  if (ground == Ground::field) return 0.06;
  // Chords of a mesh lie above the paraboloid, but not above its value one cell farther out.
  if (ground == Ground::bowl) return bowl_height(reach + 2.0 * kExtent / 12, 0.0);
  return 0.0;
}

std::string body_text(int i, double mass, const Piece& piece, const Vector3d& p, const Matrix3d& R,
                      const Vector3d& v, const Vector3d& w) {
  const Quaterniond q(R);
  return fmt::format(
      "  body{}:\n    mass: {}\n    shape: {}\n    position: {}\n"
      "    orientation: {{quaternion: [{}, {}, {}, {}]}}\n    velocity: {}\n"
      "    angular_velocity: {}\n",
      i, mass, piece.shape, text(p), q.w(), q.x(), q.y(), q.z(), text(v), text(w));
}

// A column of bodies, the upper ones faster; the lowest may start at rest on the plane.
std::string falling_bodies(Dice& dice, Ground ground, int count, RandomScene& scene) {
  std::string out;
  double top = highest(ground, 0.5);  // m
  for (int i = 0; i < count; ++i) {
    const Piece piece = random_piece(dice, scene);
    const double mass = dice.scaled(0.1, 10.0),
                 spin = dice.chance(0.3) ? 0.0 : dice.scaled(0.1, 15);
    Vector3d p(dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1), top + dice.scaled(1e-4, 0.05)),
        v = dice.vector(1.0), w = spin * dice.unit();
    Matrix3d R = dice.rotation();
    p.z() += piece.radius;
    v.z() -= 0.5 * i;
    const bool plane = ground == Ground::plane || ground == Ground::slope;
    if (i == 0 && plane && piece.rest > 0.0 && dice.chance(0.4)) {
      p.z() = piece.rest;
      R = Eigen::AngleAxisd(dice.uniform(-3.0, 3.0), Vector3d::UnitZ()).toRotationMatrix();
      v = dice.chance(0.5) ? Vector3d::Zero() : Vector3d(v.x(), v.y(), 0.0);
      w = Vector3d(0.0, 0.0, dice.chance(0.5) ? 0.0 : w.z());
    }
    top = p.z() + piece.radius;
    out += body_text(i, mass, piece, p, R, v, w);
  }
  return out;
}

// Around the origin, outside of each other's balls, towards it.
std::string meeting_bodies(Dice& dice, int count, RandomScene& scene) {
  std::string out;
  std::vector<std::pair<Vector3d, double>> balls;
  for (int i = 0; i < count; ++i) {
    const Piece piece = random_piece(dice, scene);
    const auto meets = [&](const Vector3d& p) {
      return std::any_of(balls.begin(), balls.end(), [&](const auto& ball) {
        return (p - ball.first).norm() < piece.radius + ball.second + 1e-4;
      });
    };
    double distance = 0.5 * piece.radius;
    Vector3d p = distance * dice.unit();
    while (meets(p)) p = (distance += 0.02) * dice.unit();
    balls.emplace_back(p, piece.radius);
    const Vector3d v = -dice.scaled(0.3, 4.0) * p.normalized() + dice.vector(0.1);
    out += body_text(i, dice.scaled(0.01, 100.0), piece, p, dice.rotation(), v,
                     dice.scaled(0.1, 15) * dice.unit());
  }
  return out;
}

double friction(Dice& dice) {
  if (dice.chance(0.15)) return 0.0;
  return dice.chance(0.2) ? dice.scaled(1.0, 5.0) : dice.uniform(0.05, 1.0);
}

double restitution(Dice& dice) {
  if (dice.chance(0.3)) return 0.0;
  return dice.chance(0.15) ? 1.0 : dice.uniform(0.0, 1.0);
}

// Integrator and contact model, with a level it has.
std::string choices(Dice& dice) {
  const std::string method = dice.of<std::string, 3>({"symplectic-euler", "rk4", "dopri5"});
  const auto models = contact_models();
  const ContactModel& model =
      models[static_cast<std::size_t>(dice.below(static_cast<int>(models.size())))];
  const bool both =
      has_level(model, ContactLevel::velocity) && has_level(model, ContactLevel::acceleration);
  const ContactLevel level = !both              ? model.level
                             : dice.chance(0.5) ? ContactLevel::velocity
                                                : ContactLevel::acceleration;
  return fmt::format(
      "integrator: {{method: {}, step: {}}}\ncontact: {{model: {}, level: {}, restitution: {}}}\n",
      method, dice.of<double, 3>({0.001, 0.002, 0.004}), model.name, level_name(level),
      dice.chance(0.5) ? "poisson" : "newton");
}

}  // namespace

Crowd crowd_of(std::uint64_t seed) {
  return seed % 4 == 3 ? Crowd::each_other : Crowd::few_on_ground;
}

RandomScene random_scene(std::uint64_t seed) {
  Dice dice(seed);
  RandomScene scene;
  const bool grounded = crowd_of(seed) == Crowd::few_on_ground;
  const Ground ground =
      dice.of<Ground, 4>({Ground::plane, Ground::slope, Ground::field, Ground::bowl});
  Vector3d gravity(0.0, 0.0, grounded ? -9.81 : 0.0);
  if (grounded && ground == Ground::slope) gravity.x() = 9.81 * dice.uniform(0.0, 0.6);
  scene.yaml =
      fmt::format("name: random-{}\ngravity: {}\nduration: 0.4\nrecord: {{every: 0.02}}\n", seed,
                  text(gravity)) +
      choices(dice) +
      fmt::format(
          "surfaces:\n  - {{between: [\"*\", \"*\"], friction: {}, viscous: {}, "
          "restitution: {}}}\n",
          friction(dice), dice.chance(0.5) ? 0.0 : dice.scaled(0.01, 2.0), restitution(dice)) +
      "bodies:\n";
  if (!grounded) {
    scene.yaml += meeting_bodies(dice, 2 + dice.below(3), scene);
    return scene;
  }
  scene.yaml += ground_text(dice, ground, scene);
  scene.yaml += falling_bodies(dice, ground, 1 + dice.below(4), scene);
  return scene;
}

std::filesystem::path write_scene(const RandomScene& scene, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, content] : scene.files) std::ofstream(folder / name) << content;
  std::ofstream(folder / "scene.yaml") << scene.yaml;
  return folder / "scene.yaml";
}

}  // namespace pequod::test
