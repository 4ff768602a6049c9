#include "simulation/record/run_folder_rows.h"

#include <initializer_list>

#include "simulation/record/csv.h"

namespace pequod {
namespace {

const Joint& joint_of(const Model& model, int link) { return nth(model.links, link).joint; }

bool is_free(const Model& model, const Entity& entity) {
  return entity.base_link >= 0 && joint_of(model, entity.base_link).type == JointType::free;
}

void append_names(std::string& line, const std::string& owner,
                  std::initializer_list<const char*> columns) {
  for (const char* column : columns) line += "," + owner + column;
}

void append_cell(std::string& line, double x) {
  line += ',';
  append_number(line, x);
}

template <typename Vector>
void append_cells(std::string& line, const Vector& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) append_cell(line, x[i]);
}

const std::string& shape_name(const Model& model, int shape) {
  const int frame = nth(model.shapes, shape).frame;
  return nth(model.frames, frame).name;
}

// ",a,b" of a contact, or of a joint and which of its limits it meets.
void append_sides(std::string& line, const Model& model, const ContactKey& key) {
  if (is_joint_limit(key)) {
    line += "," + joint_name(model, -1 - key.shape_a);
    line += key.feature == 0 ? ",lower" : ",upper";
    return;
  }
  line += "," + shape_name(model, key.shape_a) + "," + shape_name(model, key.shape_b);
}

// ",kind,a,b" of a contact, of a joint that meets its limit, or of what has no pair.
void append_pair(std::string& line, const Model& model, const EventRow& row) {
  if (row.kind == EventKind::fallback || row.kind == EventKind::suspect) {
    line += ',';
    line += event_name(row.kind);
    line += ",,";
    return;
  }
  if (row.kind == EventKind::joint_stick || row.kind == EventKind::joint_slip) {
    constexpr const char* kDirection[] = {",backward", ",", ",forward"};
    line += ',';
    line += event_name(row.kind);
    line += "," + joint_name(model, -1 - row.key.shape_a) + kDirection[row.key.feature];
    return;
  }
  line += ',';
  line += is_joint_limit(row.key) ? "limit" : event_name(row.kind);
  append_sides(line, model, row.key);
}

}  // namespace

std::string state_header(const Model& model) {
  std::string line = "t";
  for (const Entity& entity : model.entities)
    if (is_free(model, entity))
      append_names(
          line, entity.name,
          {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz", ".vx", ".vy", ".vz", ".wx", ".wy", ".wz"});
  for (const NamedJoint& joint : model.joints) {
    if (joint_of(model, joint.link).type == JointType::spherical)
      append_names(line, joint.name, {".qw", ".qx", ".qy", ".qz", ".wx", ".wy", ".wz"});
    else
      append_names(line, joint.name, {".q", ".v", ".tau"});
  }
  return line + "\n";
}

void append_state(std::string& lines, const Model& model, const State& state) {
  append_number(lines, state.t);
  for (const Entity& entity : model.entities) {
    if (!is_free(model, entity)) continue;
    const Joint& base = joint_of(model, entity.base_link);
    append_cells(lines, state.q.segment<7>(base.q_index));
    append_cells(lines, state.v.segment<3>(base.v_index + 3));
    append_cells(lines, state.v.segment<3>(base.v_index));
  }
  for (const NamedJoint& named : model.joints) {
    const Joint& joint = joint_of(model, named.link);
    if (joint.type == JointType::spherical) {
      append_cells(lines, state.q.segment<4>(joint.q_index));
      append_cells(lines, state.v.segment<3>(joint.v_index));
      continue;
    }
    append_cell(lines, state.q[joint.q_index]);
    append_cell(lines, state.v[joint.v_index]);
    append_cell(lines, state.tau[joint.v_index]);
  }
  lines += '\n';
}

std::string energy_header() {
  return "t,kinetic,potential,total,actuator_work,external_work,damping_loss,friction_loss,"
         "impact_loss,zeno_loss,stabilisation,normal_loss,residual\n";
}

void append_energy(std::string& lines, const State& state, const EnergyReport& energy) {
  const Ledger& ledger = state.ledger;
  append_number(lines, state.t);
  for (const double x :
       {energy.kinetic, energy.potential, energy.total, ledger.actuator_work, ledger.external_work,
        ledger.damping_loss, ledger.friction_loss, ledger.impact_loss, ledger.zeno_loss,
        ledger.stabilisation, ledger.normal_loss, energy.residual})
    append_cell(lines, x);
  lines += '\n';
}

std::string events_header() {
  return "t,kind,a,b,px,py,pz,nx,ny,nz,normal_speed_before,normal_speed_after,impulse_n,impulse_t,"
         "energy_change\n";
}

void append_event(std::string& lines, const Model& model, const EventRow& row) {
  append_number(lines, row.t);
  append_pair(lines, model, row);
  append_cells(lines, row.p_W);
  append_cells(lines, row.n_W);
  for (const double x :
       {row.speed_before, row.speed_after, row.impulse_n, row.impulse_t, row.energy_change})
    append_cell(lines, x);
  lines += '\n';
}

std::string contacts_header() { return "t,a,b,px,py,pz,nx,ny,nz,gap,fn,ftx,fty,ftz\n"; }

void append_contacts(std::string& lines, const Model& model, const State& state) {
  for (const ContactMode& mode : state.mode) {
    if (is_joint_limit(mode.key) || (!mode.closed && mode.force_W.isZero(0.0))) continue;
    append_number(lines, state.t);
    lines += "," + shape_name(model, mode.key.shape_a) + "," + shape_name(model, mode.key.shape_b);
    append_cells(lines, mode.point_W);
    append_cells(lines, mode.normal_W);
    append_cell(lines, mode.gap);
    const double fn = mode.normal_W.dot(mode.force_W);
    append_cell(lines, fn);
    append_cells(lines, Vector3d(mode.force_W - fn * mode.normal_W));
    lines += '\n';
  }
}

std::string steps_header() {
  return "t,h,contacts,pivots,residual,smallest_gap,dynamics_time,collision_time,contact_time,"
         "control_time\n";
}

void append_step(std::string& lines, const StepReport& report) {
  append_number(lines, report.t);
  append_cell(lines, report.h);
  lines += ',';
  append_number(lines, static_cast<std::int64_t>(report.contacts));
  lines += ',';
  append_number(lines, static_cast<std::int64_t>(report.stats.pivots));
  append_cell(lines, report.stats.residual);
  append_cell(lines, report.smallest_gap);
  const StepTimes& times = report.times;
  for (const double x : {times.dynamics, times.collision, times.contact, times.control})
    append_cell(lines, x);
  lines += '\n';
}

std::string shadow_header() {
  return "t,span,kind,model,solved,contacts,impulse,difference,a,b,motion,loss,residual\n";
}

void append_shadow(std::string& lines, const Model& model, const ShadowRow& row) {
  append_number(lines, row.t);
  append_cell(lines, row.span);
  lines += row.span > 0.0 ? ",step," : ",impact,";
  lines += row.model;
  lines += row.reason.empty() ? ",1" : ",0";
  append_cell(lines, row.contacts);
  append_cell(lines, row.impulse);
  append_cell(lines, row.difference);
  if (row.difference > 0.0)
    append_sides(lines, model, row.where);
  else
    lines += ",,";
  for (const double x : {row.motion, row.loss, row.residual}) append_cell(lines, x);
  lines += '\n';
}

}  // namespace pequod
