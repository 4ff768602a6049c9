// Impulses of the contacts that touch at one state: impacts, and where Coulomb's law has no force.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "simulation/record/event_row.h"
#include "simulation/step_stats.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

struct SettleWorkspace;

/// What impulses do to the touching contacts, one entry each.
struct ContactImpulses {
  std::vector<double> before;            ///< m/s, normal velocity before
  std::vector<Eigen::Vector2d> impulse;  ///< N·s: along the normal; along the tangents, its size
  std::vector<char> sticking;            ///< 1: it does not slip afterwards

  /// Those of contacts with these velocities to which nothing has happened yet.
  explicit ContactImpulses(std::vector<double> speeds)
      : before(std::move(speeds)),
        impulse(before.size(), Eigen::Vector2d::Zero()),
        sticking(before.size(), 0) {}
  /// Whether no contact has any.
  [[nodiscard]] bool none() const;
};

/// Normal velocities of contacts, m/s. @param here  stands at the state
[[nodiscard]] std::vector<double> normal_velocities(const World& world, const Evaluator& here,
                                                    const State& state, const Touching& touching);

/// Appends a row for each contact that had an impulse or an approach, the loss (J) on the first.
/// @param here  stands at the state after them
void report_impulses(const World& world, const Evaluator& here, const State& state,
                     const Touching& touching, const ContactImpulses& impulses, EventKind kind,
                     double loss, std::vector<EventRow>& events);

/// What resolve_impacts() did.
struct Impacts {
  bool any = false;
  double approach = 0.0;     ///< m/s, fastest before one of its rounds
  double restitution = 0.0;  ///< largest coefficient of a contact that approached
  int contacts = 0;          ///< of the largest island that was solved
  StepStats stats;
};

/// Changes v until no touching contact approaches faster than the tolerance; books the loss of
/// energy, appends events. Where that takes too many rounds, impacts with e < 1 do not bounce any
/// more, and in the end the rest of the scene's step is left to fallback steps (State::loop).
/// @param touching  out: the contacts of the state
Impacts resolve_impacts(const World& world, Evaluator& here, State& state, Touching& touching,
                        std::vector<EventRow>& events, SettleWorkspace& workspace);

/// What is about to meet: within a span of time (s), at more than so slow an approach (m/s), and
/// what the impulses of a step stop that was tried to `tried`, if there is one.
struct Meeting {
  double span;
  double slow;
  const State* tried;
};

/// The impacts of what rebounds and is about to meet, all at once, with what touches: for steps
/// that follow no events. Books and reports as resolve_impacts().
/// @param within  the contacts within reach
Impacts resolve_meetings(const World& world, Evaluator& here, const Meeting& meeting,
                         const Touching& within, State& state, std::vector<EventRow>& events,
                         SettleWorkspace& workspace);

/// What strike() did.
struct Strike {
  bool any = false;
  StepStats stats;
};

/// The impulse of the touching contacts where no force keeps them apart (Painlevé's paradox): the
/// limit of an approach that free motion just began. Books the loss as one of impacts, appends
/// events.
/// @param touching  out: the contacts of the state
Strike strike(const World& world, Evaluator& here, State& state, Touching& touching,
              std::vector<EventRow>& events, SettleWorkspace& workspace);

/// Whether a touching contact slips that may not: under infinite friction in the stages it does so
/// for no time. @param here  stands at the state
[[nodiscard]] bool must_grip(const World& world, const Evaluator& here, const State& state,
                             const Touching& touching);

}  // namespace pequod
