#include "simulation/trial/aim_slips.h"

#include <algorithm>
#include <cmath>

#include "simulation/contact_motion.h"
#include "simulation/held/force_columns.h"
#include "simulation/slide_mode.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

double angle(const Vector3d& a, const Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// One round. @return rad, the largest change
double aim_slips(const StepTask& task, const Evaluator& terms, Trial& trial) {
  const Model& model = task.model();
  const HeldSet& set = trial.held.set();
  double largest = 0.0;
  for (std::size_t i = 0; i < task.rates.settling.size(); ++i) {
    const double settling = task.rates.settling[i];
    if (settling == 0.0) continue;
    const Contact& contact = set.touching.contacts[i];
    const Vector3d before = slip_direction(terms, set, i), &n = contact.n_W;
    const Vector3d rate =
        slip_rate(model, terms.kinematics(), trial.motion.free.vdot, set.touching.points[i]);
    const Vector3d ahead = slip_velocity(model, terms.kinematics(), contact) +
                           task.rates.lead * (rate - n * n.dot(rate) + settling * before);
    const double length = ahead.norm();
    if (length == 0.0) continue;
    trial.held.aim(i, ahead / length);
    largest = std::max(largest, angle(ahead, before));
  }
  return largest;
}

}  // namespace

void accelerate_aimed(const StepTask& task, const Evaluator& terms, Trial& trial) {
  VectorXd &vdot = trial.motion.free.vdot, &unheld = task.workspace.stages.unheld;
  unheld = vdot;
  for (int round = 0;; ++round) {
    accelerate(terms, trial.held, vdot, trial.motion.held, task.workspace.held);
    const double change = aim_slips(task, terms, trial);
    if (round == kAimRounds) trial.trouble.aimless = std::max(trial.trouble.aimless, change);
    if (round == kAimRounds || change <= kAimed) return;
    vdot = unheld;
  }
}

void lead_slips(const StepTask& task, double h) {
  task.rates.lead = (task.method.symplectic ? 1.0 : kLead) * h;
  task.rates.known = false;
}

void begin_aims(const StartRates& rates, HeldFactor& held) {
  for (std::size_t i = 0; i < held.set().laws.size(); ++i)
    held.aim(i, rates.known && rates.lead > 0.0 ? rates.aims[i] : Vector3d(Vector3d::Zero()));
}

void keep_aims(const HeldSet& held, std::vector<Vector3d>& aims) {
  aims.clear();
  for (const HeldLaw& law : held.laws) aims.push_back(law.aim_W);
}

double turn_of_aims(const StepTask& task, const Trial& trial) {
  double largest = 0.0;
  for (std::size_t i = 0; i < task.rates.aims.size(); ++i)
    if (const Vector3d& aim = trial.held.set().laws[i].aim_W; !aim.isZero(0.0))
      largest = std::max(largest, angle(task.rates.aims[i], aim));
  return largest;
}

}  // namespace pequod
