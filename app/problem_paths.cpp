#include "app/problem_paths.h"

#include <glob.h>

#include <algorithm>
#include <system_error>

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

bool holds_problem(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".dat" || extension == ".yaml" || extension == ".yml";
}

void add_folder(const fs::path& folder, ProblemPaths& paths) {
  std::vector<fs::path> found;
  std::error_code code;
  fs::recursive_directory_iterator entry(folder, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code))
    if (entry->is_regular_file(code) && holds_problem(entry->path()))
      found.push_back(entry->path());
  if (code) paths.problems.push_back(folder.string() + ": " + code.message());
  if (!code && found.empty())
    paths.problems.push_back(folder.string() + ": no .dat, .yaml or .yml file in this folder");
  std::sort(found.begin(), found.end());
  paths.files.insert(paths.files.end(), found.begin(), found.end());
}

void add(const fs::path& path, ProblemPaths& paths) {
  std::error_code code;
  if (fs::is_directory(path, code))
    add_folder(path, paths);
  else if (fs::exists(path, code))
    paths.files.push_back(path);
  else
    paths.problems.push_back(path.string() + ": no such file or folder");
}

void add_pattern(const std::string& pattern, ProblemPaths& paths) {
  ::glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) add(found.gl_pathv[i], paths);
  } else {
    paths.problems.push_back(pattern + ": no file matches");
  }
  ::globfree(&found);
}

}  // namespace

ProblemPaths find_problem_files(const std::vector<std::string>& words) {
  ProblemPaths paths;
  for (const std::string& word : words) {
    std::error_code code;
    if (word.find_first_of("*?[") != std::string::npos && !fs::exists(word, code))
      add_pattern(word, paths);
    else
      add(word, paths);
  }
  return paths;
}

}  // namespace pequod::app
