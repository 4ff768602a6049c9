#include <array>
#include <stdexcept>
#include <string>

#include "contact/models/contact_model.h"

namespace pequod {
namespace {

using SolveByLeastDistance = void (*)(const ContactProblem&, const LeastDistanceSolver&,
                                      std::span<const int>, ContactWorkspace&, ContactSolution&);

void hold_by_least_distance(const ContactProblem& problem, const ContactSolver& solver,
                            const VectorXd& pressed, ContactWorkspace& workspace,
                            ContactSolution& solution) {
  hold_pressed(problem, solver.least_distance, pressed, workspace, solution);
}

template <SolveByLeastDistance Solve>
void by_least_distance(const ContactProblem& problem, const ContactSolver& solver,
                       std::span<const int> warm, ContactWorkspace& workspace,
                       ContactSolution& solution) {
  Solve(problem, solver.least_distance, warm, workspace, solution);
}

}  // namespace

std::span<const ContactModel> contact_models() {
  using enum ContactLevel;
  using enum SolverFamily;
  using enum StageFriction;
  static constexpr std::array<ContactModel, 8> table{{
      {"frictionless", acceleration, none, false, least_distance, "Baraff 1994, sec. 4",
       "no friction; impacts frictionless", by_least_distance<solve_frictionless>, nullptr},
      {"viscous", acceleration, none, true, least_distance, "Drumwright 2015, sec. IV",
       "friction mu_v times slip velocity, mu_c ignored; impacts frictionless",
       by_least_distance<solve_frictionless>, nullptr},
      {"no-slip", velocity, no_slip, false, least_distance, "Drumwright 2015, sec. V",
       "infinite friction, mu_c and mu_v ignored", by_least_distance<solve_no_slip>,
       hold_by_least_distance},
      {"coulomb", velocity, StageFriction::coulomb, false, friction,
       "Acary & Brogliato 2008; Le Lidec et al. 2023",
       "the true cone, normal velocity zero while sliding; mu_v ignored", solve_coulomb_cones,
       rub_in_cones, ContactModel::Bodies::all},
      {"baraff", acceleration, per_row, false, friction, "Baraff 1994",
       "static friction bounded along each tangent, dynamic friction against the slip; impacts as "
       "coulomb; mu_v ignored",
       solve_coulomb_cones, rub_in_cones},
      {"drumwright-shell", velocity, none, false, dissipation,
       "Drumwright & Shell 2010, QP 1 to QP 4",
       "most dissipation over the true cone, no harder pushes than without friction; sliding "
       "contacts may lift",
       solve_drumwright_shell, rub_in_cones, ContactModel::Bodies::bounded},
      {"stewart-trinkle", velocity, none, false, pyramid, "Stewart & Trinkle 1996",
       "friction pyramids of contact.edges edges, else as coulomb", solve_stewart_trinkle,
       rub_in_pyramids, ContactModel::Bodies::bounded},
      {"anitescu-potra", velocity, none, false, pyramid, "Anitescu & Potra 1997",
       "friction pyramids of contact.edges edges; contacts that touch alone, none that will",
       solve_anitescu_potra, rub_in_pyramids},
  }};
  return table;
}

std::string_view level_name(ContactLevel level) {
  return level == ContactLevel::velocity ? "velocity" : "acceleration";
}

bool has_level(const ContactModel& model, ContactLevel level) {
  return level == model.level ||
         (level == ContactLevel::acceleration && model.friction != StageFriction::none);
}

ContactModel at_level(const ContactModel& model, ContactLevel level) {
  if (!has_level(model, level))
    throw std::invalid_argument(std::string(model.name) + " acts at the " +
                                std::string(level_name(model.level)) + " level alone" +
                                (level == ContactLevel::velocity
                                     ? ": its forces act in every stage of the integrator"
                                     : ": it is defined by impulses over a step"));
  ContactModel at = model;
  at.level = level;
  return at;
}

const ContactModel* find_contact_model(std::string_view name) {
  for (const ContactModel& model : contact_models())
    if (model.name == name) return &model;
  return nullptr;
}

}  // namespace pequod
