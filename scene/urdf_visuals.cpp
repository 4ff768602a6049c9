#include "scene/urdf_visuals.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scene/mesh_file.h"
#include "scene/urdf_elements.h"
#include "scene/urdf_values.h"
#include "scene/xml_tags.h"

namespace pequod {
namespace {

using tinyxml2::XMLElement;

// <color rgba="…"> of a <material>.
std::optional<std::array<double, 4>> colour_in(const XMLElement& material) {
  const XMLElement* xml = material.FirstChildElement("color");
  if (xml == nullptr) return std::nullopt;
  const auto given = parse_urdf_numbers(urdf_text(*xml, "rgba"));
  if (!given || given->size() != 4) return std::nullopt;
  std::array<double, 4> rgba{};
  for (std::size_t k = 0; k < 4; ++k) rgba[k] = std::clamp((*given)[k], 0.0, 1.0);
  return rgba;
}

// An attribute that is there and is not three finite numbers.
bool is_malformed(const XMLElement& xml, const char* attribute) {
  return xml.Attribute(attribute) != nullptr &&
         !urdf_vector(xml, attribute, Vector3d::Constant(kNaN)).allFinite();
}

bool has_size(double x) { return std::isfinite(x) && x > 0.0; }

std::optional<Geometry> simple_geometry(const XMLElement& shape) {
  const std::string kind = shape.Name();
  const double radius = urdf_number(shape, "radius", kNaN),
               length = urdf_number(shape, "length", kNaN);
  if (kind == "box") {
    const Vector3d size = urdf_vector(shape, "size", Vector3d::Constant(kNaN));
    if (size.allFinite() && size.minCoeff() > 0.0) return Box{size};
  }
  if (kind == "sphere" && has_size(radius)) return Sphere{radius};
  if (!has_size(radius) || !has_size(length)) return std::nullopt;
  if (kind == "cylinder") return Cylinder{radius, length};
  if (kind == "capsule") return Capsule{radius, length};
  return std::nullopt;
}

}  // namespace

UrdfVisuals::UrdfVisuals(const XMLElement& robot, std::string file,
                         std::vector<std::filesystem::path> package_paths)
    : file_(std::move(file)), package_paths_(std::move(package_paths)) {
  learn(robot);
  // A material may also have its colour where it is used first.
  for (const XMLElement* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link"))
    for (const XMLElement* visual = link->FirstChildElement("visual"); visual != nullptr;
         visual = visual->NextSiblingElement("visual"))
      learn(*visual);
}

void UrdfVisuals::learn(const XMLElement& parent) {
  for (const XMLElement* xml = parent.FirstChildElement("material"); xml != nullptr;
       xml = xml->NextSiblingElement("material"))
    if (const auto rgba = colour_in(*xml)) materials_.emplace(urdf_text(*xml, "name"), *rgba);
}

std::vector<Visual> UrdfVisuals::of(const XMLElement& link) {
  std::vector<Visual> visuals;
  for (const XMLElement* xml = link.FirstChildElement("visual"); xml != nullptr;
       xml = xml->NextSiblingElement("visual"))
    if (auto drawn = geometry(*xml))
      visuals.push_back({std::move(*drawn), urdf_origin(*xml), colour(*xml)});
  return visuals;
}

std::optional<UrdfVisuals::Drawn> UrdfVisuals::geometry(const XMLElement& visual) {
  const XMLElement* geometry = visual.FirstChildElement("geometry");
  const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  const XMLElement* origin = visual.FirstChildElement("origin");
  const bool placed =
      origin == nullptr || (!is_malformed(*origin, "xyz") && !is_malformed(*origin, "rpy"));
  if (shape != nullptr && placed) {
    if (std::string(shape->Name()) == "mesh") return mesh(*shape);
    if (const auto simple = simple_geometry(*shape)) return *simple;
  }
  leave_out(malformed_, visual, "");
  return std::nullopt;
}

std::optional<UrdfVisuals::Drawn> UrdfVisuals::mesh(const XMLElement& xml) {
  const std::string name = urdf_text(xml, "filename");
  const Vector3d scale = urdf_vector(xml, "scale", Vector3d::Ones());
  if (name.empty() || is_malformed(xml, "scale") || scale.cwiseAbs().minCoeff() == 0.0) {
    leave_out(malformed_, xml, "");
    return std::nullopt;
  }
  const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
  const auto path = existing_file(name, folder, package_paths_);
  if (!path) {
    leave_out(missing_, xml, name);
    return std::nullopt;
  }
  return MeshFile{std::filesystem::absolute(*path).lexically_normal().string(), scale};
}

std::optional<UrdfVisuals::Colour> UrdfVisuals::colour(const XMLElement& visual) const {
  const XMLElement* material = visual.FirstChildElement("material");
  if (material == nullptr) return std::nullopt;
  if (const auto own = colour_in(*material)) return own;
  const auto named = materials_.find(urdf_text(*material, "name"));
  if (named == materials_.end()) return std::nullopt;
  return named->second;
}

void UrdfVisuals::leave_out(LeftOut& reason, const XMLElement& xml, const std::string& name) const {
  if (reason.count++ > 0) return;
  reason.first = place_of_element(xml, file_);
  reason.name = name;
}

void UrdfVisuals::report(Diagnostics& diagnostics) const {
  if (missing_.count > 0)
    diagnostics.note(missing_.first,
                     fmt::format("{} visual mesh{} not there, the first \"{}\"", missing_.count,
                                 missing_.count > 1 ? "es are" : " is", missing_.name),
                     "pictures go without; --package-path names where packages are");
  if (malformed_.count > 0)
    diagnostics.note(malformed_.first,
                     fmt::format("{} <visual> cannot be drawn, the first here", malformed_.count),
                     "a box, sphere, cylinder, capsule or mesh of a size above 0");
}

}  // namespace pequod
