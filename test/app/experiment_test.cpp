// pequod experiment: scenes whose answers are known.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {

// The bounds are those of the experiments; each says in its source or its scene files where the
// truth comes from. The folder is empty: each finds its files by itself.
TEST_CASE("every experiment, the quick way, is as asked, and is not run twice" *
          doctest::test_suite("heavy")) {
  const Folder folder;
  const std::vector<std::string> words{"experiment", "all",      "--quick", "--output",
                                       "out",        "--report", "page.md"};
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const Finished finished = pequod(folder, as_json);
  INFO(finished.err);
  REQUIRE(!finished.out.empty());
  const nlohmann::json list =
      nlohmann::json::parse(pequod(folder, {"experiment", "list", "--json"}).out);
  const nlohmann::json all = nlohmann::json::parse(finished.out);
  CHECK(all.size() >= 8);
  REQUIRE(all.size() == list.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = list[i]["name"];
    INFO(name);
    CHECK(list[i]["state"] == "ready");
    CHECK(all[i]["name"] == name);
    CHECK(!all[i]["checks"].empty());
    MESSAGE(name << ": " << all[i]["seconds"].get<double>() << " s");
    for (const nlohmann::json& check : all[i]["checks"]) {
      INFO(check.dump());
      CHECK(check["holds"].get<bool>());
    }
  }
  CHECK(finished.code == 0);
  const std::string page = read_file(folder.path() / "page.md");
  CHECK(page.find("| [analytic](#analytic) | quick | ") != std::string::npos);
  for (const char* chart : {"spheres.svg", "spheres-2.svg"})
    CHECK(read_file(folder.path() / "out" / chart).starts_with("<svg"));
  const Finished again = pequod(folder, words);
  CHECK(again.code == 0);
  CHECK(again.out.find("analytic ") == 0);
  CHECK(std::ranges::count(again.out, '\n') == static_cast<std::ptrdiff_t>(all.size()));
  std::size_t old = 0;
  for (std::size_t at = 0; (at = again.out.find(", from before", at)) != std::string::npos; ++at)
    ++old;
  CHECK(old == all.size());
  CHECK(read_file(folder.path() / "page.md") == page);

  // A full one serves a quick call; what is of another machine does not.
  const fs::path pendulum = folder.path() / "out/pendulum.json",
                 ramp = folder.path() / "out/ramp.json";
  nlohmann::ordered_json full = nlohmann::ordered_json::parse(read_file(pendulum));
  full["quick"] = false;
  std::ofstream(pendulum) << full;
  nlohmann::ordered_json foreign = nlohmann::ordered_json::parse(read_file(ramp));
  foreign["machine"]["processor"] = "another";
  std::ofstream(ramp) << foreign;
  const std::string third = pequod(folder, words).out;
  const auto line = [&](const std::string& name) {
    const std::size_t at = third.find("\n" + name + " ");
    return third.substr(at + 1, third.find('\n', at + 1) - at - 1);
  };
  CHECK(line("pendulum").ends_with(", from before"));
  CHECK(line("ramp").ends_with(" s"));
}

TEST_CASE("an experiment's results are files of a folder") {
  const Folder folder;
  const Finished finished =
      pequod(folder, {"experiment", "ramp", "--quick", "--json", "--output", "out/ramp"});
  CHECK(finished.code == 0);
  const nlohmann::json told = nlohmann::json::parse(finished.out);
  const fs::path out = folder.path() / "out/ramp";
  CHECK(nlohmann::json::parse(read_file(out / "ramp.json")) == told);
  const std::string checks = read_file(out / "ramp-checks.csv"),
                    first = read_file(out / "ramp-table-1.csv");
  CHECK(checks.starts_with("what,value,limit,at_least,published,holds\n"));
  CHECK(std::ranges::count(checks, '\n') == static_cast<std::ptrdiff_t>(1 + told["checks"].size()));
  for (const nlohmann::json& check : told["checks"]) {
    const std::string what = check["what"];
    const bool quoted = what.find(',') != std::string::npos;
    CHECK(checks.find("\n" + (quoted ? '"' + what + '"' : what) + ",") != std::string::npos);
  }
  const std::string name = first.substr(0, first.find(','));
  CHECK(told["rows"][0].contains(name));
}

