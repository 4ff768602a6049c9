#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/csv_table.h"
#include "app/exit_code.h"
#include "app/fit_run.h"
#include "app/fit_without_forces.h"
#include "app/json_number.h"
#include "app/output.h"
#include "contact/fit/lcp_fit.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using OrderedJson = nlohmann::ordered_json;

// Columns of a CSV file: those called lambda… are the unknowns of the LCP; where there are none,
// those called next… are what follows; the others are inputs.
struct FitData {
  FitSamples samples;
  MatrixXd following;
  std::vector<std::string> unknowns, inputs, outputs;
};

void add_column(const VectorXd& column, const std::string& name, MatrixXd& into,
                std::vector<std::string>& names) {
  into.conservativeResize(column.size(), into.cols() + 1);
  into.rightCols(1) = column;
  names.push_back(name);
}

std::optional<FitData> read_samples(const FitRequest& request, Diagnostics& diagnostics) {
  const std::optional<CsvTable> table = read_csv(request.data, diagnostics);
  if (!table) return std::nullopt;
  const auto starts = [](const char* word) {
    return [word](const std::string& name) { return name.starts_with(word); };
  };
  const bool forces_known = std::ranges::any_of(table->names, starts("lambda"));
  FitData data;
  data.samples.inputs.resize(static_cast<Index>(table->cells.size()), 0);
  for (int c = 0; c < static_cast<int>(table->names.size()); ++c) {
    const std::string& name = nth(table->names, c);
    const VectorXd column = numbers_of(*table, c, diagnostics);
    if (name.starts_with("lambda")) {
      add_column(column, name, data.samples.lambda, data.unknowns);
      Index least = 0;
      if (column.minCoeff(&least) < 0.0)
        diagnostics.error(
            table->place(static_cast<std::size_t>(least), static_cast<std::size_t>(c)),
            fmt::format("column {}: {:g} is negative", name, column[least]),
            "the unknowns of an LCP are at least 0");
    } else if (!forces_known && name.starts_with("next")) {
      add_column(column, name, data.following, data.outputs);
    } else {
      add_column(column, name, data.samples.inputs, data.inputs);
    }
  }
  if (data.unknowns.empty() && data.outputs.empty())
    diagnostics.error({table->file, 1, 1}, "no column is called lambda..., and none next...",
                      "call the columns of the LCP's unknowns lambda1, lambda2, ...; or, if they "
                      "are not known, those of what the inputs lead to next_...");
  if (!diagnostics.ok()) return std::nullopt;
  return data;
}

OrderedJson list_of(const VectorXd& x) {
  OrderedJson list = OrderedJson::array();
  for (const double entry : x) list.push_back(json_number(entry));
  return list;
}

void print_row(const FitData& data, std::size_t i, const FitRow& row) {
  if (!row.solved) {
    print_out(fmt::format("{}: not fitted: {}\n", data.unknowns[i], row.reason));
    return;
  }
  std::vector<std::string> names = data.unknowns;
  names.insert(names.end(), data.inputs.begin(), data.inputs.end());
  names.emplace_back("1");
  const VectorXd all = entries(row);
  print_out(fmt::format("{}: cost {:.3g}, {}\n", data.unknowns[i], row.cost,
                        row.undetermined == 0
                            ? "determined up to its scale"
                            : fmt::format("{} entries are not determined", row.undetermined)));
  for (Index j = 0; j < all.size(); ++j)
    print_out(fmt::format("  {:<12} {:>14.9g}  in [{:.9g}, {:.9g}]\n", nth(names, j), all[j],
                          row.low[j], row.high[j]));
}

int fit_rows(const FitRequest& request, const FitData& data) {
  FitOptions options{request.margin, request.l1, std::vector<char>(data.unknowns.size(), 0)};
  for (const int row : request.bias) {
    if (row < 1 || row > static_cast<int>(options.bias.size())) {
      print_error(fmt::format("pequod: --bias: there is no row {}; rows are 1 to {}\n", row,
                              options.bias.size()));
      return kBadInput;
    }
    options.bias[static_cast<std::size_t>(row) - 1] = 1;
  }
  const LcpFit fit = fit_lcp(data.samples, options);
  OrderedJson rows = OrderedJson::array();
  bool solved = true;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    const FitRow& row = fit.rows[i];
    solved = solved && row.solved;
    if (!request.json) print_row(data, i, row);
    rows.push_back({{"row", data.unknowns[i]}, {"solved", row.solved}, {"reason", row.reason}});
    if (row.solved)
      rows.back().update({{"M", list_of(row.M)},
                          {"W", list_of(row.W)},
                          {"bias", row.bias},
                          {"cost", row.cost},
                          {"low", list_of(row.low)},
                          {"high", list_of(row.high)},
                          {"undetermined", row.undetermined}});
  }
  if (request.json)
    print_out(OrderedJson{{"unknowns", data.unknowns},
                          {"inputs", data.inputs},
                          {"samples", data.samples.lambda.rows()},
                          {"margin", request.margin},
                          {"rows", rows}}
                  .dump(2) +
              "\n");
  return solved ? kDone : kFailed;
}

}  // namespace

int fit(const FitRequest& request) {
  if (std::filesystem::is_directory(request.data)) return fit_run(request);
  Diagnostics diagnostics;
  const std::optional<FitData> data = read_samples(request, diagnostics);
  if (!data) {
    print_error(diagnostics.text());
    return kBadInput;
  }
  if (!data->unknowns.empty()) return fit_rows(request, *data);
  return fit_without_forces({data->samples.inputs, data->following}, data->inputs, data->outputs,
                            request);
}

}  // namespace pequod::app
