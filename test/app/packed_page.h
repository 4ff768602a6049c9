// What pages hold, read by the definition of the format and not by their scripts.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pequod::test {

using Bytes = std::basic_string<unsigned char>;

inline Bytes from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6) | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<unsigned char>((bits >> held) & 255);
  }
  return bytes;
}

inline Bytes inflated(const Bytes& bytes) {
  for (std::size_t room = 1 << 16;; room *= 2) {
    Bytes result(room, 0);
    uLongf size = room;
    const int code = ::uncompress(result.data(), &size, bytes.data(), bytes.size());
    if (code == Z_BUF_ERROR) continue;
    REQUIRE(code == Z_OK);
    result.resize(size);
    return result;
  }
}

// The next numbers of a column.
inline std::vector<double> unpack(const Bytes& bytes, std::size_t& at, std::size_t rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t zigzag = 0;
    for (int shift = 0;; shift += 7) {
      const unsigned char byte = bytes[at++];
      zigzag |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
    const std::uint64_t half = zigzag / 2;
    const double size = static_cast<double>(half);
    const double second = zigzag % 2 == 0 ? size : -size - 1.0;
    const double one = i > 0 ? values[i - 1] : 0.0, two = i > 1 ? values[i - 2] : 0.0;
    values.push_back(second + 2.0 * one - two);
  }
  return values;
}

/// What stands in a page's element, and where in it the columns begin.
struct PackedPage {
  nlohmann::ordered_json json;
  Bytes bytes;
  std::size_t begin = 0;
};

/// @param mark  what the element's tag ends with
inline PackedPage packed_in(const std::string& page, const std::string& mark) {
  const std::size_t found = page.find(mark);
  REQUIRE(found != std::string::npos);
  const std::size_t from = found + mark.size();
  PackedPage packed;
  packed.bytes = inflated(from_base64(page.substr(from, page.find("</script>", from) - from)));
  std::size_t length = 0;
  for (std::size_t i = 4; i-- > 0;) length = length * 256 + packed.bytes[i];
  const auto text = packed.bytes.begin() + 4;
  packed.json = nlohmann::ordered_json::parse(text, text + static_cast<long>(length));
  packed.begin = 4 + length;
  return packed;
}

}  // namespace pequod::test
