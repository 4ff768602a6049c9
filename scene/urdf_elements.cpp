#include "scene/urdf_elements.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "scene/degrees.h"
#include "scene/xml_tags.h"

namespace pequod {
namespace {

UrdfAttribute text(const std::string& name, bool required = true) {
  UrdfAttribute attribute;
  attribute.name = name;
  attribute.required = required;
  return attribute;
}

UrdfAttribute numbers(const std::string& name, int count, bool required) {
  UrdfAttribute attribute = text(name, required);
  attribute.count = count;
  return attribute;
}

UrdfAttribute at_least_zero(const std::string& name, bool required) {
  UrdfAttribute attribute = numbers(name, 1, required);
  attribute.minimum = 0.0;
  return attribute;
}

UrdfAttribute positive(const std::string& name, int count = 1) {
  UrdfAttribute attribute = numbers(name, count, true);
  attribute.minimum = 0.0;
  attribute.above_minimum = true;
  return attribute;
}

UrdfAttribute limit(const std::string& name) {
  UrdfAttribute attribute = numbers(name, 1, false);
  attribute.may_be_infinite = true;
  return attribute;
}

// Checked and counted, but without effect.
UrdfAttribute idle(UrdfAttribute attribute) {
  attribute.idle = true;
  return attribute;
}

UrdfElement element(const std::string& name, std::vector<UrdfAttribute> attributes,
                    std::vector<UrdfElement> children = {}) {
  UrdfElement result;
  result.name = name;
  result.attributes = std::move(attributes);
  result.children = std::move(children);
  return result;
}

UrdfElement needed(UrdfElement part) {
  part.required = true;
  return part;
}

UrdfElement any_number(UrdfElement part) {
  part.many = true;
  return part;
}

UrdfElement unchecked(const std::string& name, UrdfUse use) {
  UrdfElement part = any_number(element(name, {}));
  part.use = use;
  return part;
}

UrdfElement ignored(const std::string& name) { return unchecked(name, UrdfUse::ignored); }
UrdfElement drawn(const std::string& name) { return unchecked(name, UrdfUse::drawn); }

UrdfElement origin() {
  return element("origin", {numbers("xyz", 3, false), numbers("rpy", 3, false)});
}

UrdfElement link_element() {
  const UrdfElement inertial =
      element("inertial", {},
              {origin(), needed(element("mass", {at_least_zero("value", true)})),
               needed(element("inertia", {numbers("ixx", 1, true), numbers("ixy", 1, true),
                                          numbers("ixz", 1, true), numbers("iyy", 1, true),
                                          numbers("iyz", 1, true), numbers("izz", 1, true)}))});
  const UrdfElement geometry =
      element("geometry", {},
              {element("box", {positive("size", 3)}), element("sphere", {positive("radius")}),
               element("cylinder", {positive("radius"), positive("length")}),
               element("capsule", {positive("radius"), positive("length")}),
               element("mesh", {text("filename"), numbers("scale", 3, false)})});
  const UrdfElement collision =
      element("collision", {text("name", false)},
              {origin(), needed(geometry), ignored("material"), ignored("verbose")});
  return element("link", {text("name"), text("type", false)},
                 {inertial, any_number(collision), drawn("visual"), ignored("contact"),
                  ignored("self_collision_checking")});
}

UrdfElement joint_element() {
  const auto link_name = [](const std::string& name) {
    return needed(element(name, {text("link")}));
  };
  UrdfAttribute effort = at_least_zero("effort", true);
  effort.may_be_infinite = true;
  UrdfElement mimic = element("mimic", {text("joint", false), numbers("multiplier", 1, false),
                                        numbers("offset", 1, false)});
  return element(
      "joint", {text("name"), text("type")},
      {origin(), link_name("parent"), link_name("child"),
       element("axis", {numbers("xyz", 3, true)}),
       element("limit", {limit("lower"), limit("upper"), effort, idle(limit("velocity"))}),
       element("dynamics", {at_least_zero("damping", false), at_least_zero("friction", false)}),
       mimic, ignored("calibration"), ignored("safety_controller")});
}

UrdfElement robot_element() {
  return element("robot", {text("name", false), text("version", false)},
                 {any_number(link_element()), any_number(joint_element()), drawn("material"),
                  ignored("gazebo"), ignored("transmission"), ignored("sensor"), ignored("mujoco"),
                  ignored("drake:diagram"), ignored("ros2_control"), ignored("group")});
}

/// Elements of the table that may hold `name` as a child or have it as an attribute.
void homes_of(const std::string& name, const UrdfElement& table, std::vector<std::string>& as_child,
              std::vector<std::string>& as_attribute) {
  for (const UrdfAttribute& attribute : table.attributes) {
    if (attribute.name == name) as_attribute.push_back("<" + table.name + ">");
  }
  for (const UrdfElement& child : table.children) {
    if (child.name == name) as_child.push_back("<" + table.name + ">");
    homes_of(name, child, as_child, as_attribute);
  }
}

template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

struct UrdfChecker {
  const std::string& file;
  Diagnostics& diagnostics;
  std::map<std::string, int> ignored_counts;

