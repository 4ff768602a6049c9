#include "scene/quasistatic_file.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "scene/quasistatic_shapes.h"
#include "scene/yaml.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::Vector2d;

// Of directions printed with three digits.
constexpr double kUnit = 5e-3;

VectorXd vector_in(const YAML::Node& node) {
  const std::vector<double> values = node ? numbers_in(node) : std::vector<double>{};
  return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

/// The form of matrices.
class MatrixReader {
 public:
  MatrixReader(const YAML::Node& root, const std::string& file, Diagnostics& diagnostics)
      : root_(root), file_(file), diagnostics_(diagnostics) {}

  std::optional<QuasistaticFile> read() {
    std::vector<std::string> missing;
    for (const char* key : {"P", "J", "mu", "joint_velocity", "d"})
      if (!root_[key]) missing.emplace_back(key);
    if (!missing.empty())
      fail(root_, "missing: " + join(missing),
           "matrices need P, J, mu, joint_velocity and d; shapes need object and fingers");
    if (!diagnostics_.ok()) return std::nullopt;
    const VectorXd mu = vector_in(root_["mu"]), rates = vector_in(root_["joint_velocity"]);
    const Index n_c = mu.size();
    const MatrixXd J = matrix("J", 2 * n_c), P = matrix("P", 2 * n_c);
    if (!diagnostics_.ok()) return std::nullopt;
    QuasistaticProblem& problem = file_read_.problem;
    problem.driven.assign(static_cast<std::size_t>(J.cols()), 1);
    const std::vector<Index> free = free_joints(problem.driven);
    const Index n_free = static_cast<Index>(free.size());
    if (rates.size() != J.cols() - n_free)
      fail(root_["joint_velocity"], fmt::format("{} numbers for {} joints of which {} are free",
                                                rates.size(), J.cols(), n_free));
    const Index n_q = check_width(P, J, free);
    check_size("d", n_c + n_q + n_free);
    if (!diagnostics_.ok()) return std::nullopt;
    problem.W_n = P.topLeftCorner(n_c, n_q).transpose();
    problem.W_t = P.bottomLeftCorner(n_c, n_q).transpose();
    problem.J_n = J.topRows(n_c);
    problem.J_t = J.bottomRows(n_c);
    problem.friction = mu;
    fill_joints(rates, free);
    fill_loads(n_c, n_q);
    if (n_q == 3) check_wrenches();
    if (!diagnostics_.ok()) return std::nullopt;
    return std::move(file_read_);
  }

 private:
  void fail(const YAML::Node& node, const std::string& message, std::string hint = {}) {
    diagnostics_.error(place_of(node, file_), message, std::move(hint));
  }

  MatrixXd matrix(const char* key, Index height) {
    const YAML::Node node = root_[key];
    if (static_cast<Index>(node.size()) != height) {
      fail(node, fmt::format("{}: {} rows, but {} contacts need {}", key, node.size(), height / 2,
                             height));
      return {};
    }
    MatrixXd result(height, static_cast<Index>(node[0].size()));
    for (Index i = 0; i < height; ++i) {
      const VectorXd row = vector_in(nth(node, i));
      if (row.size() != result.cols()) {
        fail(nth(node, i), fmt::format("{}[{}]: {} numbers, but the first row has {}", key, i,
                                       row.size(), result.cols()));
        return {};
      }
      result.row(i) = row.transpose();
    }
    return result;
  }

  std::vector<Index> free_joints(std::vector<char>& driven) {
    std::vector<Index> free;
    const YAML::Node node = root_["free_joints"];
    const VectorXd values = vector_in(node);
    for (Index i = 0; i < values.size(); ++i) {
      const double x = values[i];
      if (x != std::floor(x) || x < 1.0 || x > static_cast<double>(driven.size())) {
        fail(nth(node, i),
             fmt::format("free_joints: must be joints from 1 to {}, not {}", driven.size(), x));
        continue;
      }
      if (driven[static_cast<std::size_t>(x) - 1] == 0)
        fail(nth(node, i), fmt::format("free_joints: {} is here twice", x));
      driven[static_cast<std::size_t>(x) - 1] = 0;
    }
    for (std::size_t j = 0; j < driven.size(); ++j)
      if (driven[j] == 0) free.push_back(static_cast<Index>(j));
    return free;
  }

  // The paper's P ends with the columns of J that belong to free joints; they may be left out.
  Index check_width(const MatrixXd& P, const MatrixXd& J, const std::vector<Index>& free) {
    const Index n_free = static_cast<Index>(free.size());
    const Index n_q = vector_in(root_["d"]).size() - J.rows() / 2 - n_free;
    if (n_free > 0 && P.cols() == n_q + n_free) {
      if (P.rightCols(n_free) != J(Eigen::all, free))
        fail(root_["P"], "P: its last columns are not those of J of the free joints",
             "leave them out");
      return n_q;
    }
    if (P.cols() != n_q)
      fail(root_["P"],
           fmt::format("P: {} columns, but d leaves {} for the object's load", P.cols(), n_q));
    return n_q;
  }

  void check_size(const char* key, Index size) {
    const Index found = static_cast<Index>(root_[key].size());
    if (found != size) fail(root_[key], fmt::format("{}: {} numbers, not {}", key, size, found));
  }

  void fill_joints(const VectorXd& rates, const std::vector<Index>& free) {
    QuasistaticProblem& problem = file_read_.problem;
    const Index n = problem.J_n.cols();
    problem.joint_velocity = problem.joint_effort = problem.joint_load = VectorXd::Zero(n);
    Index next = 0, next_free = 0;
    for (Index j = 0; j < n; ++j)
      if (nth(problem.driven, j) != 0)
        problem.joint_velocity[j] = rates[next++];
      else
        problem.joint_effort[j] = -vector_in(
            root_["d"])[root_["d"].size() - free.size() + static_cast<std::size_t>(next_free++)];
  }

  void fill_loads(Index n_c, Index n_q) {
    const VectorXd d = vector_in(root_["d"]);
    for (Index i = 0; i < n_c; ++i)
      if (d[i] != 0.0)
        fail(nth(root_["d"], i),
             fmt::format("d: its first {} numbers, one a contact, are zero", n_c));
    file_read_.problem.object_load = d.segment(n_c, n_q);
  }

  // In the plane a row holds a direction, and the tangent is the normal turned by +90°.
  void check_wrenches() {
    const QuasistaticProblem& problem = file_read_.problem;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vector2d n = problem.W_n.col(i).head<2>(), t = problem.W_t.col(i).head<2>();
      const auto row = static_cast<std::size_t>(i);
      if (std::abs(n.norm() - 1.0) > kUnit)
        diagnostics_.warning(
            place_of(root_["P"][row], file_),
            fmt::format("the normal of contact {} has length {:.4g}", i + 1, n.norm()));
      if ((t - Vector2d(-n.y(), n.x())).norm() > kUnit)
        diagnostics_.warning(
            place_of(root_["P"][row + static_cast<std::size_t>(problem.contacts())], file_),
            fmt::format("the tangent of contact {} is not its normal turned by +90°", i + 1));
    }
  }

  const YAML::Node& root_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  QuasistaticFile file_read_;
};

}  // namespace

