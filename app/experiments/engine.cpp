// A four-cylinder engine held together by contact alone (Drumwright & Shell 2010, Figs. 3 and 4).
#include "app/experiments/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pequod::app {
namespace {

// Of examples/engine/make_engine.py, m.
constexpr double kThrow = 0.04, kConRod = 0.14, kSpacing = 0.09, kClearance = 1e-4;
constexpr double kJournal = 0.014, kCrankPin = 0.012, kWristPin = 0.010, kPiston = 0.04;
constexpr double kCrownLow = 0.018, kCrownHigh = 0.048;  // above the wrist pin
constexpr std::array<double, 4> kSides{1.0, -1.0, -1.0, 1.0};

// How far a pin's axis can be from its bore's. Both have 16 sides: the pin's corners lie on its
// circle, the bore's sides touch one that is wider by the clearance.
double play(double radius) {
  const double flat = std::cos(std::numbers::pi / 16.0);
  return (radius + kClearance - radius * flat) / flat;
}

// Most that a piston's height can be off by play: along the rod, and aside as far as that leans.
double height_play() {
  const double bearings = play(kJournal) + play(kCrankPin) + play(kWristPin);
  // A piston that leans has its pin, below the crown, farther aside than the crown.
  const double aside = play(kPiston) * (1.0 + 2.0 * kCrownLow / (kCrownHigh - kCrownLow));
  const double lean = std::tan(std::asin((kThrow + bearings + aside) / kConRod));
  return bearings * std::hypot(1.0, lean) + lean * aside;
}

/// Sums since the start.
struct EngineSums {
  double t = 0.0, work = 0.0, lost = 0.0, kinetic = 0.0;  // s, J; lost by impacts
  double steps = 0.0, contacts = 0.0;                     // the latter over all steps
};

struct EngineRun {
  double start = NAN, angle = NAN;  // rad, of the crank
  std::vector<EngineSums> turns;    // at the start, and after each turn
  EngineSums now;
  double height = 0.0, beyond = -kInfinity;       // m: heights off; beyond the play of a bearing
  double first = NAN, last = NAN;                 // J, energy less work
  double gained = -kInfinity, rise = -kInfinity;  // J: its most above the first; between records
  int most_contacts = 0;
  StepTimes spent;
  RunStatistics statistics;
  std::string ended;  // why it did not reach the end

  [[nodiscard]] double turned() const { return (angle - start) / (2.0 * std::numbers::pi); }
};

double in_plane(const Vector3d& p) { return std::hypot(p.x(), p.z()); }

// The links stand as in the scene: the crank, then rod and piston of each cylinder.
void look_at_bearings(const Kinematics& kin, EngineRun& run) {
  const Pose& crank = kin.links[0].X_WL;
  for (std::size_t k = 0; 2 * k + 1 < kin.links.size(); ++k) {
    const Pose &rod = kin.links[2 * k + 1].X_WL, &piston = kin.links[2 * k + 2].X_WL;
    const double y = kSpacing * static_cast<double>(k), x = kThrow * std::sin(run.angle);
    const Vector3d axis = crank * Vector3d(0.0, y, 0.0);
    const Vector3d pin = crank * Vector3d(0.0, y, kSides[k] * kThrow);
    const Vector3d small_end = rod * Vector3d(0.0, 0.0, kConRod);
    run.beyond = std::max({run.beyond, in_plane(axis) - play(kJournal),
                           in_plane(pin - rod.p) - play(kCrankPin),
                           in_plane(small_end - piston.p) - play(kWristPin)});
    const double height =
        kSides[k] * kThrow * std::cos(run.angle) + std::sqrt(kConRod * kConRod - x * x);
    run.height = std::max(run.height, std::abs(piston.p.z() - height));
  }
}

void look_at_engine(const State& state, const Kinematics& kin, const EnergyReport& energy,
                    EngineRun& run) {
  const Matrix3d& R = kin.links[0].X_WL.R;
  const double angle = std::atan2(R(0, 2), R(2, 2)), turn = 2.0 * std::numbers::pi;
  const double left = energy.total - state.ledger.external_work;
  run.now.t = state.t;
  run.now.work = state.ledger.external_work;
  run.now.lost = state.ledger.impact_loss;
  run.now.kinetic = energy.kinetic;
  if (std::isnan(run.start)) {
    run.start = run.angle = angle;
    run.first = run.last = left;
    run.turns = {run.now};
  }
  run.angle += std::remainder(angle - run.angle, turn);
  run.gained = std::max(run.gained, left - run.first);
  if (state.t > run.turns.front().t) run.rise = std::max(run.rise, left - run.last);
  run.last = left;
  look_at_bearings(kin, run);
  if (run.turned() >= static_cast<double>(run.turns.size())) run.turns.push_back(run.now);
}

// Ends after so many turns, or at the scene's duration.
EngineRun run_engine(const Scenario& scenario, double turns) {
  EngineRun run;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport& energy) {
    look_at_engine(state, kin, energy, run);
  };
  observer.step = [&](const StepReport& step) {
    run.now.steps += 1.0;
    run.now.contacts += step.contacts;
    run.most_contacts = std::max(run.most_contacts, step.contacts);
    run.spent.dynamics += step.times.dynamics;
    run.spent.collision += step.times.collision;
    run.spent.contact += step.times.contact;
  };
  Simulation simulation(scenario, observer);
  try {
    while (run.turned() < turns || std::isnan(run.start))
      if (!simulation.step()) break;
  } catch (const std::exception& error) {
    run.ended = fmt::format("{:g} s: {}", simulation.state().t, error.what());
  }
  run.statistics = simulation.statistics();
  return run;
}

