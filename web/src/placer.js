// Where the links are at a time: the joints of model.json by the columns of state.csv.
import { Quaternion, Vector3 } from "three";

export function vectorOf(pose) {
  return new Vector3(pose[0], pose[1], pose[2]);
}

export function quaternionOf(pose) {
  return new Quaternion(pose[4], pose[5], pose[6], pose[3]);
}

/** The last record at or before t, and how far t is on the way to the next. */
export function recordAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, times.length - 1);
  const span = times[next] - times[low];
  return { record: low, next, part: span > 0 ? Math.min(Math.max((t - times[low]) / span, 0), 1) : 0 };
}

function mixed(column, at) {
  return column[at.record] + at.part * (column[at.next] - column[at.record]);
}

// The chord between two quaternions on one side: records are close to each other.
function mixedQuaternion(columns, at, into) {
  const a = columns.map((column) => column[at.record]);
  const b = columns.map((column) => column[at.next]);
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1;
  const [w, x, y, z] = a.map((x, i) => x + at.part * (sign * b[i] - x));
  return into.set(x, y, z, w).normalize();
}

export class Placer {
  constructor(run) {
    const state = run.tables.state.of;
    this.times = state.t;
    this.links = run.model.links.map((link) => {
      const { joint } = link;
      const get = (...ends) => ends.map((end) => state[joint.columns + end]);
      return {
        parent: link.parent,
        type: joint.type,
        offset: vectorOf(joint.pose),
        turn: quaternionOf(joint.pose),
        axis: joint.axis ? new Vector3(...joint.axis) : null,
        place: joint.type === "free" ? get(".x", ".y", ".z") : null,
        quaternion:
          joint.type === "free" || joint.type === "spherical" ? get(".qw", ".qx", ".qy", ".qz") : null,
        q: joint.axis ? state[joint.columns + ".q"] : null,
      };
    });
    this.positions = this.links.map(() => new Vector3());
    this.quaternions = this.links.map(() => new Quaternion());
    this.scratch = { vector: new Vector3(), quaternion: new Quaternion() };
  }

  /** Fills positions and quaternions. */
  place(at) {
    const { vector, quaternion } = this.scratch;
    this.links.forEach((link, i) => {
      const p = this.positions[i];
      const q = this.quaternions[i];
      if (link.type === "free") {
        p.set(...link.place.map((column) => mixed(column, at)));
        mixedQuaternion(link.quaternion, at, q);
        return;
      }
      p.copy(link.offset);
      q.copy(link.turn);
      if (link.parent >= 0) {
        p.applyQuaternion(this.quaternions[link.parent]).add(this.positions[link.parent]);
        q.premultiply(this.quaternions[link.parent]);
      }
      if (link.type === "prismatic") {
        p.add(vector.copy(link.axis).multiplyScalar(mixed(link.q, at)).applyQuaternion(q));
      } else if (link.type === "revolute") {
        q.multiply(quaternion.setFromAxisAngle(link.axis, mixed(link.q, at)));
      } else {
        q.multiply(mixedQuaternion(link.quaternion, at, quaternion));
      }
    });
  }
}
