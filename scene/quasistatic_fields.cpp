#include "scene/quasistatic_file.h"

namespace pequod {
namespace {

constexpr int kMost = 1000;  // rows, columns

Field matrix(const char* key, const char* description) {
  return list(key, description, numbers("", 0, kMost, "", "", "One row."));
}

Field planar(const char* key, const char* unit, const char* fallback, const char* description) {
  return numbers(key, 2, 2, unit, fallback, description);
}

Field shape() {
  const Field radius = number("radius", "m", "", "Radius.").positive().needed();
  Field points =
      list("points", "Corners, counter-clockwise, convex.", planar("", "m", "", "x, y")).needed();
  points.least = 2;
  return one_of("shape", "What it looks like in its frame.",
                {mapping("point", "The frame's origin.", {}),
                 mapping("disk", "About the frame's origin.", {radius}),
                 mapping("polygon", "Convex; of two points a bar without thickness.", {points})});
}

std::vector<Field> pose() {
  return {planar("position", "m", "[0, 0]", "Of its frame."),
          number("angle", "rad", "0", "Counter-clockwise.")};
}

std::vector<Field> joined(std::vector<Field> a, const std::vector<Field>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Field object() {
  return mapping(
      "object", "What is moved. Its frame stands at its centre of mass.",
      joined(pose(), {shape().needed(),
                      number("mass", "kg", "0", "Without it gravity does nothing.").at_least(0.0),
                      planar("force", "N", "[0, 0]", "Acts at the centre of mass."),
                      number("torque", "N·m", "0", "Acts on it.")}));
}

Field joint() {
  return mapping("", "One joint, from the base outwards. Its velocity is given, or its effort.",
                 {planar("prismatic", "", "", "Direction of its axis; any length."),
                  planar("revolute", "m", "", "Where its axis stands."),
                  number("velocity", "m/s or rad/s", "0", "Of a joint that is driven."),
                  number("effort", "N or N·m", "", "Of a joint that is not."),
                  number("load", "N or N·m", "0", "What the finger's own weight demands of it.")});
}

Field fingers() {
  return named(
      "fingers", "What touches the object; without joints it is fixed.",
      mapping("", "One of them.",
              joined(pose(), {shape().needed(),
                              number("friction", "", "0", "μ against the object.").at_least(0.0),
                              list("joints", "From the base outwards.", joint())})));
}

Field motion() {
  return mapping("motion", "How long and how finely to follow the motion; only with shapes.",
                 {number("duration", "s", "", "How long.").positive().needed(),
                  number("step", "s", "0.01", "Largest step.").positive()});
}

}  // namespace

const Field& quasistatic_fields() {
  static const Field fields = mapping(
      "",
      "A quasistatic problem: matrices (P, J, mu, joint_velocity, d) or shapes (object, fingers).",
      {matrix("P", "2 n_c rows, normals first: the contacts' wrenches, one a row (Wᵀ)."),
       matrix("J", "2 n_c rows, normals first: contact velocity by joint velocity."),
       numbers("mu", 1, kMost, "", "", "Friction of each contact.").at_least(0.0),
       numbers("joint_velocity", 0, kMost, "rad/s or m/s", "", "Of the driven joints, in order."),
       numbers("free_joints", 0, kMost, "", "[]", "Numbers, from 1, of joints of given effort."),
       numbers("d", 1, kMost, "N, N·m", "",
               "n_c zeros, then the load on the object, then load − effort of the free joints."),
       planar("gravity", "m/s²", "[0, -9.81]", "On the object of shapes."), object(), fingers(),
       number("reach", "m", "1e-6", "A gap up to this is a contact.").positive(), motion()});
  return fields;
}

}  // namespace pequod
