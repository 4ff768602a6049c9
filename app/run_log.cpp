#include "app/run_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/csv_table.h"
#include "scene/yaml.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Columns by name; a missing one is reported.
class Columns {
 public:
  Columns(const CsvTable& table, Diagnostics& diagnostics)
      : table_(table), diagnostics_(diagnostics) {}

  [[nodiscard]] VectorXd numbers(const std::string& name) const {
    const int column = find(name);
    if (column < 0) return VectorXd::Zero(static_cast<Index>(table_.cells.size()));
    return numbers_of(table_, column, diagnostics_);
  }
  [[nodiscard]] MatrixXd vectors(const std::string& x, const std::string& y,
                                 const std::string& z) const {
    MatrixXd all(static_cast<Index>(table_.cells.size()), 3);
    all << numbers(x), numbers(y), numbers(z);
    return all;
  }
  [[nodiscard]] std::vector<std::string> words(const std::string& name) const {
    const int column = find(name);
    std::vector<std::string> all;
    for (const std::vector<std::string>& row : table_.cells)
      all.push_back(column < 0 ? "" : nth(row, column));
    return all;
  }

 private:
  [[nodiscard]] int find(const std::string& name) const {
    const int column = table_.column(name);
    if (column < 0)
      diagnostics_.error({table_.file, 1, 1}, fmt::format("the column {} is missing", name));
    return column;
  }

  const CsvTable& table_;
  Diagnostics& diagnostics_;
};

void read_states(const CsvTable& table, RunLog& log, Diagnostics& diagnostics) {
  const Columns columns(table, diagnostics);
  log.t = columns.numbers("t");
  for (const std::string& column : table.names) {
    if (!column.ends_with(".vx")) continue;
    LoggedBody body;
    body.name = column.substr(0, column.size() - 3);
    const std::string& name = body.name;
    body.robot = std::ranges::any_of(
        table.names, [&](const std::string& other) { return other.starts_with(name + "/"); });
    body.x = columns.vectors(name + ".x", name + ".y", name + ".z");
    body.v = columns.vectors(name + ".vx", name + ".vy", name + ".vz");
    body.w = columns.vectors(name + ".wx", name + ".wy", name + ".wz");
    log.bodies.push_back(std::move(body));
  }
}

void read_contacts(const CsvTable& table, RunLog& log, Diagnostics& diagnostics) {
  const Columns columns(table, diagnostics);
  const VectorXd t = columns.numbers("t"), force = columns.numbers("fn");
  const std::vector<std::string> a = columns.words("a"), b = columns.words("b");
  const MatrixXd point = columns.vectors("px", "py", "pz"),
                 normal = columns.vectors("nx", "ny", "nz"),
                 friction = columns.vectors("ftx", "fty", "ftz");
  for (Index i = 0; i < t.size(); ++i) {
    const double* found = std::lower_bound(log.t.data(), log.t.data() + log.t.size(), t[i]);
    if (found == log.t.data() + log.t.size() || *found != t[i]) {
      diagnostics.error({table.file, nth(table.lines, i), 1},
                        fmt::format("no row of state.csv has the time {:.17g}", t[i]));
      return;
    }
    const auto row = static_cast<std::size_t>(i);
    log.contacts.push_back({found - log.t.data(), a[row], b[row], point.row(i), normal.row(i),
                            friction.row(i), force[i]});
  }
}

void read_events(const CsvTable& table, RunLog& log, Diagnostics& diagnostics) {
  const Columns columns(table, diagnostics);
  const VectorXd t = columns.numbers("t"), impulse = columns.numbers("impulse_n"),
                 tangential = columns.numbers("impulse_t"),
                 before = columns.numbers("normal_speed_before"),
                 after = columns.numbers("normal_speed_after");
  const std::vector<std::string> a = columns.words("a"), b = columns.words("b");
  const MatrixXd normal = columns.vectors("nx", "ny", "nz");
  for (Index i = 0; i < t.size(); ++i) {
    // Joints have no normal.
    if (normal.row(i).squaredNorm() == 0.0) continue;
    const auto row = static_cast<std::size_t>(i);
    log.impulses.push_back(
        {t[i], a[row], b[row], normal.row(i), impulse[i], tangential[i], after[i] - before[i]});
  }
}

