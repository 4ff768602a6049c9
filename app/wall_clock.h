// Wall time that has gone by.
#pragma once

#include <chrono>

namespace pequod::app {

[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace pequod::app
