// Walks a scene beside the table of its keys.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scene/yaml.h"

namespace pequod {
namespace {

// In any unit: beyond, squares and products overflow, and solvers take numbers for infinite.
constexpr double kLargest = 1e20;

struct Checker {
  const std::string& file;
  Diagnostics& diagnostics;

  bool any(const YAML::Node& node, const Field& field, const std::string& path,
           const Place& place) const;

 private:
  bool fail(const Place& place, const std::string& path, const std::string& message,
            const std::string& hint = {}) const {
    diagnostics.error(place, (path.empty() ? "" : path + ": ") + message, hint);
    return false;
  }
  bool number(const YAML::Node& node, const Field& field, const std::string& path,
              const Place& place) const;
  bool text(const YAML::Node& node, const Field& field, const std::string& path,
            const Place& place) const;
  bool sequence(const YAML::Node& node, const Field& field, const std::string& path,
                const Place& place) const;
  bool keys(const YAML::Node& node, const std::string& path, const Place& place) const;
  bool mapping(const YAML::Node& node, const Field& field, const std::string& path,
               const Place& place) const;
  bool option(const YAML::Node& node, const Field& field, const std::string& path,
              const Place& place) const;
};

std::string what_it_is(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  if (node.IsNull()) return "nothing";
  return "\"" + node.Scalar() + "\"";
}

std::string show(double value) { return fmt::format("{}", value); }

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

/// The path of a mapping that has this key, for a key that stands in the wrong place.
std::string home_of(const std::string& key, const Field& field, const std::string& path) {
  for (const Field& child : field.of) {
    if (child.key == key && !path.empty() && field.kind == Kind::mapping) return path;
    const std::string name = child.key.empty() ? path : below(path, child.key);
    std::string found = home_of(key, child, name);
    if (!found.empty()) return found;
  }
  return "";
}

std::vector<std::string> key_names(const Field& field) {
  std::vector<std::string> names;
  for (const Field& child : field.of) names.push_back(child.key);
  return names;
}

std::string hint_for_key(const std::string& key, const std::vector<std::string>& valid) {
  if (std::string hint = did_you_mean(key, valid); !hint.empty()) return hint;
  const std::string home = home_of(key, scene_fields(), "");
  return (home.empty() ? "" : "\"" + key + "\" belongs in " + home + "; ") +
         "valid here: " + join(valid);
}

/// A list that is too long because some decimals have a comma, as [1,5, 2, 0]: some commas are
/// followed by a space and some are not, or none is and there are twice the items.
std::string hint_for_length(const YAML::Node& node, const Field& field) {
  std::string decimal;
  std::size_t tight = 0, loose = 0;
  for (std::size_t i = 0; i + 1 < node.size(); ++i) {
    if (!node[i].IsScalar() || !node[i + 1].IsScalar()) return "";
    const std::string& word = node[i].Scalar();
    const YAML::Mark here = node[i].Mark(), next = node[i + 1].Mark();
    const bool touching =
        here.line == next.line && here.column + static_cast<int>(word.size()) + 1 == next.column;
    if (touching && decimal.empty()) decimal = word + "." + node[i + 1].Scalar();
    ++(touching ? tight : loose);
  }
  const bool doubled = node.size() == 2 * static_cast<std::size_t>(field.least);
  if (tight == 0 || (loose == 0 && !doubled)) return "";
  return "decimals are written with a point: " + decimal;
}

bool Checker::number(const YAML::Node& node, const Field& field, const std::string& path,
                     const Place& place) const {
  if (!node.IsScalar()) return fail(place, path, "must be a number, not " + what_it_is(node));
  if (node.Tag() == "!") {
    return fail(place, path, "must be a number, not text in quotes", "remove the quotes");
  }
  const NumberText parsed = parse_number(node.Scalar());
  if (!parsed.value) return fail(place, path, parsed.problem, parsed.hint);
  const double value = *parsed.value;
  if (!std::isfinite(value) && !(field.may_be_infinite && value > 0.0)) {
    return fail(place, path, "must be finite, not " + node.Scalar());
  }
  if (std::isfinite(value) && std::abs(value) > kLargest) {
    return fail(place, path,
                "must be at most " + show(kLargest) + " in size, not " + node.Scalar());
  }
  if (field.above_minimum ? value <= field.minimum : value < field.minimum) {
    return fail(place, path,
                std::string("must be ") + (field.above_minimum ? "> " : ">= ") +
                    show(field.minimum) + ", not " + node.Scalar());
  }
  if (value > field.maximum) {
    return fail(place, path, "must be <= " + show(field.maximum) + ", not " + node.Scalar());
  }
  return true;
}

bool Checker::text(const YAML::Node& node, const Field& field, const std::string& path,
                   const Place& place) const {
  if (!node.IsScalar()) return fail(place, path, "must be text, not " + what_it_is(node));
  const std::string& value = node.Scalar();
  if (field.kind == Kind::boolean) {
    if (node.Tag() != "!" && (value == "true" || value == "false")) return true;
    return fail(place, path, "must be true or false, not " + what_it_is(node));
  }
  if (value.empty()) return fail(place, path, "must not be empty");
  const std::vector<std::string>& choices = field.choices;
  if (choices.empty() || std::ranges::find(choices, value) != choices.end()) {
    return true;
  }
  std::string hint = did_you_mean(value, choices);
  if (hint.empty()) hint = "one of: " + join(choices);
  return fail(place, path, "unknown " + field.key + " \"" + value + "\"", hint);
}

bool Checker::sequence(const YAML::Node& node, const Field& field, const std::string& path,
                       const Place& place) const {
  const bool numbers = field.kind == Kind::numbers;
  const std::string wanted = numbers ? "a list of numbers" : "a list";
  if (!numbers && node.IsNull() && field.least == 0) return true;
  if (!node.IsSequence())
    return fail(place, path, "must be " + wanted + ", not " + what_it_is(node));
  const int size = static_cast<int>(node.size());
  if (size < field.least || size > field.most) {
    std::string length = std::to_string(field.least);
    if (field.most == Field{}.most)
      length += " or more";
    else if (field.most > field.least)
      length += " or " + std::to_string(field.most);
    return fail(place, path, "must have " + length + " items, not " + std::to_string(size),
                size > field.most ? hint_for_length(node, field) : "");
  }
  Field item = field;
  item.kind = Kind::number;
  bool good = true;
  for (int i = 0; i < size; ++i) {
    const Field& expected =
        numbers ? item : field.of[std::min(static_cast<std::size_t>(i), field.of.size() - 1)];
    good &= any(node[i], expected, path + "[" + std::to_string(i) + "]", place_of(node[i], file));
  }
  return good;
}

/// What no mapping may have: keys that are not text, twice the same key, merge keys.
bool Checker::keys(const YAML::Node& node, const std::string& path, const Place& place) const {
  bool good = true;
  std::vector<std::pair<std::string, Place>> seen;
  for (const auto& entry : node) {
    const Place at = place_of(entry.first, file);
    if (!entry.first.IsScalar() || entry.first.Scalar().empty()) {
      good = fail(at.line > 0 ? at : place, path, "a key must be text");
      continue;
    }
    const std::string& key = entry.first.Scalar();
    if (key == "<<") {
      good = fail(at, path, "merge keys (<<) are not supported", "write the keys out");
      continue;
    }
    const auto first =
        std::ranges::find_if(seen, [&](const auto& other) { return other.first == key; });
    if (first != seen.end()) {
      good = fail(at, path,
                  "duplicate key \"" + key + "\", first given at line " +
                      std::to_string(first->second.line) + ", column " +
                      std::to_string(first->second.column),
                  "remove one of them");
    }
    seen.emplace_back(key, at);
  }
  return good;
}

bool Checker::mapping(const YAML::Node& node, const Field& field, const std::string& path,
                      const Place& place) const {
  if (!node.IsMap() && !node.IsNull()) {
    return fail(place, path, "must be a mapping, not " + what_it_is(node));
  }
  bool good = keys(node, path, place);
  std::vector<std::string> valid = key_names(field);
  if (field.kind == Kind::tagged) valid = {"type"};
  std::set<std::string> given;
  bool misspelt = false;  // then what is missing is probably there
  for (const auto& entry : node) {
    if (!entry.first.IsScalar() || entry.first.Scalar() == "<<") continue;
    const std::string& key = entry.first.Scalar();
    const Place at = place_of(entry.first, file);
    const bool own_place = entry.second.IsScalar() || entry.second.IsSequence();
    const Place value_at = own_place ? place_of(entry.second, file) : at;
    if (field.kind == Kind::named) {
      good &= any(entry.second, field.of[0], below(path, key), value_at);
      continue;
    }
    const auto child = std::ranges::find(field.of, key, &Field::key);
    if (child == field.of.end()) {
      good = fail(at, path, "unknown key \"" + key + "\"", hint_for_key(key, valid));
      misspelt = true;
      continue;
    }
    given.insert(key);
    good &= any(entry.second, *child, below(path, key), value_at);
  }
  if (field.kind == Kind::one_of && given.size() != 1 && good) {
    return fail(place, path, "needs exactly one of: " + join(valid));
  }
  for (const Field& child : field.of) {
    const bool wanted = field.kind == Kind::mapping && child.required && !misspelt;
    if (wanted && !given.contains(child.key)) {
      good = fail(place, path, "needs the key \"" + child.key + "\"");
    }
  }
  return good;
}

bool Checker::option(const YAML::Node& node, const Field& field, const std::string& path,
                     const Place& place) const {
  const Field* picked = chosen(node, field);
  if (field.kind == Kind::either) {
    if (picked != nullptr) return any(node, *picked, path, place);
    return any(node, field.of[0], path, place);  // its message says what is wanted
  }
  if (picked != nullptr) {
    Field with_type = *picked;
    with_type.of.push_back(pequod::text("type", "", ""));
    return mapping(node, with_type, path, place);
  }
  if (!node.IsMap()) return fail(place, path, "must be a mapping, not " + what_it_is(node));
  const YAML::Node type = node["type"];
  if (!type)
    return fail(place, path, "needs the key \"type\"", "one of: " + join(key_names(field)));
  Field types = pequod::text("type", "", "");
  types.key = field.key + " type";
  types.choices = key_names(field);
  return text(type, types, below(path, "type"), place_of(type, file));
}

bool Checker::any(const YAML::Node& node, const Field& field, const std::string& path,
                  const Place& place) const {
  switch (field.kind) {
    case Kind::number:
      return number(node, field, path, place);
    case Kind::boolean:
    case Kind::text:
    case Kind::file:
      return text(node, field, path, place);
    case Kind::numbers:
    case Kind::list:
      return sequence(node, field, path, place);
    case Kind::mapping:
    case Kind::one_of:
    case Kind::named:
      return mapping(node, field, path, place);
    case Kind::either:
    case Kind::tagged:
      return option(node, field, path, place);
  }
  return false;
}

}  // namespace

const Field* chosen(const YAML::Node& node, const Field& field) {
  for (const Field& form : field.of) {
    if (field.kind == Kind::tagged) {
      if (node.IsMap() && node["type"] && node["type"].IsScalar() &&
          node["type"].Scalar() == form.key) {
        return &form;
      }
      continue;
    }
    const bool scalar = form.kind == Kind::number || form.kind == Kind::text;
    const bool sequence = form.kind == Kind::numbers || form.kind == Kind::list;
    if (scalar ? node.IsScalar() : sequence ? node.IsSequence() : node.IsMap()) return &form;
  }
  return nullptr;
}

bool check_yaml(const YAML::Node& node, const Field& field, const std::string& path,
                const Place& place, Diagnostics& diagnostics) {
  return Checker{place.file, diagnostics}.any(node, field, path, place);
}

bool is_valid(const YAML::Node& node, const Field& field) {
  Diagnostics scratch;
  return check_yaml(node, field, "", Place{}, scratch);
}

}  // namespace pequod
