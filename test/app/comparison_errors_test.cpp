// Orders, error bars, references and advice of comparisons, of motions that are made up: x_h = x +
// c hᵖ, so that the truth is known.
#include "app/comparison_errors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/comparison_text.h"
#include "app/plot/comparison_page.h"

namespace pequod::app {
namespace {

struct MadeUp {
  Comparison comparison;
  std::vector<StateLog> logs;

  // Half a metre a second along x, off by `error` at the end and by less before.
  void add(const std::string& integrator, const std::string& model, double step, int order,
           double error, double cost) {
    ComparisonRow row;
    row.integrator = integrator;
    row.model = model;
    row.step = row.effective = step;
    row.formal_order = order;
    row.processor_time = cost;
    row.status = "finished";
    comparison.rows.push_back(row);
    StateLog log{{"t", "a.x", "a.y", "a.z", "a.vx"}, {}};
    for (const double t : {0.0, 0.25, 0.5, 1.0})
      log.rows.push_back({t, 0.5 * t + error * t * t, 0.0, 1.0, 7.0 * error});
    logs.push_back(log);
  }

  void judge() {
    judge_errors(comparison, logs, std::vector<std::optional<ClosedLog>>(logs.size()));
  }
  const ComparisonRow& row(std::size_t i) const { return comparison.rows[i]; }
};

}  // namespace

TEST_CASE(
    "the distance of two motions is the largest of places, joints and angles at shared rows") {
  const double half = 0.5 * 0.3;  // of a turn by 0.3 rad about x
  const StateLog still{{"t", "a.x", "a.y", "a.z", "a.qw", "a.qx", "a.qy", "a.qz", "r/j.q", "r/j.v"},
                       {{0, 1, 2, 3, 1, 0, 0, 0, 0.5, 0}, {1, 1, 2, 3, 1, 0, 0, 0, 0.5, 0}}};
  StateLog moved = still;
  CHECK(state_distance(still, moved) == 0.0);
  moved.rows[0][9] = 100.0;  // velocities are no places
  CHECK(state_distance(still, moved) == 0.0);
  moved.rows[1][1] = 1.03;
  moved.rows[1][2] = 2.04;
  CHECK(state_distance(still, moved) == doctest::Approx(0.05));
  moved.rows[0][8] = 0.4;
  CHECK(state_distance(still, moved) == doctest::Approx(0.1));
  // The other of the two quaternions of that turn.
  moved.rows[1][4] = -std::cos(half);
  moved.rows[1][5] = -std::sin(half);
  CHECK(state_distance(still, moved) == doctest::Approx(0.3).epsilon(1e-12));
  moved.rows[1][0] = 1.5;  // a row that the other has not
  CHECK(state_distance(still, moved) == doctest::Approx(0.1));
  CHECK(std::isnan(state_distance(still, {{"t", "b.q"}, {{0, 1}, {1, 1}}})));
}

TEST_CASE("errors that fall at order p have that order, and bars that hold the true error") {
  for (const int p : {1, 2, 4, 5}) {
    MadeUp made;
    for (const double h : {0.4, 0.2, 0.1}) made.add("rk", "m", h, p, 0.3 * std::pow(h, p), 1.0 / h);
    made.judge();
    CHECK(made.row(2).order == doctest::Approx(p));
    CHECK(std::isnan(made.row(0).order));
    for (std::size_t i = 0; i < 3; ++i) {
      const double truth = 0.3 * std::pow(made.row(i).step, p);
      INFO("order " << p << ", step " << made.row(i).step);
      CHECK(made.row(i).bar == doctest::Approx(1.25 * truth));
      CHECK((made.row(i).reference || made.row(i).difference < truth));
    }
    CHECK(made.row(2).reference);
    CHECK(made.row(2).error == made.row(2).bar);
  }
}

// Error h + 10 h⁴ of a method that should have order 4: what is left is order one, and the factor
// of safety three.
TEST_CASE("bars hold the error also where the order is less than it should be, or unknown") {
  MadeUp made;
  const auto error = [](double h) { return h + 10.0 * std::pow(h, 4); };
  for (const double h : {0.04, 0.02, 0.01}) made.add("rk4", "m", h, 4, error(h), 1.0);
  made.add("rk4", "two", 0.2, 4, error(0.2), 1.0);
  made.add("rk4", "two", 0.1, 4, error(0.1), 1.0);
  made.judge();
  for (std::size_t i = 0; i < 5; ++i) {
    INFO("row " << i);
    CHECK(made.row(i).bar > error(made.row(i).step));
    CHECK(made.row(i).bar < 10.0 * error(made.row(i).step));
  }
}

TEST_CASE("runs that do not converge have no bar, and steps that are cut unevenly neither order") {
  MadeUp made;
  made.add("rk4", "chaos", 0.4, 4, 1.0, 1.0);
  made.add("rk4", "chaos", 0.2, 4, -1.0, 2.0);
  made.add("rk4", "chaos", 0.1, 4, 1.5, 4.0);
  for (const double h : {0.4, 0.2, 0.1}) made.add("rk4", "cut", h, 4, h, 1.0);
  made.comparison.rows[4].even = false;
  made.judge();
  CHECK(made.row(2).order < 0.0);
  CHECK(made.row(2).parted);
  CHECK(order_text(made.row(2)) == "parted");
  CHECK(std::isnan(made.row(2).bar));
  CHECK(std::isnan(made.row(5).order));
  CHECK(std::isnan(made.row(4).bar));
}

// Of a motion of half a metre: by how much the runs of three steps differ, and what is said of it.
TEST_CASE(
    "runs have parted where they differ by a share of the motion and fall at no known order") {
  const auto third = [](double a, double b, double c) {
    MadeUp made;
    made.add("rk4", "m", 0.4, 4, a, 1.0);
    made.add("rk4", "m", 0.2, 4, b, 1.0);
    made.add("rk4", "m", 0.1, 4, c, 1.0);
    made.judge();
    return made.row(2);
  };
  CHECK(third(1.3, 0.7, 0.0).parted);              // differ by 0.6 and 0.7 m
  CHECK(third(0.9, 0.2, 0.0).parted);              // fall, at order 1.8 in place of 4
  CHECK(!third(0.9 * 256, 0.9 * 16, 0.9).parted);  // far apart, but at order 4
  CHECK(!third(0.0005, 0.0002, 0.0).parted);       // no order, and next to nothing
  const ComparisonRow small = third(0.0003, 0.0004, 0.0);
  CHECK(!small.parted);
  CHECK(small.order < 0.5);
  CHECK(std::isnan(small.bar));
}

TEST_CASE("what differs by rounding is exact, and steps that ticks cut to one length are one run") {
  MadeUp made;
  for (const double h : {0.4, 0.2, 0.1}) made.add("rk4", "m", h, 4, 1e-15 / h, 1.0);
  made.add("rk4", "cut", 0.1, 4, 1e-3, 1.0);
  made.add("rk4", "cut", 0.1, 4, 1e-3, 1.0);
  made.add("rk4", "cut", 0.05, 4, 1e-3 / 16, 1.0);
  made.judge();
  CHECK(std::isinf(made.row(2).order));
  CHECK(made.row(2).bar < 1e-10);
  CHECK(made.row(3).bar == made.row(4).bar);
  CHECK(made.row(3).bar > 1e-3);
}

TEST_CASE("a model is measured against its own finest run, a failed run against nothing") {
  MadeUp made;
  for (const double h : {0.4, 0.2, 0.1}) made.add("euler", "m", h, 1, h, 1.0 / h);
  for (const double h : {0.4, 0.2, 0.1}) made.add("rk4", "m", h, 4, std::pow(h, 4), 4.0 / h);
  for (const double h : {0.4, 0.2, 0.1}) made.add("euler", "other", h, 1, 5.0 + h, 1.0 / h);
  made.add("rk4", "alone", 0.1, 4, 0.0, 1.0);
  made.add("rk4", "m", 0.05, 4, 0.0, 1.0);
  made.comparison.rows.back().status = "failed";
  made.judge();
  REQUIRE(made.comparison.references.size() == 2);
  CHECK(made.row(5).reference);
  CHECK(made.row(8).reference);
  CHECK(made.row(0).difference == doctest::Approx(0.4 - 1e-4));
  CHECK(made.row(6).difference == doctest::Approx(0.3));
  CHECK(std::isnan(made.row(9).error));
  CHECK(std::isnan(made.row(10).error));
}

TEST_CASE("the advice names the cheapest run that is near enough, and who is never near") {
  MadeUp made;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) made.add("euler", "m", h, 1, h, 1.0 / h);
  for (const double h : {1e-1, 5e-2, 2.5e-2}) made.add("rk4", "m", h, 4, std::pow(h, 4), 4.0 / h);
  for (const double h : {0.4, 0.2, 0.1}) made.add("euler", "rough", h, 1, h, 1.0 / h);
  made.judge();
  made.comparison.wanted = 5e-5;
  CHECK(comparison_advice(made.comparison) ==
        "at 5e-05 m the cheapest is rk4 x m with steps of 50 ms (80 s of processor time, error "
        "5.9e-06 m); with rough none is that near: the nearest, euler with steps of 100 ms, is off "
        "by 1.2e-01 m");
  made.comparison.wanted = 0.5;
  CHECK(comparison_advice(made.comparison)
            .starts_with("at 0.5 m the cheapest is euler x rough with steps of 400 ms (2.5 s"));
}

