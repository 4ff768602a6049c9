// Loops that several threads share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace pequod {

inline constexpr std::size_t kMostThreads = 256;

/// Threads that wait for parts of loops. What they have to do is given to them loop by loop, one
/// loop at a time, from the thread that made them.
class Team {
 public:
  /// @param threads  1 to kMostThreads, the calling one among them; more than there are processors
  ///                 take turns
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] std::size_t threads() const { return threads_; }

  /// A function of a part [first, last) of a loop, and of the thread that runs it, a number below
  /// threads().
  struct Part {
    const void* body;
    void (*call)(const void* body, std::size_t first, std::size_t last, std::size_t thread);
  };
  /// See for_each_part().
  void share(std::size_t count, std::size_t grain, const Part& part) const;

 private:
  struct Crew;

  std::size_t threads_;
  std::unique_ptr<Crew> crew_;
};

/// Of fewer parts one thread takes all: what another one takes of some 20 µs of work hardly makes
/// up for what it costs to call it, and to move what it wrote from its cache (measured: ten
/// robots).
inline constexpr std::size_t kLeastParts = 4;

/// How many threads there are to give workspaces to. @param team  null: none but this
[[nodiscard]] inline std::size_t thread_count(const Team* team) {
  return team ? team->threads() : 1;
}

/// body(first, last, thread) for parts of [0, count), by the threads of a team. Which parts there
/// are and who takes them is a matter of time, so nothing may depend on it: a turn of the loop
/// writes what no other reads or writes, what is summed up is summed up behind the loop in its
/// order, and workspaces are those of the thread. Of what turns throw, that of the first is thrown.
/// Loops inside of bodies are not shared.
/// @param team   null: one thread, which takes parts of `grain` turns in their order
/// @param grain  some 5 µs of turns; of fewer than four times so many the calling thread takes all
template <typename Body>
void for_each_part(const Team* team, std::size_t count, std::size_t grain, const Body& body) {
  if (team && count >= kLeastParts * grain) {
    team->share(
        count, grain,
        {&body, [](const void* it, std::size_t first, std::size_t last, std::size_t thread) {
           (*static_cast<const Body*>(it))(first, last, thread);
         }});
    return;
  }
  for (std::size_t first = 0; first < count; first += grain)
    body(first, std::min(first + grain, count), 0);
}

/// body(i, thread) for each i < count, as for_each_part().
template <typename Body>
void for_each_index(const Team* team, std::size_t count, std::size_t grain, const Body& body) {
  for_each_part(team, count, grain, [&](std::size_t first, std::size_t last, std::size_t thread) {
    for (std::size_t i = first; i < last; ++i) body(i, thread);
  });
}

}  // namespace pequod
