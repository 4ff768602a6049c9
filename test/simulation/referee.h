// Judges accepted states without the program's own measures of them.
#pragma once

#include <vector>

#include "core/model.h"
#include "core/motion.h"
#include "core/state.h"
#include "simulation/simulation.h"
#include "test/support/worst.h"

namespace pequod::test {

/// Looks at states of one run. Poses and velocities are the textbook's (textbook_model.h).
class Referee {
 public:
  explicit Referee(const Model& model);

  /// Overlap, if asked for, and slip at an accepted state.
  void look(const State& state, bool overlap_too = true);

  /// m, deepest overlap seen. Two convex bodies overlap by no more than a direction shows in which
  /// their extents do, so directions are certificates, whoever proposes them. Of meshes, points of
  /// the surface are tried: their corners and points of their edges; balls against their triangles;
  /// of two meshes neither.
  [[nodiscard]] double overlap() const { return overlap_.value(); }
  /// m/s, largest tangential speed at a contact that touches at the accepted state, does not leave
  /// and carried force on the way there, whatever rows the solver held.
  [[nodiscard]] double slip() const { return slip_.value(); }
  /// How many pairs of shapes near each other, and contacts with force, these are of.
  [[nodiscard]] int pairs() const { return pairs_; }
  [[nodiscard]] int forces() const { return forces_; }

 private:
  struct Pair {
    int a, b;
  };
  void look_at_overlap();
  void look_at_slip(const State& state);
  [[nodiscard]] Pose place(int shape) const;
  [[nodiscard]] bool far(const Pair& pair) const;

  const Model* model_;
  std::vector<Pair> may_touch_;
  std::vector<double> radius_;  ///< m, of the shapes
  std::vector<BodyMotion> motion_;
  Worst overlap_, slip_;
  int pairs_ = 0, forces_ = 0;
};

/// Runs to the end and looks at every accepted state.
[[nodiscard]] Referee watch(Simulation& run, const Model& model);

/// m, by how much two shapes overlap at these poses, ≤ 0 if they are shown not to. Planes, height
/// fields and convex shapes; of meshes see Referee::overlap.
[[nodiscard]] double overlap_of(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                const Pose& X_WB);

}  // namespace pequod::test
