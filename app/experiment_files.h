// The files of an experiment's results.
#pragma once

#include <filesystem>

#include "app/experiment_result.h"

namespace pequod::app {

/// Into `folder`, which exists: NAME.json, `object`; NAME-table-1.csv and so on, its tables;
/// NAME-checks.csv, one check a line: what, value, limit, at_least, published, holds.
void write_results(const std::filesystem::path& folder, const ExperimentResult& result,
                   const nlohmann::ordered_json& object);

}  // namespace pequod::app
