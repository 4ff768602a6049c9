// What a planar contact does.
#pragma once

#include <array>
#include <string_view>

namespace pequod {

/// Left and right as seen along the tangent's axis with the normal upwards.
enum class QuasistaticMode { breaks, rolls, slides_left, slides_right };
[[nodiscard]] std::string_view name(QuasistaticMode mode);

/// Which of a contact's x = (v_n, v_t⁺, v_t⁻) and y = (c_n, s_t⁺, s_t⁻) are zero.
struct ModeZeros {
  std::array<bool, 3> x, y;
};
[[nodiscard]] ModeZeros zeros_of(QuasistaticMode mode);

}  // namespace pequod
