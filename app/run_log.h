// A run folder read back: what its bodies did, and what their contacts gave them.
#pragma once

#include <Eigen/Dense>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "contact/fit/mass_fit.h"
#include "scene/diagnostics.h"

namespace pequod::app {

struct LoggedBody {
  std::string name;
  bool robot = false;       ///< then the rest is of its base link
  Eigen::MatrixXd x, v, w;  ///< N×3: m, m/s, rad/s at each record
};

struct LoggedContact {
  Eigen::Index record = 0;
  std::string a, b;
  Eigen::Vector3d point, normal, friction;  ///< m; from a to b; N, on b
  double force = 0.0;                       ///< N, normal, on b
};

struct LoggedImpulse {
  double t = 0.0;
  std::string a, b;
  Eigen::Vector3d normal;
  double impulse = 0.0, tangential = 0.0;  ///< N·s; the direction of the latter is not logged
  double change = 0.0;                     ///< m/s, of the normal speed
};

struct RunLog {
  std::optional<Eigen::Vector3d> gravity;  ///< m/s²; runs of before it was written have none
  Eigen::VectorXd t;                       ///< s, of the records
  std::vector<LoggedBody> bodies;          ///< free ones
  std::vector<LoggedContact> contacts;
  std::vector<LoggedImpulse> impulses;
};

/// Reads state.csv, contacts.csv, events.csv and summary.json; reports what is wrong with them.
[[nodiscard]] std::optional<RunLog> read_run_log(const std::filesystem::path& folder,
                                                 Diagnostics& diagnostics);

/// Forces of the contacts of one pair, for fit_friction.
struct PairForces {
  std::string a, b;
  Eigen::VectorXd normal, tangential;  ///< N, of the samples that can tell of sliding
  int samples = 0;                     ///< of all
  bool slip_known = false;  ///< the bodies' velocities are logged: samples are those that slide
  double highest = 0.0;     ///< |f_t|/f_n of any sample
};
/// @param noise  relative, of velocities: an apparent slip this small is none
[[nodiscard]] std::vector<PairForces> pair_forces(const RunLog& log, double noise);

/// Impulses and changes of velocity of a body between its records; those of which a tangential
/// impulse matters, whose direction is unknown, are left out.
/// @param gravity  m/s²
[[nodiscard]] MassSamples mass_samples(const RunLog& log, const LoggedBody& body,
                                       const Eigen::Vector3d& gravity);

/// Impulse over change of normal speed where one contact alone was hit: what the other body feels
/// of it there, in that posture.
struct EffectiveMass {
  std::string a, b;
  int impacts = 0;
  double least = INFINITY, mean = 0.0, most = 0.0;  ///< kg
};
[[nodiscard]] std::vector<EffectiveMass> effective_masses(const RunLog& log);

}  // namespace pequod::app
