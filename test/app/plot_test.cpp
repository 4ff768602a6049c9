// `pequod plot` and `pequod report`: what they draw is what the run has written.
#include <tinyxml2.h>

#include <cmath>

#include "app/experiments/chart.h"
#include "app/plot/axis.h"
#include "app/plot/figure_pack.h"
#include "app/plot/figures.h"
#include "test/app/packed_page.h"
#include "test/app/run_columns.h"

namespace pequod::test {
namespace {

namespace plot = pequod::app::plot;

// A ball that falls, is hit once without bounce, and lies still.
constexpr const char* kBall = R"(duration: 1
integrator: {step: 0.001}
contact: {restitution: poisson}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.6]}
)";

// Where a run of the ball is.
fs::path run_ball(const Folder& folder) {
  folder.write("ball.yaml", kBall);
  REQUIRE(pequod(folder, {"run", "ball.yaml", "--output", "out"}).code == 0);
  return folder.path() / "out";
}

plot::Figure figure(const fs::path& path, const std::string& what) {
  for (const plot::FigureKind& kind : plot::figure_kinds())
    if (kind.name == what) return plot::make_figure(kind, plot::read_run(path));
  FAIL("no such figure");
  return {};
}

const plot::Series& line(const plot::Figure& figure, const std::string& name) {
  for (const plot::Panel& panel : figure.panels)
    for (const plot::Series& series : panel.series)
      if (series.name == name) return series;
  FAIL("no such line: " << name);
  return figure.panels[0].series[0];
}

bool is_xml(const std::string& text) {
  tinyxml2::XMLDocument document;
  return document.Parse(text.c_str()) == tinyxml2::XML_SUCCESS;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

// Without the script that explores figures, unless the folder has one.
Finished write_report(const Folder& folder) {
  return pequod(folder, {"report", "out"},
                [&] { ::setenv("PEQUOD_WEB", folder.path().c_str(), 1); });
}

// All columns of a report, holes as NaN.
std::vector<std::vector<double>> columns_of(const PackedPage& page) {
  std::vector<std::vector<double>> columns;
  std::size_t at = page.begin;
  for (const auto& column : page.json["columns"]) {
    const std::size_t begin = at;
    std::vector<double> values = unpack(page.bytes, at, column["rows"]);
    CHECK(at - begin == column["bytes"].get<std::size_t>());
    for (double& x : values)
      x = x == 0.0 ? NAN : column["low"].get<double>() + (x - 1.0) * column["unit"].get<double>();
    columns.push_back(values);
  }
  CHECK(at == page.bytes.size());
  return columns;
}

// Holes are apart from everything but holes.
double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isfinite(a[i]) || std::isfinite(b[i]))
      worst = std::isfinite(a[i] - b[i]) ? std::max(worst, std::abs(a[i] - b[i])) : INFINITY;
  return worst;
}

double range_of(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double x : values)
    if (std::isfinite(x)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  return high > low ? high - low : 0.0;
}

}  // namespace

// It falls 0.5 m within √(2·0.5/9.81) s = 0.3193 s and lies from there on: 2 kg · 9.81 m/s² push.
TEST_CASE("figures of a ball that falls and lies show when it touches, and its weight") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  const double landing = std::sqrt(2.0 * 0.5 / 9.81);

  const plot::Figure gait = figure(out, "gait");
  REQUIRE(gait.panels.size() == 1);
  REQUIRE(gait.panels[0].lanes.size() == 1);  // the ground does not move
  const plot::Lane& lane = gait.panels[0].lanes[0];
  CHECK(lane.name == "ball");
  REQUIRE(lane.bars.size() == 1);
  CHECK(std::abs(lane.bars[0].first - landing) <= 0.01 + 1e-9);  // the records are 0.01 s apart
  CHECK(lane.bars[0].second == doctest::Approx(1.0).epsilon(1e-12));
  REQUIRE_FALSE(lane.ticks.empty());
  CHECK(std::abs(lane.ticks[0] - landing) < 2e-3);  // symplectic Euler at 1 ms

  const plot::Figure forces = figure(out, "forces");
  CHECK(line(forces, "ball").y.back() == doctest::Approx(2.0 * 9.81).epsilon(1e-9));
  CHECK(line(forces, "ball").y.front() == 0.0);
  CHECK(line(figure(out, "bodies"), "ball").y.back() == doctest::Approx(0.1).epsilon(1e-9));
  CHECK(figure(out, "joints").empty());
}

