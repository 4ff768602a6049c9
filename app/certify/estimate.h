// Error estimates of a run's outputs from runs beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/certify/track.h"
#include "app/experiments/closed_form.h"

namespace pequod::app::certify {

/// m, rad, J …: no estimate is below, as what is smaller is rounding of some thousand steps.
inline constexpr double kLeastEstimate = 1e-12;
/// Of the largest number of an output: the same where that is large.
inline constexpr double kRoundingShare = 5e-15;
/// Share of what an output moves by: two runs that differ by more tell of different motions.
inline constexpr double kParted = 0.1;
/// m, m/s, J …: what differs by less has not parted, however little it moves: gaps are closed to
/// this.
inline constexpr double kSmallestParting = 1e-9;

/// One output of a run and what is known of its error.
struct OutputEstimate {
  std::string name, unit;
  std::vector<double> value;  ///< at the end: a number, a vector or a quaternion (w x y z)
  double from_step = kNaN;    ///< how far the run at half the step ends from it
  double from_solver = kNaN;  ///< the same of that at a tighter tolerance; NaN: there is none
  double estimate = kNaN;     ///< of the error at the end
  /// How far the run with another choice of friction ends from it, and since when, s, the two are
  /// apart by more than the estimate; NaN: there is none, or they are not.
  double from_choice = kNaN, choice_differs = kNaN;
  double parted = kNaN;        ///< s, since when a run beside it tells of another motion; NaN: none
  double error = kNaN;         ///< at the end, from the closed form; NaN: none is known
  std::vector<double> bars;    ///< of each row; empty of what is a figure of the whole run
  std::vector<double> errors;  ///< of each row, where the closed form is known

  /// estimate / error; NaN where none is known, or it is 0.
  [[nodiscard]] double effectivity() const { return error > 0.0 ? estimate / error : kNaN; }
};

/// The run and those beside it.
struct TrackSet {
  const Track* run = nullptr;
  const Track* half = nullptr;
  const Track* tight = nullptr;  ///< nullptr: none
  const Track* other = nullptr;  ///< with another choice of friction; nullptr: none
  double ratio = 2.0;            ///< of the steps of `run` and `half`
};

/// For each output at each row
///   3 d r/(r − 1) + 1.25 d_tight + 1e-12 + 5e-15 size,
/// d the distance of the run at half the step, r the ratio of the steps: Richardson's extrapolation
/// at order one with the factor of safety of two steps, which tell nothing of the order. An error
/// that is of order p is overestimated by 6 (1 − 2⁻ᵖ), 3 to 6 for p = 1 and more. Errors come from
/// the closed form of the places, and of the energy residual, which is 0. Another choice of
/// friction is no error: it is told beside the estimate and not in it.
[[nodiscard]] std::vector<OutputEstimate> estimate_outputs(const TrackSet& tracks,
                                                           const std::optional<ClosedForm>& form);

/// Share of rows with an error above `least` whose bar holds it, and how many there are.
struct Containment {
  long rows = 0, held = 0;
  long fair = 0;  ///< of these rows, whose bar is 1 to 10 times the error
};
[[nodiscard]] Containment count_contained(const OutputEstimate& output, double least);

}  // namespace pequod::app::certify
