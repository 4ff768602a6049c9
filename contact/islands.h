// Bodies that contacts, loops and friction of joints make one problem.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "core/dynamics.h"

namespace pequod {

/// Trees that touch each other or share a loop, directly or through others (the world joins
/// nothing), with their velocity coordinates numbered together.
struct Island {
  std::vector<int> trees;     ///< ascending
  std::vector<int> contacts;  ///< indices into the list of contacts, ascending
  std::vector<int> joints;    ///< velocity coordinates with rows of their own, ascending
  std::vector<int> loops;     ///< indices into Model::loops, ascending
  int m = 0;                  ///< coordinates
};

/// Index into the list of contacts of contact i of an island.
[[nodiscard]] inline std::size_t contact_index(const Island& island, Eigen::Index i) {
  return static_cast<std::size_t>(nth(island.contacts, i));
}

/// Islands in the order of their first tree. Trees without contact, joint row and loop are in none.
/// @param joints  velocity coordinates with a row of their own (Coulomb friction), ascending
void find_islands(const Model& model, std::span<const Contact> contacts,
                  std::vector<Island>& islands, std::vector<int>& tree_offset,
                  std::span<const int> joints = {});

/// Gathers the island's part of a vector over all coordinates, and puts it back.
void gather(const Model& model, const Island& island, const VectorXd& all, VectorXd& part);
void scatter(const Model& model, const Island& island, const VectorXd& part, VectorXd& all);

/// x ← L x, Lᵀ x, L⁻¹ x, L⁻ᵀ x on the island's coordinates.
void island_apply_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x);
void island_apply_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x);
void island_solve_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x);
void island_solve_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x);

/// y ← L v of the island's part v of a vector over all coordinates, and back; y is v then.
void gather_metric(const Model& model, const MassFactor& factor, const Island& island,
                   const VectorXd& all, VectorXd& y);
void scatter_metric(const Model& model, const MassFactor& factor, const Island& island, VectorXd& y,
                    VectorXd& all);

}  // namespace pequod
