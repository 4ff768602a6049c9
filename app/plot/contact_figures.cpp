#include "app/plot/contact_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace pequod::app::plot {
namespace {

constexpr std::size_t kMostLanes = 24, kMostLines = 12;

// The moving ones of a row's two.
std::vector<std::string> moving_sides(const RunData& run, const LogTable& table, std::size_t row) {
  std::vector<std::string> names;
  for (const char* side : {"a", "b"}) {
    const std::string& name = table.word(side, row);
    if (!name.empty() && run.moves(name)) names.push_back(name);
  }
  return names;
}

// Asked once a name, not once a row.
class Sides {
 public:
  Sides(const RunData& run, const LogTable& table) : table_(table) {
    for (const std::string& word : table.words) moves_.push_back(!word.empty() && run.moves(word));
  }
  template <typename Function>
  void each(std::size_t row, const Function& function) const {
    for (const char* side : {"a", "b"}) {
      const auto code = static_cast<std::size_t>(table_.at(side)[row]);
      if (moves_[code]) function(table_.words[code]);
    }
  }

 private:
  const LogTable& table_;
  std::vector<char> moves_;
};

// The numbers of the records at which the rows of a table with shared times stand.
std::vector<std::size_t> records_of(const std::vector<double>& rows, const std::vector<double>& t) {
  std::vector<std::size_t> records;
  records.reserve(rows.size());
  std::size_t record = 0;
  for (const double row : rows) {
    while (record + 1 < t.size() && t[record] < row) ++record;
    records.push_back(record);
  }
  return records;
}

// Keeps the first few, by name, of those that occur most often; says how many are left out.
template <typename Value>
std::string keep_most(std::map<std::string, Value>& all,
                      const std::map<std::string, std::size_t>& counts, std::size_t most) {
  if (all.size() <= most) return "";
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : counts) order.emplace_back(count, name);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::size_t left = order.size() - most;
  for (std::size_t i = most; i < order.size(); ++i) all.erase(order[i].second);
  return fmt::format("{} more are not drawn: those that touch least", left);
}

// One panel of the lanes, named as the map names them; none if there is no lane.
void add_lanes(std::map<std::string, Lane>& lanes, Figure& figure) {
  if (lanes.empty()) return;
  Panel panel;
  for (auto& [name, lane] : lanes) {
    lane.name = name;
    panel.lanes.push_back(lane);
  }
  figure.panels.push_back(panel);
}

struct Forces {
  std::vector<double> normal, tangential;  // N, of each record
};

}  // namespace

Figure gait_figure(const RunData& run) {
  const std::vector<double>& t = run.state.at("t");
  const std::vector<double>& fn = run.contacts.at("fn");
  const std::vector<std::size_t> records = records_of(run.contacts.at("t"), t);
  const Sides sides(run, run.contacts);
  std::map<std::string, Lane> lanes;
  std::map<std::string, std::size_t> counts;
  for (std::size_t row = 0; row < run.contacts.rows; ++row) {
    const std::size_t record = records[row];
    if (!(fn[row] > 0.0) || record + 1 >= t.size()) continue;
    sides.each(row, [&](const std::string& name) {
      auto& bars = lanes[name].bars;
      ++counts[name];
      if (!bars.empty() && bars.back().second >= t[record])
        bars.back().second = std::max(bars.back().second, t[record + 1]);
      else
        bars.emplace_back(t[record], t[record + 1]);
    });
  }
  for (std::size_t row = 0; row < run.events.rows; ++row)
    if (run.events.word("kind", row) == "impact")
      for (const std::string& name : moving_sides(run, run.events, row)) {
        lanes[name].ticks.push_back(run.events.at("t")[row]);
        ++counts[name];
      }
  Figure figure;
  figure.title = "contact: bars while a force acts, ticks are impacts";
  figure.note = keep_most(lanes, counts, kMostLanes);
  add_lanes(lanes, figure);
  return figure;
}

Figure forces_figure(const RunData& run) {
  const std::vector<double>& t = run.state.at("t");
  const LogTable& contacts = run.contacts;
  const std::vector<std::size_t> records = records_of(contacts.at("t"), t);
  const Sides sides(run, contacts);
  const std::vector<double>&fn = contacts.at("fn"), &x = contacts.at("ftx"),
        &y = contacts.at("fty"), &z = contacts.at("ftz");
  std::map<std::string, Forces> forces;
  std::map<std::string, std::size_t> counts;
  for (std::size_t row = 0; row < contacts.rows; ++row)
    sides.each(row, [&](const std::string& name) {
      Forces& on = forces[name];
      on.normal.resize(t.size());
      on.tangential.resize(t.size());
      on.normal[records[row]] += fn[row];
      on.tangential[records[row]] += std::hypot(x[row], y[row], z[row]);
      ++counts[name];
    });
  Figure figure;
  figure.title = "contact forces, summed over the points of each";
  figure.note = keep_most(forces, counts, kMostLines);
  if (forces.empty()) return figure;
  Panel normal{"normal (N)", {}, {}}, tangential{"tangential (N)", {}, {}};
  for (const auto& [name, on] : forces) {
    normal.series.push_back({name, t, on.normal});
    tangential.series.push_back({name, t, on.tangential});
  }
  figure.panels = {normal, tangential};
  return figure;
}

Figure gaps_figure(const RunData& run) {
  const std::vector<double>& t = run.state.at("t");
  const std::vector<double>& gap = run.contacts.at("gap");
  const std::vector<std::size_t> records = records_of(run.contacts.at("t"), t);
  std::vector<double> least(t.size(), NAN);
  for (std::size_t row = 0; row < run.contacts.rows; ++row)
    least[records[row]] = std::fmin(least[records[row]], gap[row]);
  Figure figure;
  figure.title = "gaps: negative is overlap";
  if (run.contacts.rows > 0)
    figure.panels.push_back({"of contacts (m)", {{"least", t, least}}, {}});
  if (run.steps && run.steps->rows > 0)
    figure.panels.push_back(
        {"of all near pairs (m)",
         {{"least, each step", run.steps->at("t"), run.steps->at("smallest_gap")}},
         {}});
  return figure;
}

Figure solver_figure(const RunData& run) {
  Figure figure;
  figure.title = "contact solver, each step";
  if (!run.steps || run.steps->rows == 0) return figure;
  const std::vector<double>& t = run.steps->at("t");
  figure.panels = {{"pivots", {{"pivots", t, run.steps->at("pivots")}}, {}},
                   {"residual, relative", {{"worst", t, run.steps->at("residual")}}, {}}};
  return figure;
}

Figure events_figure(const RunData& run) {
  std::map<std::string, Lane> lanes;
  const std::vector<double>& t = run.events.at("t");
  for (std::size_t row = 0; row < run.events.rows; ++row) {
    Lane& lane = lanes[run.events.word("kind", row)];
    if (lane.ticks.empty() || lane.ticks.back() != t[row]) lane.ticks.push_back(t[row]);
  }
  Figure figure;
  figure.title = "events";
  add_lanes(lanes, figure);
  return figure;
}

}  // namespace pequod::app::plot
