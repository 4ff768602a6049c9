// Experiments: problems whose answers are known, and how far from them we are.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "simulation/simulation.h"

namespace pequod::app {

inline constexpr double kGravity = 9.81;  ///< m/s², of scenes that do not name another

/// One figure beside what is asked of it.
struct Finding {
  std::string scene;      ///< the scene file's name
  std::string quantity;   ///< what is compared, with its unit
  double measured = 0.0;  ///< an error, or an order
  double asked = 0.0;
  bool at_least = false;  ///< asked is a lower bound
  std::string peer;  ///< what was published: by the paper, or of another simulator; may be empty

  [[nodiscard]] bool holds() const { return at_least ? measured >= asked : measured <= asked; }
};

/// Figures that were measured and are asked nothing: rows of text and numbers below their columns.
using Cell = std::variant<std::string, double>;
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// What the scenes of an experiment share.
struct Stage {
  std::filesystem::path scenes;  ///< folder of the scene files
  bool quick = false;            ///< fewer cases
  std::function<void(const Finding&)> report;
  std::function<void(const Table&)> show;
  std::function<void(std::string_view)> print;  ///< words beside the table; not with --json
  std::function<void(std::string_view)> draw;   ///< takes an SVG; nothing without --plot

  /// Reports a figure that shall be at most, or at least, what is asked.
  void at_most(const std::string& scene, const std::string& quantity, double measured, double asked,
               const std::string& peer = {}) const {
    report({scene, quantity, measured, asked, false, peer});
  }
  void at_least(const std::string& scene, const std::string& quantity, double measured,
                double asked, const std::string& peer = {}) const {
    report({scene, quantity, measured, asked, true, peer});
  }

  /// Reads NAME.yaml.
  /// @throws BadScene  with everything that is wrong with it
  [[nodiscard]] Scenario load(const std::string& name) const;
};

struct BadScene : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run to its end, and what happened on the way.
struct Trace {
  State state;
  std::vector<EventRow> events;
  RunStatistics statistics;
};
[[nodiscard]] Trace simulate(const Scenario& scenario);

/// Errors of the last state with steps h, h/2, …, against a run whose steps are 16 times finer than
/// the finest of them.
[[nodiscard]] std::vector<double> halving_errors(Scenario scenario, int halvings);

/// Order at which errors fall when the step is halved from one to the next: log2 of the first over
/// the last, by the halvings between.
[[nodiscard]] double observed_order(std::span<const double> errors);

using Play = void (*)(const Stage&);

/// A source of this folder ends in the row of its experiment, `extern const Experiment
/// kName{...};`: that puts it into the table.
struct Experiment {
  std::string_view name, description;
  std::vector<Play> parts;
  std::string_view scenes = {};  ///< folder of its files, if it has any
};

/// All of them, in the order of their files (cmake/experiments.cmake).
[[nodiscard]] std::span<const Experiment* const> experiments();

}  // namespace pequod::app
