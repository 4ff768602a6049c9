// DART, with its own collision detector. It has no settings here.
#include <dart/dart.hpp>

#include "bench/peers/engine.h"

namespace peers {
namespace {

using namespace dart::dynamics;

ShapePtr make_shape(const Shape& shape) {
  if (const Ball* ball = std::get_if<Ball>(&shape))
    return std::make_shared<SphereShape>(ball->radius);
  return std::make_shared<BoxShape>(2.0 * std::get<Box>(shape).half);
}

Eigen::Isometry3d transform(const Pose& pose) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = pose.q.toRotationMatrix();
  X.translation() = pose.p;
  return X;
}

class Dart : public Engine {
 public:
  Dart(const Scene& scene, const Settings& settings)
      : scene_(scene), world_(dart::simulation::World::create()) {
    refuse_others(settings);
    world_->setGravity({0.0, 0.0, -scene.gravity});
    world_->setTimeStep(scene.step);
    dart::constraint::ConstraintSolver& solver = *world_->getConstraintSolver();
    // The default one sees balls and boxes as meshes of triangles.
    solver.setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    solver.getCollisionOption().maxNumContacts = 100000;  // by default 1000
    for (const Plane& plane : scene.planes) add(plane);
    for (const Body& body : scene.bodies) add(body);
    for (const SkeletonPtr& skeleton : skeletons_) world_->addSkeleton(skeleton);
  }

  void step(double t) override {
    if (scene_.robot) drive(t);
    world_->step(true);
  }

  bool accelerate() override {
    // Whoever sets a position finds everything else out of date.
    Skeleton& skeleton = *skeletons_.front();
    skeleton.setPositions(skeleton.getPositions());
    skeleton.computeForwardDynamics();
    return true;
  }

  void read_poses(std::vector<Pose>& poses) override {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Eigen::Isometry3d& X = bodies_[i]->getWorldTransform();
      poses[i] = {X.translation(), Quaterniond(X.linear())};
    }
  }

 private:
  void give(BodyNode& node, const ShapePtr& shape, const Vector3d& place) {
    ShapeNode* shape_node = node.createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    shape_node->setRelativeTranslation(place);
    shape_node->getDynamicsAspect()->setFrictionCoeff(scene_.friction);
  }

  /// Its own detector knows no planes: a slab takes the place of one.
  void add(const Plane& plane) {
    constexpr double kWide = 100.0, kThick = 1.0;  // m
    const SkeletonPtr skeleton =
        Skeleton::create("plane_" + std::to_string(world_->getNumSkeletons()));
    const auto [joint, node] = skeleton->createJointAndBodyNodePair<WeldJoint>();
    joint->setTransformFromParentBodyNode(
        transform({(plane.offset - 0.5 * kThick) * plane.normal,
                   Quaterniond::FromTwoVectors(Vector3d::UnitZ(), plane.normal)}));
    give(*node, std::make_shared<BoxShape>(Vector3d(kWide, kWide, kThick)), Vector3d::Zero());
    skeleton->setMobile(false);
    world_->addSkeleton(skeleton);
  }

  void add(const Body& body) {
    const BodyNode::AspectProperties named(body.name);  // two of one name make it print a line
    if (body.hinge.parent >= 0) {
      RevoluteJoint::Properties properties;
      properties.mName = body.name;
      properties.mAxis = body.hinge.axis;
      properties.mT_ParentBodyToJoint.translation() = body.hinge.p_PJ;
      BodyNode* parent = at(bodies_, body.hinge.parent);
      const auto [joint, node] =
          parent->createChildJointAndBodyNodePair<RevoluteJoint>(properties, named);
      joint->setPosition(0, scene_.motors.angles[joints_.size()]);
      joints_.push_back(joint);
      bodies_.push_back(node);
    } else {
      const SkeletonPtr skeleton = Skeleton::create(body.name);
      skeleton->disableSelfCollisionCheck();
      const auto [joint, node] =
          skeleton->createJointAndBodyNodePair<FreeJoint>(nullptr, FreeJoint::Properties(), named);
      joint->setTransform(transform(body.start));
      skeletons_.push_back(skeleton);
      bodies_.push_back(node);
    }
    BodyNode& node = *bodies_.back();
    node.setInertia(Inertia(body.mass, body.com, body.inertia.asDiagonal()));
    if (!std::holds_alternative<std::monostate>(body.shape))
      give(node, make_shape(body.shape), body.p_BS);
  }

  void drive(double t) {
    for (std::size_t k = 0; k < q_.size(); ++k) {
      q_[k] = joints_[k]->getPosition(0);
      v_[k] = joints_[k]->getVelocity(0);
    }
    scene_.motors.efforts(t, q_, v_, tau_);
    for (std::size_t k = 0; k < q_.size(); ++k) joints_[k]->setForce(0, tau_[k]);
  }

  Scene scene_;
  dart::simulation::WorldPtr world_;
  std::vector<SkeletonPtr> skeletons_;
  std::vector<BodyNode*> bodies_;
  std::vector<RevoluteJoint*> joints_;
  Joints q_ = Joints(scene_.motors.size()), v_ = q_, tau_ = q_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&,
                                    const Settings& settings) {
  return std::make_unique<Dart>(scene, settings);
}

}  // namespace peers
