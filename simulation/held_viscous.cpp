// The part of HeldContacts that knows how fast viscous friction acts, and takes it implicitly.
#include <algorithm>
#include <cmath>

#include "simulation/held.h"

namespace pequod {

// Columns √μv P L⁻ᵀ Tᵀ of the contacts of island k with viscous friction, P what the held rows
// leave.
void HeldContacts::damp_tangents(std::size_t k) {
  const ContactProblem& problem = problems_[k];
  damped_.clear();
  for (int i = 0; i < problem.n; ++i) {
    const auto index = static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)]);
    const bool floats = !floating_.empty() && floating_[index];
    if (problem.viscous[static_cast<std::size_t>(i)] > 0.0 && !floats) damped_.push_back(i);
  }
  const auto columns = 2 * static_cast<Eigen::Index>(damped_.size());
  damping_.resize(problem.m, columns);
  e_part_.resize(static_cast<Eigen::Index>(rows_[k].accepted().size()));
  for (Eigen::Index j = 0; j < columns; ++j) {
    const int i = damped_[static_cast<std::size_t>(j / 2)];
    damping_.col(j) = std::sqrt(problem.viscous[static_cast<std::size_t>(i)]) *
                      problem.tangents.col(2 * i + j % 2);
    rows_[k].split(damping_.col(j), e_part_);
  }
}

double HeldContacts::viscous_rate() {
  double rate = 0.0;
  for (std::size_t k = 0; k < islands_.size() && touching_.size() > 0; ++k) {
    damp_tangents(k);
    if (damped_.empty()) continue;
    response_.noalias() = damping_.transpose() * damping_;
    spectrum_.compute(response_, Eigen::EigenvaluesOnly);
    rate = std::max(rate, spectrum_.eigenvalues().maxCoeff());
  }
  return rate;
}

// f = −μ u⁺ with u⁺ = u + h T (v̇_held + W f): (1 + h √μ W √μ) (f/√μ) = −√μ (u + h T v̇_held).
void HeldContacts::add_implicit_friction(const Model& model, const Kinematics& kin,
                                         const MassFactor& mass, const VectorXd& v, double h,
                                         VectorXd& friction) {
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    damp_tangents(k);
    if (damped_.empty()) continue;
    const ContactProblem& problem = problems_[k];
    gather(model, islands_[k], v, part_);
    island_apply_L(model, mass, islands_[k], part_);
    part_ += h * held_y_[k];
    f_.resize(damping_.cols());
    for (Eigen::Index j = 0; j < f_.size(); ++j) {
      const int i = damped_[static_cast<std::size_t>(j / 2)];
      f_[j] = -std::sqrt(problem.viscous[static_cast<std::size_t>(i)]) *
              problem.tangents.col(2 * i + j % 2).dot(part_);
    }
    response_.noalias() = h * damping_.transpose() * damping_;
    response_.diagonal().array() += 1.0;
    implicit_.compute(response_);
    implicit_.solveInPlace(f_);
    for (std::size_t d = 0; d < damped_.size(); ++d) {
      const auto i = static_cast<std::size_t>(damped_[d]);
      const Contact& contact =
          touching_.contacts[static_cast<std::size_t>(islands_[k].contacts[i])];
      const auto row = 2 * static_cast<Eigen::Index>(d);
      const Vector3d force =
          std::sqrt(problem.viscous[i]) * (f_[row] * contact.s_W + f_[row + 1] * contact.t_W);
      add_point_row(model, kin, contact.link_b, contact.p_W, force, 1.0, friction);
      add_point_row(model, kin, contact.link_a, contact.p_W, force, -1.0, friction);
    }
  }
}

void HeldContacts::accelerate_implicitly(const Model& model, const Kinematics& kin,
                                         const MassFactor& mass, const VectorXd& v, double h,
                                         VectorXd& vdot, VectorXd& friction,
                                         std::vector<double>& force) {
  without_ = vdot;
  accelerate(model, kin, mass, without_, force);
  if (touching_.size() > 0) {
    added_.setZero(model.nv);
    add_implicit_friction(model, kin, mass, v, h, added_);
    friction += added_;
    mass.solve(model, added_);
    vdot += added_;
  }
  accelerate(model, kin, mass, vdot, force);
}

}  // namespace pequod
