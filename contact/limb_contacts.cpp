#include "contact/limb_contacts.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/held_lanes.h"

namespace pequod {
namespace {

constexpr int kBody = LimbRows::kBody, kOwn = LimbRows::kOwn;

struct LimbContact {
  const Contact* contact;
  double sign;  // of the rows: 1 where the limb is link b
  int last;     // velocity coordinate that moves it last
};
// Those that are not there are as the last one.
using FourContacts = std::array<LimbContact, kLanes>;

// @return whether the contact is on a limb
bool find_limb(const Model& model, const Contact& contact, LimbContact& out) {
  if (is_joint_limit(contact.key) || (contact.link_a >= 0) == (contact.link_b >= 0)) return false;
  const int index = std::max(contact.link_a, contact.link_b);
  const Link& link = nth(model.links, index);
  const Joint& joint = link.joint;
  out = {&contact, index == contact.link_b ? 1.0 : -1.0,
         joint.v_index + velocity_count(joint.type) - 1};
  const bool has_rows = nth(model.trees, link.tree).first_spatial < 0;  // of L
  return has_rows && velocity_count(joint.type) > 0 && nth(model.along_limb, out.last) == kOwn - 1;
}

// All contacts of an island. @return whether they are on limbs of one tree, each on its own
bool find_limbs(const Model& model, std::span<const Contact> contacts, const Island& island,
                std::vector<LimbContact>& out) {
  out.clear();
  const int n = static_cast<int>(island.contacts.size());
  if (n == 0 || kOwn * n > island.m || island.trees.size() != 1 || !island.loops.empty())
    return false;
  for (const int index : island.contacts) {
    LimbContact found{};
    if (!find_limb(model, nth(contacts, index), found)) return false;
    for (const LimbContact& other : out)
      if (other.last == found.last) return false;
    out.push_back(found);
  }
  return true;
}

// A number of each.
template <typename Number>
PEQUOD_INLINE Held of_each(const FourContacts& four, const Number& number) {
  const Held numbers = {number(four[0]), number(four[1]), number(four[2]), number(four[3])};
  return numbers;
}

// What moves the contacts, and how: numbers that their three rows have in common.
struct LimbMotion {
  HeldVector arm;                   // from O of the tree
  HeldVector turn[kOwn], go[kOwn];  // of the own coordinates: ω and v_O
  Held body[kOwn][kBody];           // entries of L of the own coordinates,
  Held own[kOwn][kOwn];             // those left of the diagonal,
  Held inverse[kOwn];               // and the inverse of that
};

template <typename Vector>
PEQUOD_INLINE HeldVector vectors_of(const FourContacts& four, const Vector& vector) {
  return {of_each(four, [&](const LimbContact& c) { return vector(c)[0]; }),
          of_each(four, [&](const LimbContact& c) { return vector(c)[1]; }),
          of_each(four, [&](const LimbContact& c) { return vector(c)[2]; })};
}

PEQUOD_INLINE void find_motion(const Tree& tree, const Vector3d& origin, const Kinematics& kin,
                               const MassFactor& factor, const FourContacts& four,
                               LimbMotion& out) {
  out.arm = vectors_of(four, [](const LimbContact& c) { return c.contact->p_W.data(); }) -
            all_alike(origin);
  const double* const L = factor.blocks.data() + tree.mass_offset;
  for (int k = 0; k < kOwn; ++k) {
    const auto first = [&](int lane) { return nth(four, lane).last - (kOwn - 1); };
    const auto axes = four_places([&](int lane) { return kin.S.data() + 6 * (first(lane) + k); });
    HeldVector &turn = out.turn[k], &go = out.go[k];
    load_four(behind(axes, 0), turn.x, turn.y, turn.z, go.x);
    go.y = load_one(behind(axes, 4));
    go.z = load_one(behind(axes, 5));
    const auto rows =
        four_places([&](int lane) { return L + (first(lane) + k - tree.first_v) * tree.nv; });
    Held* const body = out.body[k];
    load_four(behind(rows, 0), body[0], body[1], body[2], body[3]);
    body[4] = load_one(behind(rows, 4));
    body[5] = load_one(behind(rows, 5));
    const auto own =
        four_places([&](int lane) { return nth(rows, lane) + (first(lane) - tree.first_v); });
    for (int j = 0; j < k; ++j) out.own[k][j] = load_one(behind(own, j));
    out.inverse[k] =
        load_one([&](int lane) { return factor.inverse_diagonal.data() + first(lane) + k; });
  }
}

// L⁻ᵀ times the rows of the contacts along d. @param body, own  out. @return their squares
PEQUOD_INLINE Held make_rows(const LimbMotion& motion, const HeldVector& d, const double* L,
                             int stride, const double* inverse, Held* body, Held* own) {
  const HeldVector moment = cross(motion.arm, d);
  body[0] = moment.x, body[1] = moment.y, body[2] = moment.z;
  body[3] = d.x, body[4] = d.y, body[5] = d.z;
  for (int k = 0; k < kOwn; ++k) own[k] = dot(motion.turn[k], moment) + dot(motion.go[k], d);
  Held squares{};
  for (int k = kOwn; k-- > 0;) {
    own[k] *= motion.inverse[k];
    const Held taken = -own[k];
    for (int j = 0; j < kBody; ++j) body[j] += taken * motion.body[k][j];
    for (int j = 0; j < k; ++j) own[j] += taken * motion.own[k][j];
  }
  for (int k = kBody; k-- > 0;) {
    body[k] *= inverse[k];
    const Held taken = -body[k];
    for (int j = 0; j < k; ++j) body[j] += taken * L[k * stride + j];
  }
  for (int k = 0; k < kBody; ++k) squares += body[k] * body[k];
  for (int k = 0; k < kOwn; ++k) squares += own[k] * own[k];
  return squares;
}

// @param there  contacts; the other lanes get zeros and the identity
PEQUOD_INLINE void keep_rows(const Held* body, const Held* own, int d, int there,
                             LimbRows::Four& out) {
  const auto at = [&](int k) { return static_cast<std::size_t>(kOwn * k + d); };
  for (int k = 0; k < kBody; ++k) store(body[k], out.B[at(k)].data());
  for (int k = 0; k < kOwn; ++k) store(own[k], out.D[at(k)].data());
  for (auto lane = static_cast<std::size_t>(there); lane < kLanes; ++lane) {
    for (int k = 0; k < kBody; ++k) out.B[at(k)][lane] = 0.0;
    for (int k = 0; k < kOwn; ++k) out.D[at(k)][lane] = k == d ? 1.0 : 0.0;
  }
}

// @return squares of the rows of the four along n, s and t
PEQUOD_CLONES
std::array<std::array<double, kLanes>, kOwn> make_four(const Model& model, int tree_index,
                                                       const Kinematics& kin,
                                                       const MassFactor& factor,
                                                       const FourContacts& four, int there,
                                                       LimbRows::Four& out) {
  const Tree& tree = nth(model.trees, tree_index);
  const double* const L = factor.blocks.data() + tree.mass_offset;
  const double* const inverse = factor.inverse_diagonal.data() + tree.first_v;
  LimbMotion motion;
  find_motion(tree, nth(kin.origins, tree_index), kin, factor, four, motion);
  const Held sign = of_each(four, [](const LimbContact& c) { return c.sign; });
  std::array<std::array<double, kLanes>, kOwn> squares;
  for (int d = 0; d < kOwn; ++d) {
    HeldVector along = vectors_of(four, [&](const LimbContact& c) {
      const Contact& contact = *c.contact;
      return (d == 0 ? contact.n_W : d == 1 ? contact.s_W : contact.t_W).data();
    });
    along = sign * along;
    Held body[kBody], own[kOwn];
    store(make_rows(motion, along, L, tree.nv, inverse, body, own), nth(squares, d).data());
    keep_rows(body, own, d, there, out);
  }
  for (std::size_t k = 0; k < kLanes; ++k) out.first[k] = four[k].last - (kOwn - 1) - tree.first_v;
  return squares;
}

// The columns of contact i from its lane.
void spread(const LimbRows::Four& four, std::size_t lane, Eigen::Index i, ContactProblem& problem) {
  const std::array<double*, kOwn> columns{problem.normals.col(i).data(),
                                          problem.tangents.col(2 * i).data(),
                                          problem.tangents.col(2 * i + 1).data()};
  for (std::size_t d = 0; d < kOwn; ++d) {
    for (std::size_t k = 0; k < kBody; ++k) columns[d][k] = four.B[kOwn * k + d][lane];
    double* const own = columns[d] + four.first[lane];
    for (std::size_t k = 0; k < kOwn; ++k) own[k] = four.D[kOwn * k + d][lane];
  }
}

}  // namespace

bool are_on_limbs(const Model& model, std::span<const Contact> contacts) {
  thread_local std::vector<char> taken;  // workspace only
  taken.assign(static_cast<std::size_t>(model.nv), 0);
  return std::ranges::all_of(contacts, [&](const Contact& contact) {
    LimbContact found{};
    return find_limb(model, contact, found) && std::exchange(nth(taken, found.last), 1) == 0;
  });
}

bool assemble_limb_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        std::span<const Contact> contacts, const Island& island,
                        ContactProblem& problem) {
  thread_local std::vector<LimbContact> limbs;  // workspace only
  if (!find_limbs(model, contacts, island, limbs)) return false;
  const int n = static_cast<int>(limbs.size());
  std::vector<LimbRows::Four>& fours = problem.limbs.resize(n);
  problem.normals.append(n, {{{0, island.m}, {}}});
  problem.tangents.append(2 * n, {{{0, island.m}, {}}});
  problem.patch.resize(limbs.size());
  std::iota(problem.patch.begin(), problem.patch.end(), 0);
  for (int first = 0; first < n; first += kLanes) {
    LimbRows::Four& out = nth(fours, first / kLanes);
    const int there = std::min(n - first, kLanes);
    FourContacts four;
    for (int k = 0; k < kLanes; ++k) nth(four, k) = nth(limbs, first + std::min(k, there - 1));
    const auto squares = make_four(model, island.trees[0], kin, factor, four, there, out);
    for (int k = 0; k < there; ++k) {
      const auto lane = static_cast<std::size_t>(k);
      spread(out, lane, first + k, problem);
      problem.crowded = problem.crowded ||
                        has_short_tangent(squares[0][lane], squares[1][lane], squares[2][lane]);
    }
  }
  return true;
}

}  // namespace pequod
