#include "scene/problem_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "scene/problem_words.h"
#include "scene/yaml.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kAny = -1;  // a size that the data may choose

// The keys of a kind beside `kind`; those behind the bar may be left out.
struct Keys {
  std::vector<std::string> needed, optional;
};

Keys keys_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return {{"M", "q"}, {"recorded"}};
    case ProblemKind::mlcp:
      return {{"M", "q", "equality"}, {}};
    case ProblemKind::relay:
      return {{"M", "q", "lower", "upper"}, {}};
    case ProblemKind::rfc3d:
      return {{"W", "q", "mu", "mu_rolling"}, {"scale", "warm_start", "recorded"}};
    case ProblemKind::gfc2d:
    case ProblemKind::gfc3d:
      return {{"M", "H", "q", "b", "mu"}, {}};
    case ProblemKind::qp:
      return {{"M", "q"}, {"lower", "A", "b"}};
    case ProblemKind::least_distance:
      return {{"y0"}, {"E", "e", "G", "c", "warm_start", "recorded"}};
    case ProblemKind::dissipation:
      return {{"W", "q", "mu"}, {"scale", "slack", "width", "recorded"}};
    case ProblemKind::fc2d:
    case ProblemKind::fc3d:
    case ProblemKind::soclcp:
      break;
  }
  return {{"W", "q", "mu"}, {"scale", "warm_start", "recorded"}};
}

