#include "simulation/settle/impacts.h"

#include <algorithm>
#include <cmath>

#include "simulation/loop/budget.h"
#include "simulation/rims.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/workspace.h"
#include "simulation/slide_mode.h"
#include "simulation/taken_solution.h"

namespace pequod {
namespace {

// The contacts of the state, with the points that rims need which sink: their normal velocities.
std::vector<double> find_approaches(const World& world, Evaluator& here, State& state,
                                    Touching& touching, SettleWorkspace& workspace) {
  find_touching(world, state, here, workspace.touching, touching);
  if (has_discs(world.model(), touching) &&
      add_sinking_rims(world, here.kinematics(), {world.tolerance.speed()}, touching,
                       state.loop.rims))
    find_touching(world, state, here, workspace.touching, touching);
  return normal_velocities(world, here, state, touching);
}

// A solver takes an approach below its residual for none, and would for ever: what approaches is
// pushed apart without friction, to the last digit.
void stop_approaches(const World& world, Evaluator& here, State& state, const Touching& touching,
                     EventRow& row, IslandWorkspace& workspace) {
  const Model& model = world.model();
  here.at(state.q, state.v);
  const auto contact_time = world.clock->during(StepPart::contact);
  const double before = kinetic_energy(model, here.kinematics(), state.v);
  ContactProblem& problem = workspace.posed.problem;
  find_islands(model, touching.contacts, workspace.islands.all, workspace.islands.tree_offset);
  for (const Island& island : workspace.islands.all) {
    if (island.contacts.empty()) continue;
    assemble(world, here, touching.contacts, island, workspace.islands.tree_offset, Rows::normals,
             problem);
    gather_metric(model, here.factor(), island, state.v, problem.y);
    problem.c.setZero(problem.n);
    solve_frictionless(problem, least_distance_solvers().front(), {}, workspace.solver,
                       workspace.solution);
    require_forces(workspace.solution, problem.n, state.t);
    scatter_metric(model, here.factor(), island, workspace.solution.y, state.v);
  }
  here.at(state.q, state.v);
  const double loss = before - kinetic_energy(model, here.kinematics(), state.v);
  state.ledger.impact_loss += loss;
  row.energy_change -= loss;
}

// The impact of one island's contacts, with restitution unless it is plastic: bounces of e = 1 do
// not die away.
StepStats solve_impact(const World& world, const Evaluator& here, const State& state,
                       const Touching& touching, const Island& island,
                       std::span<const int> tree_offset, bool plastic, ImpactSolution& impact,
                       IslandWorkspace& workspace) {
  const auto contact_time = world.clock->during(StepPart::contact);
  const Model& model = world.model();
  ContactProblem& problem = workspace.posed.problem;
  assemble(world, here, touching.contacts, island, tree_offset, rows_of(world.contact), problem);
  gather_metric(model, here.factor(), island, state.v, problem.y);
  std::vector<double> restitution;
  for (const int i : island.contacts) {
    const double e = nth(touching.contacts, i).surface.restitution;
    restitution.push_back(plastic && e < 1.0 ? 0.0 : e);
  }
  resolve_impact(problem, world.contact, world.solver, world.restitution, restitution, {},
                 workspace.solver, impact);
  StepStats stats = take_solution(world, {"impact", problem.n, state.t}, end_of(impact));
  stats += {.pivots = impact.pivots,
            .solves = 1,
            .residual = impact.residual,
            .reduced = impact.reduced ? 1 : 0,
            .switches = impact.switches};
  return stats;
}

// Largest coefficient of a contact that approaches.
double largest_restitution(const World& world, const Touching& touching,
                           const std::vector<double>& before) {
  double largest = 0.0;
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (before[i] < -world.tolerance.speed())
      largest = std::max(largest, touching.contacts[i].surface.restitution);
  return largest;
}

void read_impulses(const Island& island, const ImpactSolution& impact, ContactImpulses& impulses) {
  for (Eigen::Index i = 0; i < impact.pn.size(); ++i) {
    const std::size_t index = contact_index(island, i);
    impulses.impulse[index] << impact.pn[i], std::hypot(impact.pt[2 * i], impact.pt[2 * i + 1]);
    impulses.sticking[index] = nth(impact.sticking, i);
  }
}

// One round of impacts.
struct Round {
  const Touching& touching;
  const std::vector<double>& before;  // m/s, normal velocities
  bool all = false;                   // of all islands, not of those alone where one approaches
  bool plastic = false;               // without restitution, but of e = 1
};

// @param impacts  its solves are added
void impact_once(const World& world, Evaluator& here, State& state, const Round& round,
                 Impacts& impacts, std::vector<EventRow>& events, SettleWorkspace& workspace) {
  const Touching& touching = round.touching;
  const Model& model = world.model();
  const auto approaches = [&](int i) { return nth(round.before, i) < -world.tolerance.speed(); };
  ContactImpulses impulses(round.before);
  Islands& islands = workspace.island.islands;
  find_islands(model, touching.contacts, islands.all, islands.tree_offset);
  ImpactSolution& impact = workspace.impact;
  VectorXd v = state.v;
  double loss = 0.0;
  bool any = false;
  for (const Island& island : islands.all) {
    const bool hit = std::ranges::any_of(island.contacts, approaches);
    any = any || hit;
    if (!hit && !round.all) continue;
    impacts.stats += solve_impact(world, here, state, touching, island, islands.tree_offset,
                                  round.plastic, impact, workspace.island);
    impacts.contacts = std::max(impacts.contacts, static_cast<int>(island.contacts.size()));
    loss += impact.loss;
    read_impulses(island, impact, impulses);
    scatter_metric(model, here.factor(), island, impact.y, v);
  }
  state.v = v;
  state.ledger.impact_loss += loss;
  here.at(state.q, state.v);
  report_impulses(world, here, state, touching, impulses, EventKind::impact, loss, events);
  if (any && impulses.none())
    stop_approaches(world, here, state, touching, events.back(), workspace.island);
}

// Whether a contact rebounds and is about to meet. @param speed  m/s, its normal velocity
bool meets(const Contact& contact, double speed, const Meeting& meeting) {
  if (contact.surface.restitution == 0.0 || speed >= -meeting.slow) return false;
  if (contact.gap + speed * meeting.span < 0.0) return true;
  const ContactMode* mode = meeting.tried ? find_mode(*meeting.tried, contact.key) : nullptr;
  return mode && normal_force(*mode) > 0.0;
}

}  // namespace

bool ContactImpulses::none() const {
  return std::ranges::all_of(impulse, [](const Eigen::Vector2d& p) { return p.isZero(0.0); });
}

std::vector<double> normal_velocities(const World& world, const Evaluator& here, const State& state,
                                      const Touching& touching) {
  std::vector<double> speeds;
  for (const Contact& contact : touching.contacts)
    speeds.push_back(normal_velocity(world.model(), here.kinematics(), contact, state.v));
  return speeds;
}

void report_impulses(const World& world, const Evaluator& here, const State& state,
                     const Touching& touching, const ContactImpulses& impulses, EventKind kind,
                     double loss, std::vector<EventRow>& events) {
  bool first = true;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (impulses.impulse[i].isZero() && impulses.before[i] >= -world.tolerance.speed()) continue;
    EventRow row =
        contact_row(state.t, contact, is_joint_limit(contact.key) ? EventKind::limit : kind,
                    impulses.before[i]);
    row.speed_after = normal_velocity(world.model(), here.kinematics(), contact, state.v);
    row.impulse_n = impulses.impulse[i].x();
    row.impulse_t = impulses.impulse[i].y();
    row.energy_change = first ? -loss : 0.0;
    first = false;
    events.push_back(row);
  }
}

