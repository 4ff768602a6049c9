#include "simulation/held/held_set.h"

#include <algorithm>

namespace pequod {

void HeldSet::add(const Touching& from, std::size_t i, const HeldLaw& law) {
  const std::size_t place = i < from.points.size() ? touching.points.size() : touching.size();
  laws.insert(laws.begin() + static_cast<std::ptrdiff_t>(place), law);
  touching.add(from, i);
}

std::size_t HeldSet::joint_index(int coordinate) const {
  return static_cast<std::size_t>(std::lower_bound(joints.begin(), joints.end(), coordinate) -
                                  joints.begin());
}

double HeldSet::value_of(const ContactKey& key, const std::vector<double>& values) const {
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (touching.contacts[i].key == key) return values[i];
  return kInfinity;
}

}  // namespace pequod
