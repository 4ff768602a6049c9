// What the checks of impulses and of forces have in common.
#pragma once

#include <span>
#include <vector>

#include "app/certify/newton_euler.h"
#include "simulation/trial/stepper.h"

namespace pequod::app::certify {

/// τ + external forces + springs − damping, N or N·m, found anew. @param state  supplies efforts
/// and the time
[[nodiscard]] VectorXd applied_force(const Scenario& scenario, const State& state,
                                     const Kinematics& kin, const VectorXd& v);

/// A balance of generalised forces or impulses, term by term.
class Balance {
 public:
  explicit Balance(VectorXd asked) : left_(std::move(asked)), terms_(left_.cwiseAbs()) {}

  void take(const VectorXd& term) {
    left_ -= term;
    terms_ += term.cwiseAbs();
  }
  /// Of coordinates [first, first + count) alone.
  void take(const VectorXd& term, int first, int count) {
    left_.segment(first, count) -= term.segment(first, count);
    terms_.segment(first, count) += term.segment(first, count).cwiseAbs();
  }
  void take(int coordinate, double term) {
    left_[coordinate] -= term;
    terms_[coordinate] += std::abs(term);
  }
  /// Of the worst tree: the largest of what is left over the largest of its terms, coordinates by
  /// the root of their inertia, so that forces and moments compare.
  /// @param floor  of each tree, what its terms are at least, in the unit of terms over √M_ii
  /// @param left_out  trees that are not judged; empty: none
  [[nodiscard]] double worst(const Model& model, const MassMatrix& mass,
                             const std::vector<double>& floor,
                             std::span<const char> left_out = {}) const;

 private:
  VectorXd left_, terms_;
};

/// √kg m/s² of each tree: what the terms of its motion are at least, where they cancel or weigh
/// nothing: its acceleration, its weight, and kForceNoise of its momentum over the step h.
/// @param kin  of the place; its velocities are not looked at
[[nodiscard]] std::vector<double> motion_floors(const Model& model, const Kinematics& kin,
                                                const VectorXd& v, const VectorXd& vdot, double h);

/// Takes the forces that a state tells of: contacts at their points, limits and joint friction.
/// @param factor  what a force is multiplied by: the step, where impulses balance
void take_told(const Model& model, const Kinematics& kin, const std::vector<Contact>& contacts,
               const State& told, double factor, Balance& balance);

/// For each contact the largest of what its two trees have, and of what presses on them.
/// @param roots  of each tree, √J or its rate
/// @param loads  of each contact, in the same unit
[[nodiscard]] std::vector<double> contact_scales(const Model& model,
                                                 const std::vector<Contact>& contacts,
                                                 const std::vector<double>& roots,
                                                 const std::vector<double>& loads);

/// Along n, s and t; of a joint limit the first alone.
[[nodiscard]] inline Vector3d along_rows(const Contact& contact, const Vector3d& force_W) {
  if (is_joint_limit(contact.key)) return {force_W.x(), 0.0, 0.0};
  return {contact.n_W.dot(force_W), contact.s_W.dot(force_W), contact.t_W.dot(force_W)};
}

}  // namespace pequod::app::certify
