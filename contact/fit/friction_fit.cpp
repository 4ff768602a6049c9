#include "contact/fit/friction_fit.h"

#include <algorithm>
#include <vector>

namespace pequod {
namespace {

// Half the width of the window in standard deviations: 6 in 100 000 of a normal law lie outside.
constexpr double kWindow = 4.0;
// A crowd that counts beside a larger one at lower ratios.
constexpr double kCrowd = 0.25;
// Ratios are no better known than this, or exact samples would be called a crowd each.
constexpr double kLeastNoise = 1e-9;

constexpr int kFewest = 10;  // samples that make a crowd

using Iterator = std::vector<double>::const_iterator;

// Samples within the window around a centre.
std::pair<Iterator, Iterator> window(const std::vector<double>& sorted, double centre,
                                     double noise) {
  return {std::lower_bound(sorted.begin(), sorted.end(), centre * (1.0 - kWindow * noise)),
          std::upper_bound(sorted.begin(), sorted.end(), centre * (1.0 + kWindow * noise))};
}

double mean(Iterator first, Iterator last) {
  double sum = 0.0;
  for (Iterator it = first; it != last; ++it) sum += *it;
  return sum / static_cast<double>(last - first);
}

// The highest centre whose window holds a good share of what the fullest one holds.
double highest_crowd(const std::vector<double>& sorted, double noise) {
  std::ptrdiff_t most = 0;
  for (const double ratio : sorted) {
    const auto [first, last] = window(sorted, ratio, noise);
    most = std::max(most, last - first);
  }
  double best = 0.0;
  std::ptrdiff_t held = 0;
  for (const double ratio : sorted) {
    const auto [first, last] = window(sorted, ratio, noise);
    if (static_cast<double>(last - first) < kCrowd * static_cast<double>(most)) continue;
    // A crowd of its own, above the one so far, or a fuller part of the same.
    const bool apart = ratio > best * (1.0 + 2.0 * kWindow * noise);
    if (!apart && last - first <= held) continue;
    best = ratio;
    held = last - first;
  }
  return best;
}

}  // namespace

FrictionFit fit_friction(const Eigen::VectorXd& normal, const Eigen::VectorXd& tangential,
                         double noise) {
  FrictionFit fit;
  noise = std::max(noise, kLeastNoise);
  std::vector<double> ratios;
  for (Eigen::Index i = 0; i < normal.size(); ++i) {
    if (!(normal[i] > 0.0)) continue;
    ++fit.samples;
    if (tangential[i] > 0.0) ratios.push_back(tangential[i] / normal[i]);
  }
  if (ratios.size() < 2) return fit;
  std::sort(ratios.begin(), ratios.end());
  fit.highest = ratios.back();
  double centre = highest_crowd(ratios, noise);
  for (int round = 0; round < 5; ++round) {
    const auto [first, last] = window(ratios, centre, noise);
    centre = mean(first, last);
  }
  const auto [first, last] = window(ratios, centre, noise);
  if (last - first < kFewest) return fit;
  fit.sliding = static_cast<int>(last - first);
  fit.mu = mean(first, last);
  double squares = 0.0;
  for (Iterator it = first; it != last; ++it) squares += (*it - fit.mu) * (*it - fit.mu);
  const double n = fit.sliding;
  const double error = n > 1 ? std::sqrt(squares / (n - 1.0) / n) : INFINITY;
  fit.low = fit.mu - 3.0 * error;
  fit.high = fit.mu + 3.0 * error;
  return fit;
}

}  // namespace pequod
