// What a step holds: contacts at zero gap, joints at rest, loops closed.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/models/contact_model.h"
#include "simulation/touching.h"

namespace pequod {

/// What holds at one contact beside its gap of zero.
struct HeldLaw {
  bool sticks = false;  ///< its tangents are held too
  bool floats = false;  ///< no normal force; a share of its viscous friction holds the gap
  double share = 1.0;   ///< of one that floats: the last, near which it is looked for
  bool idle = false;    ///< velocity level: no force: it may open, but not sink
  /// Velocity level: no force. Where its row repeats one that carries, it is this one that gives
  /// way.
  bool unloaded = false;
  SlideMode slide = {};  ///< with Coulomb friction in the stages: how it slips, if it does
  /// Of a slip that creeps: unit, its direction a little ahead; zero: the present one.
  Vector3d aim_W = Vector3d::Zero();
  Vector3d known_force = Vector3d::Constant(kNaN);  ///< N on b, world axes: had before; NaN: none

  /// The order of columns: contacts that carry, those that are held without force and are judged
  /// against them, idle ones, judged against both, and those that float, side by side as
  /// solve_floating wants them.
  static constexpr int kRanks = 4;
  [[nodiscard]] int rank() const { return floats ? 3 : idle ? 2 : unloaded ? 1 : 0; }
};

/// Contacts, joints and loops that are held, and how.
struct HeldSet {
  Touching touching;          ///< where they were followed to last
  std::vector<HeldLaw> laws;  ///< of each contact
  std::vector<int> joints;    ///< velocity coordinates that friction holds, ascending
  StageFriction friction =
      StageFriction::none;  ///< Coulomb's inside the stages; none: frictionless
  bool loops = false;       ///< of the model, whatever the contacts do
  bool brief = false;       ///< for one step or instant, after which what is held is found anew

  explicit HeldSet(const Model& model) : loops(!model.loops.empty()) {}

  /// Contacts and joints go.
  void clear() {
    touching.clear();
    laws.clear();
    joints.clear();
    friction = StageFriction::none;
    brief = false;
  }
  /// Appends contact i of `from`: behind the contacts, or behind the joint limits if it is one.
  void add(const Touching& from, std::size_t i, const HeldLaw& law);

  [[nodiscard]] bool rubs() const { return friction != StageFriction::none; }
  /// Whether contact i slides.
  [[nodiscard]] bool slides(std::size_t i) const {
    return rubs() && laws[i].slide.kind != SlideMode::Kind::none;
  }
  /// Whether any contact slides, or floats.
  [[nodiscard]] bool slides() const {
    return rubs() && std::ranges::any_of(laws, [](const HeldLaw& law) {
             return law.slide.kind != SlideMode::Kind::none;
           });
  }
  [[nodiscard]] bool floats() const {
    return std::ranges::any_of(laws, [](const HeldLaw& law) { return law.floats; });
  }
  /// Whether rows of the contacts come in another order than the contacts do.
  [[nodiscard]] bool reorders() const {
    return floats() ||
           std::ranges::any_of(laws, [](const HeldLaw& law) { return law.idle || law.unloaded; });
  }
  /// Whether there is something that an integrator leaves: joints stay where they are by
  /// themselves.
  [[nodiscard]] bool projects() const { return loops || touching.size() > 0; }
  [[nodiscard]] bool empty() const { return !projects() && joints.empty(); }
  /// Whether the gaps of contacts are all that is held of them, each as the others.
  [[nodiscard]] bool holds_gaps_alone() const {
    return !rubs() && std::ranges::none_of(
                          laws, [](const HeldLaw& law) { return law.sticks || law.rank() != 0; });
  }
  /// Place in `joints` of a held coordinate.
  [[nodiscard]] std::size_t joint_index(int coordinate) const;
  /// The value of the contact with this key, +∞ if it is not held. @param values  of each contact
  [[nodiscard]] double value_of(const ContactKey& key, const std::vector<double>& values) const;
};

}  // namespace pequod
