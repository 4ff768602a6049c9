#include "simulation/settle/give_back.h"

#include <algorithm>

#include "simulation/settle/tolerances.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

// The friction of contact i for a unit force along its normal; false if it has none.
// @param at_rest  m/s: slip up to here is none
bool friction_column(const IslandView& view, double at_rest, int i, VectorXd& column) {
  const Contact& contact = view.contact(i);
  const double mu = contact.surface.friction;
  if (is_joint_limit(contact.key) || !(mu > 0.0) || mu >= kNoSlipFriction) return false;
  const Vector3d slip = slip_velocity(view.model(), view.kin(), contact);
  const double speed = slip.norm();
  if (speed <= at_rest) return false;
  const double share = -mu / speed;
  const ContactProblem& problem = view.part.problem;
  column = share * slip.dot(contact.s_W) * problem.tangents.col(2 * i) +
           share * slip.dot(contact.t_W) * problem.tangents.col(2 * i + 1);
  return true;
}

// Adds the friction of the multipliers f of an island's normals, and of those that it asks for in
// turn.
// @param none  zero, for each row
// @param y     in: where the rows hold; out: the same with friction
// @return false if that does not settle, as where friction jams
bool add_friction(const IslandView& view, double at_rest, const VectorXd& none, VectorXd& f,
                  VectorXd& y) {
  const int n = view.part.problem.n;
  VectorXd column;
  const double first = f.head(n).norm();
  for (int round = 0; round < kFrictionRounds; ++round) {
    for (int i = 0; i < n; ++i)
      if (f[i] != 0.0 && friction_column(view, at_rest, i, column)) y += f[i] * column;
    view.part.solve(none, y, f);
    if (f.head(n).norm() <= kFrictionLeft * first) return true;
  }
  return false;
}

// What the friction of that which takes a velocity along the rows makes of it in turn.
// @param before  m/s, rad/s: before the rows took it
VectorXd change_by_friction(const Evaluator& here, const HeldFactor& held, double at_rest,
                            const VectorXd& before) {
  VectorXd change = VectorXd::Zero(before.size()), y, f;
  for (const HeldIsland& part : held.islands()) {
    if (part.sparse || part.island.contacts.empty() || !part.island.loops.empty()) continue;
    const VectorXd none = VectorXd::Zero(part.row_count());
    gather_metric(here.model(), here.factor(), part.island, before, y);
    part.solve(none, y, f);
    const VectorXd closed = y;
    if (!add_friction({here, held.set(), part}, at_rest, none, f, y)) continue;
    y -= closed;
    scatter_metric(here.model(), here.factor(), part.island, y, change);
  }
  return change;
}

// J, that the impacts of this instant have lost.
double lost_in_impacts(double t, std::span<const EventRow> rows) {
  double lost = 0.0;
  for (auto row = rows.rbegin(); row != rows.rend() && row->t >= t; ++row)
    if (row->kind == EventKind::impact) lost -= row->energy_change;
  return lost;
}

void lessen_losses(double gain, std::span<EventRow> rows) {
  for (auto row = rows.rbegin(); row != rows.rend() && gain != 0.0; ++row) {
    if (row->kind != EventKind::impact) continue;
    const double part = std::min(gain, std::max(-row->energy_change, 0.0));
    row->energy_change += part;
    gain -= part;
  }
}

}  // namespace

void give_back_friction(const World& world, Evaluator& here, State& state, const HeldFactor& held,
                        const VectorXd& before, std::span<EventRow> rows) {
  if (!world.rubs() || world.contact.friction == StageFriction::no_slip || held.set().empty())
    return;
  const double available = lost_in_impacts(state.t, rows);
  if (!(available > 0.0)) return;
  const auto energy = [&](const VectorXd& v) {
    here.at(state.q, v);
    return kinetic_energy(world.model(), here.kinematics(), v);
  };
  const double closed = energy(state.v);
  const VectorXd change = change_by_friction(here, held, world.tolerance.slip_rest(), before);
  // A share of the change has no more than that share of its energy, which is convex.
  const double all = energy(state.v + change) - closed;
  state.v += (all > available ? available / all : 1.0) * change;
  const double gain = energy(state.v) - closed;
  state.ledger.impact_loss -= gain;
  lessen_losses(gain, rows);
}

}  // namespace pequod
