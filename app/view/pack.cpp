#include "app/view/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/packed_numbers.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;
using plot::LogTable;
using plot::RunData;

// Finer than a screen shows: of positions a hundred-thousandth of the way that things go.
constexpr double kFinestPosition = 2e-5, kQuaternion = 5e-5, kAngle = 5e-5, kNormal = 1e-3;
// Of velocities, forces and energies: of the largest.
constexpr double kShare = 1.0 / 8192.0;

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

double share_of(std::span<const double> values) {
  return std::max(kShare * largest(values), 1e-300);
}

double range_of(std::span<const double> values) {
  double low = INFINITY, high = -INFINITY;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high > low ? high - low : 0.0;
}

bool ends_with_any(const std::string& name, std::initializer_list<const char*> ends) {
  return std::ranges::any_of(ends, [&](const char* end) { return name.ends_with(end); });
}

// A packed table and what the page must know of it.
class Packer {
 public:
  explicit Packer(std::size_t rows) : rows_(rows) {}

  void add(const std::string& name, std::span<const double> values, double unit) {
    columns_.push_back({name, unit});
    bytes_ += pack_integers(quantised(values, unit));
  }
  [[nodiscard]] OrderedJson head() const { return {{"rows", rows_}, {"columns", columns_}}; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::size_t rows_;
  OrderedJson columns_ = OrderedJson::array();
  std::string bytes_;
};

// Times to the last digit that a page can show.
double time_unit(const std::vector<double>& t) { return std::max(1e-7, 1e-12 * largest(t)); }

// How far anything goes decides what is seen.
double position_unit(const LogTable& state) {
  double range = 0.0;
  for (std::size_t i = 0; i < state.names.size(); ++i)
    if (ends_with_any(state.names[i], {".x", ".y", ".z"}))
      range = std::max(range, range_of(state.columns[i]));
  return std::clamp(1e-5 * range, 1e-9, kFinestPosition);
}

Packer pack_state(const LogTable& state) {
  Packer packer(state.rows);
  const double position = position_unit(state);
  for (std::size_t i = 0; i < state.names.size(); ++i) {
    const std::string& name = state.names[i];
    double unit = share_of(state.columns[i]);
    if (name == "t")
      unit = time_unit(state.columns[i]);
    else if (ends_with_any(name, {".x", ".y", ".z"}))
      unit = position;
    else if (ends_with_any(name, {".qw", ".qx", ".qy", ".qz"}))
      unit = kQuaternion;
    else if (name.ends_with(".q"))
      unit = kAngle;
    packer.add(name, state.columns[i], unit);
  }
  return packer;
}

Packer pack_energy(const LogTable& energy) {
  Packer packer(energy.rows);
  packer.add("t", energy.at("t"), time_unit(energy.at("t")));
  for (const char* name : {"kinetic", "potential", "total"})
    packer.add(name, energy.at(name), share_of(energy.at(name)));
  return packer;
}

std::vector<double> in_order(const std::vector<double>& values,
                             const std::vector<std::size_t>& order) {
  std::vector<double> sorted;
  sorted.reserve(order.size());
  for (const std::size_t row : order) sorted.push_back(values[row]);
  return sorted;
}

// The record of each row: the tables share their times.
std::vector<double> records(const std::vector<double>& rows, const std::vector<double>& t) {
  std::vector<double> result;
  result.reserve(rows.size());
  std::size_t record = 0;
  for (const double row : rows) {
    while (record + 1 < t.size() && t[record] < row) ++record;
    result.push_back(static_cast<double>(record));
  }
  return result;
}

// By pairs, so that what follows each other is of one contact and changes smoothly.
Packer pack_contacts(const RunData& run) {
  const LogTable& contacts = run.contacts;
  const std::vector<double>&a = contacts.at("a"), &b = contacts.at("b");
  std::vector<std::size_t> order(contacts.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(a[i], b[i]) < std::pair(a[j], b[j]);
  });
  Packer packer(contacts.rows);
  const double position = position_unit(run.state);
  packer.add("record", in_order(records(contacts.at("t"), run.state.at("t")), order), 1.0);
  for (const char* name : {"a", "b"}) packer.add(name, in_order(contacts.at(name), order), 1.0);
  for (const char* name : {"px", "py", "pz"})
    packer.add(name, in_order(contacts.at(name), order), position);
  for (const char* name : {"nx", "ny", "nz"})
    packer.add(name, in_order(contacts.at(name), order), kNormal);
  const double force = share_of(contacts.at("fn"));
  for (const char* name : {"fn", "ftx", "fty", "ftz"})
    packer.add(name, in_order(contacts.at(name), order), force);
  return packer;
}

Packer pack_events(const LogTable& events) {
  Packer packer(events.rows);
  packer.add("t", events.at("t"), time_unit(events.at("t")));
  for (const char* name : {"kind", "a", "b"}) packer.add(name, events.at(name), 1.0);
  return packer;
}

}  // namespace

std::string pack_run(const RunData& run, const PackedVisuals& visuals) {
  if (!run.model)
    throw RunFolderRefused(fmt::format(
        "{}: has no model.json, which tells what the bodies look like; run the scene again, an "
        "earlier version of pequod wrote none",
        run.path.string()));
  if (run.state.rows == 0 || run.energy.rows == 0)
    throw RunFolderRefused(fmt::format("{}: the run has written no rows yet", run.path.string()));
  const Packer state = pack_state(run.state), energy = pack_energy(run.energy),
               contacts = pack_contacts(run), events = pack_events(run.events);
  OrderedJson contact_head = contacts.head(), event_head = events.head();
  contact_head["words"] = run.contacts.words;
  event_head["words"] = run.events.words;
  OrderedJson model = *run.model;
  model["visuals"] = visuals.list;
  const OrderedJson head{{"name", run.name},
                         {"model", model},
                         {"meshes", visuals.meshes},
                         {"tables",
                          {{"state", state.head()},
                           {"energy", energy.head()},
                           {"contacts", contact_head},
                           {"events", event_head}}}};
  return packed_for_page(
      head.dump(-1, ' ', false, OrderedJson::error_handler_t::replace),
      state.bytes() + energy.bytes() + contacts.bytes() + events.bytes() + visuals.columns);
}

}  // namespace pequod::app
