// Rows of a contact LCP from samples without its forces.
#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "contact/fit/transition_fit.h"

namespace pequod::app {

/// Fits and prints the law. @return the exit code
int fit_without_forces(const TransitionSamples& samples, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, const FitRequest& request);

}  // namespace pequod::app
