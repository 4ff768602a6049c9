#include "scene/mesh_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "scene/yaml.h"

namespace pequod {
namespace {

/// Numbers vertices as they come, equal ones alike.
class Vertices {
 public:
  int add(const Vector3d& x) {
    const std::array<double, 3> key{x.x() + 0.0, x.y() + 0.0, x.z() + 0.0};  // −0 is 0
    const auto [entry, fresh] = index_.emplace(key, static_cast<int>(index_.size()));
    if (fresh) all_.push_back({key[0], key[1], key[2]});
    return entry->second;
  }
  std::vector<Vector3d> take() { return std::move(all_); }

 private:
  std::map<std::array<double, 3>, int> index_;
  std::vector<Vector3d> all_;
};

/// Lines of a text, word by word.
class MeshWords {
 public:
  MeshWords(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  /// The next word of the file; empty at its end.
  std::string_view next() {
    while (at_ < text_.size() && is_space(text_[at_])) {
      ++at_;
      if (text_[at_ - 1] == '\n') new_line();
    }
    return word();
  }
  /// The next word of this line; empty at its end. A backslash there joins the next line.
  std::string_view next_in_line() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_)
      if (text_[at_] == '\n') return {};
    if (text_.substr(at_, 2) == "\\\n" || text_.substr(at_, 3) == "\\\r\n") {
      at_ = text_.find('\n', at_) + 1;
      new_line();
      return next_in_line();
    }
    return word();
  }
  /// Goes to the end of this line.
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// Of the last word.
  [[nodiscard]] Place place() const { return {path_.string(), line_, column_}; }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void new_line() {
    ++line_;
    line_start_ = at_;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    column_ = 1 + static_cast<int>(begin - line_start_);
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1, column_ = 1;
};

std::optional<double> read_number(MeshWords& words, std::string_view word,
                                  Diagnostics& diagnostics) {
  const NumberText number = parse_number(word);
  if (number.value && std::isfinite(*number.value)) return number.value;
  diagnostics.error(words.place(),
                    word.empty() ? "a vertex needs three numbers"
                                 : "\"" + std::string(word) + "\" is not a finite number",
                    number.hint);
  return std::nullopt;
}

std::optional<Mesh> read_text_stl(const std::string& text, const std::filesystem::path& path,
                                  Diagnostics& diagnostics) {
  MeshWords words(text, path);
  Vertices vertices;
  Mesh mesh;
  std::vector<int> corners;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "vertex") {
      Vector3d x;
      for (int k = 0; k < 3; ++k) {
        const auto value = read_number(words, words.next_in_line(), diagnostics);
        if (!value) return std::nullopt;
        x[k] = *value;
      }
      corners.push_back(vertices.add(x));
    } else if (word == "endloop") {
      if (corners.size() != 3) {
        diagnostics.error(words.place(),
                          fmt::format("a facet of {} vertices, not 3", corners.size()));
        return std::nullopt;
      }
      mesh.triangles.push_back({corners[0], corners[1], corners[2]});
      corners.clear();
    } else if (word == "solid" || word == "endsolid" || word == "facet") {
      words.skip_line();  // names and normals
    } else if (word != "outer" && word != "loop" && word != "endfacet") {
      diagnostics.error(words.place(),
                        "\"" + std::string(word.substr(0, 30)) + "\" is no word of an STL file");
      return std::nullopt;
    }
  }
  mesh.vertices = vertices.take();
  return mesh;
}

// Little-endian, whatever the processor.
std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = (word << 8) | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

constexpr std::size_t kStlHead = 84, kStlTriangle = 50;  // bytes

std::optional<Mesh> read_binary_stl(const std::string& bytes, const std::filesystem::path& path,
                                    const Place& named_at, Diagnostics& diagnostics) {
  const std::size_t count = bytes.size() < kStlHead ? 0 : word_at(bytes, 80);
  if (bytes.size() < kStlHead || (bytes.size() - kStlHead) / kStlTriangle < count) {
    diagnostics.error(
        named_at, fmt::format("mesh {} is no STL file, or is cut off: {} bytes for {} triangles",
                              path.string(), bytes.size(), count));
    return std::nullopt;
  }
  Vertices vertices;
  Mesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      Vector3d x;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = kStlHead + i * kStlTriangle + 12 * (c + 1) + 4 * k;
        x[static_cast<Eigen::Index>(k)] = as_written(std::bit_cast<float>(word_at(bytes, at)));
      }
      corners[c] = vertices.add(x);
    }
    mesh.triangles.push_back({corners[0], corners[1], corners[2]});
  }
  mesh.vertices = vertices.take();
  return mesh;
}

