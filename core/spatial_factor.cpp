#include "core/spatial_factor.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/clones.h"
#include "core/dynamics.h"
#include "core/mass_pivot.h"

namespace pequod {
namespace {

// Coordinates before one on its branch, in the mean, from which on this takes about as long as rows
// of numbers (chains of 18 to 36 coordinates, `./dev bench peers`); it takes half as long at 50.
constexpr double kLongBranch = 12.0;

// A motion [ω; v] or a force [moment; force] in space, about some point.
struct One {
  FourLanes turn{}, go{};
};
// Four of them abreast, component by component.
struct Four {
  FourLanes turn[3] = {}, go[3] = {};
};

inline FourLanes load(const double* at) { return *reinterpret_cast<const FourLanes*>(at); }
inline void store(const FourLanes& x, double* at) { *reinterpret_cast<FourLanes*>(at) = x; }
inline void store_space(const One& x, double* at) {
  store(x.turn, at);
  store(x.go, at + 4);
}

// Of the first three of each.
inline FourLanes cross(const FourLanes& a, const FourLanes& b) {
  return __builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) -
         __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

inline double dot(const SpatialRow::Space& row, const One& space) {
  const FourLanes sum = load(row.data()) * space.turn + load(row.data() + 4) * space.go;
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
inline FourLanes dot(const SpatialRow::Space& row, const Four& space) {
  return (row[0] * space.turn[0] + row[4] * space.go[0]) +
         (row[2] * space.turn[2] + row[6] * space.go[2]) +
         (row[1] * space.turn[1] + row[5] * space.go[1]);
}

inline void add_multiple(double a, const SpatialRow::Space& row, One& to) {
  to.turn += a * load(row.data());
  to.go += a * load(row.data() + 4);
}
inline void add_multiple(const FourLanes& a, const SpatialRow::Space& row, Four& to) {
  for (std::size_t j = 0; j < 3; ++j) {
    to.turn[j] += a * row[j];
    to.go[j] += a * row[4 + j];
  }
}

inline void add(const One& from, One& to) {
  to.turn += from.turn;
  to.go += from.go;
}
inline void add(const Four& from, Four& to) {
  for (std::size_t j = 0; j < 3; ++j) {
    to.turn[j] += from.turn[j];
    to.go[j] += from.go[j];
  }
}

// A motion about a point, about another one: `arm` leads there.
inline void move_out(const std::array<double, 4>& arm, One& motion) {
  motion.go += cross(motion.turn, load(arm.data()));
}
inline void move_out(const std::array<double, 4>& arm, Four& motion) {
  motion.go[0] += motion.turn[1] * arm[2] - motion.turn[2] * arm[1];
  motion.go[1] += motion.turn[2] * arm[0] - motion.turn[0] * arm[2];
  motion.go[2] += motion.turn[0] * arm[1] - motion.turn[1] * arm[0];
}

// A force back to where `arm` comes from.
inline void move_in(const std::array<double, 4>& arm, One& force) {
  force.turn += cross(load(arm.data()), force.go);
}
inline void move_in(const std::array<double, 4>& arm, Four& force) {
  force.turn[0] += arm[1] * force.go[2] - arm[2] * force.go[1];
  force.turn[1] += arm[2] * force.go[0] - arm[0] * force.go[2];
  force.turn[2] += arm[0] * force.go[1] - arm[1] * force.go[0];
}

// One for each coordinate. Storage only: written before it is read.
template <typename Space>
Space* make_spaces(int size) {
  thread_local std::vector<Space> spaces;
  if (spaces.size() < static_cast<std::size_t>(size)) spaces.resize(static_cast<std::size_t>(size));
  return spaces.data();
}

// x_k ← change(k, x_k, F_k · V), V the motion of what is before k for speeds u; @return u_k
template <typename Space, typename Row, typename Change>
inline void go_out(const SpatialFactor& L, Row* x, Space* motion, const Change& change) {
  for (int k = 0; k < L.size; ++k) {
    const int before = L.parent[k] - L.first;
    Space V = before < 0 ? Space{} : motion[before];
    move_out(L.rows[k].arm, V);
    const Row u = change(k, x[k], dot(L.rows[k].F, V));
    add_multiple(u, L.rows[k].S, V);
    motion[k] = V;
  }
}

// x_k ← change(k, x_k, S_k · f), f the sum of F_i u_i over all i behind k; @return u_k
template <typename Space, typename Row, typename Change>
inline void go_in(const SpatialFactor& L, Row* x, Space* force, const Change& change) {
  for (int k = 0; k < L.size; ++k) force[k] = {};
  for (int k = L.size - 1; k >= 0; --k) {
    Space f = force[k];
    const Row u = change(k, x[k], dot(L.rows[k].S, f));
    const int before = L.parent[k] - L.first;
    if (before < 0) continue;
    add_multiple(u, L.rows[k].F, f);
    move_in(L.rows[k].arm, f);
    add(f, force[before]);
  }
}

// The changes of products and of solves, of L as of Lᵀ.
struct Multiply {
  const SpatialFactor& L;
  double operator()(int k, double& x, double rest) const {
    const double u = x;
    x = L.rows[k].root * u + rest;
    return u;
  }
};
struct Divide {
  const SpatialFactor& L;
  template <typename Row>
  Row operator()(int k, Row& x, const Row& rest) const {
    return x = (x - rest) * L.inverse[k];
  }
};

// An articulated inertia: the forces that unit accelerations ask for, the three of ω first.
struct ArticulatedInertia {
  One column[6];
};

// Of a link by itself, about its origin.
ArticulatedInertia rigid(const Inertia& inertia, const Matrix3d& R) {
  const Vector3d c = R * inertia.com;
  const Matrix3d about_com = R * inertia.about_com * R.transpose(), h = skew(inertia.mass * c);
  ArticulatedInertia P;
  for (int j = 0; j < 3; ++j) {
    One& turn = P.column[j];
    One& go = P.column[3 + j];
    for (int i = 0; i < 3; ++i) {
      turn.turn[i] = about_com(i, j) - inertia.mass * c[i] * c[j];
      turn.go[i] = h(j, i);
      go.turn[i] = h(i, j);
    }
    turn.turn[j] += inertia.mass * c.squaredNorm();
    go.go[j] = inertia.mass;
  }
  return P;
}

inline One product(const ArticulatedInertia& P, const SpatialRow::Space& S) {
  One sum;
  for (std::size_t j = 0; j < 3; ++j) {
    sum.turn += S[j] * P.column[j].turn + S[4 + j] * P.column[3 + j].turn;
    sum.go += S[j] * P.column[j].go + S[4 + j] * P.column[3 + j].go;
  }
  return sum;
}

// P −= U Uᵀ / d
inline void give_way(const One& U, double inverse, ArticulatedInertia& P) {
  for (std::size_t j = 0; j < 6; ++j) {
    const double a = (j < 3 ? U.turn[j] : U.go[j - 3]) * inverse;
    One& column = P.column[j];
    column = {column.turn - a * U.turn, column.go - a * U.go};
  }
}

// Back to where the arm d comes from: Xᵀ P X of the motions [ω; v + ω × d].
inline void move_in(const std::array<double, 4>& d, ArticulatedInertia& P) {
  One* const c = P.column;
  const auto shift = [&](One& turn, double a, const One& go_a, double b, const One& go_b) {
    turn.turn += a * go_a.turn - b * go_b.turn;
    turn.go += a * go_a.go - b * go_b.go;
  };
  shift(c[0], d[1], c[5], d[2], c[4]);
  shift(c[1], d[2], c[3], d[0], c[5]);
  shift(c[2], d[0], c[4], d[1], c[3]);
  for (std::size_t j = 0; j < 6; ++j) move_in(d, c[j]);
}

inline void add(const ArticulatedInertia& from, ArticulatedInertia& to) {
  for (std::size_t j = 0; j < 6; ++j) add(from.column[j], to.column[j]);
}

// Coordinate k of a joint: S about the link's origin, and how far that is from the one before.
void place_row(const Model& model, const Kinematics& kin, int link, int dof, SpatialRow& row) {
  const Joint& joint = nth(model.links, link).joint;
  const int parent = nth(model.links, link).parent;
  const bool turns = joint.type == JointType::revolute || joint.type == JointType::spherical;
  Vector3d arm = Vector3d::Zero();
  if (dof == joint.v_index && parent >= 0)
    arm = nth(kin.links, link).X_WL.p - nth(kin.links, parent).X_WL.p;
  for (int j = 0; j < 3; ++j) {
    const auto to = static_cast<std::size_t>(j);
    row.S[to] = kin.S(j, dof);
    row.S[4 + to] = turns ? 0.0 : kin.S(3 + j, dof);  // about one origin or another
    row.arm[to] = arm[j];
  }
  row.S[3] = row.S[7] = row.arm[3] = 0.0;
}

}  // namespace

void find_long_branches(Model& model) {
  model.spatial_rows = 0;
  for (Tree& tree : model.trees) {
    double before = 0.0;
    for (int k = 0; k < tree.nv; ++k)
      for (const Run& run : model.ancestors(tree.first_v + k)) before += run.end - run.begin;
    const bool pays = tree.fours == 0 && before > kLongBranch * tree.nv;
    tree.first_spatial = pays ? model.spatial_rows : -1;
    if (pays) model.spatial_rows += tree.nv;
  }
}

PEQUOD_CLONES
void factor_spatially(const Model& model, const Tree& tree, const Kinematics& kin, SpatialRow* rows,
                      double* inverse) {
  thread_local std::vector<ArticulatedInertia> storage;  // written before it is read
  storage.resize(static_cast<std::size_t>(tree.links));
  const auto first = static_cast<std::size_t>(tree.first_link);
  for (std::size_t i = 0; i < storage.size(); ++i)
    storage[i] = rigid(model.links[first + i].inertia, kin.links[first + i].X_WL.R);
  for (std::size_t i = storage.size(); i-- > 0;) {
    const Link& link = model.links[first + i];
    const Joint& joint = link.joint;
    ArticulatedInertia& P = storage[i];
    for (int dof = joint.v_index + velocity_count(joint.type); dof-- > joint.v_index;) {
      const int own = dof - tree.first_v;
      SpatialRow& row = rows[own];
      place_row(model, kin, static_cast<int>(first + i), dof, row);
      const One U = product(P, row.S);
      const double pivot = dot(row.S, U) + joint.armature;
      require_pivot(model, dof, pivot);
      give_way(U, 1.0 / pivot, P);
      row.root = std::sqrt(pivot);
      inverse[own] = 1.0 / row.root;
      store_space({inverse[own] * U.turn, inverse[own] * U.go}, row.F.data());
    }
    if (link.parent < 0) continue;
    move_in(rows[joint.v_index - tree.first_v].arm, P);
    add(P, storage[static_cast<std::size_t>(link.parent) - first]);
  }
}

PEQUOD_CLONES
void SpatialFactor::apply(double* x) const {
  go_out(*this, x, make_spaces<One>(size), Multiply{*this});
}

PEQUOD_CLONES
void SpatialFactor::apply_transposed(double* x) const {
  go_in(*this, x, make_spaces<One>(size), Multiply{*this});
}

PEQUOD_CLONES
void SpatialFactor::solve(double* x) const {
  go_out(*this, x, make_spaces<One>(size), Divide{*this});
}

PEQUOD_CLONES
void SpatialFactor::solve_transposed(double* x) const {
  go_in(*this, x, make_spaces<One>(size), Divide{*this});
}

PEQUOD_CLONES
void SpatialFactor::solve_transposed_four(double* x) const {
  go_in(*this, reinterpret_cast<FourLanes*>(x), make_spaces<Four>(size), Divide{*this});
}

}  // namespace pequod
