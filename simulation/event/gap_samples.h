// Gaps of the contacts that are open in a step, at one time.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "simulation/collision.h"
#include "simulation/trial/stepper.h"

namespace pequod {

/// One open contact at one time.
struct GapSample {
  ContactKey key;
  double gap = 0.0, rate = 0.0, curvature = 0.0;  ///< m, m/s, m/s² (|φ̈| without v̇)
  bool present = true;   ///< false: these features do not face each other; gap is out of reach
  bool covered = false;  ///< by a facet that is held: gap is a small one that does not change
  double acceleration = std::numeric_limits<double>::quiet_NaN();  ///< m/s² of gap, if known
};

/// One open contact between two times.
struct OpenContact {
  GapSample left, right;
};

/// Which shapes can meet in a step.
struct Reach {
  std::vector<int> shapes;      ///< those that may come near others, ascending
  std::vector<double> travel;   ///< m, what each of them may move within the step
  std::vector<ShapePair> near;  ///< the pairs that it may bring together, but for those that have
                                ///< one contact, which the step holds
  double touches = 0.0;         ///< m: gaps up to here touch

  /// m, within which contacts of two shapes are looked for.
  [[nodiscard]] double range(int shape_a, int shape_b) const {
    return nth(travel, shape_a) + nth(travel, shape_b) + touches;
  }
};

/// Storage of samples.
struct SampleBuffers {
  std::vector<int> moving;  // shapes of pairs that may meet
  std::vector<ContactPoint> points;
  std::vector<std::size_t> among;  // of points: places of some, by their keys
  std::vector<ContactKey> keys;
  std::vector<ContactKey> held;
  std::vector<char> limits;  // see visit_limits()
  Kinematics path;
};

/// What samples are taken of: the trials of one step, by the shapes that can meet in it.
struct Sampling {
  const World& world;
  const Reach& reach;
  Stepper& stepper;
  SampleBuffers& buffers;

  [[nodiscard]] const Model& model() const { return world.model(); }
};

/// Whether both shapes are convex and have corners, if any, that stay where they are on them: no
/// rim and no facets of ground.
[[nodiscard]] bool is_of_simple_shapes(const Model& model, const ContactKey& key);

/// Reach of the step of length h (s) that the stepper has tried, from the velocities at its start
/// and end. A step of impulses has one velocity all along, that of its end: what stands at both
/// ends does not move, as its shorter trials ask for less of the same impulses.
/// @param buffers  held and moving: out
void find_reach(const World& world, const Stepper& stepper, const Evaluator& end, double h,
                SampleBuffers& buffers, Reach& reach);

/// Samples of all open contacts in reach at both ends of a step of h (s), contact by contact, but
/// for those that a held facet covers all along.
/// @param end  the state at h, where the stepper stands
void sample_ends(const Sampling& sampling, const State& start, const Evaluator& start_terms,
                 double h, const State& end, std::vector<GapSample>& left,
                 std::vector<GapSample>& right, std::vector<OpenContact>& contacts);

/// One contact at τ (s).
[[nodiscard]] GapSample sample_at(const Sampling& sampling, double tau, const ContactKey& key);

/// The given contacts at τ (s), in their order, from one query of each pair.
/// @param fresh  open contacts of the same pairs that are not among them
void sample_contacts(const Sampling& sampling, double tau, std::span<const OpenContact> contacts,
                     std::vector<GapSample>& samples, std::vector<GapSample>& fresh);

/// A contact whose features do not face each other.
[[nodiscard]] GapSample missing_sample(const Reach& reach, const ContactKey& key);

}  // namespace pequod
