// Storage that shows when it is read before it is written.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace pequod {

#ifdef NDEBUG

template <typename... Storage>
void poison(Storage&...) {}

#else

/// Bytes 0xFB 0xFF in turn: a double is not a number, an integer −262149 or beyond any container, a
/// flag set.
inline void poison_bytes(void* storage, std::size_t bytes) {
  constexpr unsigned char kPattern[] = {0xFB, 0xFF, 0xFB, 0xFF, 0xFB, 0xFF, 0xFB, 0xFF};
  auto* to = static_cast<unsigned char*>(storage);
  for (; bytes >= sizeof kPattern; bytes -= sizeof kPattern, to += sizeof kPattern)
    std::memcpy(to, kPattern, sizeof kPattern);
  if (bytes > 0) std::memcpy(to, kPattern, bytes);  // what is empty may have no address
}

template <typename T>
void poison_one(T& storage) {
  if constexpr (requires { storage.poison(); }) {
    storage.poison();
  } else if constexpr (requires { storage.data() + storage.size(); }) {
    using Element = std::remove_reference_t<decltype(*storage.data())>;
    if constexpr (std::is_trivially_destructible_v<Element>)
      poison_bytes(storage.data(), static_cast<std::size_t>(storage.size()) * sizeof(Element));
    else
      for (Element& element : storage) poison_one(element);
  } else {
    static_assert(std::is_trivially_destructible_v<T>, "name its members in a poison() of its own");
    poison_bytes(&storage, sizeof storage);
  }
}

/// Fills storage, sizes as they are, before a function to which it is lent: what that reads without
/// having written it is then no number and no index, in the first test that runs it. Vectors and
/// matrices of plain values, structs with a member poison() that names what of them is storage, and
/// vectors of such. With NDEBUG it does nothing.
template <typename... Storage>
void poison(Storage&... storage) {
  (poison_one(storage), ...);
}

#endif

/// Storage for a function that writes it before it reads it.
template <typename Storage>
Storage& lend(Storage& storage) {
  poison(storage);
  return storage;
}

}  // namespace pequod
