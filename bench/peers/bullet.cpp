// Bullet, in double precision. Settings: iterations, 10 unless given.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "bench/peers/engine.h"

namespace peers {
namespace {

static_assert(sizeof(btScalar) == sizeof(double));

btVector3 to(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion to(const Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Vector3d from(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quaterniond from(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

std::unique_ptr<btCollisionShape> make_shape(const Shape& shape) {
  if (const Ball* ball = std::get_if<Ball>(&shape))
    return std::make_unique<btSphereShape>(ball->radius);
  return std::make_unique<btBoxShape>(to(std::get<Box>(shape).half));
}

class Bullet : public Engine {
 public:
  Bullet(const Scene& scene, Settings settings)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.getSolverInfo().m_numIterations =
        static_cast<int>(take_number(settings, "iterations", 10.0));
    refuse_others(settings);
    world_.setGravity({0.0, 0.0, -scene.gravity});
    for (const Plane& plane : scene.planes)
      add(0.0, std::make_unique<btStaticPlaneShape>(to(plane.normal), plane.offset),
          Vector3d::Zero(), Pose());
    if (scene.robot) {
      add_robot();
      return;
    }
    for (const Body& body : scene.bodies)
      bodies_.push_back(add(body.mass, make_shape(body.shape), body.inertia, body.start));
  }
  ~Bullet() override {
    if (robot_) world_.removeMultiBody(robot_.get());
    for (const auto& foot : feet_) world_.removeCollisionObject(foot.get());
    for (const auto& body : owned_) world_.removeRigidBody(body.get());
  }

  void step(double t) override {
    if (robot_) drive(t);
    world_.stepSimulation(scene_.step, 0);
  }

  bool accelerate() override {
    // Each angle that is set turns its link; a step of no length leaves velocities as they are.
    for (int k = 0; k < joints(); ++k) robot_->setJointPos(k, robot_->getJointPos(k));
    robot_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.0, scratch_r_, scratch_v_,
                                                                 scratch_m_, false, false, false);
    return true;
  }

  void read_poses(std::vector<Pose>& poses) override {
    if (!robot_) {
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const btTransform& X = bodies_[i]->getWorldTransform();
        poses[i] = {from(X.getOrigin()), from(X.getRotation())};
      }
      return;
    }
    // Its links have their frames at the centre of mass.
    const Quaterniond base = from(robot_->getWorldToBaseRot()).conjugate();
    poses[0] = {from(robot_->getBasePos()) - base * scene_.bodies[0].com, base};
    for (int k = 0; k < joints(); ++k) {
      const auto i = static_cast<std::size_t>(k) + 1;
      btQuaternion q;
      robot_->localFrameToWorld(k, btMatrix3x3::getIdentity()).getRotation(q);
      poses[i] = {from(robot_->localPosToWorld(k, to(-scene_.bodies[i].com))), from(q)};
    }
  }

 private:
  btRigidBody* add(double mass, std::unique_ptr<btCollisionShape> shape, const Vector3d& inertia,
                   const Pose& start) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), to(inertia));
    info.m_startWorldTransform = btTransform(to(start.q), to(start.p));
    info.m_friction = own_friction();
    shapes_.push_back(std::move(shape));
    owned_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody* body = owned_.back().get();
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body);
    return body;
  }

  [[nodiscard]] int joints() const { return static_cast<int>(scene_.motors.size()); }

  /// Bullet multiplies those of the two bodies.
  [[nodiscard]] double own_friction() const { return std::sqrt(scene_.friction); }

  void add_robot() {
    const std::vector<Body>& links = scene_.bodies;
    const Body& base = links[0];
    robot_ = std::make_unique<btMultiBody>(joints(), base.mass, to(base.inertia), false, false);
    for (int k = 0; k < joints(); ++k) {
      const Body& link = links[static_cast<std::size_t>(k) + 1];
      const Body& parent = at(links, link.hinge.parent);
      robot_->setupRevolute(k, link.mass, to(link.inertia), link.hinge.parent - 1,
                            btQuaternion::getIdentity(), to(link.hinge.axis),
                            to(link.hinge.p_PJ - parent.com), to(link.com), true);
    }
    robot_->finalizeMultiDof();
    robot_->setCanSleep(false);
    robot_->setHasSelfCollision(false);
    // It would slow links down by a twentieth a second.
    robot_->setLinearDamping(0.0);
    robot_->setAngularDamping(0.0);
    robot_->setBasePos(to(base.start * base.com));
    robot_->setWorldToBaseRot(to(base.start.q.conjugate()));
    for (int k = 0; k < joints(); ++k) robot_->setJointPos(k, at(scene_.motors.angles, k));
    world_.addMultiBody(robot_.get());
    for (int k = 0; k < joints(); ++k) add_foot(k);
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> places;
    robot_->forwardKinematics(rotations, places);
    robot_->updateCollisionObjectWorldTransforms(rotations, places);
  }

  void add_foot(int k) {
    const Body& link = scene_.bodies[static_cast<std::size_t>(k) + 1];
    if (!std::holds_alternative<Ball>(link.shape)) return;
    auto offset = std::make_unique<btCompoundShape>();
    shapes_.push_back(make_shape(link.shape));
    offset->addChildShape(btTransform(btQuaternion::getIdentity(), to(link.p_BS - link.com)),
                          shapes_.back().get());
    feet_.push_back(std::make_unique<btMultiBodyLinkCollider>(robot_.get(), k));
    feet_.back()->setCollisionShape(offset.get());
    feet_.back()->setFriction(own_friction());
    shapes_.push_back(std::move(offset));
    // By default it would be taken for something static.
    world_.addCollisionObject(feet_.back().get(), btBroadphaseProxy::DefaultFilter,
                              btBroadphaseProxy::AllFilter);
    robot_->getLink(k).m_collider = feet_.back().get();
  }

  void drive(double t) {
    for (int k = 0; k < joints(); ++k) {
      at(q_, k) = robot_->getJointPos(k);
      at(v_, k) = robot_->getJointVel(k);
    }
    scene_.motors.efforts(t, q_, v_, tau_);
    for (int k = 0; k < joints(); ++k) robot_->addJointTorque(k, at(tau_, k));
  }

  Scene scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> owned_;
  std::vector<btRigidBody*> bodies_;  // of the scene, without planes
  std::unique_ptr<btMultiBody> robot_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> feet_;
  Joints q_ = Joints(scene_.motors.size()), v_ = q_, tau_ = q_;
  btAlignedObjectArray<double> scratch_r_;
  btAlignedObjectArray<btVector3> scratch_v_;
  btAlignedObjectArray<btMatrix3x3> scratch_m_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&,
                                    const Settings& settings) {
  return std::make_unique<Bullet>(scene, settings);
}

}  // namespace peers
