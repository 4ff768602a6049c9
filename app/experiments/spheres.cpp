// 1001 balls poured into a box (Drumwright & Shell 2010, Figs. 5 to 7).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/pouring.h"

namespace pequod::app {
namespace {

constexpr double kFallingMass = 0.26808;  // kg a ball, as in the scene
// s; the lowest balls fall 0.998 m at least, for 0.451 s.
constexpr double kFalls = 0.44;
// s; the paper's frames are 1.4 s later, as its balls fall farther.
const std::vector<double> kFrames{0.55, 0.56, 0.57, 2.10, 2.15};

// What the paper's kind of solver is given before its failure is a row.
constexpr double kLemkeWall = 600.0, kLemkeMemory = 4e9;

// s; the quick form ends in seconds, beside other work in ten times that.
constexpr double kQuickWall = 60.0;

/// One model and what a run under it may cost, at full size.
struct PourModel {
  const char *name, *model, *solver;
  PourCaps caps;
};

const std::array kPourModels{
    PourModel{"QP 2, drumwright-shell", "drumwright-shell", "", {3600.0}},
    PourModel{"coulomb", "coulomb", "", {1200.0}},
    PourModel{"anitescu-potra, sweeps", "anitescu-potra", "", {300.0}},
    PourModel{"stewart-trinkle, Lemke", "stewart-trinkle", "lemke", {kLemkeWall, kLemkeMemory}}};

Scenario under(Scenario scenario, const PourModel& model) {
  scenario.contact.model = model.model;
  scenario.contact.solver = model.solver;
  scenario.contact.edges = 4;  // of pyramids, as the paper's
  return scenario;
}

// Largest rise of the energy from one record to the next, of the largest kinetic energy; `moved`:
// with what positions that were put right gave or took.
double largest_rise(const PourRun& run, double moved) {
  double rise = 0.0, peak = 0.0;
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const PourSample& now = run.samples[i];
    peak = std::max(peak, now.kinetic);
    if (i == 0) continue;
    const PourSample& before = run.samples[i - 1];
    rise = std::max(rise,
                    now.total - before.total + moved * (now.stabilisation - before.stabilisation));
  }
  return peak > 0.0 ? rise / peak : 0.0;
}

// Kinetic energy until something touches, off ½ M (g t)², relative.
double fall_error(const PourRun& run, int balls) {
  double worst = 0.0;
  for (const PourSample& sample : run.samples) {
    if (sample.t > kFalls) break;
    const double speed = kGravity * sample.t, asked = 0.5 * kFallingMass * balls * speed * speed;
    if (asked > 0.0) worst = std::max(worst, std::abs(sample.kinetic / asked - 1.0));
  }
  return worst;
}

Table pour_table(const std::string& title) {
  return {title,
          {"model", "balls", "simulated, s", "steps", "contacts in reach, mean after the fall",
           "most", "s", "ms a step", "ms a step after the fall", "deepest, m", "residual, worst",
           "not solved", "switches", "fallbacks", "kinetic at the end, of its most", "end"},
          {}};
}

std::vector<Cell> pour_row(const std::string& name, int balls, const PourRun& run) {
  double contacts = 0.0, most = 0.0, peak = 0.0, touching = 0.0, first = 0.0;
  for (const PourSample& sample : run.samples) {
    most = std::max(most, sample.contacts);
    peak = std::max(peak, sample.kinetic);
    if (sample.t <= kFalls) first = sample.wall;
    touching += sample.t > kFalls;
    if (sample.t > kFalls) contacts += sample.contacts;
  }
  const PourSample last = run.samples.empty() ? PourSample() : run.samples.back();
  const double steps = std::max(run.steps, 1.0);
  return {name,
          static_cast<double>(balls),
          last.t,
          run.steps,
          contacts / std::max(touching, 1.0),
          most,
          last.wall,
          1e3 * last.wall / steps,
          1e3 * (last.wall - first) / std::max(touching, 1.0),
          run.deepest,
          run.worst,
          run.unsolved,
          run.switches,
          run.fallbacks,
          peak > 0.0 ? last.kinetic / peak : 0.0,
          run.ended};
}

void check_pour(const Stage& stage, const std::string& name, int balls, const PourRun& run) {
  const std::string scene = fmt::format("{}, {} balls", name, balls);
  stage.at_most(scene, "runs that did not end, for want of time or else",
                run.ended == "ran" ? 0.0 : 1.0, 0.0);
  stage.at_most(scene, "deepest, any pair, any time, m", run.deepest, 1e-9);
  stage.at_most(scene, "kinetic energy gained by impulses of a step, relative", run.gain, 1e-12,
                "never");
  stage.at_most(scene, "rise of the energy in a step, but for positions put right, of its most",
                largest_rise(run, 1.0), 1e-8, "never");
  stage.at_most(scene, "kinetic energy off ½ M (g t)² until the first impact, relative",
                fall_error(run, balls), 1e-12);
}

void draw_energy(const Stage& stage, int balls,
                 const std::vector<std::pair<std::string, PourRun>>& runs) {
  Chart chart{fmt::format("Fig. 5: {} balls that fall into a box", balls),
              "time, s",
              "kinetic energy, J",
              false,
              {},
              false};
  for (const auto& [name, run] : runs) {
    Curve curve{name, {}};
    for (const PourSample& sample : run.samples)
      curve.points.emplace_back(sample.t, sample.kinetic);
    chart.curves.push_back(curve);
  }
  stage.draw(chart_svg(chart));
}

// The same balls seen from the front, those behind first.
std::string frames_svg(const std::string& title, const Lattice& lattice,
                       const std::vector<std::vector<Vector3d>>& frames, std::size_t first,
                       std::size_t count) {
  constexpr double kScale = 220.0, kPanel = 280.0, kTall = 2.2;  // px/m, px, m
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"20\" y=\"24\">{}</text>\n",
      kPanel * static_cast<double>(count) + 20.0, kScale * kTall + 80.0, title);
  for (std::size_t k = 0; k < count && first + k < frames.size(); ++k) {
    std::vector<Vector3d> places = frames[first + k];
    std::sort(places.begin(), places.end(),
              [](const Vector3d& a, const Vector3d& b) { return a.y() > b.y(); });
    const double x0 = kPanel * (static_cast<double>(k) + 0.5) + 10.0, y0 = kScale * kTall + 45.0;
    for (const Vector3d& p : places)
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"hsl(205,60%,{:.0f}%)\" "
          "stroke=\"#124\" stroke-width=\"0.4\"/>\n",
          x0 + kScale * p.x(), y0 - kScale * p.z(), kScale * 0.04,
          60.0 - 25.0 * p.y() / lattice.half_width);
    const double half = kScale * lattice.half_width;
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}v{:.1f}h{:.1f}v{:.1f}\" fill=\"none\" stroke=\"black\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">t = {:.2f} s; box {:g} m "
        "wide</text>\n",
        x0 - half, y0 - 1.5 * kScale, 1.5 * kScale, 2.0 * half, -1.5 * kScale, x0, y0 + 22.0,
        kFrames[first + k], 2.0 * lattice.half_width);
  }
  return svg + "</svg>\n";
}

