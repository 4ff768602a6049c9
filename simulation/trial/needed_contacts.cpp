#include "simulation/trial/needed_contacts.h"

#include <algorithm>

#include "contact/select_contacts.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// Those that touch and those that pushed. @return how many are not among them
int choose_touching(const ContactProblem& whole, std::span<const int> warm,
                    std::vector<int>& place) {
  place.assign(static_cast<std::size_t>(whole.n), -1);
  for (int i = 0; i < whole.n; ++i)
    if (whole.c[i] >= 0.0) nth(place, i) = 0;
  for (const int i : warm) nth(place, i) = 0;
  return static_cast<int>(std::ranges::count(place, -1));
}

// Poses those that have a place, and numbers them.
void pose_chosen(const ContactProblem& whole, std::span<const int> warm, NeededBuffers& buffers) {
  buffers.chosen.clear();
  for (int i = 0; i < whole.n; ++i) {
    int& place = nth(buffers.place, i);
    if (place < 0) continue;
    place = static_cast<int>(buffers.chosen.size());
    buffers.chosen.push_back(i);
  }
  buffers.warm.clear();
  for (const int i : warm) buffers.warm.push_back(nth(buffers.place, i));
  select_contacts(whole, buffers.chosen, buffers.problem);
}

// Gives a place to those that pass their bound. @return whether there is one
bool add_passed(const ContactProblem& whole, const VectorXd& y, std::vector<int>& place) {
  bool any = false;
  for (int i = 0; i < whole.n; ++i) {
    if (nth(place, i) >= 0 || whole.normals.dot(i, y) >= whole.c[i]) continue;
    nth(place, i) = 0;
    any = true;
  }
  return any;
}

// The solution of all: those that were left out carry nothing.
void expand(int n, const NeededBuffers& buffers, ContactSolution& solution) {
  const ContactSolution& part = buffers.solution;
  solution = part;
  solution.fn.setZero(n);
  solution.ft.setZero(2 * n);
  solution.sticking.assign(static_cast<std::size_t>(n), 0);
  solution.held.assign(2 * static_cast<std::size_t>(n), 0);
  for (std::size_t k = 0; k < buffers.chosen.size(); ++k) {
    const auto i = static_cast<std::size_t>(buffers.chosen[k]);
    const auto from = static_cast<Eigen::Index>(k), to = static_cast<Eigen::Index>(i);
    solution.fn[to] = part.fn[from];
    solution.ft.segment<2>(2 * to) = part.ft.segment<2>(2 * from);
    solution.sticking[i] = part.sticking[k];
    solution.held[2 * i] = part.held[2 * k];
    solution.held[2 * i + 1] = part.held[2 * k + 1];
  }
  for (int& i : solution.active) i = nth(buffers.chosen, i);
}

}  // namespace

bool solve_needed(const ContactModel& model, const ContactSolver& solver,
                  const ContactProblem& whole, std::span<const int> warm, NeededBuffers& buffers,
                  ContactWorkspace& workspace, ContactSolution& solution) {
  if (choose_touching(whole, warm, buffers.place) < kManyOpen) return false;
  int pivots = 0;
  do {
    pose_chosen(whole, warm, buffers);
    buffers.solution.usable = false;
    model.solve(buffers.problem, solver, buffers.warm, workspace, buffers.solution);
    // What is short of a solution but usable is so for all contacts as well, and solving for them
    // would cost as much again.
    if (!may_take(buffers.solution, solver)) return false;
    pivots += buffers.solution.pivots;
  } while (add_passed(whole, buffers.solution.y, buffers.place));
  expand(whole.n, buffers, solution);
  solution.pivots = pivots;
  return true;
}

}  // namespace pequod
