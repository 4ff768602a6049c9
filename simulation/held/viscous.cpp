#include "simulation/held/viscous.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/solvers/linear/decompositions.h"
#include "simulation/held/tolerances.h"
#include "simulation/held/workspace.h"

namespace pequod {
namespace {

// Columns √μv P L⁻ᵀ Tᵀ of the contacts of an island with viscous friction, P what the held rows
// leave. @return whether there are any
bool damp_tangents(const HeldSet& set, const HeldIsland& part, DampedTangents& out,
                   VectorXd& multipliers) {
  const ContactProblem& problem = part.problem;
  out.contacts.clear();
  out.columns.reset(problem.m);
  if (part.in_limbs) return false;  // all tangents are held
  for (int i = 0; i < problem.n; ++i)
    if (nth(problem.viscous, i) > 0.0 && !set.laws[contact_index(part.island, i)].floats)
      out.contacts.push_back(i);
  multipliers.resize(static_cast<Eigen::Index>(part.rows.accepted().size()));
  for (const int i : out.contacts)
    for (int j = 2 * i; j < 2 * i + 2; ++j) {
      Eigen::Ref<VectorXd> column = out.columns.append();
      column = std::sqrt(nth(problem.viscous, i)) * problem.tangents.col(j);
      part.rows.split(column, multipliers);
    }
  return !out.contacts.empty();
}

// Largest eigenvalue of Σ b bᵀ over the columns, by the power method.
double fastest_damping(const ColumnBuffer& columns, ViscousBuffers& buffers) {
  VectorXd& x = buffers.power;
  x.setZero(columns.matrix().rows());
  // All columns in unlike shares, so that no symmetry hides the eigenvector from the start.
  for (Eigen::Index j = 0; j < columns.columns(); ++j)
    x += (1.0 + 0.1 * static_cast<double>(j)) * columns.col(j);
  double rate = 0.0;
  for (int step = 0; step < kRateIterations; ++step) {
    const double length = x.norm();
    if (length == 0.0) return 0.0;
    x /= length;
    buffers.image.setZero(x.size());
    for (Eigen::Index j = 0; j < columns.columns(); ++j)
      buffers.image += columns.col(j).dot(x) * columns.col(j);
    x = buffers.image;
    const double before = std::exchange(rate, x.norm());
    if (std::abs(rate - before) <= kRateSettled * rate) break;
  }
  return rate;
}

// f = −μ u⁺ with u⁺ = u + h T (v̇_held + W f): (1 + h √μ W √μ) (f/√μ) = −√μ (u + h T v̇_held).
// @param y  L v + h L v̇_held
void add_implicit_friction(const IslandView& view, const DampedTangents& damped, const VectorXd& y,
                           double h, ViscousBuffers& buffers, VectorXd& friction) {
  const ContactProblem& problem = view.part.problem;
  VectorXd& slip = buffers.slip;
  slip.resize(damped.columns.columns());
  for (Eigen::Index j = 0; j < slip.size(); ++j) {
    const int i = nth(damped.contacts, j / 2);
    slip[j] = -std::sqrt(nth(problem.viscous, i)) * problem.tangents.col(2 * i + j % 2).dot(y);
  }
  buffers.response.noalias() = h * damped.columns.matrix().transpose() * damped.columns.matrix();
  buffers.response.diagonal().array() += 1.0;
  factorise(buffers.response, buffers.implicit);
  solve_in_place(buffers.implicit, slip);
  Eigen::Index row = 0;
  for (const int i : damped.contacts) {
    const Contact& contact = view.contact(i);
    const Vector3d force = std::sqrt(nth(problem.viscous, i)) *
                           (slip[row] * contact.s_W + slip[row + 1] * contact.t_W);
    add_contact_row(view.model(), view.kin(), contact, force, 1.0, friction);
    row += 2;
  }
}

}  // namespace

double viscous_rate(const HeldFactor& held, HeldWorkspace& workspace) {
  ViscousBuffers& buffers = workspace.viscous;
  double rate = 0.0;
  for (const HeldIsland& part : held.islands())
    if (damp_tangents(held.set(), part, buffers.damped, workspace.rows.f))
      rate = std::max(rate, fastest_damping(buffers.damped.columns, buffers));
  return rate;
}

void accelerate_implicitly(const Evaluator& here, const HeldFactor& held, const VectorXd& v,
                           double h, const VectorXd& force, VectorXd& vdot, VectorXd& friction,
                           HeldMotion& out, HeldWorkspace& workspace) {
  ViscousBuffers& buffers = workspace.viscous;
  VectorXd& y = workspace.rows.y;
  accelerate(here, held, force, vdot, out, workspace);
  if (held.set().touching.size() > 0) {
    buffers.added.setZero(here.model().nv);
    for (std::size_t k = 0; k < held.islands().size(); ++k) {
      const HeldIsland& part = held.islands()[k];
      if (!damp_tangents(held.set(), part, buffers.damped, workspace.rows.f)) continue;
      gather_metric(here.model(), here.factor(), part.island, v, y);
      y += h * out.islands[k].y;
      add_implicit_friction({here, held.set(), part}, buffers.damped, y, h, buffers, buffers.added);
    }
    friction += buffers.added;
    buffers.added += force;
    accelerate(here, held, buffers.added, vdot, out, workspace);
  }
}

}  // namespace pequod
