// One panel of a figure as a plot: lines with their bands, or lanes of bars and ticks.
import uPlot from "uplot";

const HEIGHT = 220;
const LANE = 22;
const FOOT = 34; // of the time axis
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
const HUES = 7;

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const hue = (i) => colourOf(`--c${i % HUES}`);
// Of #rgb or #rrggbb a fifth.
const transparent = (colour) => colour + (colour.length === 4 ? "3" : "33");
const withDigits = (x, digits) => String(Number(x.toPrecision(Math.min(Math.max(digits, 1), 15))));
const valueText = (x) => (x === null || x === undefined ? "–" : withDigits(x, 6));
/** Labels of ticks so far apart, with as many digits as tell them from each other. */
function tickTexts(ticks, apart) {
  const largest = Math.max(...ticks.map(Math.abs), apart);
  const digits = Math.ceil(Math.log10(largest / apart)) + 2;
  return ticks.map((x) => withDigits(x, digits));
}

/** Values at common times: those of a panel's lines are the same as a rule. */
function aligned(lines, columns) {
  const parts = lines.map(({ t, y, band }) => {
    const values = columns.get(y);
    const table = [columns.get(t), values];
    if (band !== undefined) {
      const half = columns.get(band);
      const shifted = (sign) => values.map((x, i) => (x === null || half[i] === null ? null : x + sign * half[i]));
      table.push(shifted(1), shifted(-1));
    }
    return table;
  });
  if (lines.every(({ t }) => t === lines[0].t)) return [parts[0][0], ...parts.flatMap((table) => table.slice(1))];
  return uPlot.join(parts);
}

