// The certificate of a step at the velocity level.
#include <algorithm>
#include <cmath>

#include "app/certify/followed.h"
#include "app/certify/step_check.h"
#include "app/certify/step_parts.h"
#include "app/certify/step_terms.h"
#include "simulation/resting.h"
#include "simulation/trial/tolerances.h"

namespace pequod::app::certify {
namespace {

// What the solver was told that rows turn by over the step, as a velocity, and which contacts that
// is of: none where it was told nothing, because they turn too far for it.
struct Turn {
  VectorXd v;                 // m/s, rad/s
  std::vector<char> turning;  // of each contact: bit 1 its normal, bit 2 its tangents
};

Turn told_turn(const StepStart& start, const Trial& trial) {
  const Model& model = start.terms.model();
  const MassFactor& factor = start.terms.factor();
  Turn turn{VectorXd::Zero(model.nv), std::vector<char>(start.touching.size(), 0)};
  for (std::size_t k = 0; k < start.impulses.islands.size(); ++k) {
    const Island& island = start.impulses.islands[k];
    const ContactProblem& problem = start.impulses.problems[k];
    VectorXd part = trial.tau * start.impulses.turn[k], free;
    gather_metric(model, factor, island, trial.v_free, free);
    if (part.norm() > kMostTurned * free.norm()) continue;
    scatter_metric(model, factor, island, part, turn.v);
    for (int i = 0; i < problem.n; ++i) {
      const std::size_t index = contact_index(island, i);
      if (start.impulses.turns.empty() || start.impulses.turns[index] != Turns::with_contact)
        continue;
      const ContactMode* mode = find_mode(start.state, start.touching.contacts[index].key);
      const bool sticks = mode && mode->closed && mode->sticking && nth(problem.patch, i) == i;
      turn.turning[index] = sticks ? 3 : 1;
    }
  }
  return turn;
}

// Single bodies that spin: symplectic Euler takes their turn as a splitting. And what rests, which
// no step moves.
std::vector<char> not_moved_freely(const Model& model, const State& state) {
  std::vector<char> others;
  for (const Tree& tree : model.trees) {
    const Joint& base = nth(model.links, tree.first_link).joint;
    const bool single = tree.links == 1 && base.type == JointType::free;
    const bool spins = single && !state.v.segment<3>(base.v_index).isZero(0.0);
    others.push_back(spins || rests(model, state.loop.resting, tree.first_link) ? 1 : 0);
  }
  return others;
}

// N, on b: viscous friction, which is told together with the impulse of a contact.
Vector3d viscous_at(const Trial& trial, std::size_t i) {
  if (trial.motion.viscous.empty()) return Vector3d::Zero();
  return trial.motion.viscous[i];
}

// Generalised.
VectorXd viscous_force(const StepStart& start, const Trial& trial, const Kinematics& kin) {
  const Model& model = start.terms.model();
  VectorXd force = VectorXd::Zero(model.nv);
  for (std::size_t i = 0; i < start.touching.size(); ++i)
    add_contact_row(model, kin, start.touching.contacts[i], viscous_at(trial, i), 1.0, force);
  return force;
}

double free_velocity_residual(const Scenario& scenario, const StepStart& start, const Trial& trial,
                              const Kinematics& kin) {
  const Model& model = scenario.model;
  const VectorXd rate = (trial.v_free - start.state.v) / trial.tau;
  Balance balance(newton_euler(model, kin, rate, model.gravity));
  balance.take(applied_force(scenario, start.state, kin, start.state.v) +
               viscous_force(start, trial, kin));
  const std::vector<double> floor = motion_floors(model, kin, start.state.v, rate, trial.tau);
  return balance.worst(model, start.terms.mass(), floor, not_moved_freely(model, start.state));
}

double newton_of_impulses(const StepStart& start, const Trial& trial, const Kinematics& still,
                          const std::vector<double>& roots) {
  const Model& model = start.terms.model();
  Balance balance(newton_euler(model, still, trial.v_plus - trial.v_free, Vector3d::Zero()));
  take_told(model, still, start.touching.contacts, trial.state, trial.tau, balance);
  balance.take(-trial.tau * viscous_force(start, trial, still));  // v_free has it already
  std::vector<double> floor = roots;
  for (double& x : floor) x *= kForceNoise;
  return balance.worst(model, start.terms.mass(), floor);
}

// How far the rows of the turn that was told are from those of contacts that are followed.
double turn_residual(const StepStart& start, const Trial& trial, const Turn& turn,
                     const Kinematics& turning, const std::vector<JudgedContact>& judged) {
  const Model& model = start.terms.model();
  const std::vector<Vector3d> rates =
      followed_rates(model, start.state.q, start.state.v, VectorXd::Zero(model.nv), start.touching);
  double worst = 0.0;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!turn.turning[i] || judged[i].scale == 0.0) continue;
    Vector3d off =
        velocity_of(model, turning, start.touching.contacts[i], turn.v) - trial.tau * rates[i];
    if (turn.turning[i] == 1) off.tail<2>().setZero();
    worst = std::max(worst, judged[i].unit * off.norm() / judged[i].scale);
  }
  return worst;
}

