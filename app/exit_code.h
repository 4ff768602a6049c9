// What the program tells its caller.
#pragma once

namespace pequod::app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;         ///< the run failed; its state is kept, the reason said
inline constexpr int kBadInput = 2;       ///< bad input or usage; nothing was run
inline constexpr int kInterrupted = 130;  ///< stopped by a signal; may be resumed

}  // namespace pequod::app
