// One slip at a time in a good scene: the report names the line of the slip.
#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <vector>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const std::vector<std::string> kScene{
    "gravity: [0, 0, -9.81]",
    "duration: 10",
    "integrator:",
    "  method: symplectic-euler",
    "  step: 0.001",
    "contact:",
    "  model: no-slip",
    "  solver: dual",
    "record:",
    "  every: 0.01",
    "bodies:",
    "  ground:",
    "    fixed: true",
    "    shape:",
    "      plane: {}",
    "  crate:",
    "    mass: 20",
    "    shape:",
    "      box:",
    "        size: [0.4, 0.4, 0.3]",
    "    position: [1, 0, 0.2]",
    "surfaces:",
    "  - between: [crate, ground]",
    "    friction: 0.8",
    "    restitution: 0",
    "forces:",
    "  - on: crate",
    "    from: 1",
    "    force: [50, 0, 0]",
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<Diagnostic> errors_of(const Folder& folder, const std::vector<std::string>& lines) {
  Diagnostics diagnostics;
  (void)load_scene(folder.write("s.yaml", joined(lines)), {}, diagnostics);
  std::vector<Diagnostic> errors;
  for (const Diagnostic& d : diagnostics.sorted()) {
    if (d.severity == Severity::error) errors.push_back(d);
  }
  return errors;
}

}  // namespace

TEST_CASE("a one-letter slip in any key is found on its line, with the key that was meant") {
  const Folder folder;
  REQUIRE(errors_of(folder, kScene).empty());
  std::mt19937 random(1);
  int slips = 0, suggested = 0;
  for (std::size_t i = 0; i < kScene.size(); ++i) {
    const std::size_t begin = kScene[i].find_first_not_of(" -");
    const std::size_t end = kScene[i].find(':');
    const std::string key = kScene[i].substr(begin, end - begin);
    if (key == "ground" || key == "crate") continue;  // names are free
    for (int kind = 0; kind < 4; ++kind) {
      std::string slip = key;
      const std::size_t at = random() % key.size();
      const char letter = static_cast<char>('a' + random() % 26);
      if (kind == 0) slip.erase(at, 1);
      if (kind == 1) slip.insert(at, 1, letter);
      if (kind == 2) slip[at] = letter;
      if (kind == 3 && at + 1 < key.size()) std::swap(slip[at], slip[at + 1]);
      if (slip == key || slip.empty()) continue;
      std::vector<std::string> lines = kScene;
      lines[i].replace(begin, key.size(), slip);
      const std::vector<Diagnostic> errors = errors_of(folder, lines);
      CAPTURE(lines[i]);
      ++slips;
      bool on_line = false, meant = false;
      for (const Diagnostic& error : errors) {
        on_line |= error.place.line == static_cast<int>(i) + 1;
        meant |= error.hint.find("\"" + key + "\"") != std::string::npos;
      }
      CHECK(on_line);
      suggested += meant;
    }
  }
  MESSAGE(slips, " slips, right suggestion in ", suggested);
  CHECK(suggested >= 0.9 * slips);
}

TEST_CASE("a bad value in place of any number is found on its line") {
  const Folder folder;
  int mutants = 0;
  for (std::size_t i = 0; i < kScene.size(); ++i) {
    const std::size_t colon = kScene[i].find(": ");
    if (colon == std::string::npos) continue;
    const std::string value = kScene[i].substr(colon + 2);
    if (value.find_first_of("0123456789") == std::string::npos) continue;
    for (const std::string bad : {".nan", "x", "010", "1e400", "{a: 1}", "[]", "[1, 2, 3, 4, 5]"}) {
      std::vector<std::string> lines = kScene;
      lines[i].replace(colon + 2, value.size(), bad);
      const std::vector<Diagnostic> errors = errors_of(folder, lines);
      CAPTURE(lines[i]);
      REQUIRE_FALSE(errors.empty());
      for (const Diagnostic& error : errors) CHECK(error.place.line == static_cast<int>(i) + 1);
      ++mutants;
    }
  }
  MESSAGE(mutants, " mutants");
}

TEST_CASE("any line cut short, doubled or dropped ends in a report or a scene, never a crash") {
  const Folder folder;
  int refused = 0, total = 0;
  for (std::size_t i = 0; i < kScene.size(); ++i) {
    for (std::size_t cut = 0; cut <= kScene[i].size(); cut += 3) {
      std::vector<std::string> lines = kScene;
      lines[i] = lines[i].substr(0, cut);
      refused += errors_of(folder, lines).empty() ? 0 : 1;
      ++total;
    }
    std::vector<std::string> doubled = kScene;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), kScene[i]);
    refused += errors_of(folder, doubled).empty() ? 0 : 1;
    ++total;
  }
  MESSAGE(refused, " of ", total, " refused");
  CHECK(refused > total / 2);
}

// Exceptions fail the test, crashes end it; sanitizers see the same inputs.
TEST_CASE("random bytes in scenes and robots end in a report or a scene, never an exception" *
          doctest::test_suite("long")) {
  std::ostringstream urdf;
  urdf << std::ifstream("examples/robots/links.urdf").rdbuf();
  const Folder folder;
  std::mt19937 random(3);
  const std::string alphabet = "{}[]:,-&*!|>'\"#%@\t\n .0123456789einfax<=/";
  const auto mutate = [&](std::string text) {
    for (unsigned k = 0; k <= random() % 3; ++k) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.erase(at, 1 + random() % 4);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
      }
    }
    return text;
  };
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    Diagnostics diagnostics;
    CHECK_NOTHROW(
        (void)load_scene(folder.write("s.yaml", mutate(joined(kScene))), {}, diagnostics));
    refused += diagnostics.ok() ? 0 : 1;
  }
  for (int i = 0; i < 500; ++i) {
    Diagnostics diagnostics;
    CHECK_NOTHROW((void)load_urdf(folder.write("r.urdf", mutate(urdf.str())), {}, diagnostics));
    refused += diagnostics.ok() ? 0 : 1;
  }
  MESSAGE(refused, " of 2000 refused");
}
