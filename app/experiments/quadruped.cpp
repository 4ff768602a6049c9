// The quadruped on its terrain map (Drumwright 2015, sec. VII-B, Tables II and III).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"

namespace pequod::app {
namespace {

struct Walk {
  StepTimes spent;            // s, all steps
  std::vector<int> contacts;  // of each step
  std::vector<int> pivots;
  Vector3d start = Vector3d::Zero(), end = Vector3d::Zero();  // m, of the base
  double yaw = 0.0, lowest = kInfinity, highest = -kInfinity;
  bool trunk_touched = false;
  std::array<Curve, 5> paths{{{"base", {}}, {"LF", {}}, {"RF", {}}, {"LH", {}}, {"RH", {}}}};
  RunStatistics statistics;
  std::string ended;  // why it did not reach the end

  [[nodiscard]] double seconds() const {
    return spent.dynamics + spent.collision + spent.contact + spent.control;
  }
};

// From the side: x over z of the base and of the feet's centres.
void trace_paths(const Model& model, const Kinematics& kin, Walk& walk) {
  for (Curve& path : walk.paths)
    for (const Frame& frame : model.frames)
      if (frame.name == "links/" + (path.name == "base" ? path.name : path.name + "_foot")) {
        const Vector3d p = nth(kin.links, frame.link).X_WL * frame.X_LF.p;
        path.points.emplace_back(p.x(), p.z());
      }
}

void look(const Model& model, const State& state, const Kinematics& kin, Walk& walk) {
  const int base = model.entities.back().base_link;
  const Pose& X_WB = nth(kin.links, base).X_WL;
  walk.end = X_WB.p;
  if (state.t == 0.0) walk.start = walk.end;
  walk.yaw = std::max(walk.yaw, std::abs(std::atan2(X_WB.R(1, 0), X_WB.R(0, 0))));
  for (const ContactMode& contact : state.mode)
    walk.trunk_touched |=
        contact.key.shape_b >= 0 && nth(model.shapes, contact.key.shape_b).link == base;
  trace_paths(model, kin, walk);
  if (state.t < 1.0) return;
  walk.lowest = std::min(walk.lowest, X_WB.p.z());
  walk.highest = std::max(walk.highest, X_WB.p.z());
}

Walk walk(const Scenario& scenario) {
  Walk walk;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport&) {
    look(scenario.model, state, kin, walk);
  };
  observer.step = [&](const StepReport& step) {
    walk.spent.dynamics += step.times.dynamics;
    walk.spent.collision += step.times.collision;
    walk.spent.contact += step.times.contact;
    walk.spent.control += step.times.control;
    walk.contacts.push_back(step.contacts);
    walk.pivots.push_back(step.stats.pivots);
  };
  Simulation run(scenario, observer);
  try {
    run.run();
  } catch (const std::exception& error) {
    walk.ended = fmt::format("{:g} s: {}", run.state().t, error.what());
  }
  walk.statistics = run.statistics();
  return walk;
}

struct Spread {
  double least = 0.0, most = 0.0, mean = 0.0, sigma = 0.0;
};

Spread spread(const std::vector<int>& counts) {
  if (counts.empty()) return {};
  const VectorXd x =
      Eigen::Map<const Eigen::VectorXi>(counts.data(), static_cast<Eigen::Index>(counts.size()))
          .cast<double>();
  return {x.minCoeff(), x.maxCoeff(), x.mean(), std::sqrt((x.array() - x.mean()).square().mean())};
}

// What both kinds of friction are held to (the paper's code allowed a gap of −1e-6 m).
void stands(const Stage& stage, const std::string& name, const Walk& walk) {
  stage.at_most(name, "runs that did not end, or fell",
                walk.ended.empty() && !walk.trunk_touched ? 0 : 1, 0.0);
  stage.at_most(name, "deepest, m", std::max(0.0, walk.statistics.max_penetration), 1e-9, "1e-6");
  stage.at_most(name, "residual of any solve, relative", walk.statistics.worst_residual, 1e-8);
}

void add_row(Table& table, const char* name, const Walk& walk) {
  const Spread contacts = spread(walk.contacts), pivots = spread(walk.pivots);
  table.rows.push_back({name, walk.seconds(), walk.spent.contact, walk.spent.collision,
                        fmt::format("{:g}/{:g}/{:.2g}/{:.2g}", contacts.least, contacts.most,
                                    contacts.mean, contacts.sigma),
                        fmt::format("{:.3g}, {:g}", pivots.mean, pivots.most),
                        static_cast<double>(walk.statistics.switches),
                        static_cast<double>(walk.statistics.fallbacks),
                        walk.end.x() - walk.start.x(), walk.end.y() - walk.start.y(), walk.yaw,
                        walk.ended.empty() ? Cell("ran") : Cell(walk.ended)});
}

void draw_walk(const Stage& stage, const std::string& title, const Walk& walk) {
  stage.draw(chart_svg({"Fig. 2: " + title + ", side view",
                        "x, m",
                        "z of the base and of the feet's centres, m",
                        false,
                        {walk.paths.begin(), walk.paths.end()}}));
}

// One after the other, so that nothing but what else the machine does comes between them.
void pair(const Stage& stage, const Walk& ours, const char* our_name, const Walk& theirs,
          const char* their_name, double published) {
  Table table{
      "the whole run",
      {"model, solver", "s", "contact, s", "collision, s", "contacts min/max/mean/σ",
       "pivots mean, most", "switches", "fallbacks", "forward, m", "aside, m", "yaw, rad", "end"},
      {}};
  add_row(table, our_name, ours);
  add_row(table, their_name, theirs);
  stage.show(table);
  const double steps =
      static_cast<double>(theirs.contacts.size()) / static_cast<double>(ours.contacts.size());
  stage.show({"the second over the first, by steps",
              {"contact times", "run times", "published run times", "published contacts"},
              {{theirs.spent.contact / ours.spent.contact / steps,
                theirs.seconds() / ours.seconds() / steps, published, "1/30/6/8"}}});
}

Scenario load_walk(const Stage& stage, const char* name) {
  Scenario scenario = stage.load(name);
  if (stage.quick) scenario.duration = 1.5;
  return scenario;
}

// Least energy over cones is not Coulomb's law: with a friction of 100 feet may lift to lose more.
// The robot drifts, and falls, so what becomes of it is a row and no check.
void no_slip_walk(const Stage& stage) {
  Scenario scenario = load_walk(stage, "links_terrain");
  scenario.contact.solver = "ppm";
  const Walk ours = walk(scenario);
  scenario.contact.model = "drumwright-shell";
  scenario.contact.solver = {};
  for (Surface& surface : scenario.model.surfaces) surface.friction = 100.0;
  const Walk theirs = walk(scenario);
  stands(stage, "no-slip", ours);
  const Vector3d way = ours.end - ours.start;
  // Half a second goes by until it stands and walks.
  stage.at_least("no-slip", "forward, m", way.x(), stage.quick ? 0.03 : 0.30);
  stage.at_most("no-slip", "aside, m", std::abs(way.y()), 0.05);
  stage.at_most("no-slip", "yaw, rad", ours.yaw, 0.5);
  stage.at_least("no-slip", "lowest base after 1 s, m", ours.lowest, 0.10);
  stage.at_most("no-slip", "highest base after 1 s, m", ours.highest, 0.16);
  stage.at_most("no-slip", "slip of a contact that carries force, m/s", ours.statistics.worst_slip,
                1e-10);
  draw_walk(stage, "no slip", ours);
  pair(stage, ours, "no-slip, ppm", theirs, "drumwright-shell, mu 100", 1.379);
}

void viscous_walk(const Stage& stage) {
  Scenario scenario = load_walk(stage, "links_viscous");
  scenario.contact.solver = "ppm";
  const Walk ours = walk(scenario);
  scenario.contact.solver = "lemke";
  const Walk theirs = walk(scenario);
  stands(stage, "ppm", ours);
  stands(stage, "lemke", theirs);
  stage.at_most("ppm, lemke", "bases apart at the end, m", (ours.end - theirs.end).norm(), 1e-3);
  draw_walk(stage, "viscous friction", ours);
  pair(stage, ours, "viscous, ppm", theirs, "viscous, lemke", 1.372);
}

}  // namespace

extern const Experiment kQuadrupedNoSlip{
    "quadruped-no-slip",
    "a robot on a terrain map without slip, two models (Drumwright 2015, Table II)",
    {no_slip_walk},
    "examples/quadruped"};
extern const Experiment kQuadrupedViscous{
    "quadruped-viscous",
    "the same with viscous friction, two solvers (Drumwright 2015, Table III)",
    {viscous_walk},
    "examples/quadruped"};

}  // namespace pequod::app