TEST_CASE("there is no advice from fewer than three steps, unless the closed form is known") {
  MadeUp made;
  for (const double h : {0.2, 0.1}) made.add("rk4", "m", h, 4, std::pow(h, 4), 1.0 / h);
  made.judge();
  CHECK(made.row(1).reference);
  CHECK(comparison_advice(made.comparison) ==
        "no advice from fewer than three steps of different lengths: give three at one ratio "
        "(--steps h,h/2,h/4)");
  // Steps that ticks cut to one length are one.
  made.add("rk4", "m", 0.1, 4, 1e-4, 1.0);
  made.judge();
  CHECK(comparison_advice(made.comparison).starts_with("no advice from fewer than three steps"));
  for (const double h : {0.4, 0.2, 0.1}) made.add("euler", "fine", h, 1, h, 1.0 / h);
  made.comparison.references.clear();
  made.judge();
  made.comparison.wanted = 0.5;
  CHECK(
      comparison_advice(made.comparison) ==
      "at 0.5 m the cheapest is euler x fine with steps of 400 ms (2.5 s of processor time, error "
      "3.0e-01 m); with m no advice from fewer than three steps of different lengths");

  MadeUp known;
  known.add("rk4", "m", 0.1, 4, 1e-4, 1.0);
  const std::vector<std::optional<ClosedLog>> closed{
      ClosedLog{"the closed form", {known.logs[0].names, {{0, 0, 0, 1, 0}, {1, 0.5, 0, 1, 0}}}}};
  judge_errors(known.comparison, known.logs, closed);
  known.comparison.wanted = 1e-3;
  CHECK(comparison_advice(known.comparison).starts_with("at 0.001 m the cheapest is rk4 x m"));
}

