#include "contact/solvers/friction/sparse/sparse_friction_buffers.h"

namespace pequod {

SparseFrictionWorkspace::SparseFrictionWorkspace() : buffers_(std::make_unique<Buffers>()) {}
SparseFrictionWorkspace::~SparseFrictionWorkspace() = default;
SparseFrictionWorkspace::SparseFrictionWorkspace(SparseFrictionWorkspace&& other) noexcept =
    default;
SparseFrictionWorkspace& SparseFrictionWorkspace::operator=(
    SparseFrictionWorkspace&& other) noexcept = default;
void SparseFrictionWorkspace::poison() { pequod::poison(*buffers_); }

}  // namespace pequod
