#include "contact/solvers/friction/bodies/body_gaps.h"

#include <algorithm>

namespace pequod {
namespace {

// Times the deepest gap: bodies that are farther apart are not pushed onto each other by it.
constexpr double kFarApart = 4.0;
// Over-relaxation (Young 1954): of 1, 1.3, 1.5, 1.7 and 1.8 this takes the fewest sweeps a step of
// a thousand poured balls (28; plain ones 100) but for 1.7, which leaves more to a second round.
constexpr double kRelax = 1.5;

// Contacts that may be pushed, and their own responses.
void find_near(const BodyRows& rows, const Eigen::VectorXd& gaps, GapBuffers& buffers) {
  const double deepest = gaps.size() > 0 ? std::max(-gaps.minCoeff(), 0.0) : 0.0;
  buffers.near.clear();
  buffers.inverse.clear();
  for (int i = 0; i < rows.contacts(); ++i) {
    const double square = rows.squared_norm(i, 0);
    if (gaps[i] > kFarApart * deepest || !(square > 0.0)) continue;
    buffers.near.push_back(i);
    buffers.inverse.push_back(1.0 / square);
  }
  buffers.push.setZero(static_cast<Eigen::Index>(buffers.near.size()));
}

// delta ← delta + f times the normal of contact i.
void add_normal(const BodyRows& rows, int i, double f, Eigen::VectorXd& delta) {
  for (int body = 0; body < 2; ++body) {
    const int block = rows.on[static_cast<std::size_t>(i)][static_cast<std::size_t>(body)];
    if (block < 0) continue;
    const double* row = rows.of(i, body);
    double* own = delta.data() + kBodyWidth * block;
    for (int c = 0; c < kBodyWidth; ++c) own[c] += f * row[c];
  }
}

}  // namespace

int open_gaps(const BodyRows& rows, const Eigen::VectorXd& gaps, const GapOptions& options,
              GapBuffers& buffers, Eigen::VectorXd& delta) {
  delta.setZero(delta.size());
  find_near(rows, gaps, buffers);
  for (int sweep = 1; sweep <= options.sweeps; ++sweep) {
    double worst = 0.0;
    for (std::size_t k = 0; k < buffers.near.size(); ++k) {
      const int i = buffers.near[k];
      double& push = buffers.push[static_cast<Eigen::Index>(k)];
      const double gap = gaps[i] + rows.dot(i, 0, delta);
      const double next = std::max(push - kRelax * gap * buffers.inverse[k], 0.0);
      worst = std::max(worst, -gap);
      if (next == push) continue;
      add_normal(rows, i, next - push, delta);
      push = next;
    }
    if (worst <= options.tolerance) return sweep;
  }
  return options.sweeps;
}

}  // namespace pequod
