// One run of one engine: peer_ENGINE SCENE.json [--seconds S] [--cap S] [NAME=VALUE ...]
// Prints what came of it as one line of JSON. The clock, which counts processor time, runs in the
// steps alone.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/peers/engine.h"
#include "bench/peers/measure.h"

namespace peers {

double take_number(Settings& settings, const std::string& name, double otherwise) {
  const auto found = settings.find(name);
  if (found == settings.end()) return otherwise;
  const double value = std::stod(found->second);
  settings.erase(found);
  return value;
}

void refuse_others(const Settings& settings) {
  if (settings.empty()) return;
  throw std::invalid_argument("this engine has no setting '" + settings.begin()->first + "'");
}

namespace {

struct Arguments {
  std::string path;
  double seconds = std::numeric_limits<double>::quiet_NaN();  ///< simulated; NaN: the scene's
  double cap = std::numeric_limits<double>::infinity();       ///< s of the clock
  Settings settings;
};

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.path = words.at(0);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (words[i] == "--seconds") {
      arguments.seconds = std::stod(words.at(++i));
    } else if (words[i] == "--cap") {
      arguments.cap = std::stod(words.at(++i));
    } else if (equals != std::string::npos) {
      arguments.settings[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    } else {
      throw std::invalid_argument("what is '" + words[i] + "'?");
    }
  }
  return arguments;
}

/// Steps taken, and the time they took.
struct Pace {
  long steps = 0;
  double seconds = 0.0;

  [[nodiscard]] double rate() const { return static_cast<double>(steps) / seconds; }
};

/// What is known after some steps.
struct Outcome {
  Pace all, later;
  double depth = 0.0;   ///< m, the worst
  double creep = 0.0;   ///< m, since Scene::later
  double gained = 0.0;  ///< J, sum of all gains of energy
  double scale = 0.0;   ///< J, of energy at the start above the lowest point
  bool sane = true;
};

/// The poses of a run as they come in.
class Watch {
 public:
  explicit Watch(const Scene& scene) : scene_(scene) {
    for (const Body& body : scene.bodies) {
      poses_.push_back(body.start);
      outcome_.scale += body.mass * scene.gravity * (body.start * body.com).z();
    }
    before_ = poses_;
  }

  void take(Engine& engine, double t) {
    before_.swap(poses_);
    engine.read_poses(poses_);
    outcome_.sane = sane(poses_);
    if (!outcome_.sane) return;
    outcome_.depth = std::max(outcome_.depth, worst_depth(scene_, poses_));
    take_energy(energy(scene_, before_, poses_));
    if (t < scene_.later - 0.5 * scene_.step) return;
    if (resting_.empty()) resting_ = scene_.later > 0.0 ? poses_ : before_;
    outcome_.creep = std::max(outcome_.creep, creep(scene_, resting_, poses_));
  }

  Outcome& outcome() { return outcome_; }

 private:
  /// Gains are those of the largest energy in a span of steps over that in the span before: where a
  /// ball meets another in the middle of a step, mean velocities show less energy in this one step.
  void take_energy(double now) {
    constexpr int kSpan = 10;
    energy_ = std::max(energy_, now);
    if (++in_span_ < kSpan) return;
    outcome_.gained += std::max(0.0, energy_ - last_energy_);
    last_energy_ = energy_;
    energy_ = -std::numeric_limits<double>::infinity();
    in_span_ = 0;
  }

  const Scene& scene_;
  std::vector<Pose> before_, poses_, resting_;
  double energy_ = -std::numeric_limits<double>::infinity();      // J, the largest in this span
  double last_energy_ = std::numeric_limits<double>::infinity();  // J, in the one before
  int in_span_ = 0;
  Outcome outcome_;
};

/// Processor time of this program so far, s: what else the machine does is not in it, and all
/// threads are.
double spent() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What reading the clock takes, s; beside the step of a small scene that is not nothing.
double cost_of_clock() {
  constexpr int kReadings = 10000;
  const double from = spent();
  for (int k = 0; k < kReadings; ++k) spent();
  return (spent() - from) / kReadings;
}

/// Accelerations a second of a tree in free flight; nothing if the engine has none by themselves.
std::optional<double> acceleration_rate(Engine& engine) {
  constexpr int kBlock = 1000;
  constexpr double kEnough = 0.2;  // s
  if (!engine.accelerate()) return {};
  Pace pace;
  while (pace.seconds < kEnough) {
    const double from = spent();
    for (int k = 0; k < kBlock; ++k) engine.accelerate();
    pace.seconds += spent() - from;
    pace.steps += kBlock;
  }
  return pace.rate();
}

Outcome simulate(const Scene& scene, Engine& engine, const Arguments& arguments) {
  const double seconds = std::isnan(arguments.seconds) ? scene.duration : arguments.seconds;
  const long steps = std::lround(seconds / scene.step);
  const double clock = cost_of_clock();
  Watch watch(scene);
  Outcome& outcome = watch.outcome();
  for (long k = 0; k < steps && outcome.sane && outcome.all.seconds < arguments.cap; ++k) {
    const double t = static_cast<double>(k) * scene.step;
    const double from = spent();
    engine.step(t);
    const double taken = std::max(0.0, spent() - from - clock);
    const bool late = t >= scene.later - 0.5 * scene.step;
    for (Pace* pace : {&outcome.all, late ? &outcome.later : nullptr}) {
      if (pace == nullptr) continue;
      ++pace->steps;
      pace->seconds += taken;
    }
    watch.take(engine, t + scene.step);
  }
  return outcome;
}

void run(const Arguments& arguments) {
  const Scene scene = read_scene(arguments.path);
  const std::unique_ptr<Engine> engine = make_engine(scene, arguments.path, arguments.settings);
  const Outcome outcome = simulate(scene, *engine, arguments);
  nlohmann::json out = {{"simulated", static_cast<double>(outcome.all.steps) * scene.step},
                        {"rate", outcome.all.rate()},
                        {"spent", outcome.all.seconds},
                        {"depth", outcome.depth},
                        {"complaint", outcome.sane ? engine->complaint() : "flies apart"}};
  if (scene.later > 0.0 && outcome.later.steps > 0) out["rate_later"] = outcome.later.rate();
  if (scene.rests && outcome.later.steps > 0) out["creep"] = outcome.creep;
  if (scene.flies())
    if (const auto rate = acceleration_rate(*engine)) out["accelerations"] = *rate;
  // Motors do work, which is no error.
  if (!scene.robot) out["gained"] = outcome.gained / outcome.scale;
  std::printf("%s\n", out.dump().c_str());
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "%s SCENE.json [--seconds S] [--cap S] [NAME=VALUE ...]\n", argv[0]);
    return 2;
  }
  try {
    peers::run(peers::read_arguments({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
