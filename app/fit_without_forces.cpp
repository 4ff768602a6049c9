#include "app/fit_without_forces.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "app/json_number.h"
#include "app/output.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using OrderedJson = nlohmann::ordered_json;

OrderedJson as_json(const MatrixXd& A) {
  OrderedJson rows = OrderedJson::array();
  for (Index i = 0; i < A.rows(); ++i) {
    rows.push_back(OrderedJson::array());
    for (Index j = 0; j < A.cols(); ++j) rows.back().push_back(json_number(A(i, j)));
  }
  return rows;
}

OrderedJson as_json(const TransitionLaw& law) {
  return {
      {"A", as_json(law.A)}, {"B", as_json(law.B)}, {"M", as_json(law.M)}, {"H", as_json(law.H)}};
}

// Entries of a row with their names and three standard errors.
std::string terms(const MatrixXd& A, const MatrixXd& error, Index row,
                  const std::vector<std::string>& names) {
  std::string text;
  for (Index j = 0; j < A.cols(); ++j)
    text += fmt::format("  {:<12} {:>14.9g}  {}\n", nth(names, j), A(row, j),
                        std::isinf(error(row, j)) ? "not determined"
                                                  : fmt::format("± {:.2g}", 3.0 * error(row, j)));
  return text;
}

std::string as_text(const TransitionFit& fit, std::vector<std::string> inputs,
                    const std::vector<std::string>& outputs) {
  inputs.emplace_back("1");
  std::vector<std::string> forces;
  for (Index j = 0; j < fit.law.M.rows(); ++j) forces.push_back(fmt::format("lambda{}", j + 1));
  std::string text = fmt::format(
      "error {:.3g}, {:.3g} of the spread; {} of {} starts ended there; {} entries not "
      "determined\n",
      fit.rms, fit.relative, fit.best, fit.starts, fit.undetermined);
  for (Index i = 0; i < fit.law.A.rows(); ++i)
    text += fmt::format("{} =\n", nth(outputs, i)) + terms(fit.law.A, fit.error.A, i, inputs) +
            terms(fit.law.B, fit.error.B, i, forces);
  for (Index j = 0; j < fit.law.M.rows(); ++j)
    text += fmt::format("0 ≤ lambda{} ⊥ 0 ≤\n", j + 1) + terms(fit.law.M, fit.error.M, j, forces) +
            terms(fit.law.H, fit.error.H, j, inputs);
  return text;
}

}  // namespace

int fit_without_forces(const TransitionSamples& samples, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, const FitRequest& request) {
  TransitionOptions options;
  options.forces = request.forces;
  const TransitionFit fit = fit_transitions(samples, options);
  if (!std::isfinite(fit.rms)) {
    print_error("pequod: no start ended in a law whose LCP has a solution at all samples\n");
    return kFailed;
  }
  if (!request.json) {
    print_out(as_text(fit, inputs, outputs));
    return kDone;
  }
  OrderedJson json{
      {"inputs", inputs},         {"outputs", outputs}, {"samples", samples.inputs.rows()},
      {"forces", request.forces}, {"rms", fit.rms},     {"relative", fit.relative},
      {"starts", fit.starts},     {"best", fit.best},   {"undetermined", fit.undetermined}};
  json.update(as_json(fit.law));
  json["standard_errors"] = as_json(fit.error);
  print_out(json.dump(2) + "\n");
  return kDone;
}

}  // namespace pequod::app
