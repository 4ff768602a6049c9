// Storage of what is held: written before it is read in each call.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <vector>

#include "contact/floating_rows.h"
#include "contact/sliding_rows.h"
#include "contact/solvers/linear/poison.h"
#include "simulation/held/force_columns.h"
#include "simulation/held/project.h"
#include "simulation/held/push_apart.h"

namespace pequod {

/// Of the rows of one island.
struct RowBuffers {
  VectorXd y, rest;  // as in ContactProblem
  VectorXd before;   // y of a projection
  VectorXd e, f;     // what the rows are to be, and their multipliers
  VectorXd loop_e;   // what those of loops are to be
  ContactSolution pushed;
  std::vector<char> is_held;  // of each tree: whether anything of it is

  void poison() { pequod::poison(y, rest, before, e, f, loop_e, is_held); }
};

/// Of contacts that float.
struct FloatingBuffers {
  MatrixXd pull;
  FloatingShares shares;
  VectorXd near, generalised, part;

  void poison() { pequod::poison(pull, near, generalised, part); }
};

/// The contacts of one island that have viscous friction, and two columns for each.
struct DampedTangents {
  std::vector<int> contacts;
  ColumnBuffer columns;
};

/// Of viscous friction.
struct ViscousBuffers {
  DampedTangents damped;
  MatrixXd response;
  Eigen::LLT<MatrixXd> implicit;
  VectorXd slip, power, image, added;

  void poison() { pequod::poison(damped.contacts, response, slip, power, image, added); }
};

/// Of the forces of contacts that rub.
struct ConeBuffers : ConeForceBuffers {
  std::vector<ForceColumns> columns;  // of each island
  HeldRows range;
  VectorXd asked, left, unit;

  void poison() { pequod::poison(problem.W, problem.a, force.f, force.pull, asked, left, unit); }
};

/// Of contacts that slide.
struct SlidingBuffers {
  // A contact, as its place in the island, and its force among the columns.
  struct Force {
    int contact;
    Eigen::Index column;
  };
  std::vector<Force> forces;
  HeldRows others;
  MatrixXd response;
  MatrixXd symmetric;
  Eigen::LLT<MatrixXd> pressed;
  // A contact that moves: a column of across and of settling, times its weight.
  struct Turn {
    std::size_t contact;
    double speed, weight;
  };
  std::vector<Turn> turns;
  ColumnBuffer across, settling;
  SlidingRows::Forces turning;  // by the slips that turn
  VectorXd power, image, normal;

  void poison() {
    pequod::poison(forces, response, symmetric, turns, turning.f, turning.asked, turning.lambda,
                   power, image, normal);
  }
};

/// Of projections of one island.
struct IslandBuffers {
  RowBuffers rows;
  PushBuffers push;

  void poison() { pequod::poison(rows, push.kept, push.y); }
};

/// Of projections.
struct ProjectionBuffers {
  std::vector<Pose> X_WL;
  VectorXd nearest_q, step;
  std::vector<char> pushed;  // of each island
  std::vector<IslandBuffers> of_thread;
  std::vector<Projected> of_island;

  void poison() { pequod::poison(X_WL, nearest_q, step, pushed, of_thread, of_island); }
  /// The storage of each thread.
  std::vector<IslandBuffers>& for_threads(const Team* team) {
    of_thread.resize(std::max(of_thread.size(), thread_count(team)));
    return of_thread;
  }
};

/// All of them.
struct HeldWorkspace {
  RowBuffers rows;
  FloatingBuffers floating;
  ViscousBuffers viscous;
  ConeBuffers cones;
  SlidingBuffers sliding;
  ProjectionBuffers projection;

  void poison() { pequod::poison(rows, floating, viscous, cones, sliding, projection); }
};

}  // namespace pequod
