#include "simulation/trial/mixed_rounds.h"

namespace pequod {
namespace {

constexpr int kRemembered = 5;  // rounds: Walker & Ni 2011 find little in more

}  // namespace

void MixedRounds::start() {
  first_ = true;
  known_ = 0;
}

void MixedRounds::remember(const VectorXd& g, const VectorXd& r, double near) {
  if (first_ || r.norm() > r_.norm() || r_.norm() > near) {
    known_ = 0;
    return;
  }
  for (MatrixXd* changes : {&dr_, &dg_})
    if (changes->rows() != g.size()) changes->resize(g.size(), kRemembered);
  if (known_ == kRemembered) {
    --known_;
    for (int j = 0; j < known_; ++j) {
      dr_.col(j) = dr_.col(j + 1);
      dg_.col(j) = dg_.col(j + 1);
    }
  }
  dr_.col(known_) = r - r_;
  dg_.col(known_++) = g - g_;
}

void MixedRounds::mix(const VectorXd& g, double near, VectorXd& x) {
  rest_ = g - x;
  remember(g, rest_, near);
  r_ = rest_;
  g_ = g;
  first_ = false;
  x = g;
  rows_.reset(g.size());
  for (int j = known_; j-- > 0;) rows_.add(dr_.col(j));
  none_.setZero(known_);
  rows_.solve(none_, rest_, share_);
  for (int j = 0; j < known_; ++j) x += share_[j] * dg_.col(known_ - 1 - j);
}

}  // namespace pequod
