// Numbers in few bytes, for the scripts of pages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pequod::app {

/// Integers as second differences, zigzag coded (0, −1, 1, −2, … become 0, 1, 2, 3, …), in bytes of
/// seven bits, low ones first, the eighth bit saying that more follow. What changes smoothly takes
/// a byte each.
[[nodiscard]] std::string pack_integers(std::span<const std::int64_t> values);

/// Values in units of `unit`, rounded; what is not finite becomes 0.
[[nodiscard]] std::vector<std::int64_t> quantised(std::span<const double> values, double unit);

/// zlib's format, which a browser's DecompressionStream reads. @throws std::runtime_error
[[nodiscard]] std::string deflated(std::string_view bytes);

[[nodiscard]] std::string base64(std::string_view bytes);

/// How a script of web/src finds what is packed: four bytes with the length of a JSON text, low one
/// first; the text; the columns as pack_integers() gives them. All deflated, base64.
[[nodiscard]] std::string packed_for_page(const std::string& json, std::string_view columns);

}  // namespace pequod::app
