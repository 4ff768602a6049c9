#include <cmath>
#include <stdexcept>
#include <string>

#include "core/dynamics.h"

namespace pequod {
namespace {

// Ancestors of a coordinate in the numbering of its tree, −1 after the last.
struct Branch {
  const int* dof_parent;
  int first_v;
  [[nodiscard]] int up(int i) const {
    const int parent = dof_parent[i + first_v];
    return parent < 0 ? -1 : parent - first_v;
  }
};

Branch branch_of(const Model& model, const Tree& tree) {
  return {model.dof_parent.data(), tree.first_v};
}

[[noreturn]] void refuse_pivot(const Model& model, int coordinate, double pivot) {
  const int link = model.dof_link[static_cast<std::size_t>(coordinate)];
  throw std::domain_error("the mass matrix is not positive definite at '" + link_name(model, link) +
                          "' (pivot " + std::to_string(pivot) +
                          "): its links need mass and inertia");
}

}  // namespace

void factor_mass_matrix(const Model& model, const MassMatrix& M, MassFactor& factor) {
  factor.blocks = M.blocks;
  for (const Tree& tree : model.trees) {
    const Branch branch = branch_of(model, tree);
    double* L = factor.blocks.data() + tree.mass_offset;
    const int n = tree.nv;
    for (int k = n - 1; k >= 0; --k) {
      double* row = L + k * n;
      const double pivot = row[k];
      if (!(pivot > 0.0) || !std::isfinite(pivot)) refuse_pivot(model, tree.first_v + k, pivot);
      const double d = std::sqrt(pivot);
      const double inverse = 1.0 / d;
      row[k] = d;
      for (int i = branch.up(k); i >= 0; i = branch.up(i)) row[i] *= inverse;
      for (int i = branch.up(k); i >= 0; i = branch.up(i))
        for (int j = i; j >= 0; j = branch.up(j)) L[i * n + j] -= row[i] * row[j];
    }
  }
}

void MassFactor::apply_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const Branch branch = branch_of(model, tree);
  for (int i = tree.nv - 1; i >= 0; --i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    double sum = row[i] * x[static_cast<std::size_t>(i)];
    for (int j = branch.up(i); j >= 0; j = branch.up(j))
      sum += row[j] * x[static_cast<std::size_t>(j)];
    x[static_cast<std::size_t>(i)] = sum;
  }
}

void MassFactor::apply_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const Branch branch = branch_of(model, tree);
  for (int i = 0; i < tree.nv; ++i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    const double xi = x[static_cast<std::size_t>(i)];
    x[static_cast<std::size_t>(i)] = row[i] * xi;
    for (int j = branch.up(i); j >= 0; j = branch.up(j))
      x[static_cast<std::size_t>(j)] += row[j] * xi;
  }
}

void MassFactor::solve_L(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const Branch branch = branch_of(model, tree);
  for (int i = 0; i < tree.nv; ++i) {
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    double sum = x[static_cast<std::size_t>(i)];
    for (int j = branch.up(i); j >= 0; j = branch.up(j))
      sum -= row[j] * x[static_cast<std::size_t>(j)];
    x[static_cast<std::size_t>(i)] = sum / row[i];
  }
}

void MassFactor::solve_L_transposed(const Model& model, int tree_index, std::span<double> x) const {
  const Tree& tree = model.trees[static_cast<std::size_t>(tree_index)];
  const Branch branch = branch_of(model, tree);
  for (int i = tree.nv - 1; i >= 0; --i) {
    double& xi = x[static_cast<std::size_t>(i)];
    if (xi == 0.0) continue;
    const double* row = blocks.data() + tree.mass_offset + i * tree.nv;
    xi /= row[i];
    for (int j = branch.up(i); j >= 0; j = branch.up(j))
      x[static_cast<std::size_t>(j)] -= row[j] * xi;
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
