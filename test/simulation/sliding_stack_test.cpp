// Stacks of boxes of masses 1 : 1e10 that slide, judged by their own equation: along a slope a
// stack is a row of points between which dry friction acts, whose bounds are the weights above.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

constexpr double kPull = 9.81, kTick = 1e-3;  // m/s², s
constexpr int kTicks = 50;
using Row = std::vector<long double>;

// Friction coefficients from the ground up, speeds, and how far the ground leans.
struct SlidingCase {
  const char* name;
  double slope;
  std::vector<double> friction, speed;
};

const std::vector<SlidingCase> kCases = {
    {"all as one", 0.3, {0.05, 0.2, 0.2, 0.2}, {0, 0, 0, 0}},
    {"each by itself", 0.3, {0.1, 0.08, 0.06, 0.04}, {0, 0, 0, 0}},
    {"all at the cone's edge", 0.3, {0.1, 0.1, 0.1, 0.1}, {0, 0, 0, 0}},
    {"pushed on the level", 0.0, {0.1, 0.1, 0.1, 0.1}, {0.5, 0.5, 0.5, 0.5}},
    {"the topmost is pushed", 0.0, {0.1, 0.06, 0.1, 0.1}, {0, 0, 0, 0.5}},
    {"each its own way", 0.2, {0.15, 0.05, 0.1, 0.03}, {0.2, -0.1, 0.1, 0}},
};

using Signs = std::vector<int>;  // of slips, 0 where two points move as one

// The row of points over one tick: v⁺ of masses m, with friction bounds b between i − 1 and i (the
// ground is −1). The same is true of accelerations and forces.
// @param moving  signs of slips that there are already, which stay whatever comes
// @return  nothing if `slides` are no solution
std::optional<Row> slide_by(const Row& m, const Row& b, const Row& v, const Signs& moving,
                            const Signs& slides) {
  // Of a bound: friction beyond it by less is at it, as where all masses slide as one.
  constexpr long double kEdge = 1e-15L;
  const std::size_t n = m.size();
  Row out(n);
  for (std::size_t first = 0; first < n;) {
    std::size_t end = first + 1;
    while (end < n && slides[end] == 0) ++end;
    long double mass = 0, momentum = 0;
    for (std::size_t i = first; i < end; ++i) {
      mass += m[i];
      momentum += m[i] * v[i];
    }
    momentum -= slides[first] * b[first];
    if (end < n) momentum += slides[end] * b[end];
    const bool grounded = first == 0 && slides[0] == 0;
    for (std::size_t i = first; i < end; ++i) out[i] = grounded ? 0 : momentum / mass;
    first = end;
  }
  long double force = 0;
  for (std::size_t i = n; i-- > 0;) {
    force += m[i] * (out[i] - v[i]);
    const long double slip = out[i] - (i > 0 ? out[i - 1] : 0);
    if (moving[i] != 0 && slides[i] != moving[i]) return {};
    if (moving[i] == 0 &&
        (slides[i] == 0 ? std::abs(force) > b[i] * (1 + kEdge) : slip * slides[i] < 0))
      return {};
    if (slides[i] != 0) force = -slides[i] * b[i];
  }
  return out;
}

// All combinations of signs in turn, none first.
Row slide(const Row& m, const Row& b, const Row& v, const Signs& moving) {
  int count = 1;
  for (std::size_t i = 0; i < m.size(); ++i) count *= 3;
  for (int code = 0; code < count; ++code) {
    Signs slides;
    for (int rest = code; slides.size() < m.size(); rest /= 3)
      slides.push_back((rest % 3 + 1) % 3 - 1);
    if (const auto out = slide_by(m, b, v, moving, slides)) return *out;
  }
  FAIL("no signs of slip are a solution");
  return v;
}

// Ways of the boxes after kTicks of symplectic Euler.
Row true_ways(const std::vector<double>& masses, const SlidingCase& scene) {
  const Row m(masses.begin(), masses.end());
  Row v(scene.speed.begin(), scene.speed.begin() + std::ssize(masses)), x(m.size(), 0), b(m.size());
  long double above = 0;
  for (std::size_t i = m.size(); i-- > 0;) {
    above += m[i];
    b[i] = scene.friction[i] * above * kPull * kTick;
  }
  for (int tick = 0; tick < kTicks; ++tick) {
    for (long double& own : v) own += kTick * kPull * scene.slope;
    v = slide(m, b, v, Signs(m.size(), 0));
    for (std::size_t i = 0; i < m.size(); ++i) x[i] += kTick * v[i];
  }
  return x;
}

