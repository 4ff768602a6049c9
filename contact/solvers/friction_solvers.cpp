#include "contact/solvers/friction_solvers.h"

#include <array>

#include "contact/solvers/coulomb_chain.h"
#include "contact/solvers/friction_buffers.h"

namespace pequod {

FrictionWorkspace::FrictionWorkspace() : buffers_(std::make_unique<Buffers>()) {}
FrictionWorkspace::~FrictionWorkspace() = default;
FrictionWorkspace::FrictionWorkspace(FrictionWorkspace&& other) noexcept = default;
FrictionWorkspace& FrictionWorkspace::operator=(FrictionWorkspace&& other) noexcept = default;

std::span<const FrictionSolver> friction_solvers() {
  static const std::array solvers = {
      FrictionSolver{"coulomb", "chain of methods, each ended by Newton's on exact modes",
                     solve_coulomb},
  };
  return solvers;
}

std::optional<SolveFriction> find_friction_solver(std::string_view name) {
  for (const FrictionSolver& solver : friction_solvers())
    if (solver.name == name) return solver.solve;
  return std::nullopt;
}

}  // namespace pequod
