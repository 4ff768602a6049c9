#include "scene/field.h"

#include <utility>

namespace pequod {
namespace {

Field make(Kind kind, std::string key, std::string description) {
  Field field;
  field.kind = kind;
  field.key = std::move(key);
  field.description = std::move(description);
  return field;
}

Field make_with(Kind kind, std::string key, std::string description, std::vector<Field> of) {
  Field field = make(kind, std::move(key), std::move(description));
  field.of = std::move(of);
  return field;
}

}  // namespace

Field Field::needed() const {
  Field copy = *this;
  copy.required = true;
  return copy;
}

Field Field::positive() const {
  Field copy = *this;
  copy.minimum = 0.0;
  copy.above_minimum = true;
  return copy;
}

Field Field::at_least(double value) const {
  Field copy = *this;
  copy.minimum = value;
  return copy;
}

Field Field::at_most(double value) const {
  Field copy = *this;
  copy.maximum = value;
  return copy;
}

Field Field::or_infinite() const {
  Field copy = *this;
  copy.may_be_infinite = true;
  return copy;
}

Field number(std::string key, std::string unit, std::string fallback, std::string description) {
  Field field = make(Kind::number, std::move(key), std::move(description));
  field.unit = std::move(unit);
  field.fallback = std::move(fallback);
  return field;
}

Field boolean(std::string key, std::string fallback, std::string description) {
  Field field = make(Kind::boolean, std::move(key), std::move(description));
  field.fallback = std::move(fallback);
  return field;
}

Field text(std::string key, std::string fallback, std::string description) {
  Field field = make(Kind::text, std::move(key), std::move(description));
  field.fallback = std::move(fallback);
  return field;
}

Field choice(std::string key, std::vector<std::string> choices, std::string fallback,
             std::string description) {
  Field field = text(std::move(key), std::move(fallback), std::move(description));
  field.choices = std::move(choices);
  return field;
}

Field file(std::string key, std::string description) {
  return make(Kind::file, std::move(key), std::move(description));
}

Field numbers(std::string key, int least, int most, std::string unit, std::string fallback,
              std::string description) {
  Field field = make(Kind::numbers, std::move(key), std::move(description));
  field.unit = std::move(unit);
  field.fallback = std::move(fallback);
  field.least = least;
  field.most = most;
  return field;
}

Field mapping(std::string key, std::string description, std::vector<Field> of) {
  return make_with(Kind::mapping, std::move(key), std::move(description), std::move(of));
}

Field one_of(std::string key, std::string description, std::vector<Field> of) {
  return make_with(Kind::one_of, std::move(key), std::move(description), std::move(of));
}

Field named(std::string key, std::string description, Field item) {
  return make_with(Kind::named, std::move(key), std::move(description), {std::move(item)});
}

Field list(std::string key, std::string description, Field item) {
  return make_with(Kind::list, std::move(key), std::move(description), {std::move(item)});
}

Field tuple(std::string key, std::string description, std::vector<Field> items) {
  Field field = make_with(Kind::list, std::move(key), std::move(description), std::move(items));
  field.least = field.most = static_cast<int>(field.of.size());
  return field;
}

Field either(std::string key, std::string fallback, std::string description,
             std::vector<Field> of) {
  Field field = make_with(Kind::either, std::move(key), std::move(description), std::move(of));
  field.fallback = std::move(fallback);
  return field;
}

Field tagged(std::string key, std::string description, std::vector<Field> of) {
  return make_with(Kind::tagged, std::move(key), std::move(description), std::move(of));
}

}  // namespace pequod
