#include "test/contact/solvers/body_packing.h"

#include <Eigen/Geometry>
#include <cmath>

namespace pequod::test {
namespace {

constexpr double kRadius = 0.1;

// The three rows of a point with respect to a body's y = M^½ v.
void push_rows(const Eigen::Matrix3d& frame, const Eigen::Vector3d& arm, double mass, double sign,
               std::vector<double>& rows) {
  const double linear = sign / std::sqrt(mass);
  const double angular = sign / std::sqrt(0.4 * mass * kRadius * kRadius);
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d d = frame.col(k), moment = arm.cross(d);
    for (int c = 0; c < 3; ++c) rows.push_back(angular * moment[c]);
    for (int c = 0; c < 3; ++c) rows.push_back(linear * d[c]);
  }
}

Eigen::Matrix3d frame_of(const Eigen::Vector3d& normal) {
  Eigen::Matrix3d frame;
  frame.col(0) = normal;
  frame.col(1) = normal.unitOrthogonal();
  frame.col(2) = normal.cross(frame.col(1));
  return frame;
}

struct Body {
  Eigen::Vector3d place;
  double mass = 1.0;
};

void add_contacts(const BodyPacking& packing, const std::vector<Body>& bodies, int a, int b,
                  const Eigen::Vector3d& normal, BodyProblem& problem) {
  const Eigen::Matrix3d frame = frame_of(normal);
  const int other = a < 0 ? b : a;
  const Eigen::Vector3d middle =
      a < 0 ? Eigen::Vector3d(bodies[static_cast<std::size_t>(b)].place - kRadius * normal)
            : Eigen::Vector3d(bodies[static_cast<std::size_t>(other)].place + kRadius * normal);
  for (int p = 0; p < packing.points; ++p) {
    Eigen::Vector3d point = middle;
    if (packing.points > 1)
      point += 0.5 * kRadius *
               ((p % 2 == 0 ? 1.0 : -1.0) * frame.col(1) + (p < 2 ? 1.0 : -1.0) * frame.col(2));
    problem.on.push_back({a, b});
    for (const int body : {a, b}) {
      const double sign = body == b ? 1.0 : -1.0;
      if (body < 0) {
        problem.rows.insert(problem.rows.end(), kBodyRows, 0.0);
        continue;
      }
      const Body& own = bodies[static_cast<std::size_t>(body)];
      push_rows(frame, point - own.place, own.mass, sign, problem.rows);
    }
    problem.mu.push_back(packing.friction);
  }
}

}  // namespace

BodyProblem body_packing(const BodyPacking& packing, std::mt19937_64& random) {
  std::uniform_real_distribution<double> chance(-1.0, 1.0);
  const int edge = packing.edge;
  std::vector<Body> bodies;
  for (int i = 0; i < edge * edge * edge; ++i) {
    const Eigen::Vector3i place(i % edge, i / edge % edge, i / (edge * edge));
    const Eigen::Vector3d cell = place.cast<double>();
    const Eigen::Vector3d off(chance(random), chance(random), chance(random));
    bodies.push_back({2.0 * kRadius * cell + 0.1 * kRadius * off,
                      std::pow(packing.mass_ratio, 0.5 * (chance(random) + 1.0))});
  }
  BodyProblem problem;
  problem.reset(static_cast<int>(bodies.size()));
  for (int i = 0; i < problem.bodies(); ++i) {
    const double root = std::sqrt(bodies[static_cast<std::size_t>(i)].mass);
    for (int k = 0; k < kBodyWidth; ++k)
      problem.y[kBodyWidth * i + k] = root * packing.speed * chance(random) * (k < 3 ? 0.06 : 1.0);
    problem.y[kBodyWidth * i + 5] -= root * 9.81 * 0.005;
  }
  const int stride[] = {1, edge, edge * edge};
  for (int i = 0; i < problem.bodies(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const int cell = i / stride[axis] % edge;
      const Eigen::Vector3d direction = Eigen::Vector3d::Unit(axis);
      if (cell == 0) add_contacts(packing, bodies, -1, i, direction, problem);
      if (cell == edge - 1 && axis < 2) add_contacts(packing, bodies, -1, i, -direction, problem);
      if (cell == edge - 1) continue;
      const int j = i + stride[axis];
      const Eigen::Vector3d between =
          bodies[static_cast<std::size_t>(j)].place - bodies[static_cast<std::size_t>(i)].place;
      add_contacts(packing, bodies, i, j, between.normalized(), problem);
    }
  problem.b.setZero(3 * static_cast<Eigen::Index>(problem.contacts()));
  return problem;
}

FrictionProblem dense_problem(const BodyProblem& problem) {
  const Eigen::Index n = problem.contacts();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * n, problem.y.size());
  for (Eigen::Index i = 0; i < n; ++i)
    for (std::size_t side = 0; side < 2; ++side) {
      const int body = problem.on[static_cast<std::size_t>(i)][side];
      if (body < 0) continue;
      const double* rows =
          problem.rows.data() + 2 * kBodyRows * static_cast<std::size_t>(i) + kBodyRows * side;
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < kBodyWidth; ++c)
          J(3 * i + k, kBodyWidth * body + c) += rows[kBodyWidth * k + c];
    }
  FrictionProblem dense;
  dense.W = J * J.transpose();
  dense.q = J * problem.y + problem.b;
  dense.mu = Eigen::Map<const Eigen::VectorXd>(problem.mu.data(), n);
  dense.scale = problem.y.norm();
  return dense;
}

}  // namespace pequod::test
