// The part of HeldContacts that knows Coulomb friction at the acceleration level.
#include <algorithm>
#include <cmath>

#include "contact/loop_rows.h"
#include "simulation/held.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

// Share of a gap's response to its own force: less is rounding, where others hold it up as well.
constexpr double kRunsAway = 1e-6;
// Relative: forces that do what is asked to this are those that are asked for. Those of the cone
// problem do it to 1e-12, its last penalty.
constexpr double kStill = 1e-11;

}  // namespace

void HeldContacts::set_friction(StageFriction law, const std::vector<SlideMode>& slides,
                                const std::vector<Vector3d>& known) {
  law_ = law;
  fresh_ = false;
  known_ = known;
  slides_ = slides;
  friction_.assign(touching_.size(), Vector3d::Zero());
  friction_margin_.assign(touching_.size(), kInfinity);
}

// μ of contact i; +∞ if nothing makes it slip.
double HeldContacts::mu_of(std::size_t i) const {
  if (law_ != StageFriction::no_slip) return touching_.contacts[i].surface.friction;
  return slides_[i].kind == SlideKind::none ? kInfinity : kYieldFriction;
}

double HeldContacts::friction_margin(const ContactKey& key) const {
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (touching_.contacts[i].key == key) return friction_margin_[i];
  return kInfinity;
}

Vector3d HeldContacts::slip_direction(const Model& model, const Kinematics& kin,
                                      std::size_t i) const {
  const Contact& contact = touching_.contacts[i];
  const SlideMode& slide = slides_[i];
  const Vector3d d =
      slide.kind == SlideKind::moving ? relative_velocity(model, kin, contact) : slide.direction_W;
  const Vector3d tangential = d - contact.n_W * contact.n_W.dot(d);
  const double length = tangential.norm();
  return length > 0.0 ? Vector3d(tangential / length) : Vector3d::Zero();
}

// e_ of the tangent rows: the slip of contacts that stick keeps its rate of zero.
void HeldContacts::ask_no_slip(const Model& model, const Kinematics& kin, std::size_t k) {
  Eigen::Index row = problems_[k].n;
  for (const int i : find_tangents(k)) {
    const std::size_t index = index_in(k, i);
    const Contact& contact = touching_.contacts[index];
    const Vector3d rate = slip_bias(model, kin, touching_.points[index]);
    for (const int j : {2 * i, 2 * i + 1}) {
      e_[row] = -(j == 2 * i ? contact.s_W : contact.t_W).dot(rate);
      e_[row++] -= tangent_in_loops(problems_[k], j);
    }
  }
}

bool HeldContacts::slides_in(const Island& island) const {
  return rubs() && std::any_of(island.contacts.begin(), island.contacts.end(), [&](int i) {
           return slides_[static_cast<std::size_t>(i)].kind != SlideKind::none;
         });
}

// n − μ d of a contact that slides.
void HeldContacts::place_sliding(const Model& model, const Kinematics& kin, std::size_t k, int i,
                                 Eigen::Ref<VectorXd> column) const {
  const std::size_t index = index_in(k, i);
  const Contact& contact = touching_.contacts[index];
  const Vector3d d = mu_of(index) * slip_direction(model, kin, index);
  const ContactProblem& problem = problems_[k];
  column = problem.normals.col(i);
  column -= contact.s_W.dot(d) * problem.tangents.col(2 * i);
  column -= contact.t_W.dot(d) * problem.tangents.col(2 * i + 1);
}

// sliding_response_: how the gaps of the sliding contacts of island k answer to their forces, those
// along n − μ d, while what sticks or has no friction holds.
void HeldContacts::respond_to_sliding(std::size_t k) {
  const ContactProblem& problem = problems_[k];
  const ForceColumns& columns = columns_[k];
  range_.reset(problem.m);
  sliding_.clear();
  Eigen::Index c = 0;
  for (std::size_t b = 0; b < columns.cones.size(); c += columns.cones[b++].size()) {
    const int i = columns.contact[b];
    if (i >= 0 && slides_[index_in(k, i)].kind != SlideKind::none)
      sliding_.push_back({i, c});
    else
      for (Eigen::Index j = c; j < c + columns.cones[b].size(); ++j) range_.add(columns.C.col(j));
  }
  const auto size = static_cast<Eigen::Index>(sliding_.size());
  sliding_response_.resize(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    part_ = problem.normals.col(sliding_[static_cast<std::size_t>(i)].contact);
    range_.project(part_);
    for (Eigen::Index j = 0; j < size; ++j)
      sliding_response_(i, j) =
          part_.dot(columns.C.col(sliding_[static_cast<std::size_t>(j)].column));
  }
}

