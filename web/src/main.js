// The page that pequod view writes: plays the runs that it holds.
import { Raycaster, Vector2 } from "three";
import { decode } from "./decode.js";
import page from "./page.html";
import style from "./page.css";
import { reading } from "./reading.js";
import { RunView } from "./run_view.js";
import { Stage } from "./stage.js";
import { fetchRun, follow } from "./live.js";
import { drawEnergy, drawEvents, eventsOf } from "./strip.js";
import { sendVideo } from "./video.js";

const get = (id) => document.getElementById(id);

const PARTS = ["visuals", "shapes", "frames"]; // boxes of what can be seen

// Of one press of a key: how far the camera turns, rad, and how much nearer it comes.
const TURN = 0.1;
const NEARER = 1.15;

class Viewer {
  constructor(runs) {
    this.take(runs);
    this.t = this.span[0];
    this.playing = false;
    this.link = this.firstChoice();
    const size = Math.max(...this.views.map((view) => view.size));
    this.stage = new Stage(runs.length > 1 ? [get("world"), get("second")] : [get("world")], size);
    this.stage.scenes[0].scene.add(...this.views);
    this.scriptTimes = [];
    this.fillControls();
    this.listen();
    for (const view of this.views) view.update(this.t);
    this.stage.lookAt(this.target());
    this.stage.camera.position.setLength(this.distance(size)).add(this.target());
    this.update();
    this.resize();
    this.frame(performance.now());
  }

  take(runs) {
    this.runs = runs;
    this.views = runs.map((run, i) => new RunView(run, i > 0));
    this.span = [
      Math.min(...this.views.map((view) => view.times[0])),
      Math.max(...this.views.map((view) => view.times.at(-1))),
    ];
    if (this.span[1] <= this.span[0]) this.span[1] = this.span[0] + 1e-3;
    this.events = eventsOf(runs[0]);
  }

  /** The same run as far as it has come by now: who looks at its end goes along. */
  renew(run) {
    const atEnd = !this.playing && this.t >= this.span[1];
    for (const view of this.views) {
      view.removeFromParent();
      view.dispose();
    }
    this.take([run]);
    this.stage.scenes[0].scene.add(...this.views);
    for (const view of this.views) {
      view.contacts.visible = get("contacts").checked;
      view.show(this.chosen());
    }
    if (atEnd) this.t = this.span[1];
    this.resize();
    this.update();
  }

  // A robot's base if there is one, else the first that moves.
  firstChoice() {
    const { links } = this.runs[0].model;
    const base = links.findIndex((link, i) => links.some((other) => other.parent === i) && link.parent < 0);
    return links.length ? Math.max(base, 0) : -1;
  }

  target() {
    return this.link < 0 ? this.stage.target.clone() : this.views[0].placer.positions[this.link].clone();
  }

  // From where all that is near can be seen.
  distance(size) {
    const target = this.target();
    const reach = Math.max(0, ...this.views[0].placer.positions.map((p) => p.distanceTo(target)));
    return Math.max(3.2 * size, 2.4 * Math.min(reach, 15 * size));
  }

  fillControls() {
    document.querySelector("h1").textContent = this.runs.map((run) => run.name).join(" and ");
    this.views[0].names.forEach((name, i) => get("body").add(new Option(name, i)));
    get("body").value = this.link;
    get("two").hidden = this.runs.length < 2;
    const dressed = this.views.some((view) => view.visuals.length > 0);
    get("visuals").checked = dressed;
    get("visuals").disabled = !dressed;
    get("shapes").checked = !dressed;
    this.views.forEach((view) => view.show(this.chosen()));
  }

  /** Which boxes are checked. */
  chosen() {
    return Object.fromEntries(PARTS.map((id) => [id, get(id).checked]));
  }

