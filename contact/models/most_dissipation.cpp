#include "contact/models/most_dissipation.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "contact/solvers/friction/forces/cone_force.h"

namespace pequod {
namespace {

// Of its length: a row that has less beyond those that are held repeats them.
constexpr double kRepeatedProof = 1e-8;
// Of the speeds at a contact, and of w of a body. What w lacks is how far y may be from that of
// least energy, as nearest points are no farther apart than what they are nearest to. The other
// method accepts 1e-8 of the energy, 1e-4 of the speeds.
constexpr double kProven = 1e-6;
// Of the speeds at a contact before: one that slips less than that stands.
constexpr double kStands = 1e-9;
// Of what a body does along w1: what it may be pushed more than by phase I, the slack of the other
// method. Phase I leaves 1e-16 of the fastest body, R of them for the lightest.
constexpr double kPushedMore = 1e-7;
// Of the multipliers of a body's contacts: what they may miss of what is asked of the body.
constexpr double kLeftOfLoads = 1e-13;

// Speeds of contact i under y: along its normal beyond c, and of its slip.
double opening(const ContactProblem& problem, int i, const VectorXd& y) {
  return problem.normals.dot(i, y) - problem.c[i];
}
double slip(const ContactProblem& problem, int i, const VectorXd& y) {
  return std::hypot(problem.tangents.dot(2 * i, y), problem.tangents.dot(2 * i + 1, y));
}

// How fast the bodies are at contact i before impulses, whatever the direction.
double speed_before(const ContactProblem& problem, int i) {
  double speed = std::abs(problem.c[i]);
  for (const auto& columns : {std::pair{&problem.normals, i}, std::pair{&problem.tangents, 2 * i},
                              std::pair{&problem.tangents, 2 * i + 1}})
    for (const auto& [begin, end] : columns.first->stretches(columns.second))
      for (Index k = begin; k < end; ++k)
        speed += std::abs(columns.first->col(columns.second)[k] * problem.y[k]);
  return speed;
}

// The contacts that touch at y. @return  false if another carries an impulse
bool find_touching_contacts(const ContactProblem& problem, const VectorXd& y, const VectorXd& fn,
                            std::vector<int>& contacts) {
  contacts.clear();
  for (int i = 0; i < problem.n; ++i) {
    if (std::abs(opening(problem, i, y)) <= kProven * speed_before(problem, i))
      contacts.push_back(i);
    else if (fn[i] > 0.0)
      return false;
  }
  return !contacts.empty();
}

// The contacts' rows in `rows`: normals, then tangents of those that rub.
void hold_touching(const ContactProblem& problem, std::span<const int> contacts, HeldRows& rows) {
  rows.reset(problem.m, kRepeatedProof);
  for (const int i : contacts) rows.add(problem.normals.col(i));
  for (const int i : contacts)
    for (int j = 2 * i; j < 2 * i + 2 && problem.friction[i] > 0.0; ++j)
      rows.add(problem.tangents.col(j));
}

// w of least norm that takes the contacts apart at these speeds without slip.
// @return  false if none does
bool take_apart(const ContactProblem& problem, std::span<const int> contacts, const VectorXd& speed,
                ContactWorkspace& workspace, VectorXd& w) {
  const auto rows = static_cast<Index>(workspace.rows.accepted().size());
  VectorXd asked = VectorXd::Zero(rows);
  asked.head(speed.size()) = speed;
  w.setZero(problem.m);
  workspace.rows.solve(asked, w, workspace.multipliers);
  const double noise = kProven * speed.lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int i = contacts[k];
    const double moved = problem.normals.dot(i, w), asked_of = speed[k];
    if (!(std::abs(moved - asked_of) <= noise)) return false;
    if (problem.friction[i] > 0.0 && !(slip(problem, i, w) <= noise)) return false;
  }
  return true;
}

// Whether `left` is nothing beside w in each tree, or a rounding of the loads there, Σ |N||λ|.
bool is_nothing(const ContactProblem& problem, const VectorXd& left, const VectorXd& w,
                const VectorXd& loads) {
  for (int i = 0; i < problem.n; ++i)
    for (const auto& [begin, end] : problem.normals.stretches(i)) {
      const Index size = end - begin;
      const double most = kProven * w.segment(begin, size).norm() +
                          kLeftOfLoads * loads.segment(begin, size).norm();
      if (!(left.segment(begin, size).norm() <= most)) return false;
    }
  return true;
}

// Whether pushes of the contacts make w, λ ≥ 0, sought in units of what they carry. Rows in which
// none pushes, of which rounding would be asked, are left out.
bool pushes_make(const ContactProblem& problem, const VectorXd& fn, const VectorXd& w,
                 ContactWorkspace& workspace) {
  StuckBuffers& b = workspace.stuck;
  ConeForceProblem& posed = b.problem;
  const auto n = std::ssize(b.contacts);
  MatrixXd N(problem.m, n);
  VectorXd carried(n);
  workspace.rows.reset(problem.m);
  for (Index k = 0; k < n; ++k) {
    const int i = b.contacts[k];
    N.col(k) = problem.normals.col(i);
    carried[k] = fn[i];
    workspace.rows.add(N.col(k));
  }
  posed.cones.assign(b.contacts.size(), ForceCone{});
  find_cone_units(N, posed.cones, carried, b.loads, b.units);
  N *= Eigen::Map<const VectorXd>(b.units.data(), n).asDiagonal();
  posed.W.resize(workspace.rows.rank(), n);
  for (Index k = 0; k < n; ++k) workspace.rows.measure(N.col(k), posed.W.col(k));
  posed.a.resize(workspace.rows.rank());
  workspace.rows.measure(w, posed.a);
  solve_cone_force(posed, b.solver, b.solution);
  const VectorXd& lambda = b.solution.f;
  return is_nothing(problem, N * lambda - w, w, N.cwiseAbs() * lambda);
}

// Whether impulses that lead to y and to y_free push as hard in sum: w1 takes contacts apart at
// speed one, so that Σ r_n of a body's contacts is what it makes the body do along w1.
bool push_as_hard(const ContactProblem& problem, const VectorXd& y, const VectorXd& y_free,
                  const VectorXd& w1) {
  for (int i = 0; i < problem.n; ++i)
    for (const auto& [begin, end] : problem.normals.stretches(i)) {
      const Index size = end - begin;
      const auto along = w1.segment(begin, size);
      const double differs = along.dot(y.segment(begin, size) - y_free.segment(begin, size));
      const double most = along.norm() * (problem.y.segment(begin, size).norm() +
                                          y_free.segment(begin, size).norm());
      if (!(std::abs(differs) <= kPushedMore * most)) return false;
    }
  return true;
}

// σ − μ |slip| + c of the contacts: σ twice what is needed to take all apart.
VectorXd speeds_apart(const ContactProblem& problem, const VectorXd& y,
                      std::span<const int> contacts) {
  VectorXd out(std::ssize(contacts));
  double most = 0.0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int i = contacts[k];
    const double mu = problem.friction[i];
    const double rate = mu > 0.0 && mu < kNoSlipFriction ? mu * slip(problem, i, y) : 0.0;
    most = std::max(most, rate);
    out[k] = problem.c[i] - rate;
  }
  return out.array() + 2.0 * most;
}

