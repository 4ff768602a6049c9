// What was found last of pairs of shapes of which neither has moved since.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "core/shape.h"
#include "events/feature_pair.h"

namespace pequod {

/// A memo of pure functions of the poses of two shapes: asking again for the same bits costs a
/// comparison. Piles and walls at rest are asked for their contacts several times a step.
class PairMemo {
 public:
  /// Contacts within a range. The last two ranges are kept, as a step asks for what touches and for
  /// what may be met.
  /// @param find  (std::vector<ContactPoint>&): appends them
  template <typename Find>
  const std::vector<ContactPoint>& contacts(const std::array<int, 2>& pair, const Pose& X_WA,
                                            const Pose& X_WB, double range, const Find& find) {
    Kept& kept = at(pair);
    for (const Contacts& known : kept.contacts)
      if (known.range == range && are_equal(known.X, X_WA, X_WB)) return known.points;
    Contacts& fresh = kept.contacts[kept.oldest];
    kept.oldest = 1 - kept.oldest;
    fresh.X = {X_WA, X_WB};
    fresh.range = range;
    fresh.points.clear();
    find(fresh.points);
    return fresh.points;
  }

  /// Room for so many pairs more. Threads may then ask for pairs that were added, each for others.
  void make_room(std::size_t pairs) {
    if (kept_.size() + pairs > kMostPairs) kept_.clear();
  }
  void add(const std::array<int, 2>& pair) { kept_.try_emplace(key_of(pair)); }

  /// Signed distance, m. @param measure  (): it
  template <typename Measure>
  double gap(const std::array<int, 2>& pair, const Pose& X_WA, const Pose& X_WB,
             const Measure& measure) {
    Kept& kept = at(pair);
    if (!kept.measured || !are_equal(kept.X_gap, X_WA, X_WB)) {
      kept.X_gap = {X_WA, X_WB};
      kept.gap = measure();
      kept.measured = true;
    }
    return kept.gap;
  }

 private:
  using Poses = std::array<Pose, 2>;
  struct Contacts {
    Poses X;
    double range = kNaN;  // m; kNaN: none yet
    std::vector<ContactPoint> points;
  };
  struct Kept {
    std::array<Contacts, 2> contacts;
    std::size_t oldest = 0;
    Poses X_gap;
    double gap = kNaN;  // m
    bool measured = false;
  };
  /// Pairs from which on all are forgotten: a pile that is poured makes new ones for ever.
  static constexpr std::size_t kMostPairs = 20000;

  static bool are_equal(const Poses& known, const Pose& X_WA, const Pose& X_WB) {
    return known[0].p == X_WA.p && known[1].p == X_WB.p && known[0].R == X_WA.R &&
           known[1].R == X_WB.R;
  }
  static unsigned long long key_of(const std::array<int, 2>& pair) {
    const auto high = static_cast<unsigned long long>(static_cast<unsigned>(pair[0]));
    return (high << 32U) | static_cast<unsigned>(pair[1]);
  }
  Kept& at(const std::array<int, 2>& pair) {
    if (const auto known = kept_.find(key_of(pair)); known != kept_.end()) return known->second;
    make_room(1);
    return kept_[key_of(pair)];
  }

  std::unordered_map<unsigned long long, Kept> kept_;
};

}  // namespace pequod
