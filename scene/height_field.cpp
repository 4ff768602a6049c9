#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "scene/reader.h"

namespace pequod {
namespace {

/// Words of a text with their lines.
struct Words {
  std::string_view text;
  std::size_t next = 0, line_start = 0;
  int line = 1, column = 1;  ///< of the last word

  std::string_view take() {
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (next < text.size() && space(text[next])) {
      ++next;
      if (text[next - 1] != '\n') continue;
      ++line;
      line_start = next;
    }
    const std::size_t begin = next;
    column = 1 + static_cast<int>(begin - line_start);
    while (next < text.size() && !space(text[next])) ++next;
    return text.substr(begin, next - begin);
  }
};

template <typename Number>
std::optional<Number> parse(std::string_view word) {
  Number value{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<HeightField> load_height_field(const std::filesystem::path& path,
                                             const Eigen::Vector2d& size, double factor,
                                             const Place& named_at, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text(path, named_at, diagnostics);
  if (!text) return std::nullopt;
  Words words{*text};
  const auto fail = [&](const std::string& message, const std::string& hint = {}) {
    diagnostics.error({path.string(), words.line, words.column}, message, hint);
    return std::nullopt;
  };

  const std::optional<int> rows = parse<int>(words.take()), columns = parse<int>(words.take());
  constexpr int kMost = 1 << 24;
  if (!rows || !columns || *rows < 2 || *columns < 2 || *rows > kMost / *columns) {
    return fail("a height field begins with its rows and columns, each at least 2");
  }
  HeightField field;
  field.nx = *rows;
  field.ny = *columns;
  field.dx = size.x() / (*rows - 1);
  field.dy = size.y() / (*columns - 1);
  field.origin = -0.5 * size;
  field.heights.resize(static_cast<std::size_t>(*rows) * static_cast<std::size_t>(*columns));
  // The file runs along −y in a row (left to right seen from +x), ours along +y.
  for (std::size_t i = 0; i < static_cast<std::size_t>(*rows); ++i) {
    for (std::size_t j = static_cast<std::size_t>(*columns); j-- > 0;) {
      const std::string_view word = words.take();
      const std::optional<double> height = parse<double>(word);
      if (word.empty()) return fail("the file ends before all rows × columns heights");
      if (!height || !std::isfinite(*height)) {
        return fail("\"" + std::string(word) + "\" is not a finite number",
                    parse_number(word).hint);
      }
      field.heights[i * static_cast<std::size_t>(*columns) + j] = factor * *height;
    }
  }
  if (!words.take().empty()) return fail("more heights than rows × columns");
  measure_heights(field);
  return field;
}

}  // namespace pequod
