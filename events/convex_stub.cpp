#include <stdexcept>

#include "events/convex_contacts.h"
namespace pequod {
void find_convex_contacts(const Cylinder&, const Cylinder&, const ContactSink&) {
  throw std::invalid_argument("contact of two convex bodies is not supported yet");
}
double convex_distance(const Cylinder&, const Cylinder&, const Pose&) {
  throw std::invalid_argument("contact of two convex bodies is not supported yet");
}
}  // namespace pequod
