#include "simulation/record/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "simulation/record/run_folder_rows.h"

namespace pequod {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, kLogs> kLogNames{"state.csv", "energy.csv", "events.csv",
                                                   "contacts.csv", "steps.csv"};
constexpr const char* kCheckpoint = "checkpoint.bin";
constexpr const char* kSummary = "summary.json";
constexpr const char* kModel = "model.json";

bool is_ours(std::string name) {
  if (name.ends_with(".tmp")) name.resize(name.size() - 4);
  return name == kCheckpoint || name == kSummary || name == kModel || name == kShadowLog ||
         std::ranges::find(kLogNames, name) != kLogNames.end();
}

// Empty, or the logs of a run with whatever was put beside them later.
bool is_run_folder(const fs::path& path) {
  bool foreign = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    foreign = foreign || !is_ours(entry.path().filename().string());
  return !foreign || (fs::exists(path / kSummary) && fs::exists(path / kLogNames[0]));
}

}  // namespace

const char* log_name(Log log) { return nth(kLogNames, log); }

void make_folder(const fs::path& path) {
  std::error_code error;
  for (fs::path above = path; above.has_relative_path(); above = above.parent_path())
    if (fs::exists(above, error) && !fs::is_directory(above, error))
      throw RunFolderRefused(
          above == path
              ? fmt::format("{}: is a file, not a folder", path.string())
              : fmt::format("{}: cannot be a folder: {} is a file", path.string(), above.string()));
  fs::create_directories(path, error);
  if (error)
    throw FileError(
        fmt::format("{}: cannot create the folder: {}", path.string(), error.message()));
}

// An advisory lock on the folder itself, which vanishes with the process.
FolderLock::FolderLock(const fs::path& path, std::string_view writer) {
  make_folder(path);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw FileError(
        fmt::format("{}: cannot open the folder: {}", path.string(), std::strerror(errno)));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw RunFolderRefused(
      fmt::format("{}: another {} is writing to this folder; wait for it or choose another "
                  "--output",
                  path.string(), writer));
}

FolderLock::~FolderLock() { ::close(descriptor_); }

namespace {

void remove_old(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw FileError(fmt::format("{}: cannot remove: {}", file.string(), error.message()));
}

}  // namespace

RunFolder::RunFolder(const fs::path& path) : path_(path), lock_(path, "run") {
  if (is_run_folder(path)) return;
  throw RunFolderRefused(fmt::format(
      "{}: holds files that are no run of Pequod; choose another --output", path.string()));
}

std::optional<Checkpoint> RunFolder::checkpoint() const {
  const fs::path file = path_ / kCheckpoint;
  if (!fs::exists(file)) return std::nullopt;
  try {
    return decode(read_file(file));
  } catch (const std::invalid_argument& error) {
    throw RunFolderRefused(
        fmt::format("{}: {}; run without --resume to start afresh", file.string(), error.what()));
  }
}

void RunFolder::start(const Scenario& scenario) {
  // The old checkpoint goes first: it must never stand beside new logs.
  for (const char* name : {kCheckpoint, kSummary, kModel, kShadowLog}) remove_old(path_ / name);
  if (!scenario.record.steps) fs::remove(path_ / kLogNames[static_cast<int>(Log::steps)]);
  open_logs(scenario, {});
  log(Log::state).append(state_header(scenario.model));
  log(Log::energy).append(energy_header());
  log(Log::events).append(events_header());
  log(Log::contacts).append(contacts_header());
  if (scenario.record.steps) log(Log::steps).append(steps_header());
}

void RunFolder::resume(const Scenario& scenario, const Checkpoint& checkpoint) {
  remove_old(path_ / kShadowLog);  // which ends where the run was cut short
  open_logs(scenario, checkpoint.offsets);
}

void RunFolder::open_logs(const Scenario& scenario, const std::array<std::int64_t, kLogs>& keep) {
  scenario_ = &scenario;
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    if (static_cast<Log>(i) == Log::steps && !scenario.record.steps) continue;
    logs_[i] = LineFile(path_ / kLogNames[i], keep[i]);
  }
}

Observer RunFolder::observer() {
  const Model& model = scenario_->model;
  Observer observer;
  observer.record = [this, &model](const State& state, const Kinematics&,
                                   const EnergyReport& energy) {
    lines_.clear();
    append_state(lines_, model, state);
    log(Log::state).append(lines_);
    lines_.clear();
    append_energy(lines_, state, energy);
    log(Log::energy).append(lines_);
    lines_.clear();
    append_contacts(lines_, model, state);
    log(Log::contacts).append(lines_);
  };
  observer.events = [this, &model](std::span<const EventRow> rows) {
    lines_.clear();
    for (const EventRow& row : rows) append_event(lines_, model, row);
    log(Log::events).append(lines_);
  };
  if (scenario_->record.steps) {
    observer.step = [this](const StepReport& report) {
      lines_.clear();
      append_step(lines_, report);
      log(Log::steps).append(lines_);
    };
  }
  return observer;
}

std::array<std::int64_t, kLogs> RunFolder::offsets() const {
  std::array<std::int64_t, kLogs> offsets{};
  for (std::size_t i = 0; i < logs_.size(); ++i) offsets[i] = logs_[i].size();
  return offsets;
}

void RunFolder::save(const Checkpoint& checkpoint) {
  for (LineFile& file : logs_) file.sync();
  replace_file(path_ / kCheckpoint, encode(checkpoint), true);
}

void RunFolder::close() {
  for (LineFile& file : logs_) file.close();
}

void RunFolder::write_summary(std::string_view json) const {
  replace_file(path_ / kSummary, json, false);
}

void RunFolder::write_model(std::string_view json) const {
  replace_file(path_ / kModel, json, false);
}

}  // namespace pequod
