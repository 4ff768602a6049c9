#include "simulation/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/loop_rows.h"
#include "core/loop.h"
#include "simulation/errors.h"
#include "simulation/friction.h"
#include "simulation/joint_friction.h"

namespace pequod {
namespace {

double widest_gap(std::span<const Contact> contacts) {
  double widest = 0.0;
  for (const Contact& contact : contacts) widest = std::max(widest, std::abs(contact.gap));
  return widest;
}

// Loops that open as they and the gaps are closed are near a dead point, where a small gap asks for
// a huge motion, or the step was too long for them. m, rad: the widest of all before, of loops
// after
void refuse_opening(double before, double after) {
  constexpr double kOpens = 10.0;  // times; a step within reach of the method closes at once
  constexpr double kSeen = 1e-9;   // m, rad: below, rounding may do as it likes
  if (after <= kOpens * before + kSeen) return;
  throw ContactError(fmt::format(
      "gaps and loops that were open by {:.2g} m or rad after a step leave loops open by {:.2g} on "
      "being closed: the linkage is near a dead point, or integrator.step is too long for it",
      before, after));
}

}  // namespace

void HeldContacts::set(const Touching& contacts, const std::vector<char>& sticking,
                       std::span<const int> joints, const std::vector<char>& floating,
                       Start start) {
  touching_ = contacts;
  sticking_ = sticking;
  joints_.assign(joints.begin(), joints.end());
  law_ = StageFriction::none;
  fresh_ = false;
  floating_ = floating;
  if (std::find(floating_.begin(), floating_.end(), 1) == floating_.end()) floating_.clear();
  share_.assign(touching_.size(), 1.0);
  margin_.assign(touching_.size(), kInfinity);
  if (start == Start::another) repeated_.clear(), ranked_ = false;
}

std::size_t HeldContacts::joint_index(int coordinate) const {
  return static_cast<std::size_t>(std::lower_bound(joints_.begin(), joints_.end(), coordinate) -
                                  joints_.begin());
}

// Behind all contact rows: what contacts hold already needs no friction.
void HeldContacts::add_joint_rows(const Island& island, const ContactProblem& problem,
                                  HeldRows& rows) const {
  for (std::size_t j = 0; j < island.joints.size(); ++j)
    if (std::binary_search(joints_.begin(), joints_.end(), island.joints[j]))
      rows.add(problem.joints.col(static_cast<Eigen::Index>(j)));
}

// Exact zeros where the rows left roundings, which a run of hours would add up. The joint rows are
// the last of all; a rejected one is held by contacts, as exactly as they are.
void HeldContacts::rest_joints(const Island& island, const HeldRows& rows, double noise,
                               VectorXd& x) const {
  std::size_t row = rows.accepted().size();
  for (std::size_t j = island.joints.size(); j-- > 0;) {
    if (!std::binary_search(joints_.begin(), joints_.end(), island.joints[j])) continue;
    double& joint = x[island.joints[j]];
    if (rows.accepted()[--row] || std::abs(joint) <= noise) joint = 0.0;
  }
}

// Their columns come last of the contacts', side by side as solve_floating wants them.
void HeldContacts::put_floating_last(Island& island) const {
  if (floating_.empty()) return;
  std::stable_partition(island.contacts.begin(), island.contacts.end(),
                        [&](int i) { return !floating_[static_cast<std::size_t>(i)]; });
}

double HeldContacts::floating_margin(const ContactKey& key) const {
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (touching_.contacts[i].key == key) return margin_[i];
  return kInfinity;
}

void HeldContacts::add_floating_friction(const Model& model, const Kinematics& kin,
                                         VectorXd& force) const {
  for (std::size_t i = 0; i < floating_.size(); ++i)
    if (floating_[i]) add_viscous_friction(model, kin, touching_.contacts[i], share_[i], force);
}

// The contacts of island k whose tangents are rows: those that stick, once a patch.
const std::vector<int>& HeldContacts::find_tangents(std::size_t k) {
  stick_.clear();
  for (const int index : islands_[k].contacts)
    stick_.push_back(sticking_[static_cast<std::size_t>(index)]);
  tangents_.clear();
  for (int i = 0; i < problems_[k].n; ++i)
    if (holds_patch(problems_[k], stick_, i)) tangents_.push_back(i);
  return tangents_;
}

// Normals that repeat others where a step starts go on to do so: flush faces have more corners than
// they need, and within a step, where they are flush no more to its error, a corner that is held as
// if it were independent asks for a force of that error over its arm.
void HeldContacts::add_normals(std::size_t k) {
  constexpr double kRepeats = 1e3;  // times the rank: what it takes to be independent after all
  for (int i = 0; i < problems_[k].n; ++i) {
    const auto normal = problems_[k].normals.col(i);
    const ContactKey& key = touching_.contacts[index_in(k, i)].key;
    const bool repeats = ranked_ && std::binary_search(repeated_.begin(), repeated_.end(), key);
    const bool independent = rows_[k].add(normal, repeats ? kRepeats * normal.norm() : 0.0);
    if (!ranked_ && !independent) repeated_.push_back(key);
  }
}

void HeldContacts::factor(const Model& model, const Kinematics& kin, const MassFactor& mass,
                          const VectorXd& q, Tangents tangents) {
  if (fresh_ && tangents == factored_tangents_ && factored_q_.size() == q.size() &&
      factored_q_ == q)
    return;
  fresh_ = true;
  factored_tangents_ = tangents;
  factored_q_ = q;
  has_tangents_ = tangents != Tangents::without;
  copy_poses(kin, X_WL_);
  follow_touching(model, X_WL_, q, touching_);
  find_islands(model, touching_.contacts, islands_, tree_offset_, joints_);
  problems_.resize(std::max(problems_.size(), islands_.size()));
  rows_.resize(std::max(rows_.size(), islands_.size()));
  sparse_.resize(rows_.size());
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const Tangents own = tangents != Tangents::of_few ? tangents
                         : is_many(islands_[k])       ? Tangents::without
                                                      : Tangents::held;
    sparse_[k].used = factor_sparse(model, kin, mass, k, own);
    if (sparse_[k].used) continue;
    put_floating_last(islands_[k]);
    (has_tangents_ ? assemble_rows : assemble_normals)(model, kin, mass, touching_.contacts,
                                                       islands_[k], tree_offset_, problems_[k]);
    if (!islands_[k].joints.empty())
      assemble_joint_rows(model, mass, islands_[k], tree_offset_, problems_[k]);
    rows_[k].reset(islands_[k].m, kRank);
    add_normals(k);
    if (own == Tangents::held)
      for (const int i : find_tangents(k))
        for (const int j : {2 * i, 2 * i + 1}) rows_[k].add(problems_[k].tangents.col(j));
    add_joint_rows(islands_[k], problems_[k], rows_[k]);
  }
  if (!ranked_) std::sort(repeated_.begin(), repeated_.end());
  ranked_ = ranked_ || touching_.size() > 0;
}

