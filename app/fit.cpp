#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/csv_table.h"
#include "app/exit_code.h"
#include "app/fit_run.h"
#include "app/json_number.h"
#include "app/output.h"
#include "contact/fit/lcp_fit.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

// Columns of a CSV file: those called lambda… are the unknowns of the LCP, the others its inputs.
struct FitData {
  FitSamples samples;
  std::vector<std::string> unknowns, inputs;
};

std::optional<FitData> read_samples(const FitRequest& request, Diagnostics& diagnostics) {
  const std::optional<CsvTable> table = read_csv(request.data, diagnostics);
  if (!table) return std::nullopt;
  FitData data;
  const Index rows = static_cast<Index>(table->cells.size());
  data.samples.lambda.resize(rows, 0);
  data.samples.inputs.resize(rows, 0);
  for (int c = 0; c < static_cast<int>(table->names.size()); ++c) {
    const std::string& name = table->names[static_cast<std::size_t>(c)];
    const bool unknown = name.starts_with("lambda");
    MatrixXd& into = unknown ? data.samples.lambda : data.samples.inputs;
    (unknown ? data.unknowns : data.inputs).push_back(name);
    into.conservativeResize(Eigen::NoChange, into.cols() + 1);
    into.rightCols(1) = numbers_of(*table, c, diagnostics);
    if (unknown && into.rightCols(1).minCoeff() < 0.0)
      diagnostics.error({table->file, 1, 0}, fmt::format("column {} has negative values", name));
  }
  if (data.unknowns.empty())
    diagnostics.error({table->file, 1, 1}, "no column is called lambda...",
                      "call the columns of the LCP's unknowns lambda1, lambda2, ...");
  if (!diagnostics.ok()) return std::nullopt;
  return data;
}

Json list_of(const VectorXd& x) {
  Json list = Json::array();
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
    print_out(fmt::format("  {:<12} {:>14.9g}  in [{:.9g}, {:.9g}]\n",
                          names[static_cast<std::size_t>(j)], all[j], row.low[j], row.high[j]));
}

int fit_rows(const FitRequest& request) {
  Diagnostics diagnostics;
  const std::optional<FitData> data = read_samples(request, diagnostics);
  if (!data) {
    print_error(diagnostics.text());
    return kBadInput;
  }
  FitOptions options{request.margin, request.l1, std::vector<char>(data->unknowns.size(), 0)};
  for (const int row : request.bias) {
    if (row < 1 || row > static_cast<int>(options.bias.size())) {
      print_error(fmt::format("pequod: --bias: there is no row {}; rows are 1 to {}\n", row,
                              options.bias.size()));
      return kBadInput;
    }
    options.bias[static_cast<std::size_t>(row) - 1] = 1;
  }
  const LcpFit fit = fit_lcp(data->samples, options);
  Json rows = Json::array();
  bool solved = true;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    const FitRow& row = fit.rows[i];
    solved = solved && row.solved;
    if (!request.json) print_row(*data, i, row);
    rows.push_back({{"row", data->unknowns[i]}, {"solved", row.solved}, {"reason", row.reason}});
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
    print_out(Json{{"unknowns", data->unknowns},
                   {"inputs", data->inputs},
                   {"samples", data->samples.lambda.rows()},
                   {"margin", request.margin},
                   {"rows", rows}}
                  .dump(2) +
              "\n");
  return solved ? kDone : kFailed;
}

}  // namespace

int fit(const FitRequest& request) {
  return std::filesystem::is_directory(request.data) ? fit_run(request) : fit_rows(request);
}

}  // namespace pequod::app
