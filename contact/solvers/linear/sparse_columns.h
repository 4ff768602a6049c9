#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The columns of a matrix in which most entries are zero, one after the other. Buffers grow to the
/// largest matrix met.
class SparseColumns {
 public:
  /// Of a column's largest entry: what products leave where there is nothing, such as the moment of
  /// a force through the centre of a ball. It comes and goes, and the structure shall not.
  static constexpr double kRounding = 3e-14;

  void reset(Index rows) {
    rows_ = rows;
    starts_.assign(1, 0);
    row_.clear();
    value_.clear();
  }
  /// An entry of the column under way, rows ascending.
  void push(int row, double value) {
    row_.push_back(row);
    value_.push_back(value);
  }
  /// Ends the column under way.
  void end_column() { starts_.push_back(static_cast<int>(row_.size())); }
  /// Takes what is not zero, or rounding, of entries first … first + count − 1 of a dense column;
  /// `largest` is that of the whole column.
  void push_part(const double* column, Index first, Index count, double largest) {
    for (Index i = first; i < first + count; ++i)
      if (std::abs(column[i]) > kRounding * largest) push(static_cast<int>(i), column[i]);
  }
  /// The same of a whole column, as the next one.
  void append(const double* column) {
    double largest = 0.0;
    for (Index i = 0; i < rows_; ++i) largest = std::max(largest, std::abs(column[i]));
    push_part(column, 0, rows_, largest);
    end_column();
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] int columns() const { return static_cast<int>(starts_.size()) - 1; }
  [[nodiscard]] const std::vector<int>& starts() const { return starts_; }
  [[nodiscard]] const std::vector<int>& row_of() const { return row_; }
  [[nodiscard]] const std::vector<double>& values() const { return value_; }
  [[nodiscard]] std::vector<double>& values() { return value_; }

  /// gⱼᵀ y
  [[nodiscard]] double dot(int j, const double* y) const {
    double sum = 0.0;
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) sum += value_[e] * y[row_[e]];
    return sum;
  }
  /// y ← y + f gⱼ
  void add(int j, double f, double* y) const {
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) y[row_[e]] += f * value_[e];
  }
  /// |gⱼ|
  [[nodiscard]] double norm(int j) const {
    double sum = 0.0;
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) sum += value_[e] * value_[e];
    return std::sqrt(sum);
  }

 private:
  Index rows_ = 0;
  std::vector<int> starts_ = {0}, row_;
  std::vector<double> value_;
};

}  // namespace pequod
