// checkpoint.bin: all that a run needs to go on with the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/state.h"
#include "simulation/simulation.h"

namespace pequod {

/// The logs of a run folder, in the order of their offsets in a checkpoint.
enum class Log { state, energy, events, contacts, steps };
inline constexpr int kLogs = 5;

struct Checkpoint {
  std::string version;           ///< of the program that wrote it
  std::uint64_t scene_hash = 0;  ///< of everything the run was asked to do
  bool finished = false;
  double wall_time = 0.0;                     ///< s, spent so far
  std::array<std::int64_t, kLogs> offsets{};  ///< bytes of each log that belong to the state
  State state;
  RunStatistics statistics;
};

[[nodiscard]] std::string encode(const Checkpoint& checkpoint);

/// @throws std::invalid_argument  if the bytes are no checkpoint, or a damaged one
[[nodiscard]] Checkpoint decode(std::string_view bytes);

/// 64-bit FNV-1a, going on from an earlier hash.
inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325u;
[[nodiscard]] std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = kHashStart);

}  // namespace pequod
