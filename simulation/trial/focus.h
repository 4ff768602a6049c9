// Trial steps that are good for some bodies only.
#pragma once

#include <span>

#include "simulation/trial/step_start.h"

namespace pequod {

/// Trees that touching contacts, held joints or loops join at the start of a step; at the
/// acceleration level only what is held joins them.
struct TreeGroups {
  bool known = false;
  std::vector<int> label;  ///< of each tree; −1: none
  std::vector<Island> islands;
  std::vector<int> offsets;  ///< storage
};

/// What a trial is good for.
struct Focus {
  std::vector<char> groups;    ///< by label, 1: wanted; at the velocity level the islands
  std::vector<char> contacts;  ///< 1 for touching contacts of these
  bool all = true;             ///< that is everything
};

/// What the contacts of these keys belong to.
/// @param groups  of the start, found if they are not known
void focus_on(const Model& model, const StepMethod& method, const StepStart& start,
              std::span<const ContactKey> keys, TreeGroups& groups, Focus& focus);

}  // namespace pequod
