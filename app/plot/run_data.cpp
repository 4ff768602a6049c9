#include "app/plot/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string_view>

#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app::plot {
namespace {

namespace fs = std::filesystem;

bool holds_words(std::string_view column) {
  return column == "kind" || column == "model" || column == "a" || column == "b";
}

// One log while it is read.
class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path) {}

  LogTable read(std::initializer_list<const char*> needed) {
    const std::string text = read_file(path_);
    std::string_view rest = text;
    header(next_line(rest));
    for (const char* name : needed)
      if (table_.find(name) == nullptr) refuse(fmt::format("there is no column \"{}\"", name));
    while (rest.find('\n') != std::string_view::npos) row(next_line(rest));
    return std::move(table_);
  }

 private:
  std::string_view next_line(std::string_view& rest) {
    ++line_;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
  }

  void header(std::string_view line) {
    while (true) {
      const std::size_t end = line.find(',');
      table_.names.emplace_back(line.substr(0, end));
      words_in_.push_back(holds_words(table_.names.back()));
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
    }
    table_.columns.resize(table_.names.size());
  }

  void row(std::string_view line) {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::size_t end = line.find(',');
      const bool last = i + 1 == table_.columns.size();
      if (last != (end == std::string_view::npos))
        refuse(fmt::format("has not {} cells, as its head line", table_.columns.size()));
      const std::string_view cell = line.substr(0, end);
      table_.columns[i].push_back(words_in_[i] ? word(cell) : number(cell));
      if (!last) line.remove_prefix(end + 1);
    }
    ++table_.rows;
  }

  double number(std::string_view cell) const {
    double x = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
    if (error == std::errc::result_out_of_range) return 0.0;  // smaller than any normal number
    if (error != std::errc() || end != cell.data() + cell.size())
      refuse(fmt::format("\"{}\" is no number", cell));
    return x;
  }

  double word(std::string_view cell) {
    const auto [found, added] = codes_.emplace(cell, static_cast<double>(table_.words.size()));
    if (added) table_.words.emplace_back(cell);
    return found->second;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw RunFolderRefused(
        fmt::format("{}:{}: {}; the file is damaged, run again", path_.string(), line_, what));
  }

  fs::path path_;
  int line_ = 0;
  LogTable table_;
  std::vector<char> words_in_;
  std::map<std::string, double, std::less<>> codes_;
};

nlohmann::json read_json(const fs::path& path) {
  try {
    return nlohmann::json::parse(read_file(path));
  } catch (const nlohmann::json::exception&) {
    throw RunFolderRefused(
        fmt::format("{}: is no JSON; the file is damaged, run again", path.string()));
  }
}

void read_certificate(const fs::path& folder, RunData& run) {
  std::error_code code;
  if (!fs::exists(folder / "certificate.json", code) ||
      !fs::exists(folder / "certificate.csv", code))
    return;
  run.certificate = read_json(folder / "certificate.json");
  run.bars = read_log(folder / "certificate.csv", {"t"});
  if (run.bars->rows != run.energy.rows) run.bars.reset();  // of a run that was shorter
}

}  // namespace

const std::vector<double>* LogTable::find(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &nth(columns, found - names.begin());
}

const std::vector<double>& LogTable::at(const std::string& name) const {
  const std::vector<double>* column = find(name);
  if (column == nullptr) throw std::out_of_range("no column " + name);
  return *column;
}

const std::string& LogTable::word(const std::string& column, std::size_t row) const {
  return nth(words, at(column)[row]);
}

bool RunData::moves(const std::string& body) const {
  return moving.contains(body.substr(0, body.find('/')));
}

LogTable read_shadows(const fs::path& file) {
  return read_log(file, {"t", "span", "kind", "model", "solved", "impulse", "difference", "a", "b",
                         "motion", "loss"});
}

LogTable read_log(const fs::path& file, std::initializer_list<const char*> needed) {
  return Reader(file).read(needed);
}

RunData read_run(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw RunFolderRefused(fmt::format("{}: no such folder", folder.string()));
  for (const char* name : {"summary.json", "state.csv"})
    if (!fs::exists(folder / name, code))
      throw RunFolderRefused(
          fmt::format("{}: is no run folder: it has no {}; pequod run SCENE.yaml writes one",
                      folder.string(), name));
  RunData run;
  run.path = folder;
  run.summary = read_json(folder / "summary.json");
  if (!run.summary.is_object())
    throw RunFolderRefused(fmt::format("{}: is no object; the file is damaged, run again",
                                       (folder / "summary.json").string()));
  run.name = run.summary.value("name", folder.filename().string());
  if (fs::exists(folder / "model.json", code)) run.model = read_json(folder / "model.json");
  run.state = read_log(folder / "state.csv", {"t"});
  for (const std::string& column : run.state.names)
    if (column != "t")
      run.moving.insert(column.substr(0, std::min(column.find('/'), column.rfind('.'))));
  run.energy = read_log(folder / "energy.csv", {"t", "kinetic", "potential", "total", "residual"});
  run.contacts = read_log(folder / "contacts.csv", {"t", "a", "b", "px", "py", "pz", "nx", "ny",
                                                    "nz", "gap", "fn", "ftx", "fty", "ftz"});
  run.events = read_log(folder / "events.csv", {"t", "kind", "a", "b", "px", "py", "pz"});
  if (fs::exists(folder / "steps.csv", code))
    run.steps = read_log(folder / "steps.csv", {"t", "pivots", "residual", "smallest_gap"});
  if (fs::exists(folder / kShadowLog, code)) run.shadow = read_shadows(folder / kShadowLog);
  read_certificate(folder, run);
  return run;
}

}  // namespace pequod::app::plot
