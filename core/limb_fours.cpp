#include "core/limb_fours.h"

#include <algorithm>

#include "core/model.h"

namespace pequod {
namespace {

// Links of a chain off the base, from the base outwards.
using LinkChain = std::vector<int>;

// The chain that starts with this link. Links stand in depth-first order. @return the link behind
// it
int follow_chain(const Model& model, const Tree& tree, int first, LinkChain& chain) {
  const int end = tree.first_link + tree.links;
  chain.assign(1, first);
  int next = first + 1;
  while (next < end && nth(model.links, next).parent == next - 1) chain.push_back(next++);
  return next;
}

bool is_plain_hinge(const Joint& joint) {
  return joint.type == JointType::revolute && joint.coordinate_axis >= 0 && joint.straight;
}

bool are_alike(const Model& model, const LinkChain& a, const LinkChain& b) {
  return std::ranges::equal(a, b, [&](int i, int j) {
    const Joint &x = nth(model.links, i).joint, &y = nth(model.links, j).joint;
    return is_plain_hinge(x) && is_plain_hinge(y) && x.coordinate_axis == y.coordinate_axis;
  });
}

void fill_lane(const Link& link, int index, std::size_t lane, LimbLevel& level) {
  const Joint& joint = link.joint;
  level.link[lane] = index;
  level.q[lane] = joint.q_index;
  level.v[lane] = joint.v_index;
  level.axis = joint.coordinate_axis;
  level.sign[lane] = joint.axis[joint.coordinate_axis];
  level.mass[lane] = link.inertia.mass;
  for (int k = 0; k < 3; ++k) {
    nth(level.place, k)[lane] = joint.X_PF.p[k];
    nth(level.com, k)[lane] = link.inertia.com[k];
  }
  for (int k = 0; k < 9; ++k) nth(level.about_com, k)[lane] = link.inertia.about_com.data()[k];
}

// Puts four chains abreast.
void add_four(Model& model, const std::array<LinkChain, 4>& chains) {
  LimbFour& four = model.limb_fours.emplace_back(chains[0].size());
  for (std::size_t lane = 0; lane < chains.size(); ++lane)
    for (std::size_t l = 0; l < four.size(); ++l) {
      Link& link = nth(model.links, chains[lane][l]);
      link.abreast = true;
      fill_lane(link, chains[lane][l], lane, four[l]);
    }
}

// Chains off the base, whose links have one child at most. Other branches are passed over.
std::vector<LinkChain> find_chains(const Model& model, const Tree& tree) {
  std::vector<LinkChain> chains;
  const int end = tree.first_link + tree.links;
  for (int next = tree.first_link + 1; next < end;) {
    LinkChain chain;
    next = follow_chain(model, tree, next, chain);
    const bool branches = next < end && nth(model.links, next).parent != tree.first_link;
    while (next < end && nth(model.links, next).parent != tree.first_link) ++next;
    if (!branches && static_cast<int>(chain.size()) <= kMostLevels &&
        are_alike(model, chain, chain))
      chains.push_back(std::move(chain));
  }
  return chains;
}

// The number of coordinates, if all links but the base are abreast.
int first_beside(const Model& model, const Tree& tree) {
  for (int link = tree.first_link + 1; link < tree.first_link + tree.links; ++link)
    if (!nth(model.links, link).abreast) return nth(model.links, link).joint.v_index - tree.first_v;
  return tree.nv;
}

}  // namespace

void find_limb_fours(Model& model) {
  model.limb_fours.clear();
  for (Link& link : model.links) link.abreast = false;
  for (Tree& tree : model.trees) {
    tree.first_four = model.limb_fours.size();
    if (nth(model.links, tree.first_link).joint.type == JointType::free) {
      std::vector<LinkChain> chains = find_chains(model, tree);
      while (chains.size() >= 4) {
        // The first and those like it move to the front.
        const LinkChain first = chains[0];
        const auto others = std::stable_partition(
            chains.begin(), chains.end(),
            [&](const LinkChain& chain) { return are_alike(model, first, chain); });
        const auto alike = std::min<std::ptrdiff_t>(others - chains.begin(), 4);
        if (alike == 4) add_four(model, {chains[0], chains[1], chains[2], chains[3]});
        chains.erase(chains.begin(), chains.begin() + alike);
      }
    }
    tree.fours = model.limb_fours.size() - tree.first_four;
    tree.first_beside = first_beside(model, tree);
  }
}

std::span<const LimbFour> fours_of(const Model& model, const Tree& tree) {
  return std::span(model.limb_fours).subspan(tree.first_four, tree.fours);
}

}  // namespace pequod