bool HeldContacts::runs_away() {
  for (std::size_t k = 0; k < islands_.size() && !empty(); ++k) {
    if (!slides_in(islands_[k])) continue;
    respond_to_sliding(k);
    if (sliding_response_.size() == 0) continue;
    const double noise =
        kRunsAway * problems_[k].normals.matrix().colwise().squaredNorm().maxCoeff();
    pressed_.compute(sliding_response_ + sliding_response_.transpose() +
                     noise *
                         MatrixXd::Identity(sliding_response_.rows(), sliding_response_.rows()));
    if (pressed_.info() == Eigen::Success) continue;  // no force does work on its own gap
    growth_.compute(sliding_response_, false);
    if ((growth_.eigenvalues().real().array() < -noise).any()) return true;
  }
  return false;
}

bool HeldContacts::slides() const {
  return rubs() && std::any_of(slides_.begin(), slides_.end(), [](const SlideMode& slide) {
           return slide.kind != SlideKind::none;
         });
}

double HeldContacts::slip_stiffness(const Model& model, const Kinematics& kin,
                                    const std::vector<double>& force) {
  double stiffness = 0.0;
  for (std::size_t k = 0; k < islands_.size(); ++k)
    stiffness = std::max(stiffness, stiffness_in(model, kin, k, force));
  return stiffness;
}

// By power iteration: a step that is a few per cent too long is no harm.
double HeldContacts::stiffness_in(const Model& model, const Kinematics& kin, std::size_t k,
                                  const std::vector<double>& force) {
  constexpr int kIterations = 12;
  const ContactProblem& problem = problems_[k];
  across_.reset(islands_[k].m);
  settling_.reset(islands_[k].m);
  part_.setZero(islands_[k].m);
  e_.setZero(static_cast<Eigen::Index>(rows_[k].accepted().size()));
  for (int i = 0; i < problem.n; ++i) {
    const std::size_t index = index_in(k, i);
    if (slides_[index].kind != SlideKind::moving) continue;
    const Contact& contact = touching_.contacts[index];
    const Vector3d across = contact.n_W.cross(slip_direction(model, kin, index));
    const double speed = slip_velocity(model, kin, contact).norm();
    const double weight = std::sqrt(mu_of(index) * std::max(0.0, force[index]) / speed);
    Eigen::Ref<VectorXd> g = across_.append();
    g = weight * across.dot(contact.s_W) * problem.tangents.col(2 * i);
    g += weight * across.dot(contact.t_W) * problem.tangents.col(2 * i + 1);
    part_ += (1.0 + i) * g;  // no sum that symmetry makes zero
    // What turns changes the forces that hold the rows: much, where they barely push.
    image_ = g;
    settling_rows_.solve(rows_[k], e_, columns_[k].C.matrix(), image_, column_force_);
    settling_.append() = image_;
  }
  double value = 0.0;
  for (int iteration = 0; iteration < kIterations && part_.squaredNorm() > 0.0; ++iteration) {
    part_.normalize();
    image_.setZero(part_.size());
    for (Eigen::Index j = 0; j < across_.columns(); ++j)
      image_ += across_.col(j).dot(part_) * settling_.col(j);
    value = image_.norm();
    part_.swap(image_);
  }
  return value;
}

// columns_[k]; directions of slip are those at kin.
void HeldContacts::place_columns(const Model& model, const Kinematics& kin, std::size_t k) {
  using enum ForceCone::Kind;
  const Island& island = islands_[k];
  const ContactProblem& problem = problems_[k];
  ForceColumns& out = columns_[k];
  out.C.reset(island.m);
  out.cones.clear();
  out.contact.clear();
  const auto add = [&](ForceCone cone, int contact) {
    out.cones.push_back(cone);
    out.contact.push_back(contact);
  };
  for (int i = 0; i < problem.n; ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
    const bool slides = slides_[index].kind != SlideKind::none;
    if (slides && slides_[index].weightless) continue;
    if (slides) {
      place_sliding(model, kin, k, i, out.C.append());
    } else {
      out.C.append() = problem.normals.col(i);
    }
    if (slides || !sticking_[index]) {
      add({push, 0.0}, i);
      continue;
    }
    for (const int j : {2 * i, 2 * i + 1}) out.C.append() = problem.tangents.col(j);
    const ForceCone::Kind bounded = law_ == StageFriction::per_row ? pyramid : cone;
    add({std::isfinite(mu_of(index)) ? bounded : grip, mu_of(index)}, i);
  }
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    out.C.append() = problem.joints.col(static_cast<Eigen::Index>(j));
    add({interval, problem.bound[j]}, -1);
  }
}

