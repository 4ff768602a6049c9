// pequod experiment: scenes whose answers are known.
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {

// The bounds are those of the table itself; each says in its scene file where the truth comes from.
TEST_CASE("every figure of the analytic scenes is as asked") {
  const Folder folder;
  const Finished finished =
      pequod(folder, {"experiment", "analytic", "--quick", "--json", "--scenes",
                      fs::absolute("examples/analytic").string()});
  INFO(finished.err);
  REQUIRE(!finished.out.empty());
  const nlohmann::json report = nlohmann::json::parse(finished.out);
  CHECK(report["checks"].size() >= 15);
  for (const nlohmann::json& check : report["checks"]) {
    INFO(check.dump());
    CHECK(check["holds"].get<bool>());
  }
  CHECK(finished.code == 0);
}

// Tables and closed forms of the notes; rounding only, as the table's bounds say.
TEST_CASE("the blocks of the LCP notes are as published") {
  const Folder folder;
  const Finished finished =
      pequod(folder, {"experiment", "lcp-notes", "--quick", "--json", "--plot", "notes.svg"});
  const nlohmann::json report = nlohmann::json::parse(finished.out);
  CHECK(report["checks"].size() >= 40);
  for (const nlohmann::json& check : report["checks"]) {
    INFO(check.dump());
    CHECK(check["holds"].get<bool>());
  }
  CHECK(finished.code == 0);
  CHECK(fs::file_size(folder.path() / "notes.svg") > 1000);
}

// Exact answers, proofs and published counts (Pang, Trinkle & Lo 1994).
TEST_CASE("the quasistatic experiments find what is known") {
  const Folder folder;
  for (const char* name : {"pang-data-sets", "pang-mu-grid", "pang-enumeration", "slow-push"}) {
    const Finished finished = pequod(folder, {"experiment", name, "--quick", "--json", "--scenes",
                                              fs::absolute("examples/quasistatic").string()});
    INFO(finished.out, finished.err);
    CHECK(finished.code == 0);
  }
}

// With noise of 1 % on the logs, over seeds; the truth stands in the scene files.
TEST_CASE("friction and masses come back from our own logs") {
  const Folder folder;
  const Finished finished = pequod(folder, {"experiment", "fit-runs", "--quick", "--json",
                                            "--scenes", fs::absolute("examples/fit").string()});
  INFO(finished.out, finished.err);
  CHECK(finished.code == 0);
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

}  // namespace pequod::test
