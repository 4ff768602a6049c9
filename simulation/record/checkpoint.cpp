#include "simulation/record/checkpoint.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace pequod {
namespace {

// The number goes up whenever a field is added: an old file is then refused, not misread.
constexpr std::string_view kMagic = "pequod checkpoint 16\n";

// One list of fields serves both directions: `archive(field, …)` writes them or reads them.
class Writer {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  template <typename Sequence>
  void size(Sequence& sequence) {
    put(static_cast<std::int64_t>(sequence.size()));
  }
  std::string bytes;

 private:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <typename Sequence>
  void size(Sequence& sequence) {
    std::int64_t n = 0;
    get(n);
    // Every item takes at least a byte, so a wild size cannot ask for wild memory.
    if (n < 0 || n > static_cast<std::int64_t>(bytes_.size()))
      throw std::invalid_argument("is damaged");
    using Size = decltype(sequence.size());
    sequence.resize(static_cast<Size>(n));
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  template <typename T>
  void get(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    if (bytes_.size() < sizeof(T)) throw std::invalid_argument("is cut short");
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }

  std::string_view bytes_;
};

// @param item  what to do with each
template <typename Archive, typename Sequence, typename Item>
void items(Archive& archive, Sequence& sequence, const Item& item) {
  archive.size(sequence);
  for (auto& each : sequence) item(archive, each);
}
template <typename Archive, typename Sequence>
void items(Archive& archive, Sequence& sequence) {
  items(archive, sequence, [](auto& to, auto& number) { to(number); });
}

template <typename Archive, typename Vector>
void vector3(Archive& archive, Vector& vector) {
  archive(vector[0], vector[1], vector[2]);
}

constexpr auto kContactKey = [](auto& archive, auto& key) {
  archive(key.shape_a, key.shape_b, key.feature);
};

template <typename Archive, typename Slide>
void slide_mode(Archive& archive, Slide& slide) {
  auto kind = static_cast<char>(slide.kind);
  archive(kind);
  if constexpr (!std::is_const_v<Slide>) slide.kind = static_cast<SlideMode::Kind>(kind);
  vector3(archive, slide.direction_W);
  archive(slide.weightless);
}

constexpr auto kContactMode = [](auto& archive, auto& mode) {
  kContactKey(archive, mode.key);
  archive(mode.closed, mode.sticking);
  slide_mode(archive, mode.slide);
  archive(mode.floating, mode.share, mode.active);
  vector3(archive, mode.force_W);
  vector3(archive, mode.point_W);
  vector3(archive, mode.normal_W);
  archive(mode.gap);
};

constexpr auto kJointMode = [](auto& archive, auto& joint) {
  archive(joint.coordinate, joint.slide, joint.force);
};

constexpr auto kSeriesEnd = [](auto& archive, auto& end) {
  archive(end.t);
  kContactKey(archive, end.key);
  vector3(archive, end.point_W);
  vector3(archive, end.normal_W);
  archive(end.speed, end.energy_change);
};

template <typename Archive, typename LoopType>
void loop_state(Archive& archive, LoopType& loop) {
  auto& budget = loop.budget;
  archive(loop.mode_due, loop.released);
  archive(budget.crowd, budget.crowd_time, budget.storm, budget.storm_time, budget.events,
          budget.part_time, budget.allowance, budget.wait, budget.waiting);
  archive(loop.asleep);
  items(archive, loop.resting);
  items(archive, loop.forced, kContactKey);
  items(archive, loop.rims, kContactKey);
  items(archive, loop.ends, kSeriesEnd);
}

template <typename Archive, typename StateType>
void whole_state(Archive& archive, StateType& state) {
  auto& ledger = state.ledger;
  archive(state.t, state.step);
  items(archive, state.q);
  items(archive, state.v);
  archive(ledger.actuator_work, ledger.external_work, ledger.damping_loss, ledger.friction_loss,
          ledger.impact_loss, ledger.zeno_loss, ledger.stabilisation, ledger.normal_loss,
          ledger.suspect, ledger.initial);
  items(archive, state.tau);
  items(archive, state.memory);
  items(archive, state.ticks);
  archive(state.records, state.steps);
  items(archive, state.mode, kContactMode);
  items(archive, state.joints, kJointMode);
  loop_state(archive, state.loop);
}

template <typename Archive, typename Statistics>
void whole_statistics(Archive& archive, Statistics& statistics) {
  auto& unsolved = statistics.worst_unsolved;
  archive(statistics.steps, statistics.solves, statistics.pivots, statistics.locks,
          statistics.switches, statistics.reduced, statistics.fallbacks, statistics.pivots_max,
          statistics.worst_residual, statistics.unsolved);
  archive(unsolved.residual, unsolved.contacts, unsolved.t);
  archive(statistics.unbalanced, statistics.worst_newton, statistics.worst_slip,
          statistics.worst_gain, statistics.max_penetration, statistics.viscous_rate_max,
          statistics.energy_residual_max);
  for (auto& count : statistics.events) archive(count);
}

template <typename Archive, typename CheckpointType>
void whole_checkpoint(Archive& archive, CheckpointType& checkpoint) {
  items(archive, checkpoint.version);
  archive(checkpoint.scene_hash, checkpoint.finished, checkpoint.wall_time);
  for (auto& offset : checkpoint.offsets) archive(offset);
  whole_state(archive, checkpoint.state);
  whole_statistics(archive, checkpoint.statistics);
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string encode(const Checkpoint& checkpoint) {
  Writer writer;
  writer.bytes = kMagic;
  whole_checkpoint(writer, checkpoint);
  writer(hash_bytes(writer.bytes));
  return std::move(writer.bytes);
}

Checkpoint decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    throw std::invalid_argument("is no checkpoint of this version of the program");
  std::uint64_t expected = 0;
  if (bytes.size() < kMagic.size() + sizeof(expected)) throw std::invalid_argument("is cut short");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(expected));
  Reader tail(bytes.substr(body.size()));
  tail(expected);
  if (hash_bytes(body) != expected) throw std::invalid_argument("is damaged");

  Reader reader(body.substr(kMagic.size()));
  Checkpoint checkpoint;
  whole_checkpoint(reader, checkpoint);
  if (!reader.empty()) throw std::invalid_argument("is damaged");
  return checkpoint;
}

}  // namespace pequod
