#include "contact/solvers/linear/limb_rows.h"

#include <cmath>

namespace pequod {
namespace {

constexpr int kBody = LimbRows::kBody, kOwn = LimbRows::kOwn;
constexpr int kTriangle = kBody * (kBody + 1) / 2;

// Of the length of a row of B and D: less than this beyond the other rows would repeat them. No row
// has less beyond them than 1/|D⁻¹|, and none is longer than |D| (1 + |W|).
constexpr double kRepeats = 1e-3;

using Held = HeldLanes;

PEQUOD_INLINE Held load(const std::array<double, kLanes>& entry) { return lanes(entry.data()); }
PEQUOD_INLINE void store(const Held& x, std::array<double, kLanes>& entry) {
  lanes(entry.data()) = x;
}

// D⁻¹ by its cofactors, and B D⁻¹. @return of each contact |D|² |D⁻¹|² (1 + |W|²), Frobenius
PEQUOD_INLINE Held invert(LimbRows::Four& four) {
  Held d[9], c[9];
  for (std::size_t k = 0; k < 9; ++k) d[k] = load(four.D[k]);
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[3 * j + i] = d[3 * i1 + j1] * d[3 * i2 + j2] - d[3 * i1 + j2] * d[3 * i2 + j1];
    }
  const Held inverse = 1.0 / (d[0] * c[0] + d[1] * c[3] + d[2] * c[6]);
  Held of_d{}, of_c{}, of_w{};
  for (std::size_t k = 0; k < 9; ++k) {
    c[k] *= inverse;
    of_d += d[k] * d[k];
    of_c += c[k] * c[k];
    store(c[k], four.inverse[k]);
  }
  for (std::size_t r = 0; r < kBody; ++r) {
    const Held b0 = load(four.B[3 * r]), b1 = load(four.B[3 * r + 1]), b2 = load(four.B[3 * r + 2]);
    for (std::size_t k = 0; k < kOwn; ++k) {
      const Held w = b0 * c[k] + b1 * c[3 + k] + b2 * c[6 + k];
      of_w += w * w;
      store(w, four.W[3 * r + k]);
    }
  }
  return of_d * of_c * (1.0 + of_w);
}

// Squares as invert() gives them; (1 + |W|)² is 2 (1 + |W|²) at most.
PEQUOD_INLINE bool are_independent(const Held& x) {
  constexpr double kLimit = 0.5 / (kRepeats * kRepeats);
  return x[0] < kLimit && x[1] < kLimit && x[2] < kLimit && x[3] < kLimit;
}

// S += W Wᵀ, lower triangle.
PEQUOD_INLINE void add_square(const LimbRows::Four& four, Held* S) {
  for (std::size_t r = 0, k = 0; r < kBody; ++r)
    for (std::size_t s = 0; s <= r; ++s, ++k)
      for (std::size_t c = 0; c < kOwn; ++c)
        S[k] += load(four.W[3 * r + c]) * load(four.W[3 * s + c]);
}

PEQUOD_TWICE bool factor_all(std::vector<LimbRows::Four>& fours, double* L) {
  Held S[kTriangle] = {};
  for (LimbRows::Four& four : fours) {
    if (!are_independent(invert(four))) return false;
    add_square(four, S);
  }
  for (int i = 0, k = 0; i < kBody; ++i)
    for (int j = 0; j <= i; ++j, ++k) L[k] = (i == j ? 1.0 : 0.0) + sum_of_lanes(S[k]);
  return true;
}

// Of the triangle, in place; no pivot is below 1.
PEQUOD_INLINE void factor_triangle(double* L) {
  for (int i = 0; i < kBody; ++i) {
    double* const row = L + i * (i + 1) / 2;
    for (int j = 0; j <= i; ++j) {
      const double* const other = L + j * (j + 1) / 2;
      double sum = row[j];
      for (int k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = j < i ? sum * other[j] : 1.0 / std::sqrt(sum);
    }
  }
}

PEQUOD_INLINE void solve_triangle(const double* L, double* x) {
  for (int i = 0; i < kBody; ++i) {
    const double* const row = L + i * (i + 1) / 2;
    for (int j = 0; j < i; ++j) x[i] -= row[j] * x[j];
    x[i] *= row[i];
  }
  for (int i = kBody; i-- > 0;) {
    const double* const row = L + i * (i + 1) / 2;
    x[i] *= row[i];
    for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

// What is asked of four contacts, and where these are.
struct Asked {
  Held e[kOwn], own[kOwn];
};

// What the limbs are to do by themselves: D⁻ᵀ e.
PEQUOD_INLINE void asked_alone(const LimbRows::Four& four, const Asked& asked, Held* alone) {
  for (std::size_t c = 0; c < kOwn; ++c)
    alone[c] = load(four.inverse[c]) * asked.e[0] + load(four.inverse[3 + c]) * asked.e[1] +
               load(four.inverse[6 + c]) * asked.e[2];
}

// b += W (D⁻ᵀe − y of the limbs)
PEQUOD_INLINE void add_asked(const LimbRows::Four& four, const Asked& asked, Held* b) {
  Held alone[kOwn];
  asked_alone(four, asked, alone);
  for (std::size_t c = 0; c < kOwn; ++c) {
    const Held moves = alone[c] - asked.own[c];
    for (std::size_t r = 0; r < kBody; ++r) b[r] += load(four.W[3 * r + c]) * moves;
  }
}

// The limbs, where the body goes to `body`, and the multipliers.
PEQUOD_INLINE void follow_body(const LimbRows::Four& four, const Asked& asked, const double* body,
                               Held* own, Held* f) {
  Held moved[kOwn];
  asked_alone(four, asked, own);
  for (std::size_t c = 0; c < kOwn; ++c) {
    for (std::size_t r = 0; r < kBody; ++r) own[c] -= load(four.W[3 * r + c]) * body[r];
    moved[c] = own[c] - asked.own[c];
  }
  for (std::size_t d = 0; d < kOwn; ++d)
    f[d] = load(four.inverse[3 * d]) * moved[0] + load(four.inverse[3 * d + 1]) * moved[1] +
           load(four.inverse[3 * d + 2]) * moved[2];
}

// The problem as vectors of numbers: of each contact's own coordinates and rows.
struct Vectors {
  int n;
  const double *e, *y;

  // Of row d of contact i.
  [[nodiscard]] PEQUOD_INLINE int row(int i, int d) const { return d == 0 ? i : n + 2 * i + d - 1; }
  PEQUOD_INLINE void take(const LimbRows::Four& four, int first, Asked& out) const {
    for (int d = 0; d < kOwn; ++d) out.e[d] = out.own[d] = Held{};
    for (int k = 0; k < kLanes && first + k < n; ++k)
      for (int d = 0; d < kOwn; ++d) {
        out.e[d][k] = e[row(first + k, d)];
        out.own[d][k] = y[four.first[k] + d];
      }
  }
  // Back to y and to multipliers.
  PEQUOD_INLINE void put(const LimbRows::Four& four, int first, const Held* own,
                         const Held* multiplier, double* to_y, double* to_f) const {
    for (int k = 0; k < kLanes && first + k < n; ++k)
      for (int d = 0; d < kOwn; ++d) {
        to_y[four.first[k] + d] = own[d][k];
        to_f[row(first + k, d)] = multiplier[d][k];
      }
  }
};

PEQUOD_TWICE void solve_all(const std::vector<LimbRows::Four>& fours, const double* L,
                            const Vectors& vectors, double* to_y, double* to_f) {
  Asked asked;
  Held b[kBody] = {};
  for (std::size_t k = 0; k < fours.size(); ++k) {
    vectors.take(fours[k], kLanes * static_cast<int>(k), asked);
    add_asked(fours[k], asked, b);
  }
  double body[kBody];
  for (int r = 0; r < kBody; ++r) body[r] = vectors.y[r] + sum_of_lanes(b[r]);
  solve_triangle(L, body);
  for (std::size_t k = 0; k < fours.size(); ++k) {
    Held own[kOwn], f[kOwn];
    vectors.take(fours[k], kLanes * static_cast<int>(k), asked);
    follow_body(fours[k], asked, body, own, f);
    vectors.put(fours[k], kLanes * static_cast<int>(k), own, f, to_y, to_f);
  }
  for (int r = 0; r < kBody; ++r) to_y[r] = body[r];
}

// Sums over the contacts, and what the multipliers do to the body.
struct Sums {
  Held speed{}, work{}, left{};
  Held body[kBody] = {};
};

// @param before, after  own coordinates; in e of both the multipliers
// @param body           after
PEQUOD_INLINE void add_residuals(const LimbRows::Four& four, const Asked& before,
                                 const Asked& after, const double* body, Sums& sums) {
  for (std::size_t d = 0; d < kOwn; ++d) {
    Held speed{}, square{};
    for (std::size_t r = 0; r < kBody; ++r) {
      const Held b = load(four.B[3 * r + d]);
      speed += b * body[r];
      square += b * b;
      sums.body[r] += b * after.e[d];
    }
    for (std::size_t c = 0; c < kOwn; ++c) {
      const Held own = load(four.D[3 * c + d]);
      speed += own * after.own[c];
      square += own * own;
    }
    sums.speed += speed * speed / square;
    if (d == 0) sums.work += (speed * after.e[0]) * (speed * after.e[0]);
  }
  for (std::size_t c = 0; c < kOwn; ++c) {
    const Held left = before.own[c] - after.own[c] + load(four.D[3 * c]) * after.e[0] +
                      load(four.D[3 * c + 1]) * after.e[1] + load(four.D[3 * c + 2]) * after.e[2];
    sums.left += left * left;
  }
}

PEQUOD_TWICE LimbRows::Residuals measure_all(const std::vector<LimbRows::Four>& fours,
                                             const Vectors& before, const Vectors& after) {
  Sums sums;
  Asked from, to;
  for (std::size_t k = 0; k < fours.size(); ++k) {
    before.take(fours[k], kLanes * static_cast<int>(k), from);
    after.take(fours[k], kLanes * static_cast<int>(k), to);
    add_residuals(fours[k], from, to, after.y, sums);
  }
  double left = sum_of_lanes(sums.left);
  for (int r = 0; r < kBody; ++r) {
    const double own = before.y[r] - after.y[r] + sum_of_lanes(sums.body[r]);
    left += own * own;
  }
  return {std::sqrt(sum_of_lanes(sums.speed)), std::sqrt(sum_of_lanes(sums.work)), std::sqrt(left)};
}

}  // namespace

std::vector<LimbRows::Four>& LimbRows::resize(int n) {
  count_ = n;
  factored_ = false;
  fours_.resize((n + kLanes - 1) / kLanes);
  return fours_;
}

bool LimbRows::factor() {
  if (count_ == 0) return false;
  if (factored_) return true;
  if (!factor_all(fours_, L_.data())) return false;
  factor_triangle(L_.data());
  factored_ = true;
  return true;
}

void LimbRows::solve(const VectorXd& e, VectorXd& y, VectorXd& f) const {
  f.resize(e.size());
  solve_all(fours_, L_.data(), {count_, e.data(), y.data()}, y.data(), f.data());
}

LimbRows::Residuals LimbRows::measure(const VectorXd& before, const VectorXd& after,
                                      const VectorXd& f) const {
  return measure_all(fours_, {count_, f.data(), before.data()}, {count_, f.data(), after.data()});
}

}  // namespace pequod
