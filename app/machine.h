// What figures were measured on.
#pragma once

#include <nlohmann/json.hpp>

namespace pequod::app {

/// {"processor", "cores", "system", "compiler", "pequod"}, as text but for the number of cores.
[[nodiscard]] nlohmann::ordered_json machine();

}  // namespace pequod::app
