#include "scene/urdf_values.h"

#include "scene/urdf_elements.h"

namespace pequod {

using tinyxml2::XMLElement;

std::string urdf_text(const XMLElement& xml, const char* attribute) {
  const char* value = xml.Attribute(attribute);
  return value == nullptr ? "" : value;
}

double urdf_number(const XMLElement& xml, const char* attribute, double fallback) {
  const auto values = parse_urdf_numbers(urdf_text(xml, attribute), true);
  return values && values->size() == 1 ? values->front() : fallback;
}

Vector3d urdf_vector(const XMLElement& xml, const char* attribute, const Vector3d& fallback) {
  const auto values = parse_urdf_numbers(urdf_text(xml, attribute));
  if (!values || values->size() != 3) return fallback;
  return {(*values)[0], (*values)[1], (*values)[2]};
}

Pose urdf_origin(const XMLElement& parent) {
  const XMLElement* origin = parent.FirstChildElement("origin");
  if (origin == nullptr) return {};
  return {rotation_from_rpy(urdf_vector(*origin, "rpy", Vector3d::Zero())),
          urdf_vector(*origin, "xyz", Vector3d::Zero())};
}

}  // namespace pequod
