#include "simulation/held/held_factor.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "simulation/held/tolerances.h"

namespace pequod {
namespace {

// What a row of this length is compared with, to repeat others where impulses hold it for one step.
double impulse_row_size(double length) { return kImpulseRow / kRepeatingRow * length; }

// The order of columns: contacts that carry, those that are held without force and are judged
// against them, idle ones, judged against both, and those that float, side by side as
// solve_floating wants them.
constexpr int kRanks = 4;
int rank_of(const HeldLaw& law) { return law.floats ? 3 : law.idle ? 2 : law.unloaded ? 1 : 0; }

// Twice the area of a triangle, m².
double area(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return (b - a).cross(c - a).norm();
}

// Moves three contacts of the same two bodies to the front of these: the farthest from the one that
// was the first, the farthest from that, and what spans the largest triangle with both.
// @param at  place of a contact
template <typename Place>
void spread_out(std::span<int> contacts, const Place& at) {
  const auto bring = [&](std::size_t to, const auto& size) {
    std::swap(contacts[to], *std::ranges::max_element(contacts.subspan(to), {}, size));
    return at(contacts[to]);
  };
  const Vector3d inside = at(contacts[0]);
  const Vector3d first = bring(0, [&](int i) { return (at(i) - inside).squaredNorm(); });
  const Vector3d second = bring(1, [&](int i) { return (at(i) - first).squaredNorm(); });
  bring(2, [&](int i) { return area(first, second, at(i)); });
}

bool holds_nothing(const Island& island) {
  return island.contacts.empty() && island.joints.empty() && island.loops.empty();
}

}  // namespace

void add_impulse_row(const Eigen::Ref<const VectorXd>& row, HeldRows& rows) {
  rows.add(row, impulse_row_size(row.norm()));
}

void find_basis(ContactProblem& problem) {
  HeldRows& rows = problem.basis;
  rows.reset(problem.m, kRepeatingRow);
  for (int i = 0; i < problem.n; ++i) add_impulse_row(problem.normals.col(i), rows);
  for (int i = 0; i < problem.n; ++i) {
    if (problem.patch[static_cast<std::size_t>(i)] != i) continue;
    add_impulse_row(problem.tangents.col(2 * i), rows);
    add_impulse_row(problem.tangents.col(2 * i + 1), rows);
  }
  problem.has_basis = rows.rank() == static_cast<Eigen::Index>(rows.accepted().size());
}

void HeldFactor::hold(const HeldSet& set) {
  set_ = set;
  forget_rows();
}

void HeldFactor::hold(const Touching& contacts, std::span<const int> joints,
                      std::span<const char> sticking, bool brief) {
  set_.touching = contacts;
  set_.laws.assign(contacts.size(), {});
  for (std::size_t i = 0; i < sticking.size(); ++i) set_.laws[i].sticks = sticking[i] != 0;
  set_.joints.assign(joints.begin(), joints.end());
  set_.friction = StageFriction::none;
  set_.brief = brief;
  forget_rows();
}

void HeldFactor::forget_rows() {
  count_ = 0;
  fresh_ = has_rows_ = followed_ = false;
}

bool HeldFactor::unique() const {
  return std::ranges::none_of(islands(), [](const HeldIsland& part) { return part.repeats(); });
}

void HeldFactor::start_islands(std::size_t count) {
  count_ = count;
  islands_.resize(std::max(islands_.size(), count));
}

void HeldFactor::factor(const Model& model, const Kinematics& kin, const MassFactor& mass,
                        const VectorXd& q, HeldTangents tangents, RepeatedNormals* repeated) {
  if (fresh_ && tangents == tangents_ && is_at(q)) return;
  fresh_ = true;
  tangents_ = tangents;
  q_ = q;
  has_rows_ = tangents != HeldTangents::without;
  if (!has_followed_to(q)) {
    copy_poses(kin, buffers_.X_WL);
    follow_touching(model, buffers_.X_WL, q, set_.touching);
    followed_q_ = q;
    followed_ = true;
  }
  find_islands(model, set_.touching.contacts, buffers_.islands, tree_offset_, set_.joints);
  start_islands(buffers_.islands.size());
  for (std::size_t k = 0; k < count_; ++k) {
    std::swap(islands_[k].island, buffers_.islands[k]);
    factor_island(model, kin, mass, islands_[k], repeated);
  }
  if (!repeated || repeated->known) return;
  std::sort(repeated->keys.begin(), repeated->keys.end());
  repeated->known = set_.touching.size() > 0;
}

void HeldFactor::factor_island(const Model& model, const Kinematics& kin, const MassFactor& mass,
                               HeldIsland& part, RepeatedNormals* repeated) {
  const HeldTangents own = tangents_ != HeldTangents::of_few ? tangents_
                           : is_many(part.island)            ? HeldTangents::without
                                                             : HeldTangents::held;
  part.tangents.clear();
  part.joints.clear();
  part.sparse = false;
  if (is_many(part.island) && holds_normals_alone(part.island, own)) {
    assemble_sparse_normals(model, kin, mass, set_.touching.contacts, part.island, tree_offset_,
                            part.columns);
    part.sparse = part.factor_columns();
    if (part.sparse) return;
  }
  std::ranges::sort(part.island.contacts, {}, [&](int i) {
    return std::pair{rank_of(set_.laws[static_cast<std::size_t>(i)]), i};
  });
  if (set_.rubs()) spread_contacts(part.island.contacts);
  (has_rows_ ? assemble_rows : assemble_normals)(model, kin, mass, set_.touching.contacts,
                                                 part.island, tree_offset_, part.problem);
  if (!part.island.joints.empty())
    assemble_joint_rows(model, mass, part.island, tree_offset_, part.problem);
  part.rows.reset(part.island.m, kRepeatingRow);
  add_normals(part, repeated);
  if (own == HeldTangents::held) add_tangents(part);
  add_joints(part.problem, part);
}

// A body that rubs over dozens of facets has gaps that contradict each other by a little: the rows
// that are held shall not be those of three facets side by side, which would tilt it by a multiple.
void HeldFactor::spread_contacts(std::span<int> contacts) const {
  const auto contact = [&](int i) -> const Contact& {
    return set_.touching.contacts[static_cast<std::size_t>(i)];
  };
  const auto group = [&](int i) {
    return std::tuple(rank_of(set_.laws[static_cast<std::size_t>(i)]), contact(i).link_a,
                      contact(i).link_b);
  };
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && group(contacts[end]) == group(contacts[begin])) ++end;
    if (end - begin >= kManyOfPair)
      spread_out(contacts.subspan(begin, end - begin), [&](int i) { return contact(i).p_W; });
  }
}

