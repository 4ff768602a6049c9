// What is worth seeing of a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/run_data.h"

namespace pequod::app::plot {

struct FigureKind {
  const char* name;   ///< the word of --what
  const char* about;  ///< one line
  Figure (*make)(const RunData& run);
};

/// Of runs with shadows (shadow_figure.h).
extern const FigureKind kModelsFigure;

/// All there are: energy, gait, bodies, joints, forces, gaps, solver, events, models.
[[nodiscard]] std::span<const FigureKind> figure_kinds();

/// The figure of this name; empty where the run has nothing of it.
[[nodiscard]] Figure make_figure(const FigureKind& kind, const RunData& run);

}  // namespace pequod::app::plot
