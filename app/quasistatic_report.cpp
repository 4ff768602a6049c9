#include "app/quasistatic_report.h"

#include <fmt/format.h>

#include "app/json_number.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using OrderedJson = nlohmann::ordered_json;

OrderedJson as_json(const VectorXd& x) {
  OrderedJson list = OrderedJson::array();
  for (const double entry : x) list.push_back(json_number(entry));
  return list;
}

OrderedJson as_json(const QuasistaticResiduals& r) {
  return {{"2_object_balance", r.object_balance},
          {"3_joint_balance", r.joint_balance},
          {"4_5_kinematics", r.kinematics},
          {"6_penetration", r.penetration},
          {"7_cone", r.cone},
          {"8_9_contact", r.contact},
          {"10_slip", r.slip},
          {"product", r.product}};
}

OrderedJson as_json(const QuasistaticMotion& motion, const QuasistaticResiduals& residuals) {
  OrderedJson modes = OrderedJson::array();
  for (const QuasistaticMode mode : motion.modes) modes.push_back(name(mode));
  return {{"object_velocity", as_json(motion.object_velocity)},
          {"joint_velocity", as_json(motion.joint_velocity)},
          {"joint_effort", as_json(motion.joint_effort)},
          {"modes", modes},
          {"v_n", as_json(motion.v_n)},
          {"v_t", as_json(motion.v_t)},
          {"c_n", as_json(motion.c_n)},
          {"c_t", as_json(motion.c_t)},
          {"residuals", as_json(residuals)}};
}

std::string row(std::string_view label, const VectorXd& x) {
  std::string line = fmt::format("  {:<18}", label);
  for (const double entry : x) line += fmt::format(" {:>12.6g}", entry);
  return line + "\n";
}

}  // namespace

std::string_view name(QuasistaticStatus status) {
  switch (status) {
    case QuasistaticStatus::solved:
      return "solved";
    case QuasistaticStatus::no_solution:
      return "no-solution";
    case QuasistaticStatus::unknown:
      break;
  }
  return "failed";
}

OrderedJson quasistatic_json(const QuasistaticSolution& solution) {
  OrderedJson motions = OrderedJson::array();
  for (std::size_t i = 0; i < solution.motions.size(); ++i) {
    motions.push_back(as_json(solution.motions[i], solution.residuals[i]));
    if (solution.complete) motions.back()["unique_in_modes"] = solution.unique[i] != 0;
  }
  return {{"status", name(solution.status)},
          {"reason", solution.reason},
          {"method", solution.method},
          {"pairs", solution.bilinear.pairs},
          {"programs", solution.bilinear.programs},
          {"adjacent_steps", solution.bilinear.adjacent_steps},
          {"restarts", solution.bilinear.restarts},
          {"products", solution.bilinear.history},
          {"nodes", solution.nodes},
          {"complete", solution.complete},
          {"solutions", motions}};
}

std::string quasistatic_text(const QuasistaticSolution& solution) {
  std::string text = fmt::format("{}{}{}\n", name(solution.status),
                                 solution.reason.empty() ? "" : ": ", solution.reason);
  for (std::size_t i = 0; i < solution.motions.size(); ++i) {
    const QuasistaticMotion& m = solution.motions[i];
    text += fmt::format("solution {} of {}{}\n", i + 1, solution.motions.size(),
                        solution.complete && solution.unique[i] == 0
                            ? ": one of a continuum with these modes"
                            : "");
    text += row("object velocity", m.object_velocity) + row("joint velocity", m.joint_velocity) +
            row("joint effort", m.joint_effort);
    text += fmt::format("  {:<8} {:<13} {:>12} {:>12} {:>12} {:>12}\n", "contact", "mode", "v_n",
                        "v_t", "c_n", "c_t");
    for (Index c = 0; c < m.v_n.size(); ++c)
      text += fmt::format("  {:<8} {:<13} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g}\n", c + 1,
                          name(nth(m.modes, c)), m.v_n[c], m.v_t[c], m.c_n[c], m.c_t[c]);
    text += fmt::format("  xᵀy {:.2g}, largest residual of (2)–(10) {:.2g}\n",
                        solution.residuals[i].product, solution.residuals[i].worst());
  }
  const BilinearSolution& lps = solution.bilinear;
  text += fmt::format(
      "by {}: {} pairs of linear programs, {} steps to better neighbours, {} restarts, {} nodes "
      "of modes\n",
      solution.method, lps.pairs, lps.adjacent_steps, lps.restarts, solution.nodes);
  return text;
}

OrderedJson motion_json(const QuasistaticRun& run) {
  OrderedJson records = OrderedJson::array(), events = OrderedJson::array();
  for (const QuasistaticRecord& record : run.records) {
    OrderedJson modes = OrderedJson::array();
    for (const QuasistaticMode mode : record.motion.modes) modes.push_back(name(mode));
    records.push_back({{"t", record.t},
                       {"configuration", as_json(record.configuration)},
                       {"object_velocity", as_json(record.motion.object_velocity)},
                       {"modes", modes},
                       {"c_n", as_json(record.motion.c_n)},
                       {"c_t", as_json(record.motion.c_t)}});
  }
  for (const QuasistaticEvent& event : run.events)
    events.push_back({{"t", event.t},
                      {"kind", event.kind},
                      {"finger", event.finger + 1},
                      {"point", {event.point.x(), event.point.y()}}});
  return {{"ended", run.ended}, {"events", events}, {"records", records}};
}

std::string motion_text(const QuasistaticRun& run, const PlanarScene& scene) {
  std::string text;
  for (const QuasistaticEvent& event : run.events)
    text += fmt::format("{:>12.6f} s  {:<13} {} at ({:.6g}, {:.6g})\n", event.t, event.kind,
                        nth(scene.fingers, event.finger).name, event.point.x(), event.point.y());
  if (run.records.empty()) return text + run.ended + "\n";
  const QuasistaticRecord& last = run.records.back();
  return text + fmt::format("object at ({:.9g}, {:.9g}), angle {:.9g}, at t = {:.6g} s{}{}\n",
                            last.configuration[0], last.configuration[1], last.configuration[2],
                            last.t, run.ended.empty() ? "" : "; ended: ", run.ended);
}

}  // namespace pequod::app
