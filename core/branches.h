// Which coordinates are before which on the branches of a model's trees.
#pragma once

#include "core/model.h"

namespace pequod {

/// Fills Model::runs, first_run and along_limb from the parents of coordinates.
void find_branches(Model& model);

}  // namespace pequod
