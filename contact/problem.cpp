#include "contact/problem.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "contact/loop_rows.h"

namespace pequod {
namespace {

int find_root(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    parent[static_cast<std::size_t>(i)] =
        parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    i = parent[static_cast<std::size_t>(i)];
  }
  return i;
}

int tree_of(const Model& model, int link) {
  return link < 0 ? -1 : model.links[static_cast<std::size_t>(link)].tree;
}

// A moving link's tree: every contact and every loop has at least one.
template <typename Joined>
int any_tree(const Model& model, const Joined& joined) {
  const int b = tree_of(model, joined.link_b);
  return b >= 0 ? b : tree_of(model, joined.link_a);
}

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

void clear_problem(const Island& island, ContactProblem& problem) {
  problem.has_basis = false;
  problem.m = island.m;
  problem.n = static_cast<int>(island.contacts.size());
  problem.normals.reset(island.m);
  problem.tangents.reset(island.m);
  problem.limit.clear();
  problem.friction.clear();
  problem.viscous.clear();
  problem.step = 0.0;
  problem.joints.reset(island.m);
  problem.bound.clear();
  problem.slide.clear();
}

// Appends what the problem knows of a contact, and the row of its gap, not yet in the metric.
void append_contact(const Model& model, const Kinematics& kin, const Contact& contact,
                    std::span<const int> tree_offset, ContactProblem& problem) {
  const bool limit = is_joint_limit(contact.key);
  problem.limit.push_back(limit ? 1 : 0);
  problem.friction.push_back(limit ? 0.0 : contact.surface.friction);
  problem.viscous.push_back(limit ? 0.0 : contact.surface.viscous);
  add_normal(model, kin, contact, tree_offset, problem.normals.append());
}

// Appends the rows of its tangents, zero for a joint limit.
void append_tangents(const Model& model, const Kinematics& kin, const Contact& contact,
                     std::span<const int> tree_offset, ColumnBuffer& tangents) {
  for (const Vector3d& d : {contact.s_W, contact.t_W}) {
    Eigen::Ref<VectorXd> column = tangents.append();
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

template <typename Operation>
void for_each_tree(const Model& model, const Island& island, VectorXd& x, const Operation& apply) {
  int offset = 0;
  for (const int tree : island.trees) {
    const int nv = model.trees[static_cast<std::size_t>(tree)].nv;
    apply(tree, std::span<double>(x.data() + offset, static_cast<std::size_t>(nv)));
    offset += nv;
  }
}

void add_island(std::vector<Island>& islands, std::vector<Island>& spare) {
  if (spare.empty()) {
    islands.emplace_back();
    return;
  }
  islands.push_back(std::move(spare.back()));
  spare.pop_back();
  islands.back().trees.clear();
  islands.back().contacts.clear();
  islands.back().joints.clear();
  islands.back().loops.clear();
  islands.back().m = 0;
}

// Whether the material points of two contacts of the same links move alike: along each world axis
// the row of contact i is n nᵢ + s sᵢ + t tᵢ.
bool move_alike(const Contact& a, int i, const Contact& b, int j, const ContactProblem& problem) {
  double size = 0.0, apart = 0.0;
  for (int row = 0; row < problem.m; ++row) {
    const Vector3d x = problem.normals.col(i)[row] * a.n_W +
                       problem.tangents.col(2 * i)[row] * a.s_W +
                       problem.tangents.col(2 * i + 1)[row] * a.t_W;
    const Vector3d y = problem.normals.col(j)[row] * b.n_W +
                       problem.tangents.col(2 * j)[row] * b.s_W +
                       problem.tangents.col(2 * j + 1)[row] * b.t_W;
    size += x.squaredNorm();
    apart += (x - y).squaredNorm();
  }
  return apart < kPatch * kPatch * size;
}

// Whether a tangent of contact i is next to nothing beside its other rows: of a body that is
// guided, what is left of it may repeat the other tangent.
bool has_short_tangent(const ContactProblem& problem, int i) {
  const double s = problem.tangents.col(2 * i).norm(), t = problem.tangents.col(2 * i + 1).norm();
  const double shortest = std::min(s, t), longest = std::max({s, t, problem.normals.col(i).norm()});
  return shortest > 0.0 && shortest < kShortRow * longest;
}

// Few contacts touch the same two links: every pair is looked at.
void find_patches(std::span<const Contact> contacts, const Island& island,
                  ContactProblem& problem) {
  const auto contact_at = [&](int i) -> const Contact& {
    return contacts[static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)])];
  };
  problem.patch.clear();
  problem.crowded = false;
  for (int i = 0; i < problem.n; ++i) {
    int first = 0;
    for (; first < i; ++first) {
      const Contact& a = contact_at(first);
      const Contact& b = contact_at(i);
      if (is_joint_limit(a.key) || is_joint_limit(b.key)) continue;
      if (a.link_a != b.link_a || a.link_b != b.link_b) continue;
      problem.crowded = true;
      if (problem.patch[static_cast<std::size_t>(first)] == first &&
          move_alike(a, first, b, i, problem))
        break;
    }
    problem.patch.push_back(first);
  }
}

}  // namespace

bool holds_patch(const ContactProblem& problem, std::span<const char> set, int i) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  if (!set[at(i)] || problem.limit[at(i)]) return false;
  for (int j = problem.patch[at(i)]; j < i; ++j)
    if (set[at(j)] && problem.patch[at(j)] == problem.patch[at(i)]) return false;
  return true;
}

