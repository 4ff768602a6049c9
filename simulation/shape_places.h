// Where the shapes of a model are, and how fast, remembered until the bodies move.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "core/dynamics.h"
#include "core/parallel.h"

namespace pequod {

/// A memo of functions of the links' places and velocities, shape by shape: what nobody asks for is
/// not found. Who owns it says when the links have moved.
class ShapePlaces {
 public:
  explicit ShapePlaces(const Model& model);
  friend void swap(ShapePlaces& a, ShapePlaces& b) noexcept {
    std::swap(a.radius_, b.radius_);
    std::swap(a.X_WS_, b.X_WS_);
    std::swap(a.placed_, b.placed_);
    std::swap(a.speeds_, b.speeds_);
    std::swap(a.timed_, b.timed_);
  }

  /// Nothing found before holds.
  void forget() {
    std::ranges::fill(placed_, 0);
    forget_speeds();
    poison(X_WS_, speeds_);
  }
  /// The same of what depends on velocities.
  void forget_speeds() { std::ranges::fill(timed_, 0); }

  /// Poses X_WS of these shapes, by index; of others nothing is told.
  /// @param wanted  none twice
  /// @param team    whose threads share them
  [[nodiscard]] const std::vector<Pose>& poses(const Model& model, const Kinematics& kin,
                                               std::span<const int> wanted,
                                               const Team* team = nullptr);
  /// m/s, no point of a shape is faster: |v| of its frame's origin and |ω| times its radius, zero
  /// of those that stand; of others nothing is told.
  [[nodiscard]] const std::vector<double>& speeds(const Model& model, const Kinematics& kin,
                                                  std::span<const int> wanted,
                                                  const Team* team = nullptr);

 private:
  std::vector<double> radius_;  // m, about the shape frame's origin
  std::vector<Pose> X_WS_;
  std::vector<char> placed_;  // of each: its pose holds
  std::vector<double> speeds_;
  std::vector<char> timed_;  // of each: its speed holds
};

/// Radii of balls about the frames' origins that hold the shapes, m; infinite of a plane.
[[nodiscard]] std::vector<double> bounding_radii(const Model& model);

}  // namespace pequod
