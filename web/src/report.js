// The figures of a report, to be zoomed and read: each panel a plot of uPlot, all with one time axis.
/*! uPlot: Copyright (c) 2025, Leon Sorokin, MIT License */
import uPlotStyle from "uplot/dist/uPlot.min.css";
import style from "./report.css";
import { Integers, unpack } from "./decode.js";
import { makePlot } from "./plot.js";

const ZOOM = 2; // of one press of a key
const SHARE = 1 / 200; // of the range, that the cursor goes by one press

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** Columns, each unpacked when it is first asked for: a long report has millions of numbers. */
class Columns {
  constructor({ json, bytes, begin }) {
    this.bytes = bytes;
    this.columns = json.columns;
    let at = begin;
    for (const column of this.columns) {
      column.at = at;
      at += column.bytes;
    }
  }
  get(index) {
    const column = this.columns[index];
    if (!column.values) {
      const { rows, unit, low } = column;
      column.values = new Integers(this.bytes, column.at).column(rows, 1, new Array(rows));
      for (let i = 0; i < rows; ++i)
        column.values[i] = column.values[i] === 0 ? null : low + (column.values[i] - 1) * unit;
    }
    return column.values;
  }
}

class Explorer {
  constructor(packed) {
    this.columns = new Columns(packed);
    this.figures = packed.json.figures;
    this.whole = [
      Math.min(...this.figures.map(({ from }) => from)),
      Math.max(...this.figures.map(({ to }) => to)),
    ];
    this.range = this.whole;
    // px: room for values and for names of lanes, the same in all so that times stand below each other.
    const names = this.figures.flatMap(({ panels }) => panels.flatMap(({ lanes }) => lanes.map(({ name }) => name.length)));
    this.left = Math.max(74, Math.min(24 + 7 * Math.max(0, ...names), 240, 0.25 * innerWidth));
    this.plots = [];
    this.addControls();
    this.seen = new IntersectionObserver((entries) => this.meet(entries), { rootMargin: "600px" });
    for (const figure of this.figures) {
      figure.place = document.getElementById(figure.what);
      figure.place.dataset.explored = "";
      this.seen.observe(figure.place);
    }
    addEventListener("resize", () => this.plots.forEach((plot) => plot.resize()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      this.plots.forEach((plot) => plot.redraw()),
    );
  }

  addControls() {
    this.explore = element("input", { type: "checkbox", checked: true, id: "explore" });
    this.from = element("input", { type: "number", step: "any", id: "from" });
    this.to = element("input", { type: "number", step: "any", id: "to" });
    const all = element("button", { type: "button", textContent: "Show all", id: "all" });
    this.now = element("output");
    const controls = element(
      "div",
      { className: "range" },
      element("label", {}, this.explore, " explore"),
      element("label", {}, "from ", this.from, " s"),
      element("label", {}, "to ", this.to, " s"),
      all,
      this.now,
    );
    controls.setAttribute("role", "group");
    controls.setAttribute("aria-label", "What of the time is shown");
    const help = element("p", {
      className: "help",
      textContent:
        "Drag to zoom, double click for all. In a figure: ← → move the cursor, + − zoom about it, 0 shows all. A name hides its line. Files are saved as drawn, over all of the time.",
    });
    const first = document.getElementById(this.figures[0].what);
    first.before(controls, help);
    this.explore.addEventListener("input", () =>
      document.documentElement.classList.toggle("drawn", !this.explore.checked),
    );
    for (const input of [this.from, this.to])
      input.addEventListener("change", () => this.show([Number(this.from.value), Number(this.to.value)]));
    all.addEventListener("click", () => this.show(this.whole));
    this.tellRange();
  }

  tellRange() {
    // As many digits as the range needs.
    this.digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(this.range[1] - this.range[0]))));
    this.from.value = this.range[0].toFixed(this.digits);
    this.to.value = this.range[1].toFixed(this.digits);
  }

  /** Makes the plots of figures that come near the screen. */
  meet(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.seen.unobserve(target);
      const figure = this.figures.find(({ place }) => place === target);
      const place = element("div", { className: "explore" }, element("h3", { textContent: figure.title }));
      target.prepend(place);
      target.dataset.explored = "made";
      for (const panel of figure.panels) {
        const plot = makePlot(panel, figure, this.columns, place, this);
        plot.box.addEventListener("keydown", (event) => this.key(event, plot));
        this.plots.push(plot);
      }
    }
  }

  /** A range for all plots, kept within the whole. */
  show([from, to]) {
    if (!(to > from)) return this.tellRange();
    const low = Math.max(from, this.whole[0]);
    const high = Math.min(to, this.whole[1]);
    if (high > low) this.range = [low, high];
    this.plots.forEach((plot) => plot.show(this.range));
    this.tellRange();
  }

  zoom(factor, about) {
    this.show(this.range.map((t) => about + (t - about) * factor));
  }

  /** Where the cursor is, told by the plot on which it is. */
  tell(t) {
    this.now.textContent = t === null ? "" : `t = ${t.toFixed(this.digits + 1)} s`;
  }

  key(event, plot) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [from, to] = this.range;
    const t = plot.cursorTime() ?? (from + to) / 2;
    const by = (event.shiftKey ? 10 : 1) * SHARE * (to - from);
    const act = {
      ArrowLeft: () => plot.moveCursor(t - by, -1),
      ArrowRight: () => plot.moveCursor(t + by, 1),
      "+": () => this.zoom(1 / ZOOM, t),
      "=": () => this.zoom(1 / ZOOM, t),
      "-": () => this.zoom(ZOOM, t),
      0: () => this.show(this.whole),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    if (plot.cursorTime() === null) plot.moveCursor(t, 0);
  }
}

document.head.append(element("style", { textContent: uPlotStyle + style }));
unpack(document.getElementById("figures").textContent).then((packed) => {
  window.pequodReport = new Explorer(packed);
});
