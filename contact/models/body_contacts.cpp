#include "contact/models/body_contacts.h"

#include <algorithm>

namespace pequod {

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
  Eigen::Index from = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    for (std::size_t k = 0; k < 3; ++k) all[3 * i + k] = r[from++];
  }
  return Eigen::Map<const VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

}  // namespace pequod
