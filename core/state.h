// What changes in a run, as a plain value.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/model.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/types.h"

namespace pequod {

/// Coulomb friction of a closed contact that slides, at the acceleration level.
struct SlideMode {
  enum class Kind : char {
    none,      ///< it does not slide, or has no Coulomb friction
    starting,  ///< from rest, against `direction_W` until the slip is fast enough to have one
    moving,    ///< against its slip velocity
    slow       ///< against `direction_W`, its slip velocity when that became too small to tell
  };
  Kind kind = Kind::none;
  Vector3d direction_W = Vector3d::Zero();  ///< unit, of the slip of b against a; zero: its own
  bool weightless = false;                  ///< it carries no force while the mode lasts
};

/// Held mode of one contact (or joint limit) that touches.
struct ContactMode {
  ContactKey key;
  bool closed = true;     ///< gap held at zero; it may carry no force
  bool sticking = false;  ///< tangential velocity held at zero
  SlideMode slide;
  bool floating = false;  ///< closed without normal force: `share` of its friction holds the gap
  double share = 1.0;     ///< of its friction that acts; in [0, 1]
  bool active = false;    ///< its normal was in the solver's active set: warm start
  Vector3d force_W =
      Vector3d::Zero();  ///< N, on b, of the last solve (impulse / h at velocity level)
  Vector3d point_W = Vector3d::Zero();   ///< m, where it acts
  Vector3d normal_W = Vector3d::Zero();  ///< unit, from a to b
  double gap = 0.0;                      ///< m
};

/// Coulomb friction of one joint.
struct JointMode {
  int coordinate = -1;  ///< into State::v
  int slide = 0;       ///< sign of the velocity it slides with; 0: it sticks, velocity exactly zero
  double force = 0.0;  ///< N·m or N, of the last solve (impulse / h at velocity level)
};

/// A joint limit is a contact of the joint's link with itself: shape_a = −1 − link, shape_b = −1,
/// feature 0 the lower and 1 the upper limit.
[[nodiscard]] constexpr ContactKey joint_limit_key(int link, bool upper) {
  return {-1 - link, -1, upper ? 1u : 0u};
}
[[nodiscard]] constexpr bool is_joint_limit(const ContactKey& key) { return key.shape_a < 0; }

/// The links of a contact, or twice that of a joint limit; −1: the world.
[[nodiscard]] inline std::array<int, 2> links_of(const Model& model, const ContactKey& key) {
  if (is_joint_limit(key)) return {-1 - key.shape_a, -1 - key.shape_a};
  return {nth(model.shapes, key.shape_a).link, nth(model.shapes, key.shape_b).link};
}

/// Energy integrals, J: the columns of energy.csv. Losses ≥ 0 leave the system.
struct Ledger {
  double actuator_work = 0.0, external_work = 0.0;
  double damping_loss = 0.0, friction_loss = 0.0;
  double impact_loss = 0.0;  ///< of impacts: with zeno_loss what the rows of events.csv sum up to
  double zeno_loss = 0.0;    ///< of hops that are closed
  double stabilisation = 0.0;
  double normal_loss = 0.0;  ///< of normal impulses of steps, at the velocity level
  double suspect = 0.0;      ///< of all these: what was taken and physics does not explain
  double initial = kNaN;     ///< total energy at the start of the run
};

/// A contact whose series of impacts was taken to its limit, for the row that tells it when the run
/// gets there.
struct SeriesEnd {
  double t = kNaN;  ///< s, when the series would end
  ContactKey key;
  Vector3d point_W = Vector3d::Zero(), normal_W = Vector3d::Zero();
  double speed = 0.0;          ///< m/s, with which it left
  double energy_change = 0.0;  ///< J
};

/// Events so far, which bound what a step of the scene may cost: simulation/loop/budget.h.
struct EventBudget {
  double crowd = 0.0;              ///< events since crowd_time, by how endless they may be
  double crowd_time = -kInfinity;  ///< s, of the first of events that crowd
  double storm = 0.0;              ///< the same since storm_time, and shares for steps cut short
  double storm_time = -kInfinity;  ///< s, within one step of the scene
  double events = 0.0;             ///< all of these since part_time
  double part_time = -kInfinity;   ///< s, in a part of that step
  double allowance = 1.0;          ///< of what a step may cost: less where those before spent it
  double wait = 0.0;     ///< steps of the scene without events after the last that spent it at once
  double waiting = 0.0;  ///< of these, that are to come
};

/// Where the event loop stands between two steps.
struct LoopState {
  bool mode_due = true;   ///< the contact mode is to be chosen anew
  bool released = false;  ///< the mode was read off a little later; here it is a tie
  EventBudget budget;
  bool asleep = false;             ///< the last step ended where it began, at rest: so do all more
  std::vector<char> resting;       ///< of each tree: no step looks at it; none: all are awake
  std::vector<ContactKey> forced;  ///< contacts that the next step holds whatever the solve says
  std::vector<ContactKey> rims;  ///< points that rims of discs that lie flat need beside fixed ones
  std::vector<SeriesEnd> ends;   ///< that lie ahead, by time
};

/// A State alone resumes a run: all that later bits depend on is in it.
struct State {
  double t = 0.0;     ///< s
  double step = 0.0;  ///< s, next step of an adaptive integrator; 0: the scene's
  VectorXd q;         ///< Model::nq, unit quaternions (w x y z)
  VectorXd v;         ///< Model::nv
  Ledger ledger;      ///< energy integrals
  VectorXd tau;       ///< Model::nv, actuator efforts held since the last controller tick
  VectorXd memory;    ///< controllers' own, in the order of the controllers
  std::vector<std::int64_t>
      ticks;  ///< per controller: calls so far; the next is ticks · period after the start
  std::int64_t records = 0;       ///< rows recorded so far
  std::int64_t steps = 0;         ///< whole steps of the scene so far, of a fixed length
  std::vector<ContactMode> mode;  ///< sorted by key
  std::vector<JointMode> joints;  ///< a mode for each joint with Coulomb friction, by coordinate
  LoopState loop;

