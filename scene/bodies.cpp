#include <fmt/format.h>

#include <stdexcept>
#include <variant>

#include "scene/degrees.h"
#include "scene/mass_properties.h"
#include "scene/mesh_file.h"
#include "scene/reader.h"
#include "scene/unit_doubts.h"

namespace pequod {
namespace {

Geometry plane_or_primitive(const std::string& kind, const YAML::Node& node) {
  const double radius = number_at(node, "radius", kNaN), length = number_at(node, "length", kNaN);
  if (kind == "sphere") return Sphere{radius};
  if (kind == "box") return Box{vector_at(node, "size", Vector3d::Constant(kNaN))};
  if (kind == "capsule") return Capsule{radius, length};
  if (kind == "cylinder") return Cylinder{radius, length};
  if (kind == "cone") return Cone{radius, length};
  if (kind == "plane") return Plane{};
  throw std::logic_error("no reader for shapes of the kind " + kind);
}

Vector3d read_scale(const YAML::Node& node) {
  const YAML::Node scale = node["scale"];
  if (!scale) return Vector3d::Ones();
  if (scale.IsScalar()) return Vector3d::Constant(number_at(node, "scale", 1.0));
  return vector_at(node, "scale", Vector3d::Ones());
}

std::optional<Mesh> read_mesh(const SceneReader& reader, const YAML::Node& node) {
  const YAML::Node name = node["file"];
  const auto path = find_file(name.Scalar(), reader.folder, reader.options.package_paths,
                              reader.at(name), reader.diagnostics);
  if (!path) return std::nullopt;
  const Vector3d scale = read_scale(node);
  if (scale.cwiseAbs().minCoeff() == 0.0) {
    reader.diagnostics.error(reader.at(node["scale"]), "a scale of 0 flattens the mesh");
    return std::nullopt;
  }
  return load_mesh(*path, scale, reader.at(name), reader.diagnostics);
}

std::optional<Geometry> read_convex(const SceneReader& reader, const std::string& path,
                                    const YAML::Node& node) {
  const YAML::Node points = node["points"], file = node["file"];
  if (points.IsDefined() == file.IsDefined()) {
    reader.error(node, path, "needs exactly one of: points, file");
    return std::nullopt;
  }
  std::vector<Vector3d> vertices;
  if (points) {
    const Vector3d scale = read_scale(node);
    for (const YAML::Node& point : points) {
      const std::vector<double> x = numbers_in(point);
      vertices.emplace_back(Vector3d(x[0], x[1], x[2]).cwiseProduct(scale));
    }
  } else {
    std::optional<Mesh> mesh = read_mesh(reader, node);
    if (!mesh) return std::nullopt;
    vertices = std::move(mesh->vertices);
  }
  std::optional<Convex> hull =
      hull_of(vertices, reader.at(points ? points : file), reader.diagnostics);
  if (!hull) return std::nullopt;
  return *hull;
}

std::optional<Geometry> read_height_field(const SceneReader& reader, const YAML::Node& node) {
  const YAML::Node name = node["file"];
  const auto path = find_file(name.Scalar(), reader.folder, reader.options.package_paths,
                              reader.at(name), reader.diagnostics);
  if (!path) return std::nullopt;
  const std::vector<double> size = numbers_in(node["size"]);
  std::optional<HeightField> field =
      load_height_field(*path, {size[0], size[1]}, number_at(node, "height", 1.0), reader.at(name),
                        reader.diagnostics);
  if (!field) return std::nullopt;
  return *field;
}

/// Pose of the shape in the frame that `position` and `orientation` give: a plane by its normal
/// and offset, a cone so that its centre of mass is at the origin.
Pose own_place(const Geometry& geometry, const YAML::Node& node) {
  if (const Cone* cone = std::get_if<Cone>(&geometry)) {
    return {Matrix3d::Identity(), {0.0, 0.0, 0.25 * cone->length}};
  }
  if (!std::holds_alternative<Plane>(geometry)) return {};
  const Vector3d n = vector_at(node, "normal", Vector3d::UnitZ()).normalized();
  return {Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n).toRotationMatrix(),
          number_at(node, "offset", 0.0) * n};
}

/// A moving body of more than 100 m was probably measured in millimetres.
void warn_of_size(const SceneReader& reader, const YAML::Node& node, const std::string& path,
                  const CollisionShape& shape) {
  const double radius = bounding_radius(shape.geometry);
  if (radius < 100.0) return;
  reader.diagnostics.warning(reader.at(node), path + fmt::format(": reaches {:.3g} m", radius),
                             "if the numbers are millimetres, scale them by 0.001");
}

std::optional<CollisionShape> read_shape(const SceneReader& reader, const std::string& parent,
                                         const YAML::Node& shape, bool moving) {
  const std::string kind = shape.begin()->first.Scalar();
  const YAML::Node node = shape.begin()->second;
  const std::string path = parent + ".shape." + kind;
  if (moving && (kind == "plane" || kind == "heightfield")) {
    reader.error(shape.begin()->first, path, "only a fixed body can be a " + kind,
                 "add fixed: true");
    return std::nullopt;
  }
  if (kind == "plane" && vector_at(node, "normal", Vector3d::UnitZ()).norm() < 1e-12) {
    reader.error(node["normal"], path + ".normal", "must not be zero");
    return std::nullopt;
  }
  std::optional<Geometry> geometry;
  if (kind == "convex") {
    geometry = read_convex(reader, path, node);
  } else if (kind == "mesh") {
    if (const std::optional<Mesh> mesh = read_mesh(reader, node)) {
      std::optional<Mesh> surface = surface_of(*mesh, reader.at(node["file"]), reader.diagnostics);
      if (surface) geometry = std::move(*surface);
    }
  } else if (kind == "heightfield") {
    geometry = read_height_field(reader, node);
  } else {
    geometry = plane_or_primitive(kind, node);
  }
  if (!geometry) return std::nullopt;
  const Pose place = own_place(*geometry, node);
  CollisionShape result{std::move(*geometry), place};
  if (moving) warn_of_size(reader, shape, path, result);
  return result;
}

std::optional<std::vector<CollisionShape>> read_shapes(const SceneReader& reader,
                                                       const std::string& path,
                                                       const YAML::Node& node, bool moving) {
  std::vector<CollisionShape> shapes;
  bool good = true;
  if (node["shape"] && node["shapes"]) {
    reader.error(node["shapes"], path, "has both shape and shapes", "put all of them into shapes");
    return std::nullopt;
  }
  if (node["shape"]) {
    auto shape = read_shape(reader, path, node["shape"], moving);
    good = shape.has_value();
    if (shape) shapes.push_back(std::move(*shape));
  }
  if (node["shapes"]) {
    for (const YAML::Node& item : node["shapes"]) {
      auto shape = read_shape(reader, path, item["shape"], moving);
      const Pose X = read_pose(reader, path + ".shapes", item);
      good &= shape.has_value();
      if (shape) shapes.push_back({std::move(shape->geometry), X * shape->X_LS});
    }
  }
  if (!good) return std::nullopt;
  return shapes;
}

std::optional<Matrix3d> read_inertia(const SceneReader& reader, const std::string& path,
                                     const YAML::Node& node) {
  const auto entry = [&node](const char* key) { return number_at(node, key, 0.0); };
  Matrix3d I;
  I << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"),
      entry("ixz"), entry("iyz"), entry("izz");
  const std::string why = why_not_physical(I);
  if (why.empty()) return I;
  reader.error(node, path + ".inertia", "non-physical, " + why);
  return std::nullopt;
}

bool from_file(const std::vector<CollisionShape>& shapes) {
  for (const CollisionShape& shape : shapes) {
    if (std::holds_alternative<Convex>(shape.geometry) ||
        std::holds_alternative<Mesh>(shape.geometry)) {
      return true;
    }
  }
  return false;
}

/// Mass, centre of mass and inertia from the shapes, taken as one uniform solid.
bool fill_from_shapes(const SceneReader& reader, const std::string& path, const YAML::Node& node,
                      Solid& body) {
  const double mass = body.inertia.mass;
  try {
    body.inertia = solid(body.shapes, mass);
  } catch (const std::invalid_argument& error) {
    reader.error(node, path, error.what(), "give inertia and com");
    return false;
  }
  double volume = 0.0;
  for (const CollisionShape& shape : body.shapes) volume += solid(shape.geometry).mass;
  const double density = mass / volume;
  if (density < 1.0 || density > 25000.0) {
    reader.diagnostics.warning(reader.at(node["mass"]),
                               path + fmt::format(": density {:.3g} kg/m³", density),
                               "is the size in metres, the mass in kilograms?");
  }
  if (from_file(body.shapes)) {
    const Vector3d& c = body.inertia.com;
    reader.diagnostics.note(
        reader.at(node), path + fmt::format(": centre of mass at ({:.6g}, {:.6g}, {:.6g}) m in its "
                                            "frame, volume {:.6g} m³",
                                            c.x(), c.y(), c.z(), volume));
  }
  return true;
}

}  // namespace

