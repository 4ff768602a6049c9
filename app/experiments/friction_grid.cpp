// Coulomb friction beside closed forms, cell by cell, to either side of the angle of friction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/experiments/experiment.h"

namespace pequod::app {
namespace {

void set_surface(Scenario& scenario, double mu) {
  for (Surface& surface : scenario.model.surfaces) surface.friction = mu;
}

Scenario on_ramp(const Stage& stage, double mu, double angle) {
  Scenario scenario = stage.load("slab");
  set_surface(scenario, mu);
  scenario.model.gravity = kGravity * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  return scenario;
}

struct Slide {
  double way = 0.0, speed = 0.0;  // m, m/s
};

// How far it is moved between 0.5 s and the end, and how fast it is then.
Slide slide_of(Scenario scenario) {
  const double end = scenario.duration;
  scenario.duration = 0.5;
  const double before = simulate(scenario).state.q[0];
  scenario.duration = end;
  const State state = simulate(scenario).state;
  return {state.q[0] - before, state.v[3]};
}

// The acceleration down the ramp, or none.
double pull(double mu, double angle) {
  return std::max(0.0, kGravity * (std::sin(angle) - mu * std::cos(angle)));
}

void grid(const Stage& stage) {
  const std::array frictions{0.1, 0.3, 0.5, 0.7, 1.0}, degrees{3.0, 10.0, 20.0, 30.0, 40.0};
  Table table{"moved in 0.25 s, m", {"mu", "3°", "10°", "20°", "30°", "40°"}, {}};
  double worst = 0.0, creep = 0.0;
  for (const double mu : frictions) {
    std::vector<Cell> cells{mu};
    for (const double degree : degrees) {
      const double angle = degree * std::numbers::pi / 180.0, a = pull(mu, angle);
      const Slide was = slide_of(on_ramp(stage, mu, angle));
      cells.emplace_back(was.way);
      worst = std::max({worst, std::abs(was.way - 0.15625 * a), std::abs(was.speed - 0.75 * a)});
      if (a == 0.0) creep = std::max({creep, std::abs(was.way), std::abs(was.speed)});
    }
    table.rows.push_back(std::move(cells));
  }
  stage.show(table);
  stage.at_most("slab", "25 cells: way and speed off the closed form, m, m/s", worst, 1e-9,
                "0.02 m, 2° left out");
  stage.at_most("slab", "cells that stay: way and speed, m, m/s", creep, 1e-15, "0.1 m/s passes");
}

// At a margin of 1e-9 rad the drive is 1e-9 of what friction can hold. Whether a contact slips is
// asked to 1e-8 of that: from 1e-7 on the sliding cells are right as well.
void edge(const Stage& stage) {
  Table table{"speed after 0.75 s at atan mu ± margin, over the closed form, all frictions",
              {"margin, rad", "below, m/s", "above, least", "above, most"},
              {}};
  for (const double margin : {1e-9, 1e-8, 1e-7, 1e-6}) {
    double below = 0.0, least = kInfinity, most = -kInfinity;
    for (const double mu : {0.1, 0.3, 0.5, 0.7, 1.0}) {
      const Slide stays = slide_of(on_ramp(stage, mu, std::atan(mu) - margin));
      below = std::max({below, std::abs(stays.way), std::abs(stays.speed)});
      const double truth = 0.75 * margin * kGravity * std::sqrt(1.0 + mu * mu);
      const double share = slide_of(on_ramp(stage, mu, std::atan(mu) + margin)).speed / truth;
      least = std::min(least, share);
      most = std::max(most, share);
    }
    table.rows.push_back({margin, below, least, most});
    stage.at_most("slab", fmt::format("{:g} rad below the angle: way, speed, m, m/s", margin),
                  below, 1e-15);
    if (margin >= 1e-7)
      stage.at_most("slab", fmt::format("{:g} rad above it: speed, relative", margin),
                    std::max(std::abs(least - 1.0), std::abs(most - 1.0)), 0.01);
  }
  stage.show(table);
  Scenario scenario = on_ramp(stage, 0.5, 0.98 * std::atan(0.5));
  scenario.initial.q[2] = 0.05;
  scenario.duration = stage.quick ? 10.0 : 600.0;
  const double moved = (simulate(scenario).state.q - scenario.initial.q).norm();
  stage.at_most("slab", "creep at 0.98 of the angle, m or rad", moved, 1e-12);
}

// Way and time until a cube stops.
void stop(const Stage& stage, const std::string& scene, double mu, const std::string& peer) {
  Scenario scenario = stage.load(scene);
  set_surface(scenario, mu);
  const double speed = scenario.initial.v[3], height = scenario.initial.q[2];
  const double time = speed / (mu * kGravity), way = 0.5 * speed * time;
  const Trace trace = simulate(scenario);
  double stuck = kInfinity;
  for (const EventRow& row : trace.events)
    if (row.kind == EventKind::stick) stuck = row.t;
  const std::string name = "mu " + std::to_string(mu).substr(0, 3);
  stage.at_most(scene, name + ": way until it stops, off, m", std::abs(trace.state.q[0] - way),
                1e-10, peer);
  stage.at_most(scene, name + ": time, off, s", std::abs(stuck - time), 1e-10);
  stage.at_most(scene, name + ": lifted, m", std::abs(trace.state.q[2] - height), 1e-12);
}

void stops(const Stage& stage) {
  for (const double mu : {0.2, 0.4, 0.7}) stop(stage, "cube", mu, "0.05-0.2 %");
  stop(stage, "small_cube", 0.5, "lifts 318 mm");
}

// @param pull  N
double pulled(const Stage& stage, double pull) {
  Scenario scenario = stage.load("small_cube");
  scenario.initial.v.setZero();
  ExternalForce force;
  force.frame = 1;
  force.force.x() = pull;
  scenario.forces.push_back(force);
  return simulate(scenario).state.q[0];
}

void holds(const Stage& stage) {
  const Scenario wall = stage.load("wall");
  stage.at_most("wall", "creep in 10 s, m or rad", (simulate(wall).state.q - wall.initial.q).norm(),
                1e-12, "4.5e-3 m/s");
  stage.at_most("small_cube", "held, pulled by 4.90 N: way, m", std::abs(pulled(stage, 4.9)), 1e-12,
                "moves");
  stage.at_most("small_cube", "held, pulled by 4.85 N: way, m", std::abs(pulled(stage, 4.85)),
                1e-12, "holds");
  stage.at_most("small_cube", "pulled by 4.91 N: way in 2 s, off, m",
                std::abs(pulled(stage, 4.91) - 0.01), 1e-10);
}

/// The wheel of belt.yaml: I θ̈ = −a sin θ + τ, τ of the friction that slides; times of its cycle.
struct BeltCycle {
  double first_slip, slip, stick;  // s; the first from θ = 0
};

// Sticking, θ grows with the belt until a sin θ is what static friction holds. From there the wheel
// slips until its speed is the belt's again: by the classical Runge–Kutta method with steps of
// 10 µs, whose error is below rounding, the last one cut where the speeds meet.
BeltCycle belt_cycle(const Surface& surface, double rate) {
  const double inertia = 0.5, a = 0.5 * kGravity, arm = 0.5 * 0.4 * kGravity;  // kg m², N·m
  const auto speeding = [&](double angle) {
    return (surface.friction * arm - a * std::sin(angle)) / inertia;
  };
  struct Wheel {
    double angle, speed;
  };
  const auto step = [&](const Wheel& w, double h) {
    const double k1 = speeding(w.angle), k2 = speeding(w.angle + 0.5 * h * w.speed),
                 k3 = speeding(w.angle + 0.5 * h * (w.speed + 0.5 * h * k1)),
                 k4 = speeding(w.angle + h * (w.speed + 0.5 * h * k2));
    return Wheel{w.angle + h * w.speed + h * h / 6.0 * (k1 + k2 + k3),
                 w.speed + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)};
  };
  const double h = 1e-5, from = std::asin(surface.static_friction * arm / a);
  Wheel wheel = step({from, rate}, h);
  double time = h;
  for (Wheel next = step(wheel, h); next.speed < rate; next = step(wheel, h)) {
    wheel = next;
    time += h;
  }
  double low = 0.0, high = h;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (step(wheel, middle).speed < rate ? low : high) = middle;
  }
  return {from / rate, time + low, (from - step(wheel, low).angle) / rate};
}

