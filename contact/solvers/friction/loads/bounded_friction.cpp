#include "contact/solvers/friction/loads/bounded_friction.h"

#include <array>
#include <cmath>

namespace pequod {

namespace {

Eigen::Map<const Eigen::Vector3d> row_of(const std::vector<double>& rows, int p) {
  return Eigen::Map<const Eigen::Vector3d>(rows.data() + 3 * p);
}

constexpr int kMostBoundedSteps = 40, kMostSlopes = 60;
constexpr double kShortStep = 1e-9;  // of the units of y: a step this short ends
constexpr double kSlopeLeft =
    0.5;  // of the slope at a step's start: as near to its zero as is asked
constexpr double kBracket = 1e-6;  // relative width of the bracket of that zero

class BoundedNewton {
 public:
  BoundedNewton(const LoadScaled& scaled, const VectorXd& bounds, const VectorXd& given,
                double compliance, BoundedBuffers& buffers)
      : s_(scaled), bounds_(bounds), compliance_(compliance), b_(buffers) {
    b_.r.resize(3 * s_.n);
    b_.blocks.resize(9 * s_.n);
    b_.free = s_.y;
    for (int i = 0; i < s_.n; ++i)
      for (int p = s_.begin[i]; p < s_.begin[i + 1]; ++p)
        b_.free[s_.rows[p]] +=
            (row_of(s_.pushes, p) - row_of(s_.blocks, p)).dot(given.segment<3>(3 * i));
  }

  int solve(VectorXd& y);

 private:
  void press(int i, const double* u);
  void evaluate(const VectorXd& y);
  bool find_step();
  void advance(VectorXd& y);

  const LoadScaled& s_;
  const VectorXd& bounds_;
  double compliance_;
  BoundedBuffers& b_;
};

// r of contact i at u, and −∂r/∂u.
void BoundedNewton::press(int i, const double* u) {
  const double k = s_.force[i] / (compliance_ * s_.speed), bound = bounds_[i];
  double* r = b_.r.data() + 3 * i;
  Eigen::Map<RowMajor3> D(b_.blocks.data() + 9 * i);
  D.setZero();
  r[0] = u[0] < 0.0 ? -k * u[0] : 0.0;
  if (u[0] < 0.0) D(0, 0) = k;
  r[1] = -k * u[1];
  r[2] = -k * u[2];
  const double friction = std::hypot(r[1], r[2]);
  if (friction <= bound) {
    D(1, 1) = D(2, 2) = k;
    return;
  }
  const double cut = bound / friction, e1 = r[1] / friction, e2 = r[2] / friction;
  r[1] *= cut;
  r[2] *= cut;
  D(1, 1) = k * cut * (1.0 - e1 * e1);
  D(2, 2) = k * cut * (1.0 - e2 * e2);
  D(1, 2) = D(2, 1) = -k * cut * e1 * e2;
}

// The gradient y − y₀ − (P − G) r̄ − G r(y) of the energy.
void BoundedNewton::evaluate(const VectorXd& y) {
  b_.slope = y - b_.free;
  for (int i = 0; i < s_.n; ++i) {
    std::array<double, 3> u{};
    s_.speed_of(i, y, u.data());
    press(i, u.data());
    const double* r = b_.r.data() + 3 * i;
    for (int p = s_.begin[i]; p < s_.begin[i + 1]; ++p) {
      const double* block = s_.blocks.data() + 3 * p;
      b_.slope[s_.rows[p]] -= block[0] * r[0] + block[1] * r[1] + block[2] * r[2];
    }
  }
}

// (1 + G D Gᵀ) step = −slope, its diagonal scaled to one. @return  false if the step is none
bool BoundedNewton::find_step() {
  auto H = b_.lu.matrix(s_.m);
  H.setIdentity();
  for (int i = 0; i < s_.n; ++i) {
    const Eigen::Map<const RowMajor3> D(b_.blocks.data() + 9 * i);
    for (int q = s_.begin[i]; q < s_.begin[i + 1]; ++q) {
      const Eigen::Vector3d pushed = D * Eigen::Map<const Eigen::Vector3d>(&s_.blocks[3 * q]);
      for (int p = s_.begin[i]; p < s_.begin[i + 1]; ++p)
        H(s_.rows[p], s_.rows[q]) +=
            Eigen::Map<const Eigen::Vector3d>(&s_.blocks[3 * p]).dot(pushed);
    }
  }
  b_.scale = H.diagonal().cwiseSqrt().cwiseInverse();
  for (int k = 0; k < s_.m; ++k) H.col(k).array() *= b_.scale[k] * b_.scale.array();
  b_.step = -b_.slope.cwiseProduct(b_.scale);
  if (!(b_.lu.factor() > 0.0)) return false;
  b_.lu.solve(b_.step.data());
  b_.step.array() *= b_.scale.array();
  return b_.step.cwiseQuotient(s_.rate).lpNorm<Eigen::Infinity>() > kShortStep;
}

// Along the step to where the slope all but ends, bracketed by its signs.
void BoundedNewton::advance(VectorXd& y) {
  const double start = b_.slope.dot(b_.step);
  double below = 0.0, above = 0.0, t = 1.0;
  for (int trial = 0; trial < kMostSlopes; ++trial) {
    b_.next = y + t * b_.step;
    evaluate(b_.next);
    const double slope = b_.slope.dot(b_.step);
    if (std::abs(slope) <= kSlopeLeft * std::abs(start)) break;
    (slope > 0.0 ? above : below) = t;
    if (above == 0.0 || above < below * (1.0 + kBracket)) break;
    t = below > 0.0 ? std::sqrt(below * above) : above / 8.0;
  }
  y.swap(b_.next);
}

int BoundedNewton::solve(VectorXd& y) {
  evaluate(y);
  for (int step = 0; step < kMostBoundedSteps; ++step) {
    if (!find_step()) return step;
    advance(y);
  }
  return kMostBoundedSteps;
}

}  // namespace

int solve_bounded_friction(const LoadScaled& scaled, const VectorXd& bounds, const VectorXd& given,
                           double compliance, BoundedBuffers& buffers, VectorXd& y, VectorXd& r) {
  const int steps = BoundedNewton(scaled, bounds, given, compliance, buffers).solve(y);
  r = buffers.r;
  return steps;
}

}  // namespace pequod
