// What a program of this folder asks of its engine. One file an engine defines it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/scene.h"

namespace peers {

/// Of an engine, by name; what an engine does not know is an error.
using Settings = std::map<std::string, std::string>;

class Engine {
 public:
  virtual ~Engine() = default;
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Drives the joints, if there are any, by what they do at time t, and takes one step of the
  /// scene.
  virtual void step(double t) = 0;
  /// X_WB of all bodies after the last step. Not part of what is timed.
  virtual void read_poses(std::vector<Pose>& poses) = 0;
  /// Computes the accelerations of a tree in free flight at where it is, as if it had just come
  /// there. @return  whether the engine can do this by itself
  virtual bool accelerate() { return false; }
  /// Why what was simulated is not the scene, if so: rows that found no room, for example.
  [[nodiscard]] virtual std::string complaint() const { return {}; }
};

/// @param path  the scene's file: beside it lies the same scene as Pequod reads it
/// @throws std::exception  for settings or scenes that the engine does not know
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& path,
                                                  const Settings& settings);

/// Takes a number out of the settings.
double take_number(Settings& settings, const std::string& name, double otherwise);
/// @throws std::invalid_argument  that names the settings which no one has taken
void refuse_others(const Settings& settings);

}  // namespace peers
