// The part of HeldContacts that holds the normals of many contacts.
#include <algorithm>

#include "simulation/held.h"

namespace pequod {
namespace {

constexpr int kSparse = 32;  // contacts

}  // namespace

// So many contacts, and nothing else, that their normals are better held without copies of what is
// zero.
bool HeldContacts::is_many(const Island& island) const {
  return !rubs() && floating_.empty() && island.loops.empty() && island.joints.empty() &&
         static_cast<int>(island.contacts.size()) >= kSparse;
}

// Of many contacts of which only the normals are held. @return whether the factor is there; not so
// if rows come near combinations of others
bool HeldContacts::factor_sparse(const Model& model, const Kinematics& kin, const MassFactor& mass,
                                 std::size_t k, Tangents tangents) {
  const Island& island = islands_[k];
  const auto sticks = [&](int i) { return sticking_[static_cast<std::size_t>(i)] != 0; };
  const bool normals = tangents == Tangents::without ||
                       (tangents == Tangents::held &&
                        std::none_of(island.contacts.begin(), island.contacts.end(), sticks));
  if (!normals || !is_many(island)) return false;
  assemble_sparse_normals(model, kin, mass, touching_.contacts, island, tree_offset_,
                          sparse_[k].columns);
  return factor_many(k);
}

// The same from the contacts from_ of rows that are at hand.
bool HeldContacts::factor_sparse_from(const ContactProblem& problem, std::size_t k) {
  if (!is_many(islands_[k])) return false;
  sparse_[k].columns.reset(islands_[k].m);
  for (const int i : from_) sparse_[k].columns.append(problem.normals.col(i).data());
  return factor_many(k);
}

bool HeldContacts::factor_many(std::size_t k) {
  SparseRows& rows = sparse_[k];
  rows.factor.set(rows.columns);
  all_.assign(islands_[k].contacts.size(), 1);
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
