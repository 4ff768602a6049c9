#include "simulation/trial/free_bodies.h"

#include <Eigen/LU>
#include <limits>

#include "integrators/free_turn.h"

namespace pequod {
namespace {

bool is_free_body(const Model& model, const Tree& tree) {
  const Joint& joint = nth(model.links, tree.first_link).joint;
  return tree.links == 1 && joint.type == JointType::free && joint.armature == 0.0;
}

// Whether the turn of the axes changes ω, or the way of the frame's origin, by more than a rounding
// over τ: of what stands still, or spins about a principal axis through its origin, not to the bit.
bool turn_matters(const Inertia& body, const Vector3d& w_B, double tau) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const Vector3d m = body.about_com * w_B;
  return tau * m.cross(w_B).norm() > kRounding * m.norm() ||
         (tau * w_B.norm() > kRounding && !body.com.isZero(0.0));
}

// exp(φ) c − c, which does not cancel where φ is small.
Vector3d turned_by(const Vector3d& phi, const Vector3d& c) {
  const double half = 0.5 * phi.norm();
  const double sinc = half < 1e-4 ? 1.0 - half * half / 6.0 : std::sin(half) / half;
  const Vector3d across = phi.cross(c);
  return sinc * std::cos(half) * across + 0.5 * sinc * sinc * phi.cross(across);
}

}  // namespace

void start_turns(const Evaluator& start, const VectorXd& v0, double tau,
                 std::span<const char> touched, VectorXd& v, std::vector<FreeBody>& turning) {
  const Model& model = start.model();
  turning.clear();
  for (const Tree& tree : model.trees) {
    if (!is_free_body(model, tree) || nth(touched, tree.first_link)) continue;
    const Inertia& body = nth(model.links, tree.first_link).inertia;
    const Matrix3d& R = nth(start.kinematics().links, tree.first_link).X_WL.R;
    const int i = tree.first_v;
    const Vector3d w0 = v0.segment<3>(i), w0_B = R.transpose() * w0;
    const Vector3d w_B = R.transpose() * v.segment<3>(i);
    if (!turn_matters(body, w0_B, tau) && !turn_matters(body, w_B, tau)) continue;
    // Without the gyroscopic part: I ω̇ + ω × I ω and v̇_com alone are due to forces.
    const Vector3d c = R * body.com;
    const Vector3d moment = w0_B.cross(body.about_com * w0_B);
    const Vector3d spun = tau * body.about_com.partialPivLu().solve(moment);
    const Vector3d kicked = w_B + spun;
    FreeBody& free = turning.emplace_back();
    free.link = tree.first_link;
    // ω₀ is not turned to the body's axes and back: R Rᵀ is off 1 by a rounding, which would add
    // up.
    free.w = w0 + (v.segment<3>(i) - w0 + R * spun);
    free.v = v.segment<3>(i + 3) + v.segment<3>(i).cross(c) + tau * w0.cross(w0.cross(c));
    const Vector3d phi = R * free_turn(body.about_com, kicked, tau);
    free.mean << phi / tau, free.v - turned_by(phi, c) / tau;
    v.segment<6>(i) = free.mean;
  }
}

void end_turns(const Evaluator& start, double tau, const VectorXd& kicked, const VectorXd& moved,
               const std::vector<FreeBody>& turning, VectorXd& q, VectorXd& v) {
  for (const FreeBody& free : turning) {
    const Link& link = nth(start.model().links, free.link);
    const Pose& X_WL = nth(start.kinematics().links, free.link).X_WL;
    const int i = link.joint.v_index, j = link.joint.q_index;
    const Matrix3d &R0 = X_WL.R, &I = link.inertia.about_com;
    const Quaterniond Q1(q[j + 3], q[j + 4], q[j + 5], q[j + 6]);
    const Matrix3d R1 = Q1.normalized().toRotationMatrix();
    const Vector3d c0 = R0 * link.inertia.com, c1 = R1 * link.inertia.com;
    // What impulses added at the pose of the start.
    const Vector6d added = kicked.segment<6>(i) - free.mean;
    const Vector6d beside = moved.segment<6>(i) - kicked.segment<6>(i);
    const Vector3d w = free.w + added.head<3>();
    const Vector3d v_com = free.v + added.tail<3>() + added.head<3>().cross(c0);
    const Vector3d L = R0 * (I * (R0.transpose() * w));
    // R₁ as it is: what rounding keeps from being a rotation would add up in L.
    const Vector3d w1 = Matrix3d(R1 * I * R1.transpose()).partialPivLu().solve(L);
    q.segment<3>(j) =
        X_WL.p + c0 + tau * (v_com + beside.tail<3>() + beside.head<3>().cross(c0)) - c1;
    v.segment<6>(i) << w1, v_com - w1.cross(c1);
  }
}

}  // namespace pequod
