#include "core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

namespace pequod {
namespace {

// What the first of the parts that threw has thrown. Parts before it have been taken to their ends,
// so this is what one thread would have met first.
class FirstError {
 public:
  void note(std::size_t first, std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    if (first >= at_) return;
    at_ = first;
    error_ = std::move(error);
  }
  void raise() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::size_t at_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

// Of fewer parts one thread takes all: what another one takes of some 20 µs of work hardly makes up
// for what it costs to call it, and to move what it wrote from its cache (measured: ten robots).
constexpr std::size_t kLeastParts = 4;

// Storage of threads would be written twice at a time by a loop inside of a loop.
thread_local bool in_part = false;

}  // namespace

// By itself oneTBB makes no more threads than there are processors.
struct Team::Arena {
  tbb::global_control allowed;
  tbb::task_arena tasks;

  explicit Arena(int threads)
      : allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        tasks(threads) {}
};

Team::Team(int threads)
    : threads_(static_cast<std::size_t>(threads)), arena_(std::make_unique<Arena>(threads)) {}

Team::~Team() = default;

void Team::share(std::size_t count, std::size_t grain, const Part& part) const {
  assert(!in_part);
  if (count < kLeastParts * grain) {
    for (std::size_t i = 0; i < count; i += grain)
      part.call(part.body, i, std::min(i + grain, count), 0);
    return;
  }
  FirstError error;
  // oneTBB orders these itself, but the thread sanitizer sees no order that its binary makes.
  std::atomic<std::size_t> parts_taken{0};
  const auto take = [&](const tbb::blocked_range<std::size_t>& range) {
    in_part = true;
    (void)parts_taken.load(std::memory_order_acquire);
    try {
      const auto thread = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
      for (std::size_t i = range.begin(); i < range.end(); i += grain)
        part.call(part.body, i, std::min(i + grain, range.end()), thread);
    } catch (...) {
      error.note(range.begin(), std::current_exception());
    }
    parts_taken.fetch_add(1, std::memory_order_acq_rel);
    in_part = false;
  };
  parts_taken.store(0, std::memory_order_release);
  arena_->tasks.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), take,
                      tbb::static_partitioner());
  });
  (void)parts_taken.load(std::memory_order_acquire);
  error.raise();
}

}  // namespace pequod
