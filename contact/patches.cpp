#include "contact/patches.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace pequod {
namespace {

// Contacts of the same two links are one patch if the rows of their velocities differ by less, as
// a share of the rows (L⁻ᵀ Jᵀ, all directions). Tangents held twice there would ask for couples
// with a tiny arm, and their multipliers would lose as many digits. Normals may differ (a ball in
// a crease of the ground), and all of them are kept.
constexpr double kPatch = 1e-3;

// Whether the material points of two contacts of the same links move alike: along each world axis
// the row of contact i is n nᵢ + s sᵢ + t tᵢ.
bool move_alike(const Contact& a, int i, const Contact& b, int j, const ContactProblem& problem) {
  const auto row_of = [&](const Contact& contact, int k, Eigen::Index row) -> Vector3d {
    return problem.normals.col(k)[row] * contact.n_W +
           problem.tangents.col(2 * k)[row] * contact.s_W +
           problem.tangents.col(2 * k + 1)[row] * contact.t_W;
  };
  double size = 0.0, apart = 0.0;
  for (const auto& [begin, end] : problem.normals.stretches(i)) {
    for (Eigen::Index row = begin; row < end; ++row) {
      const Vector3d x = row_of(a, i, row);
      size += x.squaredNorm();
      apart += (x - row_of(b, j, row)).squaredNorm();
    }
  }
  return apart < kPatch * kPatch * size;
}

// Of two material points, whose difference has three directions.
constexpr int kFree = 3;

// Coordinates of the joints from one link to another, −1 the world, counted up to kFree.
int motions_between(const Model& model, int a, int b) {
  int motions = 0;
  while (a != b && motions < kFree) {  // a link comes behind its parent
    int& farther = a > b ? a : b;
    const Link& link = nth(model.links, farther);
    motions += velocity_count(link.joint.type);
    farther = link.parent;
  }
  return motions;
}

}  // namespace

void find_patches(std::span<const Contact> contacts, const Island& island,
                  ContactProblem& problem) {
  const auto contact_at = [&](int i) -> const Contact& {
    return nth(contacts, nth(island.contacts, i));
  };
  problem.patch.resize(static_cast<std::size_t>(problem.n));
  std::iota(problem.patch.begin(), problem.patch.end(), 0);
  problem.crowded = false;
  if (problem.n < 2) return;
  // Workspace only. Contacts but joint limits by their links, whichever is listed first, those of
  // the same in their order.
  thread_local std::vector<std::array<int, 3>> by_links;
  by_links.clear();
  for (int i = 0; i < problem.n; ++i)
    if (!nth(problem.limit, i)) {
      const auto [first, second] = std::minmax(contact_at(i).link_a, contact_at(i).link_b);
      by_links.push_back({first, second, i});
    }
  std::sort(by_links.begin(), by_links.end());
  const auto same_links = [](const std::array<int, 3>& x, const std::array<int, 3>& y) {
    return x[0] == y[0] && x[1] == y[1];
  };
  for (std::size_t k = 0, group = 0; k < by_links.size(); ++k) {
    if (!same_links(by_links[group], by_links[k])) group = k;
    if (k > group) problem.crowded = true;
    const int i = by_links[k][2];
    for (std::size_t l = group; l < k; ++l) {
      const int first = by_links[l][2];
      if (nth(problem.patch, first) != first ||
          !move_alike(contact_at(first), first, contact_at(i), i, problem))
        continue;
      nth(problem.patch, i) = first;
      break;
    }
  }
}

bool hang_together(const Model& model, std::span<const Contact> contacts, const Island& island) {
  const auto& these = island.contacts;
  const auto is_hinged = [&](int link) {
    return link >= 0 && velocity_count(nth(model.links, link).joint.type) < kFree;
  };
  // The first joint from one link to another is that of one of them.
  if (std::ranges::none_of(these, [&](int i) {
        return is_hinged(nth(contacts, i).link_a) || is_hinged(nth(contacts, i).link_b);
      }))
    return false;
  for (std::size_t i = 0; i < these.size(); ++i) {
    const Contact& x = nth(contacts, these[i]);
    if (is_joint_limit(x.key)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      const Contact& y = nth(contacts, these[j]);
      if (is_joint_limit(y.key)) continue;
      const auto apart = [&](int a, int b) {
        return motions_between(model, x.link_a, a) + motions_between(model, x.link_b, b);
      };
      if (std::min(apart(y.link_a, y.link_b), apart(y.link_b, y.link_a)) < kFree) return true;
    }
  }
  return false;
}

bool holds_patch(const ContactProblem& problem, std::span<const char> set, int i) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  if (!set[at(i)] || problem.limit[at(i)]) return false;
  for (int j = problem.patch[at(i)]; j < i; ++j)
    if (set[at(j)] && problem.patch[at(j)] == problem.patch[at(i)]) return false;
  return true;
}

}  // namespace pequod
