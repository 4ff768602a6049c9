#include "app/model_json.h"

#include <Eigen/Geometry>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson vector_json(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }

OrderedJson pose_json(const Pose& X) {
  const Eigen::Quaterniond q(X.R);
  return {X.p.x(), X.p.y(), X.p.z(), q.w(), q.x(), q.y(), q.z()};
}

const char* joint_word(JointType type) {
  switch (type) {
    case JointType::free:
      return "free";
    case JointType::revolute:
      return "revolute";
    case JointType::prismatic:
      return "prismatic";
    case JointType::spherical:
      break;
  }
  return "spherical";
}

const char* loop_word(LoopType type) {
  switch (type) {
    case LoopType::spherical:
      return "spherical";
    case LoopType::revolute:
      return "revolute";
    case LoopType::prismatic:
      return "prismatic";
    case LoopType::fixed:
      break;
  }
  return "fixed";
}

// Corners as one flat list, three numbers each.
OrderedJson corners_json(const std::vector<Vector3d>& corners) {
  OrderedJson flat = OrderedJson::array();
  for (const Vector3d& corner : corners)
    for (int k = 0; k < 3; ++k) flat.push_back(corner[k]);
  return flat;
}

// Triangles as one flat list, three indices of corners each.
OrderedJson triangles_json(const Convex& convex) {
  OrderedJson flat = OrderedJson::array();
  for (const Convex::Face& face : convex.faces)
    for (std::size_t i = 2; i < face.vertices.size(); ++i)
      for (const int corner : {face.vertices[0], face.vertices[i - 1], face.vertices[i]})
        flat.push_back(corner);
  return flat;
}

OrderedJson triangles_json(const Mesh& mesh) {
  OrderedJson flat = OrderedJson::array();
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (const int corner : triangle) flat.push_back(corner);
  return flat;
}

struct AddGeometry {
  OrderedJson& json;

  void operator()(const Sphere& sphere) const {
    json["type"] = "sphere";
    json["radius"] = sphere.radius;
  }
  void operator()(const Box& box) const {
    json["type"] = "box";
    json["size"] = vector_json(box.size);
  }
  void operator()(const Capsule& shape) const { round("capsule", shape.radius, shape.length); }
  void operator()(const Cylinder& shape) const { round("cylinder", shape.radius, shape.length); }
  void operator()(const Cone& shape) const { round("cone", shape.radius, shape.length); }
  void operator()(const Plane&) const { json["type"] = "plane"; }
  void operator()(const Convex& convex) const {
    json["type"] = "convex";
    json["vertices"] = corners_json(convex.vertices);
    json["triangles"] = triangles_json(convex);
  }
  void operator()(const Mesh& mesh) const {
    json["type"] = "mesh";
    json["vertices"] = corners_json(mesh.vertices);
    json["triangles"] = triangles_json(mesh);
  }
  void operator()(const HeightField& field) const {
    json["type"] = "height_field";
    json["samples"] = {field.nx, field.ny};
    json["spacing"] = {field.dx, field.dy};
    json["origin"] = {field.origin.x(), field.origin.y()};
    json["heights"] = field.heights;
  }

 private:
  void round(const char* type, double radius, double length) const {
    json["type"] = type;
    json["radius"] = radius;
    json["length"] = length;
  }
};

// What the columns of state.csv call each link's joint: the body of a free one, else the joint.
std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> names(model.links.size());
  for (const Entity& entity : model.entities)
    if (entity.base_link >= 0) nth(names, entity.base_link) = entity.name;
  for (const NamedJoint& joint : model.joints) nth(names, joint.link) = joint.name;
  return names;
}

// What link_name gives, for all links at once.
std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> names(model.links.size());
  for (const Frame& frame : model.frames)
    if (frame.link >= 0 && nth(names, frame.link).empty()) nth(names, frame.link) = frame.name;
  return names;
}

