#include "scene/choices.h"
#include "scene/field.h"

namespace pequod {
namespace {

Field position(const std::string& description) {
  return numbers("position", 3, 3, "m", "[0, 0, 0]", description);
}

Field orientation() {
  return one_of("orientation", "Turns the frame; identity if absent.",
                {numbers("rpy", 3, 3, "rad", "",
                         "Roll, pitch, yaw about the fixed x, y, z axes, in that order."),
                 numbers("quaternion", 4, 4, "", "",
                         "[w, x, y, z]; its length must be 1 to 1e-3 and is made 1.")});
}

std::vector<Field> shape_fields() {
  const Field radius = number("radius", "m", "", "Radius.").positive().needed();
  const Field length = number("length", "m", "", "Length along z.").positive().needed();
  const Field source = file("file", "STL, OBJ, DAE or glTF file.");
  const Field scale = either("scale", "1", "Factor on the file's coordinates.",
                             {number("", "", "", "Factor.").positive(),
                              numbers("", 3, 3, "", "", "Factor along x, y, z.")});
  return {
      mapping(
          "plane", "Half space, solid below; only on a fixed body.",
          {numbers("normal", 3, 3, "", "[0, 0, 1]", "Points out of the solid; any length."),
           number("offset", "m", "0", "The surface is normal · x = offset, normal of length 1.")}),
      mapping("sphere", "Ball about the frame's origin.", {radius}),
      mapping("box", "Box about the frame's origin.",
              {numbers("size", 3, 3, "m", "", "Full edge lengths.").positive().needed()}),
      mapping("capsule", "Cylinder along z with half balls at its ends.",
              {radius, number("length", "m", "", "Between the centres of the half balls.")
                           .positive()
                           .needed()}),
      mapping("cylinder", "Cylinder along z.", {radius, length}),
      mapping("cone", "Cone with its tip at +z.", {radius, length}),
      mapping("convex", "Convex hull of points or of a mesh file; give one of the two.",
              {list("points", "Points of the hull, four or more, not in one plane.",
                    numbers("", 3, 3, "m", "", "x, y, z")),
               source, scale}),
      mapping("mesh", "Triangle mesh as it is, not its hull.", {source.needed(), scale}),
      mapping("heightfield", "Heights over a rectangle, solid below; only on a fixed body.",
              {file("file", "Text: rows, columns, then the heights row by row.").needed(),
               numbers("size", 2, 2, "m", "", "Extent along x (rows) and y (columns), centred.")
                   .positive()
                   .needed(),
               number("height", "", "1", "Factor on the file's heights, which are in m.")}),
  };
}

Field shape(const std::string& description) { return one_of("shape", description, shape_fields()); }

Field shapes() {
  return list("shapes", "Several shapes, each at its own place in the body's frame.",
              mapping("", "One of them.",
                      {shape("The shape.").needed(), position("Of the shape in the body's frame."),
                       orientation()}));
}

Field inertia() {
  const auto moment = [](const char* key) {
    return number(key, "kg m²", "", "Moment of inertia.").at_least(0.0).needed();
  };
  const auto product = [](const char* key) {
    return number(key, "kg m²", "0", "Entry of the matrix, its minus sign included.");
  };
  return mapping("inertia",
                 "About the centre of mass, in the body's axes; from shape and mass unless given.",
                 {moment("ixx"), moment("iyy"), moment("izz"), product("ixy"), product("ixz"),
                  product("iyz")});
}

Field centre_of_mass() {
  return numbers("com", 3, 3, "m", "from the shape",
                 "Centre of mass in the body's frame; the origin for one primitive shape.");
}

Field velocity(const std::string& description) {
  return numbers("velocity", 3, 3, "m/s", "[0, 0, 0]", description);
}

Field angular_velocity() {
  return numbers("angular_velocity", 3, 3, "rad/s", "[0, 0, 0]", "World axes.");
}

Field body() {
  return mapping("", "A rigid body: free unless fixed.",
                 {boolean("fixed", "false", "Never moves."),
                  number("mass", "kg", "", "Needed unless fixed.").positive(),
                  shape("Collision shape, its frame at the centre of mass if it is a primitive."),
                  shapes(), position("Of the frame in the world."), orientation(),
                  velocity("Of the frame's origin, world axes."), angular_velocity(), inertia(),
                  centre_of_mass()});
}

Field yaml_joint() {
  return mapping(
      "joint", "Ties the link to its parent; the base link has none.",
      {text("name", "the link's name", "Name of the joint."),
       text("parent", "", "Name of the link it hangs on.").needed(),
       choice("type", {"revolute", "continuous", "prismatic", "spherical", "fixed"}, "revolute",
              "continuous is revolute without limits."),
       position("Of the joint, and of the link's frame at rest, in the parent's frame."),
       orientation(), numbers("axis", 3, 3, "", "[1, 0, 0]", "In the joint's frame; any length."),
       numbers("limits", 2, 2, "rad or m", "none", "Lowest and highest position."),
       number("effort", "N·m or N", "no limit", "Largest actuator effort.").at_least(0.0),
       number("friction", "N·m or N", "0",
              "Coulomb friction: holds the joint up to this effort, else opposes its motion with "
              "it. Not for spherical joints.")
           .at_least(0.0),
       number("damping", "N·m·s/rad or N·s/m", "0", "Viscous damping.").at_least(0.0),
       number("armature", "kg m² or kg", "0", "Inertia of the motor, seen at the joint.")
           .at_least(0.0)});
}

Field link() {
  return mapping("", "A link of a robot described here.",
                 {number("mass", "kg", "0", "Mass.").positive(), inertia(), centre_of_mass(),
                  shape("Collision shape."), shapes(), yaml_joint()});
}

Field base() {
  return mapping(
      "base", "Where the robot starts.",
      {numbers(
           "position", 2, 3, "m", "[0, 0]",
           "Of the base link; without z the lowest collision point of a floating robot touches the "
           "ground, and a fixed base is at z = 0."),
       orientation(), boolean("fixed", "false", "Pins the base link to the world."),
       velocity("Of the base link's origin, world axes."), angular_velocity()});
}

Field joint_start() {
  return named(
      "joints", "Start of the joints by name or glob; an exact name beats a glob, else the last.",
      either(
          "", "0", "Position, or more about the joint.",
          {number("", "rad or m", "0", "Position."),
           mapping(
               "", "Start and properties; they replace those of the URDF.",
               {number("position", "rad or m", "0", "Start position."),
                number("velocity", "rad/s or m/s", "0", "Start velocity."),
                number("friction", "N·m or N", "from the URDF",
                       "Coulomb friction: holds the joint up to this effort, else opposes its "
                       "motion with it. Not for spherical joints.")
                    .at_least(0.0),
                number("viscous", "N·m·s/rad or N·s/m", "0",
                       "Viscous friction, added to the damping.")
                    .at_least(0.0),
                number("damping", "N·m·s/rad or N·s/m", "from the URDF", "Viscous damping.")
                    .at_least(0.0),
                number("armature", "kg m² or kg", "0", "Inertia of the motor.").at_least(0.0)})}));
}

Field period() {
  return number("period", "s", "0.001", "Time between two calls; efforts are held in between.")
      .positive();
}

Field command(const std::string& fallback) {
  return numbers("velocity", 3, 3, "m/s, m/s, rad/s", fallback,
                 "Forward, left and yaw rate, in the base frame.");
}

Field gain(const std::string& key, const std::string& unit, const std::string& fallback,
           const std::string& description) {
  return number(key, unit, fallback, description).at_least(0.0);
}

Field duty(const std::string& fallback) {
  return number("duty", "", fallback, "Fraction of the gait period that a foot stands.")
      .positive()
      .at_most(1.0);
}

Field trot() {
  return mapping(
      "trot",
      "Trot for any quadruped with three joints a leg; feet are found by themselves. No joint is "
      "asked for more than m g z0.",
      {command("[0, 0, 0]"), period(),
       mapping("gait", "Timing of the steps; ω0 = √(g/z0), z0 the height of the centre of mass.",
               {number("period", "s", "3/ω0", "Time of two steps.").positive(), duty("0.6"),
                number("step_height", "m", "0.2 z0", "How high a foot is lifted.").positive(),
                boolean("start_right", "false", "The other diagonal pair swings first.")}),
       mapping(
           "gains", "Dimensionless factors of the recipe.",
           {gain("velocity", "ω0", "1.5", "Horizontal speed."),
            gain("position", "ω0", "0.3", "Horizontal position."),
            gain("height", "ω0²", "2.5", "Height of the centre of mass."),
            gain("height_damping", "ω0", "2.5", "Its damping."),
            gain("tilt", "ω0²", "6", "Roll and pitch."),
            gain("tilt_damping", "ω0", "4", "Their damping."), gain("yaw", "ω0²", "3", "Heading."),
            gain("yaw_damping", "ω0", "2.5", "Its damping."),
            gain("swing", "ω0", "15", "Swing foot on its path."),
            gain("placement", "1/ω0", "0.35", "Foothold against the speed error."),
            gain("leg_damping", "ω0", "0.3", "Joint damping of a standing leg.")}),
       number("cone", "", "0.6", "Friction that the force distribution allows itself.")
           .positive()});
}

Field links_trot() {
  return mapping(
      "links-trot", "Trot of the paper's quadruped: feet follow splines, nothing balances.",
      {command("[0.05, 0, 0]"), period(),
       mapping(
           "gait", "Timing of the steps.",
           {number("period", "s", "0.7", "Time of two steps.").positive(), duty("0.75"),
            numbers("touchdown", 4, 4, "", "[0.25, 0.75, 0.75, 0.25]",
                    "Fraction of the gait period when LF, RF, LH, RH touch down.")
                .at_least(0.0)
                .at_most(1.0),
            number("step_height", "m", "0.015", "How high a foot is lifted.").positive(),
            number("virtual_height", "m", "0.30", "Pendulum of the step placement.").positive()}),
       mapping("gains", "Feedback.",
               {gain("placement", "", "0.5", "Step placement against the speed error."),
                gain("joint_kp", "N·m/rad", "10", "Joint position."),
                gain("joint_kd", "N·m·s/rad", "0.1", "Joint velocity."),
                gain("joint_ki", "N·m/rad a tick", "0.003", "Joint integral."),
                gain("foot_kp", "N/m", "1000", "Foot position."),
                gain("foot_kd", "N·s/m", "10", "Foot velocity."),
                gain("foot_ki", "a tick", "0.01", "Foot integral.")}),
       boolean("pitch_compensation", "false",
               "The original's toggling of the command by the sign of the pitch.")});
}

Field controller() {
  return tagged(
      "controller", "What drives the joints; none: they are free.",
      {trot(), links_trot(),
       mapping("pd", "Holds a posture: τ = kp (target − q) − kd q̇.",
               {period(), gain("kp", "N·m/rad or N/m", "100", "Stiffness."),
                gain("kd", "N·m·s/rad or N·s/m", "2", "Damping."),
                named("target", "Joint positions by name or glob; absent: the start.",
                      number("", "rad or m", "the start position", "Target."))}),
       mapping(
           "torque", "Plays efforts from a table.",
           {period(),
            file("file", "CSV: a header `t, joint, …`, then times in s and efforts.").needed()})});
}

Field robot() {
  return mapping(
      "", "An articulated robot: floating unless its base is fixed.",
      {file("urdf", "URDF file; or give `links`."),
       named("links", "Links described here, in place of a URDF.", link()), base(), joint_start(),
       controller(), boolean("self_collision", "false", "Links collide, but for neighbours."),
       choice("collision", {"hull", "mesh", "none"}, "hull",
              "What a URDF collision mesh stands for: its convex hull, itself, or nothing, so that "
              "only spheres, boxes, cylinders and capsules touch.")});
}

Field surface() {
  return mapping(
      "", "Material of a pair; the first match wins.",
      {tuple("between", "Bodies, robots, robot/link globs or \"*\".",
             {text("", "", "One side."), text("", "", "Other side.")})
           .needed(),
       number("friction", "", "0.5", "Coulomb coefficient μc; may be .inf.")
           .at_least(0.0)
           .or_infinite(),
       number("static_friction", "", "friction",
              "Coulomb coefficient of a contact that sticks, friction or more; only with "
              "coulomb or baraff at the acceleration level. Impulses know friction alone.")
           .at_least(0.0)
           .or_infinite(),
       number("viscous", "N·s/m", "0", "Viscous coefficient μv.").at_least(0.0),
       number("restitution", "", "0", "Coefficient of restitution, 0…1.")
           .at_least(0.0)
           .at_most(1.0)});
}

// One or two triples of numbers: in the frame of the first, and in that of the second.
Field in_both(const std::string& key, const std::string& unit, const std::string& description) {
  Field field = list(key, description, numbers("", 3, 3, unit, "", "x, y, z"));
  field.least = 1;
  field.most = 2;
  return field;
}

Field loop() {
  return mapping(
      "", "A joint that closes a loop of links, beyond those of the tree.",
      {tuple("between", "Two links: a body, robot (its base), robot/link, or world.",
             {text("", "", "The first."), text("", "", "The second.")})
           .needed(),
       choice("type", {"spherical", "revolute", "prismatic", "fixed"}, "revolute",
              "spherical (point, ball, connect): two points coincide; revolute (hinge): two axes; "
              "prismatic (slider): the second's point stays on the first's axis and nothing turns; "
              "fixed (weld)."),
       in_both("points", "m",
               "Where the joint is, in the frame of the first and of the second; without the "
               "latter where the former is at the start. Needed unless fixed."),
       in_both("axes", "",
               "Axis of revolute and prismatic loops in the same frames, any length; the second "
               "one for revolute only, without it as at the start.")});
}

Field spring() {
  Field points =
      list("points", "Where it is, in the frames of the two; without them their origins.",
           numbers("", 3, 3, "m", "", "x, y, z"));
  points.least = points.most = 2;
  return mapping(
      "", "A spring and a damper along the line between two points.",
      {tuple("between", "Two links: a body, robot (its base), robot/link, or world.",
             {text("", "", "The first."), text("", "", "The second.")})
           .needed(),
       points, number("stiffness", "N/m", "0", "Force for each metre of stretch.").at_least(0.0),
       number("damping", "N·s/m", "0", "Force against each m/s of stretching.").at_least(0.0),
       number("rest", "m", "the distance at the start", "Distance at which it does not pull.")
           .at_least(0.0)});
}

Field force() {
  return mapping("", "Constant wrench on a body or a link, at the centre of mass, world axes.",
                 {text("on", "", "Body, robot (its base) or robot/link.").needed(),
                  number("from", "s", "0", "Start, of t.").at_least(0.0),
                  number("to", "s", "the end", "End, of t.").at_least(0.0),
                  numbers("force", 3, 3, "N", "[0, 0, 0]", "Force."),
                  numbers("torque", 3, 3, "N·m", "[0, 0, 0]", "Torque.")});
}

// A tenth of all momentum lost or made up by a solve; from one on no impulse at all would do.
constexpr double kLargestTolerance = 0.1;

Field scene() {
  return mapping(
      "", "A scene of Pequod. SI units, radians.",
      {text("name", "the file's name", "Name of the run."),
       numbers("gravity", 3, 3, "m/s²", "[0, 0, -9.81]", "Acceleration of gravity."),
       number("start", "s", "0",
              "Time at which the run starts. Times of forces and of torque tables are compared "
              "with t; rows, steps and ticks are at multiples of their period from the start on.")
           .at_least(0.0),
       number("duration", "s", "10", "Simulated time, from the start on.").at_least(0.0),
       mapping("integrator", "How the state is advanced.",
               {choice("method", integrator_names(), "symplectic-euler", "Integration method."),
                number("step", "s", "0.001", "Largest step.").positive(),
                number("tolerance", "", "0",
                       "dopri5: largest error of a step relative to 1 + |x|; 0: fixed step.")
                    .at_least(0.0)}),
       mapping(
           "contact", "How contacts are resolved.",
           {choice("model", contact_model_names(), "no-slip", "Contact model."),
            choice(
                "level", level_names(), "see `pequod list`",
                "Where contact acts: forces in every stage of the integrator, or impulses once a "
                "step. no-slip and coulomb know both; under symplectic-euler they act at the "
                "velocity level, under the others at the acceleration level."),
            choice("solver", contact_solver_names(), "the model's first, see `pequod list`",
                   "Solver of its problems."),
            number("edges", "", "8",
                   "Edges of the friction pyramids of stewart-trinkle and anitescu-potra, even.")
                .at_least(4)
                .at_most(64),
            number("tolerance", "", "by size, see `pequod check`",
                   "coulomb: relative residual up to which a contact problem counts as solved.")
                .positive()
                .at_most(kLargestTolerance),
            choice(
                "unsolved", {"continue", "stop"}, "continue",
                "coulomb: whether a step takes the best impulses of a problem that is not solved "
                "to its tolerance, which the summary counts, or the run stops."),
            choice("sleep", {"on", "off"}, "on",
                   "Velocity level: whether bodies that touch each other and do not move, and the "
                   "whole scene if nothing in it does, are not computed again until something "
                   "touches them. What a controller drives, or a force that is to begin or end "
                   "acts on, is."),
            choice("viscous", {"explicit", "implicit"}, "explicit",
                   "Friction of the model viscous: of the velocity at each stage, or of the one at "
                   "the end of the step, stable however large μv is (symplectic-euler only, order "
                   "1)."),
            choice("scheme", scheme_names(), "event-driven",
                   "event-driven finds each event; time-stepping takes what rebounds within a step "
                   "at its start, solves once with all contacts in reach, and moves apart what "
                   "that lets sink."),
            choice("restitution", restitution_names(), "poisson",
                   "Restitution law; newton-raw may add energy where there is friction.")}),
       mapping("record", "What is logged.",
               {number("every", "s", "0.01", "Time between two rows.").positive(),
                boolean("steps", "false", "Also a row a step, in steps.csv.")}),
       named("bodies", "Rigid bodies by name.", body()),
       named("robots", "Robots by name.", robot()),
       list("surfaces", "Material pairs, the first match wins; no match: the defaults.", surface()),
       list("forces", "External forces.", force()),
       list("loops", "Joints that close loops of links.", loop()),
       list("springs", "Springs and dampers between two points.", spring()),
       list("collide", "Pairs that may or may not touch, the first match wins.",
            tuple("", "Two names or globs, and whether they collide.",
                  {text("", "", "One side."), text("", "", "Other side."),
                   boolean("", "", "Whether they collide.")}))});
}

}  // namespace

const Field& scene_fields() {
  static const Field fields = scene();
  return fields;
}

}  // namespace pequod
