#include "scene/problem_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scene/yaml.h"

namespace pequod {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 30;  // a binary file is one long word
  std::string text;
  for (const char c : word.substr(0, kMost)) {
    const bool printable = static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
    text += printable ? c : '?';
  }
  return word.size() > kMost ? text + "…" : text;
}

std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word.front() == '+' && word[1] != '-' ? word.substr(1) : word;
}

}  // namespace

std::string_view ProblemWords::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  last_ = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(last_, at_ - last_);
}

Place ProblemWords::place(std::size_t at) const {
  const std::string_view before = text_.substr(0, at);
  const std::size_t start = before.rfind('\n');
  const std::size_t column = at - (start == std::string_view::npos ? 0 : start + 1);
  return {file_, 1 + static_cast<int>(std::ranges::count(before, '\n')),
          1 + static_cast<int>(column)};
}

void ProblemWords::fail(const std::string& message, std::string hint) const {
  throw ProblemError(place(last_), message, std::move(hint));
}

Eigen::Index ProblemWords::integer(std::string_view what, Eigen::Index least) {
  const std::string_view word = next();
  if (word.empty()) fail(fmt::format("the file ends before {}", what));
  const std::string_view digits = without_plus(word);
  Eigen::Index value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || end != digits.data() + digits.size() || value < least)
    fail(fmt::format("{} must be a whole number >= {}, not \"{}\"", what, least, shown(word)));
  return value;
}

Eigen::Index ProblemWords::count(std::string_view what, Eigen::Index least) {
  const Eigen::Index value = integer(what, least);
  require_room(value, what);
  return value;
}

void ProblemWords::require_room(Eigen::Index numbers, std::string_view what) const {
  // A number takes a digit and a space.
  const auto room = static_cast<Eigen::Index>((text_.size() - at_ + 1) / 2);
  if (numbers > room)
    fail(fmt::format("{}: {} numbers cannot stand in the {} bytes that follow", what, numbers,
                     text_.size() - at_));
}

double ProblemWords::parse(std::string_view word, std::string_view what, bool finite) const {
  const std::string_view digits = without_plus(word);
  double value = 0.0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // from_chars leaves the value alone if it overflows, and if it underflows.
  if (code == std::errc::result_out_of_range)
    fail(fmt::format("{}: {} is out of the range of a double", what, shown(word)));
  if (code != std::errc{} || end != digits.data() + digits.size() || std::isnan(value))
    fail(fmt::format("{}: \"{}\" is not a number", what, shown(word)), parse_number(word).hint);
  if (finite && !std::isfinite(value))
    fail(fmt::format("{}: must be finite, not {}", what, shown(word)));
  return value;
}

double ProblemWords::number(std::string_view what) {
  const std::string_view word = next();
  if (word.empty()) fail(fmt::format("the file ends before {} is complete", what));
  return parse(word, what, true);
}

Eigen::VectorXd ProblemWords::numbers(Eigen::Index size, std::string_view what, bool finite) {
  require_room(size, what);
  Eigen::VectorXd result(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::string_view word = next();
    if (word.empty())
      fail(fmt::format("the file ends before {} is complete: {} of {} numbers", what, i, size));
    result[i] = parse(word, what, finite);
  }
  return result;
}

void ProblemWords::expect(std::string_view word, std::string_view what) {
  const std::string_view found = next();
  if (found == word) return;
  if (found.empty()) fail(fmt::format("the file ends before {} is complete", what));
  fail(fmt::format("{}: \"{}\" expected, not \"{}\"", what, word, shown(found)));
}

std::string_view ProblemWords::line(std::string_view what) {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  last_ = at_;
  if (at_ == text_.size()) fail(fmt::format("the file ends before {}", what));
  skip_line();
  return text_.substr(last_, at_ - last_);
}

void ProblemWords::skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

std::size_t ProblemWords::words_left() const {
  std::size_t count = 0;
  bool in_word = false;
  for (const char c : text_.substr(at_)) {
    count += !in_word && !is_space(c);
    in_word = !is_space(c);
  }
  return count;
}

}  // namespace pequod
