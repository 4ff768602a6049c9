// What things look like where that is not the shape that touches.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "core/shape.h"
#include "core/types.h"

namespace pequod {

/// A triangle mesh that is read by whoever draws it, and by nobody else.
struct MeshFile {
  std::string path;  ///< absolute
  Vector3d scale = Vector3d::Ones();
};

/// A picture on a link: nothing touches it, and it weighs nothing.
struct Visual {
  std::variant<Geometry, MeshFile> geometry;
  Pose X_LV;                                                   ///< in the link frame
  std::optional<std::array<double, 4>> colour = std::nullopt;  ///< red, green, blue, opacity: 0…1
};

/// A picture on a frame of a model.
struct FrameVisual {
  int frame = -1;  ///< into Model::frames; Visual::X_LV is in it
  Visual visual;
};

}  // namespace pequod
