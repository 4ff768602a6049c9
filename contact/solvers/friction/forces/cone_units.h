#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "contact/solvers/friction/forces/cone_force.h"

namespace pequod {

/// Units in which the forces of a ConeForceProblem are all of the order of one, so that each is
/// found to a rounding of its own size: what a contact carries is no more than the load of the less
/// loaded of its bodies, and corners of one face get the same. A light body on heavy ones has the
/// unit of its own weight, one between them that of theirs.
/// @param C      coordinates × forces: what each does, in any unit of a coordinate
/// @param cones  of the forces in turn
/// @param f      forces that do about what is asked; they may be known to a rounding of the largest
/// @param loads  gets Σ |C_kb||f_b| of each coordinate k, over the cones b
/// @param units  gets the least of loads_k/|C_kb| of each cone b, over the coordinates on which it
///               acts; 0: one of them carries nothing
void find_cone_units(const Eigen::Ref<const Eigen::MatrixXd>& C, std::span<const ForceCone> cones,
                     const Eigen::VectorXd& f, Eigen::VectorXd& loads, std::vector<double>& units);

/// The cones as forces in these units see them: bounds of intervals depend on units, others do not.
/// @param unit  of the force along each column; empty: one
void put_into_units(const std::vector<ForceCone>& cones, const Eigen::VectorXd& unit,
                    std::vector<ForceCone>& out);

}  // namespace pequod
