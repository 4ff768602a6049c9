#include "simulation/settle/zeno.h"

#include <algorithm>
#include <span>

#include "simulation/rims.h"
#include "simulation/settle/give_back.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/workspace.h"
#include "simulation/taken_solution.h"

namespace pequod {
namespace {

// The touching contacts that leave, and how all bodies accelerate while they do.
struct Lifted {
  std::vector<std::size_t> contacts;
  VectorXd vdot;
};

// A contact that leaves.
struct Flight {
  std::size_t contact;
  double speed;     // m/s, away
  double duration;  // s, until it meets again; +∞ if it does not
};

// N v̇ + Ṅ v of a contact, m/s².
double gap_acceleration_of(const Model& model, const Kinematics& kin, const Contact& contact,
                           const VectorXd& vdot) {
  VectorXd row = VectorXd::Zero(model.nv);
  if (is_joint_limit(contact.key)) {
    row[nth(model.links, contact.link_b).joint.v_index] = contact.sign;
  } else {
    add_contact_row(model, kin, contact, contact.n_W, 1.0, row);
  }
  return row.dot(vdot) + contact.bias;
}

// 1 for the trees that these contacts move.
std::vector<char> mark_trees(const Model& model, const Touching& touching,
                             std::span<const std::size_t> contacts) {
  std::vector<char> marked(model.trees.size(), 0);
  for (const std::size_t i : contacts)
    for (const int link : {touching.contacts[i].link_a, touching.contacts[i].link_b})
      if (link >= 0) nth(marked, tree_of(model, link)) = 1;
  return marked;
}

bool has_marked(const Island& island, const std::vector<char>& marked) {
  return std::ranges::any_of(island.trees, [&](int tree) { return nth(marked, tree) != 0; });
}

// v̇ with the normal forces that the contacts at rest need, which push and may open, in the islands
// of the marked trees. That tells flights, and is no problem of the model: the default solver takes
// it, and no one records it.
void push_apart(const World& world, const Evaluator& here, const State& state,
                const Touching& resting, const std::vector<char>& marked, VectorXd& vdot,
                IslandWorkspace& workspace) {
  const auto contact_time = world.clock->during(StepPart::contact);
  Islands& islands = workspace.islands;
  PosedProblem& posed = workspace.posed;
  ContactSolution& solution = workspace.solution;
  find_islands(world.model(), resting.contacts, islands.all, islands.tree_offset);
  for (const Island& island : islands.all) {
    if (island.contacts.empty() || !has_marked(island, marked)) continue;
    pose_accelerations(world, here, state, resting, vdot, island, islands.tree_offset,
                       Rows::normals, workspace.loop_rates, posed);
    solve_frictionless(posed.problem, least_distance_solvers().front(), posed.warm,
                       workspace.solver, solution);
    require_forces(solution, posed.problem.n, state.t);
    scatter_metric(world.model(), here.factor(), island, solution.y, vdot);
  }
}

// @param touching  gets biases, if contacts leave
Lifted find_lifted(const World& world, const Evaluator& here, const State& state,
                   Touching& touching, SettleWorkspace& workspace) {
  const Model& model = world.model();
  Lifted lifted;
  std::vector<std::size_t> at_rest;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const double speed = normal_velocity(model, here.kinematics(), touching.contacts[i], state.v);
    (speed <= world.tolerance.speed() ? at_rest : lifted.contacts).push_back(i);
  }
  if (lifted.contacts.empty()) return lifted;
  accelerate_freely(world, here, state, touching, workspace.free);
  lifted.vdot = workspace.free.vdot;
  Touching resting;
  for (const std::size_t i : at_rest) resting.add(touching, i);
  push_apart(world, here, state, resting, mark_trees(model, touching, lifted.contacts), lifted.vdot,
             workspace.island);
  return lifted;
}

Flight next_flight(const World& world, const Evaluator& here, const State& state,
                   const Touching& touching, std::size_t i, const VectorXd& vdot) {
  const Contact& contact = touching.contacts[i];
  const double speed = normal_velocity(world.model(), here.kinematics(), contact, state.v);
  const double acceleration = gap_acceleration_of(world.model(), here.kinematics(), contact, vdot);
  return {i, speed, acceleration < 0.0 ? 2.0 * speed / -acceleration : kInfinity};
}

// Where a disc that is nearly flat touches runs around it: no parabola tells its way back.
bool ends_soon(const Flight& flight, const ContactKey& key, const SceneTolerances& tolerance) {
  const bool strays = flight.speed > kHop * tolerance.pace && runs_along_rim(key);
  return !strays && flight.duration <= kZenoFlight * tolerance.pace;
}

// s, from an impact on: the sum of flights that shorten by one ratio, that of the lift after it to
// the fastest approach before it. A ratio near one is of other impacts, and tells of no series.
double rest_of_series(const Flight& flight, double approach) {
  const double ratio = flight.speed / approach;
  return ratio <= kSeriesRatio ? flight.duration / (1.0 - ratio) : flight.duration;
}

// Of contacts at rest and of those whose flights end, which carry once all have ended: those that
// push in a step of impulses as long as such a flight. What does not carry is left to leave: where
// it is nearly a combination of others, as of a body on more facets than it needs, all can be
// closed only by stopping the body.
Touching find_carrying(const World& world, const Evaluator& here, const State& state,
                       const Touching& candidates, const VectorXd& vdot_free,
                       IslandWorkspace& workspace) {
  const auto contact_time = world.clock->during(StepPart::contact);
  Islands& islands = workspace.islands;
  ContactProblem& problem = workspace.posed.problem;
  std::vector<char> carries(candidates.size(), 0);
  find_islands(world.model(), candidates.contacts, islands.all, islands.tree_offset);
  for (const Island& island : islands.all) {
    if (island.contacts.empty()) continue;
    pose_accelerations(world, here, state, candidates, vdot_free, island, islands.tree_offset,
                       rows_of(world.contact), workspace.loop_rates, workspace.posed);
    gather_metric(world.model(), here.factor(), island, state.v, workspace.part);
    problem.c.setZero();
    problem.y = workspace.part + kZenoFlight * world.tolerance.pace * problem.y;
    // Not counted: it tells what carries, and moves nothing.
    solve_by_model(world, problem, {}, "end of hops", state.t, workspace.solver,
                   workspace.solution);
    for (Eigen::Index i = 0; i < problem.n; ++i)
      carries[contact_index(island, i)] = workspace.solution.fn[i] > 0.0 ? 1 : 0;
  }
  return candidates.those([&](std::size_t i) { return carries[i] != 0; });
}

// The contacts whose flights end, and those at rest in their islands.
Touching gather_closing(const Model& model, const Touching& touching, const Lifted& lifted,
                        std::span<const Flight> ending, Islands& islands) {
  std::vector<char> flies(touching.size(), 0);
  std::vector<std::size_t> ends;
  for (const std::size_t i : lifted.contacts) flies[i] = 1;
  for (const Flight& flight : ending) {
    flies[flight.contact] = 0;
    ends.push_back(flight.contact);
  }
  const Touching candidates = touching.those([&](std::size_t i) { return flies[i] == 0; });
  const std::vector<char> marked = mark_trees(model, touching, ends);
  find_islands(model, candidates.contacts, islands.all, islands.tree_offset);
  std::vector<char> near(candidates.size(), 0);
  for (const Island& island : islands.all)
    for (const int i : island.contacts) nth(near, i) = has_marked(island, marked) ? 1 : 0;
  return candidates.those([&](std::size_t i) { return near[i] != 0; });
}

// What approaches once others are closed is closed too. @return whether anything does
bool add_approaching(const World& world, const Evaluator& here, const State& state,
                     const Touching& touching, Touching& closing) {
  const std::size_t before = closing.size();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (normal_velocity(world.model(), here.kinematics(), contact, state.v) <
            -world.tolerance.speed() &&
        !closing.has(contact.key))
      closing.add(touching, i);
  }
  return closing.size() > before;
}

