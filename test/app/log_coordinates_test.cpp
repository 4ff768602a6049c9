// Distances between rows of two logs: of points Euclid's, of orientations the angle between.
#include "app/log_coordinates.h"

#include <doctest/doctest.h>

#include <cmath>

namespace pequod::app {

TEST_CASE("points are as far apart as Euclid says, orientations by the angle between them") {
  LogCoordinate point{"ball.position", "m", 3, {1, 2, 3, 0}, {1, 2, 3, 0}};
  const std::vector<double> at{0.0, 1.0, 2.0, 3.0}, there{0.0, 1.2, 2.3, 3.6};
  CHECK(coordinate_distance(point, at, there) == doctest::Approx(0.7).epsilon(1e-14));

  // A turn by 1 rad about z beside none, and beside none with the other sign, which is the same.
  LogCoordinate turn{"ball.orientation", "rad", 4, {0, 1, 2, 3}, {0, 1, 2, 3}};
  const std::vector<double> turned{std::cos(0.5), 0.0, 0.0, std::sin(0.5)};
  for (const double sign : {1.0, -1.0})
    CHECK(coordinate_distance(turn, turned, {sign, 0.0, 0.0, 0.0}) ==
          doctest::Approx(1.0).epsilon(1e-14));
}

}  // namespace pequod::app
