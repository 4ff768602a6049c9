#include "contact/problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "contact/loop_rows.h"

namespace pequod {
namespace {

// column += dᵀ J of the link's point, in the island's numbering.
void add_row(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
             const Vector3d& d, std::span<const int> tree_offset, Eigen::Ref<VectorXd> column) {
  if (link < 0) return;
  const Link& description = model.links[static_cast<std::size_t>(link)];
  const auto t = static_cast<std::size_t>(description.tree);
  const int shift = tree_offset[t] - model.trees[t].first_v;
  const Vector3d moment = (p_W - kin.origins[t]).cross(d);
  const Joint& joint = description.joint;
  const Joint& root = model.links[static_cast<std::size_t>(model.trees[t].first_link)].joint;
  const int base = root.type == JointType::free ? root.v_index + velocity_count(root.type) : 0;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= base;
       i = model.dof_parent[static_cast<std::size_t>(i)])
    column[i + shift] += kin.S.col(i).head<3>().dot(moment) + kin.S.col(i).tail<3>().dot(d);
  if (base == 0) return;
  // Columns of a free base are unit vectors.
  column.segment<3>(root.v_index + shift) += moment;
  column.segment<3>(root.v_index + shift + 3) += d;
}

// column ← L⁻ᵀ column for the trees of the contact's two links.
void to_metric(const Model& model, const MassFactor& factor, const Contact& contact,
               std::span<const int> tree_offset, Eigen::Ref<VectorXd> column) {
  const int a = tree_of(model, contact.link_a), b = tree_of(model, contact.link_b);
  for (const int tree : {a, b == a ? -1 : b}) {
    if (tree < 0) continue;
    const auto t = static_cast<std::size_t>(tree);
    factor.solve_L_transposed(
        model, tree, {column.data() + tree_offset[t], static_cast<std::size_t>(model.trees[t].nv)});
  }
}

// The same for the three rows of a contact at once.
void rows_to_metric(const Model& model, const MassFactor& factor, const Contact& contact,
                    std::span<const int> tree_offset, const std::array<double*, 3>& columns) {
  const int a = tree_of(model, contact.link_a), b = tree_of(model, contact.link_b);
  for (const int tree : {a, b == a ? -1 : b}) {
    if (tree < 0) continue;
    const int offset = tree_offset[static_cast<std::size_t>(tree)];
    factor.solve_L_transposed(model, tree,
                              {columns[0] + offset, columns[1] + offset, columns[2] + offset});
  }
}

// Whether one of the link's joints moves its point along d by more than rounding, see kNoMotion.
bool moves_along(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                 std::span<const int> tree_offset, const Eigen::Ref<const VectorXd>& column) {
  if (link < 0) return false;
  const Link& description = model.links[static_cast<std::size_t>(link)];
  const auto t = static_cast<std::size_t>(description.tree);
  const int shift = tree_offset[t] - model.trees[t].first_v;
  const double arm = (p_W - kin.origins[t]).norm();
  const Joint& joint = description.joint;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= 0;
       i = model.dof_parent[static_cast<std::size_t>(i)]) {
    const double speed = kin.S.col(i).head<3>().norm() * arm + kin.S.col(i).tail<3>().norm();
    if (std::abs(column[i + shift]) > kNoMotion * speed) return true;
  }
  return false;
}

// column += the row along d of the contact's relative velocity, or nothing if that is rounding.
void add_relative_row(const Model& model, const Kinematics& kin, const Contact& contact,
                      const Vector3d& d, std::span<const int> tree_offset,
                      Eigen::Ref<VectorXd> column) {
  add_row(model, kin, contact.link_b, contact.p_W, d, tree_offset, column);
  add_row(model, kin, contact.link_a, contact.p_W, -d, tree_offset, column);
  if (!moves_along(model, kin, contact.link_b, contact.p_W, tree_offset, column) &&
      !moves_along(model, kin, contact.link_a, contact.p_W, tree_offset, column))
    column.setZero();
}

// column += the row of the contact's gap.
void add_normal(const Model& model, const Kinematics& kin, const Contact& contact,
                std::span<const int> tree_offset, Eigen::Ref<VectorXd> column) {
  if (!is_joint_limit(contact.key)) {
    add_relative_row(model, kin, contact, contact.n_W, tree_offset, column);
    return;
  }
  const Link& link = model.links[static_cast<std::size_t>(contact.link_b)];
  const auto t = static_cast<std::size_t>(link.tree);
  column[link.joint.v_index - model.trees[t].first_v + tree_offset[t]] += contact.sign;
}