void belt(const Stage& stage) {
  const Scenario scenario = stage.load("belt");
  const BeltCycle truth = belt_cycle(scenario.model.surfaces.front(), scenario.initial.v[0]);
  const double linear = std::sqrt(0.5 * kGravity / 0.5);  // 1/s, of small swings
  double off = 0.0, events = 0.0, expected = truth.first_slip;
  for (const EventRow& row : simulate(scenario).events) {
    const bool slips = row.kind == EventKind::slip;
    off = std::max(off, std::abs(row.t - expected));
    expected += slips ? truth.slip : truth.stick;
    events += slips == (std::fmod(events, 2.0) == 0.0) ? 1.0 : kInfinity;
  }
  // Small swings: slip (2π − 2 atan(Aω/V))/ω, stick 2A/V with A = (Fs − Fd)/k.
  const double swing = 0.2 * 0.4, speed = scenario.initial.v[0] / linear;
  stage.show({"belt: times of a cycle, s",
              {"", "first slip", "slip", "stick"},
              {{"the wheel", truth.first_slip, truth.slip, truth.stick},
               {"small swings", 0.2 / scenario.initial.v[0],
                (2.0 * std::numbers::pi - 2.0 * std::atan(swing / speed)) / linear,
                2.0 * swing / scenario.initial.v[0]}}});
  stage.at_most("belt", "times of five slips and sticks, off, s", off, 1e-10);
  stage.at_most("belt", "slips and sticks in turn, off 10", std::abs(events - 10.0), 0.0);
}

}  // namespace

extern const Experiment kFrictionGrid{
    "friction-grid",
    "sticking and sliding on ramps, cell by cell and close to the limit",
    {grid, edge, stops, holds, belt},
    "examples/friction-grid"};

}  // namespace pequod::app
