#include "test/simulation/pile_scenes.h"

#include <cmath>
#include <random>
#include <span>

#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"

namespace pequod::test {
namespace {

constexpr double kStep = 5e-3;  // s

// A plane through a point, free on the side of its normal.
void add_plane(ModelBuilder& builder, const std::string& name, const Vector3d& normal,
               const Vector3d& point) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal);
  builder.add_fixed_body(name, {turn.toRotationMatrix(), point}, {{Plane{}, {}}});
}

// Ground, and walls that leave |x| and |y| up to `half` free.
void add_box(ModelBuilder& builder, double half) {
  add_plane(builder, "ground", Vector3d::UnitZ(), Vector3d::Zero());
  for (const int sign : {1, -1}) {
    const std::string side = sign > 0 ? "low" : "high";
    add_plane(builder, side + "_x", sign * Vector3d::UnitX(), -sign * half * Vector3d::UnitX());
    add_plane(builder, side + "_y", sign * Vector3d::UnitY(), -sign * half * Vector3d::UnitY());
  }
}

void add_ball(ModelBuilder& builder, double mass, double radius) {
  builder.add_free_body("ball_" + std::to_string(builder.model().links.size()),
                        ball_inertia(mass, radius), {{Sphere{radius}, {}}});
}

void add_brick(ModelBuilder& builder, double mass, const Vector3d& size) {
  const Vector3d squares = size.cwiseProduct(size);
  const Vector3d I = mass / 12.0 * (squares.sum() - squares.array()).matrix();
  builder.add_free_body("box_" + std::to_string(builder.model().links.size()),
                        {mass, Vector3d::Zero(), Matrix3d(I.asDiagonal())}, {{Box{size}, {}}});
}

PileScene finish(std::string family, std::string name, const ModelBuilder& builder,
                 std::span<const Vector3d> places, double friction, double duration) {
  PileScene scene{
      std::move(family), std::move(name),
      scenario_with(ModelBuilder(builder).build({{"*", "*", {.friction = friction}}}), places)};
  Scenario& scenario = scene.scenario;
  scenario.contact.model = "coulomb";
  scenario.contact.scheme = "time-stepping";
  scenario.integrator.method = "symplectic-euler";
  scenario.integrator.step = kStep;
  scenario.duration = scenario.record.every = duration;
  return scene;
}

// Places on a cubic lattice over the ground, each off by up to `jitter`.
std::vector<Vector3d> lattice(int count, double pitch, double jitter, std::mt19937_64& random) {
  std::uniform_real_distribution<double> off(-jitter, jitter);
  const int side = static_cast<int>(std::lround(std::cbrt(count)));
  std::vector<Vector3d> places;
  const auto place = [&](int cell, double first) { return pitch * (cell + first) + off(random); };
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side), row = i / side % side;
    const double x = place(i % side, -0.5 * (side - 1)), y = place(row, -0.5 * (side - 1));
    places.emplace_back(x, y, place(layer, 0.5));
  }
  return places;
}

// @param mass_ratio  heaviest over lightest, by turns at random between
PileScene balls(int count, double friction, double mass_ratio) {
  constexpr double kRadius = 0.05;
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  ModelBuilder builder;
  for (int i = 0; i < count; ++i) add_ball(builder, std::pow(mass_ratio, share(random)), kRadius);
  add_box(builder, 1.1 * kRadius * std::cbrt(count));
  return finish("balls", std::to_string(count) + " balls", builder,
                lattice(count, 2.2 * kRadius, 0.04 * kRadius, random), friction, 1.0);
}

// Four planes that meet in a point: closed.
PileScene hopper(double friction) {
  constexpr double kRadius = 0.05;
  constexpr int kBalls = 80;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mass(1.0, 10.0);
  ModelBuilder builder;
  for (int i = 0; i < kBalls; ++i) add_ball(builder, mass(random), kRadius);
  const double slope = std::sqrt(0.5);
  for (const int sign : {1, -1}) {
    const std::string side = sign > 0 ? "low" : "high";
    add_plane(builder, side + "_x", {sign * slope, 0.0, slope}, Vector3d::Zero());
    add_plane(builder, side + "_y", {0.0, sign * slope, slope}, Vector3d::Zero());
  }
  std::vector<Vector3d> places = lattice(kBalls, 2.2 * kRadius, 0.04 * kRadius, random);
  for (Vector3d& place : places) place.z() += 0.4;
  return finish("hopper", "hopper of 80", builder, places, friction, 1.0);
}

