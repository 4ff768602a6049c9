#include "app/log_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/csv_table.h"
#include "simulation/loop/instant.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"
#include "simulation/record/run_folder_rows.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLookedAt = 16 << 20;  // bytes, read in some hundredths of a second

// A log that was changed since: which one, and where.
[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw RunFolderRefused(fmt::format(
      "{}: {}: the log was changed since the run wrote it; put it back as it was, or run without "
      "--resume to start afresh",
      where, what));
}

bool is_name(const std::string& column) {
  return column == "a" || column == "b" || column == "kind";
}

// What rows of one log must be like.
struct RowRule {
  std::vector<std::string> columns;
  double first = NAN, last = NAN, rounding = NAN;  // s, times of the run

  // What is wrong with a row, empty if nothing is.
  [[nodiscard]] std::string fault(std::string_view row) const {
    const auto cells = static_cast<std::size_t>(std::ranges::count(row, ',')) + 1;
    if (cells != columns.size())
      return fmt::format("{} cells in place of {}", cells, columns.size());
    for (const std::string& column : columns) {
      const std::string_view cell = row.substr(0, row.find(','));
      row.remove_prefix(std::min(row.size(), cell.size() + 1));
      if (is_name(column)) continue;
      double x = NAN;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
      if (error != std::errc() || end != cell.data() + cell.size())
        return fmt::format("column {} is no number", column);
      if (&column == &columns.front() && !(x >= first - rounding && x <= last + rounding))
        return fmt::format("t = {:g} s is not between {:g} and {:g} s", x, first, last);
    }
    return "";
  }
};

std::int64_t lines_before(const fs::path& log, std::int64_t position) {
  std::ifstream file(log, std::ios::binary);
  std::int64_t lines = 0;
  for (std::string part(1 << 20, '\0'); position > 0;) {
    const std::int64_t bytes = std::min(position, static_cast<std::int64_t>(part.size()));
    if (!file.read(part.data(), bytes)) break;
    lines += std::count(part.begin(), part.begin() + bytes, '\n');
    position -= bytes;
  }
  return lines;
}

void check_rows(const fs::path& log, std::int64_t size, std::int64_t header, const RowRule& rule) {
  const std::int64_t bytes = std::min(size - header, kLookedAt);
  const std::string text = read_end(log, size, bytes);
  // Before its first line end the text may begin within a row.
  std::size_t begin = bytes < size - header ? text.find('\n') + 1 : 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    const std::string fault = end == std::string::npos
                                  ? "the last row does not end"
                                  : rule.fault(std::string_view(text).substr(begin, end - begin));
    if (fault.empty()) {
      begin = end + 1;
      continue;
    }
    const auto row = lines_before(log, size - bytes + static_cast<std::int64_t>(begin)) + 1;
    refuse(fmt::format("{}:{}:1", log.string(), row), fault);
  }
}

void check_log(const fs::path& log, std::int64_t size, const std::string& header,
               const RowRule& rule) {
  std::error_code error;
  const auto there = static_cast<std::int64_t>(fs::file_size(log, error));
  if (error) refuse(log.string(), "cannot be read: " + error.message());
  if (there < size)
    refuse(log.string(), fmt::format("holds {} bytes, the checkpoint counts {}", there, size));
  const auto head = static_cast<std::int64_t>(header.size());
  if (size < head || read_end(log, head, head) != header)
    refuse(log.string() + ":1:1", "the head line is not that of this run");
  check_rows(log, size, head, rule);
}

}  // namespace

std::string read_end(const fs::path& file, std::int64_t size, std::int64_t bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(size - bytes);
  if (!stream.read(text.data(), bytes)) throw FileError(file.string() + ": cannot be read");
  return text;
}

void check_logs(const fs::path& folder, const Scenario& scenario, const Checkpoint& checkpoint) {
  std::vector<std::pair<Log, std::string>> headers{{Log::state, state_header(scenario.model)},
                                                   {Log::energy, energy_header()},
                                                   {Log::events, events_header()},
                                                   {Log::contacts, contacts_header()}};
  if (scenario.record.steps) headers.emplace_back(Log::steps, steps_header());
  const double t = checkpoint.state.t, rounding = instant(scenario, t);
  for (const auto& [log, header] : headers) {
    const std::string_view names = std::string_view(header).substr(0, header.size() - 1);
    const RowRule rule{csv_cells(names), scenario.initial.t, t, rounding};
    check_log(folder / log_name(log), nth(checkpoint.offsets, log), header, rule);
  }
}

}  // namespace pequod::app