void check_engine(const Stage& stage, const std::string& name, const EngineRun& run) {
  stage.at_most(name, "runs that did not end", run.ended.empty() ? 0.0 : 1.0, 0.0);
  stage.at_most(name, "deepest, any pair, any time, m", run.statistics.max_penetration, 1e-9);
  stage.at_most(name, "residual of any solve, relative", run.statistics.worst_residual, 1e-8);
  stage.at_most(name, "axes of a pin and its bore, beyond the play of their sides, m", run.beyond,
                1e-9);
  stage.at_most(name, "piston off r cos φ + √(l² − r² sin² φ), m; asked: what play allows",
                run.height, height_play(), "within the clearance");
  stage.at_most(name, "energy above that at the start and the work since, J", run.gained, 1e-12,
                "never more");
}

std::vector<Cell> engine_row(const std::string& name, const EngineRun& run) {
  return {name,
          run.now.t,
          run.turned(),
          run.now.steps,
          run.now.contacts / run.now.steps,
          static_cast<double>(run.most_contacts),
          static_cast<double>(nth(run.statistics.events, EventKind::impact)),
          static_cast<double>(run.statistics.fallbacks),
          run.spent.dynamics + run.spent.collision + run.spent.contact,
          run.spent.collision,
          run.spent.contact,
          run.rise,
          run.statistics.energy_residual_max,
          run.ended.empty() ? Cell("ran") : Cell(run.ended)};
}

void show_turns(const Stage& stage, const EngineRun& run) {
  Table table{"engine: each turn of the crank; energy that impacts of faceted parts take",
              {"turn", "ends, s", "mean speed, rad/s", "work, J", "lost, J", "lost/work",
               "kinetic, J", "contacts, mean"},
              {}};
  for (std::size_t i = 1; i < run.turns.size(); ++i) {
    const EngineSums &a = run.turns[i - 1], &b = run.turns[i];
    table.rows.push_back({static_cast<double>(i), b.t, 2.0 * std::numbers::pi / (b.t - a.t),
                          b.work - a.work, b.lost - a.lost, (b.lost - a.lost) / (b.work - a.work),
                          b.kinetic, (b.contacts - a.contacts) / (b.steps - a.steps)});
  }
  stage.show(table);
}

const Table kEngineRuns{
    "h = 0.1 ms, torque 5 N m",
    {"run", "simulated, s", "turns", "steps", "contacts, mean", "most", "impacts", "fallbacks", "s",
     "collision, s", "contact, s", "rise, J", "residual, J", "end"},
    {}};

// Impulses of QP 1 are of first order in the step, and so is the energy that they keep; forces in
// the stages of RK4 keep it exactly.
void one_cylinder(const Stage& stage) {
  Table table = kEngineRuns;
  Scenario scenario = stage.load("one_cylinder");
  scenario.duration = stage.quick ? 0.006 : 0.1;
  EngineRun run = run_engine(scenario, kInfinity);
  check_engine(stage, "one_cylinder", run);
  table.rows.push_back(engine_row("one cylinder, QP 1", run));
  scenario.contact.model = "anitescu-potra";
  scenario.contact.solver = "lemke";
  scenario.contact.edges = 4;
  table.rows.push_back(engine_row("one cylinder, Lemke", run_engine(scenario, kInfinity)));
  scenario.contact.model = "frictionless";
  scenario.contact.solver = {};
  scenario.integrator.method = "rk4";
  scenario.duration = stage.quick ? 0.006 : 0.05;
  run = run_engine(scenario, kInfinity);
  table.rows.push_back(engine_row("one cylinder, RK4", run));
  stage.show(table);
  stage.at_most("one_cylinder", "RK4: largest rise of energy less work between two records, J",
                run.rise, 1e-9, "never more");
}

// The first six turns stay in a plane; then parts tilt, and steps take several times as long.
void four_cylinders(const Stage& stage) {
  Scenario scenario = stage.load("engine");
  scenario.duration = stage.quick ? 0.003 : 2.0;
  const EngineRun run = run_engine(scenario, 10.0);
  check_engine(stage, "engine", run);
  Table table = kEngineRuns;
  table.rows.push_back(engine_row("four cylinders, QP 1", run));
  stage.show(table);
  if (stage.quick) return;
  stage.at_least("engine", "turns of the crank", run.turned(), 10.0, "not given");
  show_turns(stage, run);
}

}  // namespace

extern const Experiment kEngine{
    "engine",
    "four cylinders held together by contact alone (Drumwright & Shell 2010, Figs. 3 and 4)",
    {engine_solves, one_cylinder, four_cylinders},
    "examples/engine"};

}  // namespace pequod::app