// So many contacts and nothing else that their normals are better held without copies of what is
// zero.
bool HeldFactor::is_many(const Island& island) const {
  return static_cast<int>(island.contacts.size()) >= kManyHeld && island.loops.empty() &&
         island.joints.empty() && !set_.rubs() && !set_.floats();
}

bool HeldFactor::holds_normals_alone(const Island& island, HeldTangents tangents) const {
  const auto sticks = [&](int i) { return set_.laws[static_cast<std::size_t>(i)].sticks; };
  return tangents == HeldTangents::without ||
         (tangents == HeldTangents::held &&
          std::none_of(island.contacts.begin(), island.contacts.end(), sticks));
}

// What the remainder of a contact's row is compared with. One without force is never an equality:
// it would hold what others let go, as a body that slides over facets of other slopes.
double HeldFactor::compared_size(int contact, double length) const {
  if (!set_.brief) return length;
  const bool idle = set_.laws[static_cast<std::size_t>(contact)].idle;
  return idle ? kInfinity : impulse_row_size(length);
}

void HeldFactor::add_normals(HeldIsland& part, RepeatedNormals* repeated) const {
  for (int i = 0; i < part.problem.n; ++i) {
    const auto normal = part.problem.normals.col(i);
    const ContactKey& key = set_.touching.contacts[contact_index(part.island, i)].key;
    const bool repeats = repeated && repeated->known &&
                         std::binary_search(repeated->keys.begin(), repeated->keys.end(), key);
    const double length = normal.norm();
    const double again = repeats ? kIndependentAgain * length : 0.0;
    const bool independent = part.rows.add(
        normal,
        std::max(again, compared_size(part.island.contacts[static_cast<std::size_t>(i)], length)));
    if (repeated && !repeated->known && !independent) repeated->keys.push_back(key);
  }
}

// Of contacts that stick, once a patch.
void HeldFactor::add_tangents(HeldIsland& part) {
  buffers_.sticks.clear();
  for (const int index : part.island.contacts) {
    const HeldLaw& law = set_.laws[static_cast<std::size_t>(index)];
    buffers_.sticks.push_back(law.sticks && !law.idle ? 1 : 0);
  }
  for (int i = 0; i < part.problem.n; ++i) {
    if (!holds_patch(part.problem, buffers_.sticks, i)) continue;
    part.tangents.push_back(i);
    const int contact = part.island.contacts[static_cast<std::size_t>(i)];
    for (const int j : {2 * i, 2 * i + 1}) {
      const auto tangent = part.problem.tangents.col(j);
      part.rows.add(tangent, compared_size(contact, tangent.norm()));
    }
  }
}

