#include "scene/urdf.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

#include "scene/degrees.h"
#include "scene/mesh_file.h"
#include "scene/urdf_elements.h"
#include "scene/urdf_tree.h"
#include "scene/urdf_values.h"
#include "scene/urdf_visuals.h"
#include "scene/xml_tags.h"
#include "scene/yaml.h"

namespace pequod {
namespace {

using tinyxml2::XMLElement;

/// A package of meshes that is in none of the folders searched.
struct MissingPackage {
  Place first;    ///< where a mesh of it is named first
  int files = 0;  ///< that are named
};

/// One file being read; only well-formed elements (check_urdf_elements) reach it.
struct UrdfReader {
  const std::string& file;
  const UrdfOptions& options;
  Diagnostics& diagnostics;
  std::map<std::string, MissingPackage> missing = {};  ///< by name

  RobotLink link(const XMLElement& xml);
  RobotJoint joint(const XMLElement& xml) const;

 private:
  Place at(const XMLElement& xml) const { return place_of_element(xml, file); }
  std::optional<Geometry> geometry(const XMLElement& xml);
  std::optional<Geometry> mesh(const XMLElement& xml);
  void limits(const XMLElement& xml, RobotJoint& joint) const;

 public:
  /// One error a package, however many of its meshes are named.
  void report_missing_packages() const;
};

std::optional<Geometry> UrdfReader::mesh(const XMLElement& xml) {
  if (options.meshes == CollisionMeshes::none) return std::nullopt;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const std::string package =
      missing_package(urdf_text(xml, "filename"), folder, options.package_paths);
  if (!package.empty()) {
    MissingPackage& entry = missing.emplace(package, MissingPackage{at(xml), 0}).first->second;
    ++entry.files;
    return std::nullopt;
  }
  const auto path =
      find_file(urdf_text(xml, "filename"), folder, options.package_paths, at(xml), diagnostics);
  if (!path) return std::nullopt;
  const Vector3d scale = urdf_vector(xml, "scale", Vector3d::Ones());
  if (scale.cwiseAbs().minCoeff() == 0.0) {
    diagnostics.error(at(xml), "<mesh>: a scale of 0 flattens the mesh");
    return std::nullopt;
  }
  const std::optional<Mesh> loaded = load_mesh(*path, scale, at(xml), diagnostics);
  if (!loaded) return std::nullopt;
  if (options.meshes == CollisionMeshes::surfaces) {
    std::optional<Mesh> surface = surface_of(*loaded, at(xml), diagnostics);
    if (!surface) return std::nullopt;
    return *surface;
  }
  const std::optional<Convex> hull = hull_of(loaded->vertices, at(xml), diagnostics);
  if (!hull) return std::nullopt;
  return *hull;
}

void UrdfReader::report_missing_packages() const {
  for (const auto& [name, package] : missing)
    diagnostics.error(
        package.first,
        "package \"" + name + "\" is not there; " + std::to_string(package.files) +
            " collision mesh" + (package.files > 1 ? "es name it" : " names it"),
        "set --package-path or PEQUOD_PACKAGE_PATH to the folder that holds it, or go on without: "
        "\"collision: none\" beside \"urdf\" in the scene leaves out all collision meshes");
}

std::optional<Geometry> UrdfReader::geometry(const XMLElement& xml) {
  const XMLElement& shape = *xml.FirstChildElement();
  const std::string name = shape.Name();
  const double radius = urdf_number(shape, "radius", kNaN),
               length = urdf_number(shape, "length", kNaN);
  if (name == "box") return Box{urdf_vector(shape, "size", Vector3d::Constant(kNaN))};
  if (name == "sphere") return Sphere{radius};
  if (name == "cylinder") return Cylinder{radius, length};
  if (name == "capsule") return Capsule{radius, length};
  if (name == "mesh") return mesh(shape);
  throw std::logic_error("no reader for geometry of the kind " + name);
}

RobotLink UrdfReader::link(const XMLElement& xml) {
  RobotLink link;
  link.name = urdf_text(xml, "name");
  if (const XMLElement* inertial = xml.FirstChildElement("inertial")) {
    const XMLElement& I = *inertial->FirstChildElement("inertia");
    const auto entry = [&I](const char* name) { return urdf_number(I, name, kNaN); };
    const Pose X_LC = urdf_origin(*inertial);
    link.mass = urdf_number(*inertial->FirstChildElement("mass"), "value", kNaN);
    link.com = X_LC.p;
    Matrix3d about_com;
    about_com << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"),
        entry("ixz"), entry("iyz"), entry("izz");
    link.inertia = X_LC.R * about_com * X_LC.R.transpose();
  }
  for (const XMLElement* collision = xml.FirstChildElement("collision"); collision != nullptr;
       collision = collision->NextSiblingElement("collision")) {
    if (auto shape = geometry(*collision->FirstChildElement("geometry"))) {
      link.collisions.push_back({std::move(*shape), urdf_origin(*collision)});
    }
  }
  return link;
}

void UrdfReader::limits(const XMLElement& xml, RobotJoint& joint) const {
  const XMLElement* limit = xml.FirstChildElement("limit");
  const bool bounded =
      joint.type == RobotJointType::revolute || joint.type == RobotJointType::prismatic;
  if (limit == nullptr) {
    if (bounded) {
      diagnostics.error(at(xml), "joint \"" + joint.name + "\" needs <limit>",
                        "a revolute joint without limits is of type \"continuous\"");
    }
    return;
  }
  joint.effort = urdf_number(*limit, "effort", kInfinity);
  if (!bounded) return;
  joint.lower = urdf_number(*limit, "lower", 0.0);
  joint.upper = urdf_number(*limit, "upper", 0.0);
  if (joint.lower > joint.upper) {
    diagnostics.error(at(*limit), "joint \"" + joint.name + "\": lower " +
                                      urdf_text(*limit, "lower") + " is above upper " +
                                      urdf_text(*limit, "upper"));
  } else if (joint.lower == joint.upper) {
    diagnostics.warning(at(*limit), "joint \"" + joint.name + "\" cannot move: lower = upper");
  } else if (joint.type == RobotJointType::revolute) {
    const double ends[] = {joint.lower, joint.upper};
    warn_of_degrees(diagnostics, at(*limit), "joint \"" + joint.name + "\": limit", ends,
                    kTurnsOfLimits);
  }
  if (joint.effort == 0.0) {
    diagnostics.warning(at(*limit),
                        "joint \"" + joint.name + "\" has effort 0: no controller can drive it");
  }
}

RobotJoint UrdfReader::joint(const XMLElement& xml) const {
  RobotJoint joint;
  joint.name = urdf_text(xml, "name");
  joint.parent = urdf_text(*xml.FirstChildElement("parent"), "link");
  joint.child = urdf_text(*xml.FirstChildElement("child"), "link");
  joint.X_PJ = urdf_origin(xml);

  const std::vector<std::string> types{"fixed",     "revolute",  "continuous",
                                       "prismatic", "spherical", "floating"};
  const std::string type = urdf_text(xml, "type");
  const auto known = std::ranges::find(types, type);
  if (type == "planar") {
    diagnostics.error(at(xml), "joint \"" + joint.name + "\": planar joints are not supported",
                      "use two prismatic joints and a revolute one");
  } else if (known == types.end()) {
    std::string hint = did_you_mean(type, types);
    if (hint.empty()) hint = "one of: " + join(types);
    diagnostics.error(at(xml), "joint \"" + joint.name + "\": unknown type \"" + type + "\"", hint);
  } else {
    joint.type = static_cast<RobotJointType>(known - types.begin());
  }

  if (const XMLElement* axis = xml.FirstChildElement("axis")) {
    const Vector3d a = urdf_vector(*axis, "xyz", Vector3d::UnitX());
    if (a.norm() > 1e-12) {
      joint.axis = a.normalized();
    } else if (joint.type != RobotJointType::fixed && joint.type != RobotJointType::floating) {
      diagnostics.error(at(*axis), "joint \"" + joint.name + "\" has a zero axis");
    }
  }
  limits(xml, joint);
  if (const XMLElement* dynamics = xml.FirstChildElement("dynamics")) {
    joint.damping = urdf_number(*dynamics, "damping", 0.0);
    joint.friction = urdf_number(*dynamics, "friction", 0.0);
  }
  if (const XMLElement* mimic = xml.FirstChildElement("mimic")) {
    diagnostics.warning(at(*mimic),
                        "joint \"" + joint.name + "\": <mimic> is ignored, it moves freely");
  }
  return joint;
}

}  // namespace

std::vector<std::filesystem::path> package_paths_from_environment() {
  std::vector<std::filesystem::path> paths;
  const char* value = std::getenv("PEQUOD_PACKAGE_PATH");
  std::istringstream stream(value == nullptr ? "" : value);
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (!folder.empty()) paths.emplace_back(folder);
  }
  return paths;
}

