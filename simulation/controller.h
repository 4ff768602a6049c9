// What a controller sees and returns. Write your own: see examples/controllers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/dynamics.h"
#include "core/model.h"
#include "core/state.h"

namespace pequod {

struct World;
class Evaluator;

/// What a controller may look at when it is called.
struct ControlInput {
  const Model& model;
  const State& state;            ///< mode holds the last contact forces (N on b, world axes)
  const Kinematics& kinematics;  ///< poses, velocities and bias accelerations at `state`
  const MassMatrix& mass;        ///< M at `state`
  const VectorXd& bias;          ///< Coriolis, centrifugal and gravity forces at `state`, Model::nv
};

/// What a controller asks of a joint: τ = kp (target − q) − kd q̇.
struct JointGain {
  int link = -1;         ///< whose joint it is, revolute or prismatic
  double kp = 0.0;       ///< N·m/rad or N/m
  double kd = 0.0;       ///< N·m·s/rad or N·s/m
  double target = kNaN;  ///< rad or m; NaN: where the joint starts
};

/// Sampled feedback: `update` is called when the run starts and a period, 2 periods, … later
/// (events of the run) and its efforts are held in between, so results do not depend on the
/// integrator.
struct Controller {
  std::string name;       ///< for messages: "dog.trot"
  int entity = -1;        ///< the robot it drives, index into Model::entities
  double period = 0.001;  ///< s
  int memory_size = 0;    ///< doubles kept for it in State::memory
  /// Fills the memory before the first call.
  std::function<void(const ControlInput&, std::span<double> memory)> initialise;
  /// Writes the efforts (N·m or N) of the robot's own velocity coordinates into tau (Model::nv
  /// long); clamped to the joints' effort limits by the caller. Must depend on its arguments alone.
  std::function<void(const ControlInput&, std::span<double> memory, VectorXd& tau)> update;
  /// Whether it may be called beside those of other robots, as all of ours: it keeps nothing but
  /// its memory and reads no efforts of others. Where one may not, or two drive one robot, they are
  /// called in turn.
  bool shares_nothing = false;
  /// Of a controller that does just this, for what can be told before a run (gain_limit.h,
  /// standing.h); of others empty.
  std::vector<JointGain> gains;
};

/// Contact force on a frame's shapes, N on the robot, world axes, from State::mode.
[[nodiscard]] Vector3d contact_force_on(const Model& model, const State& state, int frame);

/// No tick has passed, and each controller initialises its memory.
/// @param here  stands at the state afterwards, if there is any controller
void start_controllers(const World& world, Evaluator& here, State& state);

/// Controllers whose tick has come write their efforts, which are held from then on (State::tau):
/// a mode may not outlast that.
/// @throws DivergenceError  if an effort is not finite
void call_due_controllers(const World& world, Evaluator& here, State& state);

}  // namespace pequod
