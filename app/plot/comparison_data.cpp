#include "app/plot/comparison_data.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app::plot {
namespace {

double number_or_nan(const nlohmann::json& row, const char* key) {
  const nlohmann::json& value = row.at(key);
  return value.is_number() ? value.get<double>() : NAN;
}

ComparisonRow row_of(const nlohmann::json& json) {
  ComparisonRow row;
  row.integrator = json.at("integrator");
  row.model = json.at("model");
  row.step = json.at("step");
  row.status = json.at("status");
  row.error = number_or_nan(json, "error_m");
  row.difference = number_or_nan(json, "difference_m");
  row.reference = json.at("reference");
  row.processor_time = number_or_nan(json, "processor_time_s");
  return row;
}

}  // namespace

Comparison read_comparison(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kComparisonFile;
  std::error_code code;
  if (!std::filesystem::exists(file, code))
    throw RunFolderRefused(
        fmt::format("{}: is no folder of a comparison: it has no {}; pequod compare writes one",
                    folder.string(), kComparisonFile));
  Comparison comparison;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_file(file));
    comparison.scene = json.at("scene");
    for (const nlohmann::json& row : json.at("rows")) comparison.rows.push_back(row_of(row));
  } catch (const nlohmann::json::exception& error) {
    throw RunFolderRefused(fmt::format("{}: {}; the file is damaged, run pequod compare again",
                                       file.string(), error.what()));
  }
  return comparison;
}

}  // namespace pequod::app::plot
