// Small problems made up for the tests of their reader.
#pragma once

#include <string>

#include "scene/problem_file.h"
#include "test/scene/fixture.h"

namespace pequod::test {

/// What is reported for a problem of this text, without the folder's name.
inline std::string report_problem(const std::string& name, const std::string& text,
                                  std::optional<ProblemKind> kind = {}) {
  const Folder folder;
  Diagnostics diagnostics;
  (void)read_problem(folder.write(name, text), kind, diagnostics);
  return folder.relative(diagnostics.text());
}

/// The problem of this text, which must be right.
inline Problem load_problem(const std::string& name, const std::string& text,
                            std::optional<ProblemKind> kind = {}) {
  const Folder folder;
  Diagnostics diagnostics;
  std::optional<Problem> problem = read_problem(folder.write(name, text), kind, diagnostics);
  if (!problem) throw std::runtime_error(folder.relative(diagnostics.text()));
  return *problem;
}

// M = [1 2 3; 4 5 6; 7 8 9.5] in each storage. Columns follow each other, so the first line of the
// dense one is the first column.
inline const char* const kDense = "0 3 3\n3 3\n1 4 7\n2 5 8\n3 6 9.5\n";
inline const char* const kBlocks =
    "1 3 3\n4 2 2\n1 3\n2 3\n3 4\n0 2 4\n0 1 0 1\n0 1 2\n1 3\n2 4 7 5 8\n3 6 9.5\n";
inline const char* const kTriplets =
    "2 3 3\n1\nCSparse Version 3.1.9\ntriplet: 3-by-3, nzmax: 20 nnz: 10\n"
    "0 0 : 1\n0 1 : 2\n0 2 : 3\n1 0 : 4\n1 1 : 5\n1 2 : 6\n2 0 : 7\n2 1 : 8\n2 2 : 9\n2 2 : 0.5\n";
inline const char* const kColumns =
    "2 3 3\n2 and more\nCSparse Version 3.1.9\n3-by-3, nzmax: 9 nnz: 9, 1-norm: 18.5\n"
    "    col 0 : locations 0 to 2\n      0 : 1\n      1 : 4\n      2 : 7\n"
    "    col 1 : locations 3 to 5\n      0 : 2\n      1 : 5\n      2 : 8\n"
    "    col 2 : locations 6 to 8\n      0 : 3\n      1 : 6\n      2 : 9.5\n";
inline const char* const kRows =
    "2 3 3\n3\nCSparse Version 3.1.9\ncsr: 3-by-3, nzmax: 9 nnz: 9, 1-norm: 18.5\n"
    "    row 0 : locations 0 to 2\n      0 : 1\n      1 : 2\n      2 : 3\n"
    "    row 1 : locations 3 to 5\n      0 : 4\n      1 : 5\n      2 : 6\n"
    "    row 2 : locations 6 to 8\n      0 : 7\n      1 : 8\n      2 : 9.5\n";

inline Eigen::Matrix3d matrix_of_texts() {
  return (Eigen::Matrix3d() << 1, 2, 3, 4, 5, 6, 7, 8, 9.5).finished();
}

}  // namespace pequod::test
