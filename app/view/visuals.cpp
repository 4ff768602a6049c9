#include "app/view/visuals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/packed_numbers.h"
#include "app/view/grid_mesh.h"
#include "scene/mesh_file.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What a page can draw at any speed: so many triangles in all, of one mesh no more than anybody
// sees and no fewer than a shape needs.
constexpr std::size_t kMostTriangles = 150'000, kMostOfOne = 20'000, kLeastOfOne = 500;
// Larger files would take longer to read than the page to open.
constexpr std::uintmax_t kLargestFile = 64'000'000;  // bytes

// A file, and by how much it is scaled.
using MeshName = std::pair<std::string, std::array<double, 3>>;

MeshName name_of(const nlohmann::json& visual) {
  return {visual.at("file").get<std::string>(), visual.at("scale").get<std::array<double, 3>>()};
}

bool is_file(const nlohmann::json& visual) { return visual.at("type") == "mesh_file"; }

class Packing {
 public:
  explicit Packing(std::size_t most) : most_(most) {}

  // The number of the mesh; none if it cannot be drawn.
  std::optional<std::size_t> number_of(const MeshName& name) {
    const auto [found, added] = numbers_.emplace(name, std::nullopt);
    if (added) found->second = read(name);
    return found->second;
  }

  void finish(PackedVisuals& visuals) {
    visuals.meshes = std::move(meshes_);
    visuals.columns = std::move(columns_);
    if (left_out_ > 0)
      visuals.notes.push_back(fmt::format("{} visual mesh{} left out, the first because {}",
                                          left_out_, left_out_ > 1 ? "es are" : " is", reason_));
    if (thinned_ > 0)
      visuals.notes.push_back(fmt::format("{} visual mesh{} thinned to {} triangles or fewer",
                                          thinned_, thinned_ > 1 ? "es are" : " is", most_));
  }

 private:
  std::optional<std::size_t> leave_out(const std::string& reason) {
    if (left_out_++ == 0) reason_ = reason;
    return std::nullopt;
  }

  std::optional<std::size_t> read(const MeshName& name) {
    const fs::path path = name.first;
    std::error_code code;
    if (!fs::is_regular_file(path, code)) return leave_out("there is no " + path.string());
    if (fs::file_size(path, code) > kLargestFile)
      return leave_out(
          fmt::format("{} is larger than {} MB", path.string(), kLargestFile / 1'000'000));
    Diagnostics diagnostics;
    const Vector3d scale(name.second[0], name.second[1], name.second[2]);
    const std::optional<Mesh> mesh = load_mesh(path, scale, {path.string(), 0, 0}, diagnostics);
    if (!mesh) return leave_out(diagnostics.sorted().front().message);
    add(on_grid(*mesh, most_), mesh->triangles.size());
    return meshes_.size() - 1;
  }

  void add(const GridMesh& grid, std::size_t triangles) {
    if (triangles > most_) ++thinned_;
    meshes_.push_back({{"corners", grid.corners.size()},
                       {"triangles", grid.triangles.size()},
                       {"unit", grid.unit},
                       {"low", {grid.low.x(), grid.low.y(), grid.low.z()}}});
    std::vector<std::int64_t> column;
    for (std::size_t k = 0; k < 3; ++k) {
      column.clear();
      for (const auto& corner : grid.corners) column.push_back(corner[k]);
      columns_ += pack_integers(column);
    }
    column.clear();
    for (const auto& triangle : grid.triangles)
      column.insert(column.end(), triangle.begin(), triangle.end());
    columns_ += pack_integers(column);
  }

  std::size_t most_;
  std::map<MeshName, std::optional<std::size_t>> numbers_;
  ordered_json meshes_ = ordered_json::array();
  std::string columns_, reason_;
  std::size_t left_out_ = 0, thinned_ = 0;
};

void add_visual(const nlohmann::json& visual, Packing& packing, ordered_json& list) {
  ordered_json seen = visual;
  if (is_file(visual)) {
    const auto number = packing.number_of(name_of(visual));
    if (!number) return;
    // Where its file lies is nobody's business who is given the page.
    seen.erase("file");
    seen.erase("scale");
    seen["mesh"] = *number;
  }
  list.push_back(seen);
}

std::size_t most_triangles(const nlohmann::json& visuals) {
  std::set<MeshName> names;
  for (const nlohmann::json& visual : visuals)
    if (is_file(visual)) names.insert(name_of(visual));
  const std::size_t count = std::max<std::size_t>(1, names.size());
  return std::clamp(kMostTriangles / count, kLeastOfOne, kMostOfOne);
}

}  // namespace

PackedVisuals pack_visuals(const plot::RunData& run) {
  PackedVisuals packed{ordered_json::array(), ordered_json::array(), {}, {}};
  // Runs of before visuals were told have none.
  if (!run.model || !run.model->contains("visuals")) return packed;
  try {
    const nlohmann::json& visuals = run.model->at("visuals");
    Packing packing(most_triangles(visuals));
    for (const nlohmann::json& visual : visuals) add_visual(visual, packing, packed.list);
    packing.finish(packed);
  } catch (const nlohmann::json::exception&) {
    throw RunFolderRefused(
        fmt::format("{}: its visuals are damaged; run again", (run.path / "model.json").string()));
  }
  return packed;
}

}  // namespace pequod::app
