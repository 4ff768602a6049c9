#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/clones.h"
#include "core/dynamics.h"
#include "core/limb_fours.h"
#include "core/mass_pivot.h"
#include "core/tree_parts.h"

namespace pequod {

void require_pivot(const Model& model, int coordinate, double pivot) {
  if (pivot > 0.0 && std::isfinite(pivot)) return;
  const int link = nth(model.dof_link, coordinate);
  throw std::domain_error("the mass matrix is not positive definite at '" + link_name(model, link) +
                          "' (pivot " + std::to_string(pivot) +
                          "): its links need mass and inertia");
}

namespace {

// The first coordinates of a tree, if they are one chain as those of a free base are. Every row
// behind them meets them all: loops of a length that is known when they are compiled need no tests.
constexpr int kBase = 6;

// Coordinates [0, N) of a tree.
template <int N>
struct Chain {};

int base_size(const Model& model, const Tree& tree) {
  if (tree.nv < kBase) return 0;
  const std::span<const Run> runs = model.ancestors(tree.first_v + kBase - 1);
  return runs.size() == 1 && runs[0].end == kBase - 1 ? kBase : 0;
}

// Those of the base, and the N before `end`.
template <int N>
struct Limb {
  int end;
  [[nodiscard]] int begin() const { return end - N; }
};

// visit(i, ancestors of i) for a coordinate behind the base, if there is one.
template <typename Visit>
inline void visit_one(const Model& model, const Tree& tree, int i, const Visit& visit) {
  const int dof = tree.first_v + i;
  switch (nth(model.along_limb, dof)) {
    case 0:
      return visit(i, Limb<0>{i});
    case 1:
      return visit(i, Limb<1>{i});
    case 2:
      return visit(i, Limb<2>{i});
    case 3:
      return visit(i, Limb<3>{i});
    case 4:
      return visit(i, Limb<4>{i});
    case 5:
      return visit(i, Limb<5>{i});
    default:
      return visit(i, model.ancestors(dof));
  }
}

bool is_abreast(const Model& model, const Tree& tree, int i) {
  return nth(model.links, nth(model.dof_link, tree.first_v + i)).abreast;
}

// The same for the coordinates of a tree, each after all that are behind it.
// @param beside  only those that are not abreast
template <typename Visit>
inline void visit_leaves_first(const Model& model, const Tree& tree, bool beside,
                               const Visit& visit) {
  const int base = base_size(model, tree), first = beside ? tree.first_beside : base;
  for (int i = tree.nv - 1; i >= first; --i)
    if (!beside || !is_abreast(model, tree, i)) visit_one(model, tree, i, visit);
  if (base == 0) return;
  visit(5, Chain<5>{}), visit(4, Chain<4>{}), visit(3, Chain<3>{});
  visit(2, Chain<2>{}), visit(1, Chain<1>{}), visit(0, Chain<0>{});
}

// The same, each after its ancestors.
template <typename Visit>
inline void visit_root_first(const Model& model, const Tree& tree, bool beside,
                             const Visit& visit) {
  const int base = base_size(model, tree), first = beside ? tree.first_beside : base;
  if (base > 0) {
    visit(0, Chain<0>{}), visit(1, Chain<1>{}), visit(2, Chain<2>{});
    visit(3, Chain<3>{}), visit(4, Chain<4>{}), visit(5, Chain<5>{});
  }
  for (int i = first; i < tree.nv; ++i)
    if (!beside || !is_abreast(model, tree, i)) visit_one(model, tree, i, visit);
}

// on_base() for the first coordinates, if the row meets the base, and on_run(run) for the others.
template <typename OnBase, typename OnRun>
inline void split_base(std::span<const Run> runs, const OnBase& on_base, const OnRun& on_run) {
  if (runs.empty()) return;
  const bool base = runs[0].end >= kBase;
  if (base) on_base();
  on_run(base ? Run{kBase, runs[0].end} : runs[0]);
  for (std::size_t r = 1; r < runs.size(); ++r) on_run(runs[r]);
}

template <int N>
inline double product(Chain<N> /*ancestors*/, const double* row, const double* x) {
  double sum = 0.0;
  for (int j = 0; j < N; ++j) sum += row[j] * x[j];
  return sum;
}

inline double product(const Run& run, const double* row, const double* x) {
  double sum = 0.0;
  for (int j = run.begin; j < run.end; ++j) sum += row[j] * x[j];
  return sum;
}

inline double product_of_base(const double* row, const double* x) {
  return (row[0] * x[0] + row[1] * x[1]) + (row[2] * x[2] + row[3] * x[3]) +
         (row[4] * x[4] + row[5] * x[5]);
}

template <int N>
inline double product(const Limb<N>& limb, const double* row, const double* x) {
  return product_of_base(row, x) + product(Chain<N>{}, row + limb.begin(), x + limb.begin());
}

inline double product(std::span<const Run> runs, const double* row, const double* x) {
  double sum = 0.0;
  split_base(
      runs, [&] { sum = product_of_base(row, x); },
      [&](const Run& run) { sum += product(run, row, x); });
  return sum;
}

// Of numbers, or of several abreast.
template <int N, typename Row>
inline void add_multiple(Chain<N> /*ancestors*/, const Row& a, const double* __restrict row,
                         Row* __restrict x) {
  for (int j = 0; j < N; ++j) x[j] += a * row[j];
}

// Two at a time: compilers make vectors of two of it without a test of the lengths, which are
// short.
template <typename Row>
inline void add_multiple(const Run& run, const Row& a, const double* __restrict row,
                         Row* __restrict x) {
  int j = run.begin;
  for (; j + 1 < run.end; j += 2) {
    x[j] += a * row[j];
    x[j + 1] += a * row[j + 1];
  }
  if (j < run.end) x[j] += a * row[j];
}

template <int N, typename Row>
inline void add_multiple(const Limb<N>& limb, const Row& a, const double* row, Row* x) {
  add_multiple(Chain<kBase>{}, a, row, x);
  add_multiple(Chain<N>{}, a, row + limb.begin(), x + limb.begin());
}

template <typename Row>
inline void add_multiple(std::span<const Run> runs, const Row& a, const double* row, Row* x) {
  split_base(
      runs, [&] { add_multiple(Chain<kBase>{}, a, row, x); },
      [&](const Run& run) { add_multiple(run, a, row, x); });
}

template <int N>
inline void scale(Chain<N> /*ancestors*/, double a, double* row) {
  for (int j = 0; j < N; ++j) row[j] *= a;
}

template <int N>
inline void scale(const Limb<N>& limb, double a, double* row) {
  scale(Chain<kBase>{}, a, row);
  scale(Chain<N>{}, a, row + limb.begin());
}

inline void scale(std::span<const Run> runs, double a, double* row) {
  split_base(
      runs, [&] { scale(Chain<kBase>{}, a, row); },
      [&](const Run& run) {
        for (int j = run.begin; j < run.end; ++j) row[j] *= a;
      });
}

// L(i, j) −= row(i) row(j) / d for j ≤ i < N.
template <int N>
inline void subtract_square(Chain<N> /*ancestors*/, const double* row, double inverse, double* L,
                            int n) {
  double r[N + 1];
  for (int i = 0; i < N; ++i) r[i] = row[i];
  for (int i = 0; i < N; ++i) {
    const double a = r[i] * inverse;
    for (int j = 0; j <= i; ++j) L[i * n + j] -= a * r[j];
  }
}

// The same for j ≤ i of those coordinates.
template <int N>
inline void subtract_square(const Limb<N>& limb, const double* row, double inverse, double* L,
                            int n) {
  subtract_square(Chain<kBase>{}, row, inverse, L, n);
  const double* const own = row + limb.begin();
  for (int i = 0; i < N; ++i) {
    double* const to = L + (limb.begin() + i) * n;
    const double a = -own[i] * inverse;
    add_multiple(Chain<kBase>{}, a, row, to);
    for (int j = 0; j <= i; ++j) to[limb.begin() + j] += a * own[j];
  }
}

void subtract_square(std::span<const Run> runs, const double* row, double inverse, double* L,
                     int n) {
  const bool base = !runs.empty() && runs[0].end >= kBase;
  if (base) subtract_square(Chain<kBase>{}, row, inverse, L, n);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const bool behind_base = base && r == 0;
    const int begin = behind_base ? kBase : runs[r].begin;
    for (int i = begin; i < runs[r].end; ++i) {
      const double a = -row[i] * inverse;
      if (behind_base) add_multiple(Chain<kBase>{}, a, row, L + i * n);
      if (r > 0) add_multiple(runs.first(r), a, row, L + i * n);
      add_multiple(Run{begin, i + 1}, a, row, L + i * n);
    }
  }
}

// 1/d of a coordinate whose row of L holds d in its place.
double inverse_pivot(const Model& model, const Tree& tree, int k, const double* L) {
  const double pivot = L[k * tree.nv + k];
  require_pivot(model, tree.first_v + k, pivot);
  return 1.0 / pivot;
}

// The block of one tree, without its roots: row k holds d_k and the unscaled row of L behind it, so
// that one division a pivot is all that has to wait for the one before.
// @param abreast  whether limbs that are abreast are done
void eliminate(const Model& model, const Tree& tree, bool abreast, double* L) {
  visit_leaves_first(model, tree, abreast, [&](int k, auto ancestors) {
    subtract_square(ancestors, L + k * tree.nv, inverse_pivot(model, tree, k, L), L, tree.nv);
  });
}

// Of a tree that is even.
void factor_even(const double* M, double* L, double* inverse) {
  std::fill_n(L, kBase * kBase, 0.0);
  for (int i = 0; i < kBase; ++i) {
    const int at = (kBase + 1) * i;
    L[at] = std::sqrt(M[at]);
    inverse[i] = 1.0 / L[at];
  }
}
// x ← L x, and L⁻¹ x, of numbers or of several abreast.
template <typename Row>
void apply_even(const double* L, Row* x) {
  for (int i = 0; i < kBase; ++i) x[i] *= L[(kBase + 1) * i];
}
template <typename Row>
void solve_even(const double* inverse, Row* x) {
  for (int i = 0; i < kBase; ++i) x[i] *= inverse[i];
}

}  // namespace