TEST_CASE("there is neither order nor advice from fewer than three rows after the start") {
  for (const std::size_t rows : {1U, 2U, 3U}) {
    MadeUp made;
    for (const double h : {0.4, 0.2, 0.1}) made.add("rk4", "m", h, 4, 1e-15 / h, 1.0);
    for (StateLog& log : made.logs) log.rows.resize(rows + 1);
    made.judge();
    CHECK(order_text(made.row(2)) == (rows < 3 ? "-" : "exact"));
    const std::string advice = comparison_advice(made.comparison);
    if (rows == 3) {
      CHECK(advice.starts_with("at 0.0001 m the cheapest is rk4 x m"));
      continue;
    }
    CHECK(advice ==
          "no order and no advice from " + std::to_string(rows) + (rows == 1 ? " row" : " rows") +
              " of state.csv after the start: take a shorter record.every, steps that divide each "
              "other, or a longer --duration");
  }
}

// Errors of both are 1/cost, the second's half: at any cost it comes first.
TEST_CASE("pairs are sorted by their error at equal cost, large steps first") {
  MadeUp made;
  for (const double h : {0.1, 0.2, 0.4}) made.add("euler", "m", h, 1, h, 1.0 / h);
  for (const double h : {0.1, 0.2, 0.4}) made.add("half", "m", 2.0 * h, 1, h, 0.5 / h);
  made.add("rk4", "lost", 0.1, 4, 0.0, 1.0);
  made.judge();
  sort_by_error(made.comparison);
  CHECK(made.row(0).integrator == "half");
  CHECK(made.row(0).step == 0.8);
  CHECK(made.row(3).integrator == "euler");
  CHECK(made.row(6).model == "lost");
  CHECK(made.row(0).error_at_equal_cost < made.row(3).error_at_equal_cost);
  CHECK(made.comparison.equal_cost > 0.0);
}

