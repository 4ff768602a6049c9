#include "scene/problem_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "simulation/record/csv.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

void append_row(std::string& text, const VectorXd& numbers) {
  for (const double x : numbers) {
    append_number(text, x);
    text += ' ';
  }
  text += '\n';
}

// Dense storage is column-major: a line a column.
void append_matrix(std::string& text, const Eigen::MatrixXd& matrix) {
  text += fmt::format("0\n{0}\n{1}\n{0} {1}\n", matrix.rows(), matrix.cols());
  for (Index j = 0; j < matrix.cols(); ++j) append_row(text, matrix.col(j));
}

void append_matrix(std::string& text, const Eigen::SparseMatrix<double>& matrix) {
  text += fmt::format("2\n{0}\n{1}\n1\nCSparse layout, 17 digits\n", matrix.rows(), matrix.cols());
  text += fmt::format("triplet: {}-by-{}, nzmax: {} nnz: {}\n", matrix.rows(), matrix.cols(),
                      matrix.nonZeros(), matrix.nonZeros());
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      text += fmt::format("{} {} : ", entry.row(), entry.col());
      append_number(text, entry.value());
      text += '\n';
    }
}

void append_data(std::string& text, ProblemKind, const LcpProblem& problem) {
  text += fmt::format("{}\n", problem.q.size());
  append_matrix(text, problem.M);
  append_row(text, problem.q);
}

void append_data(std::string& text, ProblemKind, const BoxProblem& problem) {
  text += fmt::format("{}\n", problem.q.size());
  append_matrix(text, problem.M);
  for (const VectorXd* row : {&problem.q, &problem.lower, &problem.upper}) append_row(text, *row);
}

// In the form of one matrix, each row a block.
void append_data(std::string& text, ProblemKind, const MlcpProblem& problem) {
  const auto size = static_cast<Index>(problem.equality.size());
  Index equalities = 0;
  for (const char equality : problem.equality) equalities += equality != 0;
  text += fmt::format("1\n0\n{}\n{}\n", equalities, size - equalities);
  for (Index i = 0; i <= size; ++i) text += fmt::format("{} ", i);
  text += '\n';
  for (const char equality : problem.equality) text += equality != 0 ? "0 " : "1 ";
  text += '\n';
  append_matrix(text, problem.M);
  append_row(text, problem.q);
}

template <typename Friction>
void append_friction(std::string& text, ProblemKind kind, const Friction& problem) {
  const Index n = problem.mu.size();
  const bool cones = kind == ProblemKind::soclcp;
  text += cones ? fmt::format("{}\n{}\n", problem.q.size(), n)
                : fmt::format("{}\n{}\n", problem.dimension, n);
  append_matrix(text, problem.W);
  append_row(text, problem.q);
  if (cones) {
    for (Index i = 0; i <= n; ++i) text += fmt::format("{} ", i * problem.dimension);
    text += '\n';
  }
  append_row(text, problem.mu);
  if (kind == ProblemKind::rfc3d) append_row(text, problem.mu_rolling);
}

void append_data(std::string& text, ProblemKind kind, const FrictionProblem& problem) {
  append_friction(text, kind, problem);
}

void append_data(std::string& text, ProblemKind kind, const SparseFrictionProblem& problem) {
  append_friction(text, kind, problem);
}

void append_data(std::string& text, ProblemKind, const GlobalFrictionProblem& problem) {
  text += fmt::format("{}\n{}\n", problem.dimension, problem.mu.size());
  append_matrix(text, problem.M);
  append_matrix(text, problem.H);
  for (const VectorXd* row : {&problem.q, &problem.b, &problem.mu}) append_row(text, *row);
}

std::string yaml_number(double x) {
  if (std::isinf(x)) return x > 0.0 ? ".inf" : "-.inf";
  std::string text;
  append_number(text, x);
  return text;
}

template <typename Numbers>
std::string yaml_list(const Numbers& numbers) {
  std::string text = "[";
  for (const auto& x : numbers)
    text += (text.size() > 1 ? ", " : "") + yaml_number(static_cast<double>(x));
  return text + "]";
}

std::string yaml_rows(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() == 0) return " []\n";
  std::string text = "\n";
  for (Index i = 0; i < matrix.rows(); ++i) text += "  - " + yaml_list(matrix.row(i)) + "\n";
  return text;
}