// Velocities with the turn of the rows, as the model is asked for them.
struct Velocities {
  Kinematics kin_before, kin_after;
  VectorXd before, after;     // m/s, rad/s
  std::vector<double> roots;  // √J, of each tree before
};

Velocities asked_velocities(const Trial& trial, const Turn& turn, const Kinematics& place) {
  const Model& model = trial.terms.model();
  Velocities out{place, place, trial.v_free + turn.v, trial.v_plus + turn.v, {}};
  compute_velocities(model, out.before, out.kin_before);
  compute_velocities(model, out.after, out.kin_after);
  out.roots = energy_roots(model, out.kin_before, out.before);
  return out;
}

// Impulses and velocities after them, in contact units; a contact may come nearer by its gap.
std::vector<JudgedContact> judge_impulses(const StepStart& start, const Trial& trial,
                                          const Velocities& velocities, int edges) {
  const Model& model = start.terms.model();
  const std::vector<double> units =
      contact_units(model, velocities.kin_after, start.terms.factor(), start.touching.contacts);
  std::vector<JudgedContact> judged;
  std::vector<double> loads;
  for (std::size_t i = 0; i < start.touching.size(); ++i) {
    const Contact& contact = start.touching.contacts[i];
    const ContactMode* mode = find_mode(trial.state, contact.key);
    JudgedContact one;
    one.unit = units[i];
    if (one.unit > 0.0) {
      if (mode != nullptr)
        one.terms.force =
            trial.tau / one.unit * along_rows(contact, mode->force_W - viscous_at(trial, i));
      const Vector3d slip = velocity_of(model, velocities.kin_before, contact, velocities.before);
      one.terms.width = trial.tau * contact.surface.viscous * slip.tail<2>().norm() / one.unit;
    }
    one.terms.motion =
        one.unit * velocity_of(model, velocities.kin_after, contact, velocities.after);
    one.terms.motion[0] += one.unit * start.apart[i] / trial.tau;
    one.terms.mu = is_joint_limit(contact.key) ? 0.0 : contact.surface.friction;
    one.terms.sticks = mode != nullptr && mode->sticking;
    one.terms.edges = edges;
    loads.push_back(one.terms.force.norm());
    judged.push_back(one);
  }
  const std::vector<double> scales =
      contact_scales(model, start.touching.contacts, velocities.roots, loads);
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i].scale = scales[i];
  return judged;
}

}  // namespace

void check_impulses(const Scenario& scenario, const Stepper& stepper, StepCheck& check) {
  const StepStart& start = stepper.start();
  const Trial& trial = stepper.trial();
  const Model& model = scenario.model;
  Kinematics kin;
  compute_kinematics(model, start.state.q, start.state.v, kin);
  if (stepper.method().symplectic) check.bias = free_velocity_residual(scenario, start, trial, kin);
  if (!start.joined.empty()) return;  // bodies moved as one: nobody knows their forces
  const Turn turn = told_turn(start, trial);
  const Velocities velocities = asked_velocities(trial, turn, kin);
  compute_velocities(model, VectorXd::Zero(model.nv), kin);
  if (model.loops.empty()) check.newton = newton_of_impulses(start, trial, kin, velocities.roots);
  if (start.touching.size() == 0) return;
  const std::vector<JudgedContact> judged =
      judge_impulses(start, trial, velocities, scenario.contact.edges);
  const ContactLaw law = law_of(stepper.method());
  check.law = worst_law(law, judged);
  check.gap = total_gap(law, judged);
  compute_velocities(model, turn.v, kin);
  check.turn = turn_residual(start, trial, turn, kin, judged);
}

}  // namespace pequod::app::certify
