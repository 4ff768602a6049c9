#pragma once

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

/// Contacts whose r and u are known, in any units that d turns into contact units: ρ = r/d, û = d
/// u.
struct MeasuredContacts {
  int contacts = 0, dimension = 3;
  const double* r = nullptr;
  const double* u = nullptr;
  const double* q = nullptr;
  const double* d = nullptr;  ///< one a contact; null: all one
  const double* mu = nullptr;
  const double* mu_rolling = nullptr;  ///< if the dimension is 5
  bool associated = false;
  double scale = 0;
};

/// Writes `contacts` modes and returns the residuals.
FrictionResiduals measure(const MeasuredContacts& contacts, FrictionMode* modes);

/// See FrictionSolution::exact.
[[nodiscard]] bool is_exact(const FrictionResiduals& residuals);

}  // namespace pequod
