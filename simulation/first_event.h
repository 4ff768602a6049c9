// The first event inside a trial step.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "simulation/collision.h"
#include "simulation/stepper.h"

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

/// Searches trial steps of one scenario. Buffers only.
class EventFinder {
 public:
  EventFinder(const Scenario& scenario, const Collision& collision, StepClock& clock);

  /// First zero of a gap of an open contact, of a held contact's force, or of a switching function
  /// of joint friction in (0, h]; the state
  /// before it has every gap ≥ −1e-12 m. A pair is left alone once a lower bound on its gap, from
  /// values and rates at both ends of an interval and a bound on φ̈, is positive all along it.
  /// @param end  the state at h, a copy of stepper.at(h), which was its last
  [[nodiscard]] std::optional<EventHit> first(Stepper& stepper, const State& start,
                                              const Evaluator& start_terms, double h,
                                              const State& end);

 private:
  struct Sample {  // one open contact at one time
    ContactKey key;
    double gap = 0.0, rate = 0.0, curvature = 0.0;
    bool present = true;   ///< false: these features do not face each other; gap is out of reach
    bool covered = false;  ///< by a facet that is held: gap is a small one that does not change
    double acceleration = std::numeric_limits<double>::quiet_NaN();  ///< of gap, if it is known
  };
  struct Interval {  // one open contact between two times
    Sample left, right;
  };
  struct Crossing {
    double tau;
    ContactKey key;
  };
  void find_near(const Evaluator& start, const Evaluator& end, double h);
  [[nodiscard]] double range(int shape_a, int shape_b) const;
  void sample_all(const Stepper& stepper, const State& state, const Evaluator& terms,
                  const VectorXd* vdot, double h, std::vector<Sample>& samples);
  void place_end(const Stepper& stepper);
  Sample sample_at(Stepper& stepper, double tau, const ContactKey& key);
  [[nodiscard]] Sample missing_sample(const ContactKey& key) const;
  [[nodiscard]] static Sample covered_sample(const ContactKey& key);
  void keep_fresh(const Stepper& stepper, const std::vector<Interval>& keys);
  void sample_keys(Stepper& stepper, double tau, const std::vector<Interval>& keys,
                   std::vector<Sample>& samples);
  [[nodiscard]] Sample limit_sample(const ContactKey& key, const State& state,
                                    const VectorXd* vdot) const;
  [[nodiscard]] Sample geometric_sample(const ContactPoint& point, const Kinematics& kin,
                                        const VectorXd* vdot) const;
  void bound_start_rates(const Stepper& stepper, const State& start, const State& end);
  [[nodiscard]] Sample open_sample(const Stepper& stepper, const ContactPoint& point,
                                   const Kinematics& kin, const VectorXd* vdot) const;
  void pair_samples(const Stepper& stepper, const State& start, const State& end,
                    std::vector<Interval>& intervals);
  std::optional<EventHit> start_apart(Stepper& stepper, double& a, double b,
                                      std::vector<Interval>& intervals);
  std::optional<Crossing> search(Stepper& stepper, double a, double b,
                                 const std::vector<Interval>& intervals, int depth);
  Crossing first_crossing(Stepper& stepper, double a, double b,
                          const std::vector<Interval>& crossing);
  double crossing_time(Stepper& stepper, double a, const Sample& left, double b,
                       const Sample& right);
  double behind_jump(Stepper& stepper, double tau, double b, const ContactKey& key);
  std::optional<EventHit> first_infeasible(Stepper& stepper, double h);
  std::optional<EventHit> first_release(Stepper& stepper, double h, const State& start,
                                        const State& end);

  void first_halt(Stepper& stepper, double h, std::optional<EventHit>& hit);
  void first_joint(Stepper& stepper, const State& start, double h, const State& end,
                   std::optional<EventHit>& hit);
  [[nodiscard]] double joint_margin(const JointMode& joint, const State& state) const;

  const Scenario* scenario_;
  const Collision* collision_;
  StepClock* clock_;
  double weight_ = 0.0;  // N, scale of forces
  ShapeMotion motion_;
  std::vector<double> travel_;
  std::vector<Pose> X_WL_, X_WS_;
  std::vector<ShapePair> near_;
  std::vector<ContactPoint> points_;
  std::vector<Sample> left_, right_;
  std::vector<Interval> intervals_, apart_, touching_, all_;
  std::vector<Sample> samples_, fresh_;
  std::vector<ContactKey> asked_;  // at one time
  struct Level {                   // buffers of one depth of the search
    std::vector<Interval> crossing, open, half;
    std::vector<Sample> samples;
  };
  static constexpr int kMaxDepth = 20;  // 1e-6 of the step
  std::array<Level, kMaxDepth + 1> levels_;
  int looks_ = 0;  // of this search, in the middle of an interval
  Kinematics path_;
};

}  // namespace pequod
