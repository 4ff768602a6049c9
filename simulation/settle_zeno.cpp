// The end of a Zeno sequence: contacts whose next flight would be too short to follow are closed.
#include <algorithm>

#include "simulation/rims.h"
#include "simulation/settle.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

constexpr double kZenoFlight = 1e-5;  // s; 1e-6 loses 5–10 % of tumbles

// m/s: a contact that leaves faster is not back within a flight that short.
constexpr double kHop = 1e-3;

}  // namespace

// N v̇ + Ṅ v of a contact for free_.vdot, m/s².
double Settler::gap_acceleration_of(const Contact& contact) {
  const Model& model = scenario_->model;
  row_.setZero(model.nv);
  if (is_joint_limit(contact.key)) {
    row_[model.links[static_cast<std::size_t>(contact.link_b)].joint.v_index] = contact.sign;
  } else {
    const Kinematics& kin = here_->kinematics();
    add_point_row(model, kin, contact.link_b, contact.p_W, contact.n_W, 1.0, row_);
    add_point_row(model, kin, contact.link_a, contact.p_W, contact.n_W, -1.0, row_);
  }
  return row_.dot(free_.vdot) + contact.bias;
}

// The accelerations that contacts at rest leave, which push and may open; the others are in
// `lifted_`.
void Settler::accelerate_lifted(const State& state, Touching& touching) {
  const Model& model = scenario_->model;
  compute_biases(model, here_->kinematics(), touching);
  classify_joints(state);
  compute_free_acceleration(*scenario_, *here_, state, state.v, touching, false, free_,
                            sliding_joints());
  candidates_.clear();
  lifted_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const double speed = normal_velocity(model, here_->kinematics(), touching.contacts[i], state.v);
    if (speed <= kSpeedTolerance)
      candidates_.add(touching, i);
    else
      lifted_.push_back(i);
  }
  if (lifted_.empty() || candidates_.size() == 0) return;
  const auto contact_time = clock_->during(StepPart::contact);
  find_islands(model, candidates_.contacts, islands_, tree_offset_);
  for (const Island& island : islands_)
    if (!island.contacts.empty()) push_apart(state, island);
}

// free_.vdot of one island with the normal forces that its candidates need. That tells flights, and
// is no problem of the model: the default solver takes it, and no one records it.
void Settler::push_apart(const State& state, const Island& island) {
  const Model& model = scenario_->model;
  pose_accelerations(state, island, true);
  solve_frictionless(problem_, least_distance_solvers().front(), warm_, workspace_, solution_);
  require_solved(state);
  part_ = solution_.y;
  island_solve_L(model, here_->factor(), island, part_);
  scatter(model, island, part_, free_.vdot);
}

// sticking_ of candidates_: at the acceleration level those that rub and have no slip.
void Settler::hold_slips(const State& state) {
  here_->at(state.q, state.v);
  const bool velocity = model_->level == ContactLevel::velocity;
  sticking_.assign(candidates_.size(), velocity ? 1 : 0);
  if (velocity || model_->friction == StageFriction::none) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Contact& contact = candidates_.contacts[i];
    const double slip = slip_velocity(scenario_->model, here_->kinematics(), contact).norm();
    const bool rubs = !is_joint_limit(contact.key) && contact.surface.friction > 0.0;
    sticking_[i] =
        model_->friction == StageFriction::no_slip || (rubs && slip <= kSlipRest) ? 1 : 0;
  }
}

// s, until a contact that separates with `speed` meets again; +∞ if it does not.
double Settler::next_flight(const Contact& contact, double speed) {
  const double acceleration = gap_acceleration_of(contact);
  return acceleration < 0.0 ? 2.0 * speed / -acceleration : kInfinity;
}

// s, from an impact on: the sum of flights that shorten by one ratio, that of the lift after it to
// the fastest approach before it.
double Settler::rest_of_series(double flight, double speed) const {
  const double ratio = speed / approach_;
  return ratio < 1.0 ? flight / (1.0 - ratio) : flight;
}

// What is closed changes the flights of others. What cannot be closed, as other rows hold it,
// flies.
void Settler::close_short_flights(State& state, Touching& touching, std::vector<EventRow>& events) {
  std::size_t before = touching.size() + 1;
  while (close_some_flights(state, touching, events) && lifted_.size() < before)
    before = lifted_.size();
}

bool Settler::close_some_flights(State& state, Touching& touching, std::vector<EventRow>& events) {
  const Model& model = scenario_->model;
  find(state, touching);
  accelerate_lifted(state, touching);
  close_.assign(touching.size(), 1);
  std::size_t flying = 0;
  for (const std::size_t i : lifted_) {
    const Contact& contact = touching.contacts[i];
    const double speed = normal_velocity(model, here_->kinematics(), contact, state.v);
    // Where a disc that is nearly flat touches runs around it: no parabola tells its way back.
    const bool strays = speed > kHop && runs_along_rim(contact.key);
    close_[i] = !strays && next_flight(contact, speed) <= kZenoFlight ? 1 : 0;
    flying += close_[i] ? 0 : 1;
  }
  if (flying == lifted_.size()) return false;
  const std::size_t first = events.size();
  for (const std::size_t i : lifted_) {
    if (!close_[i]) continue;
    const Contact& contact = touching.contacts[i];
    EventRow row = contact_row(state.t, contact, EventKind::zeno);
    row.speed_before = normal_velocity(model, here_->kinematics(), contact, state.v);
    if (flying == 0)
      row.t += rest_of_series(next_flight(contact, row.speed_before), row.speed_before);
    events.push_back(row);
  }
  candidates_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (close_[i]) candidates_.add(touching, i);
  close_candidates(state, events[first]);
  return true;
}

// Stops candidates_ along their normals, and along their tangents where they have no slip; `row`
// tells what that cost.
void Settler::close_candidates(State& state, EventRow& row) {
  hold_slips(state);
  double loss = 0.0;
  project(state, candidates_, sticking_, loss);
  state.ledger.impact_loss += loss;
  row.energy_change -= loss;
}

// A solver takes an approach below its residual for none, and would for ever: it is projected away.
void Settler::stop_approaches(State& state, const Touching& touching, EventRow& row) {
  candidates_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (before_[i] <= kSpeedTolerance) candidates_.add(touching, i);
  close_candidates(state, row);
}

bool Settler::close_hop(State& state, Touching& touching, const ContactKey& key,
                        std::vector<EventRow>& events) {
  const auto leaving = [&](const Contact& contact) {
    return normal_velocity(scenario_->model, here_->kinematics(), contact, state.v);
  };
  const auto hop = std::find_if(touching.contacts.begin(), touching.contacts.end(),
                                [&](const Contact& contact) { return contact.key == key; });
  if (hop == touching.contacts.end()) return false;
  const double speed = leaving(*hop);
  if (speed <= kSpeedTolerance || speed > kHop) return false;
  events.push_back(contact_row(state.t, *hop, EventKind::zeno));
  events.back().speed_before = speed;
  candidates_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (contact.key == key || leaving(contact) <= kSpeedTolerance) candidates_.add(touching, i);
  }
  close_candidates(state, events.back());
  return true;
}

}  // namespace pequod
