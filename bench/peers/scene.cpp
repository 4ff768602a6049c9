#include "bench/peers/scene.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

namespace peers {
namespace {

using Json = nlohmann::json;

Vector3d vector(const Json& numbers) {
  return {numbers.at(0).get<double>(), numbers.at(1).get<double>(), numbers.at(2).get<double>()};
}

Shape read_shape(const Json& shape) {
  if (shape.is_null()) return {};
  if (shape.contains("sphere")) return Ball{shape.at("sphere").get<double>()};
  return Box{0.5 * vector(shape.at("box"))};
}

Body read_body(const Json& from) {
  Body body;
  body.name = from.at("name").get<std::string>();
  body.mass = from.at("mass").get<double>();
  body.com = vector(from.at("com"));
  body.inertia = vector(from.at("inertia"));
  body.start.p = vector(from.at("position"));
  const Json& q = from.at("orientation");
  body.start.q = Quaterniond(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(),
                             q.at(3).get<double>());
  body.shape = read_shape(from.at("shape"));
  body.p_BS = vector(from.at("shape_position"));
  if (from.contains("joint")) {
    const Json& joint = from.at("joint");
    body.hinge = {joint.at("parent").get<int>(), vector(joint.at("position")),
                  vector(joint.at("axis"))};
  }
  return body;
}

Motors read_motors(const Json& from) {
  Motors motors;
  from.at("angles").get_to(motors.angles);
  from.at("kp").get_to(motors.kp);
  from.at("kd").get_to(motors.kd);
  from.at("posture").get_to(motors.posture);
  from.at("lift").get_to(motors.lift);
  from.at("phase").get_to(motors.phase);
  from.at("start").get_to(motors.start);
  from.at("period").get_to(motors.period);
  return motors;
}

}  // namespace

void Motors::efforts(double t, const Joints& q, const Joints& v, Joints& tau) const {
  const double angle = 2.0 * std::numbers::pi * (t - start) / period;
  for (std::size_t k = 0; k < tau.size(); ++k) {
    const double wave = t < start ? 0.0 : std::max(0.0, std::sin(angle + phase[k]));
    tau[k] = kp[k] * (posture[k] + lift[k] * wave * wave - q[k]) - kd[k] * v[k];
  }
}

Scene read_scene(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  const Json from = Json::parse(file);
  Scene scene;
  from.at("step").get_to(scene.step);
  from.at("duration").get_to(scene.duration);
  from.at("later").get_to(scene.later);
  from.at("rests").get_to(scene.rests);
  from.at("gravity").get_to(scene.gravity);
  from.at("friction").get_to(scene.friction);
  for (const Json& plane : from.at("planes"))
    scene.planes.push_back({vector(plane.at("normal")), plane.at("offset").get<double>()});
  for (const Json& body : from.at("bodies")) scene.bodies.push_back(read_body(body));
  scene.robot = from.contains("motors");
  if (scene.robot) scene.motors = read_motors(from.at("motors"));
  return scene;
}

}  // namespace peers
