// Energy and events over time, beneath the motion.

const COLUMNS = [
  ["kinetic", "kinetic", "--c0"],
  ["potential", "potential − start", "--c1"],
  ["total", "total − start", "--c2"],
];

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Sizes a canvas for its place on the screen. @return its context in CSS px */
function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Lines of the runs' energies, the second one's dashed. */
export function drawEnergy(canvas, runs, [from, to]) {
  const { context, width, height } = prepare(canvas);
  const lines = runs.flatMap((run, r) =>
    COLUMNS.map(([name, label, colour]) => {
      const values = run.tables.energy.of[name];
      return { t: run.tables.energy.of.t, values, start: name === "kinetic" ? 0 : values[0], label, colour, r };
    }),
  );
  let low = 0;
  let high = 0;
  for (const { values, start } of lines) {
    for (const value of values) {
      low = Math.min(low, value - start);
      high = Math.max(high, value - start);
    }
  }
  const span = high - low || 1;
  const y = (value) => height - 4 - ((value - low) / span) * (height - 22);
  context.strokeStyle = colourOf("--line");
  context.beginPath();
  context.moveTo(0, y(0));
  context.lineTo(width, y(0));
  context.stroke();
  for (const { t, values, start, colour, r } of lines) {
    context.strokeStyle = colourOf(colour);
    context.setLineDash(r ? [4, 3] : []);
    context.lineWidth = 1.5;
    context.beginPath();
    const every = Math.max(1, Math.floor(t.length / (4 * width)));
    for (let i = 0; i < t.length; i += every)
      context.lineTo(((t[i] - from) / (to - from)) * width, y(values[i] - start));
    context.stroke();
  }
  context.setLineDash([]);
  context.font = "12px system-ui, sans-serif";
  let x = 2;
  const write = (text, colour) => {
    context.fillStyle = colourOf(colour);
    context.fillText(text, x, 12);
    x += context.measureText(text).width + 14;
  };
  for (const [, label, colour] of COLUMNS) write(label, colour);
  write(`${low.toPrecision(3)} … ${high.toPrecision(3)} J${runs.length > 1 ? ", second run dashed" : ""}`, "--ink");
}

const KINDS = { impact: "--c1", "lift-off": "--c0", touch: "--c2" };

/** Events of one run, in order, one for each instant and kind. */
export function eventsOf(run) {
  const { events } = run.tables;
  const list = [];
  for (let i = 0; i < events.rows; ++i) {
    const word = (column) => events.words[events.of[column][i]];
    const last = list.at(-1);
    const t = events.of.t[i];
    const kind = word("kind");
    const pair = [word("a"), word("b")].filter(Boolean).join(" – ");
    if (last && last.t === t && last.kind === kind) last.more += 1;
    else list.push({ t, kind, pair, more: 0 });
  }
  return list;
}

export function drawEvents(canvas, events, [from, to]) {
  const { context, width, height } = prepare(canvas);
  let drawn = {};
  for (const { t, kind } of events) {
    const x = Math.round(((t - from) / (to - from)) * width * 2) / 2;
    const colour = KINDS[kind] ?? "--c3";
    if (drawn[colour] === x) continue; // nobody sees more
    drawn[colour] = x;
    context.fillStyle = colourOf(colour);
    context.fillRect(x, 0, 1, height);
  }
}
