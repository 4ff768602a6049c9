// model.json of a run folder: with state.csv it says where everything is.
#include <Eigen/Geometry>
#include <map>
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {
namespace {

using Json = nlohmann::json;
using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const fs::path& path) {
  const auto table = read_table(path);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    Row row;
    for (std::size_t c = 0; c < table[0].size(); ++c) row[table[0][c]] = table[i][c];
    rows.push_back(row);
  }
  return rows;
}

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

Eigen::Isometry3d pose(const std::vector<double>& x) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(x[3], x[4], x[5], x[6]).toRotationMatrix();
  X.translation() = Eigen::Vector3d(x[0], x[1], x[2]);
  return X;
}

// The product of joints, as docs/run-folder.md says it.
std::vector<Eigen::Isometry3d> link_poses(const Json& model, const Row& row) {
  std::vector<Eigen::Isometry3d> poses;
  for (const Json& link : model["links"]) {
    const Json& joint = link["joint"];
    const std::string type = joint["type"], columns = joint["columns"];
    Eigen::Isometry3d X = pose(joint["pose"]);
    if (const int parent = link["parent"]; parent >= 0) X = nth(poses, parent) * X;
    const auto values = [&](std::initializer_list<const char*> names) {
      std::vector<double> all;
      for (const char* name : names) all.push_back(number(row, columns + name));
      return all;
    };
    if (type == "free") {
      X = pose(values({".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}));
    } else if (type == "spherical") {
      const std::vector<double> q = values({".qw", ".qx", ".qy", ".qz"});
      X = X * pose({0.0, 0.0, 0.0, q[0], q[1], q[2], q[3]});
    } else {
      const std::vector<double> a = joint["axis"];
      const Eigen::Vector3d axis(a[0], a[1], a[2]);
      const double q = number(row, columns + ".q");
      if (type == "revolute")
        X = X * Eigen::AngleAxisd(q, axis);
      else
        X = X * Eigen::Translation3d(q * axis);
    }
    poses.push_back(X);
  }
  return poses;
}

}  // namespace

// The points of contacts.csv come from the collision code, which knows nothing of these files.
TEST_CASE("shapes placed by model.json and state.csv touch where contacts.csv says") {
  const Folder folder;
  const std::string scene = fs::absolute("examples/quadruped/links_viscous_flat.yaml").string();
  REQUIRE(pequod(folder, {"run", scene, "--output", "out", "--duration", "0.2"}).code == 0);
  const Json model = Json::parse(read_file(folder.path() / "out/model.json"));
  const std::vector<Row> states = rows_of(folder.path() / "out/state.csv");
  std::map<std::string, std::vector<Eigen::Isometry3d>> poses;
  for (const Row& row : states) poses[row.at("t")] = link_poses(model, row);

  int points = 0;
  double worst = 0.0;
  for (const Row& row : rows_of(folder.path() / "out/contacts.csv")) {
    const Eigen::Vector3d point(number(row, "px"), number(row, "py"), number(row, "pz"));
    for (const Json& shape : model["shapes"]) {
      const std::string frame = model["frames"][shape["frame"].get<std::size_t>()]["name"];
      if (shape["type"] != "sphere" || (frame != row.at("a") && frame != row.at("b"))) continue;
      const std::size_t link = shape["link"];
      const Eigen::Vector3d centre =
          (poses.at(row.at("t"))[link] * pose(shape["pose"])).translation();
      worst = std::max(worst, std::abs((point - centre).norm() - shape["radius"].get<double>()));
      ++points;
    }
  }
  CHECK(points > 20);
  CHECK_MESSAGE(worst <= 1e-9, worst);
}

TEST_CASE("model.json tells every kind of shape, and is the same after a resume") {
  const Folder folder;
  folder.write("all.yaml", R"(duration: 0.01
bodies:
  floor: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1]}
  crate: {mass: 1, shape: {box: {size: [0.1, 0.2, 0.3]}}, position: [1, 0, 1]}
  pill: {mass: 1, shape: {capsule: {radius: 0.1, length: 0.4}}, position: [2, 0, 1]}
  can: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.4}}, position: [3, 0, 1]}
  hat: {mass: 1, shape: {cone: {radius: 0.1, length: 0.4}}, position: [4, 0, 1]}
)");
  REQUIRE(pequod(folder, {"run", "all.yaml", "--output", "out"}).code == 0);
  const std::string text = read_file(folder.path() / "out/model.json");
  std::vector<std::string> types;
  const Json model = Json::parse(text);
  for (const Json& shape : model["shapes"]) types.push_back(shape["type"]);
  CHECK(types == std::vector<std::string>{"plane", "sphere", "box", "capsule", "cylinder", "cone"});
  CHECK(model["shapes"][2]["size"] == Json({0.1, 0.2, 0.3}));
  CHECK(model["shapes"][0]["link"] == -1);
  REQUIRE(pequod(folder, {"run", "all.yaml", "--output", "out", "--duration", "0.02", "--resume"})
              .code == 0);
  CHECK(read_file(folder.path() / "out/model.json") == text);
}

}  // namespace pequod::test
