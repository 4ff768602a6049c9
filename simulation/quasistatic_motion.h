// Quasistatic motion over time: the object goes where the fingers take it, modes as logged events.
#pragma once

#include <string>
#include <vector>

#include "contact/quasistatic/planar.h"
#include "contact/quasistatic/quasistatic.h"

namespace pequod {

struct QuasistaticRunOptions {
  double duration = 1.0;  ///< s
  double step = 0.01;     ///< s, the largest
};

/// Everything at one instant.
struct QuasistaticRecord {
  double t = 0.0;                 ///< s
  Eigen::VectorXd configuration;  ///< object x, y, angle, then the joints
  std::vector<PlanarContact> contacts;
  QuasistaticMotion motion;  ///< of these contacts, in their order
};

/// A contact that comes, or changes what it does.
struct QuasistaticEvent {
  double t = 0.0;    ///< s
  std::string kind;  ///< touch, or the mode that begins
  int finger = 0;
  Eigen::Vector2d point;  ///< m
};

struct QuasistaticRun {
  std::vector<QuasistaticRecord> records;  ///< one a step, the start included
  std::vector<QuasistaticEvent> events;
  std::string ended;  ///< why before the duration; empty if it did not
};

/// Integrates q̇ (Pang, Trinkle & Lo 1994) by RK4 with the contact modes held over a step. A step
/// ends early where a gap closes or where the modes cease to be possible; there they are chosen
/// anew, the old ones first. Where several choices are possible the bilinear program's is taken.
[[nodiscard]] QuasistaticRun follow(const PlanarScene& scene,
                                    const QuasistaticRunOptions& options = {});

}  // namespace pequod
