// Which contacts float: the mode where friction alone lifts a contact and its absence lets it sink.
#include <algorithm>

#include "simulation/friction.h"
#include "simulation/settle.h"

namespace pequod {
namespace {

// Shares outside [0, 1] by less are rounding: at a tie of two modes either may be taken.
constexpr double kShareTolerance = 1e-6;
// Each contact has three modes; rounds for as many changes before and after they are made one by
// one.
constexpr int kRoundsPerContact = 3;

}  // namespace

void leave_mode(const State& state, const ContactKey& key, std::vector<HeldKey>& held) {
  const ContactMode* before = find_mode(state, key);
  const auto now = std::find_if(held.begin(), held.end(),
                                [&](const HeldKey& other) { return other.key == key; });
  if (!before || now == held.end() || now->floating != before->floating) return;
  if (before->floating && before->share > 0.5)
    now->floating = false;
  else
    held.erase(now);
}

// L⁻ᵀ f of each contact's whole friction.
void Settler::place_frictions(const Island& island) {
  const Model& model = scenario_->model;
  const Kinematics& kin = here_->kinematics();
  pull_.setZero(island.m, problem_.n);
  has_friction_.assign(island.contacts.size(), 0);
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const Contact& contact = candidates_.contacts[static_cast<std::size_t>(island.contacts[i])];
    if (is_joint_limit(contact.key)) continue;
    generalised_.setZero(model.nv);
    add_viscous_friction(model, kin, contact, 1.0, generalised_);
    gather(model, island, generalised_, part_);
    island_solve_L_transposed(model, here_->factor(), island, part_);
    problem_.loops.project(part_);
    has_friction_[i] = part_.isZero(0.0) ? 0 : 1;
    pull_.col(static_cast<Eigen::Index>(i)) = part_;
  }
}

// Walks hold_ to a mode in which closed contacts push with all of their friction, open ones
// separate without any, and those between need a share in [0, 1] (Filippov's convex combination of
// the two sides of the discontinuity; as a set-valued map it has a fixed point, so such a mode
// exists). Each round solves with the shares as they are, and moves every contact that contradicts
// its mode to the neighbouring one; after kRoundsPerContact rounds a contact, one contact a round,
// so that two do not swap for ever. It ends when none contradicts. No proof bounds the rounds:
// after twice as many the mode stands as it is, and the event search will tell what is wrong with
// it.
void Settler::share_friction(const State& state, const Island& island) {
  place_frictions(island);
  y_bare_ = problem_.y - pull_.rowwise().sum();
  share_.resize(problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    share_[i] = hold_[static_cast<std::size_t>(i)] == Hold::open ? 0.0 : 1.0;
  const int rounds = kRoundsPerContact * problem_.n;
  for (int round = 0; round < 2 * rounds; ++round) {
    problem_.y = y_bare_ + pull_ * share_;
    solve_accelerations(state);
    const bool one = round >= rounds;
    const bool moved = move_by_gaps(one);
    if (!move_by_shares(one) && !moved) return;
  }
}

// Closed contacts that separate open; open ones that would sink without friction float.
bool Settler::move_by_gaps(bool one) {
  bool moved = false;
  for (std::size_t i = 0; i < hold_.size() && !(one && moved); ++i) {
    const bool opens = opening_[static_cast<Eigen::Index>(i)] > kAccelerationTolerance;
    Hold next = hold_[i];
    if (hold_[i] == Hold::closed && opens) next = Hold::open;
    if (hold_[i] == Hold::open && !opens) next = has_friction_[i] ? Hold::floating : Hold::closed;
    moved = moved || next != hold_[i];
    hold_[i] = next;
  }
  return moved;
}

// shares_ from the n contacts in order_ that are held, of which the last k float, and the joints as
// the last solve had them.
void Settler::solve_shares(Eigen::Index n, Eigen::Index k) {
  rows_.reset(problem_.m);
  e_.setZero(n + static_cast<Eigen::Index>(problem_.bound.size()));
  pull_floating_.resize(problem_.m, k);
  y_ = y_bare_;
  for (Eigen::Index j = 0; j < n; ++j) {
    const int i = order_[static_cast<std::size_t>(j)];
    rows_.add(problem_.normals.col(i));
    e_[j] = problem_.c[i];
    if (j < n - k)
      y_ += pull_.col(i);
    else
      pull_floating_.col(j - (n - k)) = pull_.col(i);
  }
  for (std::size_t j = 0; j < problem_.bound.size(); ++j) {
    const auto joint = problem_.joints.col(static_cast<Eigen::Index>(j));
    if (solution_.slide[j] == 0) {
      rows_.add(joint);
      e_[static_cast<Eigen::Index>(rows_.accepted().size()) - 1] =
          problem_.rest[static_cast<Eigen::Index>(j)];
    } else
      y_ += solution_.fj[j] * joint;
  }
  e_.conservativeResize(static_cast<Eigen::Index>(rows_.accepted().size()));
  solve_floating(rows_, e_, pull_floating_, n - k, y_, f_, shares_);
}

// The shares of those that float, with the closed ones and sticking joints held: past 1 a contact
// is closed, below 0 open. One whose row the others hold already is closed at 1.
bool Settler::move_by_shares(bool one) {
  order_.clear();
  for (const Hold kind : {Hold::closed, Hold::floating})
    for (std::size_t i = 0; i < hold_.size(); ++i)
      if (hold_[i] == kind) order_.push_back(static_cast<int>(i));
  const auto k = std::count(hold_.begin(), hold_.end(), Hold::floating);
  const auto n = static_cast<Eigen::Index>(order_.size());
  for (int i = 0; i < problem_.n; ++i)
    share_[i] = hold_[static_cast<std::size_t>(i)] == Hold::open ? 0.0 : 1.0;
  if (k == 0) return false;
  solve_shares(n, k);
  bool moved = false;
  for (Eigen::Index j = n - k; j < n; ++j) {
    const int i = order_[static_cast<std::size_t>(j)];
    const double share = shares_.share[j - (n - k)];
    const bool repeats = !rows_.accepted()[static_cast<std::size_t>(j)];
    share_[i] = std::clamp(share, 0.0, 1.0);
    if (one && moved) continue;
    Hold& hold = hold_[static_cast<std::size_t>(i)];
    if (share > (repeats ? 1.0 - kShareTolerance : 1.0 + kShareTolerance))
      hold = Hold::closed;
    else if (share < -kShareTolerance)
      hold = Hold::open;
    moved = moved || hold != Hold::floating;
  }
  return moved;
}

}  // namespace pequod