// The mapping of a file, its values taken out by key.
class NodeReader {
 public:
  NodeReader(const YAML::Node& root, const std::string& file) : root_(root), file_(file) {
    if (!root.IsMap())
      throw ProblemError(place_of(root, file), "a problem is a mapping: kind, then its matrices");
    std::set<std::string> seen;
    for (const auto& entry : root)
      if (!seen.insert(entry.first.Scalar()).second)
        fail(entry.first, fmt::format("\"{}\" is here for the second time", entry.first.Scalar()));
  }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message,
                         std::string hint = {}) const {
    throw ProblemError(place_of(node, file_), message, std::move(hint));
  }

  [[nodiscard]] ProblemKind kind(std::optional<ProblemKind> wanted) const {
    std::vector<std::string> names;
    for (const ProblemKind each : problem_kinds()) names.emplace_back(name(each));
    const YAML::Node node = root_["kind"];
    if (!node || !node.IsScalar())
      fail(node ? node : root_, "the key \"kind\" is missing", "one of: " + join(names));
    const std::optional<ProblemKind> found = find_problem_kind(node.Scalar());
    if (!found) {
      const std::string meant = did_you_mean(node.Scalar(), names);
      fail(node, fmt::format("unknown kind \"{}\"", node.Scalar()),
           meant.empty() ? "one of: " + join(names) : meant);
    }
    if (wanted && wanted != found)
      fail(node, fmt::format("the file's kind is {}, not {}", name(*found), name(*wanted)),
           "leave out --kind");
    return *found;
  }

  // @param owner  whose keys these are, for messages
  void check_keys(const Keys& keys, std::string_view owner) const {
    std::vector<std::string> all = keys.needed;
    all.insert(all.end(), keys.optional.begin(), keys.optional.end());
    for (const auto& entry : root_) {
      const std::string key = entry.first.Scalar();
      if (std::ranges::find(all, key) != all.end()) continue;
      const std::string meant = did_you_mean(key, all);
      fail(entry.first, fmt::format("unknown key \"{}\" of {}", key, owner),
           meant.empty() ? "valid here: " + join(all) : meant);
    }
    for (const std::string& key : keys.needed)
      if (!root_[key]) fail(root_, fmt::format("{}: the key \"{}\" is missing", owner, key));
  }

  [[nodiscard]] bool has(const char* key) const { return static_cast<bool>(root_[key]); }

  [[nodiscard]] NodeReader at(const char* key) const { return {root_[key], file_}; }

  [[nodiscard]] std::string word(const char* key) const {
    if (!root_[key].IsScalar()) fail(root_[key], fmt::format("{}: must be one word", key));
    return root_[key].Scalar();
  }

  [[nodiscard]] double number(const char* key) const {
    const NumberText number = parse_number(word(key));
    if (!number.value) fail(root_[key], fmt::format("{}: {}", key, number.problem), number.hint);
    return *number.value;
  }

  [[nodiscard]] VectorXd vector(const char* key, Index size = kAny, bool finite = true) const {
    const YAML::Node node = root_[key];
    if (!node && size <= 0) return VectorXd(0);
    return numbers(node ? node : root_, key, size, finite);
  }

  // One row a list. @param height, width  kAny: as the data has it
  [[nodiscard]] MatrixXd matrix(const char* key, Index height, Index width) const {
    const YAML::Node node = root_[key];
    if (!node) fail(root_, fmt::format("the key \"{}\" is missing", key));
    const Index count = require_list(node, key, height);
    if (width == kAny) width = count == 0 ? 0 : static_cast<Index>(node[0].size());
    MatrixXd result(count, width);
    for (Index i = 0; i < count; ++i)
      result.row(i) = numbers(node[i], fmt::format("{}[{}]", key, i), width, true);
    return result;
  }

  // The same of a matrix that is mostly zero, from its entries [row, column, number].
  [[nodiscard]] Eigen::SparseMatrix<double> entries(const char* key, Index size) const {
    const NodeReader inner = at(key);
    inner.check_keys({{"size", "entries"}, {}}, key);
    if (inner.number("size") != static_cast<double>(size))
      fail(root_[key]["size"], fmt::format("size: must be {}, as long as q", size));
    const MatrixXd list = inner.matrix("entries", kAny, 3);
    std::vector<Eigen::Triplet<double>> triplets;
    for (Index i = 0; i < list.rows(); ++i) {
      for (const double x : {list(i, 0), list(i, 1)})
        if (x != std::floor(x) || x < 0.0 || x >= static_cast<double>(size))
          fail(root_[key]["entries"][i],
               fmt::format("{}: rows and columns are from 0 to {}, not {}", key, size - 1, x));
      triplets.emplace_back(static_cast<int>(list(i, 0)), static_cast<int>(list(i, 1)), list(i, 2));
    }
    Eigen::SparseMatrix<double> result(size, size);
    result.setFromTriplets(triplets.begin(), triplets.end());
    return result;
  }

  [[nodiscard]] VectorXd friction(const char* key, Index size = kAny) const {
    VectorXd mu = vector(key, size, false);
    for (Index i = 0; i < mu.size(); ++i)
      if (mu[i] < 0.0) fail(root_[key][i], fmt::format("{}: must be >= 0, not {}", key, mu[i]));
    return mu;
  }

  [[nodiscard]] std::vector<char> flags(const char* key, Index size) const {
    const YAML::Node node = root_[key];
    std::vector<char> result;
    for (Index i = 0; i < require_list(node, key, size); ++i) {
      const std::string word = node[i].IsScalar() ? node[i].Scalar() : "";
      if (word != "true" && word != "false") fail(node[i], fmt::format("{}: true or false", key));
      result.push_back(word == "true");
    }
    return result;
  }

  // Numbers of columns below `end`, none twice.
  [[nodiscard]] std::vector<int> columns(const char* key, Index end) const {
    std::vector<int> result;
    const VectorXd values = vector(key);
    for (Index i = 0; i < values.size(); ++i) {
      const double x = values[i];
      if (x != std::floor(x) || x < 0.0 || x >= static_cast<double>(end))
        fail(root_[key][i], fmt::format("{}: must be a row from 0 to {}, not {}", key, end - 1, x));
      if (std::ranges::find(result, static_cast<int>(x)) != result.end())
        fail(root_[key][i], fmt::format("{}: {} is here twice", key, x));
      result.push_back(static_cast<int>(x));
    }
    return result;
  }

 private:
  Index require_list(const YAML::Node& node, const std::string& key, Index size) const {
    if (!node.IsSequence()) fail(node, key + ": must be a list");
    const auto found = static_cast<Index>(node.size());
    if (size != kAny && found != size)
      fail(node, fmt::format("{}: {} items expected, not {}", key, size, found));
    return found;
  }

  [[nodiscard]] VectorXd numbers(const YAML::Node& node, const std::string& key, Index size,
                                 bool finite) const {
    VectorXd result(require_list(node, key, size));
    Index i = 0;
    for (const YAML::Node& item : node) {
      if (!item.IsScalar()) fail(item, key + ": must be numbers");
      const NumberText number = parse_number(item.Scalar());
      if (!number.value) fail(item, key + ": " + number.problem, number.hint);
      if (finite && !std::isfinite(*number.value)) fail(item, key + ": must be finite");
      result[i++] = *number.value;
    }
    return result;
  }

  YAML::Node root_;
  const std::string& file_;
};

