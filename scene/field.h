// The keys of a scene file as data: one table drives the checks, the JSON Schema and the reference.
#pragma once

#include <string>
#include <vector>

#include "core/types.h"

namespace pequod {

enum class Kind {
  number,
  boolean,
  text,     ///< one of `choices` if there are any
  file,     ///< a path relative to the scene file
  numbers,  ///< a sequence of `least` to `most` numbers
  mapping,  ///< the keys `of`
  one_of,   ///< a mapping with exactly one of the keys `of`
  named,    ///< any name → of[0]
  list,     ///< a sequence of `least` to `most` items, item i like of[i], the last one repeated
  either,   ///< one of the forms `of`, told apart by being a scalar, a sequence or a mapping
  tagged,   ///< a mapping whose key `type` picks one of the mappings `of` by its key
};

/// One key, or one form of value.
struct Field {
  std::string key;
  Kind kind = Kind::mapping;
  std::string unit;         ///< "m", "N·s/m"; "" if it has none
  std::string fallback;     ///< the default, in words
  std::string description;  ///< one sentence
  bool required = false;
  double minimum = -kInfinity, maximum = kInfinity;
  bool above_minimum = false;     ///< the minimum itself is not allowed
  bool may_be_infinite = false;   ///< `.inf` is allowed
  int least = 0, most = 1 << 20;  ///< length of numbers and lists
  std::vector<std::string> choices;
  std::vector<Field> of;

  [[nodiscard]] Field needed() const;
  [[nodiscard]] Field positive() const;
  [[nodiscard]] Field at_least(double value) const;
  [[nodiscard]] Field at_most(double value) const;
  [[nodiscard]] Field or_infinite() const;
};

[[nodiscard]] Field number(std::string key, std::string unit, std::string fallback,
                           std::string description);
[[nodiscard]] Field boolean(std::string key, std::string fallback, std::string description);
[[nodiscard]] Field text(std::string key, std::string fallback, std::string description);
[[nodiscard]] Field choice(std::string key, std::vector<std::string> choices, std::string fallback,
                           std::string description);
[[nodiscard]] Field file(std::string key, std::string description);
[[nodiscard]] Field numbers(std::string key, int least, int most, std::string unit,
                            std::string fallback, std::string description);
[[nodiscard]] Field mapping(std::string key, std::string description, std::vector<Field> of);
[[nodiscard]] Field one_of(std::string key, std::string description, std::vector<Field> of);
[[nodiscard]] Field named(std::string key, std::string description, Field item);
[[nodiscard]] Field list(std::string key, std::string description, Field item);
[[nodiscard]] Field tuple(std::string key, std::string description, std::vector<Field> items);
[[nodiscard]] Field either(std::string key, std::string fallback, std::string description,
                           std::vector<Field> of);
[[nodiscard]] Field tagged(std::string key, std::string description, std::vector<Field> of);

/// All keys of a scene file.
[[nodiscard]] const Field& scene_fields();

/// JSON Schema (draft-07) of a scene file, for editors.
[[nodiscard]] std::string scene_schema();

/// The same table as Markdown: every key with type, unit, default and meaning.
[[nodiscard]] std::string scene_reference();

}  // namespace pequod
