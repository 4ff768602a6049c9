#include "simulation/simulation.h"

#include "simulation/errors.h"
#include "simulation/loop/event_loop.h"

namespace pequod {

Simulation::Simulation(const Scenario& scenario, Observer observer)
    : loop_(std::make_unique<EventLoop>(scenario, std::move(observer))) {}

Simulation::Simulation(const Scenario& scenario, const State& resumed,
                       const RunStatistics& statistics, Observer observer)
    : loop_(std::make_unique<EventLoop>(scenario, resumed, statistics, std::move(observer))) {}

Simulation::~Simulation() = default;

bool Simulation::step() {
  try {
    return loop_->step();
  } catch (const DivergenceError& error) {
    throw DivergenceError(error.what() + loop_->spin_note());
  } catch (const ContactError& error) {
    throw ContactError(error.what() + loop_->spin_note());
  }
}
const State& Simulation::state() const { return loop_->state(); }
const RunStatistics& Simulation::statistics() const { return loop_->statistics(); }
const Kinematics& Simulation::kinematics() { return loop_->kinematics(); }

}  // namespace pequod
