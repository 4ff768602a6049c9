#include "simulation/trial/step_start.h"

#include <algorithm>
#include <cmath>

#include "contact/models/body_form.h"
#include "simulation/held/tolerances.h"
#include "simulation/joint_friction.h"
#include "simulation/tolerances.h"
#include "simulation/world.h"

namespace pequod {
namespace {

// Whether all contacts of an island carried and stuck where the state was reached, so that they are
// likely to go on. The state alone says so: a run that is resumed takes the same way.
bool goes_on(const StepStart& start, const Island& island, const ContactProblem& problem) {
  if (!island.loops.empty() || !island.joints.empty() || problem.n >= kManyHeld) return false;
  for (int i = 0; i < problem.n; ++i) {
    const std::size_t index = contact_index(island, i);
    const ContactKey& key = start.touching.contacts[index].key;
    const ContactMode* mode = start.mode(index);
    const bool leads = nth(problem.patch, i) == i;
    if (is_joint_limit(key) || !mode || !mode->closed || !mode->active ||
        (leads && !mode->sticking))
      return false;
  }
  return problem.n > 0;
}

// Whether the problems of the step before have the rows of one from here: of what stands.
bool keeps_rows(const StepStart& before, const State& state, const Touching& touching) {
  return are_equal(before.state.q, state.q) &&
         have_same_rows(before.touching.contacts, touching.contacts);
}

// Whether an island is posed by the rows of its bodies.
bool is_in_bodies(const Model& model, const StepMethod& method, const StepStart& start,
                  const Island& island) {
  return method.in_bodies &&
         is_of_many_bodies(static_cast<int>(island.contacts.size()), island.m) &&
         has_free_bodies(model, start.touching.contacts, island);
}

// Rows, joints and warm starts of the islands, for the impulses of the step.
// @param kept    the rows are there,
// @param stands  and y
void start_impulses(const World& world, const StepMethod& method, bool kept, bool stands,
                    HeldFactor& held, StepStart& start) {
  const Model& model = world.model();
  ImpulseProblems& impulses = start.impulses;
  const Evaluator& terms = start.terms;
  const bool given = !kept && method.friction_joints.empty() &&
                     held.give_rows(start.state.q, start.touching.contacts, impulses.islands,
                                    impulses.tree_offset, impulses.problems);
  if (!kept && !given)
    find_islands(model, start.touching.contacts, impulses.islands, impulses.tree_offset,
                 method.friction_joints);
  impulses.problems.resize(std::max(impulses.problems.size(), impulses.islands.size()));
  impulses.warm.resize(impulses.problems.size());
  impulses.y.resize(impulses.problems.size());
  for_each_index(
      world.team(), impulses.islands.size(), kIslandsOfPart, [&](std::size_t k, std::size_t) {
        const Island& island = impulses.islands[k];
        ContactProblem& problem = impulses.problems[k];
        if (!kept && !given) {
          const auto assemble =
              is_in_bodies(model, method, start, island) ? assemble_body_rows : assemble_rows;
          assemble(model, terms.kinematics(), terms.factor(), start.touching.contacts, island,
                   impulses.tree_offset, problem);
        }
        if (!stands && (!island.contacts.empty() || !island.joints.empty()))
          gather_metric(model, terms.factor(), island, start.state.v, impulses.y[k]);
        if (!island.joints.empty())
          assemble_joint_rows(model, terms.factor(), island, impulses.tree_offset, problem);
        for (std::size_t j = 0; j < island.joints.size(); ++j)
          problem.slide[j] = find_joint(start.state.joints, island.joints[j]).slide;
        if (!goes_on(start, island, problem))
          problem.has_basis = false;
        else if (!problem.has_basis)
          find_basis(problem);
        problem.c.setZero(problem.n);
        remember_forces(method, start, k, impulses);
      });
}

// What the state says of each contact, and which links are touched. (Steps of time-stepping have
// contacts in reach among them.)
void note_contacts(const World& world, StepStart& start) {
  start.modes.clear();
  start.touched.assign(world.model().links.size(), 0);
  ModeFinder search(start.state);
  for (const Contact& contact : start.touching.contacts) {
    const ContactMode* mode = search.find(contact.key);
    start.modes.push_back(mode ? static_cast<int>(mode - start.state.mode.data()) : -1);
    if (contact.gap > world.tolerance.gap()) continue;
    for (const int link : {contact.link_a, contact.link_b})
      if (link >= 0) nth(start.touched, link) = 1;
  }
}

// m: a gap as far as impulses are to know of it. Those that count as touching are told apart by
// whole kStillTouches: corners that are flush but for rounding then share a force wherever they
// are.
double told_gap(double gap, const SceneTolerances& tolerance) {
  if (gap > tolerance.gap()) return gap;
  return std::max(tolerance.still() * std::floor(gap / tolerance.still()), 0.0);
}

// By the threads that go on with the parts.
void copy_touching(const World& world, const Touching& from, Touching& to) {
  to.points.resize(from.points.size());
  to.contacts.resize(from.contacts.size());
  for_each_index(world.team(), from.size(), kContactsOfPart, [&](std::size_t i, std::size_t) {
    if (i < from.points.size()) to.points[i] = from.points[i];
    to.contacts[i] = from.contacts[i];
  });
}

}  // namespace

bool start_step(const World& world, const StepMethod& method, const State& state,
                const Touching& touching, std::span<const ContactKey> forced, Evaluator& ended,
                HeldFactor& held, StepStart& start) {
  const bool kept = keeps_rows(start, state, touching);
  const bool stands = kept && are_equal(start.state.v, state.v) &&
                      std::ranges::equal(start.touching.contacts, touching.contacts, {},
                                         &Contact::gap, &Contact::gap);
  start.state = state;
  if (!stands) copy_touching(world, touching, start.touching);
  note_contacts(world, start);
  start.joined.clear();
  swap(start.terms, ended);
  start.terms.at(state.q, state.v);
  if (state.joints.size() != method.friction_joints.size())
    start_joint_modes(world.model(), start.state);
  start.forced.clear();
  start.apart.clear();
  for (const Contact& contact : touching.contacts) {
    start.forced.push_back(std::ranges::find(forced, contact.key) != forced.end());
    start.apart.push_back(told_gap(contact.gap, world.tolerance));
  }
  start.held.clear();
  if (method.velocity_level())
    start_impulses(world, method, kept, stands, held, start);
  else
    hold_mode(method, start, {}, start.held);
  return stands;
}

void hold_mode(const StepMethod& method, const StepStart& start, std::span<const char> wanted,
               HeldSet& held) {
  held.clear();
  for (std::size_t i = 0; i < start.touching.size(); ++i) {
    const ContactMode* mode = start.mode(i);
    if (!mode || !mode->closed || (!wanted.empty() && !wanted[i])) continue;
    HeldLaw law{.sticks = mode->sticking,
                .floats = mode->floating,
                .share = mode->share,
                .slide = mode->slide};
    if (method.rubs() && mode->active) law.known_force = mode->force_W;
    held.add(start.touching, i, law);
  }
  for (const JointMode& joint : start.state.joints)
    if (joint.slide == 0) held.joints.push_back(joint.coordinate);
  held.friction = method.contact.friction;
}

bool starts_from_forces(const StepMethod& method, const ContactProblem& problem) {
  const SolverFamily family = method.contact.family;
  return family == SolverFamily::friction || family == SolverFamily::dissipation ||
         problem.in_bodies();
}

void remember_forces(const StepMethod& method, const StepStart& start, std::size_t k,
                     ImpulseProblems& impulses) {
  ContactProblem& problem = impulses.problems[k];
  std::vector<int>& warm = impulses.warm[k];
  warm.clear();
  const bool forces = starts_from_forces(method, problem);
  if (forces) problem.force.setZero(3 * problem.n);
  for (int i = 0; i < problem.n; ++i) {
    const std::size_t index = contact_index(impulses.islands[k], i);
    const Contact& contact = start.touching.contacts[index];
    const ContactMode* mode = start.mode(index);
    if (!mode || !mode->active) continue;
    warm.push_back(i);
    if (!forces) continue;
    if (is_joint_limit(contact.key))
      problem.force[3 * i] = mode->force_W.x();
    else
      problem.force.segment<3>(3 * i) << contact.n_W.dot(mode->force_W),
          contact.s_W.dot(mode->force_W), contact.t_W.dot(mode->force_W);
  }
}

}  // namespace pequod
