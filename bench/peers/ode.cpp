// ODE. Settings: step=quick (dWorldQuickStep, the default) or step=world (dWorldStep), and
// iterations of the former.
#include <ode/ode.h>

#include "bench/peers/engine.h"

namespace peers {
namespace {

Vector3d vector(const dReal* v) { return {v[0], v[1], v[2]}; }
Quaterniond quaternion(const dReal* q) { return {q[0], q[1], q[2], q[3]}; }

class Ode : public Engine {
 public:
  Ode(const Scene& scene, Settings settings)
      : scene_(scene),
        world_(make_world()),
        space_(dHashSpaceCreate(nullptr)),
        touching_(dJointGroupCreate(0)) {
    if (const auto found = settings.find("step"); found != settings.end()) {
      quick_ = found->second == "quick";
      if (!quick_ && found->second != "world")
        throw std::invalid_argument("step is quick or world");
      settings.erase(found);
    }
    dWorldSetQuickStepNumIterations(world_,
                                    static_cast<int>(take_number(settings, "iterations", 20.0)));
    refuse_others(settings);
    dWorldSetGravity(world_, 0.0, 0.0, -scene.gravity);
    // Cells from 3 cm on: the range that it starts with has none as small as the bodies here.
    dHashSpaceSetLevels(space_, -5, 3);
    for (const Plane& plane : scene.planes)
      dCreatePlane(space_, plane.normal.x(), plane.normal.y(), plane.normal.z(), plane.offset);
    for (const Body& body : scene.bodies) add(body);
  }
  ~Ode() override {
    dJointGroupDestroy(touching_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step(double t) override {
    if (scene_.robot) drive(t);
    dSpaceCollide(space_, this, &touch);
    (quick_ ? dWorldQuickStep : dWorldStep)(world_, scene_.step);
    dJointGroupEmpty(touching_);
  }

  void read_poses(std::vector<Pose>& poses) override {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Quaterniond q = quaternion(dBodyGetQuaternion(bodies_[i]));
      // Its bodies have their frames at the centre of mass.
      poses[i] = {vector(dBodyGetPosition(bodies_[i])) - q * scene_.bodies[i].com, q};
    }
  }

 private:
  static dWorldID make_world() {
    dInitODE2(0);
    return dWorldCreate();
  }

  void add(const Body& from) {
    dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, from.mass, 0.0, 0.0, 0.0, from.inertia.x(), from.inertia.y(),
                       from.inertia.z(), 0.0, 0.0, 0.0);
    dBodySetMass(body, &mass);
    const Vector3d p = from.start * from.com;
    const Quaterniond& q = from.start.q;
    dBodySetPosition(body, p.x(), p.y(), p.z());
    const dQuaternion turned = {q.w(), q.x(), q.y(), q.z()};
    dBodySetQuaternion(body, turned);
    if (const Ball* ball = std::get_if<Ball>(&from.shape))
      add(body, dCreateSphere(space_, ball->radius), from.p_BS - from.com);
    if (const Box* box = std::get_if<Box>(&from.shape)) {
      const Vector3d size = 2.0 * box->half;
      add(body, dCreateBox(space_, size.x(), size.y(), size.z()), from.p_BS - from.com);
    }
    if (from.hinge.parent >= 0) add_hinge(body, from);
    bodies_.push_back(body);
  }

  static void add(dBodyID body, dGeomID geometry, const Vector3d& offset) {
    dGeomSetBody(geometry, body);
    if (!offset.isZero()) dGeomSetOffsetPosition(geometry, offset.x(), offset.y(), offset.z());
  }

  void add_hinge(dBodyID body, const Body& from) {
    dJointID hinge = dJointCreateHinge(world_, nullptr);
    dJointAttach(hinge, body, at(bodies_, from.hinge.parent));
    const Vector3d axis = from.start.q * from.hinge.axis;
    dJointSetHingeAnchor(hinge, from.start.p.x(), from.start.p.y(), from.start.p.z());
    dJointSetHingeAxis(hinge, axis.x(), axis.y(), axis.z());
    hinges_.push_back(hinge);
  }

  void drive(double t) {
    for (std::size_t k = 0; k < q_.size(); ++k) {
      // A hinge counts its angle from where it is made.
      q_[k] = scene_.motors.angles[k] + dJointGetHingeAngle(hinges_[k]);
      v_[k] = dJointGetHingeAngleRate(hinges_[k]);
    }
    scene_.motors.efforts(t, q_, v_, tau_);
    for (std::size_t k = 0; k < q_.size(); ++k) dJointAddHingeTorque(hinges_[k], tau_[k]);
  }

  static void touch(void* self, dGeomID a, dGeomID b) {
    const Ode& ode = *static_cast<Ode*>(self);
    constexpr int kMost = 8;  // points of two boxes
    dContact contacts[kMost];
    const int count = dCollide(a, b, kMost, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contacts[i].surface.mode = dContactApprox1;  // friction that grows with the normal force
      contacts[i].surface.mu = ode.scene_.friction;
      dJointID joint = dJointCreateContact(ode.world_, ode.touching_, &contacts[i]);
      dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  Scene scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID touching_;
  bool quick_ = true;
  std::vector<dBodyID> bodies_;
  std::vector<dJointID> hinges_;
  Joints q_ = Joints(scene_.motors.size()), v_ = q_, tau_ = q_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&,
                                    const Settings& settings) {
  return std::make_unique<Ode>(scene, settings);
}

}  // namespace peers