// Coordinates at which the rows of a contact may have entries: those of its trees. Loops that are
// taken off spread them over the island.
Stretches stretches_of(const Model& model, const Island& island, std::span<const int> tree_offset,
                       const Contact& contact) {
  if (!island.loops.empty()) return {{{0, island.m}, {}}};
  const int a = tree_of(model, contact.link_a), b = tree_of(model, contact.link_b);
  const auto stretch = [&](int tree) -> Stretch {
    if (tree < 0) return {};
    const auto t = static_cast<std::size_t>(tree);
    return {tree_offset[t], tree_offset[t] + model.trees[t].nv};
  };
  const int first = std::min(a, b), second = std::max(a, b);
  if (first < 0 || first == second) return {stretch(second), {}};
  return {stretch(first), stretch(second)};
}

// Appends what the problem knows of a contact, and the row of its gap, not yet in the metric.
void append_contact(const Model& model, const Kinematics& kin, const Contact& contact,
                    std::span<const int> tree_offset, const Stretches& stretches,
                    ContactProblem& problem) {
  const bool limit = is_joint_limit(contact.key);
  problem.limit.push_back(limit ? 1 : 0);
  problem.friction.push_back(limit ? 0.0 : contact.surface.friction);
  problem.viscous.push_back(limit ? 0.0 : contact.surface.viscous);
  add_normal(model, kin, contact, tree_offset, problem.normals.append(stretches));
}

// Appends the rows of its tangents, zero for a joint limit.
void append_tangents(const Model& model, const Kinematics& kin, const Contact& contact,
                     std::span<const int> tree_offset, const Stretches& stretches,
                     ColumnBuffer& tangents) {
  for (const Vector3d& d : {contact.s_W, contact.t_W}) {
    Eigen::Ref<VectorXd> column = tangents.append(stretches);
    if (!is_joint_limit(contact.key)) add_relative_row(model, kin, contact, d, tree_offset, column);
  }
}

// The rows of the island's loops, which are taken off the normals.
void assemble_loops(const Model& model, const Kinematics& kin, const MassFactor& factor,
                    const Island& island, ContactProblem& problem) {
  problem.loops.reset(0);
  if (island.loops.empty()) return;
  assemble_loop_rows(model, kin, factor, island, problem);
  take_off_loops(problem.loops, problem.normals, problem.normals_in_loops);
}

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

// Whether a tangent of contact i is next to nothing beside its other rows: of a body that is
// guided, what is left of it may repeat the other tangent.
bool has_short_tangent(const ContactProblem& problem, int i) {
  const double s = std::sqrt(problem.tangents.squared_norm(2 * i));
  const double t = std::sqrt(problem.tangents.squared_norm(2 * i + 1));
  const double shortest = std::min(s, t);
  const double longest = std::max({s, t, std::sqrt(problem.normals.squared_norm(i))});
  return shortest > 0.0 && shortest < kShortRow * longest;
}

// Few contacts touch the same two links: every pair of these is looked at.
void find_patches(std::span<const Contact> contacts, const Island& island,
                  ContactProblem& problem) {
  const auto contact_at = [&](int i) -> const Contact& {
    return contacts[static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)])];
  };
  // Workspace only. Contacts but joint limits by their links, those of the same in their order.
  thread_local std::vector<std::array<int, 3>> by_links;
  by_links.clear();
  for (int i = 0; i < problem.n; ++i)
    if (!problem.limit[static_cast<std::size_t>(i)])
      by_links.push_back({contact_at(i).link_a, contact_at(i).link_b, i});
  std::sort(by_links.begin(), by_links.end());
  problem.patch.resize(static_cast<std::size_t>(problem.n));
  std::iota(problem.patch.begin(), problem.patch.end(), 0);
  problem.crowded = false;
  const auto same_links = [](const std::array<int, 3>& x, const std::array<int, 3>& y) {
    return x[0] == y[0] && x[1] == y[1];
  };
  for (std::size_t k = 0, group = 0; k < by_links.size(); ++k) {
    if (!same_links(by_links[group], by_links[k])) group = k;
    if (k > group) problem.crowded = true;
    const int i = by_links[k][2];
    for (std::size_t l = group; l < k; ++l) {
      const int first = by_links[l][2];
      if (problem.patch[static_cast<std::size_t>(first)] != first ||
          !move_alike(contact_at(first), first, contact_at(i), i, problem))
        continue;
      problem.patch[static_cast<std::size_t>(i)] = first;
      break;
    }
  }
}

}  // namespace

