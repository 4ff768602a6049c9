#include "app/packed_numbers.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pequod::app {

std::string pack_integers(std::span<const std::int64_t> values) {
  std::string bytes;
  bytes.reserve(values.size() * 2);
  std::int64_t before = 0, step = 0;
  for (const std::int64_t value : values) {
    const std::int64_t second = value - before - step;
    step = value - before;
    before = value;
    auto rest = (static_cast<std::uint64_t>(second) << 1) ^ (second < 0 ? ~std::uint64_t{0} : 0);
    for (; rest >= 128; rest >>= 7) bytes += static_cast<char>((rest & 127) | 128);
    bytes += static_cast<char>(rest);
  }
  return bytes;
}

std::vector<std::int64_t> quantised(std::span<const double> values, double unit) {
  // The page's numbers are doubles: second differences must stay whole there.
  constexpr double kMost = 1LL << 48;
  std::vector<std::int64_t> result;
  result.reserve(values.size());
  for (const double x : values)
    result.push_back(std::isfinite(x) ? std::llround(std::clamp(x / unit, -kMost, kMost)) : 0);
  return result;
}

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string result(size, '\0');
  // zlib's bytes are unsigned ones.
  const int code = ::compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 9);
  if (code != Z_OK) throw std::runtime_error("zlib could not compress the run");
  result.resize(size);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::string packed_for_page(const std::string& json, std::string_view columns) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>((json.size() >> shift) & 255);
  bytes += json;
  bytes += columns;
  return base64(deflated(bytes));
}

}  // namespace pequod::app
