#include "simulation/record/checkpoint.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace pequod {
namespace {

// Every field of what a checkpoint holds, by structured bindings: a struct that gains a field does
// not compile here until the field is named, and then it must come back.
template <typename Visitor, typename... Fields>
void each(Visitor& visit, Fields&... fields) {
  (visit(fields), ...);
}

template <typename Visitor>
void fields_of(ContactKey& key, Visitor& visit) {
  auto& [shape_a, shape_b, feature] = key;
  each(visit, shape_a, shape_b, feature);
}
template <typename Visitor>
void fields_of(SlideMode& slide, Visitor& visit) {
  auto& [kind, direction_W, weightless] = slide;
  each(visit, kind, direction_W, weightless);
}
template <typename Visitor>
void fields_of(ContactMode& mode, Visitor& visit) {
  auto& [key, closed, sticking, slide, floating, share, active, force_W, point_W, normal_W, gap] =
      mode;
  each(visit, key, closed, sticking, slide, floating, share, active, force_W, point_W, normal_W,
       gap);
}
template <typename Visitor>
void fields_of(JointMode& joint, Visitor& visit) {
  auto& [coordinate, slide, force] = joint;
  each(visit, coordinate, slide, force);
}
template <typename Visitor>
void fields_of(Ledger& ledger, Visitor& visit) {
  auto& [actuator, external, damping, friction, impact, zeno, stabilisation, normal, suspect,
         initial] = ledger;
  each(visit, actuator, external, damping, friction, impact, zeno, stabilisation, normal, suspect,
       initial);
}
template <typename Visitor>
void fields_of(SeriesEnd& end, Visitor& visit) {
  auto& [t, key, point_W, normal_W, speed, energy_change] = end;
  each(visit, t, key, point_W, normal_W, speed, energy_change);
}
template <typename Visitor>
void fields_of(EventBudget& budget, Visitor& visit) {
  auto& [crowd, crowd_time, storm, storm_time, events, part_time, allowance, wait, waiting] =
      budget;
  each(visit, crowd, crowd_time, storm, storm_time, events, part_time, allowance, wait, waiting);
}
template <typename Visitor>
void fields_of(LoopState& loop, Visitor& visit) {
  auto& [mode_due, released, budget, asleep, resting, forced, rims, ends] = loop;
  each(visit, mode_due, released, budget, asleep, resting, forced, rims, ends);
}
template <typename Visitor>
void fields_of(State& state, Visitor& visit) {
  auto& [t, step, q, v, ledger, tau, memory, ticks, records, steps, mode, joints, loop] = state;
  each(visit, t, step, q, v, ledger, tau, memory, ticks, records, steps, mode, joints, loop);
}
template <typename Visitor>
void fields_of(UnsolvedProblem& problem, Visitor& visit) {
  auto& [residual, contacts, t] = problem;
  each(visit, residual, contacts, t);
}
template <typename Visitor>
void fields_of(RunStatistics& statistics, Visitor& visit) {
  auto& [steps, solves, pivots, locks, switches, fallbacks, pivots_max, reduced, residual, unsolved,
         worst_unsolved, unbalanced, newton, slip, gain, penetration, viscous_rate, energy_residual,
         events] = statistics;
  each(visit, steps, solves, pivots, locks, switches, fallbacks, pivots_max, reduced, residual,
       unsolved, worst_unsolved, unbalanced, newton, slip, gain, penetration, viscous_rate,
       energy_residual, events);
}
template <typename Visitor>
void fields_of(Checkpoint& checkpoint, Visitor& visit) {
  auto& [version, hash, finished, wall_time, offsets, state, statistics] = checkpoint;
  each(visit, version, hash, finished, wall_time, offsets, state, statistics);
}

/// Walks through all numbers; `Derived::number` sees each, `Derived::size` each vector.
template <typename Derived>
struct Walker {
  template <typename T>
  void operator()(T& field) {
    if constexpr (requires { field.resize(2); }) {
      self().size(field);
      for (auto& item : field) (*this)(item);
    } else if constexpr (requires { field.begin(); }) {
      for (auto& item : field) (*this)(item);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      self().number(field);
    } else {
      fields_of(field, *this);
    }
  }
  void operator()(Vector3d& field) {
    for (double& x : field) self().number(x);
  }
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// A value of its own for every number, truth to flip for every bool.
struct Fill : Walker<Fill> {
  explicit Fill(bool flag) : truth(flag) {}
  template <typename T>
  void size(T& field) {
    field.resize(3);
  }
  template <typename T>
  void number(T& field) {
    ++next;
    if constexpr (std::is_same_v<T, bool>)
      field = truth;
    else if constexpr (std::is_same_v<T, SlideMode::Kind>)
      field = truth ? SlideMode::Kind::moving : SlideMode::Kind::slow;
    else
      field = static_cast<T>(next % 97 + 1);  // fits a char; 97: neighbours differ
    if constexpr (std::is_floating_point_v<T>) field += T(next) / T(4096);
  }
  bool truth;
  int next = 0;
};

struct Collect : Walker<Collect> {
  template <typename T>
  void size(const T& field) {
    numbers.push_back(static_cast<double>(field.size()));
  }
  template <typename T>
  void number(const T& field) {
    numbers.push_back(static_cast<double>(field));
  }
  std::vector<double> numbers;
};

Checkpoint filled(bool truth) {
  Checkpoint checkpoint;
  Fill fill(truth);
  fields_of(checkpoint, fill);
  return checkpoint;
}

std::vector<double> numbers_of(Checkpoint checkpoint) {
  Collect collect;
  fields_of(checkpoint, collect);
  return collect.numbers;
}

}  // namespace

TEST_CASE("every field of a checkpoint comes back, to the bit") {
  for (const bool truth : {true, false}) {
    const Checkpoint written = filled(truth);
    const Checkpoint read = decode(encode(written));
    CHECK(numbers_of(written).size() > 120);
    CHECK(numbers_of(read) == numbers_of(written));
    CHECK(numbers_of(read) != numbers_of(filled(!truth)));
  }
}

TEST_CASE("what has no value, and the sign of zero, come back too") {
  Checkpoint written;
  written.state.tau = VectorXd::Constant(6, -0.0);
  written.state.memory = VectorXd::Constant(3, kNaN);
  written.scene_hash = 0xfedcba9876543210u;
  const Checkpoint read = decode(encode(written));
  CHECK(std::signbit(read.state.tau[5]));
  CHECK(std::isnan(read.state.memory[2]));
  CHECK(std::isnan(read.state.ledger.initial));
  CHECK(read.scene_hash == written.scene_hash);
  CHECK(read.state.mode.empty());
}

TEST_CASE("a checkpoint with any byte changed, missing or added is refused") {
  const std::string bytes = encode(filled(true));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 0x10;
    CHECK_THROWS_AS((void)decode(damaged), std::invalid_argument);
    CHECK_THROWS_AS((void)decode(bytes.substr(0, i)), std::invalid_argument);
  }
  CHECK_THROWS_AS((void)decode(bytes + "x"), std::invalid_argument);
}

}  // namespace pequod
