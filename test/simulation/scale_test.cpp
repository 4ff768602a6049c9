// Scenes of other sizes, in their own time: under the same gravity lengths times L and times times
// √L are the same motion, whatever the masses.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/scene_tolerances.h"
#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

// Of the size, in some forty impacts on each other and the ground.
constexpr double kSameMotion = 1e-6;
// The same of two bodies under least energy: contacts leave while they are pushed, by less than the
// gap that counts as none, and which of them the next impact takes along follows from that gap.
constexpr double kSameLeastEnergy = 3e-5;
// The same where all tolerances are as much smaller as the bodies: rounding, which impacts of
// corners grow by a factor of some units each.
constexpr double kSameBits = 1e-8;
// The box under RK4: rounding decides which friction a flight of 4 µm/s that is closed at an impact
// gives back, by 1e-7 of the energy lost there.
constexpr double kSameFlight = 1e-7;

struct Thrown {
  Geometry geometry;
  Vector3d position, velocity, spin;  // m, m/s, rad/s at full size
};

Geometry times(const Geometry& geometry, double L) {
  Geometry out = geometry;
  if (auto* box = std::get_if<Box>(&out)) box->size *= L;
  if (auto* ball = std::get_if<Sphere>(&out)) ball->radius *= L;
  if (auto* capsule = std::get_if<Capsule>(&out)) capsule->radius *= L, capsule->length *= L;
  if (auto* cylinder = std::get_if<Cylinder>(&out)) cylinder->radius *= L, cylinder->length *= L;
  return out;
}

struct Setting {
  std::string method, model;
  double restitution = 0.3, duration = 0.5;  // 1, s at full size
};

// Bodies of 1 kg and moments like those of a ball of 0.4 m, L times as large.
Scenario thrown_scene(const std::vector<Thrown>& bodies, const Setting& setting, double L,
                      const Vector3d& away = Vector3d::Zero()) {
  const double T = std::sqrt(L);
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (std::size_t i = 0; i < bodies.size(); ++i)
    builder.add_free_body("b" + std::to_string(i),
                          {1.0, Vector3d::Zero(), 0.016 * L * L * Matrix3d::Identity()},
                          {{times(bodies[i].geometry, L), {}}});
  Scenario scenario = scenario_with(
      builder.build({{"*", "*", {.friction = 0.3, .restitution = setting.restitution}}}));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto q = static_cast<Eigen::Index>(7 * i), v = static_cast<Eigen::Index>(6 * i);
    scenario.initial.q.segment<3>(q) = L * bodies[i].position + away;
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.4 + 0.3 * static_cast<double>(i),
                                                      Vector3d(0.3, 0.5, 0.8).normalized()));
    scenario.initial.q.segment<4>(q + 3) << turned.w(), turned.vec();
    scenario.initial.v.segment<3>(v) = bodies[i].spin / T;
    scenario.initial.v.segment<3>(v + 3) = L / T * bodies[i].velocity;
  }
  scenario.duration = setting.duration * T;
  scenario.integrator = {setting.method, 1e-3 * T, 0.0};
  scenario.record.every = scenario.duration;  // steps end there
  scenario.contact.model = setting.model;
  return scenario;
}

const std::vector<std::vector<Thrown>> kScenes = {
    {{Box{Vector3d(0.5, 0.4, 0.3)}, {0, 0, 0.5}, {1.5, 0.2, -0.5}, {1, 2, 3}}},
    {{Capsule{0.1, 0.5}, {0, 0, 0.45}, {0.5, 0.2, 0}, {3, 1, 2}}},
    {{Cylinder{0.2, 0.3}, {0, 0, 0.45}, {0.5, 0.2, 0}, {3, 1, 2}}},
    {{Box{Vector3d(0.5, 0.4, 0.3)}, {-0.5, 0, 0.5}, {1.5, 0, 0}, {1, 2, 0.3}},
     {Box{Vector3d(0.5, 0.4, 0.3)}, {0.5, 0.2, 0.55}, {-1, 0, 0}, {-1, 0.3, 0.5}}},
};

