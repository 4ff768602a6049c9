// Which shapes of a model come near each other, and their contacts.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "core/dynamics.h"
#include "core/model.h"
#include "events/contact_geometry.h"
#include "simulation/evaluate.h"
#include "simulation/pair_memo.h"
#include "simulation/travel_bound.h"

namespace pequod {

/// Two shapes that may collide, a < b.
struct ShapePair {
  int a = -1, b = -1;
  bool operator==(const ShapePair&) const = default;
};

/// Some of the pairs of a model that may collide.
struct PairSelection {
  std::vector<ShapePair> pairs;  ///< in order of (a, b); none of a model of many shapes
  std::vector<int> shapes;       ///< those that they are of, ascending
};

/// The pairs of a model with what it takes to discard far ones quickly.
class Collision {
 public:
  explicit Collision(const Model& model);

  /// All pairs that may be within `distance` (m) of each other where the bodies are, and perhaps
  /// others. A memo: as long as no body has gone as far as keeps the others apart, those found
  /// before are told again (the idea of Mirtich 1996, sec. 2.3), so that most shapes of a robot
  /// that stands need not even be placed. Of a model of many shapes: all, to be sorted by boxes.
  [[nodiscard]] const PairSelection& select(const Evaluator& here, double distance) const;

  /// All shapes.
  [[nodiscard]] std::span<const int> shapes() const { return all_.shapes; }
  /// m/s, no point of any shape is faster.
  [[nodiscard]] double fastest(const VectorXd& v) const { return bound_.speed(v); }

  /// Travel of these shapes in time h (s): (|v| + |ω| r) h.
  /// @param travel  out: m, largest displacement of any point of each of them; of others nothing
  void bound_travel(const std::vector<ShapeSpeed>& speeds, std::span<const int> shapes, double h,
                    std::vector<double>& travel) const;

  /// Pairs that can come within `margin` of each other while no shape moves farther than its
  /// travel. In order of (a, b).
  /// @param among  where X_WS has the shapes: all that are that near
  void near_pairs(const PairSelection& among, const std::vector<Pose>& X_WS,
                  const std::vector<double>& travel, double margin,
                  std::vector<ShapePair>& near) const;

  /// Contacts of one pair with gap ≤ range, appended.
  /// @param rims, wanted  as for find_contacts()
  void contacts(const ShapePair& pair, const std::vector<Pose>& X_WS, double range,
                std::vector<ContactPoint>& out, std::span<const ContactKey> rims = {},
                const ContactKey* wanted = nullptr) const;

  /// Smallest signed distance over all pairs by fresh queries; +∞ above `range` (m).
  [[nodiscard]] double smallest_gap(const Evaluator& here, double range) const;
  /// Appends the pairs deeper in each other than `depth` (m) that are not among `pairs` yet.
  void add_overlapping(const Evaluator& here, double depth, std::vector<ShapePair>& pairs) const;

 private:
  /// Whether both are boxes or hulls, whose contacts take long to find, and depend on poses alone.
  [[nodiscard]] bool is_kept(const ShapePair& pair) const;
  [[nodiscard]] double gap_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                                  double range) const;
  /// m: the shapes are no nearer than that.
  [[nodiscard]] double clearance(const ShapePair& pair, const std::vector<Pose>& X_WS) const;
  void find_nearby(const Evaluator& here, double distance) const;
  [[nodiscard]] double way_to(const VectorXd& q) const;
  /// False only of shapes that are farther apart than `distance` (m).
  [[nodiscard]] bool may_be_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                                   double distance) const;
  /// Pairs that may collide and could be within `margin`, in order; `travel` as in near_pairs, or
  /// nullptr for none.
  [[nodiscard]] const std::vector<ShapePair>& candidates(const PairSelection& among,
                                                         const std::vector<Pose>& X_WS,
                                                         const std::vector<double>* travel,
                                                         double margin) const;

  const Model* model_;
  std::vector<double> radius_;  // m, about the shape frame's origin
  std::vector<char> ground_;    // of each shape, whether it is a plane or height field
  PairSelection all_;           // pairs only where there are few shapes
  TravelBound bound_;
  // The memo: all other pairs were more than `apart` from each other at q.
  struct Nearby {
    VectorXd q;
    double apart = 0.0;  // m
    PairSelection selection;
    VectorXd asked;    // where the bodies were when pairs were asked for last,
    double way = 0.0;  // m, how far from q at most
  };
  mutable Nearby nearby_;
  mutable PairMemo memo_;  // of pairs of boxes and hulls
};

/// What the contact stage needs of a geometric contact.
[[nodiscard]] Contact make_contact(const Model& model, const ContactPoint& point);

/// Motion of a shape's frame from that of its link.
[[nodiscard]] BodyMotion shape_motion(const Shape& shape, const BodyMotion& link);

}  // namespace pequod
