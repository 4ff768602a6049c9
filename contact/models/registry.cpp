#include <array>

#include "contact/models/contact_model.h"

namespace pequod {

std::span<const ContactModel> contact_models() {
  static constexpr std::array<ContactModel, 3> table{{
      {"frictionless", ContactLevel::acceleration, false, "Baraff 1994, sec. 4",
       "no friction; impacts frictionless", solve_frictionless},
      {"viscous", ContactLevel::acceleration, true, "Drumwright 2015, sec. IV",
       "friction mu_v times slip velocity, mu_c ignored; impacts frictionless", solve_frictionless},
      {"no-slip", ContactLevel::velocity, false, "Drumwright 2015, sec. V",
       "infinite friction, mu_c and mu_v ignored", solve_no_slip},
  }};
  return table;
}

const ContactModel* find_contact_model(std::string_view name) {
  for (const ContactModel& model : contact_models())
    if (model.name == name) return &model;
  return nullptr;
}

}  // namespace pequod
