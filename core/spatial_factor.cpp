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

// Six numbers and two zeros.
struct Six {
  FourLanes low, high;
};

inline Six load_six(const double* at) {
  return {*reinterpret_cast<const FourLanes*>(at), *reinterpret_cast<const FourLanes*>(at + 4)};
}
inline void store_six(const Six& x, double* at) {
  *reinterpret_cast<FourLanes*>(at) = x.low;
  *reinterpret_cast<FourLanes*>(at + 4) = x.high;
}

// A motion or a force in space, or four of them abreast.
struct One {
  Six x{};
};
struct Four {
  FourLanes x[6] = {};
};

inline double dot(const std::array<double, 8>& row, const One& space) {
  const Six a = load_six(row.data());
  const FourLanes sum = a.low * space.x.low + a.high * space.x.high;
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
inline FourLanes dot(const std::array<double, 8>& row, const Four& space) {
  const FourLanes* x = space.x;
  return (row[0] * x[0] + row[1] * x[1]) + (row[2] * x[2] + row[3] * x[3]) +
         (row[4] * x[4] + row[5] * x[5]);
}

inline void add_multiple(double a, const std::array<double, 8>& row, One& to) {
  const Six b = load_six(row.data());
  to.x.low += a * b.low;
  to.x.high += a * b.high;
}
inline void add_multiple(const FourLanes& a, const std::array<double, 8>& row, Four& to) {
  for (std::size_t j = 0; j < 6; ++j) to.x[j] += a * row[j];
}

inline void add(const One& from, One& to) {
  to.x.low += from.x.low;
  to.x.high += from.x.high;
}
inline void add(const Four& from, Four& to) {
  for (std::size_t j = 0; j < 6; ++j) to.x[j] += from.x[j];
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
    add(f, force[before]);
  }
}

// An articulated inertia about O: six columns.
struct ArticulatedInertia {
  std::array<double, 48> columns{};
};

ArticulatedInertia rigid(const LinkKinematics& k) {
  ArticulatedInertia P;
  const Matrix3d h = skew(k.h);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto r = static_cast<Eigen::Index>(i);
      P.columns[8 * j + i] = k.I(r, c);
      P.columns[8 * j + 3 + i] = h(c, r);
      P.columns[8 * (3 + j) + i] = h(r, c);
    }
    P.columns[8 * (3 + j) + 3 + j] = k.m;
  }
  return P;
}

inline Six product(const ArticulatedInertia& P, const std::array<double, 8>& S) {
  Six sum{};
  for (std::size_t j = 0; j < 6; ++j) {
    const Six column = load_six(P.columns.data() + 8 * j);
    sum.low += S[j] * column.low;
    sum.high += S[j] * column.high;
  }
  return sum;
}

// P −= U Uᵀ / d
inline void give_way(const Six& U, double inverse, ArticulatedInertia& P) {
  for (std::size_t j = 0; j < 6; ++j) {
    const double a = (j < 4 ? U.low[j] : U.high[j - 4]) * inverse;
    const Six column = load_six(P.columns.data() + 8 * j);
    store_six({column.low - a * U.low, column.high - a * U.high}, P.columns.data() + 8 * j);
  }
}

inline void add(const ArticulatedInertia& from, ArticulatedInertia& to) {
  for (std::size_t j = 0; j < 48; j += 4)
    *reinterpret_cast<FourLanes*>(to.columns.data() + j) +=
        *reinterpret_cast<const FourLanes*>(from.columns.data() + j);
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
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = rigid(kin.links[first + i]);
  for (std::size_t i = storage.size(); i-- > 0;) {
    const Link& link = model.links[first + i];
    ArticulatedInertia& P = storage[i];
    for (int k = velocity_count(link.joint.type); k-- > 0;) {
      const int dof = link.joint.v_index + k;
      const int own = dof - tree.first_v;
      SpatialRow& row = rows[own];
      row.S = {};
      for (std::size_t j = 0; j < 6; ++j) row.S[j] = kin.S(static_cast<Eigen::Index>(j), dof);
      const Six U = product(P, row.S);
      const double pivot = dot(row.S, One{U}) + link.joint.armature;
      require_pivot(model, dof, pivot);
      give_way(U, 1.0 / pivot, P);
      row.root = std::sqrt(pivot);
      inverse[own] = 1.0 / row.root;
      store_six({inverse[own] * U.low, inverse[own] * U.high}, row.F.data());
    }
    if (link.parent >= 0) add(P, storage[static_cast<std::size_t>(link.parent) - first]);
  }
}

PEQUOD_CLONES
void SpatialFactor::apply(double* x) const {
  go_out(*this, x, make_spaces<One>(size), [this](int k, double& value, double rest) {
    const double u = value;
    value = rows[k].root * u + rest;
    return u;
  });
}

PEQUOD_CLONES
void SpatialFactor::apply_transposed(double* x) const {
  go_in(*this, x, make_spaces<One>(size), [this](int k, double& value, double rest) {
    const double u = value;
    value = rows[k].root * u + rest;
    return u;
  });
}

PEQUOD_CLONES
void SpatialFactor::solve(double* x) const {
  go_out(*this, x, make_spaces<One>(size),
         [this](int k, double& value, double rest) { return value = (value - rest) * inverse[k]; });
}

PEQUOD_CLONES
void SpatialFactor::solve_transposed(double* x) const {
  go_in(*this, x, make_spaces<One>(size),
        [this](int k, double& value, double rest) { return value = (value - rest) * inverse[k]; });
}

PEQUOD_CLONES
void SpatialFactor::solve_transposed_four(double* x) const {
  go_in(*this, reinterpret_cast<FourLanes*>(x), make_spaces<Four>(size),
        [this](int k, FourLanes& value, const FourLanes& rest) {
          return value = (value - rest) * inverse[k];
        });
}

}  // namespace pequod
