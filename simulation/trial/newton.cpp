#include "simulation/trial/newton.h"

#include <algorithm>
#include <cmath>

#include "core/clones.h"
#include "core/tree_parts.h"
#include "simulation/acceleration.h"
#include "simulation/tolerances.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// A term on the side of the forces.
void take(int coordinate, double force, ForceBalance& balance) {
  balance.left[coordinate] -= force;
  balance.terms[coordinate] += std::abs(force);
}

// A force at a point of a link, through the joints that carry it.
void take_at(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
             const Vector3d& f_W, ForceBalance& balance) {
  if (link < 0) return;
  const Vector3d& O = nth(kin.origins, nth(model.links, link).tree);
  project_wrench(model, kin, link, (p_W - O).cross(f_W), f_W,
                 [&](int i, double force) { take(i, force, balance); });
}

void take_contact(const Model& model, const Kinematics& kin, const Contact& contact,
                  const ContactMode* mode, ForceBalance& balance) {
  if (!mode) return;
  if (is_joint_limit(contact.key)) {
    const Link& link = nth(model.links, contact.link_b);
    take(link.joint.v_index, contact.sign * mode->force_W.x(), balance);
    return;
  }
  take_at(model, kin, contact.link_b, contact.p_W, mode->force_W, balance);
  take_at(model, kin, contact.link_a, contact.p_W, -mode->force_W, balance);
}

// Forces of the contacts as the state tells them.
void take_contacts(const Model& model, const Kinematics& kin, std::span<const Contact> contacts,
                   const State& told, ForceBalance& balance) {
  ModeFinder modes(told);
  for (const Contact& contact : contacts)
    take_contact(model, kin, contact, modes.find(contact.key), balance);
}

// What loops may take of it, along their rows.
void leave_to_loops(const Model& model, const MassFactor& factor, const Island& island,
                    const HeldRows& loops, ForceBalance& balance) {
  if (island.loops.empty()) return;
  gather(model, island, balance.left, balance.part);
  island_solve_L_transposed(model, factor, island, balance.part);
  loops.project(balance.part);
  island_apply_L_transposed(model, factor, island, balance.part);
  scatter(model, island, balance.part, balance.left);
}

// Of coordinates [first, first + count): the largest term and what is left.
struct Share {
  double largest = 0.0, left = 0.0;
};

Share share_of(const ForceBalance& balance, int first, int count) {
  Share share;
  for (int i = first; i < first + count; ++i) {
    share.largest = std::max(share.largest, balance.terms[i]);
    share.left = std::max(share.left, balance.left[i]);
  }
  return share;
}

// Terms and what is left of a tree in N/√kg, that is in the unit of energy, in which forces and
// moments compare.
void weigh(const Tree& tree, const MassMatrix& mass, ForceBalance& balance) {
  for (int i = 0; i < tree.nv; ++i)
    balance.root[tree.first_v + i] = nth(mass.blocks, tree.mass_offset + i * (tree.nv + 1));
  auto root = balance.root.segment(tree.first_v, tree.nv).array();
  auto terms = balance.terms.segment(tree.first_v, tree.nv).array();
  auto left = balance.left.segment(tree.first_v, tree.nv).array();
  root = root.sqrt();
  terms /= root;
  left = left.abs() / root;
}

// N/√kg: the largest term, weight, or momentum over the step or what v̇ asks for, which rounds off
// what is left.
// @param rate  m/s², rad/s²
double largest_term(const Tree& tree, double gravity, const double* terms, const double* root,
                    const VectorXd& rate) {
  double largest = std::sqrt(tree.mass) * gravity;
  for (int i = tree.first_v; i < tree.first_v + tree.nv; ++i)
    largest = std::max(largest, std::max(terms[i], root[i] * std::abs(rate[i])));
  return largest;
}

// Whether no coordinate of the tree has a share above `least`. Then no link has: its largest terms
// are no less than those of the coordinate that has most left.
bool all_are_less(const Tree& tree, double least, double noise, const double* terms,
                  const double* left) {
  int more = 0;
  for (int i = tree.first_v; i < tree.first_v + tree.nv; ++i)
    more += left[i] > kSurelyLess * least * (terms[i] + noise) ? 1 : 0;
  return more == 0;
}

