// Values of a URDF's elements, as numbers.
#pragma once

#include <tinyxml2.h>

#include <string>

#include "core/types.h"

namespace pequod {

/// The text of an attribute; empty if there is none.
[[nodiscard]] std::string urdf_text(const tinyxml2::XMLElement& xml, const char* attribute);

/// The fallback if there is no such attribute, or it is no number.
[[nodiscard]] double urdf_number(const tinyxml2::XMLElement& xml, const char* attribute,
                                 double fallback);

/// Three numbers; the fallback if there is no such attribute, or it is anything else.
[[nodiscard]] Vector3d urdf_vector(const tinyxml2::XMLElement& xml, const char* attribute,
                                   const Vector3d& fallback);

/// The pose that <origin> in an element gives, the identity if there is none.
[[nodiscard]] Pose urdf_origin(const tinyxml2::XMLElement& parent);

}  // namespace pequod
