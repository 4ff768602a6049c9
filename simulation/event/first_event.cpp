#include "simulation/event/first_event.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "events/root.h"
#include "simulation/event/gap_bounds.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

// A search through one trial step.
struct GapSearch {
  Sampling sampling;
  double shortest_step;  // s
  EventWorkspace& workspace;
  int looks = 0;  // taken so far, in the middle of an interval

  [[nodiscard]] const SceneTolerances& tolerance() const { return sampling.world.tolerance; }
};

struct Crossing {
  double tau;
  ContactKey key;
};

// No gap changes where nothing moves, to the bit.
bool stands_still(const State& start, const State& end) {
  const auto is_zero = [](const auto& x) { return x.template lpNorm<Eigen::Infinity>() == 0.0; };
  return is_zero(start.v) && is_zero(end.v) && is_zero(end.q - start.q);
}

// @param zero  m, a gap that counts as zero
Sloped sloped(const GapSample& sample, double zero = 0.0) {
  return {sample.gap - zero, sample.rate, sample.acceleration};
}

// Acceleration level: whether a contact is followed that rises from below zero. Of two simple
// shapes such a hop is closed; on facets, whose rows all but repeat each other, it often cannot be.
// Not where a body rocks: moving what lands onto zero would keep it rocking.
bool may_rise(const GapSearch& search, const ContactKey& key) {
  const Stepper& stepper = search.sampling.stepper;
  return !stepper.method().velocity_level() && !is_of_simple_shapes(search.sampling.model(), key) &&
         stepper.start().state.loop.budget.storm <= kRocks;
}

// Whether what others moved below zero by more than noise rises from there.
bool rises_from_below(const GapSearch& search, const GapSample& sample) {
  const SceneTolerances& tolerance = search.tolerance();
  if (!sample.present || !(sample.gap < -tolerance.noise()) || !may_rise(search, sample.key))
    return false;
  return sample.rate > tolerance.speed() ||
         (sample.rate >= -tolerance.speed() && sample.acceleration > 0.0);
}

// m: the gap at which a contact meets. What rises from below zero does where it is back at the gap
// that it had, or below it by as much as what is held moves others at once.
double meeting_gap(const GapSearch& search, const GapSample& left) {
  return rises_from_below(search, left) ? left.gap - kHeldGap * search.tolerance().rounding : 0.0;
}

// Whether a contact has met by the end of an interval. What rises from below zero at both ends was
// moved in between.
bool ends_met(const GapSearch& search, const GapSample& left, const GapSample& right) {
  const double zero = meeting_gap(search, left);
  return zero < 0.0 ? right.gap < zero && right.rate <= 0.0 : !ends_open(right, search.tolerance());
}

// A gap that jumps below zero, as its features come to face each other, has no root: before the
// jump no contact is there that could be handled.
double behind_jump(const GapSearch& search, double tau, double b, const ContactKey& key) {
  const double behind = std::min(tau + search.shortest_step, b);
  const GapSample sample = sample_at(search.sampling, behind, key);
  return sample.present && sample.gap >= -search.tolerance().gap() ? behind : tau;
}

// m/s: a gap that falls faster between two samples jumps, as impulses of many contacts do from one
// of their solutions to another; where exactly is not asked. Where features come to face each other
// it is.
double steepest_change(const GapSearch& search, const GapSample& left, const GapSample& right) {
  const double fastest = std::max(std::abs(left.rate), std::abs(right.rate));
  const bool faces = left.present && right.present && fastest > search.tolerance().speed() &&
                     is_of_simple_shapes(search.sampling.model(), left.key);
  return faces ? kJump * fastest : kInfinity;
}