void append_data(std::string& text, ProblemKind kind, const QuadraticProblem& problem) {
  text += fmt::format("kind: {}\n", name(kind));
  text += "M:" + yaml_rows(problem.M);
  text += "q: " + yaml_list(problem.q) + "\n";
  text += "lower: " + yaml_list(problem.lower) + "\n";
  text += "A:" + yaml_rows(problem.A);
  text += "b: " + yaml_list(problem.b) + "\n";
}

// Columns of the struct are rows of the file.
void append_data(std::string& text, ProblemKind kind, const LeastDistanceProblem& problem) {
  const Index k = problem.equalities(), n = problem.inequalities();
  text += fmt::format("kind: {}\n", name(kind));
  text += "y0: " + yaml_list(problem.y0) + "\n";
  text += "E:" + yaml_rows(problem.E.leftCols(k).transpose());
  text += "e: " + yaml_list(problem.e.head(k)) + "\n";
  text += "G:" + yaml_rows(problem.G.leftCols(n).transpose());
  text += "c: " + yaml_list(problem.c.head(n)) + "\n";
}

void append_rest(std::string& text, const LcpProblem& problem) {
  text += "M:" + yaml_rows(problem.M);
  text += "q: " + yaml_list(problem.q) + "\n";
}

std::string yaml_square(const Eigen::MatrixXd& matrix) { return yaml_rows(matrix); }

// One entry a line, for matrices that are mostly zero.
std::string yaml_square(const Eigen::SparseMatrix<double>& matrix) {
  std::string text = fmt::format("\n  size: {}\n  entries:\n", matrix.rows());
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
      text +=
          fmt::format("  - [{}, {}, {}]\n", entry.row(), entry.col(), yaml_number(entry.value()));
  return text;
}

template <typename Friction>
requires requires(Friction problem) { problem.mu_rolling; }
void append_rest(std::string& text, const Friction& problem) {
  text += "W:" + yaml_square(problem.W);
  text += "q: " + yaml_list(problem.q) + "\n";
  text += "mu: " + yaml_list(problem.mu) + "\n";
  if (problem.dimension == 5) text += "mu_rolling: " + yaml_list(problem.mu_rolling) + "\n";
  if (problem.scale != 0.0) text += "scale: " + yaml_number(problem.scale) + "\n";
}

void append_data(std::string& text, ProblemKind kind, const DissipationProblem& problem) {
  text += fmt::format("kind: {}\n", name(kind));
  append_rest(text, problem.contacts);
  text += "slack: " + yaml_number(problem.slack) + "\n";
  if (problem.width.size() > 0) text += "width: " + yaml_list(problem.width) + "\n";
}

// Whether the text layout of its kind, if there is one, has no place for all of the problem.
bool needs_yaml(const Problem& problem) {
  switch (problem.kind) {
    case ProblemKind::qp:
    case ProblemKind::least_distance:
    case ProblemKind::dissipation:
      return true;
    default:
      break;
  }
  const FrictionProblem* friction = std::get_if<FrictionProblem>(&problem.data);
  return problem.recorded || problem.start.size() > 0 || (friction && friction->scale != 0.0);
}

// Of the kinds that have both layouts, those that a run records.
bool append_yaml(std::string& text, const Problem& problem) {
  return std::visit(
      [&](const auto& data) {
        constexpr bool kBoth = requires { append_rest(text, data); };
        if constexpr (kBoth) {
          text += fmt::format("kind: {}\n", name(problem.kind));
          append_rest(text, data);
        }
        return kBoth;
      },
      problem.data);
}

void append_recorded(std::string& text, const RecordedAnswer& recorded) {
  text += fmt::format("recorded:\n  solver: {}\n  status: {}\n  pivots: {}\n", recorded.solver,
                      recorded.status, recorded.pivots);
  text += "  x: " + yaml_list(recorded.x) + "\n";
  text += "  multipliers: " + yaml_list(recorded.multipliers) + "\n";
}

}  // namespace

std::string_view problem_extension(const Problem& problem) {
  return needs_yaml(problem) ? "yaml" : "dat";
}

std::string write_problem(const Problem& problem) {
  std::string text;
  if (!needs_yaml(problem) || !append_yaml(text, problem))
    std::visit([&](const auto& data) { append_data(text, problem.kind, data); }, problem.data);
  if (!problem.warm_start.empty()) text += "warm_start: " + yaml_list(problem.warm_start) + "\n";
  if (problem.start.size() > 0) text += "warm_start: " + yaml_list(problem.start) + "\n";
  if (problem.recorded) append_recorded(text, *problem.recorded);
  return text;
}

}  // namespace pequod