bool must_grip(const World& world, const Evaluator& here, const State& state,
               const Touching& touching) {
  if (world.contact.friction != StageFriction::no_slip || world.velocity_level()) return false;
  const Model& model = world.model();
  return std::ranges::any_of(touching.contacts, [&](const Contact& c) {
    return normal_velocity(model, here.kinematics(), c, state.v) <= world.tolerance.speed() &&
           slip_velocity(model, here.kinematics(), c).norm() > world.tolerance.slip_rest();
  });
}

Impacts resolve_impacts(const World& world, Evaluator& here, State& state, Touching& touching,
                        std::vector<EventRow>& events, SettleWorkspace& workspace) {
  Impacts impacts;
  // m/s, half of what was projected away in the rounds before, until an impact: rows that all but
  // repeat others are left out of a projection.
  double projected = kInfinity;
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::vector<double> before = find_approaches(world, here, state, touching, workspace);
    double fastest = 0.0;
    for (const double speed : before) fastest = std::max(fastest, -speed);
    impacts.approach = std::max(impacts.approach, fastest);
    const bool grips = round == 0 && must_grip(world, here, state, touching);
    if (fastest <= world.tolerance.speed() && !grips) return impacts;
    impacts.any = true;
    if (round > 0 && !events.empty() &&
        fastest < std::min(kLeftApproach * state.v.norm(), projected)) {
      projected = 0.5 * fastest;
      stop_approaches(world, here, state, touching, events.back(), workspace.island);
    } else {
      projected = kInfinity;
      impacts.restitution =
          std::max(impacts.restitution, largest_restitution(world, touching, before));
      impact_once(world, here, state, {touching, before, grips, round >= kBouncingRounds}, impacts,
                  events, workspace);
    }
    if (round + 1 == kBouncingRounds) events.push_back(fallback_row(state.t));
  }
  spend_all(state.loop.budget);
  return impacts;
}

Impacts resolve_meetings(const World& world, Evaluator& here, const Meeting& meeting,
                         const Touching& within, State& state, std::vector<EventRow>& events,
                         SettleWorkspace& workspace) {
  Impacts impacts;
  here.at(state.q, state.v);
  const std::vector<double> speeds = normal_velocities(world, here, state, within);
  std::vector<double> before;  // of those that take part
  const Touching touching = within.those([&](std::size_t i) {
    const bool hit = meets(within.contacts[i], speeds[i], meeting);
    const bool part = hit || within.contacts[i].gap <= world.tolerance.gap();
    impacts.any = impacts.any || hit;
    if (part) before.push_back(speeds[i]);
    return part;
  });
  if (!impacts.any) return impacts;
  impact_once(world, here, state, {touching, before}, impacts, events, workspace);
  return impacts;
}

}  // namespace pequod
