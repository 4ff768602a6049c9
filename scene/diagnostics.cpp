#include "scene/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace pequod {
namespace {

const char* word_for(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Damerau–Levenshtein, restricted: insert, delete, replace, swap neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string format(const Diagnostic& diagnostic) {
  std::string text = diagnostic.place.file;
  if (diagnostic.place.line > 0) text += ":" + std::to_string(diagnostic.place.line);
  if (diagnostic.place.line > 0 && diagnostic.place.column > 0) {
    text += ":" + std::to_string(diagnostic.place.column);
  }
  if (!text.empty()) text += ": ";
  text += std::string(word_for(diagnostic.severity)) + ": " + diagnostic.message;
  if (!diagnostic.hint.empty()) text += "; " + diagnostic.hint;
  return text;
}

void Diagnostics::add(Severity severity, Place place, std::string message, std::string hint) {
  int& counted = counts_[static_cast<int>(severity)];
  if (++counted > kMost) return;
  items_.push_back({severity, std::move(place), std::move(message), std::move(hint)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = items_;
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.place.file, d.place.line, d.place.column);
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  return result;
}

std::string Diagnostics::text(Severity least) const {
  std::string result;
  for (const Diagnostic& diagnostic : sorted()) {
    if (diagnostic.severity >= least) result += format(diagnostic) + "\n";
  }
  for (int severity = 2; severity >= static_cast<int>(least); --severity) {
    const int hidden = counts_[severity] - kMost;
    if (hidden > 0) {
      result += "and " + std::to_string(hidden) + " more of severity " +
                word_for(static_cast<Severity>(severity)) + "\n";
    }
  }
  return result;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::string::npos;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    // About one slip in three letters: more is a guess.
    const std::size_t allowed = std::max<std::size_t>(1, (candidate.size() + 1) / 3);
    if (distance <= allowed && distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : "did you mean \"" + best + "\"?";
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace pequod