void find_islands(const Model& model, std::span<const Contact> contacts,
                  std::vector<Island>& islands, std::vector<int>& tree_offset,
                  std::span<const int> joints) {
  // Workspaces only: written before they are read. `spare` keeps the storage of former islands.
  thread_local std::vector<int> parent, island_of;
  thread_local std::vector<char> touched;
  thread_local std::vector<Island> spare;
  for (Island& island : islands) spare.push_back(std::move(island));
  islands.clear();
  tree_offset.assign(model.trees.size(), -1);
  if (contacts.empty() && joints.empty() && model.loops.empty()) return;
  parent.resize(model.trees.size());
  std::iota(parent.begin(), parent.end(), 0);
  island_of.assign(model.trees.size(), -1);
  touched.assign(model.trees.size(), 0);
  const auto join = [&](int link_a, int link_b) {
    const int a = tree_of(model, link_a), b = tree_of(model, link_b);
    for (const int tree : {a, b})
      if (tree >= 0) touched[static_cast<std::size_t>(tree)] = 1;
    if (a < 0 || b < 0) return;
    const int ra = find_root(parent, a), rb = find_root(parent, b);
    parent[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
  };
  for (const Contact& contact : contacts) join(contact.link_a, contact.link_b);
  for (const Loop& loop : model.loops) join(loop.link_a, loop.link_b);
  const auto joint_tree = [&](int joint) {
    return tree_of(model, model.dof_link[static_cast<std::size_t>(joint)]);
  };
  for (const int joint : joints) touched[static_cast<std::size_t>(joint_tree(joint))] = 1;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (!touched[t]) continue;
    const auto root = static_cast<std::size_t>(find_root(parent, static_cast<int>(t)));
    if (island_of[root] < 0) {
      island_of[root] = static_cast<int>(islands.size());
      add_island(islands, spare);
    }
    Island& island = islands[static_cast<std::size_t>(island_of[root])];
    tree_offset[t] = island.m;
    island.trees.push_back(static_cast<int>(t));
    island.m += model.trees[t].nv;
  }
  const auto island_with = [&](int tree) -> Island& {
    const int root = find_root(parent, tree);
    return islands[static_cast<std::size_t>(island_of[static_cast<std::size_t>(root)])];
  };
  for (std::size_t i = 0; i < contacts.size(); ++i)
    island_with(any_tree(model, contacts[i])).contacts.push_back(static_cast<int>(i));
  for (const int joint : joints) island_with(joint_tree(joint)).joints.push_back(joint);
  for (std::size_t i = 0; i < model.loops.size(); ++i)
    island_with(any_tree(model, model.loops[i])).loops.push_back(static_cast<int>(i));
}

void assemble_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                      std::span<const Contact> contacts, const Island& island,
                      std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    append_contact(model, kin, contact, tree_offset, problem);
    to_metric(model, factor, contact, tree_offset,
              problem.normals.col(problem.normals.columns() - 1));
  }
  assemble_loops(model, kin, factor, island, problem);
}

void assemble_sparse_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                             std::span<const Contact> contacts, const Island& island,
                             std::span<const int> tree_offset, SparseColumns& columns) {
  thread_local VectorXd column;  // workspace only
  column.setZero(island.m);
  columns.reset(island.m);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    add_normal(model, kin, contact, tree_offset, column);
    to_metric(model, factor, contact, tree_offset, column);
    int trees[2] = {tree_of(model, contact.link_a), tree_of(model, contact.link_b)};
    if (trees[0] > trees[1]) std::swap(trees[0], trees[1]);
    if (trees[0] == trees[1]) trees[0] = -1;
    const auto part_of = [&](int tree) {
      const auto t = static_cast<std::size_t>(tree);
      return column.segment(tree_offset[t], model.trees[t].nv);
    };
    double largest = 0.0;
    for (const int tree : trees)
      if (tree >= 0) largest = std::max(largest, part_of(tree).lpNorm<Eigen::Infinity>());
    for (const int tree : trees) {
      if (tree < 0) continue;
      const auto t = static_cast<std::size_t>(tree);
      columns.push_part(column.data(), tree_offset[t], model.trees[t].nv, largest);
      part_of(tree).setZero();
    }
    columns.end_column();
  }
}

void assemble_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                   std::span<const Contact> contacts, const Island& island,
                   std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  for (const int index : island.contacts) {
    const Contact& contact = contacts[static_cast<std::size_t>(index)];
    append_contact(model, kin, contact, tree_offset, problem);
    append_tangents(model, kin, contact, tree_offset, problem.tangents);
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

void gather(const Model& model, const Island& island, const VectorXd& all, VectorXd& part) {
  part.resize(island.m);
  for_each_tree(model, island, part, [&](int tree, std::span<double> x) {
    const double* from = all.data() + model.trees[static_cast<std::size_t>(tree)].first_v;
    std::copy(from, from + x.size(), x.begin());
  });
}

void scatter(const Model& model, const Island& island, const VectorXd& part, VectorXd& all) {
  int offset = 0;
  for (const int tree : island.trees) {
    const Tree& t = model.trees[static_cast<std::size_t>(tree)];
    all.segment(t.first_v, t.nv) = part.segment(offset, t.nv);
    offset += t.nv;
  }
}

void island_apply_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x) {
  for_each_tree(model, island, x,
                [&](int tree, std::span<double> part) { factor.apply_L(model, tree, part); });
}

void island_apply_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x) {
  for_each_tree(model, island, x, [&](int tree, std::span<double> part) {
    factor.apply_L_transposed(model, tree, part);
  });
}

void island_solve_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x) {
  for_each_tree(model, island, x,
                [&](int tree, std::span<double> part) { factor.solve_L(model, tree, part); });
}

void island_solve_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x) {
  for_each_tree(model, island, x, [&](int tree, std::span<double> part) {
    factor.solve_L_transposed(model, tree, part);
  });
}

}  // namespace pequod
