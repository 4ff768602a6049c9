#include "test/simulation/robot_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include "test/support/random.h"

namespace pequod::test {
namespace {

// Changes the numbers of one attribute, given its element and its name.
using Change =
    std::function<void(const std::string& tag, const std::string& name, std::vector<double>&)>;

std::string numbers_of(const std::vector<double>& numbers) {
  std::ostringstream text;
  text.precision(17);
  for (std::size_t i = 0; i < numbers.size(); ++i) text << (i ? " " : "") << numbers[i];
  return text.str();
}

// The letters, digits and underscores from `from` on.
std::string word_at(const std::string& text, std::size_t from) {
  std::size_t to = from;
  while (to < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[to])) || text[to] == '_'))
    ++to;
  return text.substr(from, to - from);
}

// Every attribute made of numbers is read, changed and written again.
std::string change_attributes(const std::string& urdf, const Change& change) {
  std::string out, tag;
  for (std::size_t at = 0; at < urdf.size();) {
    const std::string word = word_at(urdf, at);
    const std::size_t value = at + word.size() + 2;
    if (!word.empty() && at > 0 && urdf[at - 1] == '<') tag = word;
    if (word.empty() || urdf.compare(value - 2, 2, "=\"") != 0) {
      const std::size_t taken = std::max<std::size_t>(word.size(), 1);
      out += urdf.substr(at, taken);
      at += taken;
      continue;
    }
    const std::size_t end = std::min(urdf.find('"', value), urdf.size());
    std::string text = urdf.substr(value, end - value);
    if (!text.empty() && text.find_first_not_of("-+.eE0123456789 ") == std::string::npos) {
      std::istringstream stream(text);
      std::vector<double> numbers;
      for (double x = 0.0; stream >> x;) numbers.push_back(x);
      change(tag, word, numbers);
      text = numbers_of(numbers);
    }
    out += word + "=\"" + text;
    at = end;
  }
  return out;
}

std::string vector_text(const Vector3d& x) { return numbers_of({x.x(), x.y(), x.z()}); }

// R = Rz(yaw) Ry(pitch) Rx(roll).
std::string origin(const Pose& X) {
  const Vector3d rpy(std::atan2(X.R(2, 1), X.R(2, 2)), std::asin(-X.R(2, 0)),
                     std::atan2(X.R(1, 0), X.R(0, 0)));
  return "<origin xyz=\"" + vector_text(X.p) + "\" rpy=\"" + vector_text(rpy) + "\"/>";
}

std::string box_inertial(const Pose& X, double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseAbs2() * (mass / 12.0);
  std::ostringstream text;
  text.precision(17);
  text << "<inertial>" << origin(X) << "<mass value=\"" << mass << "\"/><inertia ixx=\""
       << s.y() + s.z() << "\" iyy=\"" << s.x() + s.z() << "\" izz=\"" << s.x() + s.y()
       << "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  return text.str();
}

// One part of a leg with the joint above it; places and directions in the base frame at q = 0.
struct Part {
  std::string name, parent;
  Vector3d joint, axis, com, size;
  double mass = 0.0, lower = 0.0, upper = 0.0, effort = 0.0;
};

// The link frame is turned by R_BL; X_BP is that of the parent.
std::string part_text(const Part& part, const Pose& X_BP, const Pose& X_BL,
                      const std::string& more) {
  const Pose X_LB = X_BL.inverse();
  std::ostringstream text;
  text.precision(17);
  text << "<joint name=\"j" << part.name << "\" type=\"revolute\"><parent link=\"" << part.parent
       << "\"/><child link=\"" << part.name << "\"/>" << origin(X_BP.inverse() * X_BL)
       << "<axis xyz=\"" << vector_text(X_LB.R * part.axis) << "\"/><limit lower=\"" << part.lower
       << "\" upper=\"" << part.upper << "\" effort=\"" << part.effort
       << "\" velocity=\"20\"/></joint>\n<link name=\"" << part.name << "\">"
       << box_inertial({X_LB.R, X_LB * part.com}, part.mass, part.size) << more << "</link>\n";
  return text.str();
}

