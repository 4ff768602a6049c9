// What a body does at a time, in words.

const number = (x) => (Math.abs(x) < 5e-13 ? "0" : x.toPrecision(4));

/** Text for the panel: the record before the time. */
export function reading(view, link) {
  const { run, at } = view;
  const { joint, mass } = run.model.links[link];
  const state = run.tables.state.of;
  const value = (end) => state[joint.columns + end]?.[at.record];
  const triple = (...ends) => ends.map((end) => number(value(end))).join("  ");
  const p = view.placer.positions[link];
  const lines = [`mass ${number(mass)} kg`, `position ${[p.x, p.y, p.z].map(number).join("  ")} m`];
  if (joint.type === "free") {
    lines.push(`velocity ${triple(".vx", ".vy", ".vz")} m/s`, `turning ${triple(".wx", ".wy", ".wz")} rad/s`);
  } else if (joint.axis) {
    const angle = joint.type === "revolute" ? "rad" : "m";
    lines.push(`joint ${joint.columns}`, `q ${number(value(".q"))} ${angle}`, `v ${number(value(".v"))} ${angle}/s`,
      `effort ${number(value(".tau"))} ${joint.type === "revolute" ? "N·m" : "N"}`);
  } else {
    lines.push(`joint ${joint.columns}`, `turning ${triple(".wx", ".wy", ".wz")} rad/s`);
  }
  return lines.concat(touching(view, link)).join("\n");
}

function touching(view, link) {
  const { contacts } = view.run.tables;
  const { a, b, fn } = contacts.of;
  const mine = new Set(view.run.model.frames.filter((frame) => frame.link === link).map((frame) => frame.name));
  const lines = [];
  for (let r = view.firstOf[view.at.record]; r < view.firstOf[view.at.record + 1]; ++r) {
    const i = view.rowsOf[r];
    const names = [contacts.words[a[i]], contacts.words[b[i]]];
    const other = mine.has(names[0]) ? names[1] : mine.has(names[1]) ? names[0] : null;
    if (other !== null && lines.length < 8) lines.push(`touches ${other}: ${number(fn[i])} N`);
  }
  return lines;
}
