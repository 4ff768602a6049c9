// Which files the words of `pequod solve` mean.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pequod::app {

struct ProblemPaths {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;  ///< words that mean nothing, each with the reason
};

/// Files as they are, folders as all the .dat, .yaml and .yml files in and below them, sorted, and
/// patterns with *, ? or [ ] as what they match; in the order of the words.
[[nodiscard]] ProblemPaths find_problem_files(const std::vector<std::string>& words);

}  // namespace pequod::app
