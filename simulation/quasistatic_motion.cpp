#include "simulation/quasistatic_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/solvers/linear/decompositions.h"
#include "events/root.h"
#include "integrators/integrator.h"

namespace pequod {
namespace {

using Eigen::VectorXd;

// A gap above this is watched, below it is a contact already: m. Of the same size as the gaps that
// a step leaves between contacts that are held.
constexpr double kClosed = 1e-10;
// Where modes cease to be possible is found to this share of a step; past it they are chosen anew.
constexpr double kShare = 1e-9;
constexpr int kMostStalls = 13;  // the last one goes 0.07 of a step

/// The run, with what it holds from step to step.
class Follower {
 public:
  Follower(const PlanarScene& scene, const QuasistaticRunOptions& options)
      : scene_(scene), options_(options), integrator_(RungeKutta::Method::rk4) {
    now_.configuration = start_of(scene);
  }

  QuasistaticRun run() {
    if (!choose()) return std::move(run_);
    record();
    while (now_.t < options_.duration * (1.0 - 1e-12)) {
      if (!advance(std::min(options_.step, options_.duration - now_.t)) || !choose()) break;
      record();
    }
    return std::move(run_);
  }

 private:
  // One step with the modes held, up to the first event. @return whether it got anywhere
  bool advance(double h) {
    const VectorXd start = now_.configuration;
    const auto at = [&](double tau) { return stepped(start, tau); };
    double tau = first_touch(start, at, at(h) ? h : last_possible(at, h));
    const std::optional<VectorXd> end = tau > kShare * h ? at(tau) : std::nullopt;
    if (end) {
      stalls_ = 0;
      now_.configuration = *end;
    } else {
      // The modes end here. Linear programs see that only where it shows above their tolerance, so
      // each time that they choose the same again the run goes a little further with them.
      tau = kShare * h * std::pow(4.0, stalls_++);
      if (stalls_ > kMostStalls) {
        run_.ended = fmt::format("contact modes change without end at t = {:.9g} s", now_.t);
        return false;
      }
      now_.configuration = start + tau * velocity();
    }
    now_.t += tau;
    return true;
  }

  [[nodiscard]] VectorXd velocity() const {
    VectorXd v(now_.configuration.size());
    v << now_.motion.object_velocity, now_.motion.joint_velocity;
    return v;
  }

  // RK4 by τ; nothing where the modes are not possible on the way.
  std::optional<VectorXd> stepped(const VectorXd& start, double tau) {
    bool possible = true;
    const Rhs rhs = [&](const VectorXd& x, VectorXd& dxdt, double) {
      const std::optional<QuasistaticMotion> motion = held(x);
      if (!motion) {
        possible = false;
        dxdt = velocity();
        return;
      }
      dxdt.resize(x.size());
      dxdt << motion->object_velocity, motion->joint_velocity;
    };
    VectorXd end(start.size());
    integrator_.step(rhs, start, now_.t, tau, end);
    // The last stage is at an estimate of the end, not at the end itself.
    if (!possible || !held(end)) return std::nullopt;
    return on_contacts(end);
  }

  [[nodiscard]] std::vector<PlanarContact> contacts_at(const VectorXd& x) const {
    std::vector<PlanarContact> contacts;
    for (const PlanarContact& contact : now_.contacts)
      contacts.push_back(followed(scene_, contact, x));
    return contacts;
  }

  // The object where contacts that do not break keep their gaps. The estimates of a step are off by
  // the square of its length; of more such contacts than it takes to hold the object, each would
  // then ask for a motion of its own.
  [[nodiscard]] VectorXd on_contacts(VectorXd x) const {
    for (int round = 0; round < 3; ++round) {
      const std::vector<PlanarContact> contacts = contacts_at(x);
      const QuasistaticProblem problem = problem_of(scene_, contacts, x);
      Eigen::MatrixXd rows = problem.W_n.transpose();
      VectorXd off(rows.rows());
      for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const auto c = static_cast<std::size_t>(i);
        off[i] = contacts[c].gap - now_.contacts[c].gap;
        if (now_.motion.modes[c] != QuasistaticMode::breaks) continue;
        rows.row(i).setZero();
        off[i] = 0.0;
      }
      x.head<3>() -= LeastNormFactor(rows).solve(off);
    }
    return x;
  }

