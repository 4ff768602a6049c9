// A controller's memory as a struct.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>

namespace pequod {

/// Doubles that a struct made of nothing but doubles takes in State::memory.
template <typename T>
constexpr int memory_size_of() {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == alignof(double) &&
                sizeof(T) % sizeof(double) == 0);
  return static_cast<int>(sizeof(T) / sizeof(double));
}

template <typename T>
[[nodiscard]] T load_memory(std::span<const double> memory) {
  T value;
  std::memcpy(static_cast<void*>(&value), memory.data(), sizeof(T));
  return value;
}

template <typename T>
void store_memory(const T& value, std::span<double> memory) {
  std::memcpy(memory.data(), &value, sizeof(T));
}

}  // namespace pequod
