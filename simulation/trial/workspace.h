// Storage of trial steps: written before it is read in each call.
#pragma once

#include "contact/solvers/friction/bodies/body_gaps.h"
#include "contact/solvers/linear/poison.h"
#include "simulation/held/workspace.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/free_momentum.h"
#include "simulation/trial/mixed_rounds.h"
#include "simulation/trial/needed_contacts.h"
#include "simulation/trial/newton.h"
#include "simulation/trial/trial.h"
#include "simulation/trial/turns.h"

namespace pequod {

/// Of the rounds in which directions of creeping slips are found.
struct AimBuffers {
  VectorXd aims, ahead;  // directions, one after another
  MixedRounds rounds;

  void poison() { pequod::poison(aims, ahead, rounds); }
};

/// Of a Runge–Kutta step.
struct StageBuffers {
  RungeKutta runge_kutta;
  Evaluator terms;
  VectorXd x0{}, x1{}, q{}, v{};
  AimBuffers aims{};

  void poison() { pequod::poison(x0, x1, q, v, aims); }
};

/// Of the ends of steps.
struct EndBuffers {
  VectorXd q, move;
  std::vector<Pose> X_WL;
  Touching moved, kept_and_raised;
  HeldSet set;
  HeldFactor lift;
  std::vector<FreeBody> turning;
  Kinematics path = {};  // poses of the start, velocities of the end
  VectorXd before = {};  // q before it is lifted

  void poison() { pequod::poison(q, before, move, X_WL, moved, kept_and_raised, turning); }
};

/// Of the solve for one island.
struct SolveBuffers {
  VectorXd part, turned;
  ContactSolution solution;
  ContactSpeeds after, mean;  // at y⁺, and at the mean of that and the start
  std::vector<int> carrying;  // of the first contact of each patch: those that carry
  NeededBuffers needed;
  ContactWorkspace solver;

  void poison() {
    pequod::poison(part, turned, after.normal, after.tangent, mean.normal, mean.tangent, carrying,
                   needed.chosen, needed.place, needed.warm, solver);
  }
};

/// What the solve for one island did.
struct SolveOutcome {
  StepStats stats;
  std::vector<double> joint_work;  // J, of its joints

  void poison() { pequod::poison(joint_work); }
};

/// Of impulses.
struct ImpulseBuffers {
  std::vector<SolveBuffers> of_thread;
  std::vector<SolveOutcome> of_island;
  std::vector<ContactImpulse> contacts;
  std::vector<int> stuck;  // velocity coordinates of joints at rest
  std::vector<char> keep, sunk;
  std::vector<std::size_t> chosen;  // of contacts
  VectorXd chord = {};    // the velocity that moves: of the middle of the path where rows turn
  VectorXd viscous = {};  // generalised forces

  void poison() {
    pequod::poison(of_thread, of_island, contacts, stuck, keep, sunk, chosen, chord, viscous);
  }
};

/// Of bodies that are moved apart.
struct ApartBuffers {
  VectorXd gaps, delta, step, nearest;
  std::vector<Pose> X_WL;
  GapBuffers sweeps;

  void poison() { pequod::poison(gaps, delta, step, nearest, X_WL, sweeps); }
};

/// Generalised impulses as they were found, and what turns of them.
struct TurnedPart {
  VectorXd found, change;

  void poison() { pequod::poison(found, change); }
};

/// Of impulses that turn.
struct TurnedBuffers {
  Touching ended;  // contacts where the step ends
  TurnedPart normal, friction;
  VectorXd dv, mean;  // what turns does, and the velocity over the step
  VectorXd springs;   // what springs do that turn

  void poison() { pequod::poison(ended, normal, friction, dv, mean, springs); }
};

struct StepWorkspace {
  HeldWorkspace held;
  ContactWorkspace solver;
  StageBuffers stages;
  EndBuffers end;
  ImpulseBuffers impulses;
  ApartBuffers apart;
  std::vector<TurnBuffers> turns;  // of each thread
  TurnedBuffers turned{};
  FreeMomentumBuffers free{};
  ForceBalance balance;

  StepWorkspace(const Model& model, const StepMethod& method, const Team* team = nullptr)
      : stages{RungeKutta(method.stages), Evaluator(model, team)},
        end{{}, {}, {}, {}, {}, HeldSet(model), HeldFactor(model, team), {}} {
    impulses.of_thread.resize(thread_count(team));
    turns.resize(thread_count(team));
  }

  void poison() {
    pequod::poison(held, stages, end, impulses, apart, turns, turned, free, balance, solver);
  }
};

}  // namespace pequod
