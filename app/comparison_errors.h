// How far off the runs of a comparison are: norm, observed orders, error bars, references.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/comparison.h"

namespace pequod::app {

/// Relative: steps of which grids know to the rounding of times whether they are one.
inline constexpr double kSameStep = 1e-6;

/// In one sentence, for tables and files.
inline constexpr std::string_view kStateNorm =
    "largest distance at any row of state.csv that both have, over bodies (m), joints (m or rad) "
    "and the angle between orientations (rad), a radian counted as a metre";

/// Rows of state.csv after the start, and steps of different lengths, without which nothing is told
/// of orders or advised.
inline constexpr int kFewestCompared = 3;

/// Share of how far a motion goes by which two runs may differ before they have parted, unless
/// their differences fall as they should.
inline constexpr double kParted = 0.1;

/// Distance of two motions: the largest, over the rows at one time, of the distances of the bodies'
/// origins (m), the joints' coordinates (m or rad) and the angles between orientations (rad; a
/// radian counts as a metre). Places, as velocities jump at events that two runs find at slightly
/// different times. Columns that only one of the two has are left out.
/// @return  NaN if they share no row or no coordinate
[[nodiscard]] double state_distance(const StateLog& a, const StateLog& b);

/// Factor of safety of an error estimate from two steps alone, which tell nothing of the order
/// (Oberkampf & Roy 2010, sec. 8.7).
inline constexpr double kDoubtful = 3.0;

/// Error by Richardson's extrapolation of a run with steps h or h r, r > 1, from the distance of
/// the two: distance / (rᵖ − 1) with the shorter steps, rᵖ times that with the longer.
/// @param coarse  of the run with the longer steps
[[nodiscard]] double richardson(double distance, double ratio, double p, bool coarse);

/// A closed form of what a run records, and what it is.
struct ClosedLog {
  std::string what;
  StateLog log;
};

/// Sets orders, error bars, references and errors of rows whose runs have finished.
///
/// Observed order of three effective steps h, h r, h r² of one pair, in the row of h:
///   p = log(|x(h r²) − x(h r)| / |x(h r) − x(h)|) / log r.
///
/// Error bar (the grid convergence index of Roache 1994, its factors as in Oberkampf & Roy 2010,
/// sec. 8.7): F |x(h r) − x(h)| / (rᵖ − 1), F = 1.25 and p the formal order where the observed one
/// is that to a tenth, else F = 3 and p the smaller of the two. With two steps alone F = 3 and
/// p = 1, as nothing tells that they are fine enough. Uneven steps have neither order nor bar.
///
/// No order from fewer rows of state.csv after the start than kFewestCompared: what falls and comes
/// to rest between two of them is exact there by chance.
///
/// No bar where p < 0.5, as the runs do not converge, nor where they have parted: where they differ
/// by more than kParted of how far the motion goes from its start and p is known and not the formal
/// order to a tenth.
///
/// What a model's runs are measured against is the closed form where there is one, else, of its
/// runs whose bar is at most ten times the smallest, that of the highest formal order with the
/// smallest step. A run alone has no error.
/// @param logs    one a row; of rows that have not finished they are not looked at
/// @param closed  one a row
void judge_errors(Comparison& comparison, std::span<const StateLog> logs,
                  std::span<const std::optional<ClosedLog>> closed);

/// Sorts rows by the error that their pair makes at equal cost: at the geometric mean of the
/// processor times, to which the row of the nearest time is moved by error ∝ time^−order. Rows of a
/// pair stay together, large steps first; pairs whose errors are unknown come last.
void sort_by_error(Comparison& comparison);

}  // namespace pequod::app
