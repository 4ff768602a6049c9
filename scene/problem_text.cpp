#include "scene/problem_text.h"

#include <fmt/format.h>

#include <string>

#include "scene/problem_matrix.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Friction problems up to this size are solved with a dense W: 32 MB.
constexpr Index kMostDenseFriction = 2000;

void require_size(const ProblemWords& words, const StoredMatrix& matrix, std::string_view name,
                  Index height, Index width) {
  if (rows(matrix) == height && cols(matrix) == width) return;
  words.fail(fmt::format("{} must be {}×{} by the counts at the top of the file, not {}×{}", name,
                         height, width, rows(matrix), cols(matrix)));
}

Eigen::MatrixXd read_dense_matrix(ProblemWords& words, std::string_view name, Index size) {
  const StoredMatrix matrix = read_matrix(words, name);
  require_size(words, matrix, name, size, size);
  if (size > kMostDenseRows)
    words.fail(fmt::format("{} has {} rows; the solvers of this kind are dense and take {}", name,
                           size, kMostDenseRows));
  return dense(matrix);
}

VectorXd read_friction(ProblemWords& words, Index contacts, std::string_view name) {
  VectorXd mu = words.numbers(contacts, name, false);
  for (Index i = 0; i < contacts; ++i)
    if (mu[i] < 0.0)
      words.fail(fmt::format("{}: must be >= 0, not {} (number {})", name, mu[i], i));
  return mu;
}

LcpProblem read_lcp(ProblemWords& words) {
  LcpProblem problem;
  const Index n = words.count("n, the number of unknowns", 1);
  problem.M = read_dense_matrix(words, "M", n);
  problem.q = words.numbers(n, "q");
  return problem;
}

BoxProblem read_relay(ProblemWords& words) {
  BoxProblem problem;
  const Index n = words.count("n, the number of unknowns", 1);
  problem.M = read_dense_matrix(words, "M", n);
  problem.q = words.numbers(n, "q");
  problem.lower = words.numbers(n, "lower", false);
  problem.upper = words.numbers(n, "upper", false);
  for (Index i = 0; i < n; ++i)
    if (problem.lower[i] > problem.upper[i])
      words.fail(fmt::format("lower {} is above upper {} (number {})", problem.lower[i],
                             problem.upper[i], i));
  return problem;
}

// The form of one matrix: blocks of rows, each with a flag, then M and q.
MlcpProblem read_mlcp_rows(ProblemWords& words, Index n, Index m) {
  MlcpProblem problem;
  std::vector<Index> ends;
  while (ends.empty() || ends.back() < n + m)
    ends.push_back(words.integer("row ends of the blocks", ends.empty() ? 0 : ends.back() + 1));
  if (ends.front() != 0) words.fail("row ends of the blocks: the first must be 0");
  if (ends.back() != n + m)
    words.fail(fmt::format("row ends of the blocks: {} is beyond n + m = {}", ends.back(), n + m));
  Index equalities = 0;
  for (std::size_t block = 0; block + 1 < ends.size(); ++block) {
    const Index flag = words.integer("flag of a block");
    if (flag > 1)
      words.fail(fmt::format("flag of a block: {}", flag), "0 equality, 1 complementarity");
    problem.equality.insert(problem.equality.end(),
                            static_cast<std::size_t>(ends[block + 1] - ends[block]), flag == 0);
    if (flag == 0) equalities += ends[block + 1] - ends[block];
  }
  if (equalities != n)
    words.fail(fmt::format("the flags make {} equalities, but n is {}", equalities, n));
  problem.M = read_dense_matrix(words, "M", n + m);
  problem.q = words.numbers(n + m, "q");
  return problem;
}

// One of A, B, C, D: row-major.
Eigen::MatrixXd read_part(ProblemWords& words, Index height, Index width, std::string_view name) {
  return words.numbers(height * width, name).reshaped(width, height).transpose();
}

// The form of four matrices: M = [A C; D B], q = [a; b], the equalities first.
MlcpProblem read_mlcp_parts(ProblemWords& words, Index n, Index m) {
  MlcpProblem problem;
  problem.M.resize(n + m, n + m);
  problem.M.topLeftCorner(n, n) = read_part(words, n, n, "A");
  problem.M.bottomRightCorner(m, m) = read_part(words, m, m, "B");
  problem.M.topRightCorner(n, m) = read_part(words, n, m, "C");
  problem.M.bottomLeftCorner(m, n) = read_part(words, m, n, "D");
  problem.q.resize(n + m);
  problem.q.head(n) = words.numbers(n, "a");
  problem.q.tail(m) = words.numbers(m, "b");
  problem.equality.assign(static_cast<std::size_t>(n), true);
  problem.equality.resize(static_cast<std::size_t>(n + m), false);
  return problem;
}

