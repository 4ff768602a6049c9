// Parts of `pequod experiment lcp-notes` (Pfrommer 2019).
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

void falling_block_notes(const Stage& stage);
void sliding_block_notes(const Stage& stage);
void traditional_notes(const Stage& stage);
void point_mass_notes(const Stage& stage);
void fit_notes(const Stage& stage);
void sticking_notes(const Stage& stage);

}  // namespace pequod::app
