// The trials of one step, by themselves.
#pragma once

#include "simulation/trial/stepper.h"
#include "test/simulation/stage_bench.h"

namespace pequod {

/// The trials of one step from a state of a bench, by default its initial one.
struct TrialBench {
  Bench& bench;
  StepClock clock;
  World world;
  Stepper stepper;
  TouchingWorkspace workspace;
  Touching touching;

  /// @param range  m, contacts that are as near are those of the step
  TrialBench(Bench& of, const State& start, double range = kGapTolerance)
      : bench(of),
        world(make_world(bench.scenario, {}, clock)),
        stepper(world, make_method(world)) {
    Evaluator here(bench.scenario.model);
    here.at(start.q, start.v);
    find_touching(bench.scenario.model, world.collision, here, range, workspace, touching);
    stepper.begin(start, touching);
  }
  explicit TrialBench(Bench& of, double range = kGapTolerance)
      : TrialBench(of, of.scenario.initial, range) {}
};

}  // namespace pequod