  void element(const tinyxml2::XMLElement& xml, const UrdfElement& table);
  void children(const tinyxml2::XMLElement& xml, const UrdfElement& table);

 private:
  Place at(const tinyxml2::XMLElement& xml) const { return place_of_element(xml, file); }
  void unknown(const tinyxml2::XMLElement& child, const UrdfElement& table);
  void attribute_value(const tinyxml2::XMLElement& xml, const UrdfAttribute& attribute,
                       const std::string& value);
};

void UrdfChecker::unknown(const tinyxml2::XMLElement& child, const UrdfElement& table) {
  const std::string name = child.Name();
  std::vector<std::string> as_child, as_attribute;
  homes_of(name, urdf_elements(), as_child, as_attribute);
  const std::string where = "<" + name + "> in <" + table.name + ">";
  if (!as_child.empty()) {
    diagnostics.error(at(child), "misplaced " + where, "it belongs in " + join(as_child));
  } else if (!as_attribute.empty()) {
    diagnostics.error(at(child), "misplaced " + where,
                      "\"" + name + "\" is an attribute of " + join(as_attribute));
  } else if (std::string meant = nearest(name, names_of(table.children)); !meant.empty()) {
    diagnostics.error(at(child), "unknown element " + where, "did you mean <" + meant + ">?");
  } else {
    diagnostics.warning(at(child), "unknown element " + where + " is ignored");
  }
}

void UrdfChecker::attribute_value(const tinyxml2::XMLElement& xml, const UrdfAttribute& attribute,
                                  const std::string& value) {
  const std::string what =
      "<" + std::string(xml.Name()) + " " + attribute.name + "=\"" + value + "\">: ";
  if (attribute.count == 0) {
    if (value.empty()) diagnostics.error(at(xml), what + "must not be empty");
    return;
  }
  const std::optional<std::vector<double>> parsed =
      parse_urdf_numbers(value, attribute.may_be_infinite);
  if (!parsed || static_cast<int>(parsed->size()) != attribute.count) {
    diagnostics.error(at(xml),
                      what + "must be " +
                          (attribute.count == 1 ? std::string("a finite number")
                                                : std::to_string(attribute.count) +
                                                      " finite numbers separated by spaces"));
    return;
  }
  for (const double x : *parsed) {
    if (attribute.above_minimum ? x <= attribute.minimum : x < attribute.minimum) {
      diagnostics.error(at(xml), what + (attribute.above_minimum ? "must be > 0" : "must be >= 0"));
      return;
    }
  }
  if (attribute.name == "rpy") warn_of_degrees(diagnostics, at(xml), "<origin rpy>", *parsed);
}

void UrdfChecker::element(const tinyxml2::XMLElement& xml, const UrdfElement& table) {
  for (const tinyxml2::XMLAttribute* given = xml.FirstAttribute(); given != nullptr;
       given = given->Next()) {
    const std::string name = given->Name();
    const auto known = std::ranges::find_if(table.attributes,
                                            [&](const UrdfAttribute& a) { return a.name == name; });
    if (known != table.attributes.end()) {
      attribute_value(xml, *known, given->Value());
      if (known->idle) ++ignored_counts[table.name + "@" + name];
    } else if (name.rfind("xmlns", 0) != 0) {
      const std::string meant = nearest(name, names_of(table.attributes));
      if (!meant.empty() && xml.Attribute(meant.c_str()) == nullptr) {
        diagnostics.error(at(xml), "unknown attribute \"" + name + "\" of <" + table.name + ">",
                          "did you mean \"" + meant + "\"?");
      } else if (table.name == "origin") {
        diagnostics.error(at(xml), "attribute \"" + name + "\" of <origin> is not supported",
                          "use xyz and rpy");
      } else {
        ++ignored_counts[table.name + "@" + name];
      }
    }
  }
  for (const UrdfAttribute& attribute : table.attributes) {
    if (attribute.required && xml.Attribute(attribute.name.c_str()) == nullptr) {
      diagnostics.error(at(xml),
                        "<" + table.name + "> needs the attribute \"" + attribute.name + "\"");
    }
  }
  children(xml, table);
}

void UrdfChecker::children(const tinyxml2::XMLElement& xml, const UrdfElement& table) {
  std::map<std::string, int> first_line;
  for (const tinyxml2::XMLElement* child = xml.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string name = child->Name();
    const auto known =
        std::ranges::find_if(table.children, [&](const UrdfElement& e) { return e.name == name; });
    if (known == table.children.end()) {
      unknown(*child, table);
      continue;
    }
    if (known->use == UrdfUse::ignored) ++ignored_counts[name];
    if (known->use != UrdfUse::checked) continue;
    const auto [first, fresh] = first_line.emplace(name, child->GetLineNum());
    if (!fresh && !known->many) {
      diagnostics.error(at(*child), "a second <" + name + "> in <" + table.name +
                                        ">, first given at line " + std::to_string(first->second));
    }
    element(*child, *known);
  }
  for (const UrdfElement& child : table.children) {
    if (child.required && !first_line.contains(child.name)) {
      diagnostics.error(at(xml), "<" + table.name + "> needs <" + child.name + ">");
    }
  }
  if (table.name == "geometry" && first_line.size() != 1) {
    diagnostics.error(at(xml),
                      "<geometry> needs exactly one of: " + join(names_of(table.children)));
  }
}

}  // namespace

const UrdfElement& urdf_elements() {
  static const UrdfElement table = robot_element();
  return table;
}

std::optional<std::vector<double>> parse_urdf_numbers(std::string_view text, bool may_be_infinite) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::vector<double> result;
  for (std::size_t begin = text.find_first_not_of(kSpace); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    if (word.front() == '+') word.remove_prefix(1);
    double value = 0.0;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || stop != word.data() + word.size() || std::isnan(value)) return {};
    if (std::isinf(value) && !may_be_infinite) return {};
    result.push_back(value);
    begin = text.find_first_not_of(kSpace, end);
  }
  return result;
}

void check_urdf_elements(const tinyxml2::XMLElement& robot, const std::string& file,
                         Diagnostics& diagnostics) {
  UrdfChecker checker{file, diagnostics, {}};
  checker.element(robot, urdf_elements());
  if (checker.ignored_counts.empty()) return;
  std::vector<std::string> counts;
  for (const auto& [name, count] : checker.ignored_counts) {
    counts.push_back(name + " (" + std::to_string(count) + ")");
  }
  diagnostics.note({file, 0, 0}, "ignored: " + join(counts));
}

}  // namespace pequod
