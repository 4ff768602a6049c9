// shadow.csv of a run: what other contact models make of its contact problems.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "simulation/record/csv.h"
#include "simulation/record/report.h"
#include "simulation/shadow/shadow.h"

namespace pequod::app {

/// Writes a row a problem and model. The scenario must outlive this.
class ShadowLog {
 public:
  /// Starts the file in a run folder.
  /// @throws FileError
  ShadowLog(const Scenario& scenario, std::span<const std::string> models,
            const std::filesystem::path& folder);

  /// Lets the observer write to it too. This must outlive it.
  void watch(Observer& observer);
  /// @throws FileError
  void close() { file_.close(); }

 private:
  void write(const std::vector<ShadowRow>& rows);

  const Model& model_;
  Shadows shadows_;
  LineFile file_;
  std::string lines_;
};

}  // namespace pequod::app
