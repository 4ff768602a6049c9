#include "contact/solvers/friction/bodies/body_factor.h"

#include <algorithm>
#include <array>

#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

// Rows of a body are six numbers, those of a block one lane of four and half a lane.
using HalfLanes = double __attribute__((vector_size(16), aligned(8), may_alias));
using HeldHalf = double __attribute__((vector_size(16)));  // in a register
PEQUOD_INLINE HalfLanes& half_lanes(double* at) { return *reinterpret_cast<HalfLanes*>(at); }
PEQUOD_INLINE const HalfLanes& half_lanes(const double* at) {
  return *reinterpret_cast<const HalfLanes*>(at);
}

// Where the blocks of a contact are; none: null.
struct ContactBlocks {
  double *a = nullptr, *b = nullptr;          // A_aa, A_bb
  double *below = nullptr, *above = nullptr;  // A_ij of both, and A_jiᵀ
  bool a_below = false;                       // i is a
};

// C G, both by rows; entry (k, l) of C at first + down k + across l.
PEQUOD_INLINE void multiply(const double* first, int down, int across, const double* G,
                            double* product) {
  for (int k = 0; k < 3; ++k) {
    const double *c = first + down * k, x = c[0], y = c[across], z = c[2 * across];
    double* row = product + kBodyWidth * k;
    lanes(row) = x * lanes(G) + y * lanes(G + kBodyWidth) + z * lanes(G + 2 * kBodyWidth);
    half_lanes(row + kLanes) = x * half_lanes(G + kLanes) +
                               y * half_lanes(G + kLanes + kBodyWidth) +
                               z * half_lanes(G + kLanes + 2 * kBodyWidth);
  }
}

// block ← block + Gᵀ product
PEQUOD_INLINE void add(double* block, const double* G, const double* product) {
  constexpr int kSide = block_side(kBodyWidth);
  HeldLanes row[3];
  HeldHalf end[3];
  for (int k = 0; k < 3; ++k) {
    row[k] = lanes(G + kBodyWidth * k);
    end[k] = half_lanes(G + kBodyWidth * k + kLanes);
  }
  for (int c = 0; c < kBodyWidth; ++c) {
    double* column = block + kSide * c;
    HeldLanes sum = lanes(column);
    HeldHalf sum_end = half_lanes(column + kLanes);
    for (int k = 0; k < 3; ++k) {
      const double given = product[kBodyWidth * k + c];
      sum += row[k] * given;
      sum_end += end[k] * given;
    }
    lanes(column) = sum;
    half_lanes(column + kLanes) = sum_end;
  }
}

// Gᵀ C G of one contact.
PEQUOD_TWICE void add_contact(const double* C, const double* G_a, const double* G_b,
                              const ContactBlocks& to) {
  std::array<double, kBodyRows> C_a, C_b, back;
  multiply(C, 3, 1, G_a, C_a.data());
  multiply(C, 3, 1, G_b, C_b.data());
  if (to.a) add(to.a, G_a, C_a.data());
  if (to.b) add(to.b, G_b, C_b.data());
  const double *low = to.a_below ? G_a : G_b, *high = to.a_below ? G_b : G_a;
  if (to.below) add(to.below, low, to.a_below ? C_b.data() : C_a.data());
  if (!to.above) return;
  multiply(C, 1, 3, high, back.data());  // by the transpose of C the other way round
  add(to.above, low, back.data());
}

}  // namespace

void BodyFactor::fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric) {
  const int bodies = factor_.bodies();
  factor_.clear(symmetric);
  for (int i = 0; i < bodies; ++i) factor_.diagonal(i).diagonal().setOnes();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double* own = C.data() + 9 * i;
    if (std::all_of(own, own + 9, [](double c) { return c == 0.0; })) continue;
    const ScaledContact& contact = problem.contacts[i];
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    ContactBlocks to;
    if (a < bodies) to.a = factor_.diagonal(a).data();
    if (b < bodies) to.b = factor_.diagonal(b).data();
    if (to.a && to.b) {
      const auto between = factor_.pair(a, b);
      to.a_below = between.first_below;
      to.below = factor_.below(between).data();
      if (!symmetric) to.above = factor_.above(between).data();
    }
    add_contact(own, contact.rows.data(), contact.rows.data() + kBodyRows, to);
  }
}

void BodyFactor::factorise(const ScaledBodies& problem, const std::vector<double>& C,
                           bool symmetric) {
  fill(problem, C, symmetric);
  factor_.factorise();
}

void BodyFactor::solve(VectorXd& x, VectorXd& z) const {
  z.setZero(static_cast<Index>(factor_.kSide) * factor_.bodies());
  for (int i = 0; i < factor_.bodies(); ++i)
    factor_.part(z, i).head<kBodyWidth>() = x.segment<kBodyWidth>(kBodyWidth * i);
  factor_.solve(z);
  for (int i = 0; i < factor_.bodies(); ++i)
    x.segment<kBodyWidth>(kBodyWidth * i) = factor_.part(z, i).head<kBodyWidth>();
}

}  // namespace pequod