bool HeldContacts::give_rows(const VectorXd& q, std::span<const Contact> contacts,
                             std::vector<ContactProblem>& problems) {
  const auto same = [](const Contact& a, const Contact& b) {
    return a.key == b.key && a.p_W == b.p_W && a.n_W == b.n_W;
  };
  const std::vector<Contact>& own = touching_.contacts;
  if (factored_q_.size() != q.size() || factored_q_ != q || !has_tangents_) return false;
  if (!joints_.empty() || !floating_.empty()) return false;
  for (std::size_t k = 0; k < islands_.size(); ++k)
    if (sparse_[k].used) return false;
  if (!std::equal(own.begin(), own.end(), contacts.begin(), contacts.end(), same)) return false;
  problems.swap(problems_);
  fresh_ = false;
  return true;
}

void HeldContacts::factor_from(const std::vector<Island>& islands,
                               const std::vector<ContactProblem>& problems,
                               const std::vector<char>& keep) {
  fresh_ = false;
  index_.clear();
  int kept = 0;
  for (const char k : keep) index_.push_back(k ? kept++ : -1);
  islands_ = islands;
  rows_.resize(std::max(rows_.size(), islands_.size()));
  sparse_.resize(rows_.size());
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    islands_[k].contacts.clear();
    from_.clear();
    for (std::size_t i = 0; i < islands[k].contacts.size(); ++i) {
      const int index = index_[static_cast<std::size_t>(islands[k].contacts[i])];
      if (index < 0) continue;
      islands_[k].contacts.push_back(index);
      from_.push_back(static_cast<int>(i));
    }
    sparse_[k].used = factor_sparse_from(problems[k], k);
    if (sparse_[k].used) continue;
    rows_[k].reset(islands_[k].m, kRank);
    for (const int i : from_) rows_[k].add(problems[k].normals.col(i));
    add_joint_rows(islands_[k], problems[k], rows_[k]);
  }
}

