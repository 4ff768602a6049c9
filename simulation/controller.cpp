#include "simulation/controller.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/errors.h"
#include "simulation/evaluate.h"
#include "simulation/loop/instant.h"
#include "simulation/tolerances.h"
#include "simulation/world.h"

namespace pequod {
namespace {

// @param here  stands at the state
ControlInput control_input(const World& world, const Evaluator& here, const State& state) {
  return {world.model(), state, here.kinematics(), here.mass(), here.bias()};
}

// @param link  whose joint it is for
[[noreturn]] void refuse_effort(const Model& model, const Controller& controller, int link,
                                double t) {
  throw DivergenceError("controller '" + controller.name + "' gave an effort for '" +
                        link_name(model, link) +
                        "' that is not finite at t = " + std::to_string(t) + " s");
}

// Efforts of a controller's joints within their limits; a free base has none.
void bound_efforts(const Model& model, const Controller& controller, double t, VectorXd& tau) {
  const Entity& entity = nth(model.entities, controller.entity);
  for (int k = entity.first_link; k < entity.first_link + entity.links; ++k) {
    const Joint& joint = nth(model.links, k).joint;
    auto own = tau.segment(joint.v_index, velocity_count(joint.type));
    for (double& effort : own) {
      if (!std::isfinite(effort)) refuse_effort(model, controller, k, t);
      effort =
          joint.type == JointType::free ? 0.0 : std::clamp(effort, -joint.effort, joint.effort);
    }
  }
}

// A controller whose tick has come.
struct Due {
  std::size_t index;
  std::span<double> memory;
};

void find_due(const Scenario& scenario, State& state, std::vector<Due>& due) {
  due.clear();
  double* memory = state.memory.data();
  for (std::size_t i = 0; i < scenario.controllers.size(); ++i) {
    const Controller& controller = scenario.controllers[i];
    const std::span<double> own(memory, static_cast<std::size_t>(controller.memory_size));
    memory += controller.memory_size;
    if (has_come(scenario, state, multiple(scenario, state.ticks[i], controller.period)))
      due.push_back({i, own});
  }
}

bool may_be_shared(const std::vector<Controller>& controllers, const std::vector<Due>& due) {
  int before = -1;  // robot
  for (const Due& one : due) {
    const Controller& controller = controllers[one.index];
    if (!controller.shares_nothing || controller.entity <= before) return false;
    before = controller.entity;
  }
  return true;
}

}  // namespace

Vector3d contact_force_on(const Model& model, const State& state, int frame) {
  const auto [first, last] = model.shapes_of(frame);
  Vector3d force = Vector3d::Zero();
  visit_modes(state, first, last, [&, first = first](const ContactMode& mode) {
    force += mode.key.shape_a < first ? mode.force_W : Vector3d(-mode.force_W);
  });
  return force;
}

void start_controllers(const World& world, Evaluator& here, State& state) {
  const std::vector<Controller>& controllers = world.scenario->controllers;
  state.ticks.assign(controllers.size(), 0);
  Eigen::Index size = 0;
  for (const Controller& controller : controllers) size += controller.memory_size;
  state.memory.setZero(size);
  double* memory = state.memory.data();
  here.at(state.q, state.v);
  for (const Controller& controller : controllers) {
    const auto length = static_cast<std::size_t>(controller.memory_size);
    if (controller.initialise)
      controller.initialise(control_input(world, here, state), {memory, length});
    memory += length;
  }
}

void call_due_controllers(const World& world, Evaluator& here, State& state) {
  thread_local std::vector<Due> storage;  // written before it is read
  std::vector<Due>& due = storage;        // of this thread, for others too
  const std::vector<Controller>& controllers = world.scenario->controllers;
  find_due(*world.scenario, state, due);
  if (due.empty()) return;
  here.at(state.q, state.v);
  state.loop.mode_due = true;
  for (const Due& one : due) ++state.ticks[one.index];
  const auto control_time = world.clock->during(StepPart::control);
  const ControlInput input = control_input(world, here, state);
  for_each_index(may_be_shared(controllers, due) ? world.team() : nullptr, due.size(),
                 kControllersOfPart, [&](std::size_t i, std::size_t) {
                   const Controller& controller = controllers[due[i].index];
                   controller.update(input, due[i].memory, state.tau);
                   bound_efforts(world.model(), controller, state.t, state.tau);
                 });
}

}  // namespace pequod
