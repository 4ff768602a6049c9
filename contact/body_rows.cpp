// Rows of contacts between free bodies, six numbers for each.
#include <algorithm>
#include <array>
#include <numeric>

#include "contact/problem.h"

namespace pequod {
namespace {

// The rows of the link's point along n, s and t times `sign`, L⁻ᵀ Jᵀ: moments about the origin of
// the body's velocity, and forces.
void append_body(const Model& model, const Kinematics& kin, const MassFactor& factor,
                 const Contact& contact, int link, double sign, std::vector<double>& rows) {
  const std::size_t first = rows.size();
  rows.resize(first + kBodyRows);
  if (link < 0) return;
  const int tree = tree_of(model, link);
  const Vector3d arm = contact.p_W - nth(kin.origins, tree);
  std::array<Abreast, kBodyWidth> abreast;
  abreast.fill(Abreast::Zero());
  const std::array<const Vector3d*, 3> directions{&contact.n_W, &contact.s_W, &contact.t_W};
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Vector3d& d = *nth(directions, k);
    const Vector3d moment = sign * arm.cross(d), force = sign * d;
    for (std::size_t i = 0; i < 3; ++i) {
      abreast[i][k] = moment[static_cast<Eigen::Index>(i)];
      abreast[i + 3][k] = force[static_cast<Eigen::Index>(i)];
    }
  }
  factor.solve_L_transposed(model, tree, abreast);
  double* row = rows.data() + first;
  for (Eigen::Index k = 0; k < 3; ++k)
    for (const Abreast& coordinate : abreast) *row++ = coordinate[k];
}

}  // namespace

bool has_free_bodies(const Model& model, std::span<const Contact> contacts, const Island& island) {
  const auto is_free = [&](int tree) { return is_free_body(model, tree); };
  const auto is_limit = [&](int i) { return is_joint_limit(nth(contacts, i).key); };
  return island.loops.empty() && island.joints.empty() &&
         std::ranges::all_of(island.trees, is_free) &&
         std::ranges::none_of(island.contacts, is_limit);
}

void assemble_body_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        std::span<const Contact> contacts, const Island& island,
                        std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  const auto block_of = [&](int link) {
    const int tree = tree_of(model, link);
    return tree < 0 ? -1 : nth(tree_offset, tree) / kBodyWidth;
  };
  for (const int index : island.contacts) {
    const Contact& contact = nth(contacts, index);
    const int a = block_of(contact.link_a), b = block_of(contact.link_b);
    const bool a_first = b < 0 || (a >= 0 && a < b);
    std::vector<double>& rows = problem.bodies.rows;
    if (a_first) append_body(model, kin, factor, contact, contact.link_a, -1.0, rows);
    append_body(model, kin, factor, contact, contact.link_b, 1.0, rows);
    if (!a_first) append_body(model, kin, factor, contact, contact.link_a, -1.0, rows);
    problem.bodies.on.push_back(a_first ? std::array{a, b} : std::array{b, a});
    problem.limit.push_back(0);
    problem.friction.push_back(contact.surface.friction);
    problem.viscous.push_back(contact.surface.viscous);
  }
  problem.patch.resize(static_cast<std::size_t>(problem.n));
  std::iota(problem.patch.begin(), problem.patch.end(), 0);
}

}  // namespace pequod