// One round of it. @return how many contacts left; 0 if all of these fly on
std::size_t close_some_flights(const World& world, Evaluator& here, State& state,
                               Touching& touching, double approach, std::vector<EventRow>& events,
                               SettleWorkspace& workspace) {
  find_touching(world, state, here, workspace.touching, touching);
  const Lifted lifted = find_lifted(world, here, state, touching, workspace);
  std::vector<Flight> ending;
  for (const std::size_t i : lifted.contacts) {
    const Flight flight = next_flight(world, here, state, touching, i, lifted.vdot);
    if (ends_soon(flight, touching.contacts[i].key, world.tolerance)) ending.push_back(flight);
  }
  if (ending.empty()) return 0;
  const bool all_end = ending.size() == lifted.contacts.size();
  const std::size_t first = events.size();
  for (const Flight& flight : ending) {
    events.push_back(
        contact_row(state.t, touching.contacts[flight.contact], EventKind::zeno, flight.speed));
    if (all_end) events.back().t += rest_of_series(flight, approach);
  }
  Touching closing =
      gather_closing(world.model(), touching, lifted, ending, workspace.island.islands);
  if (!are_independent(world, here, state, closing, workspace.projection))
    closing = find_carrying(world, here, state, closing, workspace.free.vdot, workspace.island);
  if (closing.size() == 0) return lifted.contacts.size();
  const VectorXd before = state.v;
  do close_contacts(world, here, state, closing, events[first], workspace.projection);
  while (add_approaching(world, here, state, touching, closing));
  give_back_friction(world, here, state, workspace.projection.factor, before, events);
  return lifted.contacts.size();
}

}  // namespace

// What is closed changes the flights of others. What cannot be closed, as other rows hold it,
// flies.
void close_short_flights(const World& world, Evaluator& here, State& state, Touching& touching,
                         double approach, std::vector<EventRow>& events,
                         SettleWorkspace& workspace) {
  std::size_t before = touching.size() + 1;
  for (;;) {
    const std::size_t lifted =
        close_some_flights(world, here, state, touching, approach, events, workspace);
    if (lifted == 0 || lifted >= before) return;
    before = lifted;
  }
}

bool close_hop(const World& world, Evaluator& here, State& state, const Touching& touching,
               const ContactKey& key, std::vector<EventRow>& events, SettleWorkspace& workspace) {
  const auto leaving = [&](const Contact& contact) {
    return normal_velocity(world.model(), here.kinematics(), contact, state.v);
  };
  const auto hop = std::ranges::find(touching.contacts, key, &Contact::key);
  if (hop == touching.contacts.end()) return false;
  const double speed = leaving(*hop);
  if (speed <= world.tolerance.speed() || speed > kHop * world.tolerance.pace) return false;
  events.push_back(contact_row(state.t, *hop, EventKind::zeno, speed));
  const Touching closed = touching.those([&](std::size_t i) {
    const Contact& contact = touching.contacts[i];
    return contact.key == key || leaving(contact) <= world.tolerance.speed();
  });
  close_contacts(world, here, state, closed, events.back(), workspace.projection);
  return true;
}

}  // namespace pequod
