// Queries of a body over a meshed terrain of 20 000 triangles, cells of 0.1 m.
#include "core/mesh.h"

#include <benchmark/benchmark.h>

#include <cmath>

#include "events/contact_geometry.h"

namespace {

using namespace pequod;

Mesh terrain() {
  constexpr int kCells = 100;
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i <= kCells; ++i) {
    for (int j = 0; j <= kCells; ++j) {
      const double x = 0.1 * i - 5.0, y = 0.1 * j - 5.0;
      vertices.emplace_back(x, y, 0.2 * std::sin(2.0 * x) * std::cos(3.0 * y));
    }
  }
  const auto at = [](int i, int j) { return i * (kCells + 1) + j; };
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return make_mesh(vertices, triangles);
}

Pose pose_at(std::int64_t k) {
  const double s = 0.37 * static_cast<double>(k % 1000);
  return {Eigen::AngleAxisd(s, Vector3d(1, 2, 3).normalized()).toRotationMatrix(),
          {4.0 * std::sin(s), 4.0 * std::cos(1.7 * s), 0.35}};
}

void contacts(benchmark::State& state, const Geometry& body) {
  const Geometry mesh = terrain();
  std::vector<ContactPoint> found;
  std::int64_t k = 0;
  for (auto _ : state) {
    found.clear();
    find_contacts(body, pose_at(k++), mesh, {}, 0, 1, 0.01, found);
    benchmark::DoNotOptimize(found.data());
  }
}

void distance(benchmark::State& state, const Geometry& body) {
  const Geometry mesh = terrain();
  std::int64_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(signed_distance(body, pose_at(k++), mesh, {}));
}

void build(benchmark::State& state) {
  const Mesh mesh = terrain();
  for (auto _ : state) benchmark::DoNotOptimize(make_mesh(mesh.vertices, mesh.triangles).nodes);
}

BENCHMARK_CAPTURE(contacts, ball, Sphere{0.1})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(contacts, box, Box{{0.2, 0.2, 0.2}})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(distance, ball, Sphere{0.1})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(distance, box, Box{{0.2, 0.2, 0.2}})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(distance, cone, Cone{0.1, 0.2})->Unit(benchmark::kMicrosecond);
BENCHMARK(build)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