  // The motion of the contacts that are held, with their modes, near another configuration.
  std::optional<QuasistaticMotion> held(const VectorXd& near) {
    const VectorXd x = on_contacts(near);
    const QuasistaticProblem problem = problem_of(scene_, contacts_at(x), x);
    const std::optional<ModePair> pair = pair_in_modes(uncoupled(problem), now_.motion.modes);
    if (!pair) return std::nullopt;
    return motion_of(problem, pair->x, pair->y);
  }

  template <class At>
  double last_possible(const At& at, double h) {
    double low = 0.0, high = h;
    while (high - low > kShare * h) {
      const double middle = 0.5 * (low + high);
      (at(middle) ? low : high) = middle;
    }
    return low;
  }

  // The first instant up to τ at which a gap that is open closes.
  template <class At>
  double first_touch(const VectorXd& start, const At& at, double tau) {
    if (tau <= 0.0) return tau;
    const std::optional<VectorXd> end = at(tau);
    if (!end) return tau;
    for (const PlanarContact& contact : facing(scene_, *end, -kClosed)) {
      const PlanarContact before = followed(scene_, contact, start);
      if (before.gap <= kClosed) continue;
      const auto gap = [&](double s) {
        const std::optional<VectorXd> x = at(s);
        return x ? followed(scene_, contact, *x).gap : -1.0;
      };
      tau = std::min(tau, find_root(gap, 0.0, before.gap, tau, gap(tau)));
    }
    return tau;
  }

  // Contacts of this configuration and what they do. @return whether there is any solution
  bool choose() {
    const std::vector<QuasistaticMode> before = now_.motion.modes;
    const std::vector<PlanarContact> old = now_.contacts;
    now_.contacts = facing(scene_, now_.configuration, scene_.reach);
    const QuasistaticProblem problem = problem_of(scene_, now_.contacts, now_.configuration);
    const bool same = old.size() == now_.contacts.size() && before.size() == old.size() &&
                      std::equal(old.begin(), old.end(), now_.contacts.begin(),
                                 [](const PlanarContact& a, const PlanarContact& b) {
                                   return a.same_features(b);
                                 });
    if (same) {
      const std::optional<ModePair> pair = pair_in_modes(uncoupled(problem), before);
      if (pair) {
        now_.motion = motion_of(problem, pair->x, pair->y);
        now_.motion.modes = before;
        return true;
      }
    }
    const QuasistaticSolution solution = solve_quasistatic(problem);
    if (solution.status != QuasistaticStatus::solved) {
      run_.ended = fmt::format("{} at t = {:.9g} s", solution.reason, now_.t);
      return false;
    }
    now_.motion = solution.motions.front();
    log(old, before);
    return true;
  }

  void log(const std::vector<PlanarContact>& old, const std::vector<QuasistaticMode>& before) {
    for (std::size_t i = 0; i < now_.contacts.size(); ++i) {
      const PlanarContact& contact = now_.contacts[i];
      const auto known = std::ranges::find_if(
          old, [&](const PlanarContact& other) { return contact.same_features(other); });
      const QuasistaticMode mode = now_.motion.modes[i];
      if (known == old.end())
        run_.events.push_back({now_.t, "touch", contact.finger, contact.point});
      else if (nth(before, known - old.begin()) == mode)
        continue;
      run_.events.push_back({now_.t, std::string(name(mode)), contact.finger, contact.point});
    }
  }

  void record() { run_.records.push_back(now_); }

  const PlanarScene& scene_;
  const QuasistaticRunOptions& options_;
  RungeKutta integrator_;
  QuasistaticRecord now_;
  QuasistaticRun run_;
  int stalls_ = 0;  // steps in a row at whose start the modes end
};

}  // namespace

QuasistaticRun follow(const PlanarScene& scene, const QuasistaticRunOptions& options) {
  return Follower(scene, options).run();
}

}  // namespace pequod
