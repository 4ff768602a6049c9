// Columns of rows of contacts, which are zero but at the coordinates of the bodies that touch.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "contact/solvers/linear/basis_kernels.h"
#include "contact/solvers/linear/small_vector_operations.h"
#include "contact/solvers/linear/sparse_columns.h"
#include "core/types.h"

namespace pequod {

/// Coordinates [begin, end).
struct Stretch {
  Eigen::Index begin = 0, end = 0;
};
/// Where a column may be other than zero: at the coordinates of two trees.
using Stretches = std::array<Stretch, 2>;

/// A matrix whose columns come and go without allocation once it has been large enough. Invariant:
/// a column is zero outside of its stretches, and in the numbers that pad it; whoever writes to it
/// keeps to them. Storage that nobody has written to is never touched, so that rows of a thousand
/// bodies, which are nearly all zero, take the memory of what is not.
class ColumnBuffer {
 public:
  ColumnBuffer() = default;
  ColumnBuffer(const ColumnBuffer& other) { *this = other; }
  ColumnBuffer& operator=(const ColumnBuffer& other) {
    if (this == &other) return *this;
    reset(other.rows_);
    for (Eigen::Index i = 0; i < other.columns(); ++i) append(other, i);
    return *this;
  }
  ColumnBuffer(ColumnBuffer&& other) noexcept { swap(*this, other); }
  ColumnBuffer& operator=(ColumnBuffer&& other) noexcept {
    swap(*this, other);
    return *this;
  }
  ~ColumnBuffer() = default;
  friend void swap(ColumnBuffer& a, ColumnBuffer& b) noexcept {
    std::swap(a.data_, b.data_);
    std::swap(a.size_, b.size_);
    std::swap(a.rows_, b.rows_);
    std::swap(a.stretches_, b.stretches_);
  }

  /// No columns. @param rows  of those that come
  void reset(Eigen::Index rows) {
    if (const Eigen::Index used = stride() * columns(); used <= kFewNumbers)
      std::fill_n(data_.get(), used, 0.0);
    else
      clear_stretches();
    rows_ = rows;
    stretches_.clear();
  }
  /// A new column of zeros, to be written to anywhere, or in these stretches.
  Eigen::Ref<VectorXd> append() { return append({{{0, rows_}, {}}}); }
  Eigen::Ref<VectorXd> append(const Stretches& stretches) {
    if (stride() * (columns() + 1) > size_) grow();
    stretches_.push_back(stretches);
    return col(columns() - 1);
  }
  /// So many columns at once.
  void append(Eigen::Index count, const Stretches& stretches) {
    while (stride() * (columns() + count) > size_) grow();
    stretches_.insert(stretches_.end(), static_cast<std::size_t>(count), stretches);
  }
  /// Appends a column of another buffer with as many rows.
  void append(const ColumnBuffer& from, Eigen::Index i) {
    append(from.stretches(i));
    for (const Stretch& s : from.stretches(i)) part(columns() - 1, s) = from.part(i, s);
  }

  [[nodiscard]] Eigen::Index columns() const { return std::ssize(stretches_); }
  [[nodiscard]] Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>> matrix() const {
    return {data_.get(), rows_, columns(), Eigen::OuterStride<>(stride())};
  }
  [[nodiscard]] Eigen::Map<const VectorXd> col(Eigen::Index i) const {
    return {data_.get() + i * stride(), rows_};
  }
  [[nodiscard]] Eigen::Ref<VectorXd> col(Eigen::Index i) {
    return Eigen::Map<VectorXd>(data_.get() + i * stride(), rows_);
  }
  [[nodiscard]] const Stretches& stretches(Eigen::Index i) const { return nth(stretches_, i); }