MlcpProblem read_mlcp(ProblemWords& words) {
  const bool has_rows = words.integer("has_M") != 0;
  const bool has_parts = words.integer("has_ABCD") != 0;
  const Index n = words.count("n, the number of equalities");
  const Index m = words.count("m, the number of complementarities");
  if (n + m == 0 || !(has_rows || has_parts)) words.fail("the problem is empty");
  if (n + m > kMostDenseRows)
    words.fail(
        fmt::format("n + m is {}; the solvers are dense and take {}", n + m, kMostDenseRows));
  if (!has_rows) {
    words.require_room((n + m) * (n + m), "A, B, C, D");
    return read_mlcp_parts(words, n, m);
  }
  MlcpProblem problem = read_mlcp_rows(words, n, m);
  if (!has_parts) return problem;
  const MlcpProblem parts = read_mlcp_parts(words, n, m);
  // With equalities anywhere but first the two forms stand in different orders.
  if (parts.equality == problem.equality && (parts.M != problem.M || parts.q != problem.q))
    words.fail("M, q and A, B, C, D, a, b pose different problems");
  return problem;
}

int read_dimension(ProblemWords& words, ProblemKind kind) {
  const bool rolls = kind == ProblemKind::rfc3d;
  const bool flat = kind == ProblemKind::fc2d || kind == ProblemKind::gfc2d;
  const int expected = rolls ? 5 : flat ? 2 : 3;
  if (const Index found = words.integer("dimension"); found != expected)
    words.fail(
        fmt::format("dimension: {} has {} numbers a contact, not {}", name(kind), expected, found),
        found == 2 || found == 3 || found == 5 ? "another --kind may fit" : "");
  return expected;
}

ProblemData pose(const StoredMatrix& W, FrictionProblem problem) {
  if (rows(W) <= kMostDenseFriction) {
    problem.W = dense(W);
    return problem;
  }
  return SparseFrictionProblem{problem.dimension,  sparse(W),          problem.q,    problem.mu,
                               problem.mu_rolling, problem.associated, problem.scale};
}

ProblemData read_contacts(ProblemWords& words, ProblemKind kind) {
  FrictionProblem problem;
  problem.dimension = read_dimension(words, kind);
  const Index n = words.count("number of contacts", 1);
  const StoredMatrix W = read_matrix(words, "W");
  require_size(words, W, "W", n * problem.dimension, n * problem.dimension);
  problem.q = words.numbers(rows(W), "q");
  problem.mu = read_friction(words, n, "mu");
  if (kind == ProblemKind::rfc3d) problem.mu_rolling = read_friction(words, n, "mu_r");
  return pose(W, std::move(problem));
}

ProblemData read_cones(ProblemWords& words) {
  FrictionProblem problem;
  problem.associated = true;
  const Index size = words.count("n, the number of unknowns", 1);
  const Index n = words.count("number of cones", 1);
  const StoredMatrix M = read_matrix(words, "M");
  require_size(words, M, "M", size, size);
  problem.q = words.numbers(size, "q");
  problem.dimension = static_cast<int>(size / n);
  if (size % n != 0 || problem.dimension < 2 || problem.dimension > 3)
    words.fail(fmt::format("{} unknowns in {} cones: only cones of 2 or 3 are read", size, n));
  for (Index i = 0; i <= n; ++i)
    if (const Index start = words.integer("cone start"); start != i * problem.dimension)
      words.fail(fmt::format("cone start: cones of one size are read, so {} expected, not {}",
                             i * problem.dimension, start));
  problem.mu = read_friction(words, n, "tau");
  return pose(M, std::move(problem));
}

GlobalFrictionProblem read_bodies(ProblemWords& words, ProblemKind kind) {
  GlobalFrictionProblem problem;
  problem.dimension = read_dimension(words, kind);
  const Index n = words.count("number of contacts", 1);
  const StoredMatrix M = read_matrix(words, "M");
  require_size(words, M, "M", rows(M), rows(M));
  const StoredMatrix H = read_matrix(words, "H");
  require_size(words, H, "H", rows(M), n * problem.dimension);
  if (cols(H) > kMostDenseRows)
    words.fail(
        fmt::format("H has {} columns; W = HᵀM⁻¹H is dense and takes {}", cols(H), kMostDenseRows));
  problem.M = sparse(M);
  problem.H = sparse(H);
  problem.q = words.numbers(rows(M), "q");
  problem.b = words.numbers(cols(H), "b");
  problem.mu = read_friction(words, n, "mu");
  return problem;
}

ProblemData read_data(ProblemWords& words, ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return read_lcp(words);
    case ProblemKind::mlcp:
      return read_mlcp(words);
    case ProblemKind::relay:
      return read_relay(words);
    case ProblemKind::fc2d:
    case ProblemKind::fc3d:
    case ProblemKind::rfc3d:
      return read_contacts(words, kind);
    case ProblemKind::gfc2d:
    case ProblemKind::gfc3d:
      return read_bodies(words, kind);
    case ProblemKind::soclcp:
      return read_cones(words);
    case ProblemKind::qp:
    case ProblemKind::least_distance:
    case ProblemKind::dissipation:
      break;
  }
  words.fail(fmt::format("{} problems have no text layout", name(kind)), "write them as YAML");
}

}  // namespace

Problem read_problem_text(ProblemWords& words, ProblemKind kind) {
  Problem problem;
  problem.kind = kind;
  problem.data = read_data(words, kind);
  return problem;
}

}  // namespace pequod