Pose read_pose(const SceneReader& reader, const std::string& path, const YAML::Node& node) {
  Pose X;
  if (node["position"] && node["position"].size() == 3) {
    X.p = vector_at(node, "position", Vector3d::Zero());
  }
  const YAML::Node turn = node["orientation"];
  if (!turn) return X;
  if (turn["rpy"]) {
    const Vector3d rpy = vector_at(turn, "rpy", Vector3d::Zero());
    warn_of_degrees(reader.diagnostics, reader.at(turn["rpy"]), path + ".orientation.rpy",
                    {rpy.data(), 3});
    X.R = rotation_from_rpy(rpy);
    return X;
  }
  const std::vector<double> q = numbers_in(turn["quaternion"]);
  const Quaterniond quaternion(q[0], q[1], q[2], q[3]);
  if (std::abs(quaternion.norm() - 1.0) > 1e-3) {
    reader.error(turn["quaternion"], path + ".orientation.quaternion",
                 fmt::format("has length {:.6g}, not 1", quaternion.norm()),
                 "the order is w, x, y, z");
    return X;
  }
  X.R = quaternion.normalized().toRotationMatrix();
  return X;
}

std::optional<Solid> read_solid(const SceneReader& reader, const std::string& path,
                                const YAML::Node& node, bool needs_mass) {
  Solid body;
  auto shapes = read_shapes(reader, path, node, needs_mass);
  if (!shapes) return std::nullopt;
  body.shapes = std::move(*shapes);
  body.inertia.mass = number_at(node, "mass", 0.0);
  if (!needs_mass || body.inertia.mass == 0.0) return body;

  std::optional<Matrix3d> given;
  if (node["inertia"]) {
    given = read_inertia(reader, path, node["inertia"]);
    if (!given) return std::nullopt;
  }
  if (!given || (!node["com"] && !body.shapes.empty())) {
    if (body.shapes.empty()) {
      reader.error(node, path, "needs a shape or an inertia");
      return std::nullopt;
    }
    if (!fill_from_shapes(reader, path, node, body)) return std::nullopt;
  }
  if (given) body.inertia.about_com = *given;
  body.inertia.com = vector_at(node, "com", body.inertia.com);
  for (const UnitDoubt& doubt : unit_doubts(body.inertia, body.shapes, body.inertia))
    reader.diagnostics.warning(reader.at(node[doubt.of]), path + ": " + doubt.message, doubt.hint);
  return body;
}

std::optional<BodySpec> read_body(const SceneReader& reader, const std::string& name,
                                  const YAML::Node& node) {
  const std::string path = "bodies." + name;
  const int errors_before = reader.diagnostics.errors();
  BodySpec body;
  body.name = name;
  body.place = reader.at(node);
  body.fixed = boolean_at(node, "fixed", false);
  body.X_WB = read_pose(reader, path, node);
  body.velocity = vector_at(node, "velocity", Vector3d::Zero());
  body.angular_velocity = vector_at(node, "angular_velocity", Vector3d::Zero());
  if (body.fixed && (node["velocity"] || node["angular_velocity"])) {
    reader.error(node, path, "a fixed body has no velocity");
  }
  if (!body.fixed && !node["mass"]) {
    reader.error(node, path, "a free body needs the key \"mass\"", "or add fixed: true");
  }
  if (body.fixed && !node["shape"] && !node["shapes"]) {
    reader.error(node, path, "a fixed body needs a shape");
  }
  std::optional<Solid> read = read_solid(reader, path, node, !body.fixed);
  if (!read || reader.diagnostics.errors() > errors_before) return std::nullopt;
  body.solid = std::move(*read);
  return body;
}

}  // namespace pequod