TEST_CASE("the lines of the energy figure are the columns of energy.csv") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  const plot::Figure energy = figure(out, "energy");
  CHECK(line(energy, "kinetic").y == number_column(out / "energy.csv", "kinetic"));
  CHECK(line(energy, "impact loss").y == number_column(out / "energy.csv", "impact_loss"));
  CHECK(line(energy, "residual").y == number_column(out / "energy.csv", "residual"));
  CHECK(line(energy, "residual").x == number_column(out / "energy.csv", "t"));
  CHECK(energy.panels.back().series.size() == 1);  // the residual has an axis of its own
}

TEST_CASE("a curve of many points keeps its peaks in few") {
  plot::Figure figure;
  plot::Panel panel{"y", {{"spike", {}, {}}}, {}};
  for (int i = 0; i <= 200000; ++i) {
    panel.series[0].x.push_back(i / 200000.0);
    panel.series[0].y.push_back(i == 123456 ? 1.0 : i == 45678 ? -1.0 : 0.0);
  }
  figure.panels = {panel};
  const std::string svg = plot::figure_svg(figure, true);
  CHECK(is_xml(svg));
  CHECK(svg.size() < 60000);
  // The first panel begins 44 px below the top of the picture and is 190 px high.
  CHECK(count(svg, " 44.0L") == 1);
  CHECK(count(svg, " 234.0L") == 1);
}

TEST_CASE("ticks are round, hold the values, and also a constant gets some") {
  for (const std::pair<double, double>& ends :
       {std::pair{0.0, 1.0}, std::pair{-3e-13, 7e-14}, std::pair{99.5, 1234.0}, std::pair{5.0, 5.0},
        std::pair{0.0, 0.0}, std::pair{-1e9, 1e9}}) {
    const double low = ends.first, high = ends.second;
    const plot::Scale scale = plot::make_scale(low, high, 5, true);
    CAPTURE(low);
    CAPTURE(high);
    CHECK(scale.low <= low);
    CHECK(scale.high >= high);
    CHECK(scale.ticks.size() >= 2);
    CHECK(scale.ticks.size() <= 14);
    const double first = scale.step / std::pow(10.0, std::floor(std::log10(scale.step) + 1e-9));
    CHECK((std::abs(first - 1) < 1e-6 || std::abs(first - 2) < 1e-6 || std::abs(first - 5) < 1e-6));
  }
}

TEST_CASE(
    "ticks of a logarithmic axis are powers of ten, with 2 and 5 between where they are few") {
  const plot::Scale decades = plot::make_log_scale(3e-9, 0.02, true);
  CHECK(decades.low == doctest::Approx(1e-9));
  CHECK(decades.high == doctest::Approx(0.1));
  CHECK(decades.ticks.size() == 9);
  CHECK(decades.text(decades.ticks.front()) == "1e-09");
  CHECK(decades.at(1e-5) == doctest::Approx(0.5));
  const plot::Scale few = plot::make_log_scale(0.02, 0.3, false);
  CHECK(few.low < 0.02);
  CHECK(few.high > 0.3);
  CHECK(few.ticks.size() == 4);  // 0.02, 0.05, 0.1, 0.2
  CHECK(few.ticks[0] == doctest::Approx(0.02));
  CHECK(!few.has(0.0));
  // No value at all, as where every error is 0.
  const plot::Scale none = plot::make_log_scale(INFINITY, 0.0, false);
  CHECK(none.low < 1.0);
  CHECK(none.high > 1.0);
}

