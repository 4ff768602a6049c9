// The page of `pequod view`: what is packed comes out again, and what is missing is said.
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "app/packed_numbers.h"
#include "test/app/packed_page.h"
#include "test/app/run_columns.h"

namespace pequod::test {
namespace {

// A table's columns in their units, after those before it.
std::map<std::string, std::vector<double>> table_of(const PackedPage& page,
                                                    const std::string& name) {
  std::size_t at = page.begin;
  for (const auto& [table, what] : page.json["tables"].items()) {
    std::map<std::string, std::vector<double>> columns;
    for (const auto& column : what["columns"]) {
      std::vector<double> values = unpack(page.bytes, at, what["rows"]);
      for (double& value : values) value *= column[1].get<double>();
      columns[column[0]] = values;
    }
    if (table == name) return columns;
  }
  FAIL("no such table: " << name);
  return {};
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// A page needs a script; what it does is for the test in a browser.
Finished view(const Folder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "view");
  return pequod(folder, words, [&] { ::setenv("PEQUOD_WEB", folder.path().c_str(), 1); });
}

}  // namespace

TEST_CASE("integers of all sizes come out of the packing as they went in") {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> values{0, 0, 1, -1, 63, -64, 64, 1LL << 48, -(1LL << 48), 0};
  for (int bits = 1; bits <= 48; ++bits)
    for (int k = 0; k < 20; ++k) {
      const auto size = static_cast<std::int64_t>(random() >> (64 - bits));
      values.push_back(random() % 2 == 0 ? size : -size);
    }
  const std::string packed = app::pack_integers(values);
  std::size_t at = 0;
  const std::vector<double> back = unpack(Bytes(packed.begin(), packed.end()), at, values.size());
  CHECK(at == packed.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(back[i] == static_cast<double>(values[i]));
  CHECK(app::pack_integers(std::vector<std::int64_t>(1000, 5)).size() == 1000);
}

TEST_CASE("what is not finite or too large does not spoil the packing") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(app::quantised(std::vector<double>{NAN, inf, -inf, 1e300, 0.26}, 0.1) ==
        std::vector<std::int64_t>{0, 0, 0, 1LL << 48, 3});
}

TEST_CASE("bytes come out of base64 as they went in") {
  for (const std::string text : {"", "a", "ab", "abc", "\xff\x80z?"}) {
    const Bytes back = from_base64(app::base64(text));
    CHECK(std::string(back.begin(), back.end()) == text);
  }
  CHECK(app::base64("pequod") == "cGVxdW9k");
}

TEST_CASE("the page holds the run: its columns, to what a screen shows") {
  const Folder folder;
  folder.write("view.js", "let a = '</script>';\n");
  folder.write("crate.yaml", kCrate);
  REQUIRE(pequod(folder, {"run", "crate.yaml", "--output", "out"}).code == 0);
  const Finished finished = view(folder, {"out"});
  CHECK(finished.err == "");
  CHECK(finished.out == "out/view.html\n");
  const std::string page = read_file(folder.path() / "out/view.html");
  CHECK(page.find("let a = '<\\/script>';") != std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  const PackedPage packed = packed_in(page, "class=\"run\">");

  const auto state = table_of(packed, "state");
  const fs::path log = folder.path() / "out/state.csv";
  CHECK(apart(state.at("t"), number_column(log, "t")) <= 1e-7);
  for (const char* name : {"crate.x", "crate.y", "crate.z"})
    CHECK_MESSAGE(apart(state.at(name), number_column(log, name)) <= 1e-5, name);
  for (const char* name : {"crate.qw", "crate.qx", "crate.qy", "crate.qz"})
    CHECK_MESSAGE(apart(state.at(name), number_column(log, name)) <= 2.5e-5, name);
  CHECK(state.size() == 14);
  const auto contacts = table_of(packed, "contacts");
  std::vector<double> forces = contacts.at("fn"),
                      logged = number_column(folder.path() / "out/contacts.csv", "fn");
  std::sort(forces.begin(), forces.end());  // they are packed in an order of their own
  std::sort(logged.begin(), logged.end());
  CHECK(apart(forces, logged) <= logged.back() / 16384.0 * 1.001);
  CHECK(table_of(packed, "events").at("t").size() ==
        number_column(folder.path() / "out/events.csv", "t").size());

  CHECK(view(folder, {"out", "out", "--output", "two.html"}).out == "two.html\n");
}

TEST_CASE("view says what is missing") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  REQUIRE(pequod(folder, {"run", "crate.yaml", "--output", "out"}).code == 0);
  const Finished bare = view(folder, {"out"});
  CHECK(bare.code == 2);
  CHECK(bare.err.find("view: the script of the page is missing: ") != std::string::npos);
  CHECK(bare.err.find("; ./dev web builds it") != std::string::npos);
  folder.write("view.js", "");
  CHECK(view(folder, {}).err.find("view: one run folder, or two") != std::string::npos);
  CHECK(view(folder, {"a", "b", "c"}).code == 2);
  fs::remove(folder.path() / "out/model.json");
  const Finished old = view(folder, {"out"});
  CHECK(old.code == 2);
  CHECK(old.err.find("out: has no model.json") != std::string::npos);
}

}  // namespace pequod::test
