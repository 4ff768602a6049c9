// What a factor of M says of a mass matrix that is not positive definite.
#pragma once

#include "core/model.h"

namespace pequod {

/// @throws std::domain_error naming the coordinate, if its pivot is not positive
void require_pivot(const Model& model, int coordinate, double pivot);

}  // namespace pequod
