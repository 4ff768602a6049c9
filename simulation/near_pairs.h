// Which shapes of a model may come near each other.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/model.h"
#include "simulation/evaluate.h"
#include "simulation/travel_bound.h"

namespace pequod {

/// Two shapes that may collide, a < b.
struct ShapePair {
  int a = -1, b = -1;

  bool operator==(const ShapePair&) const = default;
};

/// Some of the pairs of a model that may collide.
struct PairSelection {
  std::vector<ShapePair> pairs;  ///< in order of (a, b)
  std::vector<int> shapes;       ///< those that they are of, ascending
  bool listed = true;            ///< false: pairs too many to list, to be sorted by boxes
};

/// The pairs of a model with what it takes to discard far ones quickly.
class NearPairs {
 public:
  explicit NearPairs(const Model& model);

  /// All pairs that may be within `distance` (m) of each other where the bodies are, and perhaps
  /// others. A memo: as long as no body has gone as far as keeps the others apart, those found
  /// before are told again (the idea of Mirtich 1996, sec. 2.3), so that most shapes of a robot
  /// that stands need not even be placed.
  [[nodiscard]] const PairSelection& select(const Evaluator& here, double distance) const;

  /// Whether that asks for no search: those found before are told again.
  [[nodiscard]] bool knows(const Evaluator& here, double distance) const;
  /// Whether all those found before are like that, of a model of few shapes.
  template <typename Like>
  [[nodiscard]] bool are_near(const Like& like) const {
    return all_.listed && std::ranges::all_of(nearby_.selection.pairs, like);
  }

  /// m/s, no point of any shape is faster.
  [[nodiscard]] double fastest(const VectorXd& v, const Team* team = nullptr) const;
  /// A larger bound for less: that of `from`, or what is known of it, and by how much it may grow.
  [[nodiscard]] double roughly_fastest(const VectorXd& from, const VectorXd& to) const;

  /// Pairs that can come within `margin` of each other while no shape moves farther than its
  /// travel (m). In order of (a, b).
  /// @param among  where X_WS has the shapes: all that are that near
  void find(const PairSelection& among, const std::vector<Pose>& X_WS,
            const std::vector<double>& travel, double margin, std::vector<ShapePair>& near) const;

  /// Those among them that could come within `margin`, perhaps with others, in order.
  /// @param travel  as of find(); null: none moves
  [[nodiscard]] const std::vector<ShapePair>& candidates(const PairSelection& among,
                                                         const std::vector<Pose>& X_WS,
                                                         const std::vector<double>* travel,
                                                         double margin) const;
  /// False only of shapes that are farther apart than `distance` (m).
  [[nodiscard]] bool may_be_within(const ShapePair& pair, const std::vector<Pose>& X_WS,
                                   double distance) const;
  /// All pairs, not listed of a model of many shapes.
  [[nodiscard]] const PairSelection& all() const { return all_; }

 private:
  /// m: the shapes are no nearer than that.
  [[nodiscard]] double clearance(const ShapePair& pair, const std::vector<Pose>& X_WS) const;
  void find_nearby(const Evaluator& here, double distance) const;

  const Model* model_;
  std::vector<double> radius_;  // m, about the shape frame's origin
  std::vector<char> ground_;    // of each shape, whether it is a plane or height field
  double margin_;               // m, beyond what is asked for: pairs are told up to there
  PairSelection all_;
  TravelBound bound_;
  // The memo: all other pairs were more than `apart` from each other at q.
  struct Nearby {
    VectorXd q;
    double apart = 0.0;  // m
    PairSelection selection;
    VectorXd asked;             // where the bodies were when pairs were asked for last,
    double way = 0.0;           // m, how far from q at most,
    bool exact = true;          // by that bound itself, not by how much it may have grown
    std::vector<char> is_near;  // storage: of each shape
  };
  mutable Nearby nearby_;
  // The last answer: a step asks for that of its start, which the one before ended at.
  struct Fastest {
    VectorXd v;
    double speed = 0.0;  // m/s
    bool exact = true;   // as of Nearby
  };
  mutable Fastest fastest_;
};

}  // namespace pequod