// The models on the same balls. Lemke's method is that of the paper's comparison.
void pour_models(const Stage& stage) {
  const Lattice lattice = stage.quick ? Lattice{{4, 4, 4}, 0.2} : Lattice{{7, 11, 13}, 0.5};
  Scenario scenario = pour(stage.load("box"), lattice);
  if (stage.quick) scenario.duration = 0.6;
  Table table = pour_table("the same balls under each model, steps of 5 ms");
  std::vector<std::pair<std::string, PourRun>> runs;
  for (const PourModel& model : kPourModels) {
    const bool ours = std::string_view(model.solver).empty();
    const PourCaps caps = stage.quick ? PourCaps{ours ? kQuickWall : 1.0} : model.caps;
    PourRun run = run_pour(under(scenario, model), caps, kFrames);
    table.rows.push_back(pour_row(model.name, lattice.balls(), run));
    if (ours) check_pour(stage, model.name, lattice.balls(), run);
    runs.emplace_back(model.name, std::move(run));
  }
  stage.show(table);
  const PourRun& first = runs.front().second;
  stage.at_least("QP 2", "seconds simulated", first.samples.back().t, scenario.duration,
                 "about 5 s; LEMKE and PATH not to 1 s");
  draw_energy(stage, lattice.balls(), runs);
  if (first.frames.size() >= 3)
    stage.draw(frames_svg("Fig. 6: balls fall into the box", lattice, first.frames, 0, 3));
  if (first.frames.size() >= 5)
    stage.draw(frames_svg("Fig. 7: balls settle", lattice, first.frames, 3, 2));
  if (stage.quick) return;
  double peak = 0.0;
  for (const PourSample& sample : first.samples) peak = std::max(peak, sample.kinetic);
  stage.at_most("QP 2", "kinetic energy after 5 s, of its most",
                first.samples.back().kinetic / peak, 1e-3);
}

// 1 s of 100, 1000 and 10 164 balls, in boxes as wide as their lattice asks.
void pour_sizes(const Stage& stage) {
  struct Size {
    Lattice lattice;
    double wall;  // s
  };
  const std::vector<Size> sizes = stage.quick ? std::vector<Size>{{{{3, 3, 3}, 0.15}, kQuickWall}}
                                              : std::vector<Size>{{{{4, 5, 5}, 0.24}, 60.0},
                                                                  {{{10, 10, 10}, 0.5}, 300.0},
                                                                  {{{21, 22, 22}, 1.05}, 300.0}};
  Table table = pour_table("the first second, by the number of balls");
  for (const Size& size : sizes)
    for (const PourModel& model : {kPourModels[0], kPourModels[1]}) {
      Scenario scenario = under(pour(stage.load("box"), size.lattice), model);
      scenario.duration = stage.quick ? 0.6 : 1.0;
      const PourRun run = run_pour(scenario, {size.wall, stage.quick ? 0.0 : 2.0 * kLemkeMemory});
      table.rows.push_back(pour_row(model.name, size.lattice.balls(), run));
      check_pour(stage, model.name, size.lattice.balls(), run);
    }
  stage.show(table);
}

}  // namespace

extern const Experiment kSpheres{"spheres",
                                 "balls poured into a box (Drumwright & Shell 2010, Figs. 5 to 7)",
                                 {pour_models, pour_sizes},
                                 "examples/spheres"};

}  // namespace pequod::app
