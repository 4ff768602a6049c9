#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/plot/figure_html.h"
#include "app/plot/figures.h"
#include "app/plot/html_table.h"
#include "app/plot/report_page.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app::plot {
namespace {

// A value of summary.json for people; empty if there is none.
std::string value_text(const nlohmann::json& summary, const char* key) {
  if (!summary.contains(key)) return "";
  const nlohmann::json& value = summary[key];
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.5g}", value.get<double>());
  return "";
}

std::string table_row(const std::string& head, const std::string& text, const char* style = "") {
  if (text.empty()) return "";
  return fmt::format("<tr><th scope=\"row\">{}</th><td{}>{}</td></tr>\n", escape(head), style,
                     escape(text));
}

// What is no 0 where 0 is meant stands out.
std::string warned_row(const nlohmann::json& summary, const char* head, const char* key) {
  const bool bad =
      summary.contains(key) && summary[key].is_number() && summary[key].get<double>() != 0.0;
  return table_row(head, value_text(summary, key), bad ? " class=\"bad\"" : "");
}

std::string outcome(const nlohmann::json& summary) {
  const std::string status = value_text(summary, "status"), reason = value_text(summary, "reason");
  std::string html = table_row("status", status + (reason.empty() ? "" : ": " + reason),
                               status == "failed" ? " class=\"bad\"" : "");
  if (!summary.contains("robots") || !summary["robots"].is_array()) return html;
  for (const nlohmann::json& robot : summary["robots"]) {
    const bool fell = robot.contains("fell_at_s") && robot["fell_at_s"].is_number();
    std::string text;
    if (robot.contains("walked_m") && robot["walked_m"].is_number())
      text = fmt::format("walked {:.3f} m", robot["walked_m"].get<double>());
    if (fell) text += fmt::format(", fell at {:.2f} s", robot["fell_at_s"].get<double>());
    html += table_row(robot.value("name", "robot"), text, fell ? " class=\"bad\"" : "");
  }
  return html;
}

std::string summary_table(const nlohmann::json& summary) {
  std::string html = "<table>\n" + outcome(summary);
  for (const auto& [head, key] :
       {std::pair{"scene", "scene"}, std::pair{"integrator", "integrator"},
        std::pair{"contact model", "model"}, std::pair{"solver", "solver"},
        std::pair{"scheme", "scheme"}, std::pair{"step (s)", "step"},
        std::pair{"simulated (s)", "simulated_time_s"}, std::pair{"wall time (s)", "wall_time_s"},
        std::pair{"× real time", "real_time_factor"}, std::pair{"steps", "steps"},
        std::pair{"deepest overlap (m)", "max_penetration_m"},
        std::pair{"largest energy residual (J)", "energy_residual_max_J"},
        std::pair{"worst solver residual", "worst_solver_residual"},
        std::pair{"pivots of a solve, mean", "pivots_mean"},
        std::pair{"pivots of a solve, most", "pivots_max"}})
    html += table_row(head, value_text(summary, key));
  html += warned_row(summary, "steps by a simpler method", "fallbacks");
  html += warned_row(summary, "problems passed to another solver", "solver_switches");
  html += warned_row(summary, "losses that physics does not explain (J)", "suspect_loss_J");
  return html + "</table>\n";
}

std::string events_table(const nlohmann::json& summary) {
  if (!summary.contains("events") || !summary["events"].is_object()) return "";
  std::string rows;
  for (const auto& [kind, count] : summary["events"].items())
    if (count.is_number_integer() && count.get<std::int64_t>() > 0)
      rows += table_row(kind, fmt::format("{}", count.get<std::int64_t>()));
  if (rows.empty()) return "";
  return "<h2>Rows of events.csv</h2>\n<table>\n" + rows + "</table>\n";
}

std::string number_cell(const nlohmann::json& output, const char* key) {
  const bool known = output.contains(key) && output[key].is_number();
  return known ? fmt::format("<td>{:.3g}</td>", output[key].get<double>()) : "<td></td>";
}

std::string certificate_row(const nlohmann::json& output) {
  const std::string unit = output.value("unit", "");
  return fmt::format("<tr><th scope=\"row\">{} ({})</th>{}{}{}{}</tr>\n",
                     escape(output.value("name", "")), escape(unit),
                     number_cell(output, "estimate"), number_cell(output, "parted_at_s"),
                     number_cell(output, "from_choice"), number_cell(output, "effectivity"));
}

// What `pequod run --certify` found; empty if it was not asked.
std::string certificate_table(const RunData& run) {
  if (!run.certificate || !run.certificate->contains("outputs")) return "";
  constexpr std::array kHeads = {"output", "± estimate", "runs part at (s)",
                                 "with another choice of friction", "estimate / error"};
  std::string rows;
  for (const nlohmann::json& output : (*run.certificate)["outputs"])
    rows += certificate_row(output);
  std::string html = "<h2>Estimated errors at the end</h2>\n" +
                     scrolling_table("estimated errors", kHeads, rows) + "<table>\n";
  const nlohmann::json steps = run.certificate->value("steps", nlohmann::json::object());
  html += table_row("steps checked", value_text(steps, "steps"));
  html += warned_row(steps, "steps that do not pass", "failed");
  for (const auto& [head, key] :
       {std::pair{"Newton–Euler, worst", "newton"}, std::pair{"contact law, worst", "law"},
        std::pair{"duality gap, worst", "gap"}})
    html += table_row(head, value_text(steps, key));
  return html + "</table>\n";
}

std::string report_html(const RunData& run) {
  std::string body = summary_table(run.summary) + events_table(run.summary) +
                     certificate_table(run) + "<h2>Figures</h2>\n";
  std::vector<Figure> figures;
  for (const FigureKind& kind : figure_kinds()) {
    Figure figure = make_figure(kind, run);
    if (figure.empty()) continue;
    body += figure_html(on_page(figure));
    figures.push_back(std::move(figure));
  }
  body += fmt::format(
      "<p>Data behind a button has at most {} rows a line; all rows are in the files of the run "
      "folder.</p>\n",
      kPageRows);
  return report_page(run.name, body, figures);
}

}  // namespace
}  // namespace pequod::app::plot

namespace pequod::app {

int report_run(const ReportRequest& request) {
  const plot::RunData run = plot::read_run(request.folder);
  const std::filesystem::path file =
      request.output.empty() ? request.folder / "report.html" : request.output;
  replace_file(file, plot::report_html(run), false);
  print_out(file.string() + "\n");
  return kDone;
}

}  // namespace pequod::app
