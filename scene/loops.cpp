// Loops of a scene: which links they join, where, and that they are closed at the start.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/loop.h"
#include "scene/assembly.h"
#include "simulation/close_loops.h"

namespace pequod {
namespace {

// m, rad: what a loop may be open by the digits of a hand-written start.
constexpr double kOpen = 1e-3;
constexpr double kClosed = 1e-12;  // m, rad: rounding, a few times over

/// One loop as it is read.
struct LoopReader {
  const SceneReader& reader;
  const YAML::Node& node;
  std::string path;
  const Model& model;
  const std::vector<Pose>& X_WL;

  [[nodiscard]] std::string key(const char* name) const { return path + "." + name; }
};

Vector3d vector_of(const YAML::Node& node) {
  const std::vector<double> values = numbers_in(node);
  return {values[0], values[1], values[2]};
}

LoopType loop_type(const std::string& name) {
  if (name == "spherical") return LoopType::spherical;
  if (name == "prismatic") return LoopType::prismatic;
  if (name == "fixed") return LoopType::fixed;
  if (name == "revolute") return LoopType::revolute;
  throw std::logic_error("no reader for loops of the type " + name);
}

/// A rotation whose first column is the unit vector x.
Matrix3d frame_along(const Vector3d& x) {
  Matrix3d R;
  R.col(0) = x;
  R.col(1) = x.unitOrthogonal();
  R.col(2) = x.cross(R.col(1));
  return R;
}

bool read_ends(const LoopReader& in, const std::set<std::string>& failed, Loop& loop) {
  const std::array<int*, 2> frames{&loop.frame_a, &loop.frame_b}, links{&loop.link_a, &loop.link_b};
  for (std::size_t end = 0; end < 2; ++end) {
    const YAML::Node name = in.node["between"][end];
    if (name.Scalar() == "world") continue;
    *frames[end] = find_one_frame(in.reader, in.key("between"), name, in.model, failed);
    if (*frames[end] < 0) return false;
    *links[end] = nth(in.model.frames, *frames[end]).link;
  }
  if (loop.link_a != loop.link_b) return true;
  in.reader.error(in.node["between"], in.key("between"),
                  loop.link_a < 0 ? "both ends are fixed to the world"
                                  : "both ends are on one link (fixed joints are merged)");
  return false;
}

/// Where the named frame of an end is on its link, and that link in the world.
std::pair<Pose, Pose> end_poses(const LoopReader& in, int frame, int link) {
  return {frame < 0 ? Pose{} : nth(in.model.frames, frame).X_LF,
          link < 0 ? Pose{} : nth(in.X_WL, link)};
}

bool read_points(const LoopReader& in, const std::array<std::pair<Pose, Pose>, 2>& ends,
                 Loop& loop) {
  const YAML::Node points = in.node["points"];
  if (!points && loop.type != LoopType::fixed) {
    in.reader.error(in.node, in.path, "needs points: where the joint is");
    return false;
  }
  if (points) loop.X_AK.p = ends[0].first * vector_of(points[0]);
  if (points && points.size() == 2)
    loop.X_BK.p = ends[1].first * vector_of(points[1]);
  else
    loop.X_BK.p = ends[1].second.inverse() * (ends[0].second * loop.X_AK.p);
  return true;
}

bool read_axes(const LoopReader& in, const std::array<std::pair<Pose, Pose>, 2>& ends, Loop& loop) {
  const bool turns = loop.type == LoopType::revolute, slides = loop.type == LoopType::prismatic;
  const YAML::Node axes = in.node["axes"];
  if (!axes && (turns || slides)) {
    in.reader.error(in.node, in.path, "needs axes: what it turns about or slides along");
    return false;
  }
  const std::size_t most = turns ? 2 : slides ? 1 : 0;
  if (axes && axes.size() > most) {
    in.reader.error(axes, in.key("axes"),
                    fmt::format("a {} loop has {}", in.node["type"].Scalar(),
                                most == 0 ? "no axis" : "one axis, that of the first"));
    return false;
  }
  for (std::size_t i = 0; axes && i < axes.size(); ++i) {
    const Vector3d axis = ends[i].first.R * vector_of(axes[i]);
    if (!(axis.norm() > 1e-12)) {
      in.reader.error(axes[i], in.key("axes"), "is zero");
      return false;
    }
    (i == 0 ? loop.X_AK : loop.X_BK).R = frame_along(axis.normalized());
  }
  // As at the start.
  if (!axes || axes.size() < 2)
    loop.X_BK.R = ends[1].second.R.transpose() * ends[0].second.R * loop.X_AK.R;
  return true;
}

bool read_loop(const LoopReader& in, const std::set<std::string>& failed, Loop& loop) {
  loop.name = in.path;
  loop.type = loop_type(text_at(in.node, "type", "revolute"));
  if (!read_ends(in, failed, loop)) return false;
  const std::array ends{end_poses(in, loop.frame_a, loop.link_a),
                        end_poses(in, loop.frame_b, loop.link_b)};
  if (!read_points(in, ends, loop) || !read_axes(in, ends, loop)) return false;
  const LoopOpening open = loop_opening(loop, in.X_WL);
  if (open.distance <= kOpen && open.angle <= kOpen) return true;
  in.reader.error(
      in.node, in.path,
      fmt::format("is open by {:.4g} m and {:.4g} rad at the start", open.distance, open.angle),
      fmt::format("move the joints until it closes to {:g}, or leave out the second "
                  "point and axis: then it closes where the first is",
                  kOpen));
  return false;
}

/// Says what closing the loops changed of what was given, if it is more than rounding.
void note_changes(const LoopReader& in, const State& given, const State& closed) {
  const double moved = (given.q - closed.q).lpNorm<Eigen::Infinity>();
  double pushed = 0.0;
  for (Eigen::Index i = 0; i < given.v.size(); ++i)
    if (given.v[i] != 0.0) pushed = std::max(pushed, std::abs(given.v[i] - closed.v[i]));
  const auto note = [&](const char* what, double change, const char* unit) {
    in.reader.diagnostics.note(in.reader.at(in.node),
                               fmt::format("loops: closing them changed the start's {} by up to "
                                           "{:.3g} {}",
                                           what, change, unit));
  };
  if (moved > kClosed) note("positions", moved, "m or rad");
  if (pushed > kClosed) note("velocities", pushed, "m/s or rad/s");
}

}  // namespace

void add_loops(const Assembly& assembly, const YAML::Node& loops, Model& model, State& state) {
  if (!loops) return;
  const SceneReader& reader = assembly.reader;
  std::vector<Pose> X_WL;
  compute_poses(model, state.q, X_WL);
  std::vector<Loop> read;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const YAML::Node node = loops[i];
    Loop loop;
    if (read_loop({reader, node, fmt::format("loops[{}]", i), model, X_WL}, assembly.failed, loop))
      read.push_back(loop);
  }
  if (!reader.diagnostics.ok()) return;
  model.loops = std::move(read);
  const State given = state;
  const double open = close_loops(model, state);
  const LoopReader all{reader, loops, "loops", model, X_WL};
  if (open > kClosed)
    reader.error(loops, "loops", fmt::format("cannot all be closed: {:.3g} m or rad remain", open),
                 "axes that are not quite parallel? drop what others hold already, for instance "
                 "with a spherical loop");
  else
    note_changes(all, given, state);
}

}  // namespace pequod
