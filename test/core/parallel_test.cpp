// Loops that several threads share.
#include "core/parallel.h"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pequod;

TEST_CASE("each turn of a shared loop is taken once, by a thread of the team") {
  for (const int threads : {1, 2, 3, 8}) {
    const Team team(threads);
    for (const std::size_t count : {0, 1, 7, 100, 1001}) {
      std::vector<int> taken(count, 0), by(count, -1);
      for_each_index(&team, count, 5, [&](std::size_t i, std::size_t thread) {
        ++taken[i];
        by[i] = static_cast<int>(thread);
      });
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(taken[i] == 1);
        CHECK((by[i] >= 0 && by[i] < threads));
      }
    }
  }
}

TEST_CASE("without a team, and of few turns, the parts come in order from the calling thread") {
  const Team team(2);
  for (const Team* some : {static_cast<const Team*>(nullptr), &team}) {
    std::vector<std::size_t> ends;
    for_each_part(some, 9, 5, [&](std::size_t first, std::size_t last, std::size_t thread) {
      CHECK(first == (ends.empty() ? 0 : ends.back()));
      CHECK(thread == 0);
      ends.push_back(last);
    });
    CHECK(ends == std::vector<std::size_t>{5, 9});
  }
}

TEST_CASE("of what turns throw, the first is told, as by one thread") {
  const auto first_of = [](const Team* team) {
    try {
      for_each_index(team, 1000, 4, [](std::size_t i, std::size_t) {
        if (i >= 137 && i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(first_of(nullptr) == "137");
  const Team team(8);
  for (int k = 0; k < 100; ++k) CHECK(first_of(&team) == "137");
  // The team is still good for work.
  std::vector<std::size_t> squares(1000);
  for_each_index(&team, squares.size(), 4, [&](std::size_t i, std::size_t) { squares[i] = i * i; });
  CHECK(std::accumulate(squares.begin(), squares.end(), std::size_t{0}) == 999 * 1000 * 1999 / 6);
}