// The foot hangs under the hip at q = 0, which the knee's limits do not allow.
std::vector<Part> leg_parts(const Stranger& s, double front, double left, int first) {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), down = -Vector3d::UnitZ();
  const Vector3d hip(front * s.half_length, left * s.half_width, 0.01);
  const Vector3d side = hip + left * s.offset * y, knee = side + s.thigh * down;
  const double L = s.thigh, l = s.shank, a = 0.2 * L, m = s.mass;
  const auto name = [first](int i) { return "p" + std::to_string(first + i); };
  std::vector<Part> parts{
      {name(0), "body", hip, x, hip + 0.3 * left * s.offset * y, {a, a, a}, 0.055 * m, -0.9, 0.9},
      {name(1), name(0), side, y, side + 0.3 * L * down, {a, a, L}, 0.09 * m, -2.5, 2.5},
      {name(2), name(1), knee, y, knee + 0.4 * l * down, {a, a, l}, 0.022 * m, -2.7, -0.1}};
  // About +y a positive turn brings the shank back, which puts the knee in front.
  if (s.knees_outward && front > 0.0) {
    parts[2].lower = 0.1;
    parts[2].upper = 2.7;
  }
  for (Part& part : parts) part.effort = 9.81 * m * (L + l);  // a trot needs 0.35 m g z0
  return parts;
}

std::string leg_text(const Stranger& s, double front, double left, int first, Random& random) {
  std::string text;
  Pose X_BP;
  for (Part part : leg_parts(s, front, left, first)) {
    if (random.uniform(0.0, 1.0) < 0.5) {  // the other sign of the same axis
      part.axis = -part.axis;
      part.lower = -std::exchange(part.upper, -part.lower);
    }
    const Pose X_BL{random.rotation(), part.joint};
    std::string foot;
    if (part.name == "p" + std::to_string(first + 2))
      foot = "<collision>" +
             origin({Matrix3d::Identity(),
                     X_BL.inverse() * (part.joint - s.shank * Vector3d::UnitZ())}) +
             "<geometry><sphere radius=\"" + numbers_of({s.foot}) + "\"/></geometry></collision>";
    text += part_text(part, X_BP, X_BL, foot);
    X_BP = X_BL;
  }
  return text;
}

}  // namespace

std::string scaled_urdf(const std::string& urdf, double scale) {
  return change_attributes(
      urdf, [scale](const std::string& tag, const std::string& name, std::vector<double>& numbers) {
        int power = 0;
        if (tag == "mass") power = 3;
        if (tag == "inertia") power = 5;
        if (name == "effort") power = 4;
        if (name == "radius" || name == "length" || name == "size" ||
            (tag == "origin" && name == "xyz"))
          power = 1;
        for (double& x : numbers) x *= std::pow(scale, power);
      });
}

std::string mirrored_urdf(const std::string& urdf) {
  return change_attributes(
      urdf, [](const std::string& tag, const std::string& name, std::vector<double>& numbers) {
        if (tag == "origin" && name == "xyz") numbers[1] = -numbers[1];
        // An axis is an axial vector.
        if (tag == "axis") numbers = {-numbers[0], numbers[1], -numbers[2]};
        if (name == "ixy" || name == "iyz") numbers[0] = -numbers[0];
      });
}

std::string stranger_urdf(const Stranger& s) {
  Random random(s.seed);
  const Vector3d size(2.0 * s.half_length, 2.0 * s.half_width, s.half_width);
  std::string text = "<robot name=\"stranger\">\n<link name=\"body\">" +
                     box_inertial({Matrix3d::Identity(), {0.01, -0.005, 0.0}}, s.mass, size) +
                     "<collision><geometry><box size=\"" + vector_text(size) +
                     "\"/></geometry></collision></link>\n";
  constexpr std::array<std::array<double, 2>, 4> kLegs{
      {{-1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}}};
  for (int i = 0; const auto& [front, left] : kLegs)
    text += leg_text(s, front, left, 3 * i++, random);
  return text + "</robot>\n";
}

}  // namespace pequod::test
