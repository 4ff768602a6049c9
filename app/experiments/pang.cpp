// Quasistatic contact as published (Pang, Trinkle & Lo 1994, sec. 5), beside exact answers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "app/wall_clock.h"
#include "contact/quasistatic/quasistatic.h"
#include "contact/quasistatic/random_problem.h"
#include "scene/quasistatic_file.h"

namespace pequod::app {
namespace {

constexpr double kProduct = 1e-12, kResidual = 1e-10;

QuasistaticProblem data_set(const Stage& stage, int set) {
  const std::string name = fmt::format("pang_{}.yaml", set);
  const std::filesystem::path path = stage.scenes / name;
  Diagnostics diagnostics;
  const std::optional<QuasistaticFile> file = read_quasistatic(path, diagnostics);
  if (!file) throw BadScene(diagnostics.text());
  return file->problem;
}

std::string listed(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(values.size(), 6); ++i)
    text += fmt::format(" {:.4g}", values[i]);
  return text + (values.size() > 6 ? " ..." : "");
}

// Exact solutions of the sets, found in rational arithmetic by enumeration.
const std::array<std::vector<Eigen::Vector3d>, 4> kExact{
    {{{0.08676, 0.06252, 0.15619}, {0.11573, -0.04553, 0.60639}, {-0.01258, 0.43302, -0.28672}},
     {{-0.13745, 1.58650, 0.08321}},
     {{-0.41927, 0.94215, 0.22019}},
     {}}};

// Distance of the set of solutions from the known one; ∞ if their number differs.
double difference(const QuasistaticSolution& all, const std::vector<Eigen::Vector3d>& known) {
  if (all.motions.size() != known.size()) return INFINITY;
  double worst = 0.0;
  for (const Eigen::Vector3d& q : known) {
    double nearest = INFINITY;
    for (const QuasistaticMotion& motion : all.motions)
      nearest = std::min(nearest, (motion.object_velocity - q).lpNorm<Eigen::Infinity>());
    worst = std::max(worst, nearest);
  }
  return worst;
}

// Cases of set 2 that have no solution, among μ in {0.1, 0.3, 0.5, 0.7, 0.9}³.
bool jams(const std::array<int, 3>& tenths) {
  const auto [a, b, c] = tenths;
  return b == 9 && (a == 9 || c == 9 || (a == 7 && c == 7));
}

void pang_data_sets(const Stage& stage) {
  Chart chart{"LP pairs on the data sets", "pair", "xᵀy", false, {}};
  for (int set = 1; set <= 4; ++set) {
    const std::string name = fmt::format("set {}", set);
    const QuasistaticProblem problem = data_set(stage, set);
    const QuasistaticSolution one = solve_quasistatic(problem);
    QuasistaticOptions options;
    options.all = true;
    const QuasistaticSolution all = solve_quasistatic(problem, options);
    stage.print(fmt::format("    {}: xᵀy{}\n", name, listed(one.bilinear.history)));
    Curve curve{name, {}};
    for (std::size_t i = 0; i < std::min<std::size_t>(one.bilinear.history.size(), 8); ++i)
      curve.points.emplace_back(i, one.bilinear.history[i]);
    chart.curves.push_back(curve);
    if (set == 4) {
      stage.at_most(name, fmt::format("solutions; proof by {} nodes of modes", one.nodes),
                    one.status == QuasistaticStatus::no_solution ? 0.0 : INFINITY, 0.0,
                    "no solution; cycles");
      continue;
    }
    const bool solved = one.status == QuasistaticStatus::solved;
    stage.at_most(name, "LP pairs", one.bilinear.pairs, 2.0, "at most 2");
    stage.at_most(name, "xᵀy", solved ? one.residuals[0].product : INFINITY, kProduct, "0");
    stage.at_most(name, "largest residual of (2) to (10)",
                  solved ? one.residuals[0].worst() : INFINITY, kResidual);
    stage.at_most(name,
                  fmt::format("{} solutions: q̇ against exact ones, 5 digits", all.motions.size()),
                  difference(all, nth(kExact, set - 1)), 6e-6);
  }
  stage.draw(chart_svg(chart));
}

// Of each μ₂ in tenths: cases of one pair of LPs, solved, without solution.
using GridCounts = std::array<std::array<int, 3>, 10>;

std::string grid_svg(const GridCounts& counts) {
  Chart chart{"Data set 2, 25 choices of μ₁ and μ₃ each",
              "μ₂",
              "cases",
              false,
              {{"one pair of LPs", {}}, {"solved", {}}, {"jam", {}}}};
  for (std::size_t b = 1; b <= 9; b += 2)
    for (std::size_t k = 0; k < 3; ++k)
      chart.curves[k].points.emplace_back(0.1 * static_cast<double>(b), counts[b][k]);
  return chart_svg(chart);
}

void pang_friction_grid(const Stage& stage) {
  QuasistaticProblem problem = data_set(stage, 2);
  int wrong = 0, one_pair = 0, two_pairs = 0, more = 0, unsolvable = 0;
  double worst = 0.0;
  GridCounts by_middle{};
  for (int a = 1; a <= 9; a += 2)
    for (int b = 1; b <= 9; b += 2)
      for (int c = 1; c <= 9; c += 2) {
        problem.friction = Eigen::Vector3d(a, b, c) / 10.0;
        const QuasistaticSolution solution = solve_quasistatic(problem);
        const QuasistaticStatus expected =
            jams({a, b, c}) ? QuasistaticStatus::no_solution : QuasistaticStatus::solved;
        if (solution.status != expected) {
          ++wrong;
          stage.print(fmt::format("    wrong: μ 0.{} 0.{} 0.{}\n", a, b, c));
        }
        if (solution.status != QuasistaticStatus::solved) {
          ++unsolvable;
          ++nth(by_middle, b)[2];
          continue;
        }
        worst = std::max({worst, solution.residuals[0].worst(), solution.residuals[0].product});
        const bool by_lps = solution.bilinear.adjacent_steps + solution.bilinear.restarts == 0 &&
                            solution.method == "bilinear";
        ++(!by_lps ? more : solution.bilinear.pairs <= 1 ? one_pair : two_pairs);
        ++nth(by_middle, b)[1];
        if (by_lps && solution.bilinear.pairs <= 1) ++nth(by_middle, b)[0];
      }
  stage.print(fmt::format("    one pair {}, more pairs {}, Step 3 or search {}, no solution {}\n",
                          one_pair, two_pairs, more, unsolvable));
  stage.at_most("μ grid", "cases of 125 whose solvability is wrong", wrong, 0.0,
                "115 solvable, 10 jam");
  stage.at_most("μ grid", "xᵀy and residuals of (2) to (10), largest", worst, kResidual);
  stage.draw(grid_svg(by_middle));
}

struct RandomType {
  int number, contacts;
  double friction;
  int free_joints;
  const char* pairs;  // of Table 1, with the best xᵀy where it is not zero
};
constexpr std::array<RandomType, 20> kTypes{{{1, 3, 1.0, 0, "2"},
                                             {2, 10, 1.0, 0, "1"},
                                             {3, 10, 2.0, 0, "5"},
                                             {4, 15, 1.2, 1, "2"},
                                             {5, 18, 0.8, 9, "1"},
                                             {6, 20, 1.0, 0, "1"},
                                             {7, 20, 1.5, 0, "4"},
                                             {8, 20, 1.2, 0, "2"},
                                             {9, 20, 1.0, 10, "2"},
                                             {10, 20, 1.0, 10, "2"},
                                             {11, 20, 1.0, 0, "4"},
                                             {12, 30, 1.0, 0, "2"},
                                             {13, 30, 0.5, 15, "1"},
                                             {14, 30, 0.6, 15, "24"},
                                             {15, 40, 1.0, 0, "1"},
                                             {16, 40, 1.0, 0, "1"},
                                             {17, 10, 1.3, 5, "52, left 1e-5"},
                                             {18, 15, 1.2, 6, "39, left 14.6"},
                                             {19, 30, 0.6, 15, "49, left 24.3"},
                                             {20, 40, 1.0, 20, "52, left 1.24"}}};

struct TypeCount {
  int by_lps = 0, by_search = 0, infeasible = 0, unknown = 0, pairs = 0;
  double slowest_lps = 0.0, slowest = 0.0, worst = 0.0;  // s; slowest also of proofs

