// Rows that are there already: the end of a step hands its rows to the solve of the next, and that
// solve hands its own to the projection at its end.
#include <algorithm>

#include "simulation/held/held_factor.h"
#include "simulation/held/tolerances.h"
#include "simulation/tolerances.h"

namespace pequod {

bool HeldFactor::give_rows(const VectorXd& q, std::span<const Contact> contacts,
                           std::vector<Island>& islands, std::vector<int>& tree_offset,
                           std::vector<ContactProblem>& problems) {
  if (!has_rows_ || !is_at(q) || !set_.joints.empty() || set_.reorders()) return false;
  if (std::ranges::any_of(this->islands(), [](const HeldIsland& part) { return part.sparse; }))
    return false;
  if (!have_same_rows(set_.touching.contacts, contacts)) return false;
  problems.resize(std::max(problems.size(), count_));
  islands.resize(count_);
  std::swap(tree_offset, tree_offset_);
  for_each_index(team_, count_, kIslandsOfPart, [&](std::size_t k, std::size_t) {
    swap(problems[k], islands_[k].problem);
    problems[k].has_basis = holds_all_rows(islands_[k], problems[k]);
    std::swap(problems[k].basis, islands_[k].rows);
    std::swap(islands[k], islands_[k].island);
  });
  grouped_ = fresh_ = has_rows_ = false;
  return true;
}

bool HeldFactor::holds_all_contacts(const HeldIsland& part, const ContactProblem& problem) const {
  const auto comes_first = [&](int i) { return nth(set_.laws, i).rank() == 0; };
  return part.island.contacts.size() == static_cast<std::size_t>(problem.n) &&
         std::ranges::all_of(part.island.contacts, comes_first);
}

// Whether the rows that were factored are all rows of all contacts, in their order.
bool HeldFactor::holds_all_rows(const HeldIsland& part, const ContactProblem& problem) const {
  if (!part.island.loops.empty() || !part.joints.empty() || part.repeats() ||
      !holds_all_contacts(part, problem))
    return false;
  std::size_t patches = 0;
  for (int i = 0; i < problem.n; ++i) patches += nth(problem.patch, i) == i;
  return part.tangents.size() == patches;
}

void HeldFactor::factor_from(const std::vector<Island>& islands,
                             const std::vector<int>& tree_offset,
                             const std::vector<ContactProblem>& problems,
                             const std::vector<char>& keep) {
  const auto has_joints = [](const Island& island) { return !island.joints.empty(); };
  fresh_ = false;
  // Where all are kept their islands are those of before.
  grouped_ = set_.joints.empty() && std::ranges::find(keep, 0) == keep.end() &&
             std::ranges::none_of(islands, has_joints);
  if (grouped_) tree_offset_ = tree_offset;
  buffers_.kept_index.clear();
  int kept = 0;
  for (const char k : keep) buffers_.kept_index.push_back(k ? kept++ : -1);
  start_islands(islands.size());
  for_each_index(team_, count_, kIslandsOfPart, [&](std::size_t k, std::size_t) {
    take_contacts(islands[k], islands_[k]);
    take_rows(problems[k], islands_[k]);
  });
}

// The kept ones of an island, in the order of their columns.
void HeldFactor::take_contacts(const Island& whole, HeldIsland& part) const {
  part.island = whole;
  part.island.contacts.clear();
  part.from.clear();
  for (int rank = 0; rank < HeldLaw::kRanks; ++rank) {
    for (int i = 0; i < static_cast<int>(whole.contacts.size()); ++i) {
      const int index = buffers_.kept_index[contact_index(whole, i)];
      if (index < 0 || nth(set_.laws, index).rank() != rank) continue;
      part.island.contacts.push_back(index);
      part.from.push_back(i);
    }
  }
}

void HeldFactor::take_rows(const ContactProblem& problem, HeldIsland& part) const {
  const std::vector<int>& from = part.from;
  part.tangents.clear();
  part.joints.clear();
  part.sparse = part.in_limbs = false;
  const Island& island = part.island;
  if (island.contacts.empty() && island.joints.empty() && island.loops.empty()) {
    part.rows.reset(0, kRepeatingRow);  // whatever its size: a basis has room for all coordinates
    return;
  }
  if (is_many(island)) {
    part.columns.reset(island.m);
    for (const int i : from) append_column(problem.normals, i, part.columns);
    part.sparse = part.factor_columns();
    if (part.sparse) return;
  }
  const bool as_solved = problem.has_basis && holds_all_contacts(part, problem);
  const bool factored =
      as_solved && !problem.limbs.factored() && part.rows.take_leading(problem.basis, problem.n);
  if (!factored) part.rows.reset(island.m, kRepeatingRow);
  part.problem.joints.reset(island.m);
  // What sticks does not slip while gaps are closed.
  part.in_limbs = as_solved && problem.limbs.factored() && sticks_at_all(island);
  if (part.in_limbs) {
    part.problem.n = problem.n;
    part.problem.limbs = problem.limbs;
    return;
  }
  part.problem.normals.reset(island.m);
  for (std::size_t i = 0; i < from.size(); ++i) {
    part.problem.normals.append(problem.normals, from[i]);
    if (!factored)
      part.rows.add(problem.normals.col(from[i]), {.times = compared_lengths(island.contacts[i])});
  }
  for (std::size_t j = 0; j < island.joints.size(); ++j)
    part.problem.joints.append() = problem.joints.col(static_cast<Eigen::Index>(j));
  add_joints(part.problem, part);
}

}  // namespace pequod
