#include "simulation/shape_places.h"

#include <utility>

#include "simulation/contact_motion.h"
#include "simulation/tolerances.h"

namespace pequod {

std::vector<double> bounding_radii(const Model& model) {
  std::vector<double> radius;
  for (const Shape& shape : model.shapes) radius.push_back(bounding_radius(shape.geometry));
  return radius;
}

ShapePlaces::ShapePlaces(const Model& model)
    : radius_(bounding_radii(model)),
      X_WS_(model.shapes.size()),
      placed_(model.shapes.size(), 0),
      speeds_(model.shapes.size()),
      timed_(model.shapes.size(), 0) {}

const std::vector<Pose>& ShapePlaces::poses(const Model& model, const Kinematics& kin,
                                            std::span<const int> wanted, const Team* team) {
  for_each_index(team, wanted.size(), kShapesOfPart, [&](std::size_t k, std::size_t) {
    const auto i = static_cast<std::size_t>(wanted[k]);
    if (std::exchange(placed_[i], 1)) return;
    X_WS_[i] = place_shape(model, kin, wanted[k]);
  });
  return X_WS_;
}

const std::vector<double>& ShapePlaces::speeds(const Model& model, const Kinematics& kin,
                                               std::span<const int> wanted, const Team* team) {
  const std::vector<Pose>& X_WS = poses(model, kin, wanted, team);
  for_each_index(team, wanted.size(), kShapesOfPart, [&](std::size_t k, std::size_t) {
    const auto i = static_cast<std::size_t>(wanted[k]);
    if (std::exchange(timed_[i], 1)) return;
    const int link = model.shapes[i].link;
    speeds_[i] = 0.0;
    if (link < 0) return;  // a plane has no radius
    speeds_[i] = point_velocity(model, kin, link, X_WS[i].p).norm() +
                 nth(kin.links, link).w.norm() * radius_[i];
  });
  return speeds_;
}

}  // namespace pequod