  listen() {
    const change = (id, act) => get(id).addEventListener("input", (event) => act(event.target));
    change("time", (input) => this.seek(this.span[0] + (input.value / 1e6) * (this.span[1] - this.span[0])));
    change("body", (select) => this.pick(Number(select.value)));
    change("contacts", (box) => this.views.forEach((view) => (view.contacts.visible = box.checked)));
    for (const id of PARTS) change(id, () => this.views.forEach((view) => view.show(this.chosen())));
    change("mode", (select) => this.setMode(select.value));
    for (const id of ["contacts", "follow", ...PARTS]) change(id, () => this.update());
    get("play").addEventListener("click", () => this.play(!this.playing));
    get("before").addEventListener("click", () => this.jump(-1));
    get("after").addEventListener("click", () => this.jump(1));
    get("help").addEventListener("click", () => this.help());
    get("strip").addEventListener("pointerdown", (event) => this.scrub(event));
    get("marks").addEventListener("pointerdown", (event) => this.scrub(event));
    addEventListener("resize", () => this.resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    addEventListener("keydown", (event) => this.key(event));
    this.stage.canvases.forEach((canvas) => {
      canvas.addEventListener("pointerdown", (event) => (this.down = [event.clientX, event.clientY]));
      canvas.addEventListener("pointerup", (event) => this.click(event, canvas));
    });
  }

  help() {
    get("keys").hidden = !get("keys").hidden;
    get("help").setAttribute("aria-expanded", String(!get("keys").hidden));
    this.resize();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const toggle = (id) => get(id).click();
    const turn = (around, up) => () => this.stage.turn(around, up);
    const act = (event.shiftKey && {
      ArrowLeft: turn(-TURN, 0),
      ArrowRight: turn(TURN, 0),
      ArrowUp: turn(0, TURN),
      ArrowDown: turn(0, -TURN),
    }[event.key]) || {
      PageUp: () => this.stage.turn(0, 0, 1 / NEARER),
      PageDown: () => this.stage.turn(0, 0, NEARER),
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.seek(this.span[0]),
      End: () => this.seek(this.span[1]),
      n: () => this.jump(1),
      p: () => this.jump(-1),
      f: () => toggle("follow"),
      c: () => toggle("contacts"),
      s: () => toggle("shapes"),
      v: () => toggle("visuals"),
      x: () => toggle("frames"),
      "+": () => this.faster(1),
      "-": () => this.faster(-1),
    }[event.key];
    // A focused button has its own space.
    if (!act || (event.key === " " && ["BUTTON", "INPUT"].includes(event.target.tagName) && event.target.type !== "range")) return;
    event.preventDefault();
    act();
  }

  faster(way) {
    const { options, selectedIndex } = get("speed");
    get("speed").selectedIndex = Math.min(Math.max(selectedIndex + way, 0), options.length - 1);
  }

  scrub(event) {
    const box = event.currentTarget.getBoundingClientRect();
    this.seek(this.span[0] + ((event.clientX - box.left) / box.width) * (this.span[1] - this.span[0]));
  }

  // A click that was no drag picks what it meets.
  click(event, canvas) {
    if (!this.down || Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) > 4) return;
    const box = canvas.getBoundingClientRect();
    const place = new Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    const caster = new Raycaster();
    caster.setFromCamera(place, this.stage.camera);
    const view = canvas === this.stage.canvases[0] ? this.views[0] : this.views[1];
    const hit = caster.intersectObjects([...view.shapes, ...view.visuals].filter((mesh) => mesh.visible), false)[0];
    if (hit && hit.object.userData.link >= 0) this.pick(hit.object.userData.link);
  }

  pick(link) {
    this.link = link;
    get("body").value = link;
    this.update();
  }

  play(on) {
    if (on && this.t >= this.span[1]) this.t = this.span[0];
    this.playing = on;
    get("play").textContent = on ? "Pause" : "Play";
  }

  seek(t) {
    this.t = Math.min(Math.max(t, this.span[0]), this.span[1]);
    get("event").textContent = "";
    this.update();
  }

  step(way) {
    this.play(false);
    const { times } = this.views[0];
    const { record } = this.views[0].at;
    const onRecord = times[record] === this.t;
    this.seek(times[Math.min(Math.max(record + (way > 0 || !onRecord ? Math.max(way, 0) : way), 0), times.length - 1)]);
  }

  jump(way) {
    this.play(false);
    const near = 1e-9 * (this.span[1] - this.span[0]);
    const event =
      way > 0
        ? this.events.find(({ t }) => t > this.t + near)
        : this.events.findLast(({ t }) => t < this.t - near);
    if (event) this.seek(event.t);
    get("event").textContent = event
      ? `${event.kind} ${event.pair}${event.more ? ` and ${event.more} more` : ""}`
      : "no more events";
  }

  setMode(mode) {
    const side = mode === "side";
    const second = this.stage.canvases[1];
    second.hidden = !side;
    this.stage.scenes[side ? 1 : 0].scene.add(this.views[1]);
    this.views[1].setGhost(!side);
    this.resize();
  }

  resize() {
    this.stage.resize();
    drawEnergy(get("energy"), this.runs, this.span);
    drawEvents(get("marks"), this.events, this.span);
  }

  update() {
    for (const view of this.views) view.update(this.t);
    const part = (this.t - this.span[0]) / (this.span[1] - this.span[0]);
    get("time").value = 1e6 * part;
    get("cursor").style.left = `${100 * part}%`;
    get("now").textContent = `${this.t.toFixed(3)} s of ${this.span[1].toFixed(3)}`;
    if (this.link >= 0) get("read").textContent = reading(this.views[0], this.link);
    if (get("follow").checked && this.link >= 0) this.stage.follow(this.target());
  }

  /** From here on nothing is drawn but what is asked for. */
  stop() {
    this.stopped = true;
  }

  frame(now) {
    if (this.stopped) return;
    const begun = performance.now();
    const passed = Math.min((now - (this.last ?? now)) / 1000, 0.1);
    this.last = now;
    if (this.playing) {
      this.t += passed * Number(get("speed").value);
      if (this.t >= this.span[1]) {
        this.t = this.span[1];
        this.play(false);
      }
      this.update();
    }
    this.stage.draw();
    this.scriptTimes.push(performance.now() - begun);
    if (this.scriptTimes.length > 600) this.scriptTimes.shift();
    requestAnimationFrame((next) => this.frame(next));
  }
}

// What the page holds, or the server that it came from.
async function runsOfPage() {
  if (document.documentElement.dataset.live) return [await fetchRun()];
  const packed = [...document.querySelectorAll("script.run")].map((script) => script.textContent.trim());
  return Promise.all(packed.map(decode));
}

async function start() {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  document.body.insertAdjacentHTML("beforeend", page);
  const { live, frames } = document.documentElement.dataset;
  try {
    const viewer = new Viewer(await runsOfPage());
    window.pequodViewer = viewer;
    if (live) await follow(viewer, (text) => (get("event").textContent = text));
    if (frames) await sendVideo(viewer, Number(frames));
  } catch (error) {
    document.querySelector("main").textContent =
      `This page cannot be shown: ${error.message}. It needs WebGL 2 and a browser of 2023 or later.`;
    if (frames) await fetch("end", { method: "POST", body: error.message });
    throw error;
  }
}

start();