/// Cuts a polygon into triangles, ear by ear (Meisters 1975): a corner that bulges, with no other
/// vertex inside its triangle.
void cut_polygon(const std::vector<Vector3d>& x, std::vector<int> polygon,
                 std::vector<std::array<int, 3>>& triangles) {
  const auto at = [&](int i) -> const Vector3d& { return nth(x, i); };
  Vector3d normal = Vector3d::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i)
    normal += at(polygon[i]).cross(at(polygon[(i + 1) % polygon.size()]));
  const auto side = [&](int a, int b, int c) {
    return normal.dot((at(b) - at(a)).cross(at(c) - at(b)));
  };
  while (polygon.size() > 3) {
    const std::size_t n = polygon.size();
    const auto is_ear = [&](std::size_t i) {
      const int a = polygon[(i + n - 1) % n], b = polygon[i], c = polygon[(i + 1) % n];
      if (!(side(a, b, c) > 0.0)) return false;
      return std::ranges::none_of(polygon, [&](int p) {
        return p != a && p != b && p != c && side(a, b, p) >= 0.0 && side(b, c, p) >= 0.0 &&
               side(c, a, p) >= 0.0;
      });
    };
    std::size_t ear = 0;
    while (ear < n && !is_ear(ear)) ++ear;
    if (ear == n) ear = 1;  // degenerate: any cut is as good
    triangles.push_back({polygon[(ear + n - 1) % n], polygon[ear], polygon[(ear + 1) % n]});
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back({polygon[0], polygon[1], polygon[2]});
}

/// The vertex that "7", "7/1/3" or "-1" names among `count`, from 0; −1 if there is none.
int vertex_index(std::string_view word, int count) {
  word = word.substr(0, word.find('/'));
  int index = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (code != std::errc{} || end != word.data() + word.size()) return -1;
  const int from_zero = index > 0 ? index - 1 : index + count;
  return index != 0 && from_zero >= 0 && from_zero < count ? from_zero : -1;
}

struct ObjReader {
  MeshWords words;
  Diagnostics& diagnostics;
  Vertices vertices = {};
  std::vector<Vector3d> points = {};  ///< by the file's numbers
  std::vector<int> unique = {};       ///< their places among `vertices`
  std::vector<std::array<int, 3>> triangles = {};

  bool vertex() {
    Vector3d x;
    for (int k = 0; k < 3; ++k) {
      const auto value = read_number(words, words.next_in_line(), diagnostics);
      if (!value) return false;
      x[k] = *value;
    }
    points.push_back(x);
    unique.push_back(vertices.add(x));
    return true;
  }

  bool face() {
    std::vector<int> polygon;
    for (std::string_view word = words.next_in_line(); !word.empty(); word = words.next_in_line()) {
      polygon.push_back(vertex_index(word, static_cast<int>(points.size())));
      if (polygon.back() >= 0) continue;
      diagnostics.error(words.place(), "\"" + std::string(word) + "\" names no vertex above",
                        fmt::format("there are {}, numbered from 1", points.size()));
      return false;
    }
    if (polygon.size() >= 3) {
      cut_polygon(points, std::move(polygon), triangles);
      return true;
    }
    diagnostics.error(words.place(), "a face needs three vertices or more");
    return false;
  }
};

}  // namespace

double as_written(float x) {
  if (!std::isfinite(x)) return x;
  char digits[32];
  const auto [end, code] = std::to_chars(std::begin(digits), std::end(digits), x);
  double value = x;
  std::from_chars(std::begin(digits), end, value);
  return value;
}

std::optional<Mesh> read_stl(const std::string& bytes, const std::filesystem::path& path,
                             const Place& named_at, Diagnostics& diagnostics) {
  // Some binary files begin with "solid" too; the size of theirs fits their count.
  const bool binary_size =
      bytes.size() >= kStlHead && bytes.size() == kStlHead + kStlTriangle * word_at(bytes, 80);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool text = first != std::string::npos && bytes.compare(first, 5, "solid") == 0;
  return text && !binary_size ? read_text_stl(bytes, path, diagnostics)
                              : read_binary_stl(bytes, path, named_at, diagnostics);
}

std::optional<Mesh> read_obj(const std::string& text, const std::filesystem::path& path,
                             const Place& named_at, Diagnostics& diagnostics) {
  ObjReader reader{MeshWords(text, path), diagnostics};
  for (std::string_view word = reader.words.next(); !word.empty(); word = reader.words.next()) {
    if (word == "v" && !reader.vertex()) return std::nullopt;
    if (word == "f" && !reader.face()) return std::nullopt;
    if (word.find('\0') != std::string_view::npos) {
      diagnostics.error(named_at, "mesh " + path.string() + " is no OBJ file: it holds zero bytes");
      return std::nullopt;
    }
    reader.words.skip_line();
  }
  Mesh mesh;
  for (const std::array<int, 3>& corners : reader.triangles) {
    const auto place = [&](int k) { return nth(reader.unique, nth(corners, k)); };
    mesh.triangles.push_back({place(0), place(1), place(2)});
  }
  mesh.vertices = reader.vertices.take();
  return mesh;
}

}  // namespace pequod