TEST_CASE("plot writes its figures and names them; report puts them into one page") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  const Finished plotted = pequod(folder, {"plot", "out"});
  CHECK(plotted.code == 0);
  CHECK(plotted.out ==
        "out/energy.svg\nout/gait.svg\nout/bodies.svg\nout/forces.svg\nout/gaps.svg\n"
        "out/events.svg\n");
  for (const char* name : {"energy", "gait", "bodies", "forces", "gaps", "events"})
    CHECK_MESSAGE(is_xml(read_file(out / (std::string(name) + ".svg"))), name);
  CHECK(pequod(folder, {"plot", "out", "--what", "gaps", "--output", "g.svg"}).code == 0);
  CHECK(read_file(folder.path() / "g.svg") == read_file(out / "gaps.svg"));

  const Finished reported = write_report(folder);
  CHECK(reported.code == 0);
  CHECK(reported.out == "out/report.html\n");
  const std::string html = read_file(out / "report.html");
  CHECK(count(html, "<figure id=") == 6);
  CHECK(count(html, "data-act=\"data\"") == 6);
  // Nothing is fetched: the one address is the name of the format.
  CHECK(count(html, "http") == count(html, "xmlns=\"http://www.w3.org/2000/svg\"") + 1);
  CHECK(count(html, "http-equiv") == 1);
  CHECK(count(html, "<code>./dev web</code>, then write this report again") == 1);
  // The pictures do not keep the folder from being used again.
  CHECK(pequod(folder, {"run", "ball.yaml", "--output", "out"}).code == 0);
}

TEST_CASE("a run with a row a step has a figure of its solver") {
  const Folder folder;
  folder.write("ball.yaml", std::string(kBall) + "record: {steps: true}\n");
  REQUIRE(pequod(folder, {"run", "ball.yaml", "--output", "out"}).code == 0);
  const fs::path out = folder.path() / "out";
  const plot::Figure drawn = figure(out, "solver");
  CHECK(line(drawn, "pivots").y == number_column(out / "steps.csv", "pivots"));
  CHECK(line(drawn, "worst").y == number_column(out / "steps.csv", "residual"));
}

TEST_CASE("with its script a report has all that its figures show") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  folder.write("report.js", "let a = '</script>';\n");
  REQUIRE(write_report(folder).code == 0);
  const std::string html = read_file(out / "report.html");
  CHECK(html.find("let a = '<\\/script>';") != std::string::npos);
  CHECK(html.find("./dev web") == std::string::npos);
  const PackedPage page = packed_in(html, "id=\"figures\">");
  const std::vector<std::vector<double>> columns = columns_of(page);
  std::size_t figures = 0;
  for (const plot::FigureKind& kind : plot::figure_kinds()) {
    const plot::Figure drawn = plot::make_figure(kind, plot::read_run(out));
    if (drawn.empty()) continue;
    const auto& packed = page.json["figures"][figures++];
    CAPTURE(drawn.what);
    CHECK(packed["what"] == drawn.what);
    REQUIRE(packed["panels"].size() == drawn.panels.size());
    for (std::size_t p = 0; p < drawn.panels.size(); ++p) {
      const auto& panel = packed["panels"][p];
      for (std::size_t i = 0; i < drawn.panels[p].series.size(); ++i) {
        const plot::Series& line = drawn.panels[p].series[i];
        CHECK(panel["lines"][i]["name"] == line.name);
        CHECK(farthest(columns[panel["lines"][i]["t"]], line.x) <= 5e-8);
        CHECK(farthest(columns[panel["lines"][i]["y"]], line.y) <= 5.001e-6 * range_of(line.y));
      }
      for (std::size_t i = 0; i < drawn.panels[p].lanes.size(); ++i) {
        const plot::Lane& lane = drawn.panels[p].lanes[i];
        CHECK(farthest(columns[panel["lanes"][i]["ticks"]], lane.ticks) <= 5e-8);
        CHECK(columns[panel["lanes"][i]["from"]].size() == lane.bars.size());
      }
    }
  }
  CHECK(page.json["figures"].size() == figures);
}

TEST_CASE("holes of a line are holes when it is unpacked, and a band goes along") {
  plot::Figure figure;
  figure.what = "made";
  figure.panels = {{"x (m)", {{"a", {0, 1, 2, 3}, {NAN, 5, 5, NAN}, {0.1, 0.2, NAN, 0.1}}}, {}}};
  const PackedPage page = packed_in(
      "id=\"figures\">" + plot::pack_figures({&figure, 1}) + "</script>", "id=\"figures\">");
  const std::vector<std::vector<double>> columns = columns_of(page);
  const auto& line = page.json["figures"][0]["panels"][0]["lines"][0];
  CHECK(farthest(columns[line["y"]], {NAN, 5, 5, NAN}) == 0.0);
  CHECK(farthest(columns[line["band"]], {0.1, 0.2, NAN, 0.1}) <= 0.51e-6);
}

