// How solvers compare over many problems, in one picture.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/solve_report.h"

namespace pequod::app {

/// The performance profile of one solver (Dolan & Moré 2002, sec. 2).
struct Profile {
  std::string solver;
  /// Of each problem it solved its time over that of the fastest solver, rising, ≥ 1. A proof that
  /// there is no solution counts as solved.
  std::vector<double> ratios;
  int problems = 0;  ///< all that were posed to any solver
};

/// One for each solver that was asked for, in the order of their first answers. Times below a
/// microsecond count as one: a clock tells them no better.
[[nodiscard]] std::vector<Profile> performance_profiles(std::span<const Solved> all);

/// ρ(τ): the share of the problems that the solver solved within τ times the fastest time.
[[nodiscard]] double share(const Profile& profile, double tau);

/// The profiles as steps over a logarithmic τ: one SVG document.
[[nodiscard]] std::string profile_svg(std::span<const Profile> profiles);

}  // namespace pequod::app
