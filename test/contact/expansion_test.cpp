// Friction in expansion: what an oblique bounce does by Poisson's law, beside closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contact/impact.h"
#include "test/contact/scenes.h"
#include "test/support/random.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// What each model's solver leaves of an impulse: drumwright-shell bounds the normal impulses to
// 1e-7 of themselves.
double tolerance_of(const ContactModel& model) {
  return model.family == SolverFamily::dissipation ? 1e-6 : 1e-9;
}

ImpactSolution strike_by(Scene& scene, const ContactModel& model, Restitution law, double mu,
                         double e) {
  ContactProblem& problem = scene.problems[0];
  std::fill(problem.friction.begin(), problem.friction.end(), mu);
  const std::vector<double> restitution(static_cast<std::size_t>(problem.n), e);
  ContactWorkspace workspace;
  ImpactSolution solution;
  resolve_impact(problem, model, make_contact_solver(model.family, ""), law, restitution, {},
                 workspace, solution);
  CHECK(solution.status == SolveStatus::solved);
  return solution;
}

/// A ball of inertia k m r² on a plane of any normal, its slip along the first tangent.
struct Oblique {
  Scene scene;
  double m, r, k, approach, slip;

  explicit Oblique(Random& random)
      : m(std::pow(10.0, random.uniform(-3.0, 3.0))),
        r(std::pow(10.0, random.uniform(-2.0, 1.0))),
        k(random.uniform(0.05, 2.0 / 3.0)),
        approach(std::pow(10.0, random.uniform(-2.0, 2.0))) {
    ModelBuilder builder;
    builder.add_free_body("ball", {m, Vector3d::Zero(), k * m * r * r * Matrix3d::Identity()}, {});
    scene.model = builder.build();
    scene.state = make_state(scene.model);
    const Vector3d n = random.unit();
    scene.contacts = {touch(-1, 0, -r * n, n, 0)};
    const Vector3d s = scene.contacts[0].s_W;
    slip = approach * std::pow(10.0, random.uniform(-1.5, 1.5)) *
           (random.uniform(0, 1) < 0.5 ? -1 : 1);
    // The surface moves at v − r ω × n; a spin about n rubs on no model's point.
    const Vector3d spin = random.vector(10.0);
    scene.state.v.head<3>() = spin;
    const Vector3d turning = spin.cross(-r * n);
    scene.state.v.tail<3>() = -approach * n + slip * s - (turning - n * n.dot(turning));
    pose(scene);
  }
  [[nodiscard]] double compression() const { return m * approach; }
  /// Impulse that stops the slip.
  [[nodiscard]] double stop() const { return std::abs(slip) * m / (1.0 + 1.0 / k); }
};

/// Two tangential rates of one planar contact, before or after.
struct Planar {
  double wnn, wnt, wtt;  ///< response
  double n, t;           ///< m/s
  void push(double pn, double pt) {
    n += wnn * pn + wnt * pt;
    t += wnt * pn + wtt * pt;
  }
};

/// Coulomb's law for an impulse that ends with n = 0: sticks, or slides one way.
bool compress(Planar& u, double mu, double& pn, double& pt) {
  const double det = u.wnn * u.wtt - u.wnt * u.wnt;
  pn = -(u.wtt * u.n - u.wnt * u.t) / det;
  pt = -(u.wnn * u.t - u.wnt * u.n) / det;
  bool found = pn >= 0.0 && std::abs(pt) <= mu * pn;
  for (const double way : {1.0, -1.0}) {
    if (found) break;
    pn = -u.n / (u.wnn - mu * way * u.wnt);
    pt = -way * mu * pn;
    found = pn >= 0.0 && way * (u.t + u.wnt * pn + u.wtt * pt) >= 0.0;
  }
  u.push(pn, pt);
  return found;
}

/// Tresca's law: pn is given.
double expand(Planar& u, double mu, double pn) {
  u.push(pn, 0.0);
  const double pt = std::clamp(-u.t / u.wtt, -mu * pn, mu * pn);
  u.push(0.0, pt);
  return pt;
}

}  // namespace