// Of one tree. Links whose share is surely less than that of one before it are not asked for their
// weight.
// @param rate   m/s², rad/s²: the velocity over the step, or v̇
// @param least  as of newton_residual()
PEQUOD_CLONES
double worst_share(const Model& model, const Tree& tree, const MassMatrix& mass,
                   const VectorXd& rate, double least, ForceBalance& balance) {
  const double gravity = model.gravity.norm();
  weigh(tree, mass, balance);
  const double *const terms = balance.terms.data(), *const left = balance.left.data();
  const double noise = kForceNoise * largest_term(tree, gravity, terms, balance.root.data(), rate);
  if (all_are_less(tree, least, noise, terms, left)) return 0.0;
  double worst = 0.0;
  for (int k = tree.first_link; k < tree.first_link + tree.links; ++k) {
    const Link& link = nth(model.links, k);
    const Share own = share_of(balance, link.joint.v_index, velocity_count(link.joint.type));
    if (!(own.left > kSurelyLess * worst * (own.largest + noise))) continue;
    const double weight = std::sqrt(link.inertia.mass) * gravity;
    worst = std::max(worst, own.left / (std::max(own.largest, weight) + noise));
  }
  return worst;
}

double worst_share(const Evaluator& here, const VectorXd& rate, double least,
                   ForceBalance& balance) {
  const Model& model = here.model();
  balance.root.resize(model.nv);
  balance.worst.resize(model.trees.size());
  for_each_index(
      here.team(), model.trees.size(), trees_of_part(model), [&](std::size_t t, std::size_t) {
        balance.worst[t] = worst_share(model, model.trees[t], here.mass(), rate, least, balance);
      });
  double worst = 0.0;
  for (const double own : balance.worst) worst = std::max(worst, own);
  return worst;
}

// M times the change of motion, and the forces of joints.
void begin_balance(const Evaluator& here, const State& told, ForceBalance& balance) {
  here.mass().multiply(here.model(), balance.change, balance.inertia, here.team());
  balance.left = balance.inertia;
  balance.terms = balance.inertia.cwiseAbs();
  for (const JointMode& joint : told.joints) take(joint.coordinate, joint.force, balance);
}

double balance_impulses(const StepStart& start, const Trial& trial, double least,
                        ForceBalance& balance) {
  const Model& model = start.terms.model();
  balance.change = (trial.v_plus - trial.v_free) / trial.tau;
  begin_balance(start.terms, trial.state, balance);
  const std::vector<Island>& islands = start.impulses.islands;
  for_each_index(
      start.terms.team(), islands.size(), 2 * kIslandsOfPart, [&](std::size_t k, std::size_t) {
        const std::vector<int>& own = islands[k].contacts;
        ModeFinder modes(trial.state, own.empty() ? 0 : static_cast<std::size_t>(own.front()));
        for (const int i : own) {
          const Contact& contact = nth(start.touching.contacts, i);
          take_contact(model, start.terms.kinematics(), contact, modes.find(contact.key), balance);
        }
      });
  balance.left += trial.motion.free.friction;  // which v_free has in it
  for (std::size_t k = 0; k < islands.size(); ++k)
    leave_to_loops(model, start.terms.factor(), islands[k], start.impulses.problems[k].loops,
                   balance);
  balance.change = trial.v_free / trial.tau;
  return worst_share(start.terms, balance.change, least, balance);
}

// What these forces carried where the step started counts for the size of their terms: at a
// lift-off all that is left of a force is the rounding of others.
void size_by_start(const StepStart& start, const Trial& trial, ForceBalance& balance) {
  balance.part = balance.left;
  take_contacts(trial.terms.model(), trial.terms.kinematics(), trial.held.set().touching.contacts,
                start.state, balance);
  balance.left = balance.part;
}

double balance_forces(const StepStart& start, const Trial& trial, double least,
                      ForceBalance& balance) {
  const Evaluator& here = trial.terms;
  const Model& model = here.model();
  balance.change = trial.motion.free.vdot;
  begin_balance(here, trial.state, balance);
  const VectorXd& applied = trial.motion.free.applied.total;
  balance.left += here.bias() - applied;
  balance.terms += here.bias().cwiseAbs() + applied.cwiseAbs();
  take_contacts(model, here.kinematics(), trial.held.set().touching.contacts, trial.state, balance);
  for (const HeldIsland& part : trial.held.islands())
    leave_to_loops(model, here.factor(), part.island, part.problem.loops, balance);
  size_by_start(start, trial, balance);
  return worst_share(here, balance.change, least, balance);
}

// Of its scale, how much a contact pulls: forces that explain a motion may be none that contacts
// have.
double worst_pull(const Model& model, const State& told) {
  double worst = 0.0;
  for (const ContactMode& mode : told.mode) {
    const double push = normal_force(mode);
    if (push < 0.0) worst = std::max(worst, -push / force_scale(model, mode.key));
  }
  return worst;
}

}  // namespace

double newton_residual(const StepMethod& method, const StepStart& start, const Trial& trial,
                       ForceBalance& balance, double least) {
  if (!start.joined.empty() || trial.tau == 0.0) return 0.0;
  if (method.velocity_level()) return balance_impulses(start, trial, least, balance);
  const double left = balance_forces(start, trial, least, balance);
  return method.rubs() ? left : std::max(left, worst_pull(start.terms.model(), trial.state));
}

}  // namespace pequod
