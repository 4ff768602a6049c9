#include "simulation/travel_bound.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tree_parts.h"

namespace pequod {
namespace {

// m: how far the joint may carry its link from the origin of its parent.
double joint_reach(const Joint& joint) {
  const double slide = joint.type == JointType::prismatic
                           ? std::max(std::abs(joint.lower), std::abs(joint.upper))
                           : 0.0;
  return joint.X_PF.p.norm() + slide;
}

// Of the links in order, `own(link)` added up from the root: the largest.
template <typename Own>
double add_along_branches(const Team* team, const Model& model, Own own) {
  std::array<double, kMostThreads> most;
  std::fill_n(most.begin(), thread_count(team), 0.0);
  for_each_trees(team, model, [&](std::span<const Tree> trees, std::size_t thread) {
    thread_local std::vector<double> sums;  // storage only: written before it is read
    sums.resize(model.links.size());
    const Tree& last = trees.back();
    for (int k = trees.front().first_link; k < last.first_link + last.links; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Link& link = model.links[i];
      sums[i] = own(i) + (link.parent < 0 ? 0.0 : nth(sums, link.parent));
      most[thread] = std::max(most[thread], sums[i]);
    }
  });
  return *std::max_element(most.begin(),
                           most.begin() + static_cast<std::ptrdiff_t>(thread_count(team)));
}

double length(const double* x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// A turn of nothing carries it nowhere, wherever it is.
double turned(double angle, double reach) { return angle > 0.0 ? angle * reach : 0.0; }

// Of two unit quaternions: a bound on 2 sin(θ/2), θ the angle between them, as |a − b| is
// 2 sin(θ/4) for the nearer of b and −b.
double turn_between(const double* a, const double* b) {
  double minus = 0.0, plus = 0.0;
  for (int k = 0; k < 4; ++k) {
    minus += (a[k] - b[k]) * (a[k] - b[k]);
    plus += (a[k] + b[k]) * (a[k] + b[k]);
  }
  return 2.0 * std::sqrt(std::min(minus, plus));
}

}  // namespace

TravelBound::TravelBound(const Model& model, const std::vector<double>& radius)
    : model_(&model), reach_(model.links.size(), 0.0) {
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const Shape& shape = model.shapes[s];
    if (shape.link < 0) continue;
    double& reach = nth(reach_, shape.link);
    reach = std::max(reach, shape.X_LS.p.norm() + radius[s]);
  }
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const Link& link = model.links[i];
    if (link.parent < 0) continue;
    double& reach = nth(reach_, link.parent);
    reach = std::max(reach, joint_reach(link.joint) + reach_[i]);
  }
  // A quaternion whose numbers change by 1 turns by 4 at most, see turn_between(): more than the
  // three of a rate.
  of_all_ = add_along_branches(nullptr, model, [&](std::size_t i) {
    switch (model.links[i].joint.type) {
      case JointType::free:
        return std::sqrt(3.0) + 4.0 * reach_[i];
      case JointType::spherical:
        return 4.0 * reach_[i];
      case JointType::revolute:
        return reach_[i];
      case JointType::prismatic:
        break;
    }
    return 1.0;
  });
}

double TravelBound::between(const VectorXd& q_a, const VectorXd& q_b, const Team* team) const {
  return add_along_branches(team, *model_, [&](std::size_t i) {
    const Joint& joint = model_->links[i].joint;
    const double *a = q_a.data() + joint.q_index, *b = q_b.data() + joint.q_index;
    switch (joint.type) {
      case JointType::free:
        return (Eigen::Map<const Vector3d>(b) - Eigen::Map<const Vector3d>(a)).norm() +
               turned(turn_between(a + 3, b + 3), reach_[i]);
      case JointType::spherical:
        return turned(turn_between(a, b), reach_[i]);
      case JointType::revolute:
        return turned(std::abs(*b - *a), reach_[i]);
      case JointType::prismatic:
        break;
    }
    return std::abs(*b - *a);
  });
}

double TravelBound::speed(const VectorXd& v, const Team* team) const {
  return add_along_branches(team, *model_, [&](std::size_t i) {
    const Joint& joint = model_->links[i].joint;
    const double* own = v.data() + joint.v_index;
    switch (joint.type) {
      case JointType::free:
        return length(own + 3) + turned(length(own), reach_[i]);
      case JointType::spherical:
        return turned(length(own), reach_[i]);
      case JointType::revolute:
        return turned(std::abs(*own), reach_[i]);
      case JointType::prismatic:
        break;
    }
    return std::abs(*own);
  });
}

}  // namespace pequod