// Without friction, phase I, whose impulses in sum are κ. @return  false if there are none, or
// contacts carry then that do not touch now
bool press(const ContactProblem& problem, const LeastDistanceSolver& solver,
           ContactWorkspace& workspace, ContactSolution& pressed) {
  const std::vector<int> touching = workspace.stuck.contacts;
  solve_frictionless(problem, solver, {}, workspace, pressed);
  if (pressed.status != SolveStatus::solved) return false;
  for (int i = 0; i < problem.n; ++i)
    if (pressed.fn[i] > 0.0 && !std::ranges::binary_search(touching, i)) return false;
  return true;
}

// Whether the contacts' speeds are nothing beside those before impulses.
bool all_stand(const ContactProblem& problem, std::span<const int> contacts,
               const VectorXd& speeds) {
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (!(std::abs(speeds[k]) <= kStands * speed_before(problem, contacts[k]))) return false;
  return true;
}

}  // namespace

bool dissipates_most(const ContactProblem& problem, const LeastDistanceSolver& solver,
                     const ContactSolution& solution, ContactWorkspace& workspace) {
  StuckBuffers& b = workspace.stuck;
  if (!find_touching_contacts(problem, solution.y, solution.fn, b.contacts)) return false;
  hold_touching(problem, b.contacts, workspace.rows);
  VectorXd w, w1;
  const VectorXd speeds = speeds_apart(problem, solution.y, b.contacts);
  const bool stands = all_stand(problem, b.contacts, speeds);  // λ = 0, σ = 0
  if (!stands && (!take_apart(problem, b.contacts, speeds, workspace, w) ||
                  !take_apart(problem, b.contacts, VectorXd::Ones(speeds.size()), workspace, w1) ||
                  !pushes_make(problem, solution.fn, w, workspace)))
    return false;
  ContactSolution pressed;
  if (!press(problem, solver, workspace, pressed)) return false;
  return stands ? solution.fn.sum() <= (1.0 + kPushedMore) * pressed.fn.sum()
                : push_as_hard(problem, solution.y, pressed.y, w1);
}

}  // namespace pequod
