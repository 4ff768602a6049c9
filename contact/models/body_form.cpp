#include "contact/models/body_form.h"

#include <algorithm>
#include <array>

namespace pequod {

namespace {

// Coordinates from which on a problem is that of many bodies; a body on hundreds of contacts is
// not.
constexpr int kManyCoordinates = 48;

// Marks the blocks of the column's entries in `on`, ascending.
// @return  false if they are more than two
bool find_blocks(const ColumnBuffer& columns, Index i, std::array<int, 2>& on) {
  for (const auto& [begin, end] : columns.stretches(i)) {
    for (Index first = begin; first < end; first += kBodyWidth) {
      const int block = static_cast<int>(first) / kBodyWidth;
      if (on[0] == block || on[1] == block || columns.col(i).segment<kBodyWidth>(first).isZero(0.0))
        continue;
      if (on[1] >= 0) return false;
      on[on[0] >= 0 ? 1 : 0] = block;
    }
  }
  return true;
}

// Whether blocks of the bodies' width do not cut across a stretch, as they would across a tree of
// another width.
bool are_whole(const Stretches& stretches) {
  return std::ranges::all_of(stretches, [](const Stretch& s) {
    return s.begin % kBodyWidth == 0 && s.end % kBodyWidth == 0;
  });
}

// Zeros where there is no body.
void append_row(const ColumnBuffer& columns, Index i, int block, std::vector<double>& rows) {
  rows.resize(rows.size() + kBodyWidth, 0.0);
  if (block >= 0)
    std::copy_n(columns.col(i).data() + kBodyWidth * block, kBodyWidth, rows.end() - kBodyWidth);
}

}  // namespace

bool pose_bodies(const ContactProblem& problem, BodyProblem& bodies, std::span<const char> chosen) {
  if (problem.m % kBodyWidth != 0 || !problem.bound.empty() || problem.loops.rank() > 0)
    return false;
  bodies.reset(problem.m / kBodyWidth);
  bodies.y = problem.y;
  bodies.b.setZero(3 * (chosen.empty() ? problem.n : std::ranges::count(chosen, 1)));
  for (int i = 0; i < problem.n; ++i) {
    std::array<int, 2> on{-1, -1};
    if (!are_whole(problem.normals.stretches(i)) || !find_blocks(problem.normals, i, on) ||
        !find_blocks(problem.tangents, 2 * i, on) || !find_blocks(problem.tangents, 2 * i + 1, on))
      return false;
    if (!chosen.empty() && !chosen[i]) continue;
    if (on[1] >= 0 && on[1] < on[0]) std::swap(on[0], on[1]);
    bodies.b[3 * bodies.contacts()] = -problem.c[i];
    for (const int block : on) {
      append_row(problem.normals, i, block, bodies.rows);
      append_row(problem.tangents, 2 * i, block, bodies.rows);
      append_row(problem.tangents, 2 * i + 1, block, bodies.rows);
    }
    bodies.on.push_back(on);
    bodies.mu.push_back(problem.friction[i]);
  }
  return true;
}

void pose_chosen_bodies(const ContactProblem& problem, std::span<const char> chosen,
                        BodyProblem& bodies) {
  bodies.reset(problem.m / kBodyWidth);
  bodies.y = problem.y;
  bodies.b.setZero(3 * std::ranges::count(chosen, 1));
  for (int i = 0; i < problem.n; ++i) {
    if (!chosen[i]) continue;
    bodies.b[3 * bodies.contacts()] = -problem.c[i];
    bodies.on.push_back(problem.bodies.on[i]);
    const double* rows = problem.bodies.of(i, 0);
    bodies.rows.insert(bodies.rows.end(), rows, rows + 2 * kBodyRows);
    bodies.mu.push_back(problem.friction[i]);
  }
}

bool is_of_many_bodies(int contacts, int coordinates, int least) {
  return contacts >= least && coordinates >= kManyCoordinates;
}

bool takes_best(const ContactProblem& problem, const ContactSolver& solver) {
  return problem.step > 0.0 && !solver.thorough;
}

void choose_contacts(const ContactProblem& problem, const std::vector<double>& guess,
                     std::vector<char>& chosen) {
  chosen.assign(problem.n, 0);
  for (int i = 0; i < problem.n; ++i)
    chosen[i] = problem.c[i] >= 0.0 || (!guess.empty() && guess[3 * i] > 0.0) ||
                problem.normal_speed(i, problem.y) < problem.c[i];
}

bool add_passed(const ContactProblem& problem, const VectorXd& y, std::vector<char>& chosen) {
  bool any = false;
  for (int i = 0; i < problem.n; ++i) {
    if (chosen[i] || problem.normal_speed(i, y) >= problem.c[i]) continue;
    chosen[i] = 1;
    any = true;
  }
  return any;
}

void name_chosen(const std::vector<char>& chosen, std::vector<int>& names) {
  names.clear();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) names.push_back(static_cast<int>(i));
}

void pack_chosen(const std::vector<char>& chosen, std::vector<double>& guess) {
  if (guess.empty()) return;
  auto to = guess.begin();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) to = std::copy_n(guess.begin() + 3 * i, 3, to);
  guess.erase(to, guess.end());
}

VectorXd spread_chosen(const std::vector<char>& chosen, const VectorXd& r,
                       std::vector<double>& all) {
  all.assign(3 * chosen.size(), 0.0);
  Index from = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    for (std::size_t k = 0; k < 3; ++k) all[3 * i + k] = r[from++];
  }
  return Eigen::Map<const VectorXd>(all.data(), static_cast<Index>(all.size()));
}

}  // namespace pequod