std::optional<QuasistaticFile> read_quasistatic(const std::filesystem::path& path,
                                                Diagnostics& diagnostics) {
  const std::string file = path.string();
  const std::optional<std::string> text = read_text(path, {file, 0, 0}, diagnostics);
  if (!text) return std::nullopt;
  const std::optional<YAML::Node> root = parse_yaml(*text, file, diagnostics);
  if (!root || !check_yaml(*root, quasistatic_fields(), "", {file, 1, 1}, diagnostics))
    return std::nullopt;
  const YAML::Node object = (*root)["object"], P = (*root)["P"];
  if (object && P) {
    diagnostics.error(place_of(P, file), "a file holds matrices or shapes, not both",
                      "leave out P or object");
    return std::nullopt;
  }
  if (!object && (*root)["motion"]) {
    diagnostics.error(place_of((*root)["motion"], file), "matrices say nothing of other places",
                      "motion needs the form of shapes");
    return std::nullopt;
  }
  if (!object) return MatrixReader(*root, file, diagnostics).read();
  QuasistaticFile result;
  result.scene = read_planar_scene(*root, file, diagnostics);
  if (!result.scene) return std::nullopt;
  const VectorXd start = start_of(*result.scene);
  result.contacts = facing(*result.scene, start, result.scene->reach);
  for (const PlanarContact& contact : result.contacts)
    if (contact.gap < -result.scene->reach)
      diagnostics.error(place_of(object, file),
                        fmt::format("the object overlaps finger \"{}\" by {:.3g} m",
                                    nth(result.scene->fingers, contact.finger).name, -contact.gap));
  if (!diagnostics.ok()) return std::nullopt;
  result.problem = problem_of(*result.scene, result.contacts, start);
  if (const YAML::Node motion = (*root)["motion"])
    result.motion = {number_at(motion, "duration", NAN), number_at(motion, "step", 0.01)};
  return result;
}

}  // namespace pequod