void make_room(const Model& model, MassFactor& factor) {
  factor.blocks.resize(static_cast<std::size_t>(model.mass_size));
  factor.inverse_diagonal.resize(static_cast<std::size_t>(model.nv));
  factor.spatial.resize(static_cast<std::size_t>(model.spatial_rows));
  factor.limbs.resize(model.limb_fours.size());
}

void factor_mass_matrix(const Model& model, const Kinematics& kin, const MassMatrix& M,
                        MassFactor& factor) {
  make_room(model, factor);
  factor_mass_matrix(model, model.trees, kin, M, factor);
}

PEQUOD_CLONES
void factor_mass_matrix(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                        const MassMatrix& M, MassFactor& factor) {
  for (const Tree& tree : trees) {
    double* L = factor.blocks.data() + tree.mass_offset;
    double* inverse = factor.inverse_diagonal.data() + tree.first_v;
    if (tree.even) {
      factor_even(M.blocks.data() + tree.mass_offset, L, inverse);
      continue;
    }
    if (tree.first_spatial >= 0) {
      factor_spatially(model, tree, kin, factor.spatial.data() + tree.first_spatial, inverse);
      continue;
    }
    const auto begin = [&] {
      std::copy_n(M.blocks.data() + tree.mass_offset, tree.nv * tree.nv, L);
    };
    begin();
    const bool abreast = tree.fours > 0 && factor_limbs(model, tree, L, inverse,
                                                        factor.limbs.data() + tree.first_four);
    if (tree.fours > 0 && !abreast) begin();  // to find the pivot, and its name
    eliminate(model, tree, abreast, L);
    visit_leaves_first(model, tree, abreast, [&](int k, auto ancestors) {
      double* row = L + k * tree.nv;
      row[k] = std::sqrt(row[k]);
      inverse[k] = 1.0 / row[k];
      scale(ancestors, inverse[k], row);
    });
  }
}

