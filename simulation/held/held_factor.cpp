#include "simulation/held/held_factor.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "contact/patches.h"
#include "simulation/held/tolerances.h"
#include "simulation/tolerances.h"

namespace pequod {
namespace {

// Lengths of a row that its remainder is compared with, to repeat others where impulses hold it for
// one step.
constexpr double kImpulseLengths = std::max(kImpulseRow / kRepeatingRow, 1.0);

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

// Whether the first contacts are as far apart as they could be, but for a factor: so are corners of
// a face, of which some are as good as others.
// @param spread  the same contacts after spread_out()
template <typename Place>
bool are_spread(std::span<const int> contacts, std::span<const int> spread, const Place& at) {
  const auto distance = [&](std::span<const int> some) {
    return (at(some[1]) - at(some[0])).norm();
  };
  const auto area_of = [&](std::span<const int> some) {
    return area(at(some[0]), at(some[1]), at(some[2]));
  };
  const double longest = distance(spread), largest = area_of(spread);
  if (largest <= kRepeatingRow * longest * longest)  // in a line, where two hold
    return distance(contacts) >= kWellSpread * longest;
  return area_of(contacts) >= kWellSpread * largest;
}

}  // namespace

void add_impulse_row(const Eigen::Ref<const VectorXd>& row, HeldRows& rows) {
  rows.add(row, {.times = kImpulseLengths});
}

void find_basis(ContactProblem& problem) {
  problem.has_basis = problem.limbs.factor();
  if (problem.has_basis) return;
  HeldRows& rows = problem.basis;
  rows.reset(problem.m, kRepeatingRow);
  for (int i = 0; i < problem.n; ++i) add_impulse_row(problem.normals.col(i), rows);
  for (int i = 0; i < problem.n; ++i) {
    if (nth(problem.patch, i) != i) continue;
    add_impulse_row(problem.tangents.col(2 * i), rows);
    add_impulse_row(problem.tangents.col(2 * i + 1), rows);
  }
  problem.has_basis = rows.rank() == static_cast<Eigen::Index>(rows.accepted().size());
}

void HeldFactor::hold(const HeldSet& set) {
  const bool same = fresh_ && unique() && set_.holds_gaps_alone() && set.holds_gaps_alone() &&
                    set_.brief == set.brief && set_.joints == set.joints &&
                    have_same_rows(set_.touching.contacts, set.touching.contacts);
  set_ = set;
  if (!same) forget_rows();
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
  grouped_ = fresh_ = has_rows_ = followed_ = false;
}

bool HeldFactor::unique() const {
  return std::ranges::none_of(islands(), [](const HeldIsland& part) { return part.repeats(); });
}

void HeldFactor::start_islands(std::size_t count) {
  count_ = count;
  islands_.resize(std::max(islands_.size(), count));
}

void HeldFactor::factor(const Model& model, const Kinematics& kin, const MassFactor& mass,
                        const VectorXd& q, HeldTangents tangents, RepeatedRows* repeated) {
  fresh_ = false;
  tangents_ = tangents;
  q_ = q;
  has_rows_ = tangents != HeldTangents::without;
  follow(model, kin, q);
  if (!grouped_) group(model);
  for_each_index(team_, count_, kIslandsOfPart, [&](std::size_t k, std::size_t) {
    factor_island(model, kin, mass, islands_[k], repeated);
  });
  note(repeated);
}

void HeldFactor::note(RepeatedRows* repeated) const {
  if (!repeated || repeated->known) return;
  for (const HeldIsland& part : islands())
    repeated->keys.insert(repeated->keys.end(), part.repeating.begin(), part.repeating.end());
  std::sort(repeated->keys.begin(), repeated->keys.end());
  repeated->known = set_.touching.size() > 0;
}

void HeldFactor::group(const Model& model) {
  find_islands(model, set_.touching.contacts, buffers_.islands, tree_offset_, set_.joints);
  start_islands(buffers_.islands.size());
  for (std::size_t k = 0; k < count_; ++k) std::swap(islands_[k].island, buffers_.islands[k]);
  grouped_ = true;
}

void HeldFactor::factor_island(const Model& model, const Kinematics& kin, const MassFactor& mass,
                               HeldIsland& part, const RepeatedRows* repeated) const {
  const HeldTangents own = tangents_ != HeldTangents::of_few ? tangents_
                           : is_many(part.island)            ? HeldTangents::without
                                                             : HeldTangents::held;
  part.tangents.clear();
  part.joints.clear();
  part.repeating.clear();
  part.sparse = part.in_limbs = false;
  if (is_many(part.island) && holds_normals_alone(part.island, own)) {
    assemble_sparse_normals(model, kin, mass, set_.touching.contacts, part.island, tree_offset_,
                            part.columns);
    part.sparse = part.factor_columns();
    if (part.sparse) return;
  }
  std::ranges::sort(part.island.contacts, {}, [&](int i) {
    return std::pair{nth(set_.laws, i).rank(), i};
  });
  if (set_.rubs()) spread_contacts(part.island.contacts);
  (has_rows_ ? assemble_rows : assemble_normals)(model, kin, mass, set_.touching.contacts,
                                                 part.island, tree_offset_, part.problem);
  if (!part.island.joints.empty())
    assemble_joint_rows(model, mass, part.island, tree_offset_, part.problem);
  part.rows.reset(part.island.m, kRepeatingRow);
  part.in_limbs = own == HeldTangents::held && sticks_at_all(part.island) &&
                  part.island.joints.empty() && part.problem.limbs.factor();
  if (part.in_limbs) {
    part.tangents.resize(part.island.contacts.size());
    std::iota(part.tangents.begin(), part.tangents.end(), 0);
    return;
  }
  add_normals(part, repeated);
  if (own == HeldTangents::held) add_tangents(part, repeated);
  add_joints(part.problem, part);
}

// A body that rubs over facets has gaps and slopes that contradict each other by a little: the rows
// that are held shall not be those of facets side by side, which would tilt it by a multiple, and
// by more and more where two contacts run into one corner of the ground.
void HeldFactor::spread_contacts(std::span<int> contacts) const {
  const auto contact = [&](int i) -> const Contact& { return nth(set_.touching.contacts, i); };
  const auto group = [&](int i) {
    return std::tuple(nth(set_.laws, i).rank(), contact(i).link_a, contact(i).link_b);
  };
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && group(contacts[end]) == group(contacts[begin])) ++end;
    const std::span<int> own = contacts.subspan(begin, end - begin);
    if (own.size() < 3) continue;
    const auto at = [&](int i) { return contact(i).p_W; };
    thread_local std::vector<int> order;  // workspace only
    order.assign(own.begin(), own.end());
    spread_out(own, at);
    if (are_spread(order, own, at)) std::ranges::copy(order, own.begin());
  }
}

