// The tags of an XML text with their places: tinyxml2 tells lines only, and its errors by name.
#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>
#include <vector>

#include "scene/diagnostics.h"

namespace pequod {

/// The tags of a text as they open and close.
struct XmlTags {
  std::vector<Place> starts;          ///< of the elements, in the order of the text
  std::optional<Diagnostic> problem;  ///< the first tag that does not fit
};
[[nodiscard]] XmlTags scan_xml(const std::string& text, const std::string& file);

/// Parses a text into `document`, its elements' places remembered for place_of_element; reports in
/// words what is wrong with it.
[[nodiscard]] bool parse_xml(const std::string& text, const std::string& file,
                             tinyxml2::XMLDocument& document, Diagnostics& diagnostics);

/// The place of an element of a document that parse_xml read.
[[nodiscard]] Place place_of_element(const tinyxml2::XMLElement& element, const std::string& file);

}  // namespace pequod
