#include "test/simulation/random_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "test/simulation/random_pieces.h"

namespace pequod::test {
namespace {

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
      return std::ranges::any_of(balls, [&](const auto& ball) {
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
  scene.yaml = fmt::format("name: random-{}\ngravity: {}\nduration: 0.4\nrecord: {{every: 0.02}}\n",
                           seed, text(gravity)) +
               random_choices(dice) + random_surfaces(dice) + "bodies:\n";
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
