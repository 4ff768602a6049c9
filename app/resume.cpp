#include "app/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/log_check.h"
#include "scene/diagnostics.h"
#include "simulation/loop/instant.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;
using SummaryJson = nlohmann::json;

// What is not there, or no JSON, is an empty object.
SummaryJson read_summary(const fs::path& folder) {
  std::ifstream file(folder / "summary.json");
  SummaryJson summary = SummaryJson::parse(file, nullptr, false);
  return summary.is_object() ? summary : SummaryJson::object();
}

// The parts that the run in the folder was made of; empty if its summary does not tell.
std::vector<InputPart> recorded_inputs(const SummaryJson& summary) {
  std::vector<InputPart> parts;
  const auto inputs = summary.find("inputs");
  if (inputs == summary.end() || !inputs->is_object()) return parts;
  for (const auto& [name, hash] : inputs->items())
    if (hash.is_string())
      parts.push_back({name, std::strtoull(hash.get<std::string>().c_str(), nullptr, 16)});
  return parts;
}

std::string what_changed(const SummaryJson& summary, const std::vector<InputPart>& inputs) {
  const std::vector<InputPart> before = recorded_inputs(summary);
  const std::vector<std::string> names = differing_parts(before, inputs);
  if (before.empty() || names.empty()) return "the scene, a file it names, or an option changed";
  return join(names) + (names.size() > 1 ? " changed" : " has changed");
}

std::string_view time_of(std::string_view row) { return row.substr(0, row.find(',')); }

// Where the last rows of a text begin, those of one instant; nothing if there may be more before.
std::optional<std::size_t> last_rows(std::string_view text) {
  std::size_t end = text.size();
  std::string_view instant;
  while (end > 0) {
    const std::size_t before = end < 2 ? std::string_view::npos : text.rfind('\n', end - 2);
    if (before == std::string_view::npos) return std::nullopt;
    const std::string_view t = time_of(text.substr(before + 1, end - before - 1));
    if (!instant.empty() && t != instant) return end;
    instant = t;
    end = before + 1;
  }
  return std::nullopt;
}

// The last rows of a log of this size, those of one instant; all but its header if there are no
// others.
std::string last_rows_of(const fs::path& log, std::int64_t size) {
  for (std::int64_t bytes = std::int64_t{1} << 16;; bytes *= 4) {
    const std::string text = read_end(log, size, std::min(bytes, size));
    if (const std::optional<std::size_t> begin = last_rows(text)) return text.substr(*begin);
    if (bytes >= size) return text.substr(std::min(text.size(), text.find('\n') + 1));
  }
}

}  // namespace

std::optional<Checkpoint> find_checkpoint(const RunFolder& folder,
                                          const std::vector<InputPart>& inputs,
                                          const Scenario& scenario) {
  std::optional<Checkpoint> checkpoint = folder.checkpoint();
  if (!checkpoint) return std::nullopt;
  const std::string path = folder.path().string();
  const char* advice = "run without --resume to start afresh";
  if (checkpoint->version != version())
    throw RunFolderRefused(fmt::format("{}: cannot resume: written by pequod {}, this is {}; {}",
                                       path, checkpoint->version, version(), advice));
  if (checkpoint->scene_hash != hash_of(inputs))
    throw RunFolderRefused(fmt::format("{}: cannot resume: {} since; only the duration may; {}",
                                       path, what_changed(read_summary(folder.path()), inputs),
                                       advice));
  const double end = end_time(scenario);
  if (checkpoint->state.t > end + instant(scenario, end))
    throw RunFolderRefused(
        fmt::format("{}: cannot resume: the run is at t = {:g} s, beyond its end at {:g} s; {}",
                    path, checkpoint->state.t, end, advice));
  check_logs(folder.path(), scenario, *checkpoint);
  return checkpoint;
}

void keep_interrupted_run(const RunFolder& folder, const SceneSource& source,
                          const std::vector<InputPart>& inputs) {
  const SummaryJson summary = read_summary(folder.path());
  const std::string status = summary.value("status", ""), scene = summary.value("scene", "");
  if (status != "interrupted" && status != "running") return;
  if (scene == fs::absolute(source.scene).lexically_normal().string()) return;
  if (differing_parts(recorded_inputs(summary), inputs).empty()) return;  // the scene was moved
  throw RunFolderRefused(
      fmt::format("{}: holds an interrupted run of another scene, {}; choose another --output, or "
                  "--overwrite it",
                  folder.path().string(), scene));
}

void reopen(const fs::path& folder, Checkpoint& checkpoint) {
  checkpoint.finished = false;
  --checkpoint.state.records;
  const auto offset = [&](Log log) -> std::int64_t& { return nth(checkpoint.offsets, log); };
  const auto cut = [&](Log log, const std::string& rows) {
    offset(log) -= static_cast<std::int64_t>(rows.size());
  };
  const std::string end = last_rows_of(folder / "state.csv", offset(Log::state));
  cut(Log::state, end);
  cut(Log::energy, last_rows_of(folder / "energy.csv", offset(Log::energy)));
  // There may have been no contact at the end.
  const std::string contacts = last_rows_of(folder / "contacts.csv", offset(Log::contacts));
  if (time_of(contacts) == time_of(end)) cut(Log::contacts, contacts);
}

void recall_falls(const fs::path& folder, double t, std::vector<Walker>& walkers) {
  const SummaryJson summary = read_summary(folder);
  const auto robots = summary.find("robots");
  if (robots == summary.end() || !robots->is_array()) return;
  for (const SummaryJson& robot : *robots) {
    const auto fell = robot.find("fell_at_s");
    if (fell == robot.end() || !fell->is_number() || fell->get<double>() > t) continue;
    for (Walker& walker : walkers)
      if (walker.name == robot.value("name", "")) walker.fell_at = fell->get<double>();
  }
}

}  // namespace pequod::app
