#include "app/experiment_report.h"

#include <fmt/format.h>

#include "app/experiment_result.h"

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string cell(const OrderedJson& value) {
  if (value.is_null()) return "";
  if (value.is_number()) return fmt::format("{:.4g}", value.get<double>());
  std::string text =
      value.is_boolean() ? (value.get<bool>() ? "" : "**no**") : value.get<std::string>();
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

// Rows of one table follow each other; their members after the title are its columns.
std::string tables(const OrderedJson& rows) {
  std::string text, title;
  for (const OrderedJson& row : rows) {
    if (row["table"] != title) {
      title = row["table"];
      text += "\n" + title + ":\n\n|";
      std::string rule = "|";
      for (const auto& [key, value] : row.items())
        if (key != "table") {
          text += " " + key + " |";
          rule += "---|";
        }
      text += "\n" + rule + "\n";
    }
    text += "|";
    for (const auto& [key, value] : row.items())
      if (key != "table") text += " " + cell(value) + " |";
    text += "\n";
  }
  return text;
}

std::string checks(const OrderedJson& all) {
  std::string text = "\n| figure | measured | asked | published | |\n|---|---|---|---|---|\n";
  for (const OrderedJson& check : all)
    text += fmt::format("| {} | {} | {} {} | {} | {} |\n", cell(check["what"]),
                        cell(check["value"]), check["at_least"].get<bool>() ? "≥" : "≤",
                        cell(check["limit"]), cell(check["published"]), cell(check["holds"]));
  return text;
}

}  // namespace

std::string experiments_report(std::span<const OrderedJson> results) {
  if (results.empty()) return "";
  const OrderedJson& machine = results.front()["machine"];
  std::string text = fmt::format(
      "Measured on {}, {} cores, {}, compiler {}, pequod {}.\n\n"
      "| experiment | size | figures that hold | s | date |\n|---|---|---|---|---|\n",
      machine["processor"].get<std::string>(), machine["cores"].get<int>(),
      machine["system"].get<std::string>(), machine["compiler"].get<std::string>(),
      machine["pequod"].get<std::string>());
  for (const OrderedJson& result : results)
    text += fmt::format(
        "| [{0}](#{0}) | {1} | {2} of {3} | {4:.3g} | {5} |\n", result["name"].get<std::string>(),
        result["quick"].get<bool>() ? "quick" : "full", count_held(result), result["checks"].size(),
        result["seconds"].get<double>(), result["date"].get<std::string>());
  for (const OrderedJson& result : results)
    text += fmt::format("\n### {}\n{}{}", result["name"].get<std::string>(), tables(result["rows"]),
                        checks(result["checks"]));
  return text;
}

}  // namespace pequod::app
