// Pequod. Settings are keys of its scenes: contact.scheme=time-stepping.
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "bench/peers/engine.h"
#include "core/dynamics.h"
#include "scene/scene.h"
#include "simulation/simulation.h"

namespace peers {
namespace {

pequod::Scenario load(const std::string& path, const Settings& settings) {
  pequod::SceneOptions options;
  options.overrides.assign(settings.begin(), settings.end());
  // What is recorded and when a run ends is for this program to say.
  options.overrides.emplace_back("record.every", "1e6");
  options.overrides.emplace_back("duration", "1e6");
  pequod::Diagnostics diagnostics;
  const std::filesystem::path scene = std::filesystem::path(path).replace_extension(".yaml");
  pequod::Scenario scenario = pequod::load_scene(scene, options, diagnostics);
  if (!diagnostics.ok()) throw std::runtime_error(diagnostics.text());
  return scenario;
}

/// Index of the link that carries a body of the scene.
int find_link(const pequod::Model& model, const std::string& name) {
  for (const pequod::Frame& frame : model.frames)
    if (frame.name == name || frame.name == "robot/" + name) return frame.link;
  throw std::runtime_error("Pequod's scene has no body " + name);
}

class Pequod : public Engine {
 public:
  Pequod(const Scene& scene, const std::string& path, const Settings& settings)
      : motors_(scene.motors), step_(scene.step), scenario_(load(path, settings)) {
    for (const Body& body : scene.bodies) links_.push_back(find_link(scenario_.model, body.name));
    if (scene.robot) scenario_.controllers.push_back(make_controller());
    run_.emplace(scenario_);
  }

  void step(double t) override {
    // Events cut a step of the scene into parts.
    while (run_->state().t < t + step_ * (1.0 - 1e-6))
      if (!run_->step()) throw std::runtime_error("the run has ended");
  }

  bool accelerate() override {
    const pequod::Model& model = scenario_.model;
    compute_kinematics(model, run_->state().q, run_->state().v, kin_);
    compute_mass_matrix(model, kin_, M_);
    factor_mass_matrix(model, kin_, M_, factor_);
    bias_force(model, kin_, vdot_);
    vdot_ = -vdot_;
    for (std::size_t k = 0; k < tau_.size(); ++k) vdot_[joint_of(k).v_index] += tau_[k];
    factor_.solve(model, vdot_);
    return true;
  }

  void read_poses(std::vector<Pose>& poses) override {
    // Not by the run's own kinematics: the next step would find them ready.
    compute_poses(scenario_.model, run_->state().q, X_WL_);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const pequod::Pose& X_WL = nth(X_WL_, links_[i]);
      poses[i] = {X_WL.p, Quaterniond(X_WL.R)};
    }
  }

 private:
  [[nodiscard]] pequod::Controller make_controller() {
    pequod::Controller controller;
    controller.name = "robot.motors";
    controller.entity = scenario_.model.frames.at(1).entity;
    controller.period = step_;
    controller.initialise = [](const pequod::ControlInput&, std::span<double>) {};
    controller.update = [this](const pequod::ControlInput& input, std::span<double>,
                               pequod::VectorXd& tau) {
      for (std::size_t k = 0; k < q_.size(); ++k) {
        const pequod::Joint& joint = joint_of(k);
        q_[k] = input.state.q[joint.q_index];
        v_[k] = input.state.v[joint.v_index];
      }
      motors_.efforts(input.state.t, q_, v_, tau_);
      for (std::size_t k = 0; k < q_.size(); ++k) tau[joint_of(k).v_index] = tau_[k];
    };
    return controller;
  }

  [[nodiscard]] const pequod::Joint& joint_of(std::size_t k) const {
    return nth(scenario_.model.links, links_[k + 1]).joint;
  }

  Motors motors_;
  double step_;  // s
  pequod::Scenario scenario_;
  std::vector<int> links_;  // of the scene's bodies
  std::vector<pequod::Pose> X_WL_;
  std::optional<pequod::Simulation> run_;
  Joints q_ = Joints(motors_.size()), v_ = q_, tau_ = q_;
  pequod::Kinematics kin_;
  pequod::MassMatrix M_;
  pequod::MassFactor factor_;
  pequod::VectorXd vdot_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& path,
                                    const Settings& settings) {
  return std::make_unique<Pequod>(scene, path, settings);
}

}  // namespace peers
