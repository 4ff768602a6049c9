#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/quasistatic_report.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kSize = 640.0, kArrow = 110.0;  // px; the longest arrow of a kind

// A contact as it is drawn.
struct Spot {
  Vector2d point, normal, tangent;
};

// Of r × n and r × t the position r follows.
std::vector<Spot> spots(const QuasistaticFile& file) {
  const QuasistaticProblem& problem = file.problem;
  std::vector<Spot> result;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Vector2d n = problem.W_n.col(i).head<2>(), t = problem.W_t.col(i).head<2>();
    Eigen::Matrix2d crosses;
    crosses << n.y(), -n.x(), t.y(), -t.x();
    const Vector2d r = crosses.fullPivLu().solve(Vector2d(problem.W_n(2, i), problem.W_t(2, i)));
    result.push_back({file.scene ? file.scene->pose.position + r : r, n, t});
  }
  return result;
}

// World to picture.
struct View {
  Vector2d low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  void include(const Vector2d& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  [[nodiscard]] double scale() const {
    return (kSize - 2.6 * kArrow) / std::max((high - low).maxCoeff(), 1e-9);
  }
  [[nodiscard]] Vector2d at(const Vector2d& point) const {
    const Vector2d p = scale() * (point - 0.5 * (low + high));
    return {0.5 * kSize + p.x(), 0.5 * kSize - p.y()};
  }
};

std::string line(const Vector2d& a, const Vector2d& b, const char* style) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>\n", a.x(), a.y(), b.x(), b.y(),
                     style);
}

// @param along  in the world's axes, px
std::string arrow(const Vector2d& from, const Vector2d& along, const char* colour) {
  if (along.norm() < 1.0) return {};
  const Vector2d d(along.x(), -along.y()), tip = from + d, unit = d.normalized();
  const Vector2d side(-unit.y(), unit.x());
  const Vector2d left = tip - 9 * unit + 4 * side, right = tip - 9 * unit - 4 * side;
  return line(from, tip, fmt::format("stroke=\"{}\" stroke-width=\"2.5\"", colour).c_str()) +
         fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>\n",
                     tip.x(), tip.y(), left.x(), left.y(), right.x(), right.y(), colour);
}

std::string drawn(const View& view, const PlanarShape& shape, const PlanarPose& pose,
                  const char* fill) {
  std::string path;
  const std::vector<Vector2d> points = corners(shape, pose);
  if (points.size() == 1) {
    const Vector2d centre = view.at(points[0]);
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"#666\"/>\n",
        centre.x(), centre.y(), std::max(3.0, view.scale() * shape.radius), fill);
  }
  for (const Vector2d& point : points) {
    const Vector2d p = view.at(point);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x(), p.y());
  }
  return fmt::format("<path d=\"{}Z\" fill=\"{}\" stroke=\"#666\"/>\n", path, fill);
}

std::string shapes(const View& view, const PlanarScene& scene) {
  const VectorXd start = start_of(scene);
  std::string svg;
  for (int f = 0; f < static_cast<int>(scene.fingers.size()); ++f)
    svg += drawn(view, nth(scene.fingers, f).shape, finger_pose(scene, f, start), "#ddd");
  return svg + drawn(view, scene.object, scene.pose, "#cfe3f3");
}

std::string contact(const View& view, const Spot& spot, double friction) {
  const Vector2d p = view.at(spot.point);
  std::string svg = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", p.x(), p.y());
  for (const double side : {-1.0, 1.0}) {
    const Vector2d edge = (spot.normal + side * friction * spot.tangent).normalized() * 55.0;
    svg += line(p, p + Vector2d(edge.x(), -edge.y()), "stroke=\"#999\" stroke-dasharray=\"4 3\"");
  }
  return svg;
}

}  // namespace

std::string quasistatic_svg(const QuasistaticFile& file, const QuasistaticMotion& motion) {
  const std::vector<Spot> all = spots(file);
  View view;
  const Vector2d centre = file.scene ? file.scene->pose.position : Vector2d(0.0, 0.0);
  view.include(centre);
  for (const Spot& spot : all) view.include(spot.point);
  if (file.scene)
    for (const Vector2d& corner : corners(file.scene->object, file.scene->pose))
      view.include(corner);
  double force = file.problem.object_load.head<2>().norm(), speed = 1e-300;
  std::vector<Vector2d> forces, velocities;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto c = static_cast<Index>(i);
    forces.emplace_back(motion.c_n[c] * all[i].normal + motion.c_t[c] * all[i].tangent);
    const Vector2d r = all[i].point - centre;
    velocities.emplace_back(motion.object_velocity.head<2>() +
                            motion.object_velocity[2] * Vector2d(-r.y(), r.x()));
    force = std::max(force, forces.back().norm());
    speed = std::max(speed, velocities.back().norm());
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {0} "
      "{0}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{0}\" "
      "fill=\"white\"/>\n",
      kSize);
  if (file.scene) svg += shapes(view, *file.scene);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vector2d p = view.at(all[i].point);
    svg += contact(view, all[i], file.problem.friction[static_cast<Index>(i)]);
    svg += arrow(p, forces[i] * (kArrow / std::max(force, 1e-300)), "#d55e00");
    svg += arrow(p, velocities[i] * (kArrow / speed), "#0072b2");
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}: {}</text>\n", p.x() + 8, p.y() + 18,
                       i + 1, name(motion.modes[i]));
  }
  svg += arrow(view.at(centre),
               file.problem.object_load.head<2>() * (kArrow / std::max(force, 1e-300)), "#666");
  return svg + fmt::format(
                   "<text x=\"12\" y=\"{:.0f}\"><tspan fill=\"#d55e00\">force, longest {:.4g} "
                   "N</tspan>  <tspan fill=\"#0072b2\">velocity of the object's point, longest "
                   "{:.4g} m/s</tspan>  <tspan fill=\"#666\">load</tspan></text>\n</svg>\n",
                   kSize - 12, force, speed);
}

}  // namespace pequod::app
