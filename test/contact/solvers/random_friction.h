#pragma once

#include <Eigen/Dense>
#include <random>
#include <string_view>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod::test {

enum class FrictionFamily {
  quad,   ///< 18 coordinates, 1–4 feet on a plane with 1 or 3 contacts each, light legs
  box,    ///< one box on 1–8 coplanar contacts
  stack,  ///< 2–3 boxes, four contacts between two of them, half with mass ratios to 10⁶
  wedge   ///< a body on two inclined planes, 2–6 contacts; some planes are parallel walls
};

inline constexpr FrictionFamily kFrictionFamilies[] = {
    FrictionFamily::quad, FrictionFamily::box, FrictionFamily::stack, FrictionFamily::wedge};

std::string_view name(FrictionFamily family);

/// Bodies as matrices, and their contact problem W = J M⁻¹ Jᵀ, q = J v.
struct FrictionCase {
  Eigen::MatrixXd M;  ///< m×m
  Eigen::MatrixXd J;  ///< 3n×m, contact by contact, normal first
  Eigen::VectorXd
      v;  ///< m, without impulses: an impact, at rest under gravity, sliding or spinning
  FrictionProblem problem;
};

/// 5 % frictionless, 55 % μ 0.1–1, 30 % 1–10 and 10 % a μ of its own at every contact.
FrictionCase random_friction(FrictionFamily family, std::mt19937_64& random);

/// The same with one μ at all contacts.
FrictionCase random_friction(FrictionFamily family, std::mt19937_64& random, double mu);

/// Sets W, q and scale from M, J and v.
void form_problem(FrictionCase& result);

}  // namespace pequod::test
