#include "test/pairs/pair.h"

#include <fmt/format.h>

#include "contact/models/contact_model.h"
#include "integrators/integrator.h"
#include "test/scene/fixture.h"
#include "test/support/random.h"

namespace pequod::test {
namespace {

constexpr const char* kMotions[] = {"trot", "stand", "upside-down", "thrown"};
constexpr const char* kGrounds[] = {"flat", "rough"};

const char* text(PairMotion motion) { return nth(kMotions, motion); }
const char* text(PairGround ground) { return nth(kGrounds, ground); }

const std::string kTrot = "{type: trot, velocity: [0.4, 0.05, 0.1]}";

std::string ground_text(const Pair& pair) {
  if (pair.ground == PairGround::flat) return "ground: {fixed: true, shape: {plane: {}}}";
  const std::string file = fs::absolute("examples/terrain/rough.dat").string();
  return fmt::format(
      "ground: {{fixed: true, shape: {{heightfield: {{file: {}, size: [14.1, 6], height: {}}}}}}}",
      file, 0.06 * pair.robot.height);
}

std::string vector_text(const Vector3d& x) {
  return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z());
}

std::string base_text(const Pair& pair, Random& random) {
  const double high = 2.0 * pair.robot.height + 0.1;
  switch (pair.motion) {
    case PairMotion::trot:
    case PairMotion::stand:
      return "{position: [0, 0]}";
    case PairMotion::upside_down:
      return fmt::format("{{position: [0, 0, {}], orientation: {{rpy: [3.0, 0.1, 0.4]}}}}", high);
    case PairMotion::thrown:
      return fmt::format(
          "{{position: [0, 0, {}], orientation: {{rpy: {}}}, velocity: {}, angular_velocity: {}}}",
          high, vector_text(random.vector(1.5)),
          vector_text(random.vector(1.0) + Vector3d::UnitZ()), vector_text(random.vector(4.0)));
  }
  return {};
}

std::string controller_text(const Pair& pair) {
  if (pair.motion == PairMotion::trot) return "    controller: " + pair.robot.trot + "\n";
  if (pair.motion == PairMotion::upside_down) return "";  // its joints swing freely
  return fmt::format("    controller: {{type: pd, kp: {}, kd: {}}}\n", pair.robot.kp,
                     pair.robot.kp / 40.0);
}

std::string joints_text(const Pair& pair, Random& random) {
  const PairRobot& robot = pair.robot;
  if (pair.motion == PairMotion::trot && !robot.walks_from_posture) return "";
  std::string text = "    joints:\n";
  for (std::size_t leg = 0; leg < robot.legs.size(); ++leg)
    for (std::size_t j = 0; j < robot.joints.size(); ++j)
      text += fmt::format("      {}{}: {{position: {}, velocity: {}}}\n", robot.legs[leg],
                          robot.joints[j], robot.posture[leg][static_cast<Eigen::Index>(j)],
                          pair.motion == PairMotion::thrown ? random.uniform(-8.0, 8.0) : 0.0);
  return text;
}

}  // namespace

std::string name_of(const Pair& pair) {
  const PairLaw& law = pair.law;
  return fmt::format("{}/{}/{}/{}{}/{}{}/{}/{}", pair.robot.name, text(pair.motion),
                     text(pair.ground), law.integrator, law.tolerance > 0.0 ? "-adaptive" : "",
                     law.model, law.implicit_viscous ? "-implicit" : "", law.level, law.scheme);
}

std::vector<PairRobot> example_robots() {
  const Vector3d mara(0.0, 0.6, -1.2), links(0.3927, 0.7854, 1.5708);
  const fs::path folder = fs::absolute("examples/robots");
  return {{"mara",
           folder / "mara.urdf",
           {"LF", "RF", "LH", "RH"},
           {"_abduction", "_hip", "_knee"},
           {mara, mara, mara, mara},
           kTrot,
           false,
           250.0,
           0.45,
           20.0},
          {"links",
           folder / "links.urdf",
           {"LF", "RF", "LH", "RH"},
           {"_1", "_2", "_3"},
           {links, -links, -links, links},
           "{type: links-trot, velocity: [0.05, 0, 0]}",
           true,
           10.0,
           0.14,
           0.5}};
}

