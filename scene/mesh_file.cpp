#include "scene/mesh_file.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cctype>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/convex.h"
#include "core/mesh.h"
#include "scene/mesh_text.h"
#include "scene/yaml.h"

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

/// What assimp reads, each float taken for the shortest decimal that gives it.
Mesh collect(const aiScene& scene) {
  Mesh mesh;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[m];
    const int first = static_cast<int>(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& x = part.mVertices[i];
      mesh.vertices.emplace_back(as_written(x.x), as_written(x.y), as_written(x.z));
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;  // lone points and lines are no surface
      const auto index = [&](unsigned k) { return first + static_cast<int>(face.mIndices[k]); };
      mesh.triangles.push_back({index(0), index(1), index(2)});
    }
  }
  return mesh;
}

std::optional<Mesh> read_by_assimp(const fs::path& path, const Place& named_at,
                                   Diagnostics& diagnostics) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(
      path.string(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                         aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure);
  if (scene != nullptr) return collect(*scene);
  diagnostics.error(named_at,
                    "cannot read mesh " + path.string() + ": " + importer.GetErrorString(),
                    "meshes are STL, OBJ, DAE or glTF files");
  return std::nullopt;
}

std::optional<Mesh> read_mesh_file(const fs::path& path, const Place& named_at,
                                   Diagnostics& diagnostics) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension != ".stl" && extension != ".obj")
    return read_by_assimp(path, named_at, diagnostics);
  const std::optional<std::string> text = read_text(path, named_at, diagnostics);
  if (!text) return std::nullopt;
  return extension == ".stl" ? read_stl(*text, path, named_at, diagnostics)
                             : read_obj(*text, path, named_at, diagnostics);
}

void apply_scale(const Vector3d& scale, Mesh& mesh) {
  for (Vector3d& x : mesh.vertices) x = x.cwiseProduct(scale);
  // A mirror turns the triangles inside out; swapping two vertices turns them back.
  if (scale.prod() < 0.0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

}  // namespace

std::vector<fs::path> candidate_paths(const std::string& name, const fs::path& folder,
                                      const std::vector<fs::path>& package_paths) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (!starts_with(name, scheme)) continue;
    const std::string rest = name.substr(scheme.size());
    std::vector<fs::path> candidates;
    for (const fs::path& root : package_paths) candidates.push_back(root / rest);
    const fs::path start = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
    for (fs::path parent = start;; parent = parent.parent_path()) {
      candidates.push_back(parent / rest);
      if (parent == parent.root_path()) break;
    }
    return candidates;
  }
  if (starts_with(name, "file://")) return {fs::path(name.substr(7))};
  return {(folder / name).lexically_normal()};  // an absolute name replaces the folder
}

std::string missing_package(const std::string& name, const fs::path& folder,
                            const std::vector<fs::path>& package_paths) {
  const std::string scheme = "package://";
  if (!starts_with(name, scheme)) return "";
  std::string package = name.substr(scheme.size(), name.find('/', scheme.size()) - scheme.size());
  for (const fs::path& candidate : candidate_paths(scheme + package, folder, package_paths)) {
    std::error_code code;
    if (fs::is_directory(candidate, code)) return "";
  }
  return package;
}

std::optional<fs::path> existing_file(const std::string& name, const fs::path& folder,
                                      const std::vector<fs::path>& package_paths) {
  for (const fs::path& candidate : candidate_paths(name, folder, package_paths)) {
    std::error_code code;
    if (fs::is_regular_file(candidate, code)) return candidate;
  }
  return std::nullopt;
}

std::optional<fs::path> find_file(const std::string& name, const fs::path& folder,
                                  const std::vector<fs::path>& package_paths, const Place& named_at,
                                  Diagnostics& diagnostics) {
  const std::string package = missing_package(name, folder, package_paths);
  if (!package.empty()) {
    diagnostics.error(named_at, "package \"" + package + "\" is not there",
                      "set --package-path or PEQUOD_PACKAGE_PATH to the folder that holds it");
    return std::nullopt;
  }
  if (auto found = existing_file(name, folder, package_paths)) return found;
  std::string tried, near;
  for (const fs::path& candidate : candidate_paths(name, folder, package_paths)) {
    std::error_code code;
    if (fs::is_directory(candidate, code)) {
      diagnostics.error(named_at, "is a directory, not a file: " + candidate.string());
      return std::nullopt;
    }
    tried += (tried.empty() ? "" : ", ") + candidate.string();
    if (near.empty()) near = near_file(candidate);
  }
  diagnostics.error(named_at, "no such file: \"" + name + "\"; tried " + tried,
                    near.empty() ? "" : "did you mean \"" + near + "\"?");
  return std::nullopt;
}

std::optional<Mesh> load_mesh(const fs::path& path, const Vector3d& scale, const Place& named_at,
                              Diagnostics& diagnostics) {
  std::optional<Mesh> read = read_mesh_file(path, named_at, diagnostics);
  if (!read) return std::nullopt;
  Mesh& mesh = *read;
  apply_scale(scale, mesh);
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
  return read;
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
