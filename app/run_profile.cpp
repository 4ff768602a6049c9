#include "app/run_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/wall_clock.h"

namespace pequod::app {
namespace {

double total(const StepTimes& times) {
  return times.dynamics + times.collision + times.contact + times.control;
}

}  // namespace

void RunProfile::watch(Observer& observer) {
  started_ = std::chrono::steady_clock::now();
  observer.step = [this, before = std::move(observer.step)](const StepReport& step) {
    add(step);
    if (before) before(step);
  };
}

void RunProfile::add(const StepReport& step) {
  sum_.dynamics += step.times.dynamics;
  sum_.collision += step.times.collision;
  sum_.contact += step.times.contact;
  sum_.control += step.times.control;
  ++steps_;
  contacts_ += step.contacts;
  if (total(step.times) > total(longest_.times)) longest_ = step;
}

std::string RunProfile::text() const {
  const double wall = seconds_since(started_), steps = static_cast<double>(std::max(steps_, 1L));
  std::string text = fmt::format("  {:<34} {:>9} {:>7} {:>10}\n", "where the time went", "s",
                                 "share", "us a step");
  for (const auto& [what, seconds] :
       {std::pair{"motion: forces, integration", sum_.dynamics},
        std::pair{"collision: distances, points", sum_.collision},
        std::pair{"contact: rows, solvers, projection", sum_.contact},
        std::pair{"controllers", sum_.control}, std::pair{"logs and the rest", wall - total(sum_)}})
    text += fmt::format("  {:<34} {:>9.3f} {:>5.1f} % {:>10.2f}\n", what, seconds,
                        100.0 * seconds / wall, 1e6 * seconds / steps);
  return text +
         fmt::format(
             "  {} steps with {:.1f} contacts in the mean; the longest, at t = {:.6g} s with "
             "{} contacts, took {:.3g} ms\n",
             steps_, static_cast<double>(contacts_) / steps, longest_.t, longest_.contacts,
             1e3 * total(longest_.times));
}

}  // namespace pequod::app
