#include "app/comparison_run.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "app/log_check.h"
#include "integrators/integrator.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

using RunJson = nlohmann::json;

// A stage of one pair takes up to about so many times what it takes on average: that of a robot
// that falls and lies there.
constexpr double kUnknownPair = 10.0;

// What is not there, or no JSON, is an empty object.
RunJson read_object(const std::filesystem::path& path) {
  std::ifstream file(path);
  RunJson json = RunJson::parse(file, nullptr, false);
  return json.is_object() ? json : RunJson::object();
}

double kept_cost(const std::filesystem::path& folder) {
  const RunJson cost = read_object(folder / "cost.json");
  const auto time = cost.find("processor_time_s");
  return time != cost.end() && time->is_number() ? time->get<double>() : NAN;
}

const char* option_of(const std::string& key) {
  constexpr std::pair<const char*, const char*> kOptions[] = {
      {"integrator.method", "--integrator"}, {"contact.model", "--model"},
      {"contact.solver", "--solver"},        {"integrator.step", "--step"},
      {"record.every", "--every"},           {"duration", "--duration"}};
  for (const auto& [name, option] : kOptions)
    if (key == name) return option;
  throw std::invalid_argument("no option for " + key);
}

// Evaluations of the motion in a second, about: a step takes as many as its order, or one more.
double stages_a_second(const ComparisonRow& row) {
  return integrator_info(row.integrator).order / row.effective;
}

// A run whose logs were changed since is not read: a resume says what is wrong with them.
bool has_its_logs(const ComparisonRun& run, const Scenario& scenario) {
  try {
    check_logs(run.folder, scenario, decode(read_file(run.folder / "checkpoint.bin")));
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

const char* status_of(int code) {
  switch (code) {
    case kDone:
      return "finished";
    case kBadInput:
      return "refused";
    case kInterrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

}  // namespace

bool done_before(const ComparisonRun& run, ComparisonRow& row) {
  const RunJson summary = read_object(run.folder / "summary.json");
  const double cost = kept_cost(run.folder);
  if (summary.value("status", "") != "finished" || std::isnan(cost)) return false;
  if (!summary.contains("versions") || summary["versions"].value("pequod", "") != version())
    return false;
  Diagnostics ignored;  // of a scene that is refused there is no finished run
  const Scenario scenario = load_scene(run.source.scene, run.source.options, ignored);
  if (!ignored.ok() || summary.value("duration", NAN) != scenario.duration) return false;
  const std::uint64_t hash = hash_of(input_parts(run.source.scene, run.source.options, scenario));
  if (summary.value("scene_hash", "") != fmt::format("{:016x}", hash)) return false;
  if (!has_its_logs(run, scenario)) return false;
  read_summary(run.folder, row);
  row.status = "finished";
  row.processor_time = cost;
  return true;
}

std::string reason_of(const Program& program) {
  const int code = program.exit_code().value_or(kDone);
  const std::string& text = program.messages();
  const std::size_t error = text.find("error:");
  const std::size_t begin = error == std::string::npos ? 0 : text.rfind('\n', error) + 1;
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  return line.empty() && code > 128 ? fmt::format("ended by signal {}", code - 128) : line;
}

double expected_cost(const std::vector<ComparisonRow>& rows, std::size_t row) {
  const ComparisonRow& asked = rows[row];
  double taken = 0.0, of = 0.0, taken_by_pair = 0.0, of_pair = 0.0;
  for (const ComparisonRow& other : rows) {
    if (other.status != "finished") continue;
    taken += other.processor_time;
    of += stages_a_second(other);
    if (other.model != asked.model || other.integrator != asked.integrator) continue;
    taken_by_pair += other.processor_time;
    of_pair += stages_a_second(other);
  }
  if (of_pair > 0.0) return stages_a_second(asked) * taken_by_pair / of_pair;
  return kUnknownPair * stages_a_second(asked) * (of > 0.0 ? taken / of : 1.0);
}

Program start_run(const ComparisonRun& run, bool resume, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"run",      run.source.scene.string(),
                                    "--quiet",  resume ? "--resume" : "--overwrite",
                                    "--output", run.folder.string()};
  for (const auto& folder : run.source.options.package_paths)
    words.insert(words.end(), {"--package-path", folder.string()});
  for (const auto& [key, value] : run.source.options.overrides)
    words.insert(words.end(), {option_of(key), value});
  words.insert(words.end(), more.begin(), more.end());
  return {this_program(), words, Program::Streams::heard};
}

void finish_run(const ComparisonRun& run, const Program& program, bool resume, ComparisonRow& row) {
  const int code = program.exit_code().value_or(kFailed);
  row.status = status_of(code);
  row.processor_time = program.processor_time();
  if (code != kBadInput) {
    read_summary(run.folder, row);
    const double before = resume ? kept_cost(run.folder) : NAN;
    if (!std::isnan(before)) row.processor_time += before;
    const RunJson cost = {{"processor_time_s", row.processor_time}};
    replace_file(run.folder / "cost.json", cost.dump(2) + "\n", false);
  }
  if (code != kDone && row.reason.empty()) row.reason = reason_of(program);
}

}  // namespace pequod::app