void HeldContacts::accelerate(const Model& model, const Kinematics& kin, const MassFactor& mass,
                              VectorXd& vdot, std::vector<double>& force) {
  force.assign(touching_.size(), 0.0);
  joint_force_.assign(joints_.size(), 0.0);
  slip_power_ = unmet_ = 0.0;
  if (empty()) return;
  compute_biases(model, kin, touching_);
  held_y_.resize(std::max(held_y_.size(), islands_.size()));
  columns_.resize(std::max(columns_.size(), islands_.size()));
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const Island& island = islands_[k];
    gather(model, island, vdot, part_);
    island_apply_L(model, mass, island, part_);
    problems_[k].y = part_;
    e_.setZero(row_count(k));
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
      e_[static_cast<Eigen::Index>(i)] =
          -touching_.contacts[static_cast<std::size_t>(island.contacts[i])].bias;
    if (!island.loops.empty()) {
      loop_rates(model, kin, island, loop_e_);
      hold_island_loops(k);
    }
    if (rubs()) ask_no_slip(model, kin, k);
    solve_island(model, kin, mass, k);
    problems_[k].c = e_.head(static_cast<Eigen::Index>(island.contacts.size()));
    held_y_[k] = part_;
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
      force[static_cast<std::size_t>(island.contacts[i])] = f_[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < island.joints.size(); ++j)
      joint_force_[joint_index(island.joints[j])] =
          f_[f_.size() - static_cast<Eigen::Index>(island.joints.size() - j)];
    island_solve_L(model, mass, island, part_);
    scatter(model, island, part_, vdot);
    rest_joints(island, rows_[k], 0.0, vdot);
  }
}

// problems_[k].y and part_ onto the loops with loop_e_, and what they leave to ask of the other
// rows in e_.
void HeldContacts::hold_island_loops(std::size_t k) {
  ContactProblem& problem = problems_[k];
  problem.y = part_;
  problem.c = e_.head(problem.n);
  problem.rest.setZero(problem.joints.columns());
  hold_loops(loop_e_, problem);
  part_ = problem.y;
  e_.head(problem.n) = problem.c;
  // Behind the contacts and, in a projection of velocities, their tangents.
  Eigen::Index row = e_.size();
  for (std::size_t j = islands_[k].joints.size(); j-- > 0;)
    if (std::binary_search(joints_.begin(), joints_.end(), islands_[k].joints[j]))
      e_[--row] = problem.rest[static_cast<Eigen::Index>(j)];
}

// part_ from free to held with the multipliers f_, and the shares of floating contacts.
void HeldContacts::solve_island(const Model& model, const Kinematics& kin, const MassFactor& mass,
                                std::size_t k) {
  if (slides_in(islands_[k])) return solve_sliding(model, kin, k);
  const std::vector<int>& contacts = islands_[k].contacts;
  const auto first = std::find_if(contacts.begin(), contacts.end(), [&](int i) {
    return !floating_.empty() && floating_[static_cast<std::size_t>(i)];
  });
  if (first == contacts.end()) return solve_rows(k);
  const auto floating = contacts.end() - first;
  pull_.resize(islands_[k].m, floating);
  for (auto it = first; it != contacts.end(); ++it) {
    generalised_.setZero(model.nv);
    add_viscous_friction(model, kin, touching_.contacts[static_cast<std::size_t>(*it)], 1.0,
                         generalised_);
    gather(model, islands_[k], generalised_, e_part_);
    island_solve_L_transposed(model, mass, islands_[k], e_part_);
    problems_[k].loops.project(e_part_);
    pull_.col(it - first) = e_part_;
  }
  solve_floating(rows_[k], e_, pull_, first - contacts.begin(), part_, f_, shares_);
  problems_[k].y += pull_ * shares_.share;
  for (auto it = first; it != contacts.end(); ++it) {
    const auto i = static_cast<std::size_t>(*it);
    share_[i] = shares_.share[it - first];
    margin_[i] = std::min(shares_.bare[it - first], shares_.lifting[it - first]);
  }
}

