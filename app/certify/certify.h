// `pequod run --certify`: the runs beside a finished run, and what they say of it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/certify/certificate.h"

namespace pequod::app::certify {

/// Told of what goes on and how much of it is done, 0…1. @return whether to go on
using Telling = std::function<bool(double share, const std::string& what)>;

/// Replays the scenario with every step checked, then runs it at half the step and, where there is
/// a tolerance of contact, at a thousandth of that; and once more with another choice of friction,
/// where the replay has met problems that have several solutions. Nothing is written.
/// @param form  what the places should be; none if it is not known
/// @param log  bytes of state.csv that the run wrote; empty: none is at hand
/// @return     none if it was stopped
[[nodiscard]] std::optional<Certificate> certify(const Scenario& scenario,
                                                 const std::optional<ClosedForm>& form,
                                                 const std::string& log, const Telling& tell);

/// Writes certificate.json, certificate.csv and certificate_steps.csv into a run folder.
/// @throws FileError
void write_certificate(const std::filesystem::path& folder, const Certificate& certificate);

/// Takes a certificate out of a run folder, whose run is about to change.
void remove_certificate(const std::filesystem::path& folder);

}  // namespace pequod::app::certify
