#include "app/performance_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/colours.h"

namespace pequod::app {
namespace {

constexpr double kLeastTime = 1e-6;  // s
constexpr double kLeastStep = 0.2;   // px

// The plot's frame in the picture, and the largest τ that it shows.
struct Frame {
  double left = 70, top = 50, width = 480, height = 320;
  double decades = 1.0;

  [[nodiscard]] double x(double tau) const { return left + width * std::log10(tau) / decades; }
  [[nodiscard]] double y(double share) const { return top + height * (1.0 - share); }
};

double time_of(const Solved& solved) { return std::max(solved.answer.time, kLeastTime); }

Profile& profile_of(std::vector<Profile>& profiles, const Solved& solved) {
  const std::string solver = solved.asked.empty() ? "default" : solved.asked;
  for (Profile& profile : profiles)
    if (profile.solver == solver) return profile;
  profiles.push_back({solver, {}, 0});
  return profiles.back();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

// Beyond the seventh solver colours come again, with other dashes.
const char* dashes(std::size_t i) {
  constexpr const char* kDashes[] = {"none", "7 4", "2 3"};
  return kDashes[i / 7 % std::size(kDashes)];
}

std::string axes(const Frame& frame) {
  std::string svg;
  const double right = frame.left + frame.width, bottom = frame.top + frame.height;
  for (int i = 0; i <= 5; ++i) {
    const double y = frame.y(0.2 * i);
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.1f}</text>\n",
        frame.left, y, right, frame.left - 8, y + 4, 0.2 * i);
  }
  for (int i = 0; i <= static_cast<int>(frame.decades); ++i) {
    const double x = frame.x(std::pow(10.0, i));
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n",
        x, frame.top, bottom, x, bottom + 20, std::pow(10.0, i));
  }
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">τ: time over that of the fastest "
      "solver</text>\n"
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">ρ(τ): share of "
      "problems solved</text>\n",
      frame.left + 0.5 * frame.width, bottom + 42, frame.top + 0.5 * frame.height);
  return svg;
}

std::string curve(const Frame& frame, const Profile& profile, std::size_t i) {
  std::string path = fmt::format("M{:.2f} {:.2f}", frame.x(1.0), frame.y(share(profile, 1.0)));
  double last = -INFINITY;
  for (const double ratio : profile.ratios) {
    // Of steps that no eye can tell apart the first is drawn, and the very last.
    if (frame.x(ratio) < last + kLeastStep && ratio != profile.ratios.back()) continue;
    last = frame.x(ratio);
    path += fmt::format("H{:.2f}V{:.2f}", last, frame.y(share(profile, ratio)));
  }
  path += fmt::format("H{:.2f}", frame.left + frame.width);
  const double y = frame.top + 14 + 22.0 * static_cast<double>(i);
  const double x = frame.left + frame.width + 16;
  return fmt::format(
      "<path d=\"{0}\" fill=\"none\" stroke=\"{1}\" stroke-width=\"2\" stroke-dasharray=\"{2}\"/>\n"
      "<path d=\"M{3:.1f} {4:.1f}h24\" stroke=\"{1}\" stroke-width=\"2\" "
      "stroke-dasharray=\"{2}\"/>\n"
      "<text x=\"{5:.1f}\" y=\"{6:.1f}\">{7} ({8}/{9})</text>\n",
      path, colour(i), dashes(i), x, y, x + 32, y + 4, escaped(profile.solver),
      profile.ratios.size(), profile.problems);
}

}  // namespace

std::vector<Profile> performance_profiles(std::span<const Solved> all) {
  std::map<std::filesystem::path, double> fastest;
  for (const Solved& solved : all) {
    double& best = fastest.try_emplace(solved.file, INFINITY).first->second;
    if (solved.answer.status != SolveStatus::failed) best = std::min(best, time_of(solved));
  }
  std::vector<Profile> profiles;
  for (const Solved& solved : all) {
    Profile& profile = profile_of(profiles, solved);
    profile.problems = static_cast<int>(fastest.size());
    if (solved.answer.status != SolveStatus::failed)
      profile.ratios.push_back(time_of(solved) / fastest.at(solved.file));
  }
  for (Profile& profile : profiles) std::sort(profile.ratios.begin(), profile.ratios.end());
  return profiles;
}

double share(const Profile& profile, double tau) {
  const auto within = std::upper_bound(profile.ratios.begin(), profile.ratios.end(), tau);
  return profile.problems > 0 ? static_cast<double>(within - profile.ratios.begin()) /
                                    static_cast<double>(profile.problems)
                              : 0.0;
}

std::string profile_svg(std::span<const Profile> profiles) {
  Frame frame;
  double largest = 10.0;
  for (const Profile& profile : profiles)
    if (!profile.ratios.empty()) largest = std::max(largest, profile.ratios.back());
  frame.decades = std::ceil(std::log10(largest));
  const double height =
      std::max(430.0, frame.top + 30 + 22.0 * static_cast<double>(profiles.size()));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"820\" height=\"{0:.0f}\" viewBox=\"0 0 "
      "820 "
      "{0:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"820\" height=\"{0:.0f}\" fill=\"white\"/>\n"
      "<text x=\"{1:.1f}\" y=\"28\" font-size=\"15\">Performance profile (Dolan &amp; Moré "
      "2002)</text>\n",
      height, frame.left);
  svg += axes(frame);
  for (std::size_t i = 0; i < profiles.size(); ++i) svg += curve(frame, profiles[i], i);
  return svg + "</svg>\n";
}

}  // namespace pequod::app
