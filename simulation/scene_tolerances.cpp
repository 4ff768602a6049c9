#include "simulation/scene_tolerances.h"

#include <algorithm>
#include <cmath>

#include "core/dynamics.h"

namespace pequod {
namespace {

// m: the largest shape of each tree, or the largest offset of one of its joints; 0: it has neither.
std::vector<double> tree_sizes(const Model& model) {
  std::vector<double> sizes(model.trees.size(), 0.0);
  const auto grow = [&](int link, double size) {
    double& own = nth(sizes, nth(model.links, link).tree);
    own = std::max(own, size);
  };
  for (const Shape& shape : model.shapes)
    if (const double radius = bounding_radius(shape.geometry);
        shape.link >= 0 && std::isfinite(radius))
      grow(shape.link, 2.0 * radius);
  for (std::size_t i = 0; i < model.links.size(); ++i)
    if (model.links[i].parent >= 0) grow(static_cast<int>(i), model.links[i].joint.X_PF.p.norm());
  return sizes;
}

// m: the largest coordinate of a link where the scene starts.
double farthest_start(const Scenario& scenario) {
  std::vector<Pose> X_WL;
  compute_poses(scenario.model, scenario.initial.q, X_WL);
  double farthest = 0.0;
  for (const Pose& pose : X_WL) farthest = std::max(farthest, pose.p.lpNorm<Eigen::Infinity>());
  return farthest;
}

}  // namespace

SceneTolerances scene_tolerances(const Scenario& scenario) {
  double smallest = kFullSize;
  for (const double size : tree_sizes(scenario.model))
    if (size > 0.0) smallest = std::min(smallest, size);
  SceneTolerances out;
  if (smallest >= kFullSize) return out;
  const double size = smallest / kFullSize;
  out.rounding = std::min(1.0, std::max(size, farthest_start(scenario)));
  out.length = std::max(size, kLeastOverRounding * out.rounding);
  out.pace = std::sqrt(out.length);
  return out;
}

}  // namespace pequod