std::optional<Vector3d> read_gravity(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text(path, {path.string(), 0, 0}, diagnostics);
  if (!text) return std::nullopt;
  const nlohmann::json summary = nlohmann::json::parse(*text, nullptr, false);
  if (summary.is_discarded()) {
    diagnostics.error({path.string(), 1, 1}, "this is no JSON");
    return std::nullopt;
  }
  if (!summary.is_object() || !summary.contains("gravity")) return std::nullopt;
  const nlohmann::json& g = summary["gravity"];
  const bool vector = g.is_array() && g.size() == 3 &&
                      std::ranges::all_of(g, [](const auto& x) { return x.is_number(); });
  if (!vector) {
    diagnostics.error({path.string(), 1, 1}, "\"gravity\" is not three numbers");
    return std::nullopt;
  }
  return Vector3d(g[0].get<double>(), g[1].get<double>(), g[2].get<double>());
}

bool belongs(const LoggedBody& body, const std::string& name) {
  return name == body.name || (body.robot && name.starts_with(body.name + "/"));
}

// +1 if b is a part of the body and a is not, −1 the other way round, else 0.
double side(const LoggedBody& body, const std::string& a, const std::string& b) {
  return (belongs(body, b) ? 1.0 : 0.0) - (belongs(body, a) ? 1.0 : 0.0);
}

// Velocity of a body's point, and how large what it is the sum of is; nothing for links, of which
// only joints are logged.
struct PointVelocity {
  Vector3d v = Vector3d::Zero();
  double size = 0.0;
};
std::optional<PointVelocity> velocity_of(const RunLog& log, const std::string& name, Index record,
                                         const Vector3d& point) {
  if (name.find('/') != std::string::npos) return std::nullopt;
  for (const LoggedBody& body : log.bodies) {
    if (body.name != name) continue;
    if (body.robot) return std::nullopt;
    const Vector3d r = point - body.x.row(record).transpose(), w = body.w.row(record),
                   v = body.v.row(record);
    return PointVelocity{v + w.cross(r), v.norm() + w.norm() * r.norm()};
  }
  return PointVelocity{};  // it is fixed
}

// Whether a contact slides; nothing where velocities are not logged.
std::optional<bool> slides(const RunLog& log, const LoggedContact& contact, double noise) {
  // m/s: what is left of sticking contacts is below 1e-9, see worst_slip_mps in summary.json.
  constexpr double kStill = 1e-6;
  const std::optional<PointVelocity> a = velocity_of(log, contact.a, contact.record, contact.point),
                                     b = velocity_of(log, contact.b, contact.record, contact.point);
  if (!a || !b) return std::nullopt;
  const Vector3d v = b->v - a->v, slip = v - contact.normal * contact.normal.dot(v);
  return slip.norm() > kStill + 3.0 * noise * (a->size + b->size);
}

// Forces at one record, on a body.
MatrixXd forces_on(const RunLog& log, const LoggedBody& body) {
  MatrixXd forces = MatrixXd::Zero(log.t.size(), 3);
  for (const LoggedContact& contact : log.contacts)
    forces.row(contact.record) += side(body, contact.a, contact.b) *
                                  (contact.force * contact.normal + contact.friction).transpose();
  return forces;
}

// What happens to a body between two records.
struct Interval {
  double first = NAN, last = NAN;  // s, of its events
  Vector3d impulse = Vector3d::Zero();
  Vector3d normal = Vector3d::Zero();  // of the first impulse
  bool tangential = false, parallel = true, at_record = false;

  void add(const LoggedImpulse& event, double sign) {
    first = std::isnan(first) ? event.t : std::min(first, event.t);
    last = std::isnan(last) ? event.t : std::max(last, event.t);
    if (event.impulse == 0.0) return;
    if (normal.isZero()) normal = event.normal;
    parallel = parallel && event.normal.cross(normal).norm() < 1e-9;
    tangential = tangential || event.tangential > 1e-12 * event.impulse;
    impulse += sign * event.impulse * event.normal;
  }
};

std::vector<Interval> intervals_of(const RunLog& log, const LoggedBody& body) {
  std::vector<Interval> intervals(static_cast<std::size_t>(log.t.size()) - 1);
  for (const LoggedImpulse& event : log.impulses) {
    const double sign = side(body, event.a, event.b);
    if (sign == 0.0) continue;
    const double* end = log.t.data() + log.t.size();
    const auto next =
        static_cast<std::size_t>(std::lower_bound(log.t.data(), end, event.t) - log.t.data());
    // At a record's very instant: on which side of it is not told.
    if (next < static_cast<std::size_t>(log.t.size()) &&
        log.t[static_cast<Index>(next)] == event.t) {
      if (event.impulse == 0.0) continue;
      if (next < intervals.size()) intervals[next].at_record = true;
      if (next > 0) intervals[next - 1].at_record = true;
    } else if (next > 0 && next <= intervals.size()) {
      intervals[next - 1].add(event, sign);
    }
  }
  return intervals;
}

}  // namespace

