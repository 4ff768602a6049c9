// The part of Stepper that takes a trial step for some bodies only.
#include <algorithm>

#include "simulation/stepper.h"

namespace pequod {

// Trees that touching contacts, held joints or loops join; at the acceleration level only what is
// held joins them.
void Stepper::label_trees() {
  if (labelled_) return;
  labelled_ = true;
  const Model& model = scenario_->model;
  const std::vector<Island>* islands = &islands_;
  if (!velocity_level()) {
    thread_local std::vector<int> offsets;  // workspace only
    find_islands(model, kept_.touching.contacts, groups_, offsets, stuck_);
    islands = &groups_;
  }
  label_.assign(model.trees.size(), -1);
  for (std::size_t k = 0; k < islands->size(); ++k)
    for (const int tree : (*islands)[k].trees)
      label_[static_cast<std::size_t>(tree)] = static_cast<int>(k);
}

// in_focus_ of the contacts in the islands of those with these keys. @return whether that is less
// than all
bool Stepper::focus_on(std::span<const ContactKey> keys) {
  const Model& model = scenario_->model;
  if (model.trees.size() < 2 || touching_.size() == 0) return false;
  label_trees();
  asked_.assign(model.trees.size(), 0);  // by label
  const auto label_of = [&](int link) {
    if (link < 0) return -1;
    return label_[static_cast<std::size_t>(model.links[static_cast<std::size_t>(link)].tree)];
  };
  const auto ask = [&](int link) {
    if (const int label = label_of(link); label >= 0) asked_[static_cast<std::size_t>(label)] = 1;
  };
  for (const ContactKey& key : keys) {
    if (is_joint_limit(key)) {
      ask(-1 - key.shape_a);
      continue;
    }
    for (const int shape : {key.shape_a, key.shape_b})
      ask(model.shapes[static_cast<std::size_t>(shape)].link);
  }
  in_focus_.assign(touching_.size(), 0);
  bool all = true;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Contact& contact = touching_.contacts[i];
    const int label = std::max(label_of(contact.link_a), label_of(contact.link_b));
    in_focus_[i] = label >= 0 ? asked_[static_cast<std::size_t>(label)] : 0;
    all = all && (in_focus_[i] || (!velocity_level() && !keep_[i]));
  }
  return !all;
}

const State& Stepper::at(double tau, std::span<const ContactKey> keys) {
  if (tau == tau_ && !partial_) return trial_;
  // Directions of slip at the start are told for all held contacts.
  if (rubs() || !was_whole_ || !focus_on(keys)) return at(tau);
  const auto among = [](char asked, char wanted) { return !asked || wanted; };
  if (tau == tau_ && std::equal(asked_.begin(), asked_.end(), wanted_.begin(), among))
    return trial_;
  const bool same = partial_ && wanted_ == asked_;
  partial_ = true;
  wanted_ = asked_;
  if (!velocity_level() && !same) {
    focus_keep_ = keep_;
    for (std::size_t i = 0; i < focus_keep_.size(); ++i)
      if (!in_focus_[i]) focus_keep_[i] = 0;
    hold_touching(focus_keep_, sticking_);
  }
  take(tau);
  return trial_;
}

}  // namespace pequod
