#include "simulation/record/checkpoint.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace pequod {
namespace {

// The number goes up whenever a field is added: an old file is then refused, not misread.
constexpr std::string_view kMagic = "pequod checkpoint 16\n";

// One list of fields serves both directions: `archive(field)` writes it or reads it.
class Writer {
 public:
  template <typename T>
  void operator()(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  template <typename Sequence>
  void size(Sequence& sequence) {
    (*this)(static_cast<std::int64_t>(sequence.size()));
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  void operator()(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    if (bytes_.size() < sizeof(T)) throw std::invalid_argument("is cut short");
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }
  template <typename Sequence>
  void size(Sequence& sequence) {
    std::int64_t n = 0;
    (*this)(n);
    // Every item takes at least a byte, so a wild size cannot ask for wild memory.
    if (n < 0 || n > static_cast<std::int64_t>(bytes_.size()))
      throw std::invalid_argument("is damaged");
    using Size = decltype(sequence.size());
    sequence.resize(static_cast<Size>(n));
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

template <typename Archive, typename Sequence>
void items(Archive& archive, Sequence& sequence) {
  archive.size(sequence);
  for (auto& item : sequence) archive(item);
}

template <typename Archive, typename Vector>
void vector3(Archive& archive, Vector& vector) {
  for (int i = 0; i < 3; ++i) archive(vector[i]);
}

template <typename Archive, typename Key>
void contact_key(Archive& archive, Key& key) {
  archive(key.shape_a);
  archive(key.shape_b);
  archive(key.feature);
}

template <typename Archive, typename Slide>
void slide_mode(Archive& archive, Slide& slide) {
  auto kind = static_cast<char>(slide.kind);
  archive(kind);
  if constexpr (!std::is_const_v<Slide>) slide.kind = static_cast<SlideMode::Kind>(kind);
  vector3(archive, slide.direction_W);
  archive(slide.weightless);
}

template <typename Archive, typename Mode>
void contact_mode(Archive& archive, Mode& mode) {
  contact_key(archive, mode.key);
  archive(mode.closed);
  archive(mode.sticking);
  slide_mode(archive, mode.slide);
  archive(mode.floating);
  archive(mode.share);
  archive(mode.active);
  vector3(archive, mode.force_W);
  vector3(archive, mode.point_W);
  vector3(archive, mode.normal_W);
  archive(mode.gap);
}

template <typename Archive, typename LedgerType>
void whole_ledger(Archive& archive, LedgerType& ledger) {
  archive(ledger.actuator_work);
  archive(ledger.external_work);
  archive(ledger.damping_loss);
  archive(ledger.friction_loss);
  archive(ledger.impact_loss);
  archive(ledger.zeno_loss);
  archive(ledger.stabilisation);
  archive(ledger.normal_loss);
  archive(ledger.suspect);
  archive(ledger.initial);
}

template <typename Archive, typename LoopType>
void loop_state(Archive& archive, LoopType& loop) {
  archive(loop.mode_due);
  archive(loop.released);
  archive(loop.budget.crowd);
  archive(loop.budget.crowd_time);
  archive(loop.budget.storm);
  archive(loop.budget.storm_time);
  archive(loop.budget.events);
  archive(loop.budget.part_time);
  archive(loop.budget.allowance);
  archive(loop.budget.wait);
  archive(loop.budget.waiting);
  archive(loop.asleep);
  items(archive, loop.resting);
  archive.size(loop.forced);
  for (auto& key : loop.forced) contact_key(archive, key);
  archive.size(loop.rims);
  for (auto& key : loop.rims) contact_key(archive, key);
  archive.size(loop.ends);
  for (auto& end : loop.ends) {
    archive(end.t);
    contact_key(archive, end.key);
    vector3(archive, end.point_W);
    vector3(archive, end.normal_W);
    archive(end.speed);
    archive(end.energy_change);
  }
}

template <typename Archive, typename StateType>
void whole_state(Archive& archive, StateType& state) {
  archive(state.t);
  archive(state.step);
  items(archive, state.q);
  items(archive, state.v);
  whole_ledger(archive, state.ledger);
  items(archive, state.tau);
  items(archive, state.memory);
  items(archive, state.ticks);
  archive(state.records);
  archive(state.steps);
  archive.size(state.mode);
  for (auto& mode : state.mode) contact_mode(archive, mode);
  archive.size(state.joints);
  for (auto& joint : state.joints) {
    archive(joint.coordinate);
    archive(joint.slide);
    archive(joint.force);
  }
  loop_state(archive, state.loop);
}

template <typename Archive, typename Statistics>
void whole_statistics(Archive& archive, Statistics& statistics) {
  archive(statistics.steps);
  archive(statistics.solves);
  archive(statistics.pivots);
  archive(statistics.locks);
  archive(statistics.switches);
  archive(statistics.reduced);
  archive(statistics.fallbacks);
  archive(statistics.pivots_max);
  archive(statistics.worst_residual);
  archive(statistics.unsolved);
  archive(statistics.worst_unsolved.residual);
  archive(statistics.worst_unsolved.contacts);
  archive(statistics.worst_unsolved.t);
  archive(statistics.unbalanced);
  archive(statistics.worst_newton);
  archive(statistics.worst_slip);
  archive(statistics.worst_gain);
  archive(statistics.max_penetration);
  archive(statistics.viscous_rate_max);
  archive(statistics.energy_residual_max);
  for (auto& count : statistics.events) archive(count);
}

template <typename Archive, typename CheckpointType>
void whole_checkpoint(Archive& archive, CheckpointType& checkpoint) {
  items(archive, checkpoint.version);
  archive(checkpoint.scene_hash);
  archive(checkpoint.finished);
  archive(checkpoint.wall_time);
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
