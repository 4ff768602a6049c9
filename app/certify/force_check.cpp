// The certificate of a step at the acceleration level: forces and accelerations at its end.
#include <algorithm>
#include <cmath>

#include "app/certify/followed.h"
#include "app/certify/step_check.h"
#include "app/certify/step_parts.h"
#include "app/certify/step_terms.h"
#include "simulation/trial/tolerances.h"

namespace pequod::app::certify {
namespace {

// m/s: slower slips have a direction by rounding alone, as at the instant at which they end.
constexpr double kSlips = 1e-9;

double beyond(double size, double bound) { return std::max(0.0, size - bound); }

// Tangential force along the rows beyond what the model allows a contact that sticks.
double stick_excess(StageFriction friction, const Vector3d& f, double mu) {
  const double bound = mu * std::max(f[0], 0.0);
  if (friction == StageFriction::no_slip || std::isinf(mu)) return 0.0;
  if (friction == StageFriction::per_row) return beyond(f.tail<2>().cwiseAbs().maxCoeff(), bound);
  return beyond(f.tail<2>().norm(), bound);
}

// A held contact. Sliding friction is asked for its size, and not to drive: its direction may lead
// a slip that creeps by some mrad.
// @param slip  m/s along s and t
double stage_residual(const JudgedContact& contact, StageFriction friction, const HeldLaw& law,
                      const Surface& surface, const Eigen::Vector2d& slip) {
  const Vector3d &f = contact.terms.force, &a = contact.terms.motion;
  const double normal = std::min(f[0], a[0]);
  if (friction == StageFriction::none) return std::hypot(normal, f.tail<2>().norm());
  if (law.sticks)
    return std::hypot(normal, a.tail<2>().norm(), stick_excess(friction, f, surface.sticking()));
  const double size = f.tail<2>().norm();
  if (law.slide.weightless || friction == StageFriction::no_slip) return std::abs(normal);
  const double speed = slip.norm();
  const double drives = speed > kSlips ? beyond(f.tail<2>().dot(slip) / speed, 0.0) : 0.0;
  return std::hypot(normal, size - surface.friction * std::max(f[0], 0.0), drives);
}

// N along n, s, t: the force that is told, without viscous friction, which is an applied force.
Vector3d force_of_contact(const Contact& contact, const ContactMode& mode, bool viscous,
                          const Vector3d& u) {
  Vector3d force = along_rows(contact, mode.force_W);
  if (viscous && !is_joint_limit(contact.key))
    force.tail<2>() += (mode.floating ? mode.share : 1.0) * contact.surface.viscous * u.tail<2>();
  return force;
}

double newton_of_forces(const Scenario& scenario, const Stepper& stepper, const Kinematics& kin) {
  const Trial& trial = stepper.trial();
  const Model& model = scenario.model;
  const State& end = trial.state;
  Balance balance(newton_euler(model, kin, trial.motion.free.vdot, model.gravity));
  balance.take(applied_force(scenario, stepper.start().state, kin, end.v));
  take_told(model, kin, trial.held.set().touching.contacts, end, 1.0, balance);
  const std::vector<double> floor =
      motion_floors(model, kin, end.v, trial.motion.free.vdot, trial.tau);
  return balance.worst(model, trial.terms.mass(), floor);
}

// @param end  kinematics there
std::vector<JudgedContact> judge_held(const Stepper& stepper, const Kinematics& end) {
  const Trial& trial = stepper.trial();
  const Model& model = trial.terms.model();
  const VectorXd &q = trial.state.q, &v = trial.state.v, &vdot = trial.motion.free.vdot;
  const Touching& touching = trial.held.set().touching;
  const std::vector<Vector3d> rates = followed_rates(model, q, v, vdot, touching);
  const std::vector<double> units =
      contact_units(model, end, trial.terms.factor(), touching.contacts);
  std::vector<JudgedContact> judged;
  std::vector<double> loads;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    const ContactMode* mode = find_mode(trial.state, contact.key);
    JudgedContact one;
    one.unit = units[i];
    if (one.unit > 0.0 && mode != nullptr)
      one.terms.force = force_of_contact(contact, *mode, stepper.method().contact.viscous,
                                         velocity_of(model, end, contact, v)) /
                        one.unit;
    one.terms.motion = one.unit * rates[i];
    loads.push_back(one.terms.force.norm());
    judged.push_back(one);
  }
  const std::vector<double> scales = contact_scales(
      model, touching.contacts, motion_floors(model, end, v, vdot, trial.tau), loads);
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i].scale = scales[i];
  return judged;
}

}  // namespace

void check_forces(const Scenario& scenario, const Stepper& stepper, StepCheck& check) {
  const Trial& trial = stepper.trial();
  const Model& model = scenario.model;
  const HeldSet& set = trial.held.set();
  Kinematics end;
  compute_kinematics(model, trial.state.q, trial.state.v, end);
  if (model.loops.empty()) check.newton = newton_of_forces(scenario, stepper, end);
  if (set.touching.size() == 0) return;
  const std::vector<JudgedContact> judged = judge_held(stepper, end);
  check.law = 0.0;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (judged[i].scale == 0.0) continue;
    const Contact& contact = set.touching.contacts[i];
    const Vector3d u = velocity_of(model, end, contact, trial.state.v);
    const bool limit = is_joint_limit(contact.key);
    const double residual = stage_residual(judged[i], limit ? StageFriction::none : set.friction,
                                           set.laws[i], contact.surface, u.tail<2>());
    check.law = std::max(check.law, residual / judged[i].scale);
  }
  if (!set.rubs()) check.gap = total_gap(ContactLaw::frictionless, judged);
}

}  // namespace pequod::app::certify
