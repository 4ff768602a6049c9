#include "contact/problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "contact/limb_contacts.h"
#include "contact/loop_rows.h"
#include "contact/patches.h"

namespace pequod {
namespace {

// What rows are made along, in world axes: numbers of one row, or of the three of a contact
// abreast.
template <typename Row>
struct Directions {
  Row x, y, z;
};

Directions<double> one_row(const Vector3d& d) { return {d.x(), d.y(), d.z()}; }

Directions<Abreast> three_rows(const Contact& contact, double sign) {
  const auto axis = [&](int k) -> Abreast {
    return sign * Abreast(contact.n_W[k], contact.s_W[k], contact.t_W[k], 0.0);
  };
  return {axis(0), axis(1), axis(2)};
}

// Of the rows: aᵀ d, and a × d.
template <typename Axis, typename Row>
Row along(const Axis& a, const Directions<Row>& d) {
  return (a[0] * d.x + a[1] * d.y) + a[2] * d.z;
}
template <typename Row>
Directions<Row> moments(const Vector3d& a, const Directions<Row>& d) {
  return {a.y() * d.z - a.z() * d.y, a.z() * d.x - a.x() * d.z, a.x() * d.y - a.y() * d.x};
}

// rows += dᵀ J of the link's point. @param rows  of the coordinates of its tree
template <typename Row>
void add_rows(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
              const Directions<Row>& d, Row* rows) {
  const Link& description = nth(model.links, link);
  const auto t = static_cast<std::size_t>(description.tree);
  const int first = model.trees[t].first_v;
  const Directions<Row> m = moments<Row>(p_W - kin.origins[t], d);
  const Joint& joint = description.joint;
  const Joint& root = nth(model.links, model.trees[t].first_link).joint;
  const int base = root.type == JointType::free ? first + velocity_count(root.type) : 0;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= base;
       i = nth(model.dof_parent, i)) {
    const double* const S = kin.S.col(i).data();
    rows[i - first] += along(S, m) + along(S + 3, d);
  }
  if (base == 0) return;
  // Columns of a free base are unit vectors.
  rows[0] += m.x, rows[1] += m.y, rows[2] += m.z;
  rows[3] += d.x, rows[4] += d.y, rows[5] += d.z;
}

void raise(double x, double& most) { most = std::max(most, x); }
void raise(const Abreast& x, Abreast& most) { most = most.max(x); }
void raise_all(double& most) { most = 1.0; }
void raise_all(Abreast& most) { most.setOnes(); }
bool are_positive(double x) { return x > 0.0; }
bool are_positive(const Abreast& x) { return x[0] > 0.0 && x[1] > 0.0 && x[2] > 0.0; }

// By how much one of the link's joints moves its point along each d beyond rounding, see kNoMotion;
// up to the joint by which all do. @param most  in and out: positive where one does
template <typename Row>
void find_motion(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                 const Row* rows, Row& most) {
  using std::abs;
  const Link& description = nth(model.links, link);
  if (is_free_body(model, description.tree)) return raise_all(most);
  const auto t = static_cast<std::size_t>(description.tree);
  const double arm = (p_W - kin.origins[t]).norm();
  const Joint& joint = description.joint;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= 0 && !are_positive(most);
       i = nth(model.dof_parent, i)) {
    const double speed = kin.S.col(i).head<3>().norm() * arm + kin.S.col(i).tail<3>().norm();
    raise(abs(rows[i - model.trees[t].first_v]) - kNoMotion * speed, most);
  }
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

// The tree that alone moves the contact, −1 where two do.
int only_tree(const Model& model, const Contact& contact) {
  const int a = tree_of(model, contact.link_a), b = tree_of(model, contact.link_b);
  return a < 0 || a == b ? b : b < 0 ? a : -1;
}

// to_metric() of columns [first, last), at most four, of contacts that one tree moves.
void to_metric_abreast(const Model& model, const MassFactor& factor, int tree, Eigen::Index offset,
                       Eigen::Index first, Eigen::Index last, ColumnBuffer& columns) {
  thread_local std::vector<Abreast> rows;  // workspace only
  const auto size = nth(model.trees, tree).nv;
  rows.assign(static_cast<std::size_t>(size), Abreast::Zero());
  for (Eigen::Index k = first; k < last; ++k) {
    const double* const column = columns.col(k).data() + offset;
    for (int i = 0; i < size; ++i) nth(rows, i)[k - first] = column[i];
  }
  factor.solve_L_transposed(model, tree, rows);
  for (Eigen::Index k = first; k < last; ++k) {
    double* const column = columns.col(k).data() + offset;
    for (int i = 0; i < size; ++i) column[i] = nth(rows, i)[k - first];
  }
}

// column += the row of the gap of a joint limit.
void add_limit(const Model& model, const Contact& contact, std::span<const int> tree_offset,
               double* column) {
  const Link& link = nth(model.links, contact.link_b);
  const auto t = static_cast<std::size_t>(link.tree);
  column[link.joint.v_index - model.trees[t].first_v + tree_offset[t]] += contact.sign;
}

// column += the row of the contact's gap.
void add_normal(const Model& model, const Kinematics& kin, const Contact& contact,
                std::span<const int> tree_offset, Eigen::Ref<VectorXd> column) {
  if (is_joint_limit(contact.key)) return add_limit(model, contact, tree_offset, column.data());
  const auto part = [&](int link) {
    return column.data() + nth(tree_offset, tree_of(model, link));
  };
  const int a = contact.link_a, b = contact.link_b;
  double most = 0.0;
  if (b >= 0) add_rows(model, kin, b, contact.p_W, one_row(contact.n_W), part(b));
  if (a >= 0) add_rows(model, kin, a, contact.p_W, one_row(-contact.n_W), part(a));
  if (b >= 0) find_motion(model, kin, b, contact.p_W, part(b), most);
  if (a >= 0) find_motion(model, kin, a, contact.p_W, part(a), most);
  if (!are_positive(most)) column.setZero();
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

// Appends what the problem knows of a contact.
void append_contact(const Contact& contact, ContactProblem& problem) {
  const bool limit = is_joint_limit(contact.key);
  problem.limit.push_back(limit ? 1 : 0);
  problem.friction.push_back(limit ? 0.0 : contact.surface.friction);
  problem.viscous.push_back(limit ? 0.0 : contact.surface.viscous);
}

// L⁻ᵀ times the rows of a contact of two bodies abreast, to where they belong.
// @return the square of each
Abreast make_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                  const Contact& contact, std::span<const int> tree_offset,
                  const std::array<double*, 3>& columns) {
  thread_local std::vector<Abreast> storage;  // workspace only
  const int a = contact.link_a, b = contact.link_b;
  const int tree_a = tree_of(model, a), tree_b = tree_of(model, b);
  const auto size = [&](int tree) {
    return tree < 0 ? std::size_t{0} : static_cast<std::size_t>(nth(model.trees, tree).nv);
  };
  const std::size_t behind = tree_a == tree_b ? 0 : size(tree_a);
  storage.assign(behind + size(tree_b), Abreast::Zero());
  Abreast *const of_a = storage.data(), *const of_b = of_a + behind;
  Abreast most = Abreast::Zero(), squares = Abreast::Zero();
  if (b >= 0) add_rows(model, kin, b, contact.p_W, three_rows(contact, 1.0), of_b);
  if (a >= 0) add_rows(model, kin, a, contact.p_W, three_rows(contact, -1.0), of_a);
  if (b >= 0) find_motion(model, kin, b, contact.p_W, of_b, most);
  if (a >= 0) find_motion(model, kin, a, contact.p_W, of_a, most);
  const auto finish = [&](int tree, Abreast* rows) {
    if (tree < 0) return;
    factor.solve_L_transposed(model, tree, {rows, size(tree)});
    const int offset = nth(tree_offset, tree);
    for (std::size_t i = 0; i < size(tree); ++i) {
      squares += rows[i] * rows[i];
      for (std::size_t k = 0; k < 3; ++k)
        columns[k][static_cast<std::size_t>(offset) + i] = rows[i][static_cast<Eigen::Index>(k)];
    }
  };
  finish(tree_b, of_b);
  if (tree_a != tree_b) finish(tree_a, of_a);
  return (most > 0.0).select(squares, 0.0);
}

// Appends the rows of its gap and of its tangents, which are zero for a joint limit.
// @return the square of each
Abreast append_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                    const Contact& contact, std::span<const int> tree_offset,
                    const Stretches& stretches, ContactProblem& problem) {
  problem.normals.append(stretches);
  for (int k = 0; k < 2; ++k) problem.tangents.append(stretches);
  const Eigen::Index i = problem.normals.columns() - 1;
  const std::array<double*, 3> columns{problem.normals.col(i).data(),
                                       problem.tangents.col(2 * i).data(),
                                       problem.tangents.col(2 * i + 1).data()};
  if (is_joint_limit(contact.key)) {
    add_limit(model, contact, tree_offset, columns[0]);
    to_metric(model, factor, contact, tree_offset, problem.normals.col(i));
    return Abreast::Zero();
  }
  Abreast squares = make_rows(model, kin, factor, contact, tree_offset, columns);
  for (std::size_t k = 0; k < 3; ++k)
    if (squares[static_cast<Eigen::Index>(k)] == 0.0) std::fill_n(columns[k], problem.m, 0.0);
  return squares;
}

