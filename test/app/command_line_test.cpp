// Words that make sense, and words that do not.
#include "test/app/process.h"

namespace pequod::test {
namespace {

std::string refused(const std::vector<std::string>& words) {
  const Folder folder;
  const Finished finished = pequod(folder, words);
  CHECK(finished.code == 2);
  CHECK(finished.out.empty());
  const std::size_t end = finished.err.find("\nTry: pequod --help\n");
  return end == std::string::npos ? finished.err : finished.err.substr(0, end);
}

}  // namespace

TEST_CASE("a wrong word is answered with the one that was meant") {
  CHECK(refused({"rnu", "a.yaml"}) == "pequod: unknown subcommand \"rnu\"; did you mean \"run\"?");
  CHECK(refused({"run", "--modle", "no-slip", "a.yaml"}) ==
        "pequod: unknown option --modle; did you mean \"--model\"?");
  CHECK(refused({"run", "--modle=no-slip", "a.yaml"}) ==
        "pequod: unknown option --modle; did you mean \"--model\"?");
  CHECK(refused({"run", "a.yaml", "b.yaml"}) == "pequod: run: unexpected word \"b.yaml\"");
  CHECK(refused({"run"}) == "pequod: run: a scene file is missing: pequod run SCENE.yaml");
  CHECK(refused({}).find("pequod: a subcommand is missing; one of: run, ") == 0);
  CHECK(refused({"--verson"}) == "pequod: unknown option --verson; did you mean \"--version\"?");
  CHECK(refused({"run", "a.yaml", "--step"}).find("--step") != std::string::npos);
  CHECK(refused({"run", "a.yaml", "--checkpoint-every", "nan"}) ==
        "pequod: --checkpoint-every: \"nan\" is not a time in seconds ≥ 0");
}

TEST_CASE("values of options are checked like those of a scene") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  for (const char* step : {"nan", ".nan", "inf", "010", "1e400", "0", "-1", "1,5", "fast", "{}"}) {
    const Finished finished = pequod(folder, {"run", "crate.yaml", "--step", step});
    CHECK_MESSAGE(finished.code == 2, step);
    CHECK_MESSAGE(finished.err.find("command line: error: integrator.step") == 0, finished.err);
  }
  const Finished model = pequod(folder, {"run", "crate.yaml", "--model", "no-slp"});
  CHECK(model.code == 2);
  CHECK(model.err.find("did you mean \"no-slip\"?") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "runs"));
}

TEST_CASE("every subcommand has its help, and help is no error") {
  const Folder folder;
  CHECK(pequod(folder, {"--version"}).out.find("pequod ") == 0);
  const Finished help = pequod(folder, {"--help"});
  CHECK(help.code == 0);
  for (const char* command : {"run", "solve", "check", "list", "schema"}) {
    CHECK(help.out.find(command) != std::string::npos);
    const Finished own = pequod(folder, {command, "--help"});
    CHECK(own.code == 0);
    CHECK(own.out.find(std::string("Usage: pequod ") + command) != std::string::npos);
  }
}

TEST_CASE("check reports every error at once, and guesses of a right scene as notes") {
  const Folder folder;
  folder.write("bad.yaml", "durration: 1\nbodies:\n  crate: {mas: 2}\n");
  const Finished bad = pequod(folder, {"check", "bad.yaml"});
  CHECK(bad.code == 2);
  CHECK(bad.out.find("bad.yaml:1:1: error: ") == 0);
  CHECK(bad.out.find("bad.yaml:3:11: error: ") != std::string::npos);
  const Finished good =
      pequod(folder, {"check", fs::absolute("examples/quadruped/trot.yaml").string()});
  CHECK(good.code == 0);
  CHECK(good.out.find("note: ") != std::string::npos);
  CHECK(good.out.ends_with("trot.yaml: 0 errors, 0 warnings\n"));
}

TEST_CASE("check reads a robot alone") {
  const Folder folder;
  const Finished finished =
      pequod(folder, {"check", fs::absolute("examples/robots/mara.urdf").string()});
  CHECK(finished.code == 0);
  CHECK(finished.out.find("links       17") != std::string::npos);
}

TEST_CASE("list names every pair with its order") {
  const Folder folder;
  const std::string text = pequod(folder, {"list"}).out;
  CHECK(text.find("rk4               x viscous           order 4") != std::string::npos);
  CHECK(text.find("dopri5            x frictionless      order 5") != std::string::npos);
  CHECK(text.find("rk4               x no-slip           order 4") != std::string::npos);
  CHECK(text.find("level: velocity: order 1: a smooth step") != std::string::npos);
  CHECK(text.find("no-slip           velocity and acceleration level") != std::string::npos);
  CHECK(text.find("symplectic-euler  x coulomb           order 1: one contact solve") !=
        std::string::npos);
  CHECK(text.find("symplectic-euler  x viscous           order 1") != std::string::npos);
}

TEST_CASE("schema prints the schema that ships with the examples") {
  const Folder folder;
  CHECK(pequod(folder, {"schema"}).out == read_file("examples/pequod.schema.json"));
}

}  // namespace pequod::test
