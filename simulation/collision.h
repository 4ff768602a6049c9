// Which shapes of a model come near each other, and their contacts.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "core/dynamics.h"
#include "core/model.h"
#include "events/contact_geometry.h"
#include "simulation/evaluate.h"

namespace pequod {

/// Two shapes that may collide, a < b.
struct ShapePair {
  int a = -1, b = -1;
  bool operator==(const ShapePair&) const = default;
};

/// The pairs of a model with what it takes to discard far ones quickly.
class Collision {
 public:
  explicit Collision(const Model& model);

  /// Travel of each shape in time h (s): (|v| + |ω| r) h.
  /// @param travel  out: m, largest displacement of any point of each shape
  void bound_travel(const std::vector<ShapeSpeed>& speeds, double h,
                    std::vector<double>& travel) const;

  /// Pairs that can come within `margin` of each other while no shape moves farther than its
  /// travel. In order of (a, b).
  void near_pairs(const std::vector<Pose>& X_WS, const std::vector<double>& travel, double margin,
                  std::vector<ShapePair>& near) const;

  /// Contacts of one pair with gap ≤ range, appended.
  /// @param rims, wanted  as for find_contacts()
  void contacts(const ShapePair& pair, const std::vector<Pose>& X_WS, double range,
                std::vector<ContactPoint>& out, std::span<const ContactKey> rims = {},
                const ContactKey* wanted = nullptr) const;

  /// Smallest signed distance over all pairs by fresh queries; +∞ above `range` (m).
  [[nodiscard]] double smallest_gap(const std::vector<Pose>& X_WS, double range) const;
  /// Appends the pairs deeper in each other than `depth` (m) that are not among `pairs` yet.
  void add_overlapping(const std::vector<Pose>& X_WS, double depth,
                       std::vector<ShapePair>& pairs) const;

 private:
  [[nodiscard]] double gap_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                                  double range) const;
  /// False only of shapes that are farther apart than `distance` (m).
  [[nodiscard]] bool may_be_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                                   double distance) const;
  /// Pairs that may collide and could be within `margin`, in order; `travel` as in near_pairs, or
  /// nullptr for none.
  [[nodiscard]] const std::vector<ShapePair>& candidates(const std::vector<Pose>& X_WS,
                                                         const std::vector<double>* travel,
                                                         double margin) const;

  const Model* model_;
  std::vector<ShapePair> pairs_;  // all of them, where there are few shapes
  std::vector<double> radius_;    // m, about the shape frame's origin
  std::vector<char> ground_;      // of each shape, whether it is a plane or height field
};

/// What the contact stage needs of a geometric contact.
[[nodiscard]] Contact make_contact(const Model& model, const ContactPoint& point);

/// Motion of a shape's frame from that of its link.
[[nodiscard]] BodyMotion shape_motion(const Shape& shape, const BodyMotion& link);

}  // namespace pequod
