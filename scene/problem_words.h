// White-space separated text, word by word, with the places of the words.
#pragma once

#include <Eigen/Dense>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scene/diagnostics.h"

namespace pequod {

/// A problem file is wrong: where, what, and how to mend it.
struct ProblemError : std::runtime_error {
  ProblemError(Place at, const std::string& what, std::string how = {})
      : std::runtime_error(what), place(std::move(at)), hint(std::move(how)) {}
  Place place;
  std::string hint;
};

/// Reads a text from front to back. `what` names in every message what is being read. The text must
/// outlive it. All functions but words_left() throw ProblemError at the word that is wrong.
class ProblemWords {
 public:
  ProblemWords(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// A whole number ≥ least.
  Eigen::Index integer(std::string_view what, Eigen::Index least = 0);
  /// How many numbers of `what` follow somewhere below: no more than the text has room for, so that
  /// a count can be trusted with memory.
  Eigen::Index count(std::string_view what, Eigen::Index least = 0);
  /// Whether `numbers` more numbers could stand in the rest of the text; fails at the last word.
  void require_room(Eigen::Index numbers, std::string_view what) const;
  double number(std::string_view what);
  /// @param finite  whether ±inf is refused
  Eigen::VectorXd numbers(Eigen::Index size, std::string_view what, bool finite = true);
  /// The next word must be this one.
  void expect(std::string_view word, std::string_view what);
  /// The next line that is not blank.
  std::string_view line(std::string_view what);
  /// Passes over what is left of the present line.
  void skip_line();
  /// How many words have not been read.
  [[nodiscard]] std::size_t words_left() const;

  /// Throws at the last word read.
  [[noreturn]] void fail(const std::string& message, std::string hint = {}) const;

 private:
  std::string_view next();
  [[nodiscard]] Place place(std::size_t at) const;
  double parse(std::string_view word, std::string_view what, bool finite) const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;    // where the next word is looked for
  std::size_t last_ = 0;  // where the last word began
};

}  // namespace pequod