// Ways of the boxes in the same time without ticks: parabolas from one end of a slip to the next.
Row true_parabolas(const std::vector<double>& masses, const SlidingCase& scene) {
  const Row m(masses.begin(), masses.end());
  Row v(scene.speed.begin(), scene.speed.begin() + std::ssize(masses)), x(m.size(), 0), b(m.size());
  long double above = 0, left = kTicks * static_cast<long double>(kTick);
  for (std::size_t i = m.size(); i-- > 0;) {
    above += m[i];
    b[i] = scene.friction[i] * above * kPull;
  }
  const auto slip = [](const Row& at, std::size_t i) { return at[i] - (i > 0 ? at[i - 1] : 0); };
  while (left > 0) {
    Signs moving;
    for (std::size_t i = 0; i < m.size(); ++i)
      moving.push_back(slip(v, i) > 0 ? 1 : slip(v, i) < 0 ? -1 : 0);
    const Row a = slide(m, b, Row(m.size(), kPull * scene.slope), moving);
    std::size_t ends = m.size();
    long double step = left;
    for (std::size_t i = 0; i < m.size(); ++i)
      if (moving[i] * slip(a, i) < 0 && -slip(v, i) / slip(a, i) < step) {
        step = -slip(v, i) / slip(a, i);
        ends = i;
      }
    for (std::size_t i = 0; i < m.size(); ++i) {
      x[i] += step * (v[i] + step * a[i] / 2);
      v[i] += step * a[i];
    }
    if (ends < m.size()) v[ends] = ends > 0 ? v[ends - 1] : 0;
    left -= step;
  }
  return x;
}

Scenario sliding_stack(const std::vector<double>& masses, const SlidingCase& scene,
                       const std::string& model) {
  ModelBuilder builder({kPull * scene.slope, 0.0, -kPull});
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  std::vector<SurfaceRule> surfaces;
  std::string below = "ground";
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const std::string name = "box" + std::to_string(i);
    builder.add_free_body(name,
                          {masses[i], Vector3d::Zero(), masses[i] / 6.0 * Matrix3d::Identity()},
                          {{Box{Vector3d::Ones()}, {}}});
    surfaces.push_back({below, name, {.friction = scene.friction[i]}});
    below = name;
  }
  Scenario scenario = scenario_with(builder.build(surfaces));
  for (std::size_t i = 0; i < masses.size(); ++i) {
    scenario.initial.q[7 * static_cast<Eigen::Index>(i) + 2] = static_cast<double>(i) + 0.5;
    scenario.initial.v[6 * static_cast<Eigen::Index>(i) + 3] = scene.speed[i];
  }
  scenario.duration = kTicks * kTick;
  scenario.integrator = {"symplectic-euler", kTick, 0.0};
  scenario.contact.model = model;
  return scenario;
}

std::vector<std::vector<double>> sliding_masses(double R) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> power(0.0, 1.0);
  std::vector<std::vector<double>> all{{1, R, 1, R}, {R, 1, R, 1}, {1, R, R, 1}, {R, 1, 1, R}};
  std::vector<double> other;
  for (int k = 0; k < 4; ++k) other.push_back(std::pow(R, power(random)));
  all.push_back(other);
  return all;
}

// m: what ten roundings of the load R on a box of mass 1 move it by, and what contacts solved to
// 1e-8 of the motion leave: at a tie between modes forces come nearer by a third a round, and the
// step goes to the methods that end there. That is one step of all of these; the others are within
// 1e-11 m.
double same_way(double R) {
  const double time = kTicks * kTick;
  return 1e-9 + 0.5 * 1e-15 * R * kPull * time * time;
}

// Whether each box is where its own equation has it, and nowhere else.
void check_ways(const Scenario& scenario, const Row& x, double same) {
  Simulation run(scenario);
  run.run();
  VectorXd expected = scenario.initial.q;
  for (std::size_t i = 0; i < x.size(); ++i)
    expected[7 * static_cast<Eigen::Index>(i)] = static_cast<double>(x[i]);
  CHECK((run.state().q - expected).lpNorm<Eigen::Infinity>() <= same);
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().unsolved == 0);
  CHECK(run.statistics().fallbacks == 0);
}

}  // namespace

TEST_CASE("boxes of masses 1 : R slide on each other by their own cones, in any order") {
  for (const SlidingCase& scene : kCases) {
    CAPTURE(scene.name);
    for (const double R : {1.0, 1e3, 1e6, 1e8, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : sliding_masses(R)) {
        CAPTURE(masses[0]);
        CAPTURE(masses[1]);
        check_ways(sliding_stack(masses, scene, "coulomb"), true_ways(masses, scene), same_way(R));
      }
    }
  }
}

// Where all slide in straight lines the impulses that leave least energy are Coulomb's, also at the
// edge of the cone, where modes tie.
TEST_CASE("the same under drumwright-shell, whose energies tell nothing of a light box") {
  for (const SlidingCase& scene : kCases) {
    CAPTURE(scene.name);
    for (const double R : {1.0, 1e2, 1e3, 1e6, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : sliding_masses(R)) {
        CAPTURE(masses[0]);
        CAPTURE(masses[1]);
        check_ways(sliding_stack(masses, scene, "drumwright-shell"), true_ways(masses, scene),
                   same_way(R));
      }
    }
  }
}

// Beside the ticks' tolerance 1e-8 m: slips end within the event search's own.
TEST_CASE("the same under RK4, whose modes are chosen by accelerations") {
  for (const SlidingCase& scene : kCases) {
    CAPTURE(scene.name);
    for (const double R : {1.0, 1e3, 1e6, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : sliding_masses(R)) {
        CAPTURE(masses[0]);
        CAPTURE(masses[1]);
        Scenario scenario = sliding_stack(masses, scene, "coulomb");
        scenario.integrator = {"rk4", kTick, 0.0};
        check_ways(scenario, true_parabolas(masses, scene), 1e-8 + same_way(R));
        if (R == 1.0) break;
      }
    }
  }
}

}  // namespace pequod
