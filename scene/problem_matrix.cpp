#include "scene/problem_matrix.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <vector>

namespace pequod {
namespace {

using Eigen::Index;
using Entry = Eigen::Triplet<double>;

struct Size {
  Index rows = 0, cols = 0;
};

Eigen::SparseMatrix<double> assemble(const Size& size, const std::vector<Entry>& entries) {
  Eigen::SparseMatrix<double> matrix(size.rows, size.cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::MatrixXd read_dense(ProblemWords& words, const Size& size, const std::string& name) {
  for (const auto& [what, expected] : {std::pair{"rows", size.rows}, std::pair{"cols", size.cols}})
    if (const Index again = words.integer(name + ": " + what); again != expected)
      words.fail(fmt::format("{}: dense storage gives its {} again; {} expected, not {}", name,
                             what, expected, again));
  // A product of two counts that the text has room for does not overflow.
  const Eigen::VectorXd entries = words.numbers(size.rows * size.cols, name);
  return entries.reshaped(size.rows, size.cols);
}

// Cumulated ends of blocks: rising, the last one the size of the matrix.
std::vector<Index> read_ends(ProblemWords& words, Index blocks, Index size,
                             const std::string& what) {
  std::vector<Index> ends{0};
  for (Index i = 0; i < blocks; ++i) {
    ends.push_back(words.integer(what, ends.back()));
    if (ends.back() > size)
      words.fail(fmt::format("{}: {} is beyond the {} of the matrix", what, ends.back(), size));
  }
  if (ends.back() != size)
    words.fail(fmt::format("{}: the last must be {}, the size of the matrix, not {}", what, size,
                           ends.back()));
  return ends;
}

// Where blocks stand: row starts into the list of blocks, and their block columns.
struct BlockList {
  std::vector<Index> row, col;
};

BlockList read_block_list(ProblemWords& words, Index blocks, const Size& grid,
                          const std::string& name) {
  BlockList list;
  if (const Index starts = words.integer(name + ": row starts"); starts != grid.rows + 1)
    words.fail(fmt::format("{}: {} block rows have {} row starts, not {}", name, grid.rows,
                           grid.rows + 1, starts));
  if (const Index places = words.integer(name + ": block columns"); places != blocks)
    words.fail(
        fmt::format("{}: {} blocks have as many block columns, not {}", name, blocks, places));
  list.row.assign(blocks, 0);
  Index last = words.integer(name + ": row start");
  if (last != 0) words.fail(fmt::format("{}: the first row start must be 0, not {}", name, last));
  for (Index i = 0; i < grid.rows; ++i) {
    const Index start = words.integer(name + ": row start", last);
    if (start > blocks)
      words.fail(fmt::format("{}: row start {} is beyond the {} blocks", name, start, blocks));
    for (; last < start; ++last) list.row[last] = i;
  }
  if (last != blocks)
    words.fail(fmt::format("{}: the last row start must be {}, not {}", name, blocks, last));
  for (Index k = 0; k < blocks; ++k) {
    list.col.push_back(words.integer(name + ": block column"));
    if (list.col.back() >= grid.cols)
      words.fail(fmt::format("{}: block column {} of only {}", name, list.col.back(), grid.cols));
  }
  return list;
}

Eigen::SparseMatrix<double> read_blocks(ProblemWords& words, const Size& size,
                                        const std::string& name) {
  const Index blocks = words.count(name + ": number of blocks");
  Size grid;
  grid.rows = words.count(name + ": number of block rows");
  grid.cols = words.count(name + ": number of block columns");
  const std::vector<Index> row_ends = read_ends(words, grid.rows, size.rows, name + ": row end");
  const std::vector<Index> col_ends = read_ends(words, grid.cols, size.cols, name + ": column end");
  const BlockList list = read_block_list(words, blocks, grid, name);

  std::vector<Entry> entries;
  for (Index k = 0; k < blocks; ++k) {
    if (const Index number = words.integer(name + ": block number"); number != k)
      words.fail(fmt::format("{}: block {} is announced as block {}", name, k, number));
    const Index row = row_ends[list.row[k]], col = col_ends[list.col[k]];
    const Index height = row_ends[list.row[k] + 1] - row;
    const Index width = col_ends[list.col[k] + 1] - col;
    const Eigen::VectorXd block =
        words.numbers(height * width, fmt::format("{}: block {}", name, k));
    for (Index i = 0; i < block.size(); ++i)
      entries.emplace_back(row + i % height, col + i / height, block[i]);
  }
  return assemble(size, entries);
}

// The number that follows `key`, or the one the text begins with if the key is empty.
Index number_after(const ProblemWords& words, std::string_view text, std::string_view key,
                   const std::string& name) {
  const std::size_t found = text.find(key);
  std::string_view digits = found == std::string_view::npos ? "" : text.substr(found + key.size());
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  Index value = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (value < 0)
    words.fail(name + ": a line like \"3-by-3, nzmax: 9 nnz: 9\" expected before the entries");
  return value;
}

// "[triplet: |csr: ]M-by-N, nzmax: A nnz: B, …": the size must be right. @return B
Index read_print_out_head(ProblemWords& words, const Size& size, const std::string& name) {
  words.skip_line();  // behind the origin
  words.line(name + ": the line of the CSparse version");
  std::string_view line = words.line(name + ": the line of its sizes");
  for (const std::string_view prefix : {"triplet:", "csr:"})
    if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
  const Index M = number_after(words, line, "", name);
  const Index N = number_after(words, line, "-by-", name);
  if (M != size.rows || N != size.cols)
    words.fail(
        fmt::format("{}: {}-by-{} here, but {}-by-{} above", name, M, N, size.rows, size.cols));
  const Index entries = number_after(words, line, "nnz:", name);
  words.require_room(entries, name + ": entries");
  return entries;
}

Index read_index(ProblemWords& words, Index end, const std::string& what) {
  const Index index = words.integer(what);
  if (index >= end) words.fail(fmt::format("{}: {} of only {}, counted from 0", what, index, end));
  return index;
}

std::vector<Entry> read_triplets(ProblemWords& words, const Size& size, Index count,
                                 const std::string& name) {
  std::vector<Entry> entries;
  for (Index k = 0; k < count; ++k) {
    const Index row = read_index(words, size.rows, name + ": row");
    const Index col = read_index(words, size.cols, name + ": column");
    words.expect(":", name);
    entries.emplace_back(row, col, words.number(name));
  }
  return entries;
}

// Column by column: "col J : locations S to E", then E − S + 1 lines "row : value". Compressed rows
// are the same with "row" in place of "col".
std::vector<Entry> read_compressed(ProblemWords& words, const Size& size, Index count, bool by_row,
                                   const std::string& name) {
  std::vector<Entry> entries;
  const Index outer = by_row ? size.rows : size.cols, inner = by_row ? size.cols : size.rows;
  for (Index j = 0; j < outer; ++j) {
    words.expect(by_row ? "row" : "col", name);
    if (const Index number = words.integer(name + ": column"); number != j)
      words.fail(
          fmt::format("{}: {} {} is announced as {}", name, by_row ? "row" : "column", j, number));
    words.expect(":", name);
    words.expect("locations", name);
    const Index start = words.integer(name + ": first location");
    words.expect("to", name);
    const Index end = words.integer(name + ": last location", -1);
    for (Index k = start; k <= end; ++k) {
      const Index i = read_index(words, inner, name + ": index");
      words.expect(":", name);
      const double value = words.number(name);
      entries.emplace_back(by_row ? j : i, by_row ? i : j, value);
    }
  }
  if (static_cast<Index>(entries.size()) != count)
    words.fail(fmt::format("{}: {} entries announced, {} found", name, count, entries.size()));
  return entries;
}

Eigen::SparseMatrix<double> read_print_out(ProblemWords& words, const Size& size,
                                           const std::string& name) {
  const Index origin = words.integer(name + ": origin");
  if (origin < 1 || origin > 3)
    words.fail(fmt::format("{}: unknown origin {} of a sparse matrix", name, origin),
               "1 triplets, 2 compressed columns, 3 compressed rows");
  const Index count = read_print_out_head(words, size, name);
  return assemble(size, origin == 1 ? read_triplets(words, size, count, name)
                                    : read_compressed(words, size, count, origin == 3, name));
}

}  // namespace

StoredMatrix read_matrix(ProblemWords& words, std::string_view name) {
  const std::string title(name);
  const Index storage = words.integer(title + ": storage");
  if (storage > 2)
    words.fail(fmt::format("{}: unknown storage {}", name, storage),
               "0 dense, 1 sparse blocks, 2 sparse");
  Size size;
  size.rows = words.count(title + ": rows");
  size.cols = words.count(title + ": columns");
  if (storage == 0) return read_dense(words, size, title);
  if (storage == 1) return read_blocks(words, size, title);
  return read_print_out(words, size, title);
}

Index rows(const StoredMatrix& matrix) {
  return std::visit([](const auto& m) { return m.rows(); }, matrix);
}

Index cols(const StoredMatrix& matrix) {
  return std::visit([](const auto& m) { return m.cols(); }, matrix);
}

Eigen::MatrixXd dense(const StoredMatrix& matrix) {
  return std::visit([](const auto& m) { return Eigen::MatrixXd(m); }, matrix);
}

Eigen::SparseMatrix<double> sparse(const StoredMatrix& matrix) {
  if (const auto* full = std::get_if<Eigen::MatrixXd>(&matrix)) return full->sparseView(0.0, 0.0);
  return std::get<Eigen::SparseMatrix<double>>(matrix);
}

}  // namespace pequod
