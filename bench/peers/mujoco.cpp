// MuJoCo. Settings are attributes of <option> (integrator, solver, cone, impratio, iterations,
// tolerance, noslip_iterations), solref and solimp of all contacts, their numbers separated by
// commas, and rows: the constraint rows that there is room for, per body.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "bench/peers/engine.h"

namespace peers {
namespace {

std::string text(const Vector3d& v) {
  std::ostringstream out;
  out.precision(17);
  out << v.x() << ' ' << v.y() << ' ' << v.z();
  return out.str();
}
std::string text(const Quaterniond& q) {
  std::ostringstream out;
  out.precision(17);
  out << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z();
  return out.str();
}

/// The scene as MJCF.
class Document {
 public:
  Document(const Scene& scene, Settings settings) : scene_(scene) {
    out_.precision(17);
    const std::size_t bodies = scene.bodies.size();
    const double rows = take_number(settings, "rows", bodies > 200 ? 25.0 : 100.0);
    out_ << "<mujoco>\n<compiler angle='radian'/>\n<default><geom condim='"
         << (scene.friction > 0.0 ? 3 : 1) << "' friction='" << scene.friction << " 0 0'";
    for (const char* name : {"solref", "solimp"}) write_contact(settings, name);
    out_ << "/></default>\n<option timestep='" << scene.step << "' gravity='0 0 " << -scene.gravity
         << "'";
    for (const char* name : {"integrator", "solver", "cone", "impratio", "iterations", "tolerance",
                             "noslip_iterations"}) {
      if (!settings.contains(name)) continue;
      out_ << ' ' << name << "='" << settings.at(name) << "'";
      settings.erase(name);
    }
    refuse_others(settings);
    // Few bodies find the sizes of MuJoCo's own guess large enough. Beyond 10 000 rows the square
    // matrix that it keeps of them makes its data pass 2 GB, which it refuses.
    out_ << "/>\n";
    if (bodies > 20)
      out_ << "<size njmax='" << static_cast<long>(rows) * static_cast<long>(bodies)
           << "' nconmax='" << 40 * bodies << "' nstack='" << (bodies > 200 ? 120 : 20)
           << "000000'/>\n";
    write_world();
    out_ << "</mujoco>\n";
  }

  [[nodiscard]] std::string str() const { return out_.str(); }

 private:
  void write_contact(Settings& settings, const char* name) {
    const auto found = settings.find(name);
    if (found == settings.end()) return;
    std::string numbers = found->second;
    std::replace(numbers.begin(), numbers.end(), ',', ' ');
    out_ << ' ' << name << "='" << numbers << "'";
    settings.erase(found);
  }

  void write_world() {
    out_ << "<worldbody>\n";
    for (const Plane& plane : scene_.planes)
      out_ << "<geom type='plane' size='0 0 1' pos='" << text(plane.offset * plane.normal)
           << "' quat='" << text(Quaterniond::FromTwoVectors(Vector3d::UnitZ(), plane.normal))
           << "'/>\n";
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      if (scene_.bodies[i].hinge.parent < 0) write_body(static_cast<int>(i));
    out_ << "</worldbody>\n";
  }

  void write_body(int index) {
    const Body& body = at(scene_.bodies, index);
    out_ << "<body name='" << body.name << "' pos='";
    if (body.hinge.parent < 0)
      out_ << text(body.start.p) << "' quat='" << text(body.start.q) << "'><freejoint/>";
    else
      out_ << text(body.hinge.p_PJ) << "'><joint type='hinge' axis='" << text(body.hinge.axis)
           << "'/>";
    out_ << "<inertial pos='" << text(body.com) << "' mass='" << body.mass << "' diaginertia='"
         << text(body.inertia) << "'/>";
    if (const Ball* ball = std::get_if<Ball>(&body.shape))
      out_ << "<geom type='sphere' size='" << ball->radius << "' pos='" << text(body.p_BS) << "'/>";
    if (const Box* box = std::get_if<Box>(&body.shape))
      out_ << "<geom type='box' size='" << text(box->half) << "' pos='" << text(body.p_BS) << "'/>";
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      if (scene_.bodies[i].hinge.parent == index) write_body(static_cast<int>(i));
    out_ << "</body>\n";
  }

  const Scene& scene_;
  std::ostringstream out_;
};

mjModel* load(const std::string& document) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(document.size()));
  std::memcpy(files->filedata[0], document.data(), document.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

class MuJoCo : public Engine {
 public:
  MuJoCo(const Scene& scene, const Settings& settings)
      : robot_(scene.robot),
        motors_(scene.motors),
        model_(load(Document(scene, settings).str()), mj_deleteModel),
        data_(mj_makeData(model_.get()), mj_deleteData) {
    for (const Body& body : scene.bodies)
      bodies_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, body.name.c_str()));
    if (robot_) std::copy(motors_.angles.begin(), motors_.angles.end(), data_->qpos + kFreeQ);
  }

  void step(double t) override {
    if (robot_) {
      std::copy_n(data_->qpos + kFreeQ, q_.size(), q_.begin());
      std::copy_n(data_->qvel + kFreeV, v_.size(), v_.begin());
      motors_.efforts(t, q_, v_, tau_);
      std::copy(tau_.begin(), tau_.end(), data_->qfrc_applied + kFreeV);
    }
    mj_step(model_.get(), data_.get());
  }

  void read_poses(std::vector<Pose>& poses) override {
    mj_kinematics(model_.get(), data_.get());  // a step leaves those of its beginning
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const mjtNum* p = data_->xpos + 3 * bodies_[i];
      const mjtNum* q = data_->xquat + 4 * bodies_[i];
      poses[i] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
    }
  }

  bool accelerate() override {
    mj_fwdPosition(model_.get(), data_.get());
    mj_fwdVelocity(model_.get(), data_.get());
    mj_fwdActuation(model_.get(), data_.get());
    mj_fwdAcceleration(model_.get(), data_.get());
    return true;
  }

  [[nodiscard]] std::string complaint() const override {
    const bool full = data_->warning[mjWARN_CNSTRFULL].number > 0 ||
                      data_->warning[mjWARN_CONTACTFULL].number > 0;
    return full ? "drops contacts: no room" : "";
  }

 private:
  static constexpr int kFreeQ = 7, kFreeV = 6;  // coordinates of the base, before the joints

  bool robot_;
  Motors motors_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
  std::vector<int> bodies_;
  Joints q_ = Joints(motors_.size()), v_ = q_, tau_ = q_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&,
                                    const Settings& settings) {
  return std::make_unique<MuJoCo>(scene, settings);
}

}  // namespace peers
