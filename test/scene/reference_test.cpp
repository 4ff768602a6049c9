// The documents and the schema that come from the table of keys.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "contact/models/contact_model.h"
#include "scene/field.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// With PEQUOD_WRITE_DOCS=1 the tests write what they would compare.
bool writing() { return std::getenv("PEQUOD_WRITE_DOCS") != nullptr; }

constexpr const char* kMark =
    "<!-- From here on written by test_scene with PEQUOD_WRITE_DOCS=1. -->\n";

void every_field(const Field& field, const std::function<void(const Field&)>& visit) {
  visit(field);
  for (const Field& child : field.of) every_field(child, visit);
}

}  // namespace

TEST_CASE("docs/scene.md holds every key with unit, default and meaning") {
  std::string doc = read("docs/scene.md");
  const std::size_t mark = doc.find(kMark);
  REQUIRE(mark != std::string::npos);
  const std::string expected = doc.substr(0, mark) + kMark + scene_reference();
  if (writing()) std::ofstream("docs/scene.md", std::ios::binary) << expected;
  CHECK((writing() || doc == expected));
}

TEST_CASE("every shape and every orientation has a table of its own") {
  const std::string doc = scene_reference();
  for (const char* section : {"shape.sphere", "shape.box", "shape.capsule", "shape.cylinder",
                              "shape.cone", "shape.convex", "shape.mesh", "orientation", "inertia"})
    CHECK_MESSAGE(
        doc.find("\n### `bodies.NAME." + std::string(section) + "`\n") != std::string::npos,
        section);
}

TEST_CASE("examples/pequod.schema.json is the schema of the table") {
  if (writing()) std::ofstream("examples/pequod.schema.json", std::ios::binary) << scene_schema();
  CHECK(read("examples/pequod.schema.json") == scene_schema());
}

TEST_CASE("the schema is JSON and refuses unknown keys") {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["properties"]["integrator"]["properties"]["step"]["exclusiveMinimum"] == 0.0);
  CHECK(schema["properties"]["contact"]["properties"]["model"]["enum"].size() ==
        contact_models().size());
}

TEST_CASE("every key and every choice of the table has a meaning") {
  every_field(scene_fields(), [](const Field& field) {
    CAPTURE(field.key);
    if (!field.key.empty()) CHECK(field.description.size() > 3);
    if (field.kind == Kind::number || field.kind == Kind::numbers) {
      CHECK(field.unit.find("deg") == std::string::npos);
    }
  });
}

TEST_CASE("every example scene names the schema for editors") {
  for (const fs::path& path : test::example_scenes()) {
    const std::string first = read(path).substr(0, 33);
    CAPTURE(path);
    CHECK(first == "# yaml-language-server: $schema=.");
  }
}
