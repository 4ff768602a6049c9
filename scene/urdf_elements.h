// The elements of a URDF as a table, and the check of a file against it.
#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "scene/diagnostics.h"

namespace pequod {

/// One attribute: text (count 0) or `count` numbers.
struct UrdfAttribute {
  std::string name;
  int count = 0;
  bool required = false;
  double minimum = -kInfinity;
  bool above_minimum = false;
  bool may_be_infinite = false;
  bool idle = false;  ///< read and counted, but without effect
};

/// What becomes of an element.
enum class UrdfUse {
  checked,  ///< against the table
  drawn,    ///< a picture, read by urdf_visuals.h, which forgives
  ignored   ///< counted, with all that is in it
};

struct UrdfElement {
  std::string name;
  UrdfUse use = UrdfUse::checked;
  bool required = false;
  bool many = false;  ///< may stand more than once
  std::vector<UrdfAttribute> attributes;
  std::vector<UrdfElement> children;
};

/// The <robot> element and all below it.
[[nodiscard]] const UrdfElement& urdf_elements();

/// Finite numbers separated by spaces, decimal point only; nothing if the text is anything else.
[[nodiscard]] std::optional<std::vector<double>> parse_urdf_numbers(std::string_view text,
                                                                    bool may_be_infinite = false);

/// Reports unknown, misplaced, missing and malformed elements and attributes with their lines, and
/// in one note what is ignored.
void check_urdf_elements(const tinyxml2::XMLElement& robot, const std::string& file,
                         Diagnostics& diagnostics);

}  // namespace pequod