// The rows of the island's loops, which are taken off the normals.
void assemble_loops(const Model& model, const Kinematics& kin, const MassFactor& factor,
                    const Island& island, ContactProblem& problem) {
  if (island.loops.empty()) return;
  assemble_loop_rows(model, kin, factor, island, problem);
  take_off_loops(problem.loops, problem.normals, problem.normals_in_loops);
}

// normals ← L⁻ᵀ normals of the island's contacts.
void normals_to_metric(const Model& model, const MassFactor& factor,
                       std::span<const Contact> contacts, const Island& island,
                       std::span<const int> tree_offset, ColumnBuffer& normals) {
  const auto contact_at = [&](Eigen::Index i) -> const Contact& {
    return contacts[contact_index(island, i)];
  };
  for (Eigen::Index first = 0, last = 0; first < normals.columns(); first = last) {
    const int tree = only_tree(model, contact_at(first));
    last = first + 1;
    while (tree >= 0 && last < std::min(first + Abreast::SizeAtCompileTime, normals.columns()) &&
           only_tree(model, contact_at(last)) == tree)
      ++last;
    if (last == first + 1)
      to_metric(model, factor, contact_at(first), tree_offset, normals.col(first));
    else
      to_metric_abreast(model, factor, tree, nth(tree_offset, tree), first, last, normals);
  }
}

}  // namespace