namespace {

// out ← M x of one tree.
PEQUOD_CLONES
void multiply_block(const Model& model, const Tree& tree, const double* M, const double* x,
                    double* out) {
  if (tree.even) {
    for (int i = 0; i < kBase; ++i) out[i] = M[(kBase + 1) * i] * x[i];
    return;
  }
  visit_root_first(model, tree, false, [&](int i, auto ancestors) {
    const double* row = M + i * tree.nv;
    out[i] = row[i] * x[i] + product(ancestors, row, x);
    add_multiple(ancestors, x[i], row, out);
  });
}

}  // namespace

void MassMatrix::multiply(const Model& model, const VectorXd& x, VectorXd& Mx,
                          const Team* team) const {
  Mx.resize(model.nv);
  for_each_index(team, model.trees.size(), 4 * trees_of_part(model),
                 [&](std::size_t t, std::size_t) {
                   const Tree& tree = model.trees[t];
                   multiply_block(model, tree, blocks.data() + tree.mass_offset,
                                  x.data() + tree.first_v, Mx.data() + tree.first_v);
                 });
}

SpatialFactor MassFactor::spatial_of(const Model& model, const Tree& tree) const {
  return {spatial.data() + tree.first_spatial, inverse_diagonal.data() + tree.first_v,
          model.dof_parent.data() + tree.first_v, tree.first_v, tree.nv};
}

