#include "app/plot/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/contact_figures.h"
#include "app/plot/shadow_figure.h"

namespace pequod::app::plot {
namespace {

constexpr std::size_t kMostNames = 21;

bool any_of(const std::vector<double>& column) {
  return std::ranges::any_of(column, [](double x) { return x != 0.0; });
}

Series difference(const std::string& name, const LogTable& table, const std::string& column) {
  Series series{name, table.at("t"), table.at(column)};
  const double first = series.y.empty() ? 0.0 : series.y.front();
  for (double& y : series.y) y -= first;
  return series;
}

// With what the certificate estimates of its error, if there is one.
Series with_band(Series series, const RunData& run, const std::string& column) {
  if (const std::vector<double>* bars = run.bars ? run.bars->find("energy." + column) : nullptr)
    series.band = *bars;
  return series;
}

Figure energy_figure(const RunData& run) {
  const LogTable& energy = run.energy;
  Figure figure;
  figure.title = "energy: what there is, what was put in, what went where";
  if (run.bars) figure.title += "; bands: estimated error";
  if (energy.rows == 0) return figure;
  Panel stored{"energy (J)",
               {with_band(difference("potential − start", energy, "potential"), run, "potential"),
                with_band({"kinetic", energy.at("t"), energy.at("kinetic")}, run, "kinetic"),
                with_band(difference("total − start", energy, "total"), run, "total")},
               {}};
  Panel flows{"work and losses (J)", {}, {}};
  for (const char* column : {"actuator_work", "external_work", "damping_loss", "friction_loss",
                             "impact_loss", "zeno_loss", "stabilisation", "normal_loss"}) {
    const std::vector<double>* y = energy.find(column);
    if (y == nullptr || !any_of(*y)) continue;
    std::string name = column;
    std::replace(name.begin(), name.end(), '_', ' ');
    flows.series.push_back(with_band({name, energy.at("t"), *y}, run, column));
  }
  figure.panels.push_back(stored);
  if (!flows.series.empty()) figure.panels.push_back(flows);
  figure.panels.push_back(
      {"residual (J)",
       {with_band({"residual", energy.at("t"), energy.at("residual")}, run, "residual")},
       {}});
  return figure;
}

// Names of the columns that end so, without that end.
std::vector<std::string> owners_of(const LogTable& state, const std::string& end) {
  std::vector<std::string> names;
  for (const std::string& column : state.names)
    if (column.ends_with(end)) names.push_back(column.substr(0, column.size() - end.size()));
  return names;
}

std::string cut_to_most(std::vector<std::string>& names, const char* what) {
  if (names.size() <= kMostNames) return "";
  const std::size_t left = names.size() - kMostNames;
  names.resize(kMostNames);
  return fmt::format("{} more {} are not drawn", left, what);
}

// The angle between the z axis of a body at rest in its own frame and the world's:
// cos = 1 − 2 (x² + y²) of its quaternion.
std::vector<double> tilt(const LogTable& state, const std::string& name) {
  const std::vector<double>&x = state.at(name + ".qx"), &y = state.at(name + ".qy");
  std::vector<double> angle;
  for (std::size_t i = 0; i < x.size(); ++i)
    angle.push_back(std::acos(std::clamp(1.0 - 2.0 * (x[i] * x[i] + y[i] * y[i]), -1.0, 1.0)));
  return angle;
}

Figure bodies_figure(const RunData& run) {
  std::vector<std::string> names = owners_of(run.state, ".x");
  Figure figure;
  figure.title = "bodies and bases: how high, how fast, how far they lean";
  figure.note = cut_to_most(names, "bodies");
  if (names.empty() || run.state.rows == 0) return figure;
  const std::vector<double>& t = run.state.at("t");
  Panel height{"z (m)", {}, {}}, speed{"speed (m/s)", {}, {}}, lean{"tilt (rad)", {}, {}};
  for (const std::string& name : names) {
    height.series.push_back({name, t, run.state.at(name + ".z")});
    const std::vector<double>&vx = run.state.at(name + ".vx"), &vy = run.state.at(name + ".vy"),
          &vz = run.state.at(name + ".vz");
    std::vector<double> v;
    for (std::size_t i = 0; i < t.size(); ++i) v.push_back(std::hypot(vx[i], vy[i], vz[i]));
    speed.series.push_back({name, t, v});
    lean.series.push_back({name, t, tilt(run.state, name)});
  }
  figure.panels = {height, speed, lean};
  return figure;
}

Figure joints_figure(const RunData& run) {
  std::vector<std::string> names = owners_of(run.state, ".q");
  Figure figure;
  figure.title = "joints: position, velocity, effort of the actuator";
  figure.note = cut_to_most(names, "joints");
  if (names.empty() || run.state.rows == 0) return figure;
  const std::vector<double>& t = run.state.at("t");
  for (const auto& [end, label] : {std::pair{".q", "q (rad, m)"}, std::pair{".v", "v (rad/s, m/s)"},
                                   std::pair{".tau", "effort (N·m, N)"}}) {
    Panel panel{label, {}, {}};
    for (const std::string& name : names)
      panel.series.push_back({name, t, run.state.at(name + end)});
    figure.panels.push_back(panel);
  }
  return figure;
}

}  // namespace

constexpr FigureKind kModelsFigure{"models", "what other models make of the contact problems",
                                   models_figure};

namespace {

constexpr FigureKind kKinds[] = {
    {"energy", "energies, works and losses, and the residual", energy_figure},
    {"gait", "when what touches carries a force", gait_figure},
    {"bodies", "height, speed and tilt of bodies and bases", bodies_figure},
    {"joints", "position, velocity and effort of joints", joints_figure},
    {"forces", "contact forces", forces_figure},
    {"gaps", "the least gap", gaps_figure},
    {"solver", "pivots and residual of the contact solver, of runs with a row a step",
     solver_figure},
    {"events", "events by kind", events_figure},
    kModelsFigure,
};

}  // namespace

std::span<const FigureKind> figure_kinds() { return kKinds; }

Figure make_figure(const FigureKind& kind, const RunData& run) {
  Figure figure = kind.make(run);
  figure.what = kind.name;
  figure.title = run.name + ": " + figure.title;
  const std::vector<double>& t = run.state.at("t");
  if (!t.empty()) {
    figure.from = t.front();
    figure.to = t.back() > t.front() ? t.back() : t.front() + 1e-3;
  }
  if (run.summary.contains("robots") && run.summary["robots"].is_array())
    for (const nlohmann::json& robot : run.summary["robots"])
      if (robot.contains("fell_at_s") && robot["fell_at_s"].is_number())
        figure.marks.emplace_back(robot["fell_at_s"].get<double>(),
                                  robot.value("name", "robot") + " fell");
  return figure;
}

}  // namespace pequod::app::plot
