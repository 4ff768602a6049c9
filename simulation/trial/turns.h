// What rows turn over a step.
#pragma once

#include "simulation/trial/step_start.h"

namespace pequod {

/// The normal of contact i of an island, or one of its columns of tangents, and how fast it turns.
struct TurningRow {
  int i = 0, tangent = -1;  ///< −1: the normal
  double turn = 0.0;        ///< m/s², of Ġᵀ v
};

/// Storage.
struct TurnBuffers {
  std::vector<TurningRow> rows, tangents;
  HeldRows basis;
  VectorXd e, f, y, v;
  VectorXd given, rest;  // what the turn of loops gives contacts and joints

  void poison() { pequod::poison(basis, e, f, y, v, given, rest); }
};

/// Velocity level: impulses act where a step starts, and are to leave no velocity along the rows of
/// its end, which are turned and moved: G₁ᵀ v⁺ = Gᵀ v⁺ + τ Ġᵀ v. So models are asked for y + τ ẏ in
/// place of y, with the least ẏ (m/s²) whose rows are Ġᵀ v: normals of what touches, and tangents
/// of what sticks or slips so slowly that it may. A top on its tip, or what slides over a curve, is
/// then pressed by what keeps it on its path too, to the first order of the step. Rows of loops,
/// which every motion keeps, are among them.
///
/// impulses.turn of each island gets its ẏ, and impulses.turns which contacts it is of. It is zero
/// of islands of so many contacts that only normals are held at the end of a step. A trial leaves
/// out what is more than a small turn (kMostTurned); impulses.turn_time says how long one is in
/// which it is small at each contact by itself.
/// @param stands   as start_step() says
/// @param buffers  of each thread
void find_turns(const World& world, bool stands, StepStart& start,
                std::vector<TurnBuffers>& buffers);

}  // namespace pequod
