#include "test/simulation/random_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "simulation/errors.h"
#include "test/simulation/referee.h"
#include "test/support/textbook_model.h"

namespace pequod::test {
namespace {

struct Stall : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of the energy scale: what an integrator of order one may be off by over 400 steps of 1 to 4 ms at
// 15 rad/s; higher orders are far below.
constexpr double kResidual = 0.2;

/// Watches one run.
class Judge {
 public:
  Judge(const Scenario& scenario, const JudgeOptions& options)
      : scenario_(scenario), half_(scenario), options_(options), referee_(scenario.model) {
    half_.integrator.step *= 0.5;
  }

  Verdict run() {
    try {
      watch();
    } catch (const Stall& stall) {
      fail("stall", stall.what());
    } catch (const DivergenceError& error) {
      fail("divergence", error.what());
    } catch (const ContactError& error) {
      fail("contact error", error.what());
    } catch (const std::exception& error) {
      fail("exception", error.what());
    }
    return verdict_;
  }

 private:
  void fail(const std::string& kind, const std::string& detail) {
    if (verdict_.failure.empty()) verdict_.failure = kind, verdict_.detail = detail;
  }

  // What no step excuses counts before a residual, which a finer one may.
  void forbid(const std::string& kind, const std::string& detail) {
    if (verdict_.failure == "residual") verdict_.failure.clear();
    fail(kind, detail);
  }

  Observer observer() {
    Observer observer;
    const auto one_more = [this](const auto&...) {
      if (++verdict_.problems > options_.bounds.problems) throw Stall("too many contact problems");
    };
    observer.problem = {one_more, one_more, one_more, one_more,
                        one_more, one_more, one_more, nullptr};
    observer.events = [this](std::span<const EventRow> rows) {
      events_ += rows.size();
      for (const EventRow& row : rows) gained(row.energy_change);
    };
    return observer;
  }

  void gained(double energy) {
    verdict_.gain = std::max(verdict_.gain, energy / std::max({scale_, kinetic_, 1e-300}));
  }

  // J: kinetic energy, and what falling through a metre would give.
  double energy_scale(Simulation& run) const {
    double sum = kinetic(run.state());
    for (const Link& link : scenario_.model.links)
      sum += link.inertia.mass * scenario_.model.gravity.norm() * 1.0;
    return sum;
  }

  void watch() {
    Simulation run(scenario_, observer());
    scale_ = energy_scale(run);
    for (;;) {
      const State start = run.state();
      const RunStatistics statistics = run.statistics();
      const std::size_t events = events_;
      const bool more = run.step();
      look(run);
      if (!more) break;
      if (++verdict_.steps > options_.bounds.steps)
        throw Stall(fmt::format("{} steps, t = {}", verdict_.steps, run.state().t));
      const double h = run.state().t - start.t;
      const bool whole = std::abs(h - scenario_.integrator.step) < 1e-12;
      if (options_.orders && events == events_ && whole && verdict_.steps % 16 == 1)
        compare(run, start, statistics);
    }
  }

  void look(Simulation& run) {
    const State& state = run.state();
    for (const VectorXd* part : {&state.q, &state.v, &state.tau})
      for (const double x : *part) mix(x);
    for (const ContactMode& mode : state.mode)
      for (const double x : mode.force_W) mix(x);
    mix(state.t);
    mix(residual_of(state));
    kinetic_ = kinetic(state);
    if (verdict_.steps % options_.looks == 0) referee_.look(state);
    verdict_.penetration = std::max(referee_.overlap(), run.statistics().max_penetration);
    verdict_.fallbacks = run.statistics().fallbacks;
    verdict_.gain = std::max(verdict_.gain, run.statistics().worst_gain);
    if (!state.q.allFinite() || !state.v.allFinite())
      forbid("not finite", fmt::format("t = {}", state.t));
    if (verdict_.penetration > 1e-9)
      forbid("penetration", fmt::format("{} m at t = {}", verdict_.penetration, state.t));
    const double off = std::abs(residual_of(state)) / scale_;
    // Their energy may not grow but by what motors and forces put in.
    const Ledger& l = state.ledger;
    const double grown = (energy(state) - l.initial - l.actuator_work - l.external_work) / scale_;
    if (!(grown <= kResidual))
      fail("residual", fmt::format("{} more energy at t = {}", grown, state.t));
    if (!(off <= kResidual)) fail("residual", fmt::format("{} relative at t = {}", off, state.t));
    const RunStatistics statistics = run.statistics();
    verdict_.newton = statistics.worst_newton;
    if (!(verdict_.newton <= options_.newton))
      forbid("newton",
             fmt::format("forces off by {} of themselves at t = {}", verdict_.newton, state.t));
    if (verdict_.gain > options_.gain)
      forbid("gain", fmt::format("{} relative at t = {}", verdict_.gain, state.t));
  }

  // Fowler, Noll & Vo's hash, a word at a time.
  void mix(double x) {
    verdict_.bits = (verdict_.bits ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211U;
  }

  // The same stretch with half the step, from the same state.
  void compare(Simulation& run, const State& start, const RunStatistics& statistics) {
    const double whole = residual_of(run.state()) - residual_of(start);
    Simulation finer(half_, start, statistics, {});
    const double end = run.state().t - 1e-12;
    const auto before = finer.statistics();
    while (finer.state().t < end && finer.step()) {
    }
    if (finer.statistics().events != before.events) return;
    verdict_.residual += std::abs(whole) / scale_;
    verdict_.residual_half += std::abs(residual_of(finer.state()) - residual_of(start)) / scale_;
  }

  double kinetic(const State& state) const {
    return textbook_kinetic(scenario_.model, state.q, state.v);
  }

  double energy(const State& state) const {
    return kinetic(state) + textbook_potential(scenario_.model, state.q);
  }

  // What the columns of the ledger leave unexplained, with a textbook's energies.
  double residual_of(const State& state) const {
    const Ledger& l = state.ledger;
    return energy(state) - l.initial - l.actuator_work - l.external_work + l.damping_loss +
           l.friction_loss + l.impact_loss + l.zeno_loss + l.stabilisation + l.normal_loss;
  }

  const Scenario& scenario_;
  Scenario half_;
  JudgeOptions options_;
  Verdict verdict_;
  double scale_ = 1.0, kinetic_ = 0.0;  // J, of the start and of the step before
  std::size_t events_ = 0;
  Referee referee_;
};

}  // namespace

// Bodies that spin by a radian a step are beyond what the order of an integrator says of it: with a
// sixteenth of the step they must be within.
Verdict judge(const Scenario& scenario, const JudgeOptions& options) {
  constexpr int kFiner = 16;
  Verdict verdict = Judge(scenario, options).run();
  if (verdict.failure != "residual") return verdict;
  Scenario finer = scenario;
  finer.integrator.step /= kFiner;
  JudgeOptions more = options;
  more.bounds = {kFiner * options.bounds.steps, kFiner * options.bounds.problems};
  Verdict again = Judge(finer, more).run();
  again.refined = true;
  again.penetration = std::max(again.penetration, verdict.penetration);
  again.gain = std::max(again.gain, verdict.gain);
  again.newton = std::max(again.newton, verdict.newton);
  again.residual = again.residual_half = 0.0;
  return again;
}

}  // namespace pequod::test