double HeldContacts::push_only(const LeastDistanceSolver& solver, ContactWorkspace& workspace,
                               std::vector<double>& force) {
  double worst = 0.0;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    if (sparse_[k].used) continue;
    if (rows_[k].rank() == static_cast<Eigen::Index>(rows_[k].accepted().size())) continue;
    solve_frictionless(problems_[k], solver, {}, workspace, pushed_);
    if (pushed_.status != LeastDistanceStatus::solved) return kInfinity;
    const double moved = (held_y_[k] - problems_[k].y).norm();
    const double missing = (pushed_.y - held_y_[k]).norm();
    worst = std::max(worst, missing / std::max(moved, 1e-300));
    for (std::size_t i = 0; i < islands_[k].contacts.size(); ++i)
      force[static_cast<std::size_t>(islands_[k].contacts[i])] =
          pushed_.fn[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < islands_[k].joints.size(); ++j)
      joint_force_[joint_index(islands_[k].joints[j])] = pushed_.fj[j];
  }
  return worst;
}

bool HeldContacts::unique() const {
  if (empty()) return true;  // islands_ and rows_ are then those of an earlier set
  for (std::size_t k = 0; k < islands_.size(); ++k)
    if (!sparse_[k].used && rows_[k].rank() < static_cast<Eigen::Index>(rows_[k].accepted().size()))
      return false;
  return true;
}

double HeldContacts::project_position(const Model& model, const MassFactor& mass,
                                      const Kinematics& at_q, VectorXd& q, int limit) {
  constexpr int kFew = 8;  // of more iterations, which a body that turns far takes, each helps
  constexpr double kAway = 10.0;  // times the least gap: they lead nowhere
  double worst = kInfinity, least = kInfinity;
  fresh_ = fresh_ && factored_q_.size() == q.size() && factored_q_ == q;
  for (int iteration = 0; !empty(); ++iteration) {
    if (iteration == 0)
      copy_poses(at_q, X_WL_);
    else
      compute_poses(model, q, X_WL_);
    follow_touching(model, X_WL_, q, touching_);
    const double now_open = widest_loop_gap(model.loops, X_WL_);
    const double before = std::exchange(worst, std::max(widest_gap(touching_.contacts), now_open));
    refuse_opening(before, now_open);
    if (worst > kAway * least) {
      q = nearest_q_;
      return least;
    }
    if (worst < least) {
      least = worst;
      nearest_q_ = q;
    }
    const bool helps = loops_ || worst <= 0.9 * before;  // nothing else closes a loop again
    if (worst <= kClosed || iteration == limit || (iteration >= kFew && !helps)) break;
    step_.setZero(model.nv);
    for (std::size_t k = 0; k < islands_.size(); ++k) add_closing_step(model, mass, k);
    if (!step_.allFinite()) break;
    integrate_position(model, q, step_, q);
    fresh_ = false;
  }
  return empty() ? 0.0 : worst;
}

// To step_ what closes the gaps and loops of island k, each by itself: what it does shall not
// depend on others.
void HeldContacts::add_closing_step(const Model& model, const MassFactor& mass, std::size_t k) {
  const Island& island = islands_[k];
  const auto open_at = [&](int i) {
    return std::abs(touching_.contacts[static_cast<std::size_t>(i)].gap) > kClosed;
  };
  if (island.loops.empty() && std::none_of(island.contacts.begin(), island.contacts.end(), open_at))
    return;
  // Tangents stay where they are: zero on their rows.
  e_.setZero(row_count(k));
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    e_[static_cast<Eigen::Index>(i)] =
        -touching_.contacts[static_cast<std::size_t>(island.contacts[i])].gap;
  part_.setZero(island.m);
  if (!island.loops.empty()) {
    loop_displacements(model, X_WL_, island, loop_e_);
    hold_island_loops(k);
  }
  solve_rows(k);
  island_solve_L(model, mass, island, part_);
  scatter(model, island, part_, step_);
  rest_joints(island, rows_[k], 0.0, step_);
}

void HeldContacts::project_velocity(const Model& model, const MassFactor& mass, VectorXd& v) {
  for (std::size_t k = 0; k < islands_.size() && !empty(); ++k) {
    if (islands_[k].contacts.empty() && islands_[k].loops.empty()) continue;
    gather(model, islands_[k], v, part_);
    island_apply_L(model, mass, islands_[k], part_);
    if (sparse_[k].used) {
      e_.setZero(row_count(k));
      solve_rows(k);
    } else {
      problems_[k].loops.project(part_);
      rows_[k].project(part_);
    }
    island_solve_L(model, mass, islands_[k], part_);
    scatter(model, islands_[k], part_, v);
    rest_joints(islands_[k], rows_[k], kJointRest, v);
  }
}

}  // namespace pequod
