#include "app/experiments/pouring.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <random>
#include <sstream>
#include <stdexcept>

#include "app/wall_clock.h"

namespace pequod::app {
namespace {

constexpr double kPlaces = 0.0875, kShift = 0.002;  // m
constexpr unsigned kSeed = 1;

Pose at_half_width(Pose X, double half_width) {
  const double offset = X.p.x() + X.p.y() + X.p.z();
  if (offset != 0.0) X.p *= half_width / std::abs(offset);
  return X;
}

// What a child tells its parent, a line each: `sample` and `frame` as it goes, `end` once.
void tell_sample(std::FILE* to, const PourSample& s) {
  fmt::print(to, "sample {} {} {} {} {} {} {} {}\n", s.t, s.kinetic, s.total, s.stabilisation,
             s.contacts, s.residual, s.gap, s.wall);
  std::fflush(to);
}

void tell_frame(std::FILE* to, const State& state) {
  fmt::print(to, "frame");
  for (Eigen::Index i = 0; i + 7 <= state.q.size(); i += 7)
    fmt::print(to, " {} {} {}", state.q[i], state.q[i + 1], state.q[i + 2]);
  fmt::print(to, "\n");
}

void tell_end(std::FILE* to, const RunStatistics& s, const std::string& ended) {
  fmt::print(to, "end {} {} {} {} {} {} {} {}\n", s.steps, s.fallbacks, s.unsolved, s.switches,
             s.max_penetration, s.worst_gain, s.worst_residual, ended);
  std::fflush(to);
}

void simulate_and_tell(const Scenario& scenario, const std::vector<double>& frames, std::FILE* to) {
  const auto start = std::chrono::steady_clock::now();
  PourSample sample;
  std::size_t next = 0;
  Observer observer;
  observer.step = [&](const StepReport& step) {
    sample.contacts = step.contacts;
    sample.residual = step.stats.residual;
    sample.gap = step.smallest_gap;
  };
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    sample.t = state.t;
    sample.kinetic = energy.kinetic;
    sample.total = energy.total;
    sample.stabilisation = state.ledger.stabilisation;
    sample.wall = seconds_since(start);
    tell_sample(to, sample);
    if (next == frames.size() || state.t < frames[next] - 0.5 * scenario.record.every) return;
    ++next;
    tell_frame(to, state);
  };
  Simulation run(scenario, observer);
  std::string ended = "ran";
  try {
    while (run.step()) {
    }
  } catch (const std::exception& error) {
    ended = fmt::format("{:g} s: {}", run.state().t, error.what());
  }
  tell_end(to, run.statistics(), ended);
}

[[noreturn]] void be_pour(const Scenario& scenario, const PourCaps& caps,
                          const std::vector<double>& frames, int pipe_end) {
  if (caps.memory > 0.0) {
    const auto bytes = static_cast<rlim_t>(caps.memory);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  alarm(static_cast<unsigned>(caps.wall));
  if (std::FILE* to = fdopen(pipe_end, "w")) simulate_and_tell(scenario, frames, to);
  _exit(0);
}

void hear(const std::string& line, PourRun& run) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "sample") {
    PourSample s;
    words >> s.t >> s.kinetic >> s.total >> s.stabilisation >> s.contacts >> s.residual >> s.gap >>
        s.wall;
    run.samples.push_back(s);
  } else if (kind == "frame") {
    std::vector<Vector3d>& places = run.frames.emplace_back();
    for (Vector3d p; words >> p.x() >> p.y() >> p.z();) places.push_back(p);
  } else if (kind == "end") {
    words >> run.steps >> run.fallbacks >> run.unsolved >> run.switches >> run.deepest >>
        run.gain >> run.worst;
    std::getline(words >> std::ws, run.ended);
  }
}

// A run that a cap ended has told of its steps, but not of its end.
void conclude(int status, const PourCaps& caps, PourRun& run) {
  run.steps = static_cast<double>(run.samples.size()) - 1.0;
  for (const PourSample& sample : run.samples) {
    run.deepest = std::max(run.deepest, -sample.gap);
    run.worst = std::max(run.worst, sample.residual);
  }
  const double t = run.samples.empty() ? 0.0 : run.samples.back().t;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run.ended = signal == SIGALRM
                  ? fmt::format("{:g} s: cut short after {:g} s of wall time", t, caps.wall)
                  : fmt::format("{:g} s: ended by signal {}", t, signal);
}

}  // namespace

Scenario pour(const Scenario& scenario, const Lattice& lattice) {
  const Model& given = scenario.model;
  ModelBuilder builder(given.gravity);
  for (const Shape& shape : given.shapes)
    if (shape.link < 0)
      builder.add_fixed_body(nth(given.frames, shape.frame).name, Pose(),
                             {{shape.geometry, at_half_width(shape.X_LS, lattice.half_width)}});
  const Shape& ball = given.shapes.back();
  for (int i = 0; i < lattice.balls(); ++i)
    builder.add_free_body(fmt::format("ball_{:05d}", i), given.links[0].inertia,
                          {{ball.geometry, ball.X_LS}});
  Scenario poured = scenario;
  poured.model = builder.build({{"*", "*", given.surfaces.front()}});
  State& state = poured.initial;
  const double floor = scenario.initial.q[2];
  state.q.resize(poured.model.nq);
  state.v.setZero(poured.model.nv);
  state.tau.setZero(poured.model.nv);
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> shift(-kShift, kShift);
  for (int i = 0; i < lattice.balls(); ++i) {
    const auto [nx, ny, nz] = lattice.places;
    const std::array<int, 3> at{i % nx, i / nx % ny, i / nx / ny};
    double* q = state.q.data() + 7 * static_cast<std::ptrdiff_t>(i);
    q[0] = kPlaces * (at[0] - 0.5 * (nx - 1)) + shift(random);
    q[1] = kPlaces * (at[1] - 0.5 * (ny - 1)) + shift(random);
    q[2] = floor + kPlaces * at[2] + shift(random);
    std::fill(q + 3, q + 7, 0.0);
    q[3] = 1.0;
  }
  return poured;
}

PourRun run_pour(const Scenario& scenario, const PourCaps& caps,
                 const std::vector<double>& frames) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a process of its own");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process of its own");
  if (child == 0) be_pour(scenario, caps, frames, ends[1]);
  close(ends[1]);
  PourRun run;
  std::string text;
  std::array<char, 65536> buffer{};
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
      hear(text.substr(0, end), run);
      text.erase(0, end + 1);
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (run.ended.empty()) conclude(status, caps, run);
  return run;
}

}  // namespace pequod::app
