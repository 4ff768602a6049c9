#include "app/experiments/closed_form.h"

#include <algorithm>
#include <cmath>

namespace pequod::app {
namespace {

constexpr double kTouch = 1e-9;     // m: what is nearer lies on the plane
constexpr double kAligned = 1e-12;  // of vectors and directions, relative

// The one body of the scene and the plane below it, if there is one.
struct Lone {
  std::string name;
  double mass = NAN;
  Matrix3d inertia = Matrix3d::Zero();  // kg m², world axes
  Vector3d x, v, w;                     // m, m/s, rad/s at the start
  Quaterniond R;
  const Shape* shape = nullptr;  // nullptr: it has none, or there is no plane
  Surface surface;
  Vector3d n = Vector3d::UnitZ();  // of the plane
  double height = kInfinity;       // m, of the origin over the plane
};

bool parallel(const Vector3d& a, const Vector3d& b) {
  return a.cross(b).norm() <= kAligned * (a.norm() * b.norm() + kAligned);
}

bool only_one_free_body(const Scenario& scenario) {
  const Model& model = scenario.model;
  return scenario.controllers.empty() && scenario.forces.empty() && model.loops.empty() &&
         model.links.size() == 1 && model.links[0].joint.type == JointType::free &&
         model.links[0].inertia.com.norm() <= kAligned;
}

std::optional<Lone> find_lone(const Scenario& scenario) {
  const Model& model = scenario.model;
  if (!only_one_free_body(scenario)) return std::nullopt;
  Lone lone;
  for (const Entity& entity : model.entities)
    if (entity.base_link == 0) lone.name = entity.name;
  const VectorXd &q = scenario.initial.q, &v = scenario.initial.v;
  lone.x = q.head<3>();
  lone.R = Quaterniond(q[3], q[4], q[5], q[6]);
  lone.w = v.head<3>();
  lone.v = v.segment<3>(3);
  lone.mass = model.links[0].inertia.mass;
  const Matrix3d R = lone.R.toRotationMatrix();
  lone.inertia = R * model.links[0].inertia.about_com * R.transpose();
  const Shape *plane = nullptr, *body = nullptr;
  for (const Shape& shape : model.shapes) {
    const Shape*& place = shape.link < 0 ? plane : body;
    if (place != nullptr) return std::nullopt;
    place = &shape;
  }
  if (plane == nullptr || body == nullptr) return lone;
  if (!std::holds_alternative<Plane>(plane->geometry) || body->X_LS.p.norm() > kAligned ||
      !model.collide_rules.empty())
    return std::nullopt;
  lone.shape = body;
  lone.surface = model.surface(static_cast<int>(plane - model.shapes.data()),
                               static_cast<int>(body - model.shapes.data()));
  lone.n = plane->X_LS.R.col(2);
  lone.height = lone.n.dot(lone.x - plane->X_LS.p);
  return lone;
}

std::vector<double> row_of(double t, const Vector3d& x, const Quaterniond& R) {
  return {t, x.x(), x.y(), x.z(), R.w(), R.x(), R.y(), R.z()};
}

// All that state.csv has of a body's place: what is left out would be no error.
std::vector<std::string> columns_of(const std::string& body) {
  std::vector<std::string> names{"t"};
  for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"})
    names.push_back(body + "." + part);
  return names;
}

// ---- flight -------------------------------------------------------------------------------------

// With a constant spin, which the body has about its principal axes alone.
std::optional<ClosedForm> flight(const Lone& lone, const Vector3d& g, double start) {
  if (!parallel(lone.inertia * lone.w, lone.w)) return std::nullopt;
  return ClosedForm{"free flight", columns_of(lone.name), [=](double time) {
                      const double t = time - start, spin = lone.w.norm();
                      const Quaterniond turn(Eigen::AngleAxisd(
                          spin * t, spin > 0.0 ? Vector3d(lone.w / spin) : Vector3d::UnitX()));
                      return row_of(time, lone.x + t * lone.v + 0.5 * t * t * g, turn * lone.R);
                    }};
}

// ---- bounces ------------------------------------------------------------------------------------

// Height over the plane t after height y and upward speed v, with gravity g and restitution e.
double bounced(double y, double v, double g, double e, double t) {
  for (int hits = 0; hits < 1'000'000; ++hits) {
    const double speed = std::sqrt(v * v + 2.0 * g * y);  // at the plane
    const double flight = (v + speed) / g;
    if (t <= flight) return y + v * t - 0.5 * g * t * t;
    t -= flight;
    y = 0.0;
    v = e * speed;
    // What is left of the series is shorter than can be told.
    if (2.0 * v / (g * (1.0 - e)) < 1e-15) return 0.0;
  }
  return NAN;
}

std::optional<ClosedForm> bounces(const Scenario& scenario, const Lone& lone) {
  const Vector3d& g = scenario.model.gravity;
  const double radius = std::get<Sphere>(lone.shape->geometry).radius;
  const double y = std::max(0.0, lone.height - radius), down = -g.dot(lone.n);
  const bool straight = parallel(g, lone.n) && parallel(lone.v, lone.n) && lone.w.isZero(0.0);
  const double e = lone.surface.restitution;
  if (!straight || down <= 0.0 || (e > 0.0 && scenario.contact.scheme != "event-driven"))
    return std::nullopt;
  return ClosedForm{"a ball that falls on a plane", columns_of(lone.name),
                    [=, start = scenario.initial.t](double time) {
                      const double now = bounced(y, lone.v.dot(lone.n), down, e, time - start);
                      return row_of(time, lone.x + (now - y) * lone.n, lone.R);
                    }};
}

// ---- along a line on the plane ------------------------------------------------------------------

// v' = a, w' = b from t on.
struct LinePhase {
  double t = 0.0, s = 0.0, v = 0.0;  // s, m, m/s along the line
  double angle = 0.0, w = 0.0;       // rad, rad/s about n × line: rolling has v = r w
  double a = 0.0, b = 0.0;           // m/s², rad/s²

