// Errors, orders and advice of pequod compare, beside motions that are known.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "test/app/comparison_rows.h"

namespace pequod::test {
namespace {

// A block that slides to rest through a film: x = v₀ m/c (1 − exp(−c t/m)) with c of all its
// corners. Without a closed form of ours, as nobody says how many corners there are.
constexpr const char* kFilm =
    "duration: 0.5\n"
    "record: {every: 0.1}\n"
    "contact: {model: viscous}\n"
    "bodies:\n"
    "  ground: {fixed: true, shape: {plane: {}}}\n"
    "  block: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: "
    "[1, 0, 0]}\n"
    "surfaces: [{between: ['*', '*'], viscous: 2.0}]\n";

double number(const ComparedRow& row, const char* key) {
  return row.at(key).empty() ? NAN : std::stod(row.at(key));
}

// Largest error of x at the rows of a run.
double film_error(const fs::path& folder) {
  const double rate = 4.0 * 2.0;  // 1/s, four corners
  double worst = 0.0;
  const auto rows = read_table(folder / "state.csv");
  for (std::size_t i = 1; i < rows.size(); ++i)
    worst = std::max(
        worst, std::abs(std::stod(rows[i][1]) + std::expm1(-rate * std::stod(rows[i][0])) / rate));
  return worst;
}

}  // namespace

TEST_CASE("errors against the finest run are those against the truth, and bars hold them") {
  const Folder folder;
  folder.write("film.yaml", kFilm);
  const Finished finished =
      pequod(folder, {"compare", "film.yaml", "--integrators", "symplectic-euler,rk4,dopri5",
                      "--steps", "0.02,0.01,0.005", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 9);
  int references = 0;
  for (const ComparedRow& row : rows) {
    CAPTURE(row.at("integrator"));
    CAPTURE(row.at("step"));
    fs::path run;
    for (const auto& entry : fs::directory_iterator(folder.path() / "out"))
      if (entry.is_directory() &&
          entry.path().filename().string().starts_with(row.at("integrator") + "-") &&
          std::abs(
              std::stod(entry.path().filename().string().substr(row.at("integrator").size() + 9)) -
              number(row, "step")) < 1e-9)
        run = entry.path();
    REQUIRE(!run.empty());
    const double truth = film_error(run);
    CHECK(number(row, "error_bar_m") > truth);
    references += row.at("reference") == "1" ? 1 : 0;
    if (row.at("reference") != "1" && truth > 1e-8)
      CHECK(number(row, "error_m") == doctest::Approx(truth).epsilon(0.05));
  }
  CHECK(references == 1);
}

TEST_CASE("the advice follows from the table") {
  const Folder folder;
  folder.write("film.yaml", kFilm);
  const Finished finished =
      pequod(folder, {"compare", "film.yaml", "--integrators", "symplectic-euler,rk4", "--steps",
                      "0.02,0.01,0.005", "--error", "1e-3", "--output", "out"});
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  const ComparedRow* cheapest = nullptr;
  for (const ComparedRow& row : rows)
    if (number(row, "error_m") <= 1e-3 &&
        (cheapest == nullptr ||
         number(row, "processor_time_s") < number(*cheapest, "processor_time_s")))
      cheapest = &row;
  REQUIRE(cheapest != nullptr);
  const std::string advice = finished.out.substr(finished.out.rfind('\n', finished.out.size() - 2));
  CHECK(advice.find("at 0.001 m the cheapest is " + cheapest->at("integrator") + " x viscous") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(read_file(folder.path() / "out/comparison.json"));
  CHECK("\n" + json["advice"].get<std::string>() + "\n" == advice);
  CHECK(json["rows"].size() == rows.size());
  CHECK(json["norm"].get<std::string>().find("largest distance") == 0);
  // Rows of a pair stand together, pairs by their error at equal cost.
  double before = 0.0;
  for (const ComparedRow& row : rows) {
    CHECK(number(row, "error_at_equal_cost_m") >= before);
    before = number(row, "error_at_equal_cost_m");
  }
}

TEST_CASE("a comparison takes the closed form of a scene that has one as reference") {
  const Folder folder;
  const std::string scene = fs::absolute("examples/analytic/slide_to_rest.yaml").string();
  const Finished finished =
      pequod(folder, {"compare", scene, "--integrators", "symplectic-euler,rk4", "--models",
                      "coulomb,no-slip", "--steps", "0.02,0.01", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  CHECK(finished.out.find("of coulomb: against the closed form") != std::string::npos);
  CHECK(finished.out.find("of no-slip: against its finest run") != std::string::npos);
  for (const ComparedRow& row : read_comparison(folder.path() / "out/comparison.csv")) {
    if (row.at("model") != "coulomb") continue;
    CHECK(row.at("reference") == "0");
    // v₀ h/2 of a motion at 2 m/s whose positions go by the speed after each step.
    const double asked = row.at("integrator") == "rk4" ? 1e-12 : 1.05 * number(row, "step");
    CHECK(number(row, "error_m") < asked);
    if (row.at("integrator") != "rk4") CHECK(number(row, "error_m") > 0.9 * number(row, "step"));
  }
}

}  // namespace pequod::test
