#include "scene/yaml.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace pequod {
namespace {

/// The line of the text, counted from 0.
std::string line_at(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string result;
  for (int i = 0; i <= line; ++i) {
    if (!std::getline(stream, result)) return "";
  }
  return result;
}

/// What the parser means.
std::string words_for(const std::string& message) {
  if (message == "end of map not found" || message == "end of sequence not found")
    return "this line is indented like none of those it could belong to";
  if (message == "illegal map value")
    return "a second \": \" in one line, or one that is too far in";
  if (message == "the referenced anchor is not defined")
    return "the name behind * stands behind no &";
  if (message.starts_with("unknown escape character"))
    return "a quote is never closed, or a backslash in it means nothing";
  return message;
}

std::string hint_for(const std::string& line) {
  return line.find('\t') == std::string::npos ? ""
                                              : "the line has a tab; YAML indents with spaces only";
}

/// A bracket of flow style that stands alone.
struct LoneBracket {
  std::size_t at = 0;
  char bracket = 0;
  char closed_by = 0;  ///< 0: nothing
};

/// The first bracket that nothing, or the wrong one, closes, or that closes nothing. The parser
/// itself only says where it gave up, which may be lines below.
std::optional<LoneBracket> lone_bracket(std::string_view text) {
  std::vector<std::size_t> open;
  char before = '\n', quote = 0, comment = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool starts_word = before == '\n' || before == ' ' || before == '\t';
    const bool starts_value = starts_word || before == ',' || before == '[' || before == '{';
    const bool closes = starts_value || before == '}' || before == ']' || !open.empty();
    before = c;
    if (quote != 0 || comment != 0) {
      if (c == quote) quote = 0;
      if (c == '\n') comment = 0;
    } else if (c == '#' && starts_word) {
      comment = c;
    } else if ((c == '"' || c == '\'') && starts_value) {
      quote = c;
    } else if ((c == '{' || c == '[') && (starts_value || !open.empty())) {
      open.push_back(i);
    } else if ((c == '}' || c == ']') && closes) {
      if (open.empty()) return LoneBracket{i, c, 0};
      const char opened = text[open.back()];
      if ((opened == '{') != (c == '}')) return LoneBracket{open.back(), opened, c};
      open.pop_back();
    }
  }
  if (open.empty()) return std::nullopt;
  return LoneBracket{open.front(), text[open.front()], 0};
}

/// Reports a bracket that stands alone, if that is what the parser stumbled over.
bool report_lone_bracket(const std::string& text, const std::string& file,
                         Diagnostics& diagnostics) {
  const std::optional<LoneBracket> lone = lone_bracket(text);
  if (!lone) return false;
  const std::string_view before = std::string_view(text).substr(0, lone->at);
  const std::size_t start = before.rfind('\n');
  const Place place{
      file, 1 + static_cast<int>(std::ranges::count(before, '\n')),
      static_cast<int>(start == std::string_view::npos ? lone->at + 1 : lone->at - start)};
  const std::string bracket = std::string("\"") + lone->bracket + "\"";
  const bool opens = lone->bracket == '{' || lone->bracket == '[';
  const std::string right = lone->bracket == '{' ? "\"}\"" : "\"]\"";
  if (!opens)
    diagnostics.error(place, "not valid YAML: this " + bracket + " closes nothing", "remove it");
  else if (lone->closed_by != 0)
    diagnostics.error(
        place, "not valid YAML: this " + bracket + " is closed by \"" + lone->closed_by + "\"",
        "close it by " + right);
  else
    diagnostics.error(place, "not valid YAML: this " + bracket + " is never closed",
                      "add " + right);
  return true;
}

bool all_digits(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
  }
  return true;
}

NumberText not_a_number(std::string_view text) {
  NumberText result;
  result.problem = "must be a number, not \"" + std::string(text) + "\"";
  std::string pointed(text);
  const std::size_t comma = pointed.find(',');
  if (comma != std::string::npos) {
    pointed[comma] = '.';
    if (parse_number(pointed).value) result.hint = "write " + pointed;
    return result;
  }
  if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    result.hint = "write the number alone, in SI units and radians";
  }
  return result;
}

}  // namespace

