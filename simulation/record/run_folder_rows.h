// Headers and rows of a run folder's logs. docs/run-folder.md explains the columns.
#pragma once

#include <string>

#include "core/model.h"
#include "core/state.h"
#include "simulation/shadow/shadow.h"
#include "simulation/simulation.h"

namespace pequod {

// Each returns or appends whole lines, newline included.

[[nodiscard]] std::string state_header(const Model& model);
void append_state(std::string& lines, const Model& model, const State& state);

[[nodiscard]] std::string energy_header();
void append_energy(std::string& lines, const State& state, const EnergyReport& energy);

[[nodiscard]] std::string events_header();
void append_event(std::string& lines, const Model& model, const EventRow& row);

[[nodiscard]] std::string contacts_header();
/// A row for every contact of `state` that is closed or carries a force; joint limits have none.
void append_contacts(std::string& lines, const Model& model, const State& state);

[[nodiscard]] std::string steps_header();
void append_step(std::string& lines, const StepReport& report);

[[nodiscard]] std::string shadow_header();
void append_shadow(std::string& lines, const Model& model, const ShadowRow& row);

}  // namespace pequod
