#pragma once

#include <cstddef>

namespace pequod {

/// i, which is not negative, as an index of a container of the standard library.
[[nodiscard]] constexpr std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

}  // namespace pequod
