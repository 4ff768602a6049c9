#include "contact/solvers/friction/dissipation/dissipation_point.h"

#include <cmath>

namespace pequod {
namespace {

using Contact = DissipationPoint::Contact;

// Calls visit(contact, record, normal row, row of its cone or bound, entries of that).
template <typename Contacts, typename Visit>
void for_contacts(std::span<const int> names, const ConeRows& rows, Contacts& contacts,
                  const Visit& visit) {
  const int n = static_cast<int>(names.size());
  int bound = n + 1, cone = static_cast<int>(rows.c.size());
  for (int i = 0; i < n; ++i) {
    const bool rubs = rows.mu[i] > 0.0;
    visit(i, contacts[names[i]], rubs ? cone : bound, rubs ? 3 : 1);
    rubs ? cone += 3 : bound += 1;
  }
}

// Root of the mean product of a slack and its multiplier over the contacts that have some.
double mean_root(const DissipationPoint& point) {
  double sum = point.sum_slack * point.sum_multiplier;
  int count = 1;
  for (const Contact& contact : point.contacts) {
    if (!(contact.multiplier > 0.0)) continue;
    sum += contact.slack * contact.multiplier + contact.cone_slack.dot(contact.cone_multiplier);
    count += 2;
  }
  return std::sqrt(sum / count);
}

}  // namespace

void take_up(const DissipationPoint& point, std::span<const int> names, const ConeRows& rows,
             ConePoint& at) {
  const auto n = static_cast<Index>(names.size());
  const Index size = rows.c.size() + 3 * static_cast<Index>(rows.cones.size());
  at.x.resize(3 * n);
  at.s.resize(size);
  at.z.resize(size);
  at.s[n] = point.sum_slack;
  at.z[n] = point.sum_multiplier;
  const double mean = mean_root(point);
  for_contacts(names, rows, point.contacts, [&](int i, const Contact& known, int row, int width) {
    Contact contact = known;
    if (!(contact.multiplier > 0.0)) {
      contact.rho[0] = mean / (rows.mu[i] > 0.0 ? rows.mu[i] : 1.0);
      contact.slack = contact.multiplier = contact.cone_slack[0] = contact.cone_multiplier[0] =
          mean;
    }
    at.x.segment<3>(3 * i) = contact.rho;
    at.s[i] = contact.slack;
    at.z[i] = contact.multiplier;
    at.s.segment(row, width) = contact.cone_slack.head(width);
    at.z.segment(row, width) = contact.cone_multiplier.head(width);
  });
}

void keep(const ConePoint& at, std::span<const int> names, const ConeRows& rows,
          DissipationPoint& point) {
  const auto n = static_cast<Index>(names.size());
  point.sum_slack = at.s[n];
  point.sum_multiplier = at.z[n];
  for_contacts(names, rows, point.contacts, [&](int i, Contact& contact, int row, int width) {
    contact = {};
    contact.rho = at.x.segment<3>(3 * i);
    contact.slack = at.s[i];
    contact.multiplier = at.z[i];
    contact.cone_slack.head(width) = at.s.segment(row, width);
    contact.cone_multiplier.head(width) = at.z.segment(row, width);
  });
}

}  // namespace pequod
