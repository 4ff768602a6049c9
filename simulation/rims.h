// A disc that lies flat on a face touches it all along its rim. Four fixed points stand for that,
// and where the disc would tip about the chord between two of them, the point that sinks most is
// one more: a row for it is added, and what was solved is solved again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/dynamics.h"
#include "simulation/touching.h"

namespace pequod {

/// Whether the contact is one of a named point of a rim of shape a, or b.
[[nodiscard]] bool is_rim_point(const ContactKey& key, bool of_b);

/// Whether the contact moves along the rim of a disc.
[[nodiscard]] bool runs_along_rim(const ContactKey& key);

/// Whether caps of cylinders or bases of cones, or their rims, are among the contacts.
[[nodiscard]] bool has_discs(const Model& model, const Touching& touching);

/// What counts as sinking.
struct SinkBounds {
  double slow;  ///< m/s or m/s²: what sinks no faster does not
  /// m, gap up to which a point touches; none: touching_gap() of its shapes
  std::optional<double> range = std::nullopt;
  double span = 0.0;  ///< s: nor does what touches still after as long, if this is not 0
};

/// Adds to `rims` the point of each disc that lies flat and that sinks fastest, if it touches the
/// other body and the contacts have none there.
/// @param kin   poses, and velocities of the motion in question
/// @param rims  for find_contacts(); at most one key a point of a shape
/// @return whether any was added
bool add_sinking_rims(const World& world, const Kinematics& kin, const SinkBounds& bounds,
                      const Touching& touching, std::vector<ContactKey>& rims);

/// The same of discs at rest that these accelerations would tip.
bool add_tipping_rims(const World& world, const Kinematics& kin, const VectorXd& vdot,
                      const Touching& touching, std::vector<ContactKey>& rims);

/// The same of discs at rest at `before`, by what their velocities have changed at `after`.
/// @param slow  m/s, no change
bool add_tipped_rims(const World& world, const Kinematics& before, const Kinematics& after,
                     double slow, const Touching& touching, std::vector<ContactKey>& rims);

/// Drops the points that carry nothing: a disc that slides would gather dozens of them.
void drop_idle_rims(std::span<const ContactMode> modes, std::vector<ContactKey>& rims);

/// Whether one of the held contacts is a point of the rim that this contact moves along, of a disc
/// that lies flat or has just left, and no higher: it tells where the disc turns, the moving point
/// does not yet.
[[nodiscard]] bool stands_on_rim_point(const ContactPoint& moving, const std::vector<Pose>& X_WS,
                                       const Touching& held, const SceneTolerances& tolerance);

}  // namespace pequod
