#pragma once

#include <span>
#include <vector>

#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// What the components of one force may be.
struct ForceCone {
  enum class Kind : char {
    push,     ///< one component, ≥ 0
    cone,     ///< three, normal first: |f_t| ≤ μ f_n
    pyramid,  ///< three, normal first: |f_s| ≤ μ f_n and |f_t| ≤ μ f_n
    grip,     ///< three, normal first: f_n ≥ 0 and any tangents
    interval  ///< one, |f| ≤ bound
  };
  Kind kind = Kind::push;
  double bound = 0.0;  ///< μ of a cone or pyramid, N of an interval
  [[nodiscard]] int size() const { return kind == Kind::push || kind == Kind::interval ? 1 : 3; }
};

/// Is there a force in K that does what is asked, and which is the least one?
///
///   min ½|f|²  subject to  W f = a,  f ∈ K
///
/// The rows of W need not be independent, but a must be in their range.
struct ConeForceProblem {
  MatrixXd W;                    ///< p×c
  VectorXd a;                    ///< p
  std::vector<ForceCone> cones;  ///< of the c columns in turn
};

struct ConeForceSolution {
  VectorXd f;             ///< c, in K; of the least residual if there is none that does it
  double residual = NAN;  ///< |W f − a| / |a| in orthonormal rows of W: 0 if there is a force, else
                          ///< how far the nearest is off; 0 if a = 0
  VectorXd pull;          ///< c, Wᵀλ, of which f is the projection onto K
  bool plain = false;     ///< the least-norm force without the cones is in them
  bool given_up = false;  ///< there is no force, and the nearest was not asked for
  int iterations = 0;     ///< of the semismooth Newton method
};

/// What is asked for where no force in K does it.
enum class NoForce { nearest, nothing };

/// Buffers; they carry no meaning.
struct ConeForceWorkspace {
  MatrixXd Z, rows, D_rows, H;
  VectorXd row, least, b, lambda, next, z, f, g, step;
  std::vector<ForceCone> cones;  // of forces in units of what is asked
  Eigen::LLT<MatrixXd> factor;
};

/// A problem, its answer and what finds it.
struct ConeForceBuffers {
  ConeForceProblem problem;
  ConeForceSolution force;
  ConeForceWorkspace solver;
};

/// Rows of W are made orthonormal (those that repeat others to 1e-9 are left out). Then the dual:
/// f = P_K(Zᵀλ), and λ minimises ½|P_K(Zᵀλ)|² − bᵀλ + ½δ|λ|² for δ = 1e-3 … 1e-12 by a
/// semismooth Newton method with line search. Its unknowns are as many as W has rows, however many
/// forces there are. Of a problem without solution it finds the f of least residual.
/// @param otherwise  nothing: ends as soon as less compliance does not come nearer to what is asked
void solve_cone_force(const ConeForceProblem& problem, ConeForceWorkspace& workspace,
                      ConeForceSolution& solution, NoForce otherwise = NoForce::nearest);

/// c×p, orthonormal columns: what forces are asked for, Zᵀf = b.
using OrthonormalRows = Eigen::Ref<const MatrixXd, 0, Eigen::OuterStride<>>;

/// The same where W = Zᵀ. @param least  Z b, the least-norm force without the cones
void push_into_cones(const OrthonormalRows& Z, const VectorXd& least,
                     const std::vector<ForceCone>& cones, ConeForceWorkspace& workspace,
                     ConeForceSolution& solution, NoForce otherwise = NoForce::nearest);

/// Whether each force is in its cone, but for rounding. @param f  one after another
[[nodiscard]] bool are_in_cones(const std::vector<ForceCone>& cones, const VectorXd& f,
                                ConeForceWorkspace& workspace);

/// The least-norm force whatever the cones say: the only one there is if the columns of W are
/// independent.
void solve_plain_force(const ConeForceProblem& problem, ConeForceWorkspace& workspace,
                       ConeForceSolution& solution);

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
void find_cone_units(const Eigen::Ref<const MatrixXd>& C, std::span<const ForceCone> cones,
                     const VectorXd& f, VectorXd& loads, std::vector<double>& units);

/// The cones as forces in these units see them: bounds of intervals depend on units, others do not.
/// @param unit  of the force along each column; empty: one
void put_into_units(const std::vector<ForceCone>& cones, const VectorXd& unit,
                    std::vector<ForceCone>& out);

}  // namespace pequod
