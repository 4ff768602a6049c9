#include "contact/solvers/friction/friction_buffers.h"

namespace pequod {

FrictionWorkspace::FrictionWorkspace() : buffers_(std::make_unique<Buffers>()) {}
FrictionWorkspace::~FrictionWorkspace() = default;
FrictionWorkspace::FrictionWorkspace(FrictionWorkspace&& other) noexcept = default;
FrictionWorkspace& FrictionWorkspace::operator=(FrictionWorkspace&& other) noexcept = default;
void FrictionWorkspace::poison() { pequod::poison(*buffers_); }

}  // namespace pequod