// A ball's slip answers no normal impulse, so it slows by μ p all the way: p_t = μ (1 + e) p of
// compression, or what stops it, under either law. Routh's method (1905), where friction and slip
// are followed through the impact, says the same, as the slip keeps its direction.
TEST_CASE("a spinning ball that bounces obliquely is slowed in compression and expansion alike") {
  Random random(404);
  for (const ContactModel& model : contact_models()) {
    if (!model.rub) continue;
    Worst ratio, motion;
    int slides = 0, stops = 0, stops_late = 0;
    for (int i = 0; i < 400; ++i) {
      Oblique ball(random);
      const double e = i % 5 == 0 ? 1.0 : random.uniform(0.0, 1.0);
      const double mu = std::pow(10.0, random.uniform(std::log10(0.05), 0.0));
      const Restitution law = i % 2 ? Restitution::newton : Restitution::poisson;
      const VectorXd before = ball.scene.problems[0].y;
      const ImpactSolution solution = strike_by(ball.scene, model, law, mu, e);
      const double grip = model.name == "no-slip" ? kInfinity : mu;
      const double most = grip * (1.0 + e) * ball.compression();
      const double pt = std::min(most, ball.stop());
      (most < ball.stop()                        ? slides
       : ball.stop() > grip * ball.compression() ? stops_late
                                                 : stops)++;
      const double way = ball.slip > 0.0 ? -1.0 : 1.0;
      const double size = solution.pn[0] + pt;
      ratio.see(std::abs(solution.pn[0] - (1.0 + e) * ball.compression()) / size);
      ratio.see((solution.pt - Eigen::Vector2d(way * pt, 0.0)).norm() / size);
      const VectorXd y = before + ball.scene.problems[0].normals.col(0) * solution.pn[0] +
                         ball.scene.problems[0].tangents.col(0) * way * pt;
      motion.see((solution.y - y).norm() / before.norm());
      CHECK(solution.loss >= -1e-12 * before.squaredNorm());
      CHECK_FALSE(solution.reduced);
    }
    MESSAGE(std::string(model.name)
            << ": " << slides << " slide, " << stops << " stop, " << stops_late
            << " in expansion; impulse within " << ratio.value() << ", motion " << motion.value());
    CHECK(ratio.value() <= tolerance_of(model));
    CHECK(motion.value() <= tolerance_of(model));
    CHECK(slides + stops + stops_late == 400);
    if (model.name != "no-slip") {
      CHECK(slides > 40);
      CHECK(stops > 40);
      CHECK(stops_late > 10);
    }
  }
}