void ContactProblem::add_impulse(int i, const double* r, VectorXd& out) const {
  if (in_bodies()) return bodies.add(i, r, out);
  normals.add(i, r[0], out);
  tangents.add(2 * i, r[1], out);
  tangents.add(2 * i + 1, r[2], out);
}

void swap(ContactProblem& a, ContactProblem& b) noexcept {
  // A member that is forgotten here does not compile.
  const auto members = [](ContactProblem& problem) {
    auto& [m, n, normals, tangents, y, c, bodies, limit, patch, crowded, friction, viscous, force,
           step, joints, bound, slide, rest, loops, normals_in_loops, tangents_in_loops,
           joints_in_loops, limbs, basis, has_basis] = problem;
    return std::tie(m, n, normals, tangents, y, c, bodies, limit, patch, crowded, friction, viscous,
                    force, step, joints, bound, slide, rest, loops, normals_in_loops,
                    tangents_in_loops, joints_in_loops, limbs, basis, has_basis);
  };
  auto of_a = members(a), of_b = members(b);
  of_a.swap(of_b);
}

bool has_short_tangent(double normal, double s, double t) {
  const double shortest = std::min(s, t);
  return shortest > 0.0 && shortest < kShortRow * kShortRow * std::max({normal, s, t});
}

void find_speeds(const ContactProblem& problem, const VectorXd& y, ContactSpeeds& out) {
  if (!problem.in_bodies()) {
    ColumnBuffer::measure(problem.normals, problem.tangents, y, out.normal, out.tangent);
    return;
  }
  out.normal.resize(problem.n);
  out.tangent.resize(2 * problem.n);
  for (int i = 0; i < problem.n; ++i) out.normal[i] = problem.normal_speed(i, y);
  for (int j = 0; j < 2 * problem.n; ++j) out.tangent[j] = problem.tangent_speed(j, y);
}

