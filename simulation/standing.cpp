#include "simulation/standing.h"

#include <fmt/format.h>

#include <cmath>
#include <variant>
#include <vector>

#include "contact/solvers/linear/decompositions.h"
#include "core/loop.h"
#include "simulation/collision.h"
#include "simulation/touching.h"

namespace pequod {
namespace {

// Where a robot touches a fixed body: a point of the link, or what is under the centre of a ball,
// which rolls.
struct StandPoint {
  int link = -1;
  Vector3d p_L;     // m, in the link
  Vector3d down_W;  // m, from there to the contact; zero but of balls
};

double ball_radius(const Geometry& geometry) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return sphere->radius;
  const auto* capsule = std::get_if<Capsule>(&geometry);
  return capsule ? capsule->radius : 0.0;
}

// A robot that stands: its velocity coordinates, and what holds it.
struct Stand {
  const Model* model = nullptr;
  int first = 0, size = 0;  // velocity coordinates
  std::vector<StandPoint> points;
  std::vector<const Loop*> loops;
  VectorXd q;   // of the model, the posture
  VectorXd kp;  // per coordinate of the robot
};

Eigen::Index row_count(const Stand& stand) {
  return 3 * std::ssize(stand.points) + kLoopDirections * std::ssize(stand.loops);
}

// J of what holds the robot, in the robot's coordinates.
MatrixXd held_rows_of(const Stand& stand, const Kinematics& kin) {
  MatrixXd J = MatrixXd::Zero(row_count(stand), stand.size);
  Eigen::Index at = 0;
  const auto put = [&](const VectorXd& row) { J.row(at++) = row.segment(stand.first, stand.size); };
  VectorXd row;
  for (const StandPoint& point : stand.points) {
    const Vector3d p_W = nth(kin.links, point.link).X_WL * point.p_L + point.down_W;
    for (int axis = 0; axis < 3; ++axis) {
      row.setZero(stand.model->nv);
      add_point_row(*stand.model, kin, point.link, p_W, Vector3d::Unit(axis), 1.0, row);
      put(row);
    }
  }
  for (const Loop* loop : stand.loops) {
    const std::array<bool, kLoopDirections> held = held_directions(loop->type);
    for (int k = 0; k < kLoopDirections; ++k) {
      row.setZero(stand.model->nv);
      if (nth(held, k)) add_loop_row(*stand.model, kin, *loop, k, row);
      put(row);
    }
  }
  return J;
}

// g − Jᵀf in the robot's coordinates, at rest in a posture q.
VectorXd unbalanced(const Stand& stand, const VectorXd& q, const VectorXd& f) {
  Kinematics kin;
  compute_kinematics(*stand.model, q, VectorXd::Zero(stand.model->nv), kin);
  VectorXd g;
  bias_force(*stand.model, kin, g);
  return g.segment(stand.first, stand.size) - held_rows_of(stand, kin).transpose() * f;
}

// ∂(g − Jᵀf)/∂q by central differences, symmetric as it is of a potential.
MatrixXd gravity_stiffness(const Stand& stand, const VectorXd& f) {
  constexpr double kStep = 1e-5;  // rad, m: cut off at 1e-10 of the terms, rounded at 1e-11
  MatrixXd G(stand.size, stand.size);
  VectorXd q;
  for (int j = 0; j < stand.size; ++j) {
    const VectorXd d = kStep * VectorXd::Unit(stand.model->nv, stand.first + j);
    integrate_position(*stand.model, stand.q, d, q);
    G.col(j) = unbalanced(stand, q, f);
    integrate_position(*stand.model, stand.q, -d, q);
    G.col(j) = (G.col(j) - unbalanced(stand, q, f)) / (2.0 * kStep);
  }
  return 0.5 * (G + G.transpose());
}

// Puts the joints where the controller wants them. @return whether they start there
bool to_targets(const Scenario& scenario, const Controller& controller, VectorXd& q) {
  constexpr double kSame = 1e-6;  // rad, m: no motion worth the name
  bool there = true;
  for (const JointGain& gain : controller.gains) {
    const Joint& joint = nth(scenario.model.links, gain.link).joint;
    if (std::isnan(gain.target)) continue;
    there = there && std::abs(gain.target - q[joint.q_index]) <= kSame;
    q[joint.q_index] = gain.target;
  }
  return there;
}

bool is_own(const Entity& robot, int link) {
  return link >= robot.first_link && link < robot.first_link + robot.links;
}

void add_points(const Scenario& scenario, const Entity& robot, Stand& stand) {
  const Model& model = scenario.model;
  Evaluator start(model);
  start.at(scenario.initial.q, VectorXd::Zero(model.nv));
  TouchingWorkspace workspace;
  Touching touching;
  find_touching(model, Collision(model), start, kStandsWithin, workspace, touching);
  for (std::size_t i = 0; i < touching.points.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    const bool first = is_own(robot, contact.link_a);
    const int link = first ? contact.link_a : contact.link_b;
    if (!is_own(robot, link) || (first ? contact.link_b : contact.link_a) >= 0) continue;
    const int shape = first ? contact.key.shape_a : contact.key.shape_b;
    const double radius = ball_radius(nth(model.shapes, shape).geometry);
    const Vector3d down_W = (first ? radius : -radius) * contact.n_W;
    const Pose& X_WL = nth(start.kinematics().links, link).X_WL;
    stand.points.push_back({link, X_WL.R.transpose() * (contact.p_W - down_W - X_WL.p), down_W});
  }
}

std::optional<Stand> make_stand(const Scenario& scenario, const Controller& controller) {
  const Model& model = scenario.model;
  const Entity& robot = nth(model.entities, controller.entity);
  Stand stand;
  stand.model = &model;
  stand.q = scenario.initial.q;
  const bool there = to_targets(scenario, controller, stand.q);
  const Joint& base = nth(model.links, robot.first_link).joint;
  const bool floats = base.type == JointType::free;
  stand.first = base.v_index;
  stand.size = velocity_count(model, robot);
  stand.kp = VectorXd::Zero(stand.size);
  for (const JointGain& gain : controller.gains)
    stand.kp[nth(model.links, gain.link).joint.v_index - stand.first] = gain.kp;
  // A robot whose base is fixed is held there; what its hand touches on the way does not carry it.
  if (floats) add_points(scenario, robot, stand);
  for (const Loop& loop : model.loops)
    if (is_own(robot, loop.link_a) || is_own(robot, loop.link_b)) stand.loops.push_back(&loop);
  if (floats && stand.points.empty()) return std::nullopt;
  const bool held = floats || !stand.loops.empty();
  return held && !there ? std::nullopt : std::optional(stand);
}

// Motions that J leaves, as columns. Two rows that differ by less than 1e-9 are one.
MatrixXd free_motions(const MatrixXd& J, Eigen::Index size) {
  if (J.rows() == 0) return MatrixXd::Identity(size, size);
  return null_space(J, 1e-9);
}

// rad or m, by how much the joint may sag in a posture that is kept.
double kept_within(const Sag& sag) { return sag.slides ? kSagLength : kSagAngle; }

// The joints that give most and that need most of their effort.
void judge_joints(const Stand& stand, const Controller& controller, const VectorXd& x,
                  Standing& told) {
  double worst = -1.0;
  for (const JointGain& gain : controller.gains) {
    const Joint& joint = nth(stand.model->links, gain.link).joint;
    const double way = x[joint.v_index - stand.first], effort = gain.kp * std::abs(way);
    const Sag sag{gain.link, joint.type == JointType::prismatic, way, effort, gain.kp};
    if (std::abs(way) / kept_within(sag) > worst) {
      worst = std::abs(way) / kept_within(sag);
      told.worst = sag;
    }
    if (!(effort / joint.effort >= told.share)) continue;
    told.share = effort / joint.effort;
    told.weakest = sag;
  }
}

}  // namespace

