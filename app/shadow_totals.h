// What shadow.csv of a run comes to, for each model.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace pequod::app {

namespace plot {
struct LogTable;
}

/// Of the larger of two models' impulses, N·s: from where on they are said to differ. Solvers agree
/// to 1e-8 where there is one answer.
inline constexpr double kModelsDiffer = 0.01;

/// One model over a run.
struct ShadowTotals {
  std::string model;
  long problems = 0;
  long unsolved = 0;         ///< of these: it, or the run's own model, had no answer
  long differing = 0;        ///< of these: impulses differ by more than kModelsDiffer
  double impulse = 0.0;      ///< N·s, of all its impulses
  double difference = 0.0;   ///< N·s, from those of the run's model
  double loss = 0.0;         ///< J, energy that it would have taken, each time from the run's state
  double motion = 0.0;       ///< J, largest energy of the difference of velocities
  double worst_share = 0.0;  ///< largest difference as a share of the larger impulses
  double worst_t = 0.0;      ///< s, when that was
  std::string worst_a, worst_b;  ///< and between whom the most of it
};

/// Of each row: its difference as a share of the larger impulses, its own or those of the run's
/// model in the same problem; 0 where there are none.
[[nodiscard]] std::vector<double> shadow_shares(const plot::LogTable& shadow);

/// The run's own model comes first; none if the table is empty.
[[nodiscard]] std::vector<ShadowTotals> shadow_totals(const plot::LogTable& shadow);

/// A line a model, below one that says what the columns are.
[[nodiscard]] std::string shadow_text(std::span<const ShadowTotals> totals);
/// The same as a table of HTML.
[[nodiscard]] std::string shadow_html(std::span<const ShadowTotals> totals);

}  // namespace pequod::app