TEST_CASE("names that would be markup are text in pictures and pages") {
  CHECK(plot::escape("a<b>&\"c\"\x01") == "a&lt;b&gt;&amp;&quot;c&quot;");
}

TEST_CASE("a robot that fell is marked") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  std::string summary = read_file(out / "summary.json");
  const std::string none = "\"robots\": []";
  REQUIRE(summary.find(none) != std::string::npos);
  summary.replace(summary.find(none), none.size(),
                  "\"robots\": [{\"name\": \"dog\", \"walked_m\": 1.5, \"fell_at_s\": 0.25}]");
  std::ofstream(out / "summary.json") << summary;
  const plot::Figure bodies = figure(out, "bodies");
  REQUIRE(bodies.marks.size() == 1);
  CHECK(bodies.marks[0].first == 0.25);
  CHECK(plot::figure_svg(bodies, true).find("dog fell") != std::string::npos);
  REQUIRE(pequod(folder, {"report", "out"}).code == 0);
  CHECK(read_file(out / "report.html").find("walked 1.500 m, fell at 0.25 s") != std::string::npos);
}

TEST_CASE("what cannot be drawn is refused with the reason and the cure") {
  const Folder folder;
  const fs::path out = run_ball(folder);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& message) {
    const Finished finished = pequod(folder, words);
    CAPTURE(finished.err);
    CHECK(finished.code == 2);
    CHECK(finished.err.find(message) != std::string::npos);
  };
  refused({"plot"}, "plot: a run folder is missing: pequod plot DIR");
  refused({"plot", "nowhere"}, "nowhere: no such folder");
  refused({"plot", "."}, ".: is no run folder: it has no summary.json; pequod run SCENE.yaml");
  refused({"plot", "out", "--what", "enrgy"}, "did you mean \"energy\"?");
  refused({"plot", "out", "--what", "joints"}, "out: has nothing to draw for --what joints");
  refused({"plot", "out", "--format", "gif"}, "--format: unknown name \"gif\"");
  refused({"plot", "out", "--output", "x.svg"}, "--output names the file of one figure");
  refused({"plot", "out", "--what", "energy", "--output", "x.pdf"}, "--output x.pdf, but --format");
  refused({"plot", "out", "--what", "energy", "--output", ""}, "plot: --output has an empty value");
  refused({"report"}, "report: one run folder");
  refused({"report", "out", "out"}, "report: one run folder");
  std::ofstream(out / "energy.csv", std::ios::app) << "1,2,x\n";
  refused({"report", "out"}, "energy.csv:103: has not 13 cells, as its head line");
}

// A stand-in for the program: it copies what it is given to draw.
TEST_CASE("pdf and png come from a program on the PATH, and without one plot says which") {
  const Folder folder;
  run_ball(folder);
  const std::string tools = (folder.path() / "tools").string();
  fs::create_directories(tools);
  const auto path = [&] { ::setenv("PATH", tools.c_str(), 1); };
  const Finished without =
      pequod(folder, {"plot", "out", "--what", "energy", "--format", "pdf"}, path);
  CHECK(without.code == 2);
  CHECK(without.err.find("needs rsvg-convert (of Debian's librsvg2-bin) or inkscape") !=
        std::string::npos);
  folder.write("tools/rsvg-convert", "#!/bin/sh\n/bin/cp \"$7\" \"$6\"\n");
  fs::permissions(tools + "/rsvg-convert", fs::perms::owner_all);
  const Finished with =
      pequod(folder, {"plot", "out", "--what", "energy", "--format", "pdf"}, path);
  CHECK(with.out == "out/energy.pdf\n");
  CHECK(is_xml(read_file(folder.path() / "out/energy.pdf")));
  folder.write("tools/rsvg-convert", "#!/bin/sh\nexit 3\n");
  CHECK(pequod(folder, {"plot", "out", "--what", "gait", "--format", "pdf"}, path).code == 1);
}

// Fig. 4 of `pequod experiment engine` ended at the name of its third curve.
TEST_CASE("a chart is XML whatever its curves are called") {
  const app::Chart chart{"a < b", "t, s", "\"x\"", false, {{"Anitescu & Potra", {{0, 1}, {1, 2}}}}};
  const std::string svg = app::chart_svg(chart);
  CHECK(is_xml(svg));
  CHECK(svg.find("Anitescu &amp; Potra") != std::string::npos);
}

}  // namespace pequod::test
