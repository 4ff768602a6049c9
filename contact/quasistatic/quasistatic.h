// Quasistatic contact problems, solved or proved to have no solution.
#pragma once

#include <vector>

#include "contact/quasistatic/mode_search.h"
#include "contact/quasistatic/problem.h"

namespace pequod {

struct QuasistaticOptions {
  BilinearOptions bilinear;
  bool proof = true;         ///< search the contact modes where the LPs find nothing
  bool all = false;          ///< every solution, by contact modes
  long most_nodes = 200000;  ///< of that search
};

enum class QuasistaticStatus {
  solved,
  no_solution,  ///< proved: no contact modes are possible. The parts jam, or nothing holds the
                ///< object
  unknown       ///< neither found nor ruled out within the limits
};

struct QuasistaticSolution {
  QuasistaticStatus status = QuasistaticStatus::unknown;
  std::string_view reason;  ///< where there is no solution, or none was found
  std::string_view method;  ///< bilinear or modes: what found the solution or the proof
  std::vector<QuasistaticMotion> motions;       ///< one, or all that were asked for
  std::vector<QuasistaticResiduals> residuals;  ///< of each
  std::vector<char> unique;  ///< of each, with `all`: no other motion and forces in these modes
  BilinearSolution bilinear;
  long nodes = 0;         ///< of the search through contact modes
  bool complete = false;  ///< with `all`: no solution is missing but those of a continuum
};

/// The bilinear program first, then, if it ends without a solution, the search through contact
/// modes, which either finds one or proves that there is none.
[[nodiscard]] QuasistaticSolution solve_quasistatic(const QuasistaticProblem& problem,
                                                    const QuasistaticOptions& options = {});

}  // namespace pequod
