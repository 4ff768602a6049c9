#include "simulation/controllers/torque.h"

#include <algorithm>
#include <stdexcept>

#include "simulation/loop/instant.h"

namespace pequod {
namespace {

void check(const TorqueTable& table) {
  if (table.efforts.size() != table.times.size() * table.links.size())
    throw std::invalid_argument("a torque table of " + std::to_string(table.times.size()) +
                                " rows and " + std::to_string(table.links.size()) +
                                " joints cannot have " + std::to_string(table.efforts.size()) +
                                " efforts");
  if (std::adjacent_find(table.times.begin(), table.times.end(), std::greater_equal<>()) !=
      table.times.end())
    throw std::invalid_argument("the times of a torque table must increase");
}

}  // namespace

Controller make_torque(const Model& model, int entity, const TorqueTable& table) {
  check(table);
  Controller controller;
  controller.name = nth(model.entities, entity).name + ".torque";
  controller.entity = entity;
  controller.period = table.period;
  controller.shares_nothing = true;
  controller.update = [table](const ControlInput& input, std::span<double>, VectorXd& tau) {
    // Ticks are multiples of the period and rows decimal numbers: a row that falls on a tick up to
    // rounding is played at that tick.
    const double now = input.state.t + std::max(1e-9 * table.period, time_rounding(input.state.t));
    const auto next = std::upper_bound(table.times.begin(), table.times.end(), now);
    const auto rows = static_cast<std::size_t>(next - table.times.begin());
    for (std::size_t j = 0; j < table.links.size(); ++j) {
      const Link& link = nth(input.model.links, table.links[j]);
      tau[link.joint.v_index] =
          rows == 0 ? 0.0 : table.efforts[(rows - 1) * table.links.size() + j];
    }
  };
  return controller;
}

}  // namespace pequod
