// The contacts and joint limits that touch at one state, ready for the contact stage.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/problem.h"
#include "core/state.h"
#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "simulation/tolerances.h"

namespace pequod {

struct World;

/// Whether a touching contact with this normal velocity, m/s, may be held: it neither separates nor
/// has yet to meet.
[[nodiscard]] inline bool rests(double normal_velocity) {
  return std::abs(normal_velocity) <= kSpeedTolerance;
}

/// Contacts first (points[i] belongs to contacts[i]), joint limits after them.
struct Touching {
  std::vector<ContactPoint> points;
  std::vector<Contact> contacts;

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
  void clear() {
    points.clear();
    contacts.clear();
  }
  /// Appends contact i of the other: behind the contacts, or behind the joint limits if it is one.
  void add(const Touching& other, std::size_t i);
  [[nodiscard]] bool has(const ContactKey& key) const;
};

/// Buffers of find_touching.
struct TouchingWorkspace {
  std::vector<double> travel;
  std::vector<ShapePair> near;
  std::vector<ContactPoint> kept;
  std::vector<FacetPart> parts;
};

/// Everything with gap ≤ range (m, rad), from fresh queries.
/// @param here  where the bodies are
/// @param rims  as for find_contacts()
void find_touching(const Model& model, const Collision& collision, const Evaluator& here,
                   double range, TouchingWorkspace& workspace, Touching& touching,
                   std::span<const ContactKey> rims = {});

/// The same of a state, with the rim points that it has (LoopState::rims).
/// @param here  stands at the state afterwards
void find_touching(const World& world, const State& state, double range, Evaluator& here,
                   TouchingWorkspace& workspace, Touching& touching);

/// Gap of a joint limit, rad or m.
[[nodiscard]] double limit_gap(const Joint& joint, const VectorXd& q, double sign);
/// The contact that stands for a joint limit; sign +1 lower, −1 upper.
[[nodiscard]] Contact make_limit(const Model& model, int link, double sign, double gap);

/// Follows the same features to other link poses: points, normals, tangents, gaps.
void follow_touching(const Model& model, const std::vector<Pose>& X_WL, const VectorXd& q,
                     Touching& touching);

/// The mode of a contact that has just closed: its place, and no force.
[[nodiscard]] ContactMode closed_mode(const Contact& contact);

/// Fills Contact::bias (Ṅ v) from the velocities in kin.
void compute_biases(const Model& model, const Kinematics& kin, Touching& touching);

/// The bias of a contact of two shapes, Ṅ v, m/s².
[[nodiscard]] double gap_bias(const Model& model, const Kinematics& kin, const ContactPoint& point);

/// Rate of the slip of a contact that has none, without v̇: Ṡ v and Ṫ v along its tangents, m/s².
[[nodiscard]] Vector3d slip_bias(const Model& model, const Kinematics& kin,
                                 const ContactPoint& point);

/// The same with v̇: rate of the relative velocity at the contact point, m/s².
[[nodiscard]] Vector3d slip_rate(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                                 const ContactPoint& point);

/// φ̈ of a contact for this v̇, m/s².
[[nodiscard]] double gap_acceleration_with(const Model& model, const Kinematics& kin,
                                           const VectorXd& vdot, const ContactPoint& point);

void copy_poses(const Kinematics& kin, std::vector<Pose>& X_WL);

}  // namespace pequod
