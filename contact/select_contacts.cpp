#include "contact/select_contacts.h"

#include <vector>

namespace pequod {
namespace {

// `each` columns of every contact that is chosen.
void select_columns(const ColumnBuffer& whole, int each, std::span<const int> chosen,
                    ColumnBuffer& part) {
  part.reset(whole.matrix().rows());
  if (whole.columns() == 0) return;
  for (const int i : chosen)
    for (int j = each * i; j < each * (i + 1); ++j) part.append(whole, j);
}

template <typename T>
void select_entries(const std::vector<T>& whole, std::span<const int> chosen,
                    std::vector<T>& part) {
  part.clear();
  if (whole.empty()) return;
  for (const int i : chosen) part.push_back(nth(whole, i));
}

// A patch is known by its first contact: of those chosen, as they are numbered now.
void select_patches(const std::vector<int>& whole, std::span<const int> chosen,
                    std::vector<int>& part) {
  part.clear();
  if (whole.empty()) return;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::size_t first = 0;
    while (nth(whole, chosen[first]) != nth(whole, chosen[i])) ++first;
    part.push_back(static_cast<int>(first));
  }
}

}  // namespace

void select_contacts(const ContactProblem& whole, std::span<const int> chosen,
                     ContactProblem& part) {
  part.m = whole.m;
  part.n = static_cast<int>(chosen.size());
  select_columns(whole.normals, 1, chosen, part.normals);
  select_columns(whole.tangents, 2, chosen, part.tangents);
  select_columns(whole.normals_in_loops, 1, chosen, part.normals_in_loops);
  select_columns(whole.tangents_in_loops, 2, chosen, part.tangents_in_loops);
  part.y = whole.y;
  part.c.resize(part.n);
  const bool forces = whole.force.size() == 3 * whole.n;
  part.force.resize(forces ? 3 * part.n : 0);
  for (int k = 0; k < part.n; ++k) {
    const int i = nth(chosen, k);
    part.c[k] = whole.c[i];
    if (forces) part.force.segment<3>(3 * k) = whole.force.segment<3>(3 * i);
  }
  select_entries(whole.limit, chosen, part.limit);
  select_patches(whole.patch, chosen, part.patch);
  part.crowded = whole.crowded;
  part.limbs.clear();
  part.has_basis = false;
  select_entries(whole.friction, chosen, part.friction);
  select_entries(whole.viscous, chosen, part.viscous);
  part.step = whole.step;
  part.joints = whole.joints;
  part.bound = whole.bound;
  part.slide = whole.slide;
  part.rest = whole.rest;
  part.loops = whole.loops;
  part.joints_in_loops = whole.joints_in_loops;
}

}  // namespace pequod
