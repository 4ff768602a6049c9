#include "test/simulation/random_rough.h"

#include <fmt/format.h>

#include <stdexcept>

#include "test/simulation/random_pieces.h"
#include "test/simulation/random_robots.h"

namespace pequod::test {
namespace {

const std::string kPlane = "{plane: {}}", kField = "{heightfield: {file: field.dat, size: [8, 8]}}";

// 4 cm apart; no one gets to its border, beneath which it is no body.
std::string rough_field(Dice& dice) {
  constexpr int kSide = 201;
  const double depth = dice.scaled(1e-10, 1e-3);  // m
  std::string out = fmt::format("{0} {0}\n", kSide);
  for (int i = 0; i < kSide * kSide; ++i) out += fmt::format("{}\n", -dice.uniform(0.0, depth));
  return out;
}

// Not under pyramids, which take seconds for the hundred contacts of one base (docs/models.md).
bool is_drawn(const std::string& yaml) {
  const auto has = [&](const char* model) {
    return yaml.find(std::string("model: ") + model) != std::string::npos;
  };
  return !has("stewart-trinkle") && !has("anitescu-potra");
}

std::string choices(Dice& dice) {
  std::string out = random_choices(dice, 0.5);
  while (!is_drawn(out)) out = random_choices(dice, 0.5);
  return out;
}

// Above the ground, or upright on it and fast or at rest.
std::string lone_body(Dice& dice, RandomScene& scene) {
  const Piece piece = random_piece(dice, scene);
  Vector3d p(dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1),
             piece.radius + dice.scaled(1e-4, 0.1));
  Vector3d v = dice.vector(1.5), w = dice.vector(6.0);
  Matrix3d R = dice.rotation();
  if (piece.rest > 0.0 && dice.chance(0.3)) {
    p.z() = piece.rest;
    v.z() = 0.0;
    if (dice.chance(0.3)) v.setZero();
    w = Vector3d(0.0, 0.0, dice.chance(0.5) ? 0.0 : w.z());
    R = Eigen::AngleAxisd(dice.uniform(-3.0, 3.0), Vector3d::UnitZ()).toRotationMatrix();
  }
  return body_text(0, dice.scaled(0.1, 10.0), piece, p, R, v, w);
}

}  // namespace

RandomScene random_rough(std::uint64_t seed) {
  Dice dice(seed);
  RandomScene scene;
  if (dice.chance(0.3)) scene = random_robots(seed);
  if (!scene.yaml.empty() && is_drawn(scene.yaml)) {
    const std::size_t at = scene.yaml.find(kPlane);
    if (at == std::string::npos) throw std::logic_error("robots at random stand on no plane");
    scene.yaml.replace(at, kPlane.size(), kField);
  } else {
    scene.files.clear();
    scene.yaml = fmt::format(
                     "name: rough-{}\ngravity: [0, 0, -9.81]\nduration: 0.4\n"
                     "record: {{every: 0.02}}\n",
                     seed) +
                 choices(dice) + random_surfaces(dice) +
                 "bodies:\n  ground: {fixed: true, shape: " + kField + "}\n" +
                 lone_body(dice, scene);
  }
  scene.files.emplace_back("field.dat", rough_field(dice));
  return scene;
}

}  // namespace pequod::test
