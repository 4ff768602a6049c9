// Rounds x ← g(x) that converge slowly, mixed so that they take fewer.
#pragma once

#include "contact/solvers/linear/held_rows.h"
#include "core/types.h"

namespace pequod {

/// Anderson's mixing (Anderson 1965; Walker & Ni 2011, algorithm AA): the next x is the combination
/// of the last g(x) by which their residuals g(x) − x would cancel best if g were linear. A secant
/// method where x has one component. A round that is farther off than the one before forgets those
/// before it, and rounds that are far off stay as they are: where there are several fixed points
/// they tell which one is meant.
class MixedRounds {
 public:
  /// Before the first round.
  void start();
  /// @param g     g(x)
  /// @param near  |g(x) − x| from which on rounds are mixed
  /// @param x     in: as it was; out: for the next round
  void mix(const VectorXd& g, double near, VectorXd& x);

  void poison() { pequod::poison(dr_, dg_, r_, g_, rows_); }

 private:
  void remember(const VectorXd& g, const VectorXd& r, double near);

  MatrixXd dr_, dg_;  // changes from round to round, the newest last
  VectorXd r_, g_;    // of the round before
  int known_ = 0;     // columns
  bool first_ = true;
  HeldRows rows_;  // workspace only, as are the next
  VectorXd none_, rest_, share_;
};

}  // namespace pequod
