// Errors that end a run with exit code 1.
#pragma once

#include <stdexcept>

namespace pequod {

/// Something computed is not finite; the message names what produced it. The last accepted state is
/// still good.
struct DivergenceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A contact problem that neither the chosen solver nor its fallbacks could solve.
struct ContactError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pequod