  /// Of column i: its product with y, with another column, and its square.
  [[nodiscard]] double dot(Eigen::Index i, const VectorXd& y) const { return product(i, y.data()); }
  [[nodiscard]] double dot(Eigen::Index i, Eigen::Index j) const {
    return product(i, col(j).data());
  }
  /// out ← the products of all columns with y.
  void measure(const VectorXd& y, VectorXd& out) const {
    if (rows_ <= kFewRows) return measure_lanes(padded_copy(y.data(), rows_), out);
    out.resize(columns());
    for (Eigen::Index i = 0; i < columns(); ++i) out[i] = dot(i, y);
  }
  /// The same of two with as many rows.
  static void measure(const ColumnBuffer& a, const ColumnBuffer& b, const VectorXd& y,
                      VectorXd& of_a, VectorXd& of_b) {
    if (a.rows_ > kFewRows) {
      a.measure(y, of_a);
      b.measure(y, of_b);
      return;
    }
    double* const lanes = padded_copy(y.data(), a.rows_);
    a.measure_lanes(lanes, of_a);
    b.measure_lanes(lanes, of_b);
  }
  /// y ← y + f times column i.
  void add(Eigen::Index i, double f, VectorXd& y) const {
    for (const Stretch& s : stretches(i))
      add_scaled(f, part(i, s).data(), y.data() + s.begin, s.end - s.begin);
  }
  /// y ← y + G f.
  void add_all(const VectorXd& f, VectorXd& y) const {
    if (rows_ > kFewRows) {
      for (Eigen::Index i = 0; i < columns(); ++i) add(i, f[i], y);
      return;
    }
    double* const sum = padded_copy(y.data(), rows_);
    basis_kernels(stride()).add({data_.get(), stride(), columns(), stride()}, f.data(), sum);
    y = Eigen::Map<const VectorXd>(sum, rows_);
  }
  [[nodiscard]] double squared_norm(Eigen::Index i) const { return dot(i, i); }

 private:
  // Up to so many all are cleared at once.
  static constexpr Eigen::Index kFewNumbers = 512;
  // Up to so many their zeros are not worth a look.
  static constexpr Eigen::Index kFewRows = 48;

  // From one column to the next: whole lanes.
  [[nodiscard]] Eigen::Index stride() const { return padded(rows_); }

  // @param y  whole lanes
  void measure_lanes(double* y, VectorXd& out) const {
    out.resize(columns());
    basis_kernels(stride()).measure({data_.get(), stride(), columns(), stride()}, y, out.data());
  }
  void clear_stretches() {
    for (Eigen::Index i = 0; i < columns(); ++i)
      for (const Stretch& s : stretches(i)) part(i, s).setZero();
  }
  struct Free {
    void operator()(double* data) const { std::free(data); }
  };
  using Storage = std::unique_ptr<double[], Free>;

  [[nodiscard]] Eigen::Map<const VectorXd> part(Eigen::Index i, const Stretch& s) const {
    return {data_.get() + i * stride() + s.begin, s.end - s.begin};
  }
  [[nodiscard]] Eigen::Map<VectorXd> part(Eigen::Index i, const Stretch& s) {
    return {data_.get() + i * stride() + s.begin, s.end - s.begin};
  }
  [[nodiscard]] double product(Eigen::Index i, const double* y) const {
    const auto& [first, second] = stretches(i);
    const auto along = [&](const Stretch& s) {
      return pequod::dot(part(i, s).data(), y + s.begin, s.end - s.begin);
    };
    return second.begin == second.end ? along(first) : along(first) + along(second);
  }
  // Twice the columns: zeros that the system has not yet given, and a copy of what is written.
  void grow() {
    const Eigen::Index size = std::max(2 * size_, stride() * (2 * columns() + 8));
    Storage old(static_cast<double*>(std::calloc(static_cast<std::size_t>(size), sizeof(double))));
    if (!old) throw std::bad_alloc();
    std::swap(data_, old);
    size_ = size;
    for (Eigen::Index i = 0; i < columns(); ++i)
      for (const Stretch& s : stretches(i))
        part(i, s) =
            Eigen::Map<const VectorXd>(old.get() + i * stride() + s.begin, s.end - s.begin);
  }

  Storage data_;
  Eigen::Index size_ = 0;  // numbers that data_ has room for, zero but in stretches
  Eigen::Index rows_ = 0;
  std::vector<Stretches> stretches_;  // of the columns
};

/// Appends column i to sparse ones, as SparseColumns::append() does with all of it.
inline void append_column(const ColumnBuffer& from, Eigen::Index i, SparseColumns& to) {
  const double* column = from.col(i).data();
  double largest = 0.0;
  for (const auto& [begin, end] : from.stretches(i))
    for (Eigen::Index row = begin; row < end; ++row)
      largest = std::max(largest, std::abs(column[row]));
  for (const auto& [begin, end] : from.stretches(i))
    to.push_part(column, begin, end - begin, largest);
  to.end_column();
}

}  // namespace pequod
