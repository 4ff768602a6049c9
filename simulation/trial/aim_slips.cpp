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

// Unit, or zero: the direction that is the lead ahead, turned back by what it turns in that time.
Vector3d laid_back(const StartRates& rates, std::size_t i, const Vector3d& ahead) {
  const Vector3d aim = ahead.normalized();
  return rates.turns.empty() ? aim : (aim - rates.lead * rates.turns[i].cross(aim)).normalized();
}

// Where slips are going with these accelerations, as new directions of friction for another round.
// @param before, aims  out: of the contacts that creep, one after another: as they are, and ahead
// @return rad, the largest change
double find_aims(const StepTask& task, const Evaluator& terms, const Trial& trial, VectorXd& before,
                 VectorXd& aims) {
  const Model& model = task.model();
  const HeldSet& set = trial.held.set();
  double largest = 0.0;
  before.resize(3 * static_cast<Eigen::Index>(task.rates.settling.size()));
  aims.resize(before.size());
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < task.rates.settling.size(); ++i) {
    const double settling = task.rates.settling[i];
    if (settling == 0.0) continue;
    const Contact& contact = set.touching.contacts[i];
    const Vector3d now = slip_direction(terms, set, i), &n = contact.n_W;
    const Vector3d rate =
        slip_rate(model, terms.kinematics(), trial.motion.free.vdot, set.touching.points[i]);
    const Vector3d ahead = slip_velocity(model, terms.kinematics(), contact) +
                           task.rates.lead * (rate - n * n.dot(rate) + settling * now);
    const Vector3d aim = laid_back(task.rates, i, ahead);
    before.segment<3>(at) = now;
    aims.segment<3>(at) = aim.isZero(0.0) ? now : aim;
    largest = std::max(largest, aim.isZero(0.0) ? 0.0 : angle(aim, now));
    at += 3;
  }
  before.conservativeResize(at);
  aims.conservativeResize(at);
  return largest;
}

// Friction of the next round is along these. @param aims  as find_aims() places them
void aim_at(const VectorXd& aims, const StartRates& rates, HeldFactor& held) {
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < rates.settling.size(); ++i) {
    if (rates.settling[i] == 0.0) continue;
    held.aim(i, aims.segment<3>(at).normalized());
    at += 3;
  }
}

}  // namespace

void accelerate_aimed(const StepTask& task, const Evaluator& terms, Trial& trial) {
  AimBuffers& b = task.workspace.stages.aims;
  b.rounds.start();
  for (int round = 0;; ++round) {
    accelerate(terms, trial.held, trial.motion.free.force, trial.motion.free.vdot,
               trial.motion.held, task.workspace.held);
    const double change = find_aims(task, terms, trial, b.aims, b.ahead);
    if (round == kAimRounds) trial.trouble.aimless = std::max(trial.trouble.aimless, change);
    // Friction that is told is along the directions that these accelerations had.
    if (round == kAimRounds || change <= kAimed) return;
    b.rounds.mix(b.ahead, kMixedAims, b.aims);
    aim_at(b.aims, task.rates, trial.held);
  }
}

void lead_slips(const StepTask& task, double h) {
  task.rates.lead = (task.method.symplectic ? 1.0 : kLead) * h;
  task.rates.turns.clear();
  task.rates.known = false;
}

void lay_aims_back(const StepTask& task, const Trial& trial) {
  StartRates& rates = task.rates;
  rates.turns.clear();
  for (std::size_t i = 0; i < rates.aims.size(); ++i)
    rates.turns.push_back(rates.aims[i].cross(trial.held.set().laws[i].aim_W) / trial.tau);
  rates.known = false;
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
