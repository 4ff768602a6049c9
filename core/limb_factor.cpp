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

// The entries of the rows of a level: visit(entry, places of it) of one, and visit_four() of four
// that stand one behind the other.
template <typename Visit, typename VisitFour>
PEQUOD_INLINE void for_each_entry(const Tree& tree, const LimbFour& four, std::size_t l, double* L,
                                  LimbEntries& rows, const Visit& visit,
                                  const VisitFour& visit_four) {
  const auto places =
      four_places([&](int lane) { return L + (nth(four[l].v, lane) - tree.first_v) * tree.nv; });
  auto& body = rows.body[l];
  visit_four(body[0], body[1], body[2], body[3], behind(places, 0));
  visit(body[4], behind(places, 4));
  visit(body[5], behind(places, 5));
  for (std::size_t j = 0; j <= l; ++j)
    visit(rows.own[l][j],
          [&](int lane) { return nth(places, lane) + (nth(four[j].v, lane) - tree.first_v); });
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

PEQUOD_INLINE void keep_row(const LimbEntries& rows, std::size_t l, const Held& inverse,
                            LimbRowsOfL::Row& kept) {
  for (std::size_t j = 0; j < kBody; ++j) store(rows.body[l][j], kept.body[j].data());
  for (std::size_t j = 0; j <= l; ++j) store(rows.own[l][j], kept.own[j].data());
  store(inverse, kept.inverse.data());
}

// The first coordinates of four limbs, in numbers of their tree. Those of other levels stand
// behind.
PEQUOD_INLINE auto first_coordinates(const Tree& tree, const LimbFour& four, double* x) {
  return four_places([&](int lane) { return x + (nth(four[0].v, lane) - tree.first_v); });
}

// What the rows of level l make of the coordinates of the body, and of those before them on the
// limbs.
PEQUOD_INLINE Held product(const LimbRowsOfL::Row& row, std::size_t l, const double* x,
                           const Held* own) {
  const auto of_body = [&](std::size_t j) { return load(row.body[j].data()) * x[j]; };
  Held of_limb{};
  for (std::size_t j = 0; j < l; ++j) of_limb += load(row.own[j].data()) * own[j];
  return ((of_body(0) + of_body(1)) + (of_body(2) + of_body(3)) + (of_body(4) + of_body(5))) +
         of_limb;
}

}  // namespace

PEQUOD_CLONES
void apply_limbs(const Model& model, const Tree& tree, const LimbRowsOfL* rows, double* x) {
  for (const LimbFour& four : fours_of(model, tree)) {
    Held own[kMostLevels];
    const auto places = first_coordinates(tree, four, x);
    for (std::size_t l = 0; l < four.size(); ++l) {
      const auto at = behind(places, static_cast<int>(l));
      const LimbRowsOfL::Row& row = rows->rows[l];
      own[l] = load_one(at);
      store_one(load(row.own[l].data()) * own[l] + product(row, l, x, own), at);
    }
    ++rows;
  }
}

PEQUOD_CLONES
void solve_limbs(const Model& model, const Tree& tree, const LimbRowsOfL* rows, double* x) {
  for (const LimbFour& four : fours_of(model, tree)) {
    Held own[kMostLevels];
    const auto places = first_coordinates(tree, four, x);
    for (std::size_t l = 0; l < four.size(); ++l) {
      const auto at = behind(places, static_cast<int>(l));
      const LimbRowsOfL::Row& row = rows->rows[l];
      own[l] = (load_one(at) - product(row, l, x, own)) * load(row.inverse.data());
      store_one(own[l], at);
    }
    ++rows;
  }
}

PEQUOD_CLONES
void solve_limbs_transposed(const Model& model, const Tree& tree, const double* L,
                            const LimbRowsOfL* rows, double* x) {
  for (const LimbFour& four : fours_of(model, tree)) {
    Held own[kMostLevels];
    const auto places = first_coordinates(tree, four, x);
    for (std::size_t l = 0; l < four.size(); ++l)
      own[l] = load_one(behind(places, static_cast<int>(l)));
    for (std::size_t l = four.size(); l-- > 0;) {
      const LimbRowsOfL::Row& row = rows->rows[l];
      own[l] *= load(row.inverse.data());
      // What is zero takes nothing, whatever the sign of the others.
      for (std::size_t j = 0; j < l; ++j)
        own[j] = own[l] != 0.0 ? own[j] - own[l] * load(row.own[j].data()) : own[j];
      store_one(own[l], behind(places, static_cast<int>(l)));
    }
    ++rows;
  }
  // One after the other, in their order: so sums round as those of other trees do.
  Held body = load(x);
  double fifth = x[4], sixth = x[5];
  for (int i = tree.nv - 1; i >= static_cast<int>(kBody); --i) {
    if (x[i] == 0.0) continue;
    const double* const row = L + i * tree.nv;
    body -= x[i] * load(row);
    fifth -= x[i] * row[4];
    sixth -= x[i] * row[5];
  }
  store(body, x);
  x[4] = fifth, x[5] = sixth;
}

PEQUOD_CLONES
bool factor_limbs(const Model& model, const Tree& tree, double* L, double* inverse,
                  LimbRowsOfL* kept) {
  Held lost[kBody * (kBody + 1) / 2] = {};
  for (const LimbFour& four : fours_of(model, tree)) {
    LimbEntries rows;
    for (std::size_t l = 0; l < four.size(); ++l)
      for_each_entry(
          tree, four, l, L, rows, [](Held& a, const auto& places) { a = load_one(places); },
          [](Held& a, Held& b, Held& c, Held& d, const auto& places) {
            load_four(places, a, b, c, d);
          });
    for (std::size_t l = four.size(); l-- > 0;) {
      if (!are_pivots(rows.own[l][l])) return false;
      eliminate_row(l, rows, lost);
      const Held inverse_root = scale_row(l, rows);
      store_one(inverse_root,
                [&](int lane) { return inverse + (nth(four[l].v, lane) - tree.first_v); });
      keep_row(rows, l, inverse_root, kept->rows[l]);
    }
    ++kept;
    for (std::size_t l = 0; l < four.size(); ++l)
      for_each_entry(
          tree, four, l, L, rows, [](const Held& a, const auto& places) { store_one(a, places); },
          [](const Held& a, const Held& b, const Held& c, const Held& d, const auto& places) {
            store_four(a, b, c, d, places);
          });
  }
  for (std::size_t i = 0, k = 0; i < kBody; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++k)
      L[i * static_cast<std::size_t>(tree.nv) + j] -= sum_of(lost[k]);
  return true;
}

}  // namespace pequod
