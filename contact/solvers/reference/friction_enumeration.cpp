#include "contact/solvers/reference/friction_enumeration.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "contact/solvers/least_distance/non_negative_least_squares.h"

namespace pequod {

namespace {

enum Mode { kOpen, kStick, kSlideForward, kSlideBackward, kModes };

/// W r + q = u in contact units, with r and u of each contact sums of rays times variables ≥ 0.
struct System {
  MatrixXd W;  ///< in contact units
  VectorXd q, d;
  const VectorXd* mu = nullptr;
  double scale = 0;
};

System scaled_system(const FrictionProblem& problem) {
  const Index n = problem.mu.size();
  System system;
  system.mu = &problem.mu;
  system.d.resize(n);
  VectorXd units(2 * n);
  for (Index i = 0; i < n; ++i) {
    const double trace = problem.W(2 * i, 2 * i) + problem.W(2 * i + 1, 2 * i + 1);
    system.d[i] = trace > 0 ? std::sqrt(2 / trace) : 1;
    units[2 * i] = units[2 * i + 1] = system.d[i];
  }
  system.W = units.asDiagonal() * problem.W * units.asDiagonal();
  system.q = units.cwiseProduct(problem.q);
  system.scale = std::max(problem.scale, system.q.norm());
  return system;
}

struct Ray {
  int contact;
  Eigen::Vector2d direction;
};

/// Rays of force and of velocity that a mode lets contact i have.
void add_rays(double mu, int i, int mode, std::vector<Ray>& forces, std::vector<Ray>& velocities) {
  const bool no_slip = mu >= kNoSlipFriction;
  const auto add = [i](std::vector<Ray>& rays, double n, double t) {
    rays.push_back({i, Eigen::Vector2d(n, t).normalized()});
  };
  switch (mode) {
    case kOpen:
      add(velocities, 1, 0);
      add(velocities, 0, 1);
      add(velocities, 0, -1);
      return;
    case kStick:
      if (no_slip) {
        add(forces, 1, 0);
        add(forces, 0, 1);
        add(forces, 0, -1);
      } else {
        add(forces, 1, mu);
        if (mu > 0) add(forces, 1, -mu);
      }
      return;
    default: {
      const double sign = mode == kSlideForward ? 1 : -1;
      add(velocities, 0, sign);
      if (!no_slip) add(forces, 1, -sign * mu);
    }
  }
}

/// r in contact units with the given modes, one digit in base 4 a contact; empty if there is none.
VectorXd impulses(const System& system, int modes) {
  constexpr double kFeasible = 1e-10;  // of the scale: rounding of a consistent system is less
  std::vector<Ray> forces, velocities;
  const int n = static_cast<int>(system.d.size());
  for (int i = 0; i < n; ++i, modes /= kModes)
    add_rays((*system.mu)[i], i, modes % kModes, forces, velocities);
  const Index f = static_cast<Index>(forces.size());
  MatrixXd A = MatrixXd::Zero(2 * n, f + static_cast<Index>(velocities.size()));
  for (Index k = 0; k < f; ++k)
    A.col(k) = system.W.middleCols<2>(2 * forces[k].contact) * forces[k].direction;
  for (std::size_t k = 0; k < velocities.size(); ++k)
    A.col(f + static_cast<Index>(k)).segment<2>(2 * velocities[k].contact) =
        -velocities[k].direction;
  const VectorXd z = solve_non_negative_least_squares(A, -system.q);
  if (!((A * z + system.q).norm() <= kFeasible * system.scale)) return {};
  VectorXd r = VectorXd::Zero(2 * n);
  for (Index k = 0; k < f; ++k) r.segment<2>(2 * forces[k].contact) += z[k] * forces[k].direction;
  return r;
}

const char* refusal(const FrictionProblem& problem) {
  if (problem.dimension != 2) return "enumeration takes planar problems only";
  if (problem.associated) return "enumeration takes Coulomb's law only";
  if (problem.mu.size() > kMostEnumeratedContacts)
    return "enumeration takes seven contacts at most";
  return nullptr;
}

}  // namespace

std::vector<FrictionSolution> enumerate_friction(const FrictionProblem& problem,
                                                 const FrictionOptions& options) {
  check(problem);
  if (const char* reason = refusal(problem)) throw std::invalid_argument(reason);
  const System system = scaled_system(problem);
  const int n = static_cast<int>(problem.mu.size());
  int combinations = 1;
  for (int i = 0; i < n; ++i) combinations *= kModes;
  std::vector<FrictionSolution> found;
  for (int modes = 0; modes < combinations; ++modes) {
    const VectorXd r = impulses(system, modes);
    if (r.size() != 2 * n) continue;
    FrictionSolution solution;
    solution.method = "enumerate";
    solution.iterations = modes + 1;
    solution.r = r;
    for (int i = 0; i < n; ++i) solution.r.segment<2>(2 * i) *= system.d[i];
    measure(problem, solution);
    judge(options, solution);
    const auto same = [&](const FrictionSolution& other) {
      return (solution.u - other.u).norm() <= 1e-9 * std::max(solution.u.norm(), problem.q.norm());
    };
    if (solution.status == SolveStatus::solved && std::ranges::none_of(found, same))
      found.push_back(std::move(solution));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.residuals.energy_change < b.residuals.energy_change;
  });
  return found;
}

void solve_by_enumeration(const FrictionProblem& problem, const FrictionOptions& options,
                          std::span<const double> /*warm_start*/, FrictionWorkspace& /*workspace*/,
                          FrictionSolution& solution) {
  check(problem);
  solution = {};
  solution.method = "enumerate";
  const char* reason = refusal(problem);
  std::vector<FrictionSolution> found;
  if (!reason) found = enumerate_friction(problem, options);
  if (!found.empty()) {
    solution = std::move(found.front());
    return;
  }
  refuse(problem.q.size(), problem.mu.size(),
         reason ? reason : "no combination of modes is consistent", solution);
  if (!reason) solution.status = SolveStatus::no_solution;
}

}  // namespace pequod
