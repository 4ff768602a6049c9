// What gains of a robot that holds its joints will do, told before the run.
#include "scene/reader.h"
#include "simulation/gain_limit.h"
#include "simulation/standing.h"

namespace pequod {

void warn_of_gains(const SceneReader& reader, const RobotSpec& spec, const Scenario& scenario,
                   const Controller& controller) {
  const std::string path = "robots." + spec.name + ".controller: ";
  for (const std::string& warning :
       {gain_warning(scenario, controller), standing_warning(scenario, controller)})
    if (!warning.empty()) reader.diagnostics.warning(reader.at(spec.controller), path + warning);
}

}  // namespace pequod
