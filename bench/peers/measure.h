// What a run is judged by: computed from poses alone, so that it means the same for every engine.
#pragma once

#include <vector>

#include "bench/peers/scene.h"

namespace peers {

/// How deep shapes are in each other or in a plane, the worst pair; 0 if nothing overlaps.
/// @return  m
[[nodiscard]] double worst_depth(const Scene& scene, const std::vector<Pose>& poses);

/// Energy in the middle of a step: velocities are differences of its two poses, heights their mean.
/// In free fall it is constant, both along the parabola and for symplectic Euler.
/// @return  J
[[nodiscard]] double energy(const Scene& scene, const std::vector<Pose>& before,
                            const std::vector<Pose>& after);

/// The longest way from one set of poses to another: of the centres of mass, of a robot those of
/// the feet along the ground.
/// @return  m
[[nodiscard]] double creep(const Scene& scene, const std::vector<Pose>& from,
                           const std::vector<Pose>& to);

/// Whether all numbers are finite and nothing is more than 1 km away.
[[nodiscard]] bool sane(const std::vector<Pose>& poses);

}  // namespace peers
