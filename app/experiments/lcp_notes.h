// Parts of `pequod experiment lcp-notes` (Pfrommer 2019).
#pragma once

#include <cstdint>

#include "app/experiments/experiment.h"
#include "contact/fit/lcp_fit.h"

namespace pequod::app {

void falling_block_notes(const Stage& stage);
void sliding_block_notes(const Stage& stage);
void traditional_notes(const Stage& stage);
void point_mass_notes(const Stage& stage);
void fit_notes(const Stage& stage);
void gradient_notes(const Stage& stage);
void sticking_notes(const Stage& stage);

/// While a block sticks its forces are a segment: how much of it the samples use.
enum class BlockForces { middle, most, spread };

/// Samples (λ⁺, λ⁻, γ) of the traditional form with F = 1, speed and push uniform in ±3.
[[nodiscard]] FitSamples block_samples(int count, BlockForces forces, std::uint64_t seed);

}  // namespace pequod::app