// part_ from free to held where contacts slide; f_ as HeldRows::solve gives it, with the normal
// forces of all contacts.
void HeldContacts::solve_sliding(const Model& model, const Kinematics& kin, std::size_t k) {
  const Island& island = islands_[k];
  place_columns(model, kin, k);
  ForceColumns& columns = columns_[k];
  VectorXd& f = column_force_;
  rows_[k].demand(e_, part_, columns.asked);
  unmet_ = std::max(unmet_, columns.rows.solve(rows_[k], e_, columns.C.matrix(), part_, f));
  f_.setZero(e_.size());
  Eigen::Index c = 0, joint = f_.size() - static_cast<Eigen::Index>(island.joints.size());
  for (std::size_t b = 0; b < columns.cones.size(); ++b) {
    const int i = columns.contact[b];
    if (i < 0) {
      f_[joint++] = f[c];
    } else {
      f_[i] = f[c];
      const auto index = static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
      if (slides_[index].kind != SlideKind::none)
        slip_power_ += mu_of(index) * f[c] *
                       slip_direction(model, kin, index)
                           .dot(relative_velocity(model, kin, touching_.contacts[index]));
    }
    c += columns.cones[b].size();
  }
}

double HeldContacts::judge_friction(const Model& model, const Kinematics& kin,
                                    std::vector<double>& force) {
  double worst = 0.0;
  for (std::size_t k = 0; k < islands_.size() && !empty(); ++k) {
    if (!slides_in(islands_[k])) place_columns(model, kin, k);
    worst = std::max(worst, judge_island(model, kin, k, force));
  }
  return worst;
}

// force_.f from known_. @return whether all are there, in their cones
bool HeldContacts::take_known_forces(std::size_t k) {
  const ForceColumns& columns = columns_[k];
  force_.f.resize(columns.C.columns());
  double* f = force_.f.data();
  for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size()) {
    const auto index = static_cast<std::size_t>(
        islands_[k].contacts[static_cast<std::size_t>(columns.contact[b])]);
    const Contact& contact = touching_.contacts[index];
    const ForceCone& cone = columns.cones[b];
    const Vector3d& F = known_[index];
    f[0] = is_joint_limit(contact.key) ? F.x() : contact.n_W.dot(F);
    if (!(f[0] >= 0.0)) return false;  // NaN too
    if (cone.size() == 1) continue;
    f[1] = contact.s_W.dot(F);
    f[2] = contact.t_W.dot(F);
    if (cone.kind == ForceCone::Kind::grip) continue;
    const bool pyramid = cone.kind == ForceCone::Kind::pyramid;
    const double tangential =
        pyramid ? std::max(std::abs(f[1]), std::abs(f[2])) : std::hypot(f[1], f[2]);
    if (tangential > cone.bound * f[0] * (1.0 + kStill)) return false;
  }
  return true;
}

// What stands still is held by the forces that held it before: that they still do is proof enough
// where forces are not unique, and costs a product in place of a decomposition.
bool HeldContacts::known_forces_do(std::size_t k) {
  const ForceColumns& columns = columns_[k];
  const bool unique = columns.C.columns() <= islands_[k].m;  // they may be
  if (unique || !islands_[k].joints.empty() || !take_known_forces(k)) return false;
  const double asked = part_.norm();
  e_part_ = part_;
  e_part_.noalias() -= columns.C.matrix() * force_.f;
  force_.residual = asked > 0.0 ? e_part_.norm() / asked : 0.0;
  return force_.residual <= kStill;
}