// Of a line in a figure with logarithmic axes the slope is the power: error ∝ cost⁻¹, over 480 px
// by 340 px of decades.
TEST_CASE("a page shows error against cost as a line a pair, to scale, and asks no host") {
  MadeUp made;
  for (const double h : {0.1, 0.01, 0.001}) made.add("euler", "m<1>", h, 1, h, 1.0 / h);
  made.add("rk4", "broken", 0.1, 4, 0.0, 1.0);
  made.comparison.rows.back().status = "failed";
  made.comparison.rows.back().reason = "it <broke>";
  made.judge();
  for (std::size_t i = 0; i < 3; ++i) made.comparison.rows[i].error = made.row(i).step;
  const std::string svg = plot::work_precision_svg(made.comparison, false);
  const std::size_t path = svg.find("fill=\"none\" stroke-width=\"1.6\" d=\"M");
  REQUIRE(path != std::string::npos);
  double x[3], y[3];
  REQUIRE(std::sscanf(svg.c_str() + svg.find("d=\"M", path) + 4, "%lf %lfL%lf %lfL%lf %lf", &x[0],
                      &y[0], &x[1], &y[1], &x[2], &y[2]) == 6);
  // Three points a decade apart in both.
  CHECK(x[1] - x[0] == doctest::Approx(x[2] - x[1]).epsilon(0.01));
  CHECK(y[1] - y[0] == doctest::Approx(y[2] - y[1]).epsilon(0.01));
  CHECK(x[1] - x[0] == doctest::Approx(480.0 / 2.3).epsilon(0.01));
  CHECK(y[1] - y[0] == doctest::Approx(340.0 / 2.3).epsilon(0.01));
  const std::string page = plot::comparison_page(made.comparison);
  CHECK(page.find("m&lt;1&gt;") != std::string::npos);
  CHECK(page.find("it &lt;broke&gt;") != std::string::npos);
  CHECK(page.find("m<1>") == std::string::npos);
  std::size_t hosts = 0;
  for (std::size_t at = page.find("http"); at != std::string::npos; at = page.find("http", at + 1))
    if (page.compare(at, 26, "http://www.w3.org/2000/svg") != 0) ++hosts;
  // Nothing is asked of the meta element that forbids it.
  CHECK(hosts == 1);
  CHECK(page.find("http-equiv=\"Content-Security-Policy\"") != std::string::npos);
}

}  // namespace pequod::app
