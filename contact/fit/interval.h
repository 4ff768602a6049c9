// How wide an interval must be that holds the truth in 99.7 of 100 cases.
#pragma once

namespace pequod {

/// Student's factor on a standard error that was estimated with so many degrees of freedom: 3 for
/// many, more for few; ∞ for none.
[[nodiscard]] double three_sigma_factor(long degrees_of_freedom);

}  // namespace pequod