// Forces along the columns with the effect y_held − y_free, in their cones if there are any.
double HeldContacts::judge_island(const Model& model, const Kinematics& kin, std::size_t k,
                                  std::vector<double>& force) {
  ForceColumns& columns = columns_[k];
  part_ = held_y_[k] - problems_[k].y;
  if (known_forces_do(k)) {
    read_forces(model, kin, k, force);
    read_margins(model, kin, k, false, force);
    return force_.residual;
  }
  range_.reset(islands_[k].m);
  for (Eigen::Index j = 0; j < columns.C.columns(); ++j) range_.add(columns.C.col(j));
  force_problem_.W.resize(range_.rank(), columns.C.columns());
  for (Eigen::Index j = 0; j < columns.C.columns(); ++j)
    range_.measure(columns.C.col(j), force_problem_.W.col(j));
  force_problem_.a.resize(range_.rank());
  range_.measure(part_, force_problem_.a);
  force_problem_.cones = columns.cones;
  const bool unique = range_.rank() == columns.C.columns();
  if (unique)
    solve_plain_force(force_problem_, force_workspace_, force_);
  else
    solve_cone_force(force_problem_, force_workspace_, force_);
  read_forces(model, kin, k, force);
  read_margins(model, kin, k, unique, force);
  return unique ? 0.0 : force_.residual;
}

// force_.f to the contacts and joints of island k.
void HeldContacts::read_forces(const Model& model, const Kinematics& kin, std::size_t k,
                               std::vector<double>& force) {
  const Island& island = islands_[k];
  const ForceColumns& columns = columns_[k];
  for (const int i : island.contacts) {
    force[static_cast<std::size_t>(i)] = 0.0;
    friction_[static_cast<std::size_t>(i)].setZero();
  }
  const double* f = force_.f.data();
  std::size_t joint = 0;
  for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size()) {
    if (columns.contact[b] < 0) {
      joint_force_[joint_index(island.joints[joint++])] = f[0];
      continue;
    }
    const auto index =
        static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(columns.contact[b])]);
    const Contact& contact = touching_.contacts[index];
    force[index] = f[0];
    if (columns.cones[b].size() == 3)
      friction_[index] = f[1] * contact.s_W + f[2] * contact.t_W;
    else if (slides_[index].kind != SlideKind::none)
      friction_[index] = -mu_of(index) * f[0] * slip_direction(model, kin, index);
  }
}

// How far the contacts of island k are from the ends of their modes; the forces have been read.
void HeldContacts::read_margins(const Model& model, const Kinematics& kin, std::size_t k,
                                bool unique, const std::vector<double>& force) {
  const Island& island = islands_[k];
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[i]);
    double& margin = friction_margin_[index];
    margin = unique ? force[index] : kInfinity;
    if (slides_[index].kind != SlideKind::none && slides_[index].weightless) {
      // What it would carry if it did.
      part_.resize(island.m);
      place_sliding(model, kin, k, static_cast<int>(i), part_);
      margin = -columns_[k].rows.load(rows_[k], part_);
    } else if (unique && sticking_[index] && std::isfinite(mu_of(index))) {
      const Contact& contact = touching_.contacts[index];
      const Vector3d& f = friction_[index];
      const double tangential =
          law_ == StageFriction::per_row
              ? std::max(std::abs(f.dot(contact.s_W)), std::abs(f.dot(contact.t_W)))
              : f.norm();
      margin = std::min(margin, mu_of(index) * force[index] - tangential);
    }
  }
}

bool HeldContacts::find_weightless(const Model& model, const Kinematics& kin) {
  bool changed = false;
  for (std::size_t k = 0; k < islands_.size() && !empty(); ++k) {
    if (!slides_in(islands_[k])) continue;
    before_ = slides_;
    for (const int i : islands_[k].contacts)
      slides_[static_cast<std::size_t>(i)].weightless = false;
    place_columns(model, kin, k);
    ForceColumns& columns = columns_[k];
    force_problem_.W.resize(rows_[k].rank(), columns.C.columns());
    for (Eigen::Index j = 0; j < columns.C.columns(); ++j)
      rows_[k].measure(columns.C.col(j), force_problem_.W.col(j));
    force_problem_.a = columns.asked;
    force_problem_.cones = columns.cones;
    solve_cone_force(force_problem_, force_workspace_, force_);
    const double* f = force_.f.data();
    for (std::size_t b = 0; b < columns.cones.size(); f += columns.cones[b++].size()) {
      if (columns.contact[b] < 0) continue;
      const auto index = static_cast<std::size_t>(
          islands_[k].contacts[static_cast<std::size_t>(columns.contact[b])]);
      if (slides_[index].kind != SlideKind::none) slides_[index].weightless = f[0] == 0.0;
    }
    for (const int i : islands_[k].contacts)
      changed = changed || slides_[static_cast<std::size_t>(i)].weightless !=
                               before_[static_cast<std::size_t>(i)].weightless;
  }
  return changed;
}

}  // namespace pequod
