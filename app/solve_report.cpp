#include "app/solve_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/json_number.h"

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson numbers(const Eigen::VectorXd& values) {
  OrderedJson list = OrderedJson::array();
  for (const double x : values) list.push_back(json_number(x));
  return list;
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(text);
}

std::string asked_name(const Solved& solved) {
  return solved.asked.empty() ? "default" : solved.asked;
}

/// A row of the summary: problems of one kind, or of all kinds, by one solver.
struct Row {
  std::string solver, kind;
  int problems = 0, solved = 0, no_solution = 0, failed = 0;
  double worst = 0.0, time = 0.0;

  void add(const Answer& answer) {
    ++problems;
    solved += answer.status == SolveStatus::solved;
    no_solution += answer.status == SolveStatus::no_solution;
    failed += answer.status == SolveStatus::failed;
    if (answer.status == SolveStatus::solved) worst = std::max(worst, answer.natural_map);
    time += answer.time;
  }
};

Row& row_of(std::vector<Row>& rows, const std::string& solver, const std::string& kind) {
  for (Row& row : rows)
    if (row.solver == solver && row.kind == kind) return row;
  rows.push_back({solver, kind});
  return rows.back();
}

std::string text(const Row& row) {
  return fmt::format("{:<22} {:<14} {:>8} {:>7} {:>12} {:>7} {:>12} {:>9.3g} s\n", row.solver,
                     row.kind, row.problems, row.solved, row.no_solution, row.failed,
                     row.solved > 0 ? fmt::format("{:.1e}", row.worst) : "-", row.time);
}

}  // namespace

std::string solved_json(const Solved& solved) {
  const Answer& answer = solved.answer;
  OrderedJson residuals = OrderedJson::object();
  for (const auto& [key, value] : answer.residuals) residuals[key] = json_number(value);
  OrderedJson json;
  json["file"] = solved.file.string();
  json["kind"] = solved.kind ? OrderedJson(name(*solved.kind)) : OrderedJson();
  json["model"] = text_or_null(answer.model);
  json["solver"] = text_or_null(answer.solver);
  json["method"] = text_or_null(answer.method);
  json["status"] = name(answer.status);
  if (!answer.reason.empty()) json["reason"] = answer.reason;
  json["x"] = numbers(answer.x);
  json["y"] = numbers(answer.y);
  for (const auto& [key, values] : answer.more) json[key] = numbers(values);
  json["residuals"] = residuals;
  json["pivots"] = answer.pivots;
  if (answer.repeated) json["repeated"] = *answer.repeated;
  json["start"] = answer.start;
  json["time_s"] = answer.time;
  // A file name may hold any bytes.
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string solved_head(std::size_t width) {
  return fmt::format("{:<11} {:<{}}  {:<24} {:>11} {:>7} {:>11}  {}\n", "status", "file", width,
                     "solver", "natural map", "pivots", "time", "start");
}

std::string solved_line(const Solved& solved, std::size_t width, bool with_x) {
  const Answer& answer = solved.answer;
  const std::string solver =
      answer.method.empty() ? answer.solver : answer.solver + " (" + answer.method + ")";
  std::string line = fmt::format(
      "{:<11} {:<{}}  {:<24} {:>11} {:>7} {:>9.3g} s  {}\n", name(answer.status),
      solved.file.string(), width, solver,
      std::isfinite(answer.natural_map) ? fmt::format("{:.1e}", answer.natural_map) : "-",
      answer.pivots, answer.time, answer.start);
  if (answer.status != SolveStatus::solved && !answer.reason.empty())
    line += fmt::format("{:<11} {}\n", "", answer.reason);
  constexpr Eigen::Index kFew = 12;
  if (with_x && answer.x.size() > 0 && answer.x.size() <= kFew)
    line += fmt::format("{:<11} x = [{:.10g}]\n", "",
                        fmt::join(answer.x.begin(), answer.x.end(), ", "));
  if (answer.repeated == false)
    line += fmt::format("{:<11} differs from the answer recorded in the file\n", "");
  return line;
}

std::string summary_table(std::span<const Solved> all) {
  std::vector<Row> rows, totals;
  for (const Solved& solved : all) {
    const std::string solver = asked_name(solved);
    const std::string kind = solved.kind ? std::string(name(*solved.kind)) : "unreadable";
    row_of(rows, solver, kind).add(solved.answer);
    row_of(totals, solver, "all").add(solved.answer);
  }
  std::string table =
      fmt::format("{:<22} {:<14} {:>8} {:>7} {:>12} {:>7} {:>12} {:>11}\n", "solver", "kind",
                  "problems", "solved", "no-solution", "failed", "worst solved", "time");
  for (const Row& total : totals) {
    const auto own = [&](const Row& row) { return row.solver == total.solver; };
    for (const Row& row : rows)
      if (own(row)) table += text(row);
    if (std::ranges::count_if(rows, own) > 1) table += text(total);
  }
  const auto recorded = [](const Solved& solved) { return solved.answer.repeated.has_value(); };
  const auto repeated = [](const Solved& solved) { return solved.answer.repeated == true; };
  if (const auto count = std::ranges::count_if(all, recorded); count > 0)
    table += fmt::format("{} of {} recorded answers came again bit for bit\n",
                         std::ranges::count_if(all, repeated), count);
  return table;
}

}  // namespace pequod::app
