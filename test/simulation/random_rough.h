// Scenes at random on ground that is flat but for next to nothing.
#pragma once

#include "test/simulation/random_scene.h"

namespace pequod::test {

/// The scene of this seed: a body that is thrown, slides or stands, or a scene of random_robots(),
/// on a height field of facets of 4 cm whose corners lie up to 1e-10 … 1e-3 m below z = 0: normals
/// and gaps of a dozen contacts differ by anything from rounding to what is seen. `no-slip`,
/// `coulomb`, `drumwright-shell` or `baraff`.
[[nodiscard]] RandomScene random_rough(std::uint64_t seed);

}  // namespace pequod::test