// A rod's normal impulse turns it and changes its slip, so it may stick in one phase and slide or
// run back in the other: each phase by itself, by Coulomb's law with impulses for forces.
TEST_CASE("a rod that bounces obliquely has Coulomb's law in compression and Tresca's after it") {
  Random random(405);
  const ContactModel& coulomb = *find_contact_model("coulomb");
  int compared = 0, again = 0, reduced = 0, turns = 0;
  Worst impulse, motion;
  for (int i = 0; i < 2000; ++i) {
    const double m = std::pow(10.0, random.uniform(-2.0, 2.0)), l = random.uniform(0.1, 3.0);
    const double I = random.uniform(0.02, 0.5) * m * l * l;
    const double angle = random.uniform(0.1, 3.0);
    const Vector3d c = -l * Vector3d(std::cos(angle), 0.0, std::sin(angle));
    const double mu = random.uniform(0.05, 1.0), e = random.uniform(0.0, 1.0);
    Scene scene;
    ModelBuilder builder;
    builder.add_free_body("rod", {m, Vector3d::Zero(), Vector3d(I, I, I).asDiagonal()}, {});
    scene.model = builder.build();
    scene.state = make_state(scene.model);
    scene.contacts = {touch(-1, 0, c, Vector3d::UnitZ(), 0)};
    scene.state.v << 0.0, random.uniform(-2.0, 2.0), 0.0, random.uniform(-2.0, 2.0), 0.0,
        random.uniform(-3.0, 0.0);
    pose(scene);
    const double w = scene.state.v[1];
    Planar u{1.0 / m + c.x() * c.x() / I, -c.x() * c.z() / I, 1.0 / m + c.z() * c.z() / I,
             scene.state.v[5] - w * c.x(), scene.state.v[3] + w * c.z()};
    if (u.n > -0.01 || mu * std::abs(u.wnt) > 0.9 * u.wnn) continue;  // it has one solution
    double pn = 0.0, pt = 0.0;
    REQUIRE(compress(u, mu, pn, pt));
    const double more = expand(u, mu, e * pn);
    if (u.n < 0.0) {  // friction has pulled it down again: a third phase
      ++again;
      continue;
    }
    const ImpactSolution solution = strike_by(scene, coulomb, Restitution::poisson, mu, e);
    CHECK(solution.loss >= -1e-12 * scene.problems[0].y.squaredNorm());
    if (solution.reduced) {
      ++reduced;
      continue;
    }
    ++compared;
    turns += pt * more < 0.0 ? 1 : 0;
    const double size = (1.0 + e) * pn;
    impulse.see(std::abs(solution.pn[0] - size) / size);
    // The first tangent is along x.
    impulse.see((solution.pt - Eigen::Vector2d(pt + more, 0.0)).norm() / size);
    const VectorXd& y = solution.y;
    motion.see(std::abs(scene.problems[0].normals.col(0).dot(y) - u.n) /
               (scene.problems[0].normals.col(0).norm() * y.norm()));
    motion.see(std::abs(scene.problems[0].tangents.col(0).dot(y) - u.t) /
               (scene.problems[0].tangents.col(0).norm() * y.norm()));
  }
  MESSAGE(compared << " compared, of which " << turns << " turn their friction; impulses within "
                   << impulse.value() << ", motion " << motion.value() << "; " << again
                   << " have a third phase, " << reduced << " a lowered coefficient");
  CHECK(compared > 800);
  CHECK(turns > 20);
  CHECK(impulse.value() <= 1e-9);
  CHECK(motion.value() <= 1e-9);
}

// Boxes on corners, two at once, chains of balls: no model gains in expansion.
TEST_CASE("friction in expansion adds no energy, and keeps its bound, in islands of contacts") {
  Random random(406);
  for (const ContactModel& model : contact_models()) {
    if (!model.rub) continue;
    Worst gain, cone;
    for (int i = 0; i < 60; ++i) {
      Scene scene;
      ModelBuilder builder;
      const double m = random.uniform(0.5, 5.0), half = random.uniform(0.1, 1.0);
      const Matrix3d I = 2.0 / 3.0 * m * half * half * Matrix3d::Identity();
      builder.add_free_body("box", {m, Vector3d::Zero(), I}, {});
      scene.model = builder.build();
      scene.state = make_state(scene.model);
      int index = 0;
      for (const double x : {-half, half})
        for (const double y : {-half, half})
          scene.contacts.push_back(touch(-1, 0, {x, y, -half}, Vector3d::UnitZ(), index++));
      scene.state.v << random.vector(3.0), random.vector(3.0);
      scene.state.v[5] = -std::abs(scene.state.v[5]) - 0.1;
      pose(scene);
      const double mu = random.uniform(0.05, 1.0);
      const ImpactSolution solution =
          strike_by(scene, model, Restitution::poisson, mu, random.uniform(0.1, 1.0));
      gain.see(-solution.loss / scene.problems[0].y.squaredNorm());
      for (int j = 0; j < scene.problems[0].n && model.name != "no-slip"; ++j)
        cone.see((solution.pt.segment<2>(2 * j).norm() - mu * solution.pn[j]) / solution.pn.sum());
    }
    MESSAGE(std::string(model.name)
            << ": gain " << gain.value() << ", beyond the cone " << cone.value());
    CHECK(gain.value() <= 1e-12);
    CHECK(cone.value() <= tolerance_of(model));
  }
}