OrderedJson link_json(const Link& link, const std::string& name, const std::string& columns) {
  OrderedJson joint{{"type", joint_word(link.joint.type)},
                    {"columns", columns},
                    {"pose", pose_json(link.joint.X_PF)}};
  if (velocity_count(link.joint.type) == 1) joint["axis"] = vector_json(link.joint.axis);
  if (std::isfinite(link.joint.lower)) joint["lower"] = link.joint.lower;
  if (std::isfinite(link.joint.upper)) joint["upper"] = link.joint.upper;
  return {{"name", name},
          {"parent", link.parent},
          {"joint", joint},
          {"mass", link.inertia.mass},
          {"com", vector_json(link.inertia.com)}};
}

OrderedJson frame_json(const Frame& frame) {
  return {{"name", frame.name}, {"link", frame.link}, {"pose", pose_json(frame.X_LF)}};
}

OrderedJson shape_json(const Shape& shape) {
  OrderedJson json{{"frame", shape.frame}, {"link", shape.link}, {"pose", pose_json(shape.X_LS)}};
  std::visit(AddGeometry{json}, shape.geometry);
  return json;
}

struct AddVisualGeometry {
  OrderedJson& json;

  void operator()(const Geometry& geometry) const { std::visit(AddGeometry{json}, geometry); }
  void operator()(const MeshFile& mesh) const {
    json["type"] = "mesh_file";
    json["file"] = mesh.path;
    json["scale"] = vector_json(mesh.scale);
  }
};

OrderedJson visual_json(const Model& model, const FrameVisual& on) {
  const Frame& frame = nth(model.frames, on.frame);
  OrderedJson json{
      {"frame", on.frame}, {"link", frame.link}, {"pose", pose_json(frame.X_LF * on.visual.X_LV)}};
  if (on.visual.colour) json["colour"] = *on.visual.colour;
  std::visit(AddVisualGeometry{json}, on.visual.geometry);
  return json;
}

OrderedJson loop_json(const Loop& loop) {
  return {{"name", loop.name},     {"type", loop_word(loop.type)},
          {"link_a", loop.link_a}, {"pose_a", pose_json(loop.X_AK)},
          {"link_b", loop.link_b}, {"pose_b", pose_json(loop.X_BK)}};
}

OrderedJson spring_json(const Spring& spring) {
  return {{"name", spring.name},
          {"link_a", spring.link_a},
          {"point_a", vector_json(spring.p_A)},
          {"link_b", spring.link_b},
          {"point_b", vector_json(spring.p_B)},
          {"stiffness", spring.stiffness},
          {"damping", spring.damping},
          {"rest", spring.rest}};
}

// Names may come from files that are no UTF-8.
std::string line_of(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// Line by line, because a scene may have a hundred thousand bodies.
template <typename Function>
void append_list(std::string& text, const char* name, std::size_t count, const Function& json_of) {
  text += std::string(",\n\"") + name + "\": [";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\n" : "\n") + line_of(json_of(i));
  text += "]";
}

}  // namespace

std::string model_json(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::string text = "{\"version\": 1,\n\"name\": " + line_of(scenario.name) +
                     ",\n\"gravity\": " + line_of(vector_json(model.gravity));
  const std::vector<std::string> names = link_names(model), columns = column_names(model);
  append_list(text, "links", model.links.size(),
              [&](std::size_t i) { return link_json(model.links[i], names[i], columns[i]); });
  append_list(text, "frames", model.frames.size(),
              [&](std::size_t i) { return frame_json(model.frames[i]); });
  append_list(text, "shapes", model.shapes.size(),
              [&](std::size_t i) { return shape_json(model.shapes[i]); });
  append_list(text, "visuals", scenario.visuals.size(),
              [&](std::size_t i) { return visual_json(model, scenario.visuals[i]); });
  append_list(text, "loops", model.loops.size(),
              [&](std::size_t i) { return loop_json(model.loops[i]); });
  append_list(text, "springs", model.springs.size(),
              [&](std::size_t i) { return spring_json(model.springs[i]); });
  return text + "\n}\n";
}

}  // namespace pequod::app