std::optional<RunLog> read_run_log(const std::filesystem::path& folder, Diagnostics& diagnostics) {
  std::error_code code;
  if (!std::filesystem::exists(folder / "state.csv", code)) {
    diagnostics.error({folder.string(), 0, 0}, "is no run folder: it has no state.csv",
                      "pequod run --output DIR makes one");
    return std::nullopt;
  }
  const std::optional<CsvTable> states = read_csv(folder / "state.csv", diagnostics),
                                contacts = read_csv(folder / "contacts.csv", diagnostics, false),
                                events = read_csv(folder / "events.csv", diagnostics, false);
  RunLog log;
  log.gravity = read_gravity(folder / "summary.json", diagnostics);
  if (!states || !contacts || !events || !diagnostics.ok()) return std::nullopt;
  read_states(*states, log, diagnostics);
  if (!diagnostics.ok()) return std::nullopt;
  read_contacts(*contacts, log, diagnostics);
  read_events(*events, log, diagnostics);
  if (!diagnostics.ok()) return std::nullopt;
  return log;
}

std::vector<PairForces> pair_forces(const RunLog& log, double noise) {
  struct Lists {
    std::vector<double> normal, tangential;
    int samples = 0;
    bool known = false;
    double highest = 0.0;
  };
  std::map<std::pair<std::string, std::string>, Lists> pairs;
  for (const LoggedContact& contact : log.contacts) {
    Lists& pair = pairs[{contact.a, contact.b}];
    if (!(contact.force > 0.0)) continue;
    ++pair.samples;
    pair.highest = std::max(pair.highest, contact.friction.norm() / contact.force);
    const std::optional<bool> sliding = slides(log, contact, noise);
    pair.known = sliding.has_value();
    if (sliding && !*sliding) continue;
    pair.normal.push_back(contact.force);
    pair.tangential.push_back(contact.friction.norm());
  }
  std::vector<PairForces> all;
  for (const auto& [names, pair] : pairs) {
    const auto n = static_cast<Index>(pair.normal.size());
    all.push_back({names.first, names.second, VectorXd::Map(pair.normal.data(), n),
                   VectorXd::Map(pair.tangential.data(), n), pair.samples, pair.known,
                   pair.highest});
  }
  return all;
}

MassSamples mass_samples(const RunLog& log, const LoggedBody& body, const Vector3d& gravity) {
  const Index n = std::max<Index>(log.t.size() - 1, 0);
  MassSamples samples{MatrixXd::Zero(n, 3), MatrixXd::Zero(n, 3)};
  if (n == 0) return samples;
  const MatrixXd forces = forces_on(log, body);
  const std::vector<Interval> intervals = intervals_of(log, body);
  for (Index k = 0; k < n; ++k) {
    const Interval& interval = nth(intervals, k);
    if (interval.at_record || (interval.tangential && !interval.parallel)) continue;
    const double length = log.t[k + 1] - log.t[k];
    // Until its first event and after its last one forces are those of its ends, else between both.
    const double before = std::isnan(interval.first) ? 0.0 : interval.first - log.t[k];
    const double after = std::isnan(interval.last) ? 0.0 : log.t[k + 1] - interval.last;
    const double middle = 0.5 * (length - before - after);
    Vector3d impulse = interval.impulse + (before + middle) * forces.row(k).transpose() +
                       (after + middle) * forces.row(k + 1).transpose();
    Vector3d change = (body.v.row(k + 1) - body.v.row(k)).transpose() - gravity * length;
    if (interval.tangential) {
      impulse = interval.normal * interval.normal.dot(impulse);
      change = interval.normal * interval.normal.dot(change);
    }
    samples.impulse.row(k) = impulse;
    samples.change.row(k) = change;
  }
  return samples;
}

std::vector<EffectiveMass> effective_masses(const RunLog& log) {
  std::map<std::pair<std::string, std::string>, EffectiveMass> pairs;
  for (std::size_t i = 0; i < log.impulses.size(); ++i) {
    const LoggedImpulse& event = log.impulses[i];
    const bool alone = std::ranges::none_of(log.impulses, [&](const LoggedImpulse& other) {
      return &other != &event && other.t == event.t && other.impulse != 0.0;
    });
    if (!alone || !(event.impulse > 0.0) || !(event.change > 0.0)) continue;
    EffectiveMass& pair = pairs[{event.a, event.b}];
    const double mass = event.impulse / event.change;
    pair.a = event.a;
    pair.b = event.b;
    pair.least = std::min(pair.least, mass);
    pair.most = std::max(pair.most, mass);
    pair.mean += (mass - pair.mean) / ++pair.impacts;
  }
  std::vector<EffectiveMass> all;
  for (const auto& [names, pair] : pairs) all.push_back(pair);
  return all;
}

}  // namespace pequod::app
