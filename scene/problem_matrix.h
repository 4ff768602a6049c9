// The matrix block of text problem files, in its three storages.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <string_view>
#include <variant>

#include "scene/problem_words.h"

namespace pequod {

/// A matrix as its file stores it: dense, or by the entries that are there.
using StoredMatrix = std::variant<Eigen::MatrixXd, Eigen::SparseMatrix<double>>;

/// Reads `storage rows cols` and the entries; entries that are given twice are added. A file must
/// hold `rows` and `cols` numbers more, as the vectors beside every matrix of a problem are.
/// @throws ProblemError
[[nodiscard]] StoredMatrix read_matrix(ProblemWords& words, std::string_view name);

/// Numbers of rows and of columns.
[[nodiscard]] Eigen::Index rows(const StoredMatrix& matrix);
[[nodiscard]] Eigen::Index cols(const StoredMatrix& matrix);

/// The largest sparse matrix that is filled up for a dense solver, in rows: 288 MB.
inline constexpr Eigen::Index kMostDenseRows = 6000;

[[nodiscard]] Eigen::MatrixXd dense(const StoredMatrix& matrix);
[[nodiscard]] Eigen::SparseMatrix<double> sparse(const StoredMatrix& matrix);

}  // namespace pequod