std::vector<PairRobot> public_robots(const fs::path& shared) {
  const fs::path folder = fs::absolute(shared / "robots/example-robot-data/robots");
  const Vector3d a1(0.0, 0.8, -1.6), solo(0.0, 0.7, -1.4), fore(0.0, 0.4, -0.8),
      hind(0.0, -0.4, 0.8);
  return {{"a1",
           folder / "a1_description/urdf/a1.urdf",
           {"FL", "FR", "RL", "RR"},
           {"_hip_joint", "_thigh_joint", "_calf_joint"},
           {a1, a1, a1, a1},
           kTrot,
           false,
           100.0,
           0.28,
           8.0},
          {"anymal",
           folder / "anymal_b_simple_description/robots/anymal.urdf",
           {"LF", "RF", "LH", "RH"},
           {"_HAA", "_HFE", "_KFE"},
           {fore, fore, hind, hind},
           kTrot,
           false,
           250.0,
           0.45,
           20.0},
          {"solo",
           folder / "solo_description/robots/solo12.urdf",
           {"FL", "FR", "HL", "HR"},
           {"_HAA", "_HFE", "_KFE"},
           {solo, solo, solo, solo},
           kTrot,
           false,
           15.0,
           0.25,
           2.0}};
}

std::vector<PairLaw> pair_laws() {
  std::vector<PairLaw> laws;
  for (const IntegratorInfo& integrator : integrators())
    for (const ContactModel& model : contact_models())
      for (const ContactLevel level : {ContactLevel::velocity, ContactLevel::acceleration}) {
        if (!has_level(model, level)) continue;
        PairLaw law{std::string(integrator.name), std::string(model.name),
                    std::string(level_name(level)), "event-driven"};
        laws.push_back(law);
        if (model.viscous && integrator.name == "symplectic-euler") {
          law.implicit_viscous = true;
          laws.push_back(law);
        }
        if (level == ContactLevel::acceleration && integrator.name == "dopri5") {
          law.tolerance = 1e-7;
          laws.push_back(law);
        }
        if (level != ContactLevel::velocity) continue;
        law.scheme = "time-stepping";
        laws.push_back(law);
      }
  return laws;
}

std::vector<Pair> all_pairs(const std::vector<PairRobot>& robots) {
  std::vector<Pair> pairs;
  for (const PairRobot& robot : robots)
    for (const PairMotion motion :
         {PairMotion::trot, PairMotion::stand, PairMotion::upside_down, PairMotion::thrown})
      for (const PairGround ground : {PairGround::flat, PairGround::rough})
        for (const PairLaw& law : pair_laws()) pairs.push_back({robot, motion, ground, law});
  return pairs;
}

std::vector<Pair> sample_of_pairs(const std::vector<PairRobot>& robots) {
  const std::vector<Pair> all = all_pairs(robots);
  const std::size_t laws = pair_laws().size(), cases = all.size() / laws;
  constexpr std::size_t kStride = 7;  // no divisor of the number of cases
  std::vector<Pair> sample;
  for (std::size_t i = 0; i < laws; ++i) sample.push_back(all[i * kStride % cases * laws + i]);
  return sample;
}

std::string scene_of(const Pair& pair) {
  const PairLaw& law = pair.law;
  Random random(18);
  const std::string joints = joints_text(pair, random);
  return fmt::format(
             "duration: 1.5\nintegrator: {{method: {}, step: 0.001, tolerance: {}}}\n"
             "contact: {{model: {}, level: {}, scheme: {}, viscous: {}}}\nbodies:\n  {}\n",
             law.integrator, law.tolerance, law.model, law.level, law.scheme,
             law.implicit_viscous ? "implicit" : "explicit", ground_text(pair)) +
         fmt::format(
             "surfaces:\n  - {{between: [\"*\", \"*\"], friction: 0.7, viscous: {}, restitution: "
             "0.2}}\nrobots:\n  dog:\n    urdf: {}\n    base: {}\n",
             pair.robot.viscous, pair.robot.urdf, base_text(pair, random)) +
         joints + controller_text(pair);
}

}  // namespace pequod::test
