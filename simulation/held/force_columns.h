// The directions along which the forces of contacts that rub act.
#pragma once

#include <vector>

#include "contact/problem.h"
#include "contact/solvers/friction/forces/cone_force.h"
#include "simulation/held/held_factor.h"

namespace pequod {

/// Force columns of one island, in y = L v: n, s, t of a contact that sticks, n − μ d of one that
/// slides along d, n of one without friction, then joints.
struct ForceColumns {
  ColumnBuffer C;
  std::vector<ForceCone> cones;  ///< of the columns in turn
  std::vector<int> contact;      ///< of each cone, its place in the island; −1: a joint
  std::vector<double> unit;      ///< of each cone, its forces come in multiples of
};

/// Whether masses differ so much that forces are sought in units of their loads.
[[nodiscard]] bool units_differ(const ForceColumns& columns);
/// Units of what each cone carries under forces f that are about those sought: loads in place of
/// masses, as a light body may stand on heavy ones or beneath them.
void find_load_units(const ForceColumns& columns, const VectorXd& f, VectorXd& loads,
                     std::vector<double>& units);
/// Those of each column. @param units  of each cone; empty: none of columns either
void spread_units(const ForceColumns& columns, const std::vector<double>& units, VectorXd& out);

/// Which sliding contacts have a column.
enum class Weightless { left_out, included };

/// The columns of an island; directions of slip are those where it stands.
void place_columns(const IslandView& view, Weightless weightless, ForceColumns& out);
/// n − μ d of contact i of the island, which slides.
void place_sliding(const IslandView& view, int i, Eigen::Ref<VectorXd> column);

/// μ of held contact i; +∞ if nothing makes it slip.
[[nodiscard]] double friction_coefficient(const HeldSet& set, std::size_t i);
/// Unit direction of the slip of held contact i, whose friction acts against it; zero if it has
/// none.
[[nodiscard]] Vector3d slip_direction(const Evaluator& here, const HeldSet& set, std::size_t i);

}  // namespace pequod
