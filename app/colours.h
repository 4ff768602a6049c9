// Colours of the curves in our pictures.
#pragma once

#include <cstddef>
#include <iterator>

namespace pequod::app {

/// Colours that the colour-blind tell apart (Okabe & Ito 2008); from the eighth on they come again.
[[nodiscard]] constexpr const char* colour(std::size_t i) {
  constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};
  return kColours[i % std::size(kColours)];
}

}  // namespace pequod::app