VectorXd places_at_end(const Scenario& scenario, std::size_t bodies, double L,
                       const Vector3d& away = Vector3d::Zero()) {
  Simulation run(scenario);
  run.run();
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().fallbacks == 0);
  CHECK(run.statistics().max_penetration <= scene_tolerances(scenario).gap());
  VectorXd places(3 * static_cast<Eigen::Index>(bodies));
  for (std::size_t i = 0; i < bodies; ++i)
    places.segment<3>(3 * static_cast<Eigen::Index>(i)) =
        (run.state().q.segment<3>(static_cast<Eigen::Index>(7 * i)) - away) / L;
  return places;
}

const Setting kSettings[] = {{"symplectic-euler", "coulomb"},
                             {"rk4", "coulomb"},
                             {"symplectic-euler", "drumwright-shell"},
                             {"rk4", "baraff", 0.5}};

}  // namespace

TEST_CASE("bodies of 0.03 mm to 500 m fall, meet and roll alike in their own time") {
  for (const Setting& setting : kSettings)
    for (const std::vector<Thrown>& bodies : kScenes) {
      const auto end = [&](double L) {
        return places_at_end(thrown_scene(bodies, setting, L), bodies.size(), L);
      };
      CAPTURE(setting.method);
      CAPTURE(setting.model);
      CAPTURE(&bodies - kScenes.data());
      const VectorXd full = end(1.0), small = end(0.01);
      const auto apart = [&](double L, const VectorXd& from) {
        return (end(L) - from).lpNorm<Eigen::Infinity>();
      };
      double worst_small = 0.0, worst = (small - full).lpNorm<Eigen::Infinity>();
      for (const double L : {1e-4, 7e-4, 3e-3})
        worst_small = std::max(worst_small, apart(L, small));
      for (const double L : {7.0, 30.0, 1e3}) worst = std::max(worst, apart(L, full));
      const bool flies = setting.method == "rk4" && &bodies == kScenes.data();
      CHECK(worst_small <= (flies ? kSameFlight : kSameBits));
      const bool leaves = setting.model == "drumwright-shell" && bodies.size() > 1;
      CHECK(worst <= (leaves ? kSameLeastEnergy : kSameMotion));
      MESSAGE("apart ", worst_small, " of small ones, ", worst, " of all");
    }
}

// A millimetre's rounding at 1 m is 1e-13 of it, which forty impacts grow.
TEST_CASE("bodies of 1 mm fall a metre from the origin as they do at it") {
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.method);
    CAPTURE(setting.model);
    constexpr double L = 2e-3;
    const Vector3d away(1.0, -0.7, 0.0);
    const VectorXd near = places_at_end(thrown_scene(kScenes[3], setting, L), 2, L);
    const VectorXd far = places_at_end(thrown_scene(kScenes[3], setting, L, away), 2, L, away);
    CHECK((far - near).lpNorm<Eigen::Infinity>() <= kSameMotion);
  }
}

TEST_CASE("tolerances are those of the smallest body, and of no body of 0.1 m and more") {
  const Setting setting{"rk4", "coulomb"};
  const auto of = [&](double L, double away) {
    return scene_tolerances(thrown_scene(kScenes[2], setting, L, Vector3d(away, 0.0, 0.0)));
  };
  CHECK(of(1.0, 0.0).gap() == 1e-9);
  CHECK(of(1e3, 0.0).gap() == 1e-9);
  // The ball around a cylinder of radius 0.2 and length 0.3 has the diameter 0.5.
  CHECK(of(0.02, 0.0).gap() == doctest::Approx(1e-10));
  CHECK(of(0.02, 0.0).speed() == doctest::Approx(std::sqrt(0.1) * 1e-9));
  CHECK(of(0.02, 5.0).noise() == 1e-13);
  CHECK(of(2e-5, 5.0).gap() == doctest::Approx(1e-11));
}

}  // namespace pequod