class Plot {
  constructor(panel, figure, columns, place, explorer) {
    Object.assign(this, { panel, figure, columns, explorer });
    this.lanes = panel.lanes.length > 0;
    this.data = this.lanes ? [[...explorer.whole], [null, null]] : aligned(panel.lines, columns);
    this.hidden = new Set();
    this.box = document.createElement("div");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "application");
    const what = panel.label || figure.what;
    this.box.setAttribute("aria-label", `${what} over time: arrows move the cursor, plus and minus zoom`);
    if (panel.label) {
      const head = document.createElement("p");
      head.className = "label";
      head.textContent = panel.label;
      place.append(head);
    }
    place.append(this.box);
    if (!this.lanes) place.append(this.legend());
    this.make();
  }

  /** A button a line, with its value at the cursor. */
  legend() {
    const list = document.createElement("div");
    list.className = "legend";
    this.values = this.panel.lines.map(({ name }, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      const sample = document.createElement("i");
      sample.style.borderTopColor = `var(--c${i % HUES})`;
      sample.style.borderTopStyle = ["solid", "dashed", "dotted", "double"][Math.floor(i / HUES) % DASHES.length];
      const value = document.createElement("span");
      button.append(sample, ` ${name} `, value);
      button.addEventListener("click", () => this.toggle(i, button));
      list.append(button);
      return value;
    });
    return list;
  }

  toggle(i, button) {
    const shown = this.hidden.has(i);
    if (shown) this.hidden.delete(i);
    else this.hidden.add(i);
    button.setAttribute("aria-pressed", String(shown));
    this.redraw();
  }

  series() {
    const series = [{}];
    const bands = [];
    this.panel.lines.forEach(({ band }, i) => {
      const show = !this.hidden.has(i);
      series.push({ show, stroke: hue(i), width: 1.6, dash: DASHES[Math.floor(i / HUES) % DASHES.length] });
      if (band === undefined) return;
      // Of no say in how far the axis goes: a band may be wider than all there is to see.
      const edge = { show, auto: false, stroke: "transparent", width: 0, points: { show: false } };
      series.push(edge, edge);
      bands.push({ series: [series.length - 2, series.length - 1], fill: transparent(hue(i)) });
    });
    if (this.lanes) series.push({ show: false });
    return { series, bands };
  }

  axes() {
    const ink = colourOf("--ink");
    const common = { stroke: ink, grid: { stroke: colourOf("--grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const time = { ...common, size: FOOT, space: 84, values: (_, ticks, axis, space, apart) => tickTexts(ticks, apart).map((text) => `${text} s`) };
    const size = this.explorer.left;
    if (!this.lanes) return [time, { ...common, size, values: (_, ticks, axis, space, apart) => tickTexts(ticks, apart) }];
    const names = this.panel.lanes.map(({ name }) => name);
    return [
      time,
      {
        ...common,
        grid: { show: false },
        size,
        splits: () => names.map((_, i) => i + 0.5),
        values: () => names,
      },
    ];
  }

  make() {
    const [from, to] = this.explorer.range;
    const n = this.panel.lanes.length;
    this.plot = new uPlot(
      {
        width: this.box.clientWidth,
        height: this.height(),
        legend: { show: false },
        scales: {
          x: { time: false, min: from, max: to },
          y: this.lanes ? { range: [0, n], dir: -1 } : {}, // the first lane on top
        },
        axes: this.axes(),
        ...this.series(),
        cursor: {
          drag: { x: true, y: false, setScale: true },
          points: { show: !this.lanes },
          bind: { dblclick: () => () => this.explorer.show(this.explorer.whole) },
          sync: { key: "report", setSeries: false, filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        },
        hooks: {
          setScale: [(plot, key) => this.scaled(plot, key)],
          setCursor: [(plot) => this.read(plot)],
          drawAxes: [(plot) => this.drawLanes(plot)],
          draw: [(plot) => this.drawMarks(plot)],
        },
      },
      this.data,
      this.box,
    );
  }

  height() {
    return this.lanes ? LANE * this.panel.lanes.length + FOOT + 16 : HEIGHT;
  }

  // A drag has zoomed this plot: the others go along.
  scaled(plot, key) {
    if (key !== "x" || plot !== this.plot) return;
    const { min, max } = plot.scales.x;
    const [from, to] = this.explorer.range;
    if (min !== from || max !== to) this.explorer.show([min, max]);
  }

  read(plot) {
    const { idx, left } = plot.cursor;
    const inside = left !== null && left >= 0;
    this.explorer.tell(inside ? plot.posToVal(left, "x") : null);
    let column = 1;
    this.panel.lines.forEach(({ band }, i) => {
      this.values[i].textContent = inside && idx !== null ? valueText(this.data[column][idx]) : "";
      column += band === undefined ? 1 : 3;
    });
  }

  drawLanes(plot) {
    if (!this.lanes) return;
    const { ctx, bbox } = plot;
    const ratio = bbox.height / this.panel.lanes.length;
    const x = (t) => plot.valToPos(t, "x", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.panel.lanes.forEach((lane, i) => {
      const top = bbox.top + (i + 0.2) * ratio;
      const bar = 0.6 * ratio;
      const to = this.columns.get(lane.to);
      ctx.fillStyle = hue(i);
      this.columns.get(lane.from).forEach((from, k) => {
        const left = x(from);
        const right = x(to[k]);
        if (right >= bbox.left && left <= bbox.left + bbox.width)
          ctx.fillRect(left, top, Math.max(right - left, 1), bar);
      });
      let before = -Infinity;
      for (const t of this.columns.get(lane.ticks)) {
        const at = Math.round(x(t));
        if (at === before || at < bbox.left) continue; // nobody sees more
        if (at > bbox.left + bbox.width) break;
        ctx.fillRect(at, top, Math.max(1, window.devicePixelRatio), bar);
        before = at;
      }
    });
    ctx.restore();
  }

  drawMarks(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colourOf("--mark");
    ctx.setLineDash([4, 3]);
    ctx.font = `${12 * window.devicePixelRatio}px system-ui, sans-serif`;
    for (const [t, what] of this.figure.marks) {
      const x = plot.valToPos(t, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const late = x > bbox.left + bbox.width / 2;
      ctx.textAlign = late ? "right" : "left";
      ctx.fillText(what, x + (late ? -4 : 4), bbox.top + 12 * window.devicePixelRatio);
    }
    ctx.restore();
  }

  show([min, max]) {
    this.plot.batch(() => this.plot.setScale("x", { min, max })); // at once
  }

  /** @return s, or null if the cursor is not here */
  cursorTime() {
    const { left } = this.plot.cursor;
    return left !== null && left >= 0 ? this.plot.posToVal(left, "x") : null;
  }

  moveCursor(t, way) {
    const [from, to] = this.explorer.range;
    // At the edge of what is shown the view goes along.
    if ((t > to && way > 0) || (t < from && way < 0)) {
      const by = Math.max(-(from - this.explorer.whole[0]), Math.min((way * (to - from)) / 2, this.explorer.whole[1] - to));
      this.explorer.show([from + by, to + by]);
    }
    const [low, high] = this.explorer.range;
    const left = this.plot.valToPos(Math.min(Math.max(t, low), high), "x");
    this.plot.setCursor({ left, top: this.plot.over.clientHeight / 2 }, true, true);
  }

  resize() {
    this.plot.setSize({ width: this.box.clientWidth, height: this.height() });
  }

  /** With the colours of the page as they are now. */
  redraw() {
    this.plot.destroy();
    this.make();
  }
}

/** @param place where it stands, @param explorer whose range it shows */
export function makePlot(panel, figure, columns, place, explorer) {
  return new Plot(panel, figure, columns, place, explorer);
}
