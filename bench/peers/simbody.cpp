// Simbody: balls that give way (Hunt and Crossley 1975) on half spaces, Runge-Kutta-Merson with
// error control. Settings: accuracy of the integrator (1e-3), stiffness (Pa) and dissipation (s/m)
// of what touches.
#include <Simbody.h>

#include "bench/peers/engine.h"

namespace peers {
namespace {

using SimTK::MobilizedBody;
using SimTK::Vec3;

Vec3 to(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
SimTK::Rotation to(const Quaterniond& q) {
  return SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
}
/// Frame at a place whose z axis points along the given one: that of a pin.
SimTK::Transform frame(const Vector3d& place, const Vector3d& axis) {
  return {SimTK::Rotation(SimTK::UnitVec3(to(axis)), SimTK::ZAxis), to(place)};
}

class Simbody : public Engine {
 public:
  Simbody(const Scene& scene, Settings settings)
      : scene_(scene),
        matter_(system_),
        forces_(system_),
        tracker_(system_),
        contacts_(system_, tracker_),
        efforts_(forces_, matter_),
        integrator_(system_) {
    if (!scene.robot) throw std::invalid_argument("Simbody has robots only here");
    integrator_.setAccuracy(take_number(settings, "accuracy", 1e-3));
    const double stiffness = take_number(settings, "stiffness", 1e7);
    const double dissipation = take_number(settings, "dissipation", 1.0);
    SimTK::Force::Gravity(forces_, matter_, Vec3(0, 0, -scene.gravity));
    // Below this slip friction is viscous.
    contacts_.setTransitionVelocity(take_number(settings, "transition", 0.01));
    refuse_others(settings);
    const SimTK::ContactMaterial material(stiffness, dissipation, scene.friction, scene.friction);
    for (const Plane& plane : scene.planes) add(plane, material);
    for (const Body& body : scene.bodies) add(body, material);
    start();
  }

  void step(double t) override {
    SimTK::State& state = integrator_.updAdvancedState();
    for (std::size_t k = 0; k < q_.size(); ++k) {
      q_[k] = pins_[k].getAngle(state);
      v_[k] = pins_[k].getRate(state);
    }
    scene_.motors.efforts(t, q_, v_, tau_);
    for (std::size_t k = 0; k < q_.size(); ++k)
      efforts_.setOneMobilityForce(state, pins_[k], SimTK::MobilizerUIndex(0), tau_[k]);
    integrator_.reinitialize(SimTK::Stage::Dynamics, false);
    // What is scheduled ends a step; what is only reported is interpolated.
    const double end = t + scene_.step;
    while (integrator_.getAdvancedTime() < end) integrator_.stepTo(end, end);
  }

  void read_poses(std::vector<Pose>& poses) override {
    const SimTK::State& state = integrator_.getAdvancedState();
    system_.realize(state, SimTK::Stage::Position);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const SimTK::Transform& X = bodies_[i].getBodyTransform(state);
      const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
      poses[i] = {{X.p()[0], X.p()[1], X.p()[2]}, {q[0], q[1], q[2], q[3]}};
    }
  }

  bool accelerate() override {
    SimTK::State& state = integrator_.updAdvancedState();
    state.invalidateAllCacheAtOrAbove(SimTK::Stage::Position);
    system_.realize(state, SimTK::Stage::Acceleration);
    return true;
  }

 private:
  void add(const Plane& plane, const SimTK::ContactMaterial& material) {
    // Its half spaces are solid where x > 0.
    const SimTK::Rotation turn(SimTK::UnitVec3(to(-plane.normal)), SimTK::XAxis);
    matter_.Ground().updBody().addContactSurface(
        SimTK::Transform(turn, to(plane.offset * plane.normal)),
        SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
  }

  void add(const Body& from, const SimTK::ContactMaterial& material) {
    const SimTK::Inertia about_com(to(from.inertia));
    SimTK::Body::Rigid body(SimTK::MassProperties(
        from.mass, to(from.com), about_com.shiftFromMassCenter(to(from.com), from.mass)));
    if (const Ball* ball = std::get_if<Ball>(&from.shape))
      body.addContactSurface(
          to(from.p_BS),
          SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(ball->radius), material));
    if (from.hinge.parent < 0) {
      bodies_.push_back(MobilizedBody::Free(matter_.updGround(), body));
      return;
    }
    MobilizedBody& parent = at(bodies_, from.hinge.parent);
    pins_.push_back(MobilizedBody::Pin(parent, frame(from.hinge.p_PJ, from.hinge.axis), body,
                                       frame(Vector3d::Zero(), from.hinge.axis)));
    bodies_.push_back(pins_.back());
  }

  void start() {
    SimTK::State state = system_.realizeTopology();
    const Pose& base = scene_.bodies.front().start;
    bodies_.front().setQToFitTransform(state, SimTK::Transform(to(base.q), to(base.p)));
    for (std::size_t k = 0; k < pins_.size(); ++k)
      pins_[k].setAngle(state, scene_.motors.angles[k]);
    integrator_.initialize(state);
  }

  Scene scene_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::ContactTrackerSubsystem tracker_;
  SimTK::CompliantContactSubsystem contacts_;
  SimTK::Force::DiscreteForces efforts_;
  SimTK::RungeKuttaMersonIntegrator integrator_;
  std::vector<MobilizedBody> bodies_;
  std::vector<MobilizedBody::Pin> pins_;
  Joints q_ = Joints(scene_.motors.size()), v_ = q_, tau_ = q_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&,
                                    const Settings& settings) {
  return std::make_unique<Simbody>(scene, settings);
}

}  // namespace peers
