#include "simulation/settle/project.h"

#include <cmath>

#include "simulation/held/project.h"
#include "simulation/joint_friction.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

// Of contacts that close, those that hold their tangents: at the acceleration level those that rub
// and have no slip. @param here  stands at the state
std::vector<char> find_sticking(const World& world, const Evaluator& here,
                                const Touching& contacts) {
  std::vector<char> sticking(contacts.size(), 0);
  if (!world.velocity_level() && !world.rubs()) return sticking;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts.contacts[i];
    const double slip = slip_velocity(world.model(), here.kinematics(), contact).norm();
    const bool rubs = !is_joint_limit(contact.key) && contact.surface.sticking() > 0.0;
    const bool no_slip = world.contact.friction == StageFriction::no_slip;
    sticking[i] = no_slip || (rubs && slip <= world.tolerance.slip_rest()) ? 1 : 0;
  }
  return sticking;
}

}  // namespace

double project_away(const World& world, Evaluator& here, State& state, const Touching& held,
                    const std::vector<char>& sticking, ProjectionWorkspace& workspace, bool brief) {
  if (held.size() == 0) return 0.0;
  workspace.joints.clear();
  for (const JointMode& joint : state.joints)
    if (joint.slide == 0 && std::abs(state.v[joint.coordinate]) <= kJointRest)
      workspace.joints.push_back(joint.coordinate);
  const auto contact_time = world.clock->during(StepPart::contact);
  const Model& model = world.model();
  here.at(state.q, state.v);
  const double before = kinetic_energy(model, here.kinematics(), state.v);
  workspace.factor.hold(held, workspace.joints, sticking, brief);
  workspace.factor.factor(here, world.velocity_level() ? HeldTangents::of_few : HeldTangents::held);
  const Projected done =
      project_velocity(here, workspace.factor, world.tolerance, state.v, workspace.held);
  state.ledger.suspect += done.suspect;
  here.at(state.q, state.v);
  return before - kinetic_energy(model, here.kinematics(), state.v);
}

bool are_independent(const World& world, Evaluator& here, const State& state,
                     const Touching& contacts, ProjectionWorkspace& workspace) {
  const auto contact_time = world.clock->during(StepPart::contact);
  here.at(state.q, state.v);
  workspace.factor.hold(contacts, {}, {}, true);
  workspace.factor.factor(here, HeldTangents::without);
  return workspace.factor.unique();
}

void close_contacts(const World& world, Evaluator& here, State& state, const Touching& contacts,
                    EventRow& row, ProjectionWorkspace& workspace) {
  here.at(state.q, state.v);
  const double loss = project_away(world, here, state, contacts,
                                   find_sticking(world, here, contacts), workspace, true);
  state.ledger.zeno_loss += loss;
  row.energy_change -= loss;
}

}  // namespace pequod
