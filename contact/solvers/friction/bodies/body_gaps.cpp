#include "contact/solvers/friction/bodies/body_gaps.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

// Times the deepest gap: bodies that are farther apart are not pushed onto each other by it.
constexpr double kFarApart = 4.0;
// Over-relaxation (Young 1954): settled piles of 1000 and 10 000 balls take 160, 100 and 58 sweeps
// a step with 1.3, 1.5 and this; 1.75 and 1.8 gain no more.
constexpr double kRelax = 1.7;
// Of the tolerance: what would open a gap by less is not done, so that bodies come to stand and
// their contacts need no look until one of them moves. Of 100 sweeps of 25 000 contacts that spares
// more than half of the looks.
constexpr double kNoChange = 0.25;

// Contacts that may be pushed, side by side. No body: one of zeros, behind all others.
void find_near(const BodyRows& rows, const VectorXd& gaps, int bodies, GapBuffers& buffers) {
  const double deepest = gaps.size() > 0 ? std::max(-gaps.minCoeff(), 0.0) : 0.0;
  buffers.near.clear();
  buffers.looks.clear();
  for (int i = 0; i < rows.contacts(); ++i) {
    const double square = rows.squared_norm(i, 0);
    if (gaps[i] > kFarApart * deepest || !(square > 0.0)) continue;
    GapLook& look = buffers.looks.emplace_back();
    NearGap& near = buffers.near.emplace_back();
    near.gap = gaps[i];
    near.inverse = 1.0 / square;
    for (std::size_t body = 0; body < 2; ++body) {
      const int block = rows.on[i][body];
      look.on[body] = block < 0 ? bodies : block;
      std::copy_n(rows.of(i, static_cast<int>(body)), kBodyWidth,
                  near.normal.data() + kBodyWidth * body);
    }
  }
  buffers.moved_at.assign(bodies + 1, 0);
  buffers.moved.setZero(Index{kBodyWidth} * (bodies + 1));
}

// Each contact of which a body has moved since the last look at it; moves are counted in `clock`.
// @param least  m: see kNoChange
// @return       m, the deepest; at least 0
PEQUOD_TWICE double sweep_gaps(double least, int& clock, GapBuffers& buffers) {
  using Row = Eigen::Map<const BodyVector>;
  double worst = 0.0;
  for (std::size_t i = 0; i < buffers.looks.size(); ++i) {
    GapLook& look = buffers.looks[i];
    int &at_a = buffers.moved_at[look.on[0]], &at_b = buffers.moved_at[look.on[1]];
    if (look.seen >= std::max(at_a, at_b)) continue;
    look.seen = clock;
    NearGap& own = buffers.near[i];
    const Row normal_a(own.normal.data()), normal_b(own.normal.data() + kBodyWidth);
    Eigen::Map<BodyVector> a(buffers.moved.data() + kBodyWidth * look.on[0]),
        b(buffers.moved.data() + kBodyWidth * look.on[1]);
    const double gap = own.gap + (normal_a.cwiseProduct(a) + normal_b.cwiseProduct(b)).sum();
    worst = std::max(worst, -gap);
    const double more = std::max(-kRelax * gap * own.inverse, -own.push);
    if (std::abs(more) <= least * own.inverse) continue;
    own.push += more;
    a += more * normal_a;
    b += more * normal_b;
    at_a = at_b = ++clock;
    buffers.moved_at.back() = 0;  // what is no body stays
  }
  return worst;
}

}  // namespace

int open_gaps(const BodyRows& rows, const VectorXd& gaps, const GapOptions& options,
              GapBuffers& buffers, VectorXd& delta) {
  find_near(rows, gaps, static_cast<int>(delta.size()) / kBodyWidth, buffers);
  int sweep = 0, clock = 0;
  double worst = options.tolerance;
  do {
    worst = sweep_gaps(kNoChange * options.tolerance, clock, buffers);
    ++sweep;
  } while (worst > options.tolerance && sweep < options.sweeps);
  delta = buffers.moved.head(delta.size());
  return sweep;
}

}  // namespace pequod
