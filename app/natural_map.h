// How far an answer is from the conditions of its problem: zero at the solutions and nowhere else.
#pragma once

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/quadratic/quadratic_program.h"

namespace pequod::app {

/// Relative to the size of the problem. Rows as unit vectors, so that multipliers and distances are
/// both in the unit of y:
///   |[y − y₀ − E fe − G f;  (Eⱼᵀy − eⱼ)/|Eⱼ|;  min(fᵢ|gᵢ|, (gᵢᵀy − cᵢ)/|gᵢ|)]| / s.
[[nodiscard]] double natural_map(const LeastDistanceProblem& problem,
                                 const LeastDistanceSolution& solution);

/// |[Mx + q − Aᵀλ, or its minimum with x − lower;  min(λ, Ax − b)]| / max(|q|, |x|, |Mx + q|)
[[nodiscard]] double natural_map(const QuadraticProblem& problem,
                                 const QuadraticSolution& solution);

/// [a; b]
[[nodiscard]] Eigen::VectorXd joined(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

}  // namespace pequod::app
