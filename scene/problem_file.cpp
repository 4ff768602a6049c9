#include "scene/problem_file.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scene/problem_text.h"
#include "scene/problem_words.h"
#include "scene/problem_yaml.h"
#include "scene/yaml.h"

namespace pequod {
namespace {

struct Attempt {
  ProblemKind kind;
  Problem problem;
  std::size_t words_left;
};

// The kind whose layout leaves the fewest words of the text unread: a text of one kind may begin
// like one of another, as a relay begins like an lcp.
Problem read_by_counts(const std::string& text, const std::string& file) {
  std::vector<Attempt> best;
  for (const ProblemKind kind : problem_kinds()) {
    try {
      ProblemWords words(text, file);
      Attempt attempt{kind, read_problem_text(words, kind), 0};
      attempt.words_left = words.words_left();
      if (!best.empty() && attempt.words_left > best.front().words_left) continue;
      if (!best.empty() && attempt.words_left < best.front().words_left) best.clear();
      best.push_back(std::move(attempt));
    } catch (const ProblemError&) {
      // Not of this kind.
    }
  }
  std::vector<std::string> kinds;
  for (const Attempt& attempt : best) kinds.emplace_back(name(attempt.kind));
  if (kinds.size() > 1)
    throw ProblemError({file, 1, 1}, "may be of more than one kind: " + join(kinds),
                       "say which with --kind, or put the file in a folder of that name");
  if (best.empty())
    throw ProblemError({file, 1, 1}, "the numbers fit no kind of problem",
                       "--kind KIND tells what is wrong with them as one of that kind");
  return std::move(best.front().problem);
}

Problem read_text_problem(const std::filesystem::path& path, const std::string& text,
                          std::optional<ProblemKind> kind) {
  const std::string folder = std::filesystem::absolute(path).parent_path().filename().string();
  const bool by_folder = !kind;
  if (!kind) kind = find_problem_kind(folder);
  if (!kind) return read_by_counts(text, path.string());
  ProblemWords words(text, path.string());
  try {
    return read_problem_text(words, *kind);
  } catch (const ProblemError& error) {
    if (!by_folder) throw;
    const std::string why =
        fmt::format("read as {} by the name of its folder; --kind says otherwise", folder);
    throw ProblemError(error.place, error.what(),
                       error.hint.empty() ? why : error.hint + "; " + why);
  }
}

}  // namespace

std::optional<Problem> read_problem(const std::filesystem::path& path,
                                    std::optional<ProblemKind> kind, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text(path, {path.string(), 0, 0}, diagnostics);
  if (!text) return std::nullopt;
  try {
    if (path.extension() == ".yaml" || path.extension() == ".yml")
      return read_problem_yaml(*text, path.string(), kind, diagnostics);
    return read_text_problem(path, *text, kind);
  } catch (const ProblemError& error) {
    diagnostics.error(error.place, error.what(), error.hint);
  }
  return std::nullopt;
}

}  // namespace pequod
