#include "app/shadow_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/plot/html_table.h"
#include "app/plot/run_data.h"

namespace pequod::app {
namespace {

ShadowTotals& totals_of(const std::string& model, std::vector<ShadowTotals>& all) {
  for (ShadowTotals& totals : all)
    if (totals.model == model) return totals;
  all.emplace_back().model = model;
  return all.back();
}

constexpr std::array kShadowHeads = {"model",        "problems",     "unsolved",
                                     "differ > 1 %", "impulse N·s",  "difference",
                                     "energy J",     "most differs", "at, between"};

std::array<std::string, kShadowHeads.size()> cells_of(const ShadowTotals& totals) {
  const bool differs = totals.worst_share > 0.0;
  return {totals.model,
          fmt::format("{}", totals.problems),
          fmt::format("{}", totals.unsolved),
          fmt::format("{}", totals.differing),
          fmt::format("{:.4g}", totals.impulse),
          fmt::format("{:.2g}", totals.difference),
          fmt::format("{:.4g}", totals.loss),
          differs ? fmt::format("{:.2g} %", 100.0 * totals.worst_share) : "-",
          differs
              ? fmt::format("{:.4g} s, {} on {}", totals.worst_t, totals.worst_b, totals.worst_a)
              : "-"};
}

}  // namespace

std::vector<double> shadow_shares(const plot::LogTable& shadow) {
  const std::vector<double>&model = shadow.at("model"), &impulse = shadow.at("impulse"),
        &difference = shadow.at("difference");
  std::vector<double> shares(shadow.rows, 0.0);
  double own = 0.0;  // N·s, of the run's model in this problem
  for (std::size_t row = 0; row < shadow.rows; ++row) {
    if (model[row] == model.front()) own = impulse[row];
    if (difference[row] > 0.0) shares[row] = difference[row] / std::max(own, impulse[row]);
  }
  return shares;
}

std::vector<ShadowTotals> shadow_totals(const plot::LogTable& shadow) {
  std::vector<ShadowTotals> all;
  const std::vector<double>&t = shadow.at("t"), &solved = shadow.at("solved"),
        &impulse = shadow.at("impulse"), &difference = shadow.at("difference"),
        &motion = shadow.at("motion"), &loss = shadow.at("loss");
  const std::vector<double> shares = shadow_shares(shadow);
  for (std::size_t row = 0; row < shadow.rows; ++row) {
    ShadowTotals& totals = totals_of(shadow.word("model", row), all);
    ++totals.problems;
    totals.unsolved += solved[row] == 0.0;
    totals.impulse += impulse[row];
    totals.difference += difference[row];
    totals.loss += loss[row];
    totals.motion = std::max(totals.motion, motion[row]);
    totals.differing += shares[row] > kModelsDiffer;
    if (shares[row] <= totals.worst_share) continue;
    totals.worst_share = shares[row];
    totals.worst_t = t[row];
    totals.worst_a = shadow.word("a", row);
    totals.worst_b = shadow.word("b", row);
  }
  return all;
}

std::string shadow_text(std::span<const ShadowTotals> totals) {
  if (totals.empty()) return "";
  std::string text = fmt::format("the same contact problems by each model, those of {} first:\n",
                                 totals.front().model);
  const auto add_line = [&](const auto& cells) {
    text +=
        fmt::format("{:<17} {:>9} {:>9} {:>13} {:>12} {:>11} {:>10} {:>13}  {}\n", cells[0],
                    cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8]);
  };
  add_line(kShadowHeads);
  for (const ShadowTotals& one : totals) add_line(cells_of(one));
  return text;
}

std::string shadow_html(std::span<const ShadowTotals> totals) {
  if (totals.empty()) return "";
  std::string rows;
  for (const ShadowTotals& one : totals)
    rows += "<tr>" + plot::cells_html(cells_of(one)) + "</tr>\n";
  return plot::scrolling_table("models", kShadowHeads, rows);
}

}  // namespace pequod::app
