#include "test/contact/solvers/sphere_packing.h"

#include <array>
#include <cmath>
#include <vector>

namespace pequod::test {

namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.01, kDensity = 2500, kPackingGravity = 9.81, kPackingStep = 1e-3;

/// Sphere `body` is pushed along `normal` by its contact with `other`, −1: a wall.
struct PackedContact {
  int body, other;
  Vector3d normal;
};

Vector3d random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}

/// Contacts between lattice neighbours, tilted as if the places were off by a third of a radius,
/// and with the four side walls and the floor.
std::vector<PackedContact> find_contacts(int edge, double closed, std::mt19937_64& random) {
  std::vector<PackedContact> contacts;
  const std::array<int, 3> stride = {1, edge, edge * edge};
  std::vector<Vector3d> places;
  for (int i = 0; i < edge * edge * edge; ++i) {
    const int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
    places.push_back(Vector3d(x, y, z) + 0.15 * random_vector(random));
  }
  for (int i = 0; i < edge * edge * edge; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const int place = i / stride[axis] % edge;
      if (std::uniform_real_distribution<double>(0, 1)(random) > closed) continue;
      if (place > 0)
        contacts.push_back(
            {i, i - stride[axis], (places[i] - places[i - stride[axis]]).normalized()});
      if (place == 0) contacts.push_back({i, -1, Vector3d::Unit(axis)});
      if (place == edge - 1 && axis < 2) contacts.push_back({i, -1, -Vector3d::Unit(axis)});
    }
  return contacts;
}

}  // namespace

SparseFrictionProblem sphere_packing(int edge, double closed, double speed, double mu,
                                     std::mt19937_64& random) {
  const std::vector<PackedContact> contacts = find_contacts(edge, closed, random);
  const int bodies = edge * edge * edge, n = static_cast<int>(contacts.size());
  const double m = kDensity * 4.0 / 3.0 * M_PI * kRadius * kRadius * kRadius;
  std::vector<Eigen::Triplet<double>> entries;  // of J M^−½, [v; ω] body by body
  for (int i = 0; i < n; ++i) {
    const Vector3d normal = contacts[i].normal, s = normal.unitOrthogonal(), t = normal.cross(s);
    const std::array<Vector3d, 3> axes = {normal, s, t};
    for (int k = 0; k < 3; ++k)
      for (const int sign : {1, -1}) {
        const int body = sign > 0 ? contacts[i].body : contacts[i].other;
        if (body < 0) continue;
        // Both points lie along the normal: −R n on the body, +R n on the other.
        const Vector3d turn = (-sign * kRadius * normal).cross(sign * axes[k]);
        for (int c = 0; c < 3; ++c) {
          entries.emplace_back(3 * i + k, 6 * body + c, sign * axes[k][c] / std::sqrt(m));
          entries.emplace_back(3 * i + k, 6 * body + 3 + c,
                               turn[c] / (kRadius * std::sqrt(0.4 * m)));
        }
      }
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> J(3 * n, 6 * bodies);
  J.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd v(6 * bodies);  // M^½ v
  for (int i = 0; i < bodies; ++i) {
    v.segment<3>(6 * i) = std::sqrt(m) * (speed * random_vector(random) -
                                          Vector3d(0, 0, kPackingGravity * kPackingStep));
    v.segment<3>(6 * i + 3) = std::sqrt(0.4 * m) * speed * random_vector(random);
  }
  SparseFrictionProblem problem;
  problem.W = Eigen::SparseMatrix<double>(J * J.transpose());
  problem.W.makeCompressed();
  problem.q = J * v;
  problem.mu.setConstant(n, mu);
  problem.scale = v.norm();
  return problem;
}

}  // namespace pequod::test
