#include "simulation/spin_limit.h"

#include <fmt/format.h>

#include <cmath>

namespace pequod {
namespace {

constexpr double kFarTurn = 1.0;  // rad

// rad/s, of the link against its parent, or by itself; 0 of a slider.
double spin_of(const Joint& joint, const VectorXd& v) {
  switch (joint.type) {
    case JointType::prismatic:
      return 0.0;
    case JointType::revolute:
      return std::abs(v[joint.v_index]);
    default:
      return v.segment<3>(joint.v_index).norm();  // rotation comes first
  }
}

}  // namespace

std::string spin_note(const Model& model, const State& state, double step) {
  double most = 0.0;
  int fastest = -1;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const double turn = step * spin_of(model.links[i].joint, state.v);
    if (!(turn > most)) continue;
    most = turn;
    fastest = static_cast<int>(i);
  }
  if (!(most > kFarTurn)) return {};
  return fmt::format("; '{}' turns by {:.3g} rad in a step: shorten integrator.step",
                     link_name(model, fastest), most);
}

}  // namespace pequod
