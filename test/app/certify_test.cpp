// pequod run --certify: its files, its words, its band.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {
namespace {

const std::string kRoll = fs::absolute("examples/analytic/slide_to_roll.yaml").string();

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("--certify adds its files and lines, and changes no other byte") {
  const Folder folder;
  const Finished plain = pequod(folder, {"run", kRoll, "--output", "plain"});
  const Finished certified = pequod(
      folder, {"run", kRoll, "--integrator", "symplectic-euler", "--output", "with", "--certify"});
  pequod(folder, {"run", kRoll, "--integrator", "symplectic-euler", "--output", "without"});
  CHECK(plain.out.find("certificate") == std::string::npos);
  CHECK_MESSAGE(certified.code == 0, certified.err);
  CHECK(certified.out.find("  certificate: ball.position ± 0.0") != std::string::npos);
  CHECK(certified.out.find("(3 × the error)") != std::string::npos);
  CHECK(certified.out.find("  contact: all 100 steps pass, 100 of them with contact") !=
        std::string::npos);
  for (const char* file :
       {"state.csv", "energy.csv", "contacts.csv", "events.csv", "model.json", "checkpoint.bin"}) {
    CAPTURE(file);
    if (std::string(file) != "checkpoint.bin")  // which has the wall time
      CHECK(read_file(folder.path() / "with" / file) ==
            read_file(folder.path() / "without" / file));
  }
  std::vector<std::string> names = names_in(folder.path() / "without");
  for (const char* own : {"certificate.csv", "certificate.json", "certificate_steps.csv"})
    names.emplace_back(own);
  std::ranges::sort(names);
  CHECK(names_in(folder.path() / "with") == names);
}

// A box that slides and spins on its four corners: how they share the friction is not determined,
// and each share leads to another motion. A ball has one contact and one motion.
TEST_CASE("where friction is not unique the run with another choice of it tells what differs") {
  const Folder folder;
  folder.write("spin.yaml", R"(
duration: 0.2
integrator: {method: symplectic-euler, step: 0.005}
contact: {model: coulomb}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  box: {mass: 1, shape: {box: {size: [0.4, 0.2, 0.1]}}, position: [0, 0, 0.05],
        velocity: [1, 0.3, 0], angular_velocity: [0, 0, 6]}
surfaces:
  - {between: ["*", "*"], friction: 0.3}
)");
  const Finished finished = pequod(folder, {"run", "spin.yaml", "--output", "box", "--certify"});
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  CHECK_MESSAGE(finished.out.find("friction may not be unique in ") != std::string::npos,
                finished.out);
  const auto json = nlohmann::json::parse(read_file(folder.path() / "box/certificate.json"));
  CHECK(json["other_friction"].get<bool>());
  CHECK(json["solves"]["cones"]["several"].get<int>() > 10);
  for (const auto& output : json["outputs"])
    if (output["name"] == "box.position") {
      CHECK(output["from_choice"].get<double>() > 1e-9);
      CHECK(output["from_choice"].get<double>() < 0.2);
    }
  CHECK(pequod(folder, {"run", kRoll, "--output", "ball", "--certify"}).out.find("unique") ==
        std::string::npos);
  const auto ball = nlohmann::json::parse(read_file(folder.path() / "ball/certificate.json"));
  CHECK_FALSE(ball["other_friction"].get<bool>());
}

TEST_CASE("certificate.json says what is known of each output, certificate.csv of each row") {
  const Folder folder;
  pequod(folder,
         {"run", kRoll, "--integrator", "symplectic-euler", "--output", "run", "--certify"});
  const auto json = nlohmann::json::parse(read_file(folder.path() / "run/certificate.json"));
  CHECK(json["repeated"].get<bool>());
  CHECK(json["half_step"].get<double>() == 0.005);
  CHECK(json["steps"]["failed"].get<int>() == 0);
  CHECK(json["steps"]["with_contact"].get<int>() == 100);
  CHECK(json["solves"]["cones"]["natural_map"].get<double>() < 1e-8);
  const auto& outputs = json["outputs"];
  const auto place =
      std::ranges::find_if(outputs, [](const auto& one) { return one["name"] == "ball.position"; });
  REQUIRE(place != outputs.end());
  CHECK((*place)["value"].size() == 3);
  CHECK((*place)["unit"] == "m");
  CHECK((*place)["parted_at_s"].is_null());
  // The last row of the bars is the estimate, and there are as many as in state.csv.
  const std::string bars = read_file(folder.path() / "run/certificate.csv"),
                    states = read_file(folder.path() / "run/state.csv"),
                    steps = read_file(folder.path() / "run/certificate_steps.csv");
  CHECK(std::ranges::count(bars, '\n') == std::ranges::count(states, '\n'));
  CHECK(std::ranges::count(steps, '\n') == 101);
  CHECK(bars.starts_with("t,ball.position,ball.orientation,ball.velocity,"));
  const std::size_t last = bars.rfind('\n', bars.size() - 2) + 1;
  CHECK(std::stod(bars.substr(bars.find(',', last) + 1)) == (*place)["estimate"].get<double>());
}

TEST_CASE("a run that is done gets its certificate by --resume, and loses it with its rows") {
  const Folder folder;
  const std::vector<std::string> run{"run", kRoll, "--output", "run"};
  pequod(folder, run);
  const std::string states = read_file(folder.path() / "run/state.csv");
  std::vector<std::string> again = run;
  again.insert(again.end(), {"--resume", "--certify"});
  const Finished finished = pequod(folder, again);
  CHECK_MESSAGE(finished.code == 0, finished.err);
  CHECK(finished.out.find("certificate: ") != std::string::npos);
  CHECK(fs::exists(folder.path() / "run/certificate.json"));
  CHECK(read_file(folder.path() / "run/state.csv") == states);
  pequod(folder, run);
  CHECK(!fs::exists(folder.path() / "run/certificate.json"));
  CHECK(!fs::exists(folder.path() / "run/certificate.csv"));
}

TEST_CASE("estimates are a band in the figure of energies and a table in the report") {
  const Folder folder;
  pequod(folder, {"run", kRoll, "--integrator", "symplectic-euler", "--output", "run"});
  const auto draw = [&] {
    pequod(folder, {"plot", "run", "--what", "energy"});
    pequod(folder, {"report", "run"});
    return read_file(folder.path() / "run/energy.svg");
  };
  CHECK(draw().find("fill-opacity") == std::string::npos);
  CHECK(read_file(folder.path() / "run/report.html").find("Estimated errors") == std::string::npos);
  pequod(folder,
         {"run", kRoll, "--integrator", "symplectic-euler", "--output", "run", "--certify"});
  const std::string svg = draw();
  CHECK(svg.find("bands: estimated error") != std::string::npos);
  CHECK(svg.find("class=\"f1\" fill-opacity=\"0.2\" d=\"M") != std::string::npos);
  const std::string report = read_file(folder.path() / "run/report.html");
  CHECK(report.find("Estimated errors at the end") != std::string::npos);
  CHECK(report.find("<th scope=\"row\">ball.position (m)</th><td>0.0") != std::string::npos);
  CHECK(report.find("kinetic ±,0.5,") != std::string::npos);
}

}  // namespace pequod::test
