#include "simulation/held/force_columns.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/friction/forces/cone_force.h"
#include "simulation/acceleration.h"
#include "simulation/held/tolerances.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

// In units of the lightest body a light block's forces do not drown in those of a heavy plate.
void place_units(const IslandView& view, ForceColumns& out) {
  const Island& island = view.part.island;
  out.unit.clear();
  std::size_t joint = 0;
  for (const int i : out.contact) {
    const Model& model = view.model();
    const int link = i < 0 ? nth(model.dof_link, island.joints[joint++]) : -1;
    out.unit.push_back(i < 0 ? lighter_mass(model, -1, link)
                             : lighter_mass(model, view.contact(i).link_a, view.contact(i).link_b));
  }
  if (out.unit.empty()) return;
  const double least = *std::min_element(out.unit.begin(), out.unit.end());
  for (double& unit : out.unit) unit /= least;
}

}  // namespace

bool units_differ(const ForceColumns& columns) {
  return !columns.unit.empty() && *std::ranges::max_element(columns.unit) > kUnitsDiffer;
}

void find_load_units(const ForceColumns& columns, const VectorXd& f, VectorXd& loads,
                     std::vector<double>& units) {
  find_cone_units(columns.C.matrix(), columns.cones, f, loads, units);
  for (std::size_t b = 0; b < units.size(); ++b)
    if (!(units[b] > 0.0)) units[b] = columns.unit[b];
}

void spread_units(const ForceColumns& columns, const std::vector<double>& units, VectorXd& out) {
  out.resize(units.empty() ? 0 : columns.C.columns());
  Eigen::Index c = 0;
  for (std::size_t b = 0; b < units.size(); c += columns.cones[b++].size())
    out.segment(c, columns.cones[b].size()).setConstant(units[b]);
}

double friction_coefficient(const HeldSet& set, std::size_t i) {
  const bool slides = set.laws[i].slide.kind != SlideKind::none;
  if (set.friction == StageFriction::no_slip) return slides ? kYieldFriction : kInfinity;
  const Surface& surface = set.touching.contacts[i].surface;
  return slides ? surface.friction : surface.sticking();
}

Vector3d slip_direction(const Evaluator& here, const HeldSet& set, std::size_t i) {
  const Contact& contact = set.touching.contacts[i];
  const HeldLaw& law = set.laws[i];
  const bool own = law.slide.kind == SlideKind::moving && law.aim_W.isZero(0.0);
  const Vector3d& known = law.slide.kind == SlideKind::moving ? law.aim_W : law.slide.direction_W;
  const Vector3d d = own ? relative_velocity(here.model(), here.kinematics(), contact) : known;
  const Vector3d tangential = d - contact.n_W * contact.n_W.dot(d);
  const double length = tangential.norm();
  return length > 0.0 ? Vector3d(tangential / length) : Vector3d::Zero();
}

void place_sliding(const IslandView& view, int i, Eigen::Ref<VectorXd> column) {
  const std::size_t index = view.index(i);
  const Contact& contact = view.contact(i);
  const Vector3d d =
      friction_coefficient(view.set, index) * slip_direction(view.here, view.set, index);
  const ContactProblem& problem = view.part.problem;
  column = problem.normals.col(i);
  column -= contact.s_W.dot(d) * problem.tangents.col(2 * i);
  column -= contact.t_W.dot(d) * problem.tangents.col(2 * i + 1);
}

void place_columns(const IslandView& view, Weightless weightless, ForceColumns& out) {
  using enum ForceCone::Kind;
  const ContactProblem& problem = view.part.problem;
  out.C.reset(view.part.island.m);
  out.cones.clear();
  out.contact.clear();
  const auto add = [&](ForceCone cone, int contact) {
    out.cones.push_back(cone);
    out.contact.push_back(contact);
  };
  for (int i = 0; i < problem.n; ++i) {
    const HeldLaw& law = view.law(i);
    const bool slides = view.slides(i);
    if (slides && law.slide.weightless && weightless == Weightless::left_out) continue;
    if (slides) {
      place_sliding(view, i, out.C.append());
    } else {
      out.C.append() = problem.normals.col(i);
    }
    if (slides || !law.sticks) {
      add({push, 0.0}, i);
      continue;
    }
    for (const int j : {2 * i, 2 * i + 1}) out.C.append() = problem.tangents.col(j);
    const double mu = friction_coefficient(view.set, view.index(i));
    const ForceCone::Kind bounded = view.set.friction == StageFriction::per_row ? pyramid : cone;
    add({std::isfinite(mu) ? bounded : grip, mu}, i);
  }
  for (std::size_t j = 0; j < view.part.island.joints.size(); ++j) {
    out.C.append() = problem.joints.col(static_cast<Eigen::Index>(j));
    add({interval, problem.bound[j]}, -1);
  }
  place_units(view, out);
}

}  // namespace pequod
