// Which numbers belong together when pairs of them do.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace pequod {

/// Sets of 0 … count − 1, each alone at first. Each is told by its least number.
class JoinedSets {
 public:
  /// @param storage  that it may write to as long as it lives
  JoinedSets(std::size_t count, std::vector<int>& storage) : nearer_(&storage) {
    storage.resize(count);
    std::iota(storage.begin(), storage.end(), 0);
  }
  [[nodiscard]] int first(int i) const {
    while (nearer(i) != i) {
      nearer(i) = nearer(nearer(i));
      i = nearer(i);
    }
    return i;
  }
  void join(int a, int b) {
    const auto [least, other] = std::minmax({first(a), first(b)});
    nearer(other) = least;
  }

 private:
  [[nodiscard]] int& nearer(int i) const { return nth(*nearer_, i); }

  std::vector<int>* nearer_;  // of each: itself, or one of its set that is less
};

}  // namespace pequod