MatrixXd square(const NodeReader& reader, const char* key, Index size) {
  return reader.matrix(key, size, size);
}

ProblemData read_relay(const NodeReader& reader, const YAML::Node& root, const VectorXd& q,
                       const MatrixXd& M) {
  BoxProblem problem{M, q, reader.vector("lower", q.size(), false),
                     reader.vector("upper", q.size(), false)};
  for (Index i = 0; i < q.size(); ++i)
    if (problem.lower[i] > problem.upper[i])
      reader.fail(root["lower"][i],
                  fmt::format("lower {} is above upper {}", problem.lower[i], problem.upper[i]));
  return problem;
}

void read_square(const NodeReader& reader, Index size, MatrixXd& W) {
  W = square(reader, "W", size);
}

void read_square(const NodeReader& reader, Index size, Eigen::SparseMatrix<double>& W) {
  W = reader.entries("W", size);
}

template <typename Friction>
Friction read_contacts(const NodeReader& reader, const YAML::Node& root, ProblemKind kind) {
  Friction problem;
  problem.q = reader.vector("q");
  problem.mu = reader.friction("mu");
  const Index n = problem.mu.size();
  problem.dimension = kind == ProblemKind::rfc3d ? 5 : kind == ProblemKind::fc2d ? 2 : 3;
  // A cone tells its dimension by its size.
  if (kind == ProblemKind::soclcp && problem.q.size() == 2 * n) problem.dimension = 2;
  if (n == 0 || problem.q.size() != n * problem.dimension)
    reader.fail(root["q"], fmt::format("q: {} contacts of {} have {} numbers, not {}", n,
                                       name(kind), n * problem.dimension, problem.q.size()));
  read_square(reader, problem.q.size(), problem.W);
  if (kind == ProblemKind::rfc3d) problem.mu_rolling = reader.friction("mu_rolling", n);
  problem.associated = kind == ProblemKind::soclcp;
  if (reader.has("scale")) problem.scale = reader.number("scale");
  if (!(problem.scale >= 0.0) || !std::isfinite(problem.scale))
    reader.fail(root["scale"], "scale: must be a number >= 0");
  return problem;
}

ProblemData read_dissipation(const NodeReader& reader, const YAML::Node& root) {
  DissipationProblem problem;
  problem.contacts = read_contacts<FrictionProblem>(reader, root, ProblemKind::dissipation);
  if (reader.has("slack")) problem.slack = reader.number("slack");
  if (!(problem.slack > 0.0) || !std::isfinite(problem.slack))
    reader.fail(root["slack"], "slack: must be a number > 0");
  if (reader.has("width")) problem.width = reader.friction("width", problem.contacts.mu.size());
  return problem;
}

ProblemData read_bodies(const NodeReader& reader, const YAML::Node& root, ProblemKind kind) {
  GlobalFrictionProblem problem;
  problem.dimension = kind == ProblemKind::gfc2d ? 2 : 3;
  problem.q = reader.vector("q");
  problem.b = reader.vector("b");
  problem.mu = reader.friction("mu");
  if (problem.b.size() != problem.mu.size() * problem.dimension || problem.b.size() == 0)
    reader.fail(root["b"],
                fmt::format("b: {} contacts of {} have {} numbers, not {}", problem.mu.size(),
                            name(kind), problem.mu.size() * problem.dimension, problem.b.size()));
  problem.M = square(reader, "M", problem.q.size()).sparseView(0.0, 0.0);
  problem.H = reader.matrix("H", problem.q.size(), problem.b.size()).sparseView(0.0, 0.0);
  return problem;
}

QuadraticProblem read_program(const NodeReader& reader) {
  QuadraticProblem problem;
  problem.q = reader.vector("q");
  const Index n = problem.q.size();
  problem.M = square(reader, "M", n);
  problem.lower = VectorXd::Constant(n, -INFINITY);
  if (reader.has("lower")) problem.lower = reader.vector("lower", n, false);
  problem.b = reader.has("b") ? reader.vector("b") : VectorXd(0);
  problem.A = MatrixXd(0, n);
  if (reader.has("A") || problem.b.size() > 0) problem.A = reader.matrix("A", problem.b.size(), n);
  return problem;
}

