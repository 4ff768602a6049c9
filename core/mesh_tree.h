// The tree of boxes of a mesh.
#pragma once

#include "core/shape.h"

namespace pequod {

/// Fills order and nodes: halves by the median along the longest side of the centres' box, at most
/// four triangles a leaf.
void build_tree(Mesh& mesh);

}  // namespace pequod