// Where the gap of one contact closes between two samples.
double crossing_time(const GapSearch& search, double a, const GapSample& left, double b,
                     const GapSample& right) {
  const ContactKey key = left.key;
  const double zero = meeting_gap(search, left);
  const double steepest = steepest_change(search, left, right);
  const auto at = [&](double tau) { return sloped(sample_at(search.sampling, tau, key), zero); };
  const auto gap = [&](double tau) { return at(tau).value; };
  const Sloped from = sloped(left, zero), to = sloped(right, zero);
  const double tau = search.sampling.stepper.method().rates_are_slopes()
                         ? find_root(std::function<Sloped(double)>(std::cref(at)), a, from, b, to,
                                     {.reach = kInstantRoot})
                         : find_root_by_parabolas(std::cref(gap), a, from.value, b, to.value,
                                                  {.reach = kInstantRoot, .steepest = steepest});
  const bool there = tau > a ? sample_at(search.sampling, tau, key).present : left.present;
  return there ? tau : behind_jump(search, tau, b, key);
}

// The earliest zero of gaps that all go below zero by b: the one that seems to come first is
// sought, and the others are looked at there.
Crossing first_crossing(const GapSearch& search, double a, double b,
                        const std::vector<OpenContact>& crossing) {
  const auto expected = [&](const OpenContact& contact) {
    return predict_root(a, sloped(contact.left), b, sloped(contact.right));
  };
  const OpenContact* favourite = &crossing.front();
  for (const OpenContact& contact : crossing)
    if (expected(contact) < expected(*favourite)) favourite = &contact;
  Crossing first{crossing_time(search, a, favourite->left, b, favourite->right),
                 favourite->left.key};
  std::vector<ContactKey>& keys = search.workspace.crossing_keys;
  keys.clear();
  for (const OpenContact& contact : crossing) keys.push_back(contact.left.key);
  for (const OpenContact& contact : crossing) {
    if (&contact == favourite || !(first.tau > a)) continue;
    const ContactKey& key = contact.left.key;
    search.sampling.stepper.at(first.tau, keys);  // for all of them at once
    const GapSample right = sample_at(search.sampling, first.tau, key);
    if (ends_met(search, contact.left, right))
      first = {crossing_time(search, a, contact.left, first.tau, right), key};
  }
  return first;
}

// What was no contact that matters at a but is one later: one that rises from below zero there had
// been left out, others do not face each other.
GapSample left_of_fresh(const GapSearch& search, double a, const ContactKey& key) {
  const GapSample missing = missing_sample(search.sampling.reach, key);
  if (!may_rise(search, key)) return missing;
  const GapSample left = sample_at(search.sampling, a, key);
  return rises_from_below(search, left) ? left : missing;
}

// First zero of any gap in [a, b]; all are positive at a. Where some are known to cross, the others
// matter up to the first of those; else the interval is halved.
std::optional<Crossing> search_gaps(GapSearch& search, double a, double b,
                                    const std::vector<OpenContact>& contacts, int depth) {
  auto& [crossing, open, half, samples] = nth(search.workspace.levels, depth);
  crossing.clear();
  open.clear();
  for (const OpenContact& contact : contacts) {
    if (rises_from_below(search, contact.left)) {
      if (ends_met(search, contact.left, contact.right)) crossing.push_back(contact);
      continue;
    }
    if (excluded(contact.left, contact.right, b - a, search.tolerance())) continue;
    if (depth >= kMaxDepth && rises_from_below(search, contact.right)) continue;  // moved at once
    if (crosses_once(contact.left, contact.right, b - a, search.tolerance()) ||
        (depth >= kMaxDepth && !ends_open(contact.right, search.tolerance())))
      crossing.push_back(contact);
    else if (depth < kMaxDepth)
      open.push_back(contact);
  }
  std::optional<Crossing> last;
  if (!crossing.empty()) last = first_crossing(search, a, b, crossing);
  if (open.empty() || (last && !(last->tau > a))) return last;
  if (++search.looks > kLooks && a > 0.0) return Crossing{a, open.front().left.key};
  const double middle = last ? last->tau : 0.5 * (a + b);
  sample_contacts(search.sampling, middle, open, samples, search.workspace.fresh);
  // Features that face each other at neither end: what flies past a thin plate meets its face.
  for (const GapSample& sample : search.workspace.fresh) {
    const GapSample missing = missing_sample(search.sampling.reach, sample.key);
    open.push_back({left_of_fresh(search, a, sample.key), missing});
    samples.push_back(sample);
  }
  half = open;
  for (std::size_t i = 0; i < half.size(); ++i) half[i].right = samples[i];
  if (const auto found = search_gaps(search, a, middle, half, depth + 1)) return found;
  if (last) return last;
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = {samples[i], open[i].right};
  return search_gaps(search, middle, b, half, depth + 1);
}

