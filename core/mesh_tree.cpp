#include "core/mesh_tree.h"

#include <algorithm>
#include <numeric>

namespace pequod {
namespace {

constexpr int kLeaf = 4;  // triangles

struct Builder {
  Mesh& mesh;
  std::vector<Vector3d> centres;

  const Vector3d& centre(int t) const { return nth(centres, t); }

  /// Box around the triangles order[first, last), and the longest axis of their centres.
  int enclose(int first, int last, Mesh::Node& node) const {
    node.lo = Vector3d::Constant(kInfinity);
    node.hi = -node.lo;
    Vector3d lo = node.lo, hi = node.hi;
    for (int k = first; k < last; ++k) {
      const int t = nth(mesh.order, k);
      for (const int v : nth(mesh.triangles, t)) {
        node.lo = node.lo.cwiseMin(nth(mesh.vertices, v));
        node.hi = node.hi.cwiseMax(nth(mesh.vertices, v));
      }
      lo = lo.cwiseMin(centre(t));
      hi = hi.cwiseMax(centre(t));
    }
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    return axis;
  }

  void split(int index, int first, int last) {
    Mesh::Node node;
    const int axis = enclose(first, last, node);
    if (last - first <= kLeaf) {
      node.first = first;
      node.count = last - first;
      nth(mesh.nodes, index) = node;
      return;
    }
    const int middle = first + (last - first) / 2;
    std::nth_element(mesh.order.begin() + first, mesh.order.begin() + middle,
                     mesh.order.begin() + last, [&](int s, int t) {
                       const double x = centre(s)[axis], y = centre(t)[axis];
                       return x < y || (x == y && s < t);
                     });
    node.first = static_cast<int>(mesh.nodes.size());
    mesh.nodes.resize(mesh.nodes.size() + 2);
    nth(mesh.nodes, index) = node;
    split(node.first, first, middle);
    split(node.first + 1, middle, last);
  }
};

}  // namespace

void build_tree(Mesh& mesh) {
  Builder builder{mesh, {}};
  for (const std::array<int, 3>& t : mesh.triangles) {
    Vector3d sum = Vector3d::Zero();
    for (const int v : t) sum += nth(mesh.vertices, v);
    builder.centres.push_back(sum / 3.0);
  }
  mesh.order.resize(mesh.triangles.size());
  std::iota(mesh.order.begin(), mesh.order.end(), 0);
  mesh.nodes.assign(1, {});
  builder.split(0, 0, static_cast<int>(mesh.triangles.size()));
}

}  // namespace pequod