  [[nodiscard]] LinePhase after(double dt) const {
    LinePhase now = *this;
    now.t += dt;
    now.s += dt * (v + 0.5 * dt * a);
    now.angle += dt * (w + 0.5 * dt * b);
    now.v += dt * a;
    now.w += dt * b;
    return now;
  }
};

// What lies on the plane and moves along a line.
struct Slider {
  Vector3d line, axis;        // unit
  double r = 1.0, k = 0.0;    // m; m r²/I, 0 for a box, which does not turn
  double gt = 0.0, gn = 0.0;  // m/s², gravity along the line and onto the plane
};

// The contact slides with v − r w until that is 0; then it holds, if μ suffices.
std::vector<LinePhase> coulomb_phases(const Slider& slider, double mu, double v, double w) {
  std::vector<LinePhase> phases;
  LinePhase now{0.0, 0.0, v, 0.0, w, 0.0, 0.0};
  const double bound = mu * slider.gn, hold = slider.gt / (1.0 + slider.k);
  for (int i = 0; i < 2; ++i) {
    const double slip = now.v - slider.r * now.w;
    const bool slides = i == 0 && std::abs(slip) > kAligned;
    double f = std::copysign(bound, slides ? slip : slider.gt);  // friction over mass, against it
    if (!slides && std::abs(hold) <= bound) f = hold;
    now.a = slider.gt - f;
    now.b = slider.k * f / slider.r;
    phases.push_back(now);
    const double change = now.a - slider.r * now.b;
    if (!slides || slip * change >= 0.0) break;
    now = now.after(-slip / change);
  }
  return phases;
}

std::optional<Slider> find_slider(const Lone& lone, const Vector3d& g) {
  Slider slider;
  slider.gn = -g.dot(lone.n);
  const Vector3d pull = g + slider.gn * lone.n;
  // Across the axis of turning, if nothing else tells the line.
  const Vector3d candidates[] = {lone.v, pull, lone.w.cross(lone.n), lone.n.unitOrthogonal()};
  for (const Vector3d& candidate : candidates)
    if (candidate.norm() > kAligned) {
      slider.line = candidate.normalized();
      break;
    }
  slider.axis = lone.n.cross(slider.line);
  slider.gt = pull.dot(slider.line);
  const bool straight = std::abs(lone.v.dot(lone.n)) <= kAligned && parallel(lone.v, slider.line) &&
                        parallel(lone.w, slider.axis) &&
                        (pull - slider.gt * slider.line).norm() <= kAligned * (1.0 + g.norm());
  if (!straight || slider.gn <= 0.0) return std::nullopt;
  return slider;
}

// Of a ball or a cylinder on its side; nothing if it does not lie so.
bool set_round(const Lone& lone, Slider& slider) {
  if (const auto* ball = std::get_if<Sphere>(&lone.shape->geometry)) slider.r = ball->radius;
  if (const auto* roller = std::get_if<Cylinder>(&lone.shape->geometry)) {
    slider.r = roller->radius;
    const Vector3d along = lone.R * lone.shape->X_LS.R.col(2);
    if (!parallel(along, slider.axis)) return false;
  }
  const Vector3d spin = lone.inertia * slider.axis;
  if ((spin - spin.dot(slider.axis) * slider.axis).norm() > 1e-9 * spin.norm()) return false;
  slider.k = lone.mass * slider.r * slider.r / spin.dot(slider.axis);
  return std::abs(lone.height - slider.r) <= kTouch;
}

// Of a box on its face that friction does not tip.
bool set_box(const Lone& lone, double mu, Slider& slider) {
  const Vector3d half = 0.5 * std::get<Box>(lone.shape->geometry).size;
  const Matrix3d R = lone.R.toRotationMatrix() * lone.shape->X_LS.R;
  double up = NAN, ahead = NAN;
  for (int i = 0; i < 3; ++i) {
    if (parallel(R.col(i), lone.n)) up = half[i];
    if (parallel(R.col(i), slider.line)) ahead = half[i];
  }
  if (std::isnan(up) || std::isnan(ahead) || !lone.w.isZero(0.0)) return false;
  const double friction = std::max(mu, std::abs(slider.gt) / slider.gn);
  return std::abs(lone.height - up) <= kTouch && friction * up < 0.99 * ahead;
}

ClosedForm line_form(const Lone& lone, const Slider& slider, double start, std::string what,
                     std::function<LinePhase(double)> at) {
  return {std::move(what), columns_of(lone.name), [=, at = std::move(at)](double time) {
            const LinePhase now = at(time - start);
            const Quaterniond turn(Eigen::AngleAxisd(now.angle, slider.axis));
            return row_of(time, lone.x + now.s * slider.line, turn * lone.R);
          }};
}

ClosedForm coulomb_form(const Lone& lone, const Slider& slider, double mu, double start) {
  const std::vector<LinePhase> phases =
      coulomb_phases(slider, mu, lone.v.dot(slider.line), lone.w.dot(slider.axis));
  return line_form(
      lone, slider, start, "a body that slides or rolls along a line", [phases](double t) {
        const LinePhase& now = phases.size() > 1 && t >= phases[1].t ? phases[1] : phases[0];
        return now.after(t - now.t);
      });
}

// Slip u = v − r w: u' = g − λ u with λ = c (1 + k)/m, v' = g − c u/m, r w' = k c u/m.
ClosedForm viscous_form(const Lone& lone, const Slider& slider, double start) {
  const double drag = lone.surface.viscous / lone.mass, rate = drag * (1.0 + slider.k);
  const double v = lone.v.dot(slider.line), w = lone.w.dot(slider.axis);
  return line_form(lone, slider, start, "a ball that slides through a viscous film", [=](double t) {
    const double steady = slider.gt / rate, off = v - slider.r * w - steady;
    const double decay = -std::expm1(-rate * t) / rate;                    // ∫ e^−λt
    const double twice = 0.5 * steady * t * t + off * (t - decay) / rate;  // ∫∫ u
    LinePhase now;
    now.t = t;
    now.s = v * t + 0.5 * slider.gt * t * t - drag * twice;
    now.angle = w * t + slider.k * drag * twice / slider.r;
    return now;
  });
}

}  // namespace

std::optional<ClosedForm> find_closed_form(const Scenario& scenario) {
  const std::optional<Lone> lone = find_lone(scenario);
  if (!lone) return std::nullopt;
  const Vector3d& g = scenario.model.gravity;
  const double start = scenario.initial.t;
  if (lone->shape == nullptr) return flight(*lone, g, start);
  const bool ball = std::holds_alternative<Sphere>(lone->shape->geometry);
  if (ball)
    if (auto form = bounces(scenario, *lone)) return form;
  std::optional<Slider> slider = find_slider(*lone, g);
  if (!slider) return std::nullopt;
  const std::string& model = scenario.contact.model;
  const bool coulomb = model == "coulomb" || model == "frictionless";
  const double mu = model == "coulomb" ? lone->surface.friction : 0.0;
  if (std::holds_alternative<Box>(lone->shape->geometry)) {
    if (!coulomb || !set_box(*lone, mu, *slider)) return std::nullopt;
  } else if (!(ball || std::holds_alternative<Cylinder>(lone->shape->geometry)) ||
             !set_round(*lone, *slider)) {
    return std::nullopt;
  }
  if (coulomb && lone->surface.sticking() == lone->surface.friction)
    return coulomb_form(*lone, *slider, mu, start);
  if (ball && model == "viscous" && lone->surface.viscous > 0.0)
    return viscous_form(*lone, *slider, start);
  return std::nullopt;
}

}  // namespace pequod::app
