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

// Where slips are going with these accelerations, as new directions of friction for another round.
// @param aims  out: of each held contact; zero: as it is
// @return rad, the largest change
double find_aims(const StepTask& task, const Evaluator& terms, const Trial& trial,
                 std::vector<Vector3d>& aims) {
  const Model& model = task.model();
  const HeldSet& set = trial.held.set();
  double largest = 0.0;
  aims.assign(set.laws.size(), Vector3d::Zero());
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
    aims[i] = ahead / length;
    largest = std::max(largest, angle(ahead, before));
  }
  return largest;
}

}  // namespace

void accelerate_aimed(const StepTask& task, const Evaluator& terms, Trial& trial) {
  VectorXd &vdot = trial.motion.free.vdot, &unheld = task.workspace.stages.unheld;
  std::vector<Vector3d>& aims = task.workspace.stages.aims;
  unheld = vdot;
  for (int round = 0;; ++round) {
    accelerate(terms, trial.held, vdot, trial.motion.held, task.workspace.held);
    const double change = find_aims(task, terms, trial, aims);
    if (round == kAimRounds) trial.trouble.aimless = std::max(trial.trouble.aimless, change);
    // Friction that is told is along the directions that these accelerations had.
    if (round == kAimRounds || change <= kAimed) return;
    for (std::size_t i = 0; i < aims.size(); ++i)
      if (!aims[i].isZero(0.0)) trial.held.aim(i, aims[i]);
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
