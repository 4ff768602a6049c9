// A run folder as columns of numbers, for pictures of it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pequod::app::plot {

/// A log by columns. Cells of the columns `kind`, `model`, `a` and `b` are words: numbers into
/// `words`.
struct LogTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< as many as names, each of `rows`
  std::vector<std::string> words;
  std::size_t rows = 0;

  /// nullptr if there is no such column.
  [[nodiscard]] const std::vector<double>* find(const std::string& name) const;
  /// @throws std::out_of_range  if there is no such column
  [[nodiscard]] const std::vector<double>& at(const std::string& name) const;
  [[nodiscard]] const std::string& word(const std::string& column, std::size_t row) const;
};

struct RunData {
  std::filesystem::path path;
  std::string name;                     ///< of the scene
  nlohmann::json summary;               ///< summary.json
  std::optional<nlohmann::json> model;  ///< model.json; runs of before it was written have none
  LogTable state, energy, contacts, events;
  std::optional<LogTable> steps, shadow;
  std::optional<LogTable> bars;               ///< certificate.csv, as long as the logs
  std::optional<nlohmann::json> certificate;  ///< certificate.json
  std::set<std::string> moving;               ///< bodies and robots that have columns in state.csv

  /// Whether a body or link, as contacts and events name it, is of something that moves.
  [[nodiscard]] bool moves(const std::string& body) const;
};

/// One log of a run folder. @param needed  columns that it must have
/// @throws RunFolderRefused  as read_run()
[[nodiscard]] LogTable read_log(const std::filesystem::path& file,
                                std::initializer_list<const char*> needed);

/// shadow.csv of a run, alike.
[[nodiscard]] LogTable read_shadows(const std::filesystem::path& file);

/// Reads what a run has written, also while it goes on: a last line without an end is left out.
/// @throws RunFolderRefused  with the file and line if it is no run folder, or damaged
[[nodiscard]] RunData read_run(const std::filesystem::path& folder);

}  // namespace pequod::app::plot
