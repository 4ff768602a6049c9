// Contacts of the shapes of a model, and the gaps between them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "core/dynamics.h"
#include "events/contact_geometry.h"
#include "simulation/near_pairs.h"
#include "simulation/pair_memo.h"
#include "simulation/tolerances.h"

namespace pequod {

/// What the shapes of a model touch, pair by pair.
class Collision {
 public:
  explicit Collision(const Model& model);

  /// Its pairs, to find those that are near.
  [[nodiscard]] const NearPairs& near() const { return near_; }
  /// Contacts of one pair with gap ≤ range, appended.
  /// @param rims, wanted  as for find_contacts()
  void contacts(const ShapePair& pair, const std::vector<Pose>& X_WS, double range,
                std::vector<ContactPoint>& out, std::span<const ContactKey> rims = {},
                const ContactKey* wanted = nullptr) const;

  /// The same of several, in their order. @param range  (pair): m, of each
  template <typename Range>
  void contacts(std::span<const ShapePair> pairs, const std::vector<Pose>& X_WS, const Range& range,
                const Team* team, std::vector<ContactPoint>& out,
                std::span<const ContactKey> rims = {}) const {
    const std::size_t parts = (pairs.size() + kPairsOfPart - 1) / kPairsOfPart;
    if (!team || parts < kLeastParts) {
      for (const ShapePair& pair : pairs) contacts(pair, X_WS, range(pair), out, rims);
      return;
    }
    make_room(pairs);
    parts_.resize(std::max(parts_.size(), parts));
    for_each_index(team, parts, 1, [&](std::size_t part, std::size_t) {
      parts_[part].clear();
      const auto first = part * kPairsOfPart;
      for (const ShapePair& pair :
           pairs.subspan(first, std::min(kPairsOfPart, pairs.size() - first)))
        contacts(pair, X_WS, range(pair), parts_[part], rims);
    });
    for (std::size_t part = 0; part < parts; ++part)
      out.insert(out.end(), parts_[part].begin(), parts_[part].end());
  }

  /// m, signed distance of one pair by a fresh query; above `range` any number that is too.
  [[nodiscard]] double gap(const ShapePair& pair, const std::vector<Pose>& X_WS,
                           double range) const;
  /// Smallest signed distance over all pairs by fresh queries; +∞ above `range` (m).
  [[nodiscard]] double smallest_gap(const Evaluator& here, double range) const;
  /// Appends the pairs deeper in each other than `depth` (m) that are not among `pairs` yet.
  void add_overlapping(const Evaluator& here, double depth, std::vector<ShapePair>& pairs) const;

 private:
  /// Whether both are boxes or hulls, whose contacts take long to find, and depend on poses alone.
  [[nodiscard]] bool is_kept(const ShapePair& pair) const;

  /// So that threads may ask for them.
  void make_room(std::span<const ShapePair> pairs) const;

  /// Of one place, which a body at rest is asked for at the end of each step. No result depends on
  /// it.
  struct SmallestGap {
    VectorXd q;
    double range = kNaN, gap = kNaN;  // m
  };
  [[nodiscard]] double find_smallest_gap(const Evaluator& here, double range) const;

  const Model* model_;
  NearPairs near_;
  mutable SmallestGap smallest_;
  mutable PairMemo memo_;                                 // of pairs of boxes and hulls
  mutable std::vector<std::vector<ContactPoint>> parts_;  // storage
};

/// What the contact stage needs of a geometric contact.
[[nodiscard]] Contact make_contact(const Model& model, const ContactPoint& point);

}  // namespace pequod
