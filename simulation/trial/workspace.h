// Storage of trial steps: written before it is read in each call.
#pragma once

#include "simulation/held/workspace.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/trial.h"

namespace pequod {

/// Of a Runge–Kutta step.
struct StageBuffers {
  RungeKutta runge_kutta;
  Evaluator terms;
  VectorXd x0{}, x1{}, q{}, v{};
  VectorXd unheld{};  // v̇ without what is held
};

/// Of the ends of steps.
struct EndBuffers {
  VectorXd q, raw_q, move;
  std::vector<Pose> X_WL;
  Touching moved, kept_and_raised;
  HeldSet set;
  HeldFactor lift;
  std::vector<FreeBody> turning;
};

/// Of impulses.
struct ImpulseBuffers {
  VectorXd v_free, part;
  ContactSolution solution;
  std::vector<ContactImpulse> contacts;
  std::vector<int> stuck;  // velocity coordinates of joints at rest
  std::vector<char> keep;
};

struct StepWorkspace {
  HeldWorkspace held;
  ContactWorkspace solver;
  StageBuffers stages;
  EndBuffers end;
  ImpulseBuffers impulses;

  StepWorkspace(const Model& model, const StepMethod& method)
      : stages{RungeKutta(method.stages), Evaluator(model)},
        end{{}, {}, {}, {}, {}, {}, HeldSet(model), HeldFactor(model), {}} {}
};

}  // namespace pequod
