// The part of HeldContacts that holds the normals of many contacts.
#include <algorithm>

#include "simulation/held.h"

namespace pequod {

// Of many contacts of which only the normals are held, without copies of what is zero. @return
// whether the factor is there; not so if rows come near combinations of others
bool HeldContacts::factor_sparse(const Model& model, const Kinematics& kin, const MassFactor& mass,
                                 std::size_t k, Tangents tangents) {
  const Island& island = islands_[k];
  const auto sticks = [&](int i) { return sticking_[static_cast<std::size_t>(i)] != 0; };
  const bool normals = tangents == Tangents::without ||
                       (tangents == Tangents::held &&
                        std::none_of(island.contacts.begin(), island.contacts.end(), sticks));
  if (!normals || rubs() || !floating_.empty()) return false;
  if (!island.loops.empty() || !island.joints.empty()) return false;
  if (static_cast<int>(island.contacts.size()) < kManyRows) return false;
  SparseRows& rows = sparse_[k];
  assemble_sparse_normals(model, kin, mass, touching_.contacts, island, tree_offset_, rows.columns);
  rows.factor.set(rows.columns);
  all_.assign(island.contacts.size(), 1);
  return rows.factor.factorise(all_);
}

Eigen::Index HeldContacts::row_count(std::size_t k) const {
  return sparse_[k].used ? sparse_[k].columns.columns()
                         : static_cast<Eigen::Index>(rows_[k].accepted().size());
}

// part_ to the nearest point that meets the rows of island k with e_, and f_.
void HeldContacts::solve_rows(std::size_t k) {
  if (sparse_[k].used)
    sparse_[k].factor.solve(sparse_[k].columns, e_, part_, f_);
  else
    rows_[k].solve(e_, part_, f_);
}

}  // namespace pequod
