#include "test/support/allocations.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count = 0;  // a counter is the one thing a hook cannot be handed

void add_one() { count.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

#if defined(__SANITIZE_ADDRESS__)

// The address sanitizer owns malloc: one defined here would hand out blocks that its free() does
// not know. It has a place for such hooks.
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT: the name is the sanitizer's
    void (*malloc_hook)(const volatile void*, std::size_t),
    void (*free_hook)(const volatile void*));

namespace {
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { add_one(); }, [](const volatile void*) {});
}  // namespace

#else

// glibc keeps the real ones under these names; the linker takes the ones below for all libraries.
extern "C" {
void* __libc_malloc(std::size_t size);                      // NOLINT: the names are glibc's
void* __libc_calloc(std::size_t blocks, std::size_t size);  // NOLINT
void* __libc_realloc(void* block, std::size_t size);        // NOLINT
void* __libc_memalign(std::size_t to, std::size_t size);    // NOLINT

void* malloc(std::size_t size) {
  add_one();
  return __libc_malloc(size);
}

void* calloc(std::size_t blocks, std::size_t size) {
  add_one();
  return __libc_calloc(blocks, size);
}

void* realloc(void* block, std::size_t size) {
  add_one();
  return __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t to, std::size_t size) {
  add_one();
  return __libc_memalign(to, size);
}

int posix_memalign(void** block, std::size_t to, std::size_t size) {
  add_one();
  *block = __libc_memalign(to, size);
  return *block ? 0 : 12;  // ENOMEM
}
}

#endif

namespace pequod::test {

long allocations() { return count.load(std::memory_order_relaxed); }

}  // namespace pequod::test
