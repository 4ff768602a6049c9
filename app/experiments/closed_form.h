// Motions of scenes that are simple enough to be known without simulation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulation/options.h"

namespace pequod::app {

/// What state.csv of a scene should say.
struct ClosedForm {
  std::string what;                ///< "a ball that bounces on a plane"
  std::vector<std::string> names;  ///< t, then the columns of state.csv but for velocities
  std::function<std::vector<double>(double t)> row;  ///< as long as names; t in s
};

/// The closed form of one free body that no controller, force or joint acts on:
///   - flight without anything to touch, spinning about a principal axis or not at all;
///   - a ball that falls straight on a plane, with any restitution, under any model;
///   - a ball, a cylinder on its side or a box on its face that lies on a plane, level or not, and
///     slides, rolls or rests along a straight line, under `coulomb` or `frictionless`;
///   - such a ball under `viscous`.
/// Numbers are the scenario's, so it holds for scenes that were changed as well; of anything else
/// there is none.
[[nodiscard]] std::optional<ClosedForm> find_closed_form(const Scenario& scenario);

}  // namespace pequod::app