// So many contacts and nothing else that their normals are better held without copies of what is
// zero.
bool HeldFactor::is_many(const Island& island) const {
  return static_cast<int>(island.contacts.size()) >= kManyHeld && island.loops.empty() &&
         island.joints.empty() && !set_.rubs() && !set_.floats();
}

// Whether each contact holds all its rows.
bool HeldFactor::sticks_at_all(const Island& island) const {
  return std::ranges::all_of(island.contacts, [&](int i) {
    const auto contact = static_cast<std::size_t>(i);
    return set_.laws[contact].sticks && set_.laws[contact].rank() == 0 && !set_.slides(contact);
  });
}

bool HeldFactor::holds_normals_alone(const Island& island, HeldTangents tangents) const {
  const auto sticks = [&](int i) { return nth(set_.laws, i).sticks; };
  return tangents == HeldTangents::without ||
         (tangents == HeldTangents::held && std::ranges::none_of(island.contacts, sticks));
}

// How many of its lengths the remainder of a contact's row is compared with. One without force is
// never an equality: it would hold what others let go, as a body that slides over facets of other
// slopes.
double HeldFactor::compared_lengths(int contact) const {
  if (!set_.brief) return 1.0;
  const bool idle = nth(set_.laws, contact).idle;
  return idle ? kInfinity : kImpulseLengths;
}

// Row 0 is the normal of contact i of the island, 1 and 2 are its tangents.
void HeldFactor::add_row(HeldIsland& part, int i, int row, const RepeatedRows* repeated) const {
  const ContactRow key{set_.touching.contacts[contact_index(part.island, i)].key, row};
  const bool repeats = repeated && repeated->known &&
                       std::binary_search(repeated->keys.begin(), repeated->keys.end(), key);
  const double times =
      std::max(repeats ? kIndependentAgain : 0.0, compared_lengths(nth(part.island.contacts, i)));
  const ContactProblem& problem = part.problem;
  const auto column = row == 0 ? problem.normals.col(i) : problem.tangents.col(2 * i + row - 1);
  if (!part.rows.add(column, {.times = times})) part.repeating.push_back(key);
}

void HeldFactor::add_normals(HeldIsland& part, const RepeatedRows* repeated) const {
  for (int i = 0; i < part.problem.n; ++i) add_row(part, i, 0, repeated);
}

// Of contacts that stick, once a patch.
void HeldFactor::add_tangents(HeldIsland& part, const RepeatedRows* repeated) const {
  thread_local std::vector<char> sticks;  // workspace only
  sticks.clear();
  for (const int index : part.island.contacts) {
    const HeldLaw& law = nth(set_.laws, index);
    sticks.push_back(law.sticks && !law.idle ? 1 : 0);
  }
  for (int i = 0; i < part.problem.n; ++i) {
    if (!holds_patch(part.problem, sticks, i)) continue;
    part.tangents.push_back(i);
    for (const int row : {1, 2}) add_row(part, i, row, repeated);
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

const ContactProblem& HeldFactor::pose(std::size_t k, const VectorXd& y, const VectorXd& c,
                                       const VectorXd& rest) {
  ContactProblem& problem = islands_[k].problem;
  problem.y = y;
  problem.c = c;
  problem.rest = rest;
  return problem;
}

}  // namespace pequod