// What a contact that touches but is open does from the start of an interval of h (s) on.
struct Parting {
  bool leaves;   // it opens, or rises, and meets nothing
  double shown;  // s, after which its gap shows its sign
};

Parting part_from_touch(const GapSearch& search, const GapSample& l, const GapSample& r, double h) {
  const SceneTolerances& tolerance = search.tolerance();
  double K = bound_curvature(l, r, h);
  // Features that no longer face each other at the end tell nothing of what was before.
  if (!r.present && std::isfinite(l.acceleration))
    K = std::max(K, kCurvatureMargin * std::abs(l.acceleration));
  // φ ≥ φ̇ s − ½Ks² > 0 up to 2φ̇/K.
  double clear = l.rate > tolerance.speed() ? l.rate / K : kLook * h;
  // A hop of height φ̇²/2K that is less than noise shows nothing.
  if (l.rate * l.rate < 2.0 * K * tolerance.noise()) clear = std::max(clear, kLook * h);
  // Impulses bend the path of what hardly moves, and its bounds tell nothing.
  const bool slow =
      search.sampling.stepper.method().velocity_level() && l.rate <= tolerance.speed();
  const bool opens =
      slow ? r.gap > 0.0 && r.rate >= 0.0 : 2.0 * clear > h || excluded(l, r, h, tolerance);
  // What others moved below zero by more than noise comes back by itself.
  const bool rises = l.gap < -tolerance.noise() && l.rate > 0.0 && r.rate > 0.0 && r.gap >= l.gap;
  const bool leaves = (opens && ends_open(r, tolerance)) || rises ||
                      stays_below(l, r, h, tolerance) ||
                      (l.rate >= -tolerance.speed() && turns_away(l, r, h, tolerance));
  return {leaves, clear};
}

// Contacts that touch but are open have a gap of zero by construction: most just open, and those
// are dropped from the list; for the others the search starts a little later, where they show their
// sign.
// @param a         s, where the search starts: moved there
// @param contacts  between a and b, their left samples moved too
// @return an event at once
std::optional<EventHit> start_apart(const GapSearch& search, double& a, double b,
                                    std::vector<OpenContact>& contacts) {
  EventWorkspace& workspace = search.workspace;
  const Stepper& stepper = search.sampling.stepper;
  const double h = b - a;
  double look = h;
  workspace.apart.clear();
  workspace.touching.clear();
  for (const OpenContact& contact : contacts) {
    const GapSample& l = contact.left;
    const bool meets = !stepper.method().velocity_level() && l.gap > search.tolerance().noise() &&
                       l.rate < -search.tolerance().speed();
    if (l.gap > search.tolerance().gap() || meets || rises_from_below(search, l)) {
      workspace.apart.push_back(contact);
      continue;
    }
    const Parting parting = part_from_touch(search, l, contact.right, h);
    if (parting.leaves) continue;
    look = std::min(look, parting.shown);
    workspace.touching.push_back(contact);
  }
  const std::size_t touching = workspace.touching.size();
  contacts = workspace.apart;
  if (touching == 0) return std::nullopt;
  std::vector<OpenContact>& all = workspace.touching;
  all.insert(all.end(), workspace.apart.begin(), workspace.apart.end());
  sample_contacts(search.sampling, look, all, workspace.samples, workspace.fresh);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const GapSample& sample = workspace.samples[i];
    const GapSample before = std::exchange(all[i].left, sample);
    if (sample.gap >= -search.tolerance().noise() || rises_from_below(search, sample)) {
      all[kept++] = all[i];
      continue;
    }
    // What holds others has moved it below zero at once, by 1e-11 m, and it sinks no farther.
    if (i < touching && stepper.method().velocity_level() &&
        stays_below(sample, all[i].right, h - look, search.tolerance()))
      continue;
    if (i >= touching) return std::nullopt;  // an ordinary contact comes first: start at a
    // What is open, as facets are from kTouchingGap on, and gets under way only now, towards zero,
    // meets before it can be told from it.
    if (!stepper.method().velocity_level() && before.gap > search.tolerance().noise())
      return EventHit{EventHit::Kind::contact, crossing_time(search, a, before, look, sample),
                      sample.key};
    // Two facets of one shape: the other one takes over, and this is the moment.
    const ContactKey& key = sample.key;
    const bool hands_over = stepper.start().touching.has(ShapePair{key.shape_a, key.shape_b}) &&
                            sample.gap > -search.tolerance().still();
    return hands_over ? EventHit{EventHit::Kind::contact, look, key}
                      : EventHit{EventHit::Kind::sinks, 0.0, key};
  }
  all.resize(kept);
  contacts = all;
  a = look;
  return std::nullopt;
}

