#include "contact/fit/friction_fit.h"

#include <algorithm>
#include <vector>

#include "contact/fit/interval.h"

namespace pequod {
namespace {

// Half the width of the window in standard deviations: 6 in 100 000 of a normal law lie outside.
constexpr double kWindow = 4.0;
// Ratios are no better known than this, or exact samples would be called a crowd each.
constexpr double kLeastNoise = 1e-9;
// Of a crowd's size: so many samples may lie above it, for errors of both forces add up.
constexpr double kStray = 0.02;

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

// How many of the highest samples may be strays.
std::size_t strays(std::size_t samples) {
  return static_cast<std::size_t>(kStray * 0.5 * static_cast<double>(samples));
}

// The centre of the fullest window among those that reach the highest samples.
double highest_crowd(const std::vector<double>& sorted, double noise) {
  const double highest = sorted[sorted.size() - 1 - strays(sorted.size())];
  double best = highest;
  std::ptrdiff_t most = 0;
  for (auto it =
           std::lower_bound(sorted.begin(), sorted.end(), highest / (1.0 + 2.0 * kWindow * noise));
       it != sorted.end(); ++it) {
    const auto [first, last] = window(sorted, *it, noise);
    if (last - first <= most) continue;
    best = *it;
    most = last - first;
  }
  return best;
}

// Whether the highest samples are a crowd, and not just the end of ratios spread below them: more
// than three times as many as stand in as wide a window below, and three deviations of that count.
bool stands_out(const std::vector<double>& sorted, Iterator first, Iterator last, double noise) {
  const double lowest = *first;
  const auto below =
      static_cast<double>(first - std::lower_bound(sorted.begin(), sorted.end(),
                                                   lowest * (1.0 - 2.0 * kWindow * noise)));
  const auto count = static_cast<double>(last - first);
  const auto above = static_cast<double>(sorted.end() - last);
  return last - first >= kFewest && above <= kStray * count &&
         count > 3.0 * below + 3.0 * std::sqrt(below);
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
  if (!stands_out(ratios, first, last, noise)) return fit;
  fit.sliding = static_cast<int>(last - first);
  fit.mu = mean(first, last);
  double squares = 0.0;
  for (Iterator it = first; it != last; ++it) squares += (*it - fit.mu) * (*it - fit.mu);
  const double n = fit.sliding;
  const double spread = three_sigma_factor(fit.sliding - 1) * std::sqrt(squares / (n - 1.0) / n);
  fit.low = fit.mu - spread;
  fit.high = fit.mu + spread;
  return fit;
}

}  // namespace pequod