Robot load_urdf(const std::filesystem::path& path, const UrdfOptions& options,
                Diagnostics& diagnostics) {
  Robot robot;
  const std::string file = path.string();
  const Place named_at = options.named_at.file.empty() ? Place{file, 0, 0} : options.named_at;
  const std::optional<std::string> text = read_text(path, named_at, diagnostics);
  if (!text) return robot;

  tinyxml2::XMLDocument document;
  if (!parse_xml(*text, file, document, diagnostics)) return robot;
  const XMLElement* root = document.RootElement();
  if (root == nullptr || std::string(root->Name()) != "robot") {
    diagnostics.error(root == nullptr ? Place{file, 1, 1} : place_of_element(*root, file),
                      "not a URDF: the outermost element must be <robot>");
    return robot;
  }
  const int errors_before = diagnostics.errors();
  check_urdf_elements(*root, file, diagnostics);
  if (diagnostics.errors() > errors_before) return robot;

  UrdfReader reader{file, options, diagnostics};
  UrdfVisuals visuals(*root, file, options.package_paths);
  UrdfPlaces places{place_of_element(*root, file), {}, {}};
  robot.name = urdf_text(*root, "name");
  for (const XMLElement* xml = root->FirstChildElement("link"); xml != nullptr;
       xml = xml->NextSiblingElement("link")) {
    robot.links.push_back(reader.link(*xml));
    robot.links.back().visuals = visuals.of(*xml);
    places.links.push_back(place_of_element(*xml, file));
  }
  for (const XMLElement* xml = root->FirstChildElement("joint"); xml != nullptr;
       xml = xml->NextSiblingElement("joint")) {
    robot.joints.push_back(reader.joint(*xml));
    places.joints.push_back(place_of_element(*xml, file));
  }
  reader.report_missing_packages();
  visuals.report(diagnostics);
  check_robot_tree(robot, places, diagnostics);
  if (diagnostics.errors() == errors_before) check_robot_inertia(robot, places, diagnostics);
  if (diagnostics.errors() == errors_before) warn_of_units(robot, places, diagnostics);
  if (diagnostics.errors() == errors_before) drop_floating_root(robot);
  return robot;
}

}  // namespace pequod
