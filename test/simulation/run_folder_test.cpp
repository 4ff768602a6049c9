#include "simulation/record/run_folder.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "simulation/record/run_folder_rows.h"

namespace pequod {
namespace {

namespace fs = std::filesystem;

class TakenFolder {
 public:
  TakenFolder()
      : path(fs::temp_directory_path() / ("pequod-folder-" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~TakenFolder() { fs::remove_all(path); }
  TakenFolder(const TakenFolder&) = delete;
  TakenFolder& operator=(const TakenFolder&) = delete;
  const fs::path path;
};

// A ball and a fixed-base robot with a hinge and a ball joint.
Model ball_and_robot() {
  Robot robot;
  const Matrix3d inertia = 0.01 * Matrix3d::Identity();
  for (const char* name : {"base", "arm", "hand"}) {
    RobotLink link;
    link.name = name;
    link.mass = 1.0;
    link.inertia = inertia;
    robot.links.push_back(link);
  }
  RobotJoint elbow, wrist;
  elbow.name = "elbow";
  elbow.type = RobotJointType::revolute;
  elbow.parent = "base";
  elbow.child = "arm";
  wrist.name = "wrist";
  wrist.type = RobotJointType::spherical;
  wrist.parent = "arm";
  wrist.child = "hand";
  robot.joints = {elbow, wrist};
  ModelBuilder builder;
  builder.add_free_body("ball", {1.0, Vector3d::Zero(), inertia}, {{Sphere{0.1}, {}}});
  builder.add_robot("bot", robot, true, {}, false);
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  return builder.build();
}

}  // namespace

TEST_CASE("the columns of state.csv are those of docs/run-folder.md") {
  CHECK(state_header(ball_and_robot()) ==
        "t,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,ball.vx,ball.vy,ball.vz,ball.wx,"
        "ball.wy,ball.wz,bot/elbow.q,bot/elbow.v,bot/elbow.tau,bot/wrist.qw,bot/wrist.qx,"
        "bot/wrist.qy,bot/wrist.qz,bot/wrist.wx,bot/wrist.wy,bot/wrist.wz\n");
}

TEST_CASE("a row of state.csv has the linear velocity first") {
  const Model model = ball_and_robot();
  State state = make_state(model);
  state.t = 0.1;
  state.q.head<3>() << 1.0, 2.0, 3.0;
  state.v.head<6>() << 4.0, 5.0, 6.0, 7.0, 8.0, 9.0;
  std::string line;
  append_state(line, model, state);
  CHECK(line == "0.10000000000000001,1,2,3,1,0,0,0,7,8,9,4,5,6,0,0,0,1,0,0,0,0,0,0\n");
}

TEST_CASE("a joint limit has a row of its own kind in events.csv and none in contacts.csv") {
  const Model model = ball_and_robot();
  const int elbow = model.joints[0].link;
  EventRow row;
  row.t = 0.5;
  row.key = joint_limit_key(elbow, true);
  std::string line;
  append_event(line, model, row);
  CHECK(line == "0.5,limit,bot/elbow,upper,0,0,0,0,0,0,0,0,0,0,0\n");

  State state = make_state(model);
  ContactMode limit, contact;
  limit.key = row.key;
  contact.key = {1, 0, 0};
  contact.normal_W = {0.0, 0.0, 1.0};
  contact.force_W = {1.0, 0.0, 10.0};
  state.mode = {limit, contact};
  line.clear();
  append_contacts(line, model, state);
  CHECK(line == "0,ground,ball,0,0,0,0,0,1,0,10,1,0,0\n");
  state.mode[1].closed = false;
  state.mode[1].force_W.setZero();
  line.clear();
  append_contacts(line, model, state);
  CHECK(line.empty());
}

TEST_CASE("a line file goes on behind the bytes it keeps") {
  const TakenFolder folder;
  const fs::path path = folder.path / "log.csv";
  {
    LineFile file(path, 0);
    file.append("one\ntwo\n");
    CHECK(file.size() == 8);
    file.close();
  }
  {
    LineFile file(path, 4);
    file.append("three\n");
    file.close();
  }
  CHECK(read_file(path) == "one\nthree\n");
  CHECK_THROWS_WITH_AS(LineFile(path, 100),
                       (path.string() + ": holds 10 bytes, the checkpoint counts 100").c_str(),
                       FileError);
}

TEST_CASE("a file is replaced as a whole or not at all") {
  const TakenFolder folder;
  const fs::path path = folder.path / "summary.json";
  replace_file(path, "old", true);
  replace_file(path, "new", false);
  CHECK(read_file(path) == "new");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
  CHECK_THROWS_AS(replace_file(folder.path / "missing" / "x", "y", false), FileError);
}

}  // namespace pequod
