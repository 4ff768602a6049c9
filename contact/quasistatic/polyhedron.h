// Polyhedra in the nonnegative orthant, their vertices and edges.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/programs/linear_program.h"

namespace pequod {

/// {x ≥ 0 : A x = b}, the rows of A independent.
struct Polyhedron {
  Eigen::MatrixXd A;  ///< m×n
  Eigen::VectorXd b;  ///< m
};

/// A polyhedron from rows that may depend on each other; of dependent rows the first are kept.
/// Where b contradicts the dependence, one row 0 x = 1 is left, so that it is seen to be empty.
[[nodiscard]] Polyhedron independent_rows(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

struct Vertex {
  Eigen::VectorXd x;       ///< n, ≥ 0
  std::vector<int> basis;  ///< m columns of A that are independent; the other entries are zero
};

/// The vertex of a basis to machine precision, where the simplex method gives 1e-9.
/// @param basic  independent columns; completed to a basis if there are fewer than m
[[nodiscard]] Vertex exact_vertex(const Polyhedron& polyhedron, const std::vector<int>& basic);

/// The vertex of a basis to machine precision, or, where the basis is too near to a singular one
/// for that, the approximation itself without its negative entries.
[[nodiscard]] Vertex refined(const Polyhedron& polyhedron, const std::vector<int>& basic,
                             const Eigen::VectorXd& approximation);

/// The same of what the simplex method has found, with exact zeros where a bound of its program
/// fixes them. Its own vertices are good to 1e-9.
[[nodiscard]] Vertex refined(const Polyhedron& polyhedron, const Simplex& simplex,
                             const LpSolution& solution);

/// The vertices at the other ends of the edges that leave a vertex, each once (Murty 1983, sec.
/// 3.7), to the rounding of one pivot. Edges that end nowhere are left out.
/// @param most_bases  a degenerate vertex has many bases; after so many no more are looked at
[[nodiscard]] std::vector<Vertex> adjacent_vertices(const Polyhedron& polyhedron,
                                                    const Vertex& vertex, int most_bases = 10);

}  // namespace pequod
