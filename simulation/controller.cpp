#include "simulation/controller.h"

namespace pequod {

Vector3d contact_force_on(const Model& model, const State& state, int frame) {
  const auto belongs = [&model, frame](int shape) {
    return model.shapes[static_cast<std::size_t>(shape)].frame == frame;
  };
  Vector3d force = Vector3d::Zero();
  for (const ContactMode& mode : state.mode) {
    if (is_joint_limit(mode.key)) continue;
    if (belongs(mode.key.shape_b)) force += mode.force_W;
    if (belongs(mode.key.shape_a)) force -= mode.force_W;
  }
  return force;
}

}  // namespace pequod