void ContactProblem::add_impulse(int i, const double* r, VectorXd& out) const {
  if (in_bodies()) return bodies.add(i, r, out);
  normals.add(i, r[0], out);
  tangents.add(2 * i, r[1], out);
  tangents.add(2 * i + 1, r[2], out);
}

void clear_problem(const Island& island, ContactProblem& problem) {
  problem.has_basis = false;
  problem.m = island.m;
  problem.n = static_cast<int>(island.contacts.size());
  problem.normals.reset(island.m);
  problem.tangents.reset(island.m);
  problem.bodies.clear();
  problem.limit.clear();
  problem.friction.clear();
  problem.viscous.clear();
  problem.step = 0.0;
  problem.joints.reset(island.m);
  problem.bound.clear();
  problem.slide.clear();
}

bool holds_patch(const ContactProblem& problem, std::span<const char> set, int i) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  if (!set[at(i)] || problem.limit[at(i)]) return false;
  for (int j = problem.patch[at(i)]; j < i; ++j)
    if (set[at(j)] && problem.patch[at(j)] == problem.patch[at(i)]) return false;
  return true;
}

void assemble_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                      std::span<const Contact> contacts, const Island& island,
                      std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    append_contact(model, kin, contact, tree_offset,
                   stretches_of(model, island, tree_offset, contact), problem);
    to_metric(model, factor, contact, tree_offset,
              problem.normals.col(problem.normals.columns() - 1));
  }
  assemble_loops(model, kin, factor, island, problem);
}

void assemble_sparse_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                             std::span<const Contact> contacts, const Island& island,
                             std::span<const int> tree_offset, SparseColumns& columns) {
  thread_local ColumnBuffer normal;  // workspace only
  columns.reset(island.m);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    normal.reset(island.m);
    normal.append(stretches_of(model, island, tree_offset, contact));
    add_normal(model, kin, contact, tree_offset, normal.col(0));
    to_metric(model, factor, contact, tree_offset, normal.col(0));
    append_column(normal, 0, columns);
  }
}

void assemble_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                   std::span<const Contact> contacts, const Island& island,
                   std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    const Stretches stretches = stretches_of(model, island, tree_offset, contact);
    append_contact(model, kin, contact, tree_offset, stretches, problem);
    append_tangents(model, kin, contact, tree_offset, stretches, problem.tangents);
    const Eigen::Index i = problem.normals.columns() - 1;
    rows_to_metric(model, factor, contact, tree_offset,
                   {problem.normals.col(i).data(), problem.tangents.col(2 * i).data(),
                    problem.tangents.col(2 * i + 1).data()});
  }
  assemble_loops(model, kin, factor, island, problem);
  if (!island.loops.empty())
    take_off_loops(problem.loops, problem.tangents, problem.tangents_in_loops);
  find_patches(contacts, island, problem);
  problem.crowded = problem.crowded || !island.loops.empty();
  for (int i = 0; i < problem.n && !problem.crowded; ++i)
    problem.crowded = has_short_tangent(problem, i);
}

void assemble_joint_rows(const Model& model, const MassFactor& factor, const Island& island,
                         std::span<const int> tree_offset, ContactProblem& problem) {
  problem.joints.reset(island.m);
  problem.bound.clear();
  problem.slide.assign(island.joints.size(), 0);
  for (const int joint : island.joints) {
    const Link& link =
        model.links[static_cast<std::size_t>(model.dof_link[static_cast<std::size_t>(joint)])];
    const auto t = static_cast<std::size_t>(link.tree);
    Eigen::Ref<VectorXd> column = problem.joints.append();
    column[joint - model.trees[t].first_v + tree_offset[t]] = 1.0;
    factor.solve_L_transposed(
        model, link.tree,
        {column.data() + tree_offset[t], static_cast<std::size_t>(model.trees[t].nv)});
    problem.bound.push_back(link.joint.friction);
  }
  problem.rest.setZero(problem.joints.columns());
  if (!island.loops.empty()) take_off_loops(problem.loops, problem.joints, problem.joints_in_loops);
}

}  // namespace pequod