void clear_problem(const Island& island, ContactProblem& problem) {
  problem.limbs.clear();
  problem.has_basis = false;
  problem.m = island.m;
  problem.n = static_cast<int>(island.contacts.size());
  problem.normals.reset(island.m);
  problem.tangents.reset(island.m);
  problem.bodies.clear();
  problem.patch.clear();
  problem.crowded = false;
  problem.limit.clear();
  problem.friction.clear();
  problem.viscous.clear();
  problem.step = 0.0;
  problem.joints.reset(island.m);
  problem.bound.clear();
  problem.slide.clear();
  problem.loops.reset(0);
  for (ColumnBuffer* parts :
       {&problem.normals_in_loops, &problem.tangents_in_loops, &problem.joints_in_loops})
    parts->reset(0);
}

void assemble_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                      std::span<const Contact> contacts, const Island& island,
                      std::span<const int> tree_offset, ContactProblem& problem) {
  clear_problem(island, problem);
  for (const int index : island.contacts) {
    const Contact& contact = nth(contacts, index);
    append_contact(contact, problem);
    problem.normals.append(stretches_of(model, island, tree_offset, contact));
    Eigen::Ref<VectorXd> normal = problem.normals.col(problem.normals.columns() - 1);
    add_normal(model, kin, contact, tree_offset, normal);
  }
  normals_to_metric(model, factor, contacts, island, tree_offset, problem.normals);
  assemble_loops(model, kin, factor, island, problem);
}

void assemble_sparse_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                             std::span<const Contact> contacts, const Island& island,
                             std::span<const int> tree_offset, SparseColumns& columns) {
  thread_local ColumnBuffer normal;  // workspace only
  columns.reset(island.m);
  for (const int index : island.contacts) {
    const Contact& contact = nth(contacts, index);
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
  for (const int index : island.contacts) append_contact(nth(contacts, index), problem);
  if (assemble_limb_rows(model, kin, factor, contacts, island, problem)) return;
  bool guided = false;
  for (const int index : island.contacts) {
    const Contact& contact = nth(contacts, index);
    const Abreast squares = append_rows(model, kin, factor, contact, tree_offset,
                                        stretches_of(model, island, tree_offset, contact), problem);
    guided = guided || has_short_tangent(squares[0], squares[1], squares[2]);
  }
  assemble_loops(model, kin, factor, island, problem);
  if (!island.loops.empty())
    take_off_loops(problem.loops, problem.tangents, problem.tangents_in_loops);
  find_patches(contacts, island, problem);
  problem.crowded =
      problem.crowded || guided || !island.loops.empty() || hang_together(model, contacts, island);
}

void assemble_joint_rows(const Model& model, const MassFactor& factor, const Island& island,
                         std::span<const int> tree_offset, ContactProblem& problem) {
  problem.joints.reset(island.m);
  problem.bound.clear();
  problem.slide.assign(island.joints.size(), 0);
  for (const int joint : island.joints) {
    const Link& link = nth(model.links, nth(model.dof_link, joint));
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
