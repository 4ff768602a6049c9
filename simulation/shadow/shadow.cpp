#include "simulation/shadow/shadow.h"

#include <algorithm>
#include <exception>

namespace pequod {
namespace {

// A contact's impulse, N·s: of a step on b in world axes, of an impact its sizes along the normal
// and along the surface.
struct KeyedImpulse {
  ContactKey key;
  Vector3d impulse;
};

// What one model makes of a problem.
struct ShadowAnswer {
  VectorXd v;  // after the impulses
  std::vector<KeyedImpulse> impulses;
  double loss = 0.0;  // J
  double residual = 0.0;
  std::string reason;
};

Vector3d impulse_of(const std::vector<KeyedImpulse>& impulses, const ContactKey& key) {
  Vector3d sum = Vector3d::Zero();
  for (const KeyedImpulse& one : impulses)
    if (one.key == key) sum += one.impulse;
  return sum;
}

// Those of `more` that are not there yet.
void add_keys(const std::vector<KeyedImpulse>& more, std::vector<ContactKey>& keys) {
  for (const KeyedImpulse& one : more)
    if (std::ranges::find(keys, one.key) == keys.end()) keys.push_back(one.key);
}

void compare_impulses(const ShadowAnswer& own, const ShadowAnswer& other, ShadowRow& row) {
  std::vector<ContactKey> keys;
  add_keys(own.impulses, keys);
  add_keys(other.impulses, keys);
  double largest = -1.0;
  for (const ContactKey& key : keys) {
    const Vector3d impulse = impulse_of(other.impulses, key);
    const double apart = (impulse - impulse_of(own.impulses, key)).norm();
    row.contacts += impulse.isZero(0.0) ? 0 : 1;
    row.impulse += impulse.norm();
    row.difference += apart;
    if (apart > largest) row.where = key;
    largest = std::max(largest, apart);
  }
}

// ½ (v − v')ᵀ M (v − v'). @param here  at the place of both
double energy_between(const Model& model, const Kinematics& here, const VectorXd& a,
                      const VectorXd& b) {
  Kinematics kin = here;
  const VectorXd apart = a - b;
  compute_velocities(model, apart, kin);
  return kinetic_energy(model, kin, apart);
}

}  // namespace

// One model.
class Shadows::Solver {
 public:
  Solver(const Scenario& scenario, const std::string& model)
      : scenario_(with_model(scenario, model)),
        world_(make_world(scenario_, {}, clock_)),
        stepper_(world_, make_method(world_, impulse_form(world_.contact), "symplectic-euler")),
        settle_(scenario_.model) {}

  [[nodiscard]] std::string_view name() const { return world_.contact.name; }
  [[nodiscard]] const Model& model() const { return scenario_.model; }
  [[nodiscard]] const Kinematics& at(const State& state) {
    stepper_.terms().at(state.q, state.v);
    return stepper_.terms().kinematics();
  }

  [[nodiscard]] ShadowAnswer step(const State& from, const Touching& touching, double span) {
    return guarded([&](ShadowAnswer& answer) {
      stepper_.terms().at(from.q, from.v);
      stepper_.begin(from, touching, from.loop.forced);
      const Trial& trial = stepper_.at(span);
      answer.v = trial.v_plus;
      answer.residual = trial.stats.residual;
      answer.loss = trial.work.friction + trial.work.impulse_friction + trial.work.impulse_normal;
      for (const ContactMode& mode : trial.state.mode)
        if (!mode.force_W.isZero(0.0)) answer.impulses.push_back({mode.key, span * mode.force_W});
    });
  }

  [[nodiscard]] ShadowAnswer impact(const State& from) {
    return guarded([&](ShadowAnswer& answer) {
      State state = from;
      Touching touching;
      std::vector<EventRow> rows;
      stepper_.terms().at(from.q, from.v);
      const Impacts impacts =
          resolve_impacts(world_, stepper_.terms(), state, touching, rows, lend(settle_));
      answer.v = state.v;
      answer.residual = impacts.stats.residual;
      answer.loss = state.ledger.impact_loss - from.ledger.impact_loss;
      for (const EventRow& row : rows)
        if (row.impulse_n != 0.0 || row.impulse_t != 0.0)
          answer.impulses.push_back({row.key, {row.impulse_n, row.impulse_t, 0.0}});
    });
  }

 private:
  // The run's own keeps its solver, the others have their default one. A step goes on with the
  // best impulses there are.
  static Scenario with_model(const Scenario& scenario, const std::string& model) {
    Scenario shadow = scenario;
    if (shadow.contact.model != model) shadow.contact.solver.clear();
    shadow.contact.model = model;
    shadow.contact.level.clear();
    shadow.contact.unsolved = "continue";
    shadow.integrator.method = "symplectic-euler";
    return shadow;
  }

  // A model that has no answer says so, and the run goes on.
  template <typename Function>
  static ShadowAnswer guarded(const Function& solve) {
    ShadowAnswer answer;
    try {
      solve(answer);
    } catch (const std::exception& error) {
      answer = {};
      answer.reason = error.what();
    }
    return answer;
  }

  Scenario scenario_;
  StepClock clock_;
  World world_;
  Stepper stepper_;
  SettleWorkspace settle_;
};

namespace {

// @param answers  of the solvers, the run's own first; without it there is nothing to compare with
template <typename Solvers>
std::vector<ShadowRow> rows_of(const State& from, double span, const Solvers& solvers,
                               const std::vector<ShadowAnswer>& answers) {
  std::vector<ShadowRow> rows;
  const ShadowAnswer& own = answers.front();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ShadowRow& row = rows.emplace_back();
    row.t = from.t;
    row.span = span;
    row.model = solvers[i]->name();
    row.reason = answers[i].reason.empty() ? own.reason : answers[i].reason;
    if (!row.reason.empty()) continue;
    row.loss = answers[i].loss;
    row.residual = answers[i].residual;
    compare_impulses(own, answers[i], row);
    if (i > 0)
      row.motion = energy_between(solvers[i]->model(), solvers[i]->at(from), answers[i].v, own.v);
  }
  return rows;
}

}  // namespace

Shadows::Shadows(const Scenario& scenario, std::span<const std::string> models) {
  solvers_.push_back(std::make_unique<Solver>(scenario, scenario.contact.model));
  for (const std::string& model : models)
    if (model != scenario.contact.model)
      solvers_.push_back(std::make_unique<Solver>(scenario, model));
}

Shadows::~Shadows() = default;

std::vector<ShadowRow> Shadows::step(const Stepper& taken) {
  const StepStart& start = taken.start();
  const double span = taken.trial().tau;
  if (start.touching.size() == 0 || !start.joined.empty()) return {};
  std::vector<ShadowAnswer> answers;
  answers.reserve(solvers_.size());
  for (const auto& solver : solvers_)
    answers.push_back(solver->step(start.state, start.touching, span));
  return rows_of(start.state, span, solvers_, answers);
}

std::vector<ShadowRow> Shadows::impact(const State& from) {
  std::vector<ShadowAnswer> answers;
  answers.reserve(solvers_.size());
  for (const auto& solver : solvers_) {
    answers.push_back(solver->impact(from));
    if (answers.size() == 1 && answers[0].reason.empty() && answers[0].impulses.empty()) return {};
  }
  return rows_of(from, 0.0, solvers_, answers);
}

}  // namespace pequod
