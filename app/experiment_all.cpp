#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <vector>

#include "app/command_requests.h"
#include "app/exit_code.h"
#include "app/experiment_files.h"
#include "app/experiment_report.h"
#include "app/experiment_result.h"
#include "app/experiment_run.h"
#include "app/machine.h"
#include "app/output.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

// A page may begin with words of its own, up to and with this line.
constexpr std::string_view kMarker =
    "<!-- From here on written by `pequod experiment all --report`. -->\n";

// The object of an earlier call on this machine, if it is of this size or, for a quick call, full.
std::optional<OrderedJson> finished(const fs::path& file, bool quick) {
  if (!fs::exists(file)) return {};
  OrderedJson result = OrderedJson::parse(read_file(file), nullptr, false);
  if (result.is_discarded() || (result.value("quick", true) && !quick) ||
      result.value("machine", OrderedJson()) != machine())
    return {};
  return result;
}

// Into files of `folder`. @return its object
OrderedJson run_one(const ExperimentRequest& request, const Experiment& one,
                    const fs::path& folder) {
  ExperimentResult result;
  try {
    result = run_experiment(request, one);
  } catch (const std::exception& error) {
    // The others are still worth running.
    print_error(fmt::format("{}: {}\n", one.name, error.what()));
    result.name = one.name;
    result.quick = request.quick;
    result.findings.push_back(
        {result.name, fmt::format("ended: {}", error.what()), 1.0, 0.0, false, {}});
  }
  OrderedJson object = as_json(result);
  object["date"] = fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)));
  write_results(folder, result, object);
  return object;
}

void write_report(const fs::path& file, std::span<const OrderedJson> results) {
  std::string page = fs::exists(file) ? read_file(file) : std::string("# Experiments\n\n");
  const std::size_t marker = page.find(kMarker);
  page = marker == std::string::npos ? page + std::string(kMarker)
                                     : page.substr(0, marker + kMarker.size());
  replace_file(file, page + "\n" + experiments_report(results), false);
}

std::size_t missed(const OrderedJson& result) {
  return result["checks"].size() - count_held(result);
}

}  // namespace

int run_all_experiments(const ExperimentRequest& request) {
  const fs::path folder = request.output.empty() ? fs::path("runs/experiments") : request.output;
  fs::create_directories(folder);
  ExperimentRequest quiet = request;
  quiet.json = true;
  std::vector<OrderedJson> results;
  std::size_t all_missed = 0;
  for (const Experiment* one : experiments()) {
    const fs::path file = folder / (std::string(one->name) + ".json");
    std::optional<OrderedJson> result = finished(file, request.quick);
    const bool old = result.has_value();
    if (!old) {
      quiet.plot = charts_in(folder, one->name);
      result = run_one(quiet, *one, folder);
    }
    all_missed += missed(*result);
    if (!request.json)
      print_out(fmt::format("{:<18} {:>3} figures, {} missed, {:.3g} s{}\n", one->name,
                            (*result)["checks"].size(), missed(*result),
                            (*result)["seconds"].get<double>(), old ? ", from before" : ""));
    results.push_back(std::move(*result));
  }
  if (request.json) print_out(OrderedJson(results).dump(2) + "\n");
  if (!request.report.empty()) write_report(request.report, results);
  return all_missed == 0 ? kDone : kFailed;
}

}  // namespace pequod::app