std::optional<std::string> read_text(const std::filesystem::path& path, const Place& named_at,
                                     Diagnostics& diagnostics) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    diagnostics.error(named_at, "no such file: " + path.string());
    return std::nullopt;
  }
  if (std::filesystem::is_directory(path, code)) {
    diagnostics.error(named_at, "is a directory, not a file: " + path.string());
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    diagnostics.error(named_at, "cannot read " + path.string());
    return std::nullopt;
  }
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // byte order, as spreadsheets write it
  std::string read = text.str();
  if (read.starts_with(kMark)) read.erase(0, kMark.size());
  return read;
}

std::optional<YAML::Node> parse_yaml(const std::string& text, const std::string& file,
                                     Diagnostics& diagnostics) {
  try {
    std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || documents.front().IsNull()) {
      diagnostics.error({file, 1, 1}, "the file is empty");
      return std::nullopt;
    }
    if (documents.size() > 1) {
      diagnostics.error(place_of(documents[1], file), "a second document begins here",
                        "keep one document in a file");
      return std::nullopt;
    }
    return documents.front();
  } catch (const YAML::ParserException& error) {
    if (report_lone_bracket(text, file, diagnostics)) return std::nullopt;
    const Place place{file, error.mark.line + 1, error.mark.column + 1};
    diagnostics.error(place, "not valid YAML: " + words_for(error.msg),
                      hint_for(line_at(text, error.mark.line)));
  } catch (const YAML::Exception& error) {
    diagnostics.error({file, 0, 0}, std::string("not valid YAML: ") + error.what());
  }
  return std::nullopt;
}

Place place_of(const YAML::Node& node, const std::string& file) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? Place{file, 0, 0} : Place{file, mark.line + 1, mark.column + 1};
}

NumberText parse_number(std::string_view text) {
  NumberText result;
  std::string_view digits = text;
  const bool signed_text = !digits.empty() && (digits.front() == '+' || digits.front() == '-');
  const bool negative = signed_text && digits.front() == '-';
  if (signed_text) digits.remove_prefix(1);

  if (digits == ".inf" || digits == ".Inf" || digits == ".INF") {
    result.value = negative ? -kInfinity : kInfinity;
    return result;
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    result.problem = "must not be NaN";
    return result;
  }
  if (digits.size() > 1 && digits.front() == '0' && all_digits(digits)) {
    result.problem = "\"" + std::string(text) + "\" starts with 0, which YAML reads as octal";
    const std::size_t first = digits.find_first_not_of('0');
    result.hint =
        "write " + std::string(first == std::string_view::npos ? "0" : digits.substr(first));
    return result;
  }
  // from_chars also takes "inf" and "nan"; a YAML number starts with a digit or a point.
  if (digits.empty() ||
      (std::isdigit(static_cast<unsigned char>(digits.front())) == 0 && digits.front() != '.')) {
    return not_a_number(text);
  }
  double value = 0.0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || code == std::errc::invalid_argument) {
    return not_a_number(text);
  }
  if (code == std::errc::result_out_of_range) {
    result.problem = std::string(text) + " is out of the range of a double";
    return result;
  }
  result.value = negative ? -value : value;
  return result;
}

double number_at(const YAML::Node& map, const char* key, double fallback) {
  if (!map || !map.IsMap() || !map[key]) return fallback;
  return parse_number(map[key].Scalar()).value.value_or(kNaN);
}

bool boolean_at(const YAML::Node& map, const char* key, bool fallback) {
  if (!map || !map.IsMap() || !map[key]) return fallback;
  return map[key].Scalar() == "true";
}

std::string text_at(const YAML::Node& map, const char* key, const std::string& fallback) {
  if (!map || !map.IsMap() || !map[key]) return fallback;
  return map[key].Scalar();
}

std::vector<double> numbers_in(const YAML::Node& sequence) {
  std::vector<double> result;
  for (const YAML::Node& item : sequence) {
    result.push_back(parse_number(item.Scalar()).value.value_or(kNaN));
  }
  return result;
}

Vector3d vector_at(const YAML::Node& map, const char* key, const Vector3d& fallback) {
  if (!map || !map.IsMap() || !map[key]) return fallback;
  const std::vector<double> values = numbers_in(map[key]);
  return {values.at(0), values.at(1), values.at(2)};
}

}  // namespace pequod