TEST_CASE("an experiment's object says what, on which machine, and how far from what is asked") {
  const Folder folder;
  const Finished finished =
      pequod(folder, {"experiment", "lcp-notes", "--quick", "--json", "--plot", "notes.svg"});
  const nlohmann::json report = nlohmann::json::parse(finished.out);
  CHECK(report["machine"]["cores"].get<int>() >= 1);
  CHECK(report["rows"].is_array());
  CHECK(report["checks"].size() >= 40);
  for (const char* key : {"what", "value", "limit", "published", "holds"})
    CHECK(report["checks"][0].contains(key));
  CHECK(fs::file_size(folder.path() / "notes.svg") > 1000);
}

// Data set 1 with another friction has other solutions than those that the experiment knows.
TEST_CASE("a figure that is not as asked ends in exit code 1") {
  const Folder folder;
  const fs::path scenes = folder.path() / "scenes";
  fs::copy("examples/quasistatic", scenes, fs::copy_options::recursive);
  const std::string set = read_file(scenes / "pang_1.yaml");
  const std::size_t friction = set.find("mu: [");
  REQUIRE(friction != std::string::npos);
  std::ofstream(scenes / "pang_1.yaml") << set.substr(0, friction) << "mu: [0.01, 0.01, 0.01]"
                                        << set.substr(set.find(']', friction) + 1);
  const Finished finished =
      pequod(folder, {"experiment", "pang-data-sets", "--scenes", scenes.string()});
  INFO(finished.out, finished.err);
  CHECK(finished.code == 1);
  CHECK(finished.out.find(" NO ") != std::string::npos);
}

// A wrist pin in the place of a journal leaves the crank 4 mm of room in its guides.
TEST_CASE("an engine with a journal that is too thin is told") {
  const Folder folder;
  const fs::path scenes = folder.path() / "scenes";
  fs::copy("examples/engine", scenes, fs::copy_options::recursive);
  std::string scene = read_file(scenes / "one_cylinder.yaml");
  const std::string journal = "journal.obj", pin = "wrist_pin.obj";
  REQUIRE(scene.find(journal) != std::string::npos);
  for (std::size_t at = 0; (at = scene.find(journal, at)) != std::string::npos;)
    scene.replace(at, journal.size(), pin);
  std::ofstream(scenes / "one_cylinder.yaml") << scene;
  const Finished finished =
      pequod(folder, {"experiment", "engine", "--quick", "--json", "--scenes", scenes.string()});
  CHECK(finished.code == 1);
  std::vector<std::string> missed;
  const nlohmann::json report = nlohmann::json::parse(finished.out);
  for (const nlohmann::json& check : report["checks"])
    if (!check["holds"].get<bool>()) missed.push_back(check["what"]);
  REQUIRE(!missed.empty());
  CHECK(missed[0].find("axes of a pin and its bore") != std::string::npos);
}

TEST_CASE("an experiment that does not exist, or without its scenes, is refused") {
  const Folder folder;
  const Finished unknown = pequod(folder, {"experiment", "analytics"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean \"analytic\"") != std::string::npos);
  const Finished nowhere = pequod(folder, {"experiment", "analytic", "--scenes", "nowhere"});
  CHECK(nowhere.code == 2);
  CHECK(nowhere.err.find("pequod: --scenes: no such folder: nowhere\n") == 0);
}

TEST_CASE("an experiment finds its files from any folder, or says where it looked") {
  const Folder folder;
  CHECK(pequod(folder, {"experiment", "pang-data-sets", "--quick"}).code == 0);
  const Finished finished = pequod(folder, {"experiment", "pang-data-sets", "--scenes", "nowhere"});
  CHECK(finished.code == 2);
  CHECK(finished.err.find("pequod: --scenes: no such folder: nowhere\n") == 0);
}

TEST_CASE("docs/experiments.md shows the shortest experiment as it is") {
  const std::string source = read_file("app/experiments/pendulum.cpp");
  CHECK(std::ranges::count(source, '\n') <= 60);
  CHECK(read_file("docs/experiments.md").find(source) != std::string::npos);
}

}  // namespace pequod::test
