// Pairs of shapes, what touches at the start, and the smallest gaps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "app/check/meaning.h"
#include "app/json_number.h"
#include "core/dynamics.h"
#include "events/contact_geometry.h"
#include "simulation/scene_tolerances.h"

namespace pequod::app {
namespace {

constexpr std::size_t kGapsShown = 4;

// Words for Pairing, and keys of the same.
struct PairingWord {
  const char *text, *key;
};
constexpr std::array<PairingWord, 7> kPairingWords{{{"may touch", "may_touch"},
                                                    {"both fixed", "both_fixed"},
                                                    {"on one body", "on_one_body"},
                                                    {"ruled out by collide", "ruled_out"},
                                                    {"joined by a loop", "joined_by_loop"},
                                                    {"inside one robot", "inside_one_robot"},
                                                    {"joined by a joint", "joined_by_joint"}}};

using ShapeIndices = std::pair<int, int>;

struct CountedPairs {
  std::array<long, kPairingWords.size()> counts{};
  std::vector<ShapeIndices> may_touch;
};

CountedPairs count_pairs(const Model& model) {
  CountedPairs pairs;
  const int n = static_cast<int>(model.shapes.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const Pairing pairing = model.pairing(a, b);
      ++nth(pairs.counts, pairing);
      if (pairing == Pairing::may_touch) pairs.may_touch.emplace_back(a, b);
    }
  }
  return pairs;
}

MeaningRow pairs_row(const CountedPairs& pairs) {
  nlohmann::ordered_json value = nlohmann::ordered_json::object();
  std::vector<std::string> excluded;
  for (std::size_t k = 0; k < kPairingWords.size(); ++k) {
    value[kPairingWords[k].key] = pairs.counts[k];
    if (k > 0 && pairs.counts[k] > 0)
      excluded.push_back(fmt::format("{} {}", pairs.counts[k], kPairingWords[k].text));
  }
  const long all = std::accumulate(pairs.counts.begin(), pairs.counts.end(), 0L);
  std::string text = fmt::format("{} of {} pairs of shapes may touch", pairs.counts[0], all);
  if (!excluded.empty()) text += fmt::format("; others: {}", fmt::join(excluded, ", "));
  return {"pairs", text, value};
}

// The smallest gap of each pair of bodies or links, m, by names of both.
using GapsByName = std::map<std::pair<std::string, std::string>, double>;

// The largest of those that are shown. @param touch  m: gaps up to here are none
double gap_that_counts(const GapsByName& gaps, double touch) {
  std::vector<double> open;
  for (const auto& [names, gap] : gaps)
    if (gap > touch) open.push_back(gap);
  if (open.size() < kGapsShown) return kInfinity;
  std::nth_element(open.begin(), open.begin() + kGapsShown - 1, open.end());
  return open[kGapsShown - 1];
}

// Nearest first by the balls around the shapes, until the rest is farther than what is shown.
GapsByName smallest_gaps(const Scenario& scenario, const std::vector<ShapeIndices>& pairs,
                         double touch) {
  const Model& model = scenario.model;
  const std::vector<Pose> X_WS = shape_poses(model, scenario.initial.q);
  std::vector<std::pair<double, ShapeIndices>> ordered;
  for (const auto& [a, b] : pairs) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const double reach =
        bounding_radius(model.shapes[i].geometry) + bounding_radius(model.shapes[j].geometry);
    ordered.push_back({(X_WS[i].p - X_WS[j].p).norm() - reach, {a, b}});
  }
  std::ranges::sort(ordered);
  GapsByName gaps;
  double counts = kInfinity;
  for (const auto& [least, pair] : ordered) {
    if (least > std::max(counts, touch)) break;
    const Shape &A = nth(model.shapes, pair.first), &B = nth(model.shapes, pair.second);
    const double gap =
        signed_distance(A.geometry, nth(X_WS, pair.first), B.geometry, nth(X_WS, pair.second));
    const auto name = [&](const Shape& shape) { return nth(model.frames, shape.frame).name; };
    const auto found = gaps.try_emplace({name(A), name(B)}, gap).first;
    found->second = std::min(found->second, gap);
    if (gap > touch && gap < counts) counts = gap_that_counts(gaps, touch);
  }
  return gaps;
}

MeaningRow gaps_row(const GapsByName& gaps, double touch) {
  using Named = std::pair<GapsByName::key_type, double>;
  std::vector<Named> sorted(gaps.begin(), gaps.end());
  std::ranges::stable_sort(sorted, {}, &Named::second);
  std::vector<std::string> touching, open;
  nlohmann::ordered_json value{{"touching", nlohmann::ordered_json::array()},
                               {"open", nlohmann::ordered_json::array()}};
  for (const auto& [names, gap] : sorted) {
    if (!std::isfinite(gap)) continue;
    const bool touches = gap <= touch;
    if (!touches && open.size() == kGapsShown) break;
    const std::string pair = names.first + " – " + names.second;
    touches ? touching.push_back(pair) : open.push_back(fmt::format("{} {:.3g} m", pair, gap));
    value[touches ? "touching" : "open"].push_back(
        {{"a", names.first}, {"b", names.second}, {"gap_m", gap}});
  }
  std::string text = touching.empty()
                         ? "nothing touches"
                         : fmt::format("{} {}: {}", touching.size(),
                                       touching.size() == 1 ? "pair touches" : "pairs touch",
                                       first_of(touching, kGapsShown, ", "));
  if (!open.empty()) text += fmt::format("\nsmallest gaps: {}", fmt::join(open, ", "));
  return {"start", text, value};
}

}  // namespace

Meaning what_touches(const Scenario& scenario) {
  const CountedPairs pairs = count_pairs(scenario.model);
  Meaning meaning{pairs_row(pairs)};
  if (pairs.may_touch.empty()) return meaning;
  const double touch = scene_tolerances(scenario).gap();
  meaning.push_back(gaps_row(smallest_gaps(scenario, pairs.may_touch, touch), touch));
  return meaning;
}

}  // namespace pequod::app
