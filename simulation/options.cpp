#include "simulation/options.h"

namespace pequod {

ContactLevel contact_level(const ContactModel& model, const ContactOptions& contact,
                           const IntegratorOptions& integrator) {
  if (contact.level == level_name(ContactLevel::acceleration)) return ContactLevel::acceleration;
  if (contact.level == level_name(ContactLevel::velocity)) return ContactLevel::velocity;
  const bool impulses =
      integrator.method == "symplectic-euler" || contact.scheme == "time-stepping";
  return impulses || !has_level(model, ContactLevel::acceleration) ? model.level
                                                                   : ContactLevel::acceleration;
}

}  // namespace pequod
