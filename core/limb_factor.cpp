#include <cmath>
#include <cstddef>

#include "core/held_lanes.h"
#include "core/limb_fours.h"
#include "core/model.h"

namespace pequod {
namespace {

constexpr std::size_t kBody = 6;  // coordinates

// Rows of M, and then of L, of four limbs.
struct LimbEntries {
  Held body[kMostLevels][kBody];
  Held own[kMostLevels][kMostLevels];  // up to the diagonal
};

// Calls visit(entry, place of it in L) for the entries of the rows.
template <typename Visit>
PEQUOD_INLINE void for_each_entry(const Tree& tree, const LimbFour& four, double* L,
                                  LimbEntries& rows, const Visit& visit) {
  const auto at = [&](std::size_t l, const auto& column) {
    return [&, l](int lane) {
      const auto k = static_cast<std::size_t>(lane);
      return L + (four[l].v[k] - tree.first_v) * tree.nv + column(k);
    };
  };
  for (std::size_t l = 0; l < four.size(); ++l) {
    for (std::size_t j = 0; j < kBody; ++j)
      visit(rows.body[l][j], at(l, [&](std::size_t) { return static_cast<int>(j); }));
    for (std::size_t j = 0; j <= l; ++j)
      visit(rows.own[l][j], at(l, [&](std::size_t k) { return four[j].v[k] - tree.first_v; }));
  }
}

// Takes what row l leaves off those nearer to the body, and adds to what the body loses.
PEQUOD_INLINE void eliminate_row(std::size_t l, LimbEntries& rows, Held* lost) {
  const Held inverse = 1.0 / rows.own[l][l];
  for (std::size_t i = 0, k = 0; i < kBody; ++i) {
    const Held a = rows.body[l][i] * inverse;
    for (std::size_t j = 0; j <= i; ++j, ++k) lost[k] += a * rows.body[l][j];
  }
  for (std::size_t i = 0; i < l; ++i) {
    const Held a = rows.own[l][i] * inverse;
    for (std::size_t j = 0; j < kBody; ++j) rows.body[i][j] -= a * rows.body[l][j];
    for (std::size_t j = 0; j <= i; ++j) rows.own[i][j] -= a * rows.own[l][j];
  }
}

// By the root of the pivot. @return its inverse
PEQUOD_INLINE Held scale_row(std::size_t l, LimbEntries& rows) {
  Held root = rows.own[l][l];
  for (int lane = 0; lane < 4; ++lane) root[lane] = std::sqrt(root[lane]);
  const Held inverse = 1.0 / root;
  for (std::size_t j = 0; j < kBody; ++j) rows.body[l][j] *= inverse;
  for (std::size_t j = 0; j < l; ++j) rows.own[l][j] *= inverse;
  rows.own[l][l] = root;
  return inverse;
}

PEQUOD_INLINE bool are_pivots(const Held& d) {
  for (int lane = 0; lane < 4; ++lane)
    if (!(d[lane] > 0.0) || !std::isfinite(d[lane])) return false;
  return true;
}

}  // namespace

PEQUOD_CLONES
bool factor_limbs(const Model& model, const Tree& tree, double* L, double* inverse) {
  Held lost[kBody * (kBody + 1) / 2] = {};
  for (const LimbFour& four : fours_of(model, tree)) {
    LimbEntries rows;
    for_each_entry(tree, four, L, rows,
                   [](Held& entry, const auto& place) { entry = load_one(place); });
    for (std::size_t l = four.size(); l-- > 0;) {
      if (!are_pivots(rows.own[l][l])) return false;
      eliminate_row(l, rows, lost);
      store_one(scale_row(l, rows),
                [&](int lane) { return inverse + (nth(four[l].v, lane) - tree.first_v); });
    }
    for_each_entry(tree, four, L, rows,
                   [](Held& entry, const auto& place) { store_one(entry, place); });
  }
  for (std::size_t i = 0, k = 0; i < kBody; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++k)
      L[i * static_cast<std::size_t>(tree.nv) + j] -= sum_of(lost[k]);
  return true;
}

}  // namespace pequod
