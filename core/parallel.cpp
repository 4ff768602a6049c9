#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pequod {
namespace {

// How long a thread waits for others: looks, some 25 µs, then others that yield the processor to
// whoever wants it, and a thread that waits for the next loop then sleeps. The stretches between
// the loops of a step are mostly shorter than that, and to be woken takes 15 … 30 µs.
constexpr int kLooks = 1000, kYields = 3000;

// Storage of threads would be written twice at a time by a loop inside of a loop.
thread_local bool in_part = false;

// Between two looks, the number of those so far.
void pause(int looks) {
  if (looks >= kLooks) std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

// A loop is cut into as many pieces as there are threads. Each begins with its own, the same of all
// loops, so that what it wrote is still in its cache, and then takes those that nobody has begun:
// where other work holds the processors the calling thread takes all, and waits for no one.
struct Team::Crew {
  // What the first of the pieces that threw has thrown. Those before it have been taken to their
  // ends, so this is what one thread would have met first.
  class FirstError {
   public:
    void note(std::size_t first, std::exception_ptr error) {
      const std::scoped_lock lock(mutex_);
      if (first >= at_) return;
      at_ = first;
      error_ = std::move(error);
    }
    // And begins anew.
    void raise() {
      at_ = std::numeric_limits<std::size_t>::max();
      if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

   private:
    std::mutex mutex_;
    std::size_t at_ = std::numeric_limits<std::size_t>::max();
    std::exception_ptr error_;
  };

  std::atomic<std::uint32_t> loop{0};  // its number, for which threads that sleep wait
  std::atomic<std::size_t> done{0};    // pieces of it
  std::atomic<bool> over{false};
  // Of the loop; they stand while a piece of it is not done.
  std::size_t count = 0, grain = 1;
  Part part{};
  FirstError error;
  std::vector<std::atomic<std::uint32_t>> begun;  // of each piece, the last loop
  std::vector<std::thread> helpers;

  explicit Crew(std::size_t threads) : begun(threads) {
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([this, i] { help(i); });
  }
  ~Crew() {
    over.store(true);
    loop.fetch_add(1);
    loop.notify_all();
    for (std::thread& helper : helpers) helper.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void help(std::size_t thread) {
    for (std::uint32_t seen = 0;;) {
      for (int look = 0; look < kLooks + kYields && loop.load(std::memory_order_acquire) == seen;
           ++look)
        pause(look);
      loop.wait(seen, std::memory_order_acquire);
      seen = loop.load(std::memory_order_acquire);
      if (over.load()) return;
      take_pieces(seen, thread);
    }
  }

  void share(std::size_t turns, std::size_t turns_of_part, const Part& what) {
    count = turns;
    grain = turns_of_part;
    part = what;
    done.store(0, std::memory_order_relaxed);
    const std::uint32_t number = loop.load(std::memory_order_relaxed) + 1;
    loop.store(number, std::memory_order_release);
    loop.notify_all();
    take_pieces(number, 0);
    for (int look = 0; done.load(std::memory_order_acquire) < begun.size(); ++look) pause(look);
    error.raise();
  }

  // Those of this loop that nobody has begun, the thread's own first.
  void take_pieces(std::uint32_t number, std::size_t thread) {
    for (std::size_t k = 0; k < begun.size(); ++k) {
      const std::size_t piece = (thread + k) % begun.size();
      std::uint32_t last = number - 1;
      if (!begun[piece].compare_exchange_strong(last, number, std::memory_order_acq_rel)) continue;
      take(piece, thread);
      done.fetch_add(1, std::memory_order_release);
    }
  }

  void take(std::size_t piece, std::size_t thread) {
    const std::size_t first = piece * count / begun.size(),
                      last = (piece + 1) * count / begun.size();
    in_part = true;
    try {
      for (std::size_t i = first; i < last; i += grain)
        part.call(part.body, i, std::min(i + grain, last), thread);
    } catch (...) {
      error.note(first, std::current_exception());
    }
    in_part = false;
  }
};

Team::Team(int threads)
    : threads_(static_cast<std::size_t>(threads)), crew_(std::make_unique<Crew>(threads_)) {}

Team::~Team() = default;

void Team::share(std::size_t count, std::size_t grain, const Part& part) const {
  assert(!in_part);
  crew_->share(count, grain, part);
}

}  // namespace pequod