// The first event of what is held: a release, a joint, a slip that ends.
std::optional<EventHit> first_held_event(const World& world, const TriedStep& step) {
  std::optional<EventHit> hit;
  // Where a slip ends its friction turns, and forces jump: those of after are none of the mode's.
  if (step.stepper.method().rubs()) hit = first_halt(world.tolerance, step, hit);
  hit = first_release(world, step, hit);
  if (!step.stepper.method().velocity_level()) hit = first_joint_event(world.model(), step, hit);
  return hit;
}

}  // namespace

EventWorkspace::EventWorkspace() {
  // A near miss late in a run searches deeper than any before it: that shall not allocate.
  constexpr std::size_t kUsual = 16;  // contacts
  reach.near.reserve(kUsual);
  buffers.among.reserve(kUsual);
  for (Level& level : levels) {
    level.crossing.reserve(kUsual);
    level.open.reserve(kUsual);
    level.half.reserve(kUsual);
    level.samples.reserve(kUsual);
  }
}

std::optional<EventHit> first_event(const World& world, const TriedStep& step,
                                    EventWorkspace& workspace) {
  Stepper& stepper = step.stepper;
  const bool moves = !stands_still(step.start, step.end);
  if (moves) {
    const auto collision_time = world.clock->during(StepPart::collision);
    find_reach(world, stepper, stepper.terms(), step.h, workspace.buffers, workspace.reach);
  }
  GapSearch search{{world, workspace.reach, stepper, workspace.buffers},
                   shortest_step(*world.scenario),
                   workspace};
  std::vector<OpenContact>& contacts = workspace.contacts;
  contacts.clear();
  if (moves)
    sample_ends(search.sampling, step.start, step.start_terms, step.h, step.end, workspace.left,
                workspace.right, contacts);
  std::optional<EventHit> hit = first_held_event(world, step);
  if (hit && hit->tau <= 0.0) return hit;
  double a = 0.0, b = step.h;
  if (hit) {
    b = hit->tau;
    sample_contacts(search.sampling, b, contacts, workspace.samples, workspace.fresh);
    for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i].right = workspace.samples[i];
  }
  if (const auto early = start_apart(search, a, b, contacts)) return early;
  // Impulses of a step over no time have no meaning.
  const double shortest = stepper.method().velocity_level() ? search.shortest_step : 0.0;
  if (const auto found = search_gaps(search, a, b, contacts, 0))
    hit = EventHit{EventHit::Kind::contact, std::max(found->tau, shortest), found->key};
  return hit;
}

}  // namespace pequod
