#pragma once

namespace pequod {

/// How a solve ended, of whatever kind of problem.
enum class SolveStatus {
  solved,
  no_solution,  ///< proved; what the proof is, and where it is, the kind of problem says
  failed        ///< the reason stands beside it
};

}  // namespace pequod
