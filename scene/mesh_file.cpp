#include "scene/mesh_file.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <stdexcept>
#include <system_error>

#include "core/convex.h"
#include "core/mesh.h"

namespace pequod {
namespace {

namespace fs = std::filesystem;

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

/// The name in the same folder that was probably meant, as "Base.STL" for "base.stl".
std::string near_file(const fs::path& path) {
  std::error_code code;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), code)) {
    names.push_back(entry.path().filename().string());
  }
  return nearest(path.filename().string(), names);
}

Mesh collect(const aiScene& scene, const Vector3d& scale) {
  Mesh mesh;
  // A mirror turns the triangles inside out; swapping two vertices turns them back.
  const bool mirrored = scale.prod() < 0.0;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[m];
    const int first = static_cast<int>(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& x = part.mVertices[i];
      mesh.vertices.emplace_back(Vector3d(x.x, x.y, x.z).cwiseProduct(scale));
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;  // lone points and lines are no surface
      const auto index = [&](unsigned k) { return first + static_cast<int>(face.mIndices[k]); };
      mesh.triangles.push_back({index(0), index(mirrored ? 2 : 1), index(mirrored ? 1 : 2)});
    }
  }
  return mesh;
}

}  // namespace

std::vector<fs::path> candidate_paths(const std::string& name, const fs::path& folder,
                                      const std::vector<fs::path>& package_paths) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (!starts_with(name, scheme)) continue;
    const std::string rest = name.substr(scheme.size());
    std::vector<fs::path> candidates;
    for (const fs::path& root : package_paths) candidates.push_back(root / rest);
    const fs::path start = fs::absolute(folder).lexically_normal();
    for (fs::path parent = start;; parent = parent.parent_path()) {
      candidates.push_back(parent / rest);
      if (parent == parent.root_path()) break;
    }
    return candidates;
  }
  if (starts_with(name, "file://")) return {fs::path(name.substr(7))};
  return {(folder / name).lexically_normal()};  // an absolute name replaces the folder
}

std::optional<fs::path> find_file(const std::string& name, const fs::path& folder,
                                  const std::vector<fs::path>& package_paths, const Place& named_at,
                                  Diagnostics& diagnostics) {
  std::string tried, near;
  for (const fs::path& candidate : candidate_paths(name, folder, package_paths)) {
    std::error_code code;
    if (fs::is_regular_file(candidate, code)) return candidate;
    tried += (tried.empty() ? "" : ", ") + candidate.string();
    if (near.empty()) near = near_file(candidate);
  }
  std::string hint;
  if (!near.empty()) {
    hint = "did you mean \"" + near + "\"?";
  } else if (starts_with(name, "package://")) {
    hint = "set --package-path or PEQUOD_PACKAGE_PATH to the folder that holds the package";
  }
  diagnostics.error(named_at, "no such file: \"" + name + "\"; tried " + tried, hint);
  return std::nullopt;
}

std::optional<Mesh> load_mesh(const fs::path& path, const Vector3d& scale, const Place& named_at,
                              Diagnostics& diagnostics) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(
      path.string(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                         aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure);
  if (scene == nullptr) {
    diagnostics.error(named_at,
                      "cannot read mesh " + path.string() + ": " + importer.GetErrorString());
    return std::nullopt;
  }
  Mesh mesh = collect(*scene, scale);
  if (mesh.triangles.empty()) {
    diagnostics.error(named_at, "mesh " + path.string() + " has no triangle");
    return std::nullopt;
  }
  for (const Vector3d& vertex : mesh.vertices) {
    if (!vertex.allFinite()) {
      diagnostics.error(named_at, "mesh " + path.string() + " has a vertex that is not finite");
      return std::nullopt;
    }
  }
  return mesh;
}

std::optional<Mesh> surface_of(const Mesh& mesh, const Place& named_at, Diagnostics& diagnostics) {
  try {
    return make_mesh(mesh.vertices, mesh.triangles);
  } catch (const std::invalid_argument& error) {
    diagnostics.error(named_at, error.what(), "or use convex: {file: …}, its hull");
  }
  return std::nullopt;
}

std::optional<Convex> hull_of(const std::vector<Vector3d>& points, const Place& named_at,
                              Diagnostics& diagnostics) {
  try {
    return make_convex(points);
  } catch (const std::invalid_argument& error) {
    diagnostics.error(named_at, std::string("no convex hull: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace pequod
