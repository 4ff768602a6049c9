// What is wrong in an input file: where, what, and how to mend it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pequod {

enum class Severity { note, warning, error };

/// A place in a file; line and column count from 1, 0 if unknown.
struct Place {
  std::string file;
  int line = 0, column = 0;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string message;  ///< what is wrong, with the value
  std::string hint;     ///< how to mend it; may be empty
};

/// "dog.yaml:14:9: error: unknown key "frction"; did you mean "friction"?"
[[nodiscard]] std::string format(const Diagnostic& diagnostic);

/// Collects everything that is wrong, so that one reading reports it all.
class Diagnostics {
 public:
  static constexpr int kMost = 50;  ///< of each severity; the rest is counted only

  void add(Severity severity, Place place, std::string message, std::string hint = {});
  void error(Place place, std::string message, std::string hint = {}) {
    add(Severity::error, std::move(place), std::move(message), std::move(hint));
  }
  void warning(Place place, std::string message, std::string hint = {}) {
    add(Severity::warning, std::move(place), std::move(message), std::move(hint));
  }
  void note(Place place, std::string message, std::string hint = {}) {
    add(Severity::note, std::move(place), std::move(message), std::move(hint));
  }

  /// In the order of the files' lines.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return items_; }
  [[nodiscard]] int errors() const { return counts_[2]; }
  [[nodiscard]] int warnings() const { return counts_[1]; }
  [[nodiscard]] bool ok() const { return errors() == 0; }
  /// One line each, sorted; a last line counts what was left out.
  [[nodiscard]] std::string text(Severity least = Severity::note) const;

 private:
  std::vector<Diagnostic> items_;
  int counts_[3] = {0, 0, 0};
};

/// The candidate nearest to `word` by edit distance (a swap of neighbours counts once), or "" if
/// none is near enough to be what was meant.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);

/// `did you mean "friction"?`, or "" if nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);

/// "a, b, c".
[[nodiscard]] std::string join(const std::vector<std::string>& words);

}  // namespace pequod
