// The dynamics terms at one (q, v), remembered until q or v changes.
#pragma once

#include <vector>

#include "core/dynamics.h"

namespace pequod {

/// Of the same size and numbers.
[[nodiscard]] inline bool are_equal(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && a == b;
}

/// Poses of the shapes of a model, X_WS, where its links are.
void place_shapes(const Model& model, const Kinematics& kin, std::vector<Pose>& X_WS);

/// How fast the points of a shape may move: |v| of its frame's origin, m/s, and |ω|, rad/s.
struct ShapeSpeed {
  double origin = 0.0, turn = 0.0;
};

/// A memo of pure functions of (q, v): asking again for the same numbers costs a comparison and
/// gives the same bits.
class Evaluator {
 public:
  explicit Evaluator(const Model& model) : model_(&model) {}

  /// Poses, S, inertias, M and its factor at q; velocities and bias force at (q, v).
  void at(const VectorXd& q, const VectorXd& v);
  /// The part that depends on q alone; velocities and bias are stale until at() is called.
  void at_position(const VectorXd& q);
  /// The same, the links from a Kinematics at a place that may be q.
  void at_position(const VectorXd& q, const VectorXd& placed_q, const Kinematics& placed);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const VectorXd& q() const { return q_; }
  [[nodiscard]] const Kinematics& kinematics() const { return kin_; }
  [[nodiscard]] const MassMatrix& mass() const { return mass_; }
  [[nodiscard]] const MassFactor& factor() const { return factor_; }
  [[nodiscard]] const VectorXd& bias() const { return bias_; }
  /// Poses of all shapes at q, found when they are asked for.
  [[nodiscard]] const std::vector<Pose>& shapes() const;
  /// How fast they are at (q, v), likewise; zero of those that stand.
  [[nodiscard]] const std::vector<ShapeSpeed>& speeds() const;

 private:
  [[nodiscard]] bool is_at(const VectorXd& q) const { return are_equal(q_, q); }
  void factor_at(const VectorXd& q);

  const Model* model_;
  VectorXd q_, v_;
  Kinematics kin_;
  MassMatrix mass_;
  MassFactor factor_;
  VectorXd bias_;
  bool fresh_ = false;  // velocities and bias belong to q_ and v_
  mutable std::vector<Pose> X_WS_;
  mutable bool placed_ = false;  // they belong to q_
  mutable std::vector<ShapeSpeed> speeds_;
  mutable bool timed_ = false;  // they belong to q_ and v_
};

/// Kinetic plus potential energy, J.
[[nodiscard]] double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v);

}  // namespace pequod
