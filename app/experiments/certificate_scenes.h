// Scenes whose motions are known, for the errors that certificates estimate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/experiments/closed_form.h"
#include "app/experiments/experiment.h"

namespace pequod::app {

/// A scene and what its places should be, where that is known: the energy residual, which should be
/// 0, is an output of every scene.
struct KnownScene {
  std::string name;
  Scenario scenario;
  std::optional<ClosedForm> form;
};

/// Each file of the folder, at most `longest` seconds of it, of slow ones less: closed forms of
/// find_closed_form(), of what stands its first place, and of the cone that rolls the way about its
/// tip.
[[nodiscard]] std::vector<KnownScene> analytic_scenes(const Stage& stage, double longest);

/// Some thirty more of find_closed_form(): balls that bounce by other laws, slide to roll with
/// other spins and friction, roll down other slopes or through a film, blocks that come to rest.
[[nodiscard]] std::vector<KnownScene> more_scenes(const Stage& stage);

}  // namespace pequod::app