std::optional<Standing> standing(const Scenario& scenario, const Controller& controller) {
  const std::optional<Stand> stand = make_stand(scenario, controller);
  if (!stand) return std::nullopt;
  Kinematics kin;
  compute_positions(scenario.model, stand->q, kin);
  const MatrixXd J = held_rows_of(*stand, kin);
  const MatrixXd Z = free_motions(J, stand->size);
  Standing told;
  if (Z.cols() == 0) return told;
  const MatrixXd S = Z.transpose() * stand->kp.asDiagonal() * Z;
  Eigen::LLT<MatrixXd> positive;
  factorise(S, positive);
  if (positive.info() != Eigen::Success || positive.rcond() < kLooseMotion) return std::nullopt;

  // Without G first, for the forces f that carry the robot.
  const VectorXd no_force = VectorXd::Zero(J.rows());
  const VectorXd g = unbalanced(*stand, stand->q, no_force);
  VectorXd way = Z.transpose() * g;
  solve_in_place(positive, way);
  const VectorXd first = -Z * way;
  VectorXd f = no_force;
  if (J.rows() > 0)
    f = LeastNormFactor(J.transpose()).solve(VectorXd(g + stand->kp.cwiseProduct(first)));
  const MatrixXd G = Z.transpose() * gravity_stiffness(*stand, f) * Z;
  told.needed = generalised_eigenvalues(-G, S)[Z.cols() - 1];
  const VectorXd x = -Z * solve_semidefinite(S + G, Z.transpose() * g);
  judge_joints(*stand, controller, x, told);
  return told;
}

std::string standing_warning(const Scenario& scenario, const Controller& controller) {
  if (controller.gains.empty()) return {};
  const std::optional<Standing> told = standing(scenario, controller);
  if (!told) return {};
  const auto name = [&](const Sag& sag) { return joint_name(scenario.model, sag.link); };
  const Sag& worst = told->worst;
  if (told->needed >= 1.0)
    return fmt::format(
        "gains are too weak to stand: the robot falls over unless kp is above about "
        "{:.3g} (kp of {} is {:g})",
        told->needed * worst.kp, name(worst), worst.kp);
  const double most = kept_within(worst);
  std::string text;
  if (std::abs(worst.way) > most)
    text = fmt::format(
        "gains are too weak to keep the posture: {} sags by {:.3g} {} under {:.3g} "
        "{}, with kp {:g}; kp {:.2g} keeps it to {:g}",
        name(worst), std::abs(worst.way), worst.slides ? "m" : "rad", worst.effort,
        worst.slides ? "N" : "N·m", worst.kp, worst.effort / most, most);
  if (told->share > 1.0)
    text += fmt::format("{}{} needs {:.3g} times the effort that it has to keep the posture",
                        text.empty() ? "" : "; ", name(told->weakest), told->share);
  return text;
}

}  // namespace pequod
