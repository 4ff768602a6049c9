#include "app/jobs.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/interrupt.h"

namespace pequod::app {
namespace {

constexpr std::chrono::milliseconds kTick{100};

struct RunningJob {
  const Job* job = nullptr;
  Program program;
};

// Takes the one that may take longest out of those that wait.
const Job* take_longest(std::vector<const Job*>& waiting) {
  std::vector<double> expected;
  for (const Job* job : waiting) expected.push_back(job->expected());
  const auto longest = std::max_element(expected.begin(), expected.end()) - expected.begin();
  const Job* job = nth(waiting, longest);
  waiting.erase(waiting.begin() + longest);
  return job;
}

void wait_for_any(std::vector<RunningJob>& running) {
  std::vector<Program*> programs;
  for (RunningJob& one : running) programs.push_back(&one.program);
  Program::wait_for_any(programs, kTick);
}

}  // namespace

void run_jobs(std::span<const Job> jobs, std::size_t at_once, const std::function<void()>& tick) {
  std::vector<const Job*> waiting;
  for (const Job& job : jobs) waiting.push_back(&job);
  std::vector<RunningJob> running;
  bool told = false;
  while ((!waiting.empty() && !interrupted()) || !running.empty()) {
    while (running.size() < at_once && !waiting.empty() && !interrupted()) {
      const Job* job = take_longest(waiting);
      running.push_back({job, job->begin()});
    }
    wait_for_any(running);
    if (interrupted() && !told)
      for (const RunningJob& one : running) one.program.interrupt();
    told = interrupted();
    std::vector<RunningJob> still;
    for (RunningJob& one : running) {
      if (one.program.ended())
        one.job->end(one.program);
      else
        still.push_back({one.job, std::move(one.program)});
    }
    running = std::move(still);
    tick();
  }
}

}  // namespace pequod::app
