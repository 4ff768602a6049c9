// Contacts of the same two links whose material points move alike.
#pragma once

#include <span>

#include "contact/problem.h"

namespace pequod {

/// Fills problem.patch, and problem.crowded by whether two contacts touch the same two links, of
/// which there are few: every pair of these is looked at.
void find_patches(std::span<const Contact> contacts, const Island& island, ContactProblem& problem);

/// Whether the joints between the links of two contacts that do not join the same two, on either
/// side of them, leave fewer than three motions, so that their rows may come near each other all
/// the same: those of two shoulders of a robot that lies, along the line from one to the other.
[[nodiscard]] bool hang_together(const Model& model, std::span<const Contact> contacts,
                                 const Island& island);

/// Whether contact i holds the tangents of its patch: the first of the patch that is in the set.
[[nodiscard]] bool holds_patch(const ContactProblem& problem, std::span<const char> set, int i);

}  // namespace pequod
