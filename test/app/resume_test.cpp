// That a checkpoint holds all that later bits depend on.
#include "simulation/record/checkpoint.h"
#include "simulation/record/run_folder_rows.h"
#include "test/app/process.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

Observer log_to(std::string& lines, const Model& model) {
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    append_state(lines, model, state);
    append_energy(lines, state, energy);
    append_contacts(lines, model, state);
  };
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) append_event(lines, model, row);
  };
  return observer;
}

std::string run_whole(const Scenario& scenario) {
  std::string lines;
  Simulation(scenario, log_to(lines, scenario.model)).run();
  return lines;
}

// A new Simulation from the bytes of a checkpoint after every accepted step.
std::string run_in_pieces(const Scenario& scenario) {
  std::string lines;
  Checkpoint checkpoint;
  int attempts = 0;
  {
    const Simulation first(scenario, log_to(lines, scenario.model));
    checkpoint.state = first.state();
    checkpoint.statistics = first.statistics();
  }
  for (bool more = true; more;) {
    const Checkpoint read = decode(encode(checkpoint));
    Simulation simulation(scenario, read.state, read.statistics, log_to(lines, scenario.model));
    do {
      more = simulation.step();
      REQUIRE(++attempts < 20000);  // several times as many as the whole runs need
    } while (more && simulation.statistics().steps == read.statistics.steps);
    checkpoint.state = simulation.state();
    checkpoint.statistics = simulation.statistics();
  }
  return lines;
}

bool keeps_its_bits(const Scenario& scenario) {
  return run_in_pieces(scenario) == run_whole(scenario);
}

Scenario load_with(const fs::path& path,
                   const std::vector<std::pair<std::string, std::string>>& overrides) {
  return test::load(path, {{}, overrides});
}

}  // namespace

TEST_CASE("a run that is rebuilt from its checkpoint after every step keeps its bits") {
  const Folder folder;
  const fs::path crate = folder.write("crate.yaml", kCrate);
  for (const char* method : {"symplectic-euler", "rk4", "dopri5"}) {
    CAPTURE(method);
    const Scenario scenario = load_with(crate, {{"integrator.method", method}});
    CHECK(keeps_its_bits(scenario));
  }
}

TEST_CASE("so does a trot, whose controller has a memory") {
  const Scenario scenario = load_with("examples/quadruped/trot.yaml", {{"duration", "1.2"}});
  CHECK(keeps_its_bits(scenario));
}

// What happens before the first step is told before the first checkpoint.
TEST_CASE("so does a run that begins with an impact") {
  const Folder folder;
  const Scenario scenario = load_with(
      folder.write("hit.yaml",
                   "duration: 0.1\nsurfaces: [{between: ['*', '*'], restitution: 0.5}]\nbodies:\n"
                   "  ground: {fixed: true, shape: {plane: {}}}\n"
                   "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], "
                   "velocity: [0, 0, -3]}\n"),
      {});
  CHECK(run_whole(scenario).find("impact") != std::string::npos);
  CHECK(keeps_its_bits(scenario));
}

TEST_CASE("so does a run at the acceleration level") {
  const Folder folder;
  const fs::path crate = folder.write("crate.yaml", kCrate);
  for (const char* method : {"symplectic-euler", "rk4", "dopri5"}) {
    CAPTURE(method);
    const Scenario scenario =
        load_with(crate, {{"integrator.method", method}, {"contact.model", "frictionless"}});
    CHECK(keeps_its_bits(scenario));
  }
}

TEST_CASE("so does a run with an adaptive step") {
  const Folder folder;
  const Scenario scenario =
      load_with(folder.write("crate.yaml", kCrate), {{"integrator.method", "dopri5"},
                                                     {"contact.model", "frictionless"},
                                                     {"integrator.step", "0.02"},
                                                     {"integrator.tolerance", "1e-9"}});
  CHECK(keeps_its_bits(scenario));
}

}  // namespace pequod::test