// Square layers, each in the hollows of the one below.
PileScene pyramid(int layers) {
  constexpr double kRadius = 0.05;
  ModelBuilder builder;
  std::vector<Vector3d> places;
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < layers - k; ++i)
      for (int j = 0; j < layers - k; ++j) {
        add_ball(builder, 1.0, kRadius);
        places.emplace_back(kRadius * (2 * i + k), kRadius * (2 * j + k),
                            kRadius * (1.0 + std::sqrt(2.0) * k));
      }
  add_plane(builder, "ground", Vector3d::UnitZ(), Vector3d::Zero());
  return finish("pyramid", "pyramid of " + std::to_string(places.size()), builder, places, 0.5,
                0.3);
}

// Boxes of all sizes, turned at random, that fall into a box.
PileScene boxes(int count) {
  constexpr double kPitch = 0.26;
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> edge(0.06, 0.16), turn(-1.0, 1.0);
  ModelBuilder builder;
  for (int i = 0; i < count; ++i) {
    const Vector3d size(edge(random), edge(random), edge(random));
    add_brick(builder, 1000.0 * size.prod(), size);
  }
  add_box(builder, 0.5 * kPitch * std::round(std::cbrt(count)) + 0.02);
  PileScene scene = finish("boxes", std::to_string(count) + " boxes", builder,
                           lattice(count, kPitch, 0.01, random), 0.5, 1.2);
  for (int i = 0; i < count; ++i) {
    Eigen::Vector4d quaternion(turn(random), turn(random), turn(random), turn(random));
    scene.scenario.initial.q.segment<4>(7 * i + 3) = quaternion.normalized();
  }
  return scene;
}

PileScene stack(int count) {
  const Vector3d size(0.3, 0.2, 0.1);
  ModelBuilder builder;
  std::vector<Vector3d> places;
  for (int i = 0; i < count; ++i) {
    add_brick(builder, i + 1 < count ? 1.0 : 1000.0, size);
    places.emplace_back(0.0, 0.0, 0.05 + 0.1 * i);
  }
  add_plane(builder, "ground", Vector3d::UnitZ(), Vector3d::Zero());
  return finish("stack", "stack of " + std::to_string(count), builder, places, 0.5, 0.3);
}

}  // namespace

PileScene brick_wall(int rows, int columns, bool hit) {
  constexpr double kSpeed = 5.0, kEdge = 0.2;  // m/s, m
  ModelBuilder builder;
  std::vector<Vector3d> places;
  for (int k = 0; k < rows; ++k)
    for (int i = 0; i < columns; ++i) {
      add_brick(builder, 1.0, {0.2, 0.1, 0.06});
      places.emplace_back(0.21 * i + 0.07 * (k % 2), 0.0, 0.03 + 0.06 * k);
    }
  if (hit) {
    add_brick(builder, 20.0, Vector3d::Constant(kEdge));
    places.emplace_back(0.105 * columns, -0.5 * kEdge - 0.06, 0.04 * rows + 0.5 * kEdge);
  }
  add_plane(builder, "ground", Vector3d::UnitZ(), Vector3d::Zero());
  const std::string name = "wall of " + std::to_string(rows * columns);
  PileScene scene = finish(hit ? "hit wall" : "wall", name, builder, places, 0.6, hit ? 1.0 : 0.2);
  if (hit) scene.scenario.initial.v.tail<6>()[1] = kSpeed;
  return scene;
}

std::vector<PileScene> pile_scenes() {
  std::vector<PileScene> all;
  for (const double friction : {0.0, 0.1, 0.3, 0.5, 1.0}) all.push_back(balls(64, friction, 1.0));
  all.push_back(balls(64, 0.3, 1000.0));
  for (const int count : {216, 343}) all.push_back(balls(count, 0.3, 1.0));
  for (const double friction : {0.3, 0.8}) all.push_back(hopper(friction));
  for (const int layers : {5, 7, 12}) all.push_back(pyramid(layers));
  all.push_back(brick_wall(6, 4, false));
  all.push_back(brick_wall(9, 6, false));
  all.push_back(brick_wall(15, 10, false));
  all.push_back(brick_wall(24, 17, false));
  all.push_back(brick_wall(6, 4, true));
  all.push_back(brick_wall(9, 6, true));
  all.push_back(brick_wall(15, 10, true));
  for (const int count : {27, 64, 150}) all.push_back(boxes(count));
  for (const int count : {5, 10}) all.push_back(stack(count));
  return all;
}

}  // namespace pequod::test
