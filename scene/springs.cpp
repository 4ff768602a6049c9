// Springs of a scene: which links they join, and where.
#include "core/springs.h"

#include <array>

#include "scene/assembly.h"

namespace pequod {
namespace {

/// One end: its link, −1 for the world, and its point there.
struct SpringEnd {
  int link = -1;
  Vector3d p = Vector3d::Zero();
};

bool read_end(const Assembly& assembly, const YAML::Node& name, const std::string& key,
              const Vector3d& point, const Model& model, SpringEnd& end) {
  end.p = point;
  if (name.Scalar() == "world") return true;
  const int frame = find_one_frame(assembly.reader, key, name, model, assembly.failed);
  if (frame < 0) return false;
  const Frame& found = nth(model.frames, frame);
  end = {found.link, found.X_LF * point};
  return true;
}

bool read_spring(const Assembly& assembly, const YAML::Node& node, const std::string& path,
                 const Model& model, const std::vector<Pose>& X_WL, Spring& spring) {
  const SceneReader& reader = assembly.reader;
  std::array<SpringEnd, 2> ends;
  for (std::size_t i = 0; i < 2; ++i) {
    Vector3d point = Vector3d::Zero();
    if (node["points"]) point = Vector3d(numbers_in(node["points"][i]).data());
    if (!read_end(assembly, node["between"][i], path + ".between", point, model, ends[i]))
      return false;
  }
  if (ends[0].link == ends[1].link) {
    reader.error(node["between"], path + ".between",
                 ends[0].link < 0 ? "both ends are fixed to the world"
                                  : "both ends are on one link (fixed joints are merged)");
    return false;
  }
  spring = {path, ends[0].link, ends[1].link, ends[0].p, ends[1].p};
  spring.stiffness = number_at(node, "stiffness", 0.0);
  spring.damping = number_at(node, "damping", 0.0);
  spring.rest = number_at(node, "rest", spring_line(spring, X_WL).length);
  if (spring.stiffness > 0.0 || spring.damping > 0.0) return true;
  reader.error(node, path, "does nothing", "give it a stiffness, N/m, or a damping, N·s/m");
  return false;
}

}  // namespace

void add_springs(const Assembly& assembly, const YAML::Node& springs, const State& start,
                 Model& model) {
  if (!springs) return;
  std::vector<Pose> X_WL;
  compute_poses(model, start.q, X_WL);
  std::vector<Spring> read;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const YAML::Node node = springs[i];
    Spring spring;
    if (read_spring(assembly, node, "springs[" + std::to_string(i) + "]", model, X_WL, spring))
      read.push_back(std::move(spring));
  }
  model.springs = std::move(read);
}

}  // namespace pequod
