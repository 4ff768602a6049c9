// What `pequod run --certify` finds, and the files and words that tell it.
#pragma once

#include <string>
#include <vector>

#include "app/certify/estimate.h"
#include "app/certify/solves.h"
#include "app/certify/step_check.h"

namespace pequod::app::certify {

/// Relative: up to this each figure of a step passes. What mechanics asks (newton, bias) holds to
/// rounding; the law to what solvers accept of problems of up to 500 contacts, ten times over, as
/// units and scales differ; the turn to what differences of velocities over 1 µs round off.
inline constexpr double kMechanicsPasses = 1e-8, kLawPasses = 1e-7, kTurnPasses = 1e-6;

/// "newton", "bias", "turn", "law", "gap": those that do not pass, empty if all do.
[[nodiscard]] std::vector<std::string> failures(const StepCheck& check);

/// Steps of a run as a certificate sums them up.
struct StepSummary {
  long steps = 0, with_contact = 0, failed = 0;
  double newton = kNaN, bias = kNaN, turn = kNaN, law = kNaN, gap = kNaN;  ///< worst of each
  double first_failure = kNaN;                                             ///< s
  std::string first_failed;                                                ///< what failed there
};
[[nodiscard]] StepSummary sum_up(const std::vector<StepCheck>& steps);

struct Certificate {
  double step = kNaN;           ///< s, longest of the run's grid
  double half_step = kNaN;      ///< s
  double ratio = kNaN;          ///< of the means of both
  double tolerance = kNaN;      ///< of the run at a tighter one; NaN: none was made
  bool other_friction = false;  ///< whether a run with another choice of friction was made
  bool repeated = false;        ///< whether the replay wrote state.csv again byte for byte
  std::string failure;          ///< of the replay: why it ended early; empty if it did not
  std::string closed_form;      ///< what it is; empty: none is known
  std::vector<std::string> notes;
  std::vector<OutputEstimate> outputs;
  std::vector<double> times;  ///< s, of the rows
  std::vector<StepCheck> steps;
  SolveCounts solves;
};

/// certificate.json, one document with a newline at its end.
[[nodiscard]] std::string certificate_json(const Certificate& certificate);
/// certificate.csv: t, then the bar of each output at each row of state.csv.
[[nodiscard]] std::string bars_csv(const Certificate& certificate);
/// certificate_steps.csv: a row a step.
[[nodiscard]] std::string steps_csv(const Certificate& certificate);
/// A few lines for the short summary.
[[nodiscard]] std::string certificate_text(const Certificate& certificate);

}  // namespace pequod::app::certify
