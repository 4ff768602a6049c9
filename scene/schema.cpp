// The table of keys as JSON Schema and as Markdown.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "scene/field.h"

namespace pequod {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Field& field);

std::string describe(const Field& field) {
  std::string text = field.description;
  if (!field.unit.empty()) text += " Unit: " + field.unit + ".";
  if (!field.fallback.empty()) text += " Default: " + field.fallback + ".";
  return text;
}

Json number_schema(const Field& field) {
  Json schema{{"type", "number"}};
  if (std::isfinite(field.minimum)) {
    schema[field.above_minimum ? "exclusiveMinimum" : "minimum"] = field.minimum;
  }
  if (std::isfinite(field.maximum)) schema["maximum"] = field.maximum;
  return schema;
}

/// A mapping that is empty in YAML ("plane:") reads as null.
Json mapping_schema(const Field& field) {
  Json required = Json::array();
  Json properties = Json::object();
  for (const Field& child : field.of) {
    properties[child.key] = schema_of(child);
    if (child.required) required.push_back(child.key);
  }
  const bool may_be_null = required.empty() && field.kind == Kind::mapping;
  Json schema{{"type", may_be_null ? Json{"object", "null"} : Json("object")},
              {"additionalProperties", false},
              {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  if (field.kind == Kind::one_of) schema["minProperties"] = schema["maxProperties"] = 1;
  return schema;
}

Json list_schema(const Field& field) {
  Json schema{{"type", "array"}};
  if (field.kind == Kind::numbers) {
    schema["items"] = number_schema(field);
  } else if (field.of.size() == 1) {
    schema["items"] = schema_of(field.of[0]);
  } else {
    for (const Field& item : field.of) schema["items"].push_back(schema_of(item));
  }
  if (field.most < Field{}.most) {
    schema["minItems"] = field.least;
    schema["maxItems"] = field.most;
  }
  return schema;
}

Json tagged_schema(const Field& field) {
  Json names = Json::array(), branches = Json::array();
  for (const Field& form : field.of) {
    names.push_back(form.key);
    Json branch = mapping_schema(form);
    branch["type"] = "object";
    branch["description"] = form.description;
    branch["properties"]["type"] = {{"const", form.key}};
    branches.push_back(
        {{"if", {{"properties", {{"type", {{"const", form.key}}}}}}}, {"then", std::move(branch)}});
  }
  return {{"type", "object"},
          {"properties", {{"type", {{"enum", names}, {"description", "Which one."}}}}},
          {"required", {"type"}},
          {"allOf", branches}};
}

Json schema_of(const Field& field) {
  Json schema;
  switch (field.kind) {
    case Kind::number:
      schema = number_schema(field);
      break;
    case Kind::boolean:
      schema["type"] = "boolean";
      break;
    case Kind::text:
    case Kind::file:
      schema["type"] = "string";
      if (!field.choices.empty()) schema["enum"] = field.choices;
      break;
    case Kind::numbers:
    case Kind::list:
      schema = list_schema(field);
      break;
    case Kind::mapping:
    case Kind::one_of:
      schema = mapping_schema(field);
      break;
    case Kind::named:
      schema = {{"type", {"object", "null"}}, {"additionalProperties", schema_of(field.of[0])}};
      break;
    case Kind::either:
      for (const Field& form : field.of) schema["anyOf"].push_back(schema_of(form));
      break;
    case Kind::tagged:
      schema = tagged_schema(field);
      break;
  }
  if (const std::string text = describe(field); !text.empty()) schema["description"] = text;
  return schema;
}

std::string type_of(const Field& field) {
  switch (field.kind) {
    case Kind::number:
      return "number";
    case Kind::boolean:
      return "true or false";
    case Kind::text:
      return field.choices.empty() ? "text" : fmt::format("{}", fmt::join(field.choices, " \\| "));
    case Kind::file:
      return "path";
    case Kind::numbers:
      return field.least == field.most ? fmt::format("{} numbers", field.least)
                                       : fmt::format("{} or {} numbers", field.least, field.most);
    case Kind::mapping:
    case Kind::tagged:
      return "mapping";
    case Kind::one_of:
      return "one of";
    case Kind::named:
      return "name → " + type_of(field.of[0]);
    case Kind::list: {
      if (field.of.size() == 1) return "list of " + type_of(field.of[0]);
      std::string items;
      for (const Field& item : field.of) items += (items.empty() ? "[" : ", ") + type_of(item);
      return items + "]";
    }
    case Kind::either: {
      std::string forms;
      for (const Field& form : field.of) forms += (forms.empty() ? "" : " or ") + type_of(form);
      return forms;
    }
  }
  return "";
}

std::string range_of(const Field& field) {
  std::string text;
  if (std::isfinite(field.minimum)) {
    text = fmt::format("{} {}", field.above_minimum ? ">" : "≥", field.minimum);
  }
  if (std::isfinite(field.maximum)) {
    text += fmt::format("{}≤ {}", text.empty() ? "" : ", ", field.maximum);
  }
  return text.empty() ? "" : " " + text;
}

/// A bar ends a cell of a table unless a backslash stands before it.
std::string in_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// Writes the tables of all mappings; one that has been written is referred to.
struct ReferenceWriter {
  std::string out;
  std::set<std::vector<std::string>> written;  ///< the mapping's own key, then its keys

  void table(const Field& field, const std::string& path);
  void below(const Field& field, const std::string& path);
};

void ReferenceWriter::table(const Field& field, const std::string& path) {
  if (field.of.empty()) return;
  std::vector<std::string> keys{field.key};
  for (const Field& child : field.of) keys.push_back(child.key);
  if (!written.insert(keys).second) return;
  out += fmt::format("\n### {}\n\n", path.empty() ? "Top level" : "`" + path + "`");
  if (!field.description.empty()) out += field.description + "\n\n";
  out += "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const Field& child : field.of) {
    out += fmt::format("| `{}` | {}{} | {} | {} | {} |\n", child.key, type_of(child),
                       range_of(child), child.unit, child.required ? "needed" : child.fallback,
                       in_cell(child.description));
  }
  // What lists hold comes last: it repeats what stands in the mapping itself, as an orientation.
  for (const bool lists : {false, true})
    for (const Field& child : field.of)
      if ((child.kind == Kind::list) == lists)
        below(child, path.empty() ? child.key : path + "." + child.key);
}

void ReferenceWriter::below(const Field& field, const std::string& path) {
  switch (field.kind) {
    case Kind::mapping:
    case Kind::one_of:
      table(field, path);
      break;
    case Kind::named:
      below(field.of[0], path + ".NAME");
      break;
    case Kind::list:
      below(field.of[0], path + "[]");
      break;
    case Kind::either:
      for (const Field& form : field.of) below(form, path);
      break;
    case Kind::tagged:
      for (const Field& form : field.of) table(form, path + " {type: " + form.key + "}");
      break;
    case Kind::number:
    case Kind::boolean:
    case Kind::text:
    case Kind::file:
    case Kind::numbers:
      break;
  }
}

}  // namespace

std::string scene_schema() {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Pequod scene"}};
  schema.update(schema_of(scene_fields()));
  schema["type"] = "object";
  return schema.dump(2) + "\n";
}

std::string scene_reference() {
  ReferenceWriter writer;
  writer.table(scene_fields(), "");
  return writer.out;
}

}  // namespace pequod