// Behind all contact rows: what contacts hold already needs no friction.
void HeldFactor::add_joints(const ContactProblem& problem, HeldIsland& part) const {
  for (std::size_t j = 0; j < part.island.joints.size(); ++j) {
    if (!std::binary_search(set_.joints.begin(), set_.joints.end(), part.island.joints[j]))
      continue;
    part.joints.push_back(static_cast<int>(j));
    part.rows.add(problem.joints.col(static_cast<Eigen::Index>(j)));
  }
}

void HeldFactor::factor_from(const std::vector<Island>& islands,
                             const std::vector<ContactProblem>& problems,
                             const std::vector<char>& keep) {
  fresh_ = false;
  std::vector<int>&kept_index = buffers_.kept_index, &from = buffers_.from;
  kept_index.clear();
  int kept = 0;
  for (const char k : keep) kept_index.push_back(k ? kept++ : -1);
  start_islands(islands.size());
  for (std::size_t k = 0; k < count_; ++k) {
    HeldIsland& part = islands_[k];
    part.island = islands[k];
    part.island.contacts.clear();
    part.tangents.clear();
    part.joints.clear();
    from.clear();
    for (int rank = 0; rank < kRanks; ++rank) {
      for (int i = 0; i < static_cast<int>(islands[k].contacts.size()); ++i) {
        const int index = kept_index[contact_index(islands[k], i)];
        if (index < 0 || rank_of(set_.laws[static_cast<std::size_t>(index)]) != rank) continue;
        part.island.contacts.push_back(index);
        from.push_back(i);
      }
    }
    part.sparse = false;
    if (holds_nothing(part.island)) {  // whatever its size: a basis has room for all coordinates
      part.rows.reset(0, kRepeatingRow);
      continue;
    }
    if (is_many(part.island)) {
      part.columns.reset(part.island.m);
      for (const int i : from) append_column(problems[k].normals, i, part.columns);
      part.sparse = part.factor_columns();
      if (part.sparse) continue;
    }
    const bool factored = problems[k].has_basis && holds_all_contacts(part, problems[k]) &&
                          part.rows.take_leading(problems[k].basis, problems[k].n);
    if (!factored) part.rows.reset(part.island.m, kRepeatingRow);
    part.problem.normals.reset(part.island.m);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto normal = problems[k].normals.col(from[i]);
      part.problem.normals.append(problems[k].normals, from[i]);
      if (!factored) part.rows.add(normal, compared_size(part.island.contacts[i], normal.norm()));
    }
    part.problem.joints.reset(part.island.m);
    for (std::size_t j = 0; j < part.island.joints.size(); ++j)
      part.problem.joints.append() = problems[k].joints.col(static_cast<Eigen::Index>(j));
    add_joints(part.problem, part);
  }
}

bool HeldFactor::give_rows(const VectorXd& q, std::span<const Contact> contacts,
                           std::vector<ContactProblem>& problems) {
  if (!has_rows_ || !is_at(q) || !set_.joints.empty() || set_.reorders()) return false;
  if (std::ranges::any_of(islands(), [](const HeldIsland& part) { return part.sparse; }))
    return false;
  if (!have_same_rows(set_.touching.contacts, contacts)) return false;
  problems.resize(std::max(problems.size(), count_));
  for (std::size_t k = 0; k < count_; ++k) {
    std::swap(problems[k], islands_[k].problem);
    problems[k].has_basis = holds_all_rows(islands_[k], problems[k]);
    std::swap(problems[k].basis, islands_[k].rows);
  }
  fresh_ = has_rows_ = false;
  return true;
}

bool HeldFactor::holds_all_contacts(const HeldIsland& part, const ContactProblem& problem) const {
  const auto comes_first = [&](int i) {
    return rank_of(set_.laws[static_cast<std::size_t>(i)]) == 0;
  };
  return part.island.contacts.size() == static_cast<std::size_t>(problem.n) &&
         std::ranges::all_of(part.island.contacts, comes_first);
}

// Whether the rows that were factored are all rows of all contacts, in their order.
bool HeldFactor::holds_all_rows(const HeldIsland& part, const ContactProblem& problem) const {
  if (!part.island.loops.empty() || !part.joints.empty() || part.repeats() ||
      !holds_all_contacts(part, problem))
    return false;
  std::size_t patches = 0;
  for (int i = 0; i < problem.n; ++i) patches += problem.patch[static_cast<std::size_t>(i)] == i;
  return part.tangents.size() == patches;
}

const ContactProblem& HeldFactor::pose(std::size_t k, const VectorXd& y, const VectorXd& c,
                                       const VectorXd& rest) {
  ContactProblem& problem = islands_[k].problem;
  problem.y = y;
  problem.c = c;
  problem.rest = rest;
  return problem;
}

}  // namespace pequod
