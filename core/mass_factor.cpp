#include <cmath>
#include <stdexcept>
#include <string>

#include "core/dynamics.h"

namespace pequod {
namespace {

[[noreturn]] void refuse_pivot(const Model& model, int coordinate, double pivot) {
  const int link = model.dof_link[static_cast<std::size_t>(coordinate)];
  throw std::domain_error("the mass matrix is not positive definite at '" + link_name(model, link) +
                          "' (pivot " + std::to_string(pivot) +
                          "): its links need mass and inertia");
}

constexpr int kBase = 6;  // coordinates of a free base, which every row meets

inline double product(const Run& run, const double* row, const double* x) {
  double sum = 0.0;
  for (int j = run.begin; j < run.end; ++j) sum += row[j] * x[j];
  return sum;
}

inline double product(std::span<const Run> runs, const double* row, const double* x) {
  if (runs.empty()) return 0.0;
  Run first = runs.front();
  double sum = 0.0;
  if (first.end >= kBase) {
    sum = (row[0] * x[0] + row[1] * x[1]) + (row[2] * x[2] + row[3] * x[3]) +
          (row[4] * x[4] + row[5] * x[5]);
    first.begin = kBase;
  }
  sum += product(first, row, x);
  for (const Run& run : runs.subspan(1)) sum += product(run, row, x);
  return sum;
}

// Two at a time: compilers make vectors of two of it without a test of the lengths, which are
// short.
void add_multiple(const Run& run, double a, const double* __restrict row, double* __restrict x) {
  int j = run.begin;
  for (; j + 1 < run.end; j += 2) {
    x[j] += a * row[j];
    x[j + 1] += a * row[j + 1];
  }
  if (j < run.end) x[j] += a * row[j];
}

void add_multiple(std::span<const Run> runs, double a, const double* row, double* x) {
  for (const Run& run : runs) add_multiple(run, a, row, x);
}

// L(i, j) −= row(i) row(j) / d for j ≤ i < N: six coordinates of a free base, which every row
// meets.
template <int N>
void subtract_square(const double* row, double inverse, double* L, int n) {
  double r[N];
  for (int i = 0; i < N; ++i) r[i] = row[i];
  for (int i = 0; i < N; ++i) {
    const double a = r[i] * inverse;
    for (int j = 0; j <= i; ++j) L[i * n + j] -= a * r[j];
  }
}

// The block of one tree, without its roots: row k holds d_k and the unscaled row of L behind it, so
// that one division a pivot is all that has to wait for the one before.
void eliminate(const Model& model, const Tree& tree, double* L) {
  const int n = tree.nv;
  for (int k = n - 1; k >= 0; --k) {
    const double* row = L + k * n;
    const double pivot = row[k];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) refuse_pivot(model, tree.first_v + k, pivot);
    const double inverse = 1.0 / pivot;
    const std::span<const Run> runs = model.ancestors(tree.first_v + k);
    const bool base = !runs.empty() && runs[0].end >= kBase;
    if (base) subtract_square<kBase>(row, inverse, L, n);
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (int i = r == 0 && base ? kBase : runs[r].begin; i < runs[r].end; ++i) {
        const double a = -row[i] * inverse;
        for (std::size_t before = 0; before < r; ++before)
          add_multiple(runs[before], a, row, L + i * n);
        add_multiple({runs[r].begin, i + 1}, a, row, L + i * n);
      }
  }
}

}  // namespace

void factor_mass_matrix(const Model& model, const MassMatrix& M, MassFactor& factor) {
  factor.blocks = M.blocks;
  factor.inverse_diagonal.resize(static_cast<std::size_t>(model.nv));
  for (const Tree& tree : model.trees) {
    double* L = factor.blocks.data() + tree.mass_offset;
    eliminate(model, tree, L);
    double* inverse = factor.inverse_diagonal.data() + tree.first_v;
    for (int k = 0; k < tree.nv; ++k) {
      double* row = L + k * tree.nv;
      row[k] = std::sqrt(row[k]);
      inverse[k] = 1.0 / row[k];
      for (const Run& run : model.ancestors(tree.first_v + k))
        for (int j = run.begin; j < run.end; ++j) row[j] *= inverse[k];
    }
  }
}

void MassFactor::apply_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  double* const out = x.data();
  for (int i = tree.nv - 1; i >= 0; --i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    out[i] = row[i] * out[i] + product(model.ancestors(tree.first_v + i), row, out);
  }
}

void MassFactor::apply_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  double* const out = x.data();
  for (int i = 0; i < tree.nv; ++i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    const double xi = out[i];
    out[i] = row[i] * xi;
    add_multiple(model.ancestors(tree.first_v + i), xi, row, out);
  }
}

void MassFactor::solve_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const double* inverse = inverse_diagonal.data() + tree.first_v;
  double* const out = x.data();
  for (int i = 0; i < tree.nv; ++i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    out[i] = (out[i] - product(model.ancestors(tree.first_v + i), row, out)) * inverse[i];
  }
}

void MassFactor::solve_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const double* inverse = inverse_diagonal.data() + tree.first_v;
  double* const out = x.data();
  for (int i = tree.nv - 1; i >= 0; --i) {
    if (out[i] == 0.0) continue;
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    out[i] *= inverse[i];
    add_multiple(model.ancestors(tree.first_v + i), -out[i], row, out);
  }
}

void MassFactor::solve_L_transposed(const Model& model, int tree_index,
                                    const std::array<double*, 3>& x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const double* inverse = inverse_diagonal.data() + tree.first_v;
  double* const __restrict a = x[0];
  double* const __restrict b = x[1];
  double* const __restrict c = x[2];
  for (int i = tree.nv - 1; i >= 0; --i) {
    if (a[i] == 0.0 && b[i] == 0.0 && c[i] == 0.0) continue;
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    a[i] *= inverse[i];
    b[i] *= inverse[i];
    c[i] *= inverse[i];
    const double by_a = -a[i], by_b = -b[i], by_c = -c[i];
    for (const Run& run : model.ancestors(tree.first_v + i))
      for (int j = run.begin; j < run.end; ++j) {
        a[j] += by_a * row[j];
        b[j] += by_b * row[j];
        c[j] += by_c * row[j];
      }
  }
}

void MassFactor::solve(const Model& model, VectorXd& x) const {
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    const std::span<double> part(x.data() + tree.first_v, static_cast<std::size_t>(tree.nv));
    solve_L_transposed(model, static_cast<int>(t), part);
    solve_L(model, static_cast<int>(t), part);
  }
}

}  // namespace pequod