  [[nodiscard]] int solved() const { return by_lps + by_search; }
};

TypeCount study(const RandomType& type, int seeds) {
  TypeCount count;
  for (int seed = 1; seed <= seeds; ++seed) {
    const QuasistaticProblem problem =
        random_quasistatic({type.contacts, type.friction, type.free_joints,
                            static_cast<std::uint64_t>(1000 * type.number + seed)});
    const auto start = std::chrono::steady_clock::now();
    const QuasistaticSolution solution = solve_quasistatic(problem);
    const double time = seconds_since(start);
    count.slowest = std::max(count.slowest, time);
    if (solution.status == QuasistaticStatus::no_solution) ++count.infeasible;
    if (solution.status == QuasistaticStatus::unknown) ++count.unknown;
    if (solution.status != QuasistaticStatus::solved) continue;
    count.worst =
        std::max({count.worst, solution.residuals[0].worst(), solution.residuals[0].product});
    if (solution.method == "bilinear") {
      ++count.by_lps;
      count.slowest_lps = std::max(count.slowest_lps, time);
      count.pairs += solution.bilinear.pairs;
    } else {
      ++count.by_search;
    }
  }
  return count;
}

void pang_random(const Stage& stage) {
  const int seeds = stage.quick ? 3 : 20;
  Chart chart{"Random problems by type",
              "type of Table 1",
              "share",
              false,
              {{"solved by LPs", {}}, {"solved", {}}, {"proved infeasible", {}}}};
  TypeCount all;
  double slowest_lps = 0.0, slowest = 0.0;
  stage.print(fmt::format("    {:>4} {:>3} {:>4} {:>5} {:>6} {:>6} {:>10} {:>7} {:>6} {:>8}   {}\n",
                          "type", "n_c", "μ ≤", "free", "by LPs", "search", "infeasible", "unknown",
                          "pairs", "slowest", "paper: pairs"));
  for (const RandomType& type : kTypes) {
    const TypeCount count = study(type, seeds);
    stage.print(fmt::format(
        "    {:>4} {:>3} {:>4g} {:>5} {:>6} {:>6} {:>10} {:>7} {:>6.2f} {:>6.3f} s   {}\n",
        type.number, type.contacts, type.friction, type.free_joints, count.by_lps, count.by_search,
        count.infeasible, count.unknown,
        static_cast<double>(count.pairs) / std::max(count.by_lps, 1), count.slowest, type.pairs));
    chart.curves[0].points.emplace_back(type.number, static_cast<double>(count.by_lps) / seeds);
    chart.curves[1].points.emplace_back(type.number, static_cast<double>(count.solved()) / seeds);
    chart.curves[2].points.emplace_back(type.number, static_cast<double>(count.infeasible) / seeds);
    all.by_lps += count.by_lps;
    all.by_search += count.by_search;
    all.infeasible += count.infeasible;
    all.unknown += count.unknown;
    all.worst = std::max(all.worst, count.worst);
    if (type.contacts != 40) continue;
    slowest_lps = std::max(slowest_lps, count.slowest_lps);
    slowest = std::max(slowest, count.slowest);
  }
  const double possible = all.solved() + all.unknown;
  stage.at_least("random", fmt::format("solved of the {:g} not proved infeasible, share", possible),
                 all.solved() / possible, 0.95);
  stage.at_least("random", "of these by LPs and neighbours alone, share", all.by_lps / possible,
                 0.8);
  stage.at_most("random", fmt::format("neither solved nor proved, of {}", 20 * seeds), all.unknown,
                0.05 * 20 * seeds, "4 of 20");
  stage.at_most("random", "xᵀy and residuals of (2) to (10), largest", all.worst, kResidual, "0");
  // Times depend on the build and on what else runs: only the whole experiment judges them.
  if (!stage.quick)
    stage.at_most("random",
                  fmt::format("n_c 40: slowest answer or proof, s; by LPs {:.2f}", slowest_lps),
                  slowest, 1.0);
  stage.draw(chart_svg(chart));
}

void pang_enumeration(const Stage& stage) {
  // Pairs that the enumerative algorithm tests, |α| = 2 n_c: as printed.
  constexpr std::array<std::pair<int, double>, 3> kPrinted{
      {{8, 1107.0}, {20, 377379369.0}, {40, 1e17}}};
  Chart chart{"Work to solve one problem",
              "contacts",
              "pairs (x, y)",
              false,
              {{"LP pairs", {}}, {"nodes of a full search", {}}, {"enumeration, printed", {}}},
              true};
  for (const auto& [contacts, pairs] : kPrinted) {
    const int seeds = stage.quick ? 2 : 10;
    int lp_pairs = 0, solved = 0;
    long nodes = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const QuasistaticProblem problem =
          random_quasistatic({contacts, 1.0, 0, static_cast<std::uint64_t>(seed)});
      const QuasistaticSolution solution = solve_quasistatic(problem);
      nodes = std::max(nodes, search_modes(problem).nodes);
      if (solution.method != "bilinear" || solution.status != QuasistaticStatus::solved) continue;
      ++solved;
      lp_pairs = std::max(lp_pairs, solution.bilinear.pairs);
    }
    stage.at_most("enumeration",
                  fmt::format("n_c {}: most LP pairs ({} of {}; modes: {} nodes)", contacts, solved,
                              seeds, nodes),
                  lp_pairs, pairs, fmt::format("tests {:g} pairs", pairs));
    chart.curves[0].points.emplace_back(contacts, std::max(lp_pairs, 1));
    chart.curves[1].points.emplace_back(contacts, nodes);
    chart.curves[2].points.emplace_back(contacts, pairs);
  }
  stage.draw(chart_svg(chart));
}

}  // namespace

extern const Experiment kPangSets{"pang-data-sets",
                                  "quasistatic data sets 1 to 4 (Pang, Trinkle & Lo 1994)",
                                  {pang_data_sets},
                                  "examples/quasistatic"};
extern const Experiment kPangGrid{"pang-mu-grid",
                                  "data set 2 with 125 choices of friction: which jam",
                                  {pang_friction_grid},
                                  "examples/quasistatic"};
extern const Experiment kPangRandom{
    "pang-random",
    "their Table 1: twenty types of random problems, solved or proved unsolvable",
    {pang_random}};
extern const Experiment kPangEnumeration{
    "pang-enumeration", "work of linear programs against that of enumeration", {pang_enumeration}};

}  // namespace pequod::app
