// The dynamics terms at one (q, v), remembered until q or v changes.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "core/dynamics.h"
#include "core/parallel.h"
#include "simulation/shape_places.h"

namespace pequod {

/// Of the same size and numbers, to the bit.
[[nodiscard]] inline bool are_equal(const VectorXd& a, const VectorXd& b) {
  const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

/// Whether all numbers are finite. A sum takes them two by two, Eigen's own test one by one.
[[nodiscard]] inline bool are_finite(const VectorXd& x) { return (0.0 * x).sum() == 0.0; }

/// A memo of pure functions of (q, v): asking again for the same numbers costs a comparison and
/// gives the same bits.
class Evaluator {
 public:
  /// @param team  who finds them, tree by tree
  explicit Evaluator(const Model& model, const Team* team = nullptr);
  friend void swap(Evaluator& a, Evaluator& b) noexcept;

  /// Poses, S, inertias, M and its factor at q; velocities and bias force at (q, v).
  void at(const VectorXd& q, const VectorXd& v) {
    at_position(q);
    if (!fresh_ || !are_equal(v_, v)) go_to_velocity(v);
  }
  /// The part that depends on q alone; velocities and bias are stale until at() is called.
  void at_position(const VectorXd& q) {
    if (!factored_ || !is_at(q)) go_to(q);
  }
  /// Of that, poses, S and inertias; M and its factor are stale until at_position() is called.
  void place_at(const VectorXd& q);
  /// The same, the links from a Kinematics at a place that may be q.
  void at_position(const VectorXd& q, const VectorXd& placed_q, const Kinematics& placed);
  /// The same, in exchange for the links and the q where it stood before. @return whether it was q
  bool take_place(const VectorXd& q, VectorXd& placed_q, Kinematics& placed);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Team* team() const { return team_; }
  [[nodiscard]] const VectorXd& q() const { return q_; }
  [[nodiscard]] const VectorXd& v() const { return v_; }
  [[nodiscard]] const Kinematics& kinematics() const { return kin_; }
  [[nodiscard]] const MassMatrix& mass() const { return mass_; }
  [[nodiscard]] const MassFactor& factor() const { return factor_; }
  [[nodiscard]] const VectorXd& bias() const { return bias_; }
  /// Poses X_WS of these shapes at q, and their speeds at (q, v): see ShapePlaces.
  [[nodiscard]] const std::vector<Pose>& shapes(std::span<const int> wanted) const {
    return places_.poses(*model_, kin_, wanted, team_);
  }
  [[nodiscard]] const std::vector<double>& speeds(std::span<const int> wanted) const {
    return places_.speeds(*model_, kin_, wanted, team_);
  }

 private:
  [[nodiscard]] bool is_at(const VectorXd& q) const { return are_equal(q_, q); }
  /// M and its factor of these trees, whose links have been placed.
  void factor(std::span<const Tree> trees);
  void begin_at(const VectorXd& q);
  void go_to(const VectorXd& q);
  void go_to_velocity(const VectorXd& v);

  const Model* model_;
  const Team* team_;
  VectorXd q_, v_;
  Kinematics kin_;
  MassMatrix mass_;
  MassFactor factor_;
  VectorXd bias_;
  bool factored_ = false;       // M and its factor belong to q_
  bool fresh_ = false;          // velocities and bias belong to q_ and v_
  mutable ShapePlaces places_;  // of the shapes at q_ and v_
};

}  // namespace pequod
