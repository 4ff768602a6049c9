// Rows of contacts at the ends of limbs, as of feet, four contacts abreast.
#pragma once

#include <span>

#include "contact/problem.h"

namespace pequod {

/// Whether each contact is that of a free body's limb with the world, each on a limb of its own,
/// whose third coordinate moves it last.
[[nodiscard]] bool are_on_limbs(const Model& model, std::span<const Contact> contacts);

/// Fills the columns of assemble_rows(), and ContactProblem::limbs beside them, if all contacts of
/// the island are on limbs, and of one tree. The numbers are those of assemble_rows(), to the bit.
/// @param problem  as clear_problem() leaves it
/// @return whether that is so; else nothing is filled
bool assemble_limb_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        std::span<const Contact> contacts, const Island& island,
                        ContactProblem& problem);

}  // namespace pequod