  /// Member by member: as a whole it would be moved three times.
  friend void swap(State& a, State& b) {
    // A member that is forgotten here does not compile.
    const auto members = [](State& state) {
      auto& [t, step, q, v, ledger, tau, memory, ticks, records, steps, mode, joints, loop] = state;
      return std::tie(t, step, q, v, ledger, tau, memory, ticks, records, steps, mode, joints,
                      loop);
    };
    auto of_a = members(a), of_b = members(b);
    of_a.swap(of_b);
  }
};

/// The first mode whose key is not before this one.
[[nodiscard]] std::vector<ContactMode>::const_iterator first_mode(const State& state,
                                                                  const ContactKey& key);
/// N, of a contact along its normal, N or N·m of a joint limit: below zero it pulls.
[[nodiscard]] inline double normal_force(const ContactMode& mode) {
  return is_joint_limit(mode.key) ? mode.force_W.x() : mode.force_W.dot(mode.normal_W);
}

/// The held mode of a contact, nullptr if it has none.
[[nodiscard]] const ContactMode* find_mode(const State& state, const ContactKey& key);

/// find_mode() for keys that mostly come in their order: looks first behind the one found last.
class ModeFinder {
 public:
  /// @param first  where the first that is asked for is likely to be
  explicit ModeFinder(const State& state, std::size_t first = 0) : state_(&state), next_(first) {}
  [[nodiscard]] const ContactMode* find(const ContactKey& key);

 private:
  const State* state_;
  std::size_t next_;
};

/// Calls visit(mode) for the contacts that shapes first … last − 1 have with others, in the order
/// of their keys. Searches, for there may be hundreds of robots that each ask for their own.
template <typename Visit>
void visit_modes(const State& state, int first, int last, const Visit& visit) {
  const auto end = state.mode.end();
  auto mode = first_mode(state, {0, 0, 0});  // behind joint limits
  while (mode != end && mode->key.shape_a < first) {
    const int a = mode->key.shape_a;
    for (mode = first_mode(state, {a, first, 0});
         mode != end && mode->key.shape_a == a && mode->key.shape_b < last; ++mode)
      visit(*mode);
    mode = first_mode(state, {a + 1, 0, 0});
  }
  for (; mode != end && mode->key.shape_a < last; ++mode) visit(*mode);
}

/// Puts the modes in the order of their keys, which these functions rely on.
void sort_modes(State& state);

/// All coordinates zero, quaternions the identity, no contact.
[[nodiscard]] State make_state(const Model& model);

/// q ⊕ dv: moves the configuration along the velocity-like displacement d (Model::nv), free bases
/// and spherical joints on the rotation group, quaternions kept at unit length.
/// @param team  whose threads share the links
void integrate_position(const Model& model, const VectorXd& q, const VectorXd& d, VectorXd& out,
                        const Team* team = nullptr);

}  // namespace pequod