void MassFactor::apply_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = nth(model.trees, tree_index);
  if (tree.even) return apply_even(blocks.data() + tree.mass_offset, x.data());
  if (tree.first_spatial >= 0) return spatial_of(model, tree).apply(x.data());
  const double* const L = blocks.data() + tree.mass_offset;
  double* const out = x.data();
  if (tree.fours > 0) apply_limbs(model, tree, limbs.data() + tree.first_four, out);
  visit_leaves_first(model, tree, tree.fours > 0, [&](int i, auto ancestors) {
    const double* row = L + i * tree.nv;
    out[i] = row[i] * out[i] + product(ancestors, row, out);
  });
}

void MassFactor::apply_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = nth(model.trees, tree_index);
  if (tree.even) return apply_even(blocks.data() + tree.mass_offset, x.data());
  if (tree.first_spatial >= 0) return spatial_of(model, tree).apply_transposed(x.data());
  const double* const L = blocks.data() + tree.mass_offset;
  double* const out = x.data();
  visit_root_first(model, tree, false, [&](int i, auto ancestors) {
    const double* row = L + i * tree.nv;
    const double xi = out[i];
    out[i] = row[i] * xi;
    add_multiple(ancestors, xi, row, out);
  });
}

void MassFactor::solve_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = nth(model.trees, tree_index);
  if (tree.even) return solve_even(inverse_diagonal.data() + tree.first_v, x.data());
  if (tree.first_spatial >= 0) return spatial_of(model, tree).solve(x.data());
  const double* const L = blocks.data() + tree.mass_offset;
  const double* const inverse = inverse_diagonal.data() + tree.first_v;
  double* const out = x.data();
  visit_root_first(model, tree, tree.fours > 0, [&](int i, auto ancestors) {
    out[i] = (out[i] - product(ancestors, L + i * tree.nv, out)) * inverse[i];
  });
  if (tree.fours > 0) solve_limbs(model, tree, limbs.data() + tree.first_four, out);
}

namespace {

bool is_zero(double x) { return x == 0.0; }
bool is_zero(const FourLanes& x) {
  return x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0;
}

// @param abreast  whether limbs that are abreast are done
template <typename Row>
void solve_transposed(const MassFactor& factor, const Model& model, const Tree& tree, bool abreast,
                      Row* out) {
  const double* const L = factor.blocks.data() + tree.mass_offset;
  const double* const inverse = factor.inverse_diagonal.data() + tree.first_v;
  visit_leaves_first(model, tree, abreast, [&](int i, auto ancestors) {
    if (is_zero(out[i])) return;
    out[i] *= inverse[i];
    const Row taken = -out[i];
    add_multiple(ancestors, taken, L + i * tree.nv, out);
  });
}

}  // namespace

void MassFactor::solve_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = nth(model.trees, tree_index);
  if (tree.even) return solve_even(inverse_diagonal.data() + tree.first_v, x.data());
  if (tree.first_spatial >= 0) return spatial_of(model, tree).solve_transposed(x.data());
  const bool abreast = has_base_beside(tree);
  if (abreast)
    solve_limbs_transposed(model, tree, blocks.data() + tree.mass_offset,
                           limbs.data() + tree.first_four, x.data());
  solve_transposed(*this, model, tree, abreast, x.data());
}

PEQUOD_CLONES
void MassFactor::solve_L_transposed(const Model& model, int tree_index,
                                    std::span<Abreast> x) const {
  const Tree& tree = nth(model.trees, tree_index);
  if (tree.even)
    return solve_even(inverse_diagonal.data() + tree.first_v,
                      reinterpret_cast<FourLanes*>(x.data()));
  if (tree.first_spatial >= 0)
    return spatial_of(model, tree).solve_transposed_four(x.data()->data());
  solve_transposed(*this, model, tree, false, reinterpret_cast<FourLanes*>(x.data()));
}

void MassFactor::solve(const Model& model, VectorXd& x, const Team* team) const {
  for_each_index(
      team, model.trees.size(), 4 * trees_of_part(model), [&](std::size_t t, std::size_t) {
        const Tree& tree = model.trees[t];
        const std::span<double> part(x.data() + tree.first_v, static_cast<std::size_t>(tree.nv));
        solve_L_transposed(model, static_cast<int>(t), part);
        solve_L(model, static_cast<int>(t), part);
      });
}

}  // namespace pequod