// @param unknowns, rows  sizes of x and of the multipliers
RecordedAnswer read_recorded(const NodeReader& reader, Index unknowns, Index rows) {
  reader.check_keys({{"solver", "status", "pivots", "x", "multipliers"}, {}}, "recorded");
  RecordedAnswer recorded;
  recorded.solver = reader.word("solver");
  recorded.status = reader.word("status");
  recorded.pivots = static_cast<int>(reader.number("pivots"));
  recorded.x = reader.vector("x", unknowns);
  recorded.multipliers = reader.vector("multipliers", rows);
  return recorded;
}

// Only what is solved has a point, and what failed has no multipliers either.
RecordedAnswer read_recorded(const NodeReader& reader, const LeastDistanceProblem& data) {
  const std::string status = reader.has("status") ? reader.word("status") : "";
  return read_recorded(reader, status == "solved" ? data.y0.size() : 0,
                       status == "failed" ? 0 : data.e.size() + data.c.size());
}

// Constraints stand row by row in the file, column by column in the struct.
void read_least_distance(const NodeReader& reader, Problem& problem) {
  LeastDistanceProblem data;
  data.y0 = reader.vector("y0");
  data.e = reader.vector("e");
  data.c = reader.vector("c");
  const Index m = data.y0.size();
  data.E = MatrixXd(m, 0);
  data.G = MatrixXd(m, 0);
  if (reader.has("E") || data.e.size() > 0)
    data.E = reader.matrix("E", data.e.size(), m).transpose();
  if (reader.has("G") || data.c.size() > 0)
    data.G = reader.matrix("G", data.c.size(), m).transpose();
  if (reader.has("warm_start")) problem.warm_start = reader.columns("warm_start", data.c.size());
  if (reader.has("recorded")) problem.recorded = read_recorded(reader.at("recorded"), data);
  problem.data = std::move(data);
}

void read_data(const NodeReader& reader, const YAML::Node& root, Problem& problem) {
  switch (problem.kind) {
    case ProblemKind::lcp:
    case ProblemKind::mlcp:
    case ProblemKind::relay: {
      const VectorXd q = reader.vector("q");
      const MatrixXd M = square(reader, "M", q.size());
      if (problem.kind == ProblemKind::lcp) problem.data = LcpProblem{M, q};
      if (reader.has("recorded"))
        problem.recorded = read_recorded(reader.at("recorded"), q.size(), 0);
      if (problem.kind == ProblemKind::mlcp)
        problem.data = MlcpProblem{M, q, reader.flags("equality", q.size())};
      if (problem.kind == ProblemKind::relay) problem.data = read_relay(reader, root, q, M);
      return;
    }
    case ProblemKind::fc2d:
    case ProblemKind::fc3d:
    case ProblemKind::rfc3d:
    case ProblemKind::soclcp:
    case ProblemKind::dissipation: {
      const Index size = reader.vector("q").size();
      if (problem.kind == ProblemKind::dissipation)
        problem.data = read_dissipation(reader, root);
      else if (root["W"].IsMap())
        problem.data = read_contacts<SparseFrictionProblem>(reader, root, problem.kind);
      else
        problem.data = read_contacts<FrictionProblem>(reader, root, problem.kind);
      if (reader.has("warm_start")) problem.start = reader.vector("warm_start", size);
      if (reader.has("recorded")) problem.recorded = read_recorded(reader.at("recorded"), size, 0);
      return;
    }
    case ProblemKind::gfc2d:
    case ProblemKind::gfc3d:
      problem.data = read_bodies(reader, root, problem.kind);
      return;
    case ProblemKind::qp:
      problem.data = read_program(reader);
      return;
    case ProblemKind::least_distance:
      read_least_distance(reader, problem);
      return;
  }
}

}  // namespace

std::optional<Problem> read_problem_yaml(const std::string& text, const std::string& file,
                                         std::optional<ProblemKind> kind,
                                         Diagnostics& diagnostics) {
  const std::optional<YAML::Node> root = parse_yaml(text, file, diagnostics);
  if (!root) return std::nullopt;
  const NodeReader reader(*root, file);
  Problem problem;
  problem.kind = reader.kind(kind);
  Keys keys = keys_of(problem.kind);
  keys.needed.insert(keys.needed.begin(), "kind");
  reader.check_keys(keys, name(problem.kind));
  read_data(reader, *root, problem);
  return problem;
}

}  // namespace pequod
