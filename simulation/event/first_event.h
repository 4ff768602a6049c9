// The first event inside a trial step.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "simulation/event/gap_samples.h"
#include "simulation/event/tolerances.h"

namespace pequod {

struct EventHit {
  enum class Kind {
    contact,  ///< a gap closes
    release,  ///< a held contact's force reaches zero, or a floating one opens or closes
    sinks,    ///< an open contact goes below zero at once: its mode was wrong
    stop,     ///< a joint that slides against friction comes to rest
    slip,     ///< the friction that holds a joint reaches its bound
    halt,     ///< the slip of a contact with Coulomb friction reaches zero
  };
  Kind kind = Kind::contact;
  double tau = 0.0;  ///< s into the step
  ContactKey key;
  int joint = -1;  ///< stop, slip: velocity coordinate
};

/// A step that was tried, from `start` to `end`, h (s) later; the stepper takes any part of it
/// again, and stands at h. A mode of friction was chosen as one that stands `look` (s) after it.
struct TriedStep {
  Stepper& stepper;
  const State& start;
  const Evaluator& start_terms;
  double h;
  const State& end;
  double look = kInfinity;
};

/// Storage of one search at a time.
struct EventWorkspace {
  /// Of one depth of the search through halves.
  struct Level {
    std::vector<OpenContact> crossing, open, half;
    std::vector<GapSample> samples;

    void poison() { pequod::poison(crossing, open, half, samples); }
  };
  EventWorkspace();

  Reach reach;
  SampleBuffers buffers;
  std::vector<GapSample> left, right, samples, fresh;
  std::vector<OpenContact> contacts, apart, touching;
  std::vector<ContactKey> crossing_keys, ended;
  std::vector<ContactPoint> found;
  std::array<Level, kMaxDepth + 1> levels;

  void poison() {
    pequod::poison(reach.travel, reach.near, buffers.held, buffers.moving, buffers.points,
                   buffers.among, buffers.limits, buffers.keys, left, right, samples, fresh,
                   contacts, apart, touching, crossing_keys, ended, found, levels);
  }
};

/// First zero of a gap of an open contact, of a held contact's force, or of a switching function of
/// joint friction in (0, h]; the state before it has every gap ≥ −1e-12 m. A pair is left alone
/// once a lower bound on its gap, from values and rates at both ends of an interval and a bound on
/// φ̈, is positive all along it.
[[nodiscard]] std::optional<EventHit> first_event(const World& world, const TriedStep& step,
                                                  EventWorkspace& workspace);

/// The parts of it that look at what is held, each up to the earlier event that is known already;
/// they give that one if theirs is no earlier.
[[nodiscard]] std::optional<EventHit> first_release(const World& world, const TriedStep& step,
                                                    const std::optional<EventHit>& known = {});
[[nodiscard]] std::optional<EventHit> first_joint_event(const Model& model, const TriedStep& step,
                                                        std::optional<EventHit> known);
[[nodiscard]] std::optional<EventHit> first_halt(const SceneTolerances& tolerance,
                                                 const TriedStep& step,
                                                 std::optional<EventHit> known);

/// Acceleration level: where in a trial of h (s) a held contact first runs off its face, edge or
/// axis, which it was followed along as if that went on for ever, if its shapes have come apart by
/// the end. s; none: nothing has, or at once.
[[nodiscard]] std::optional<double> first_run_off(const World& world, Stepper& stepper, double h,
                                                  EventWorkspace& workspace);

}  // namespace pequod
