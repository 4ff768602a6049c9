// Drives the pages as a reader does, and judges them by the logs of the runs.
//   node page.mjs PEQUOD BROWSER WORK ROOT
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { browser, browserPath, check, column, found, open, pequod, root, run, serious, shoot, shots, tell, work, write } from "./browser.mjs";
import { report } from "./report.mjs";
import { visuals } from "./visuals.mjs";

async function openView(file, options) {
  const opened = await open(file, options);
  await opened.page.waitForFunction(() => window.pequodViewer?.scriptTimes.length > 1, { timeout: 30000 });
  return { ...opened, seconds: (Date.now() - opened.begun) / 1000 };
}

const state = (page) => page.evaluate(() => ({ t: window.pequodViewer.t, playing: window.pequodViewer.playing }));

// Feet are balls: their centres, placed by the page, are a radius from the points of contacts.csv.
async function feetError(page) {
  return page.evaluate(() => {
    const viewer = window.pequodViewer;
    const view = viewer.views[0];
    const { model, tables } = view.run;
    const { px, py, pz, a, b } = tables.contacts.of;
    let worst = 0;
    let points = 0;
    for (let record = 0; record < view.times.length; record += 7) {
      viewer.seek(view.times[record]);
      for (let r = view.firstOf[record]; r < view.firstOf[record + 1]; ++r) {
        const i = view.rowsOf[r];
        const names = [tables.contacts.words[a[i]], tables.contacts.words[b[i]]];
        const k = model.shapes.findIndex((shape) => shape.type === "sphere" && names.includes(model.frames[shape.frame].name));
        if (k < 0) continue;
        const mesh = view.shapes[k];
        mesh.updateWorldMatrix(true, false);
        const [x, y, z] = mesh.matrixWorld.elements.slice(12, 15);
        worst = Math.max(worst, Math.abs(Math.hypot(px[i] - x, py[i] - y, pz[i] - z) - model.shapes[k].radius));
        ++points;
      }
    }
    return { worst, points };
  });
}

async function drive(page) {
  const ends = await page.evaluate(() => window.pequodViewer.span);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction((start) => window.pequodViewer.t > start, { timeout: 30000 }, ends[0]);
  check("space plays", (await state(page)).playing);
  await page.keyboard.press("Space");
  check("space pauses", !(await state(page)).playing);
  await page.keyboard.press("End");
  check("End goes to the end", (await state(page)).t === ends[1]);
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  const first = (await state(page)).t;
  await page.keyboard.press("n");
  const second = (await state(page)).t;
  check("n goes from event to event", first > ends[0] && second > first, `${first} ${second}`);
  await page.keyboard.press("p");
  check("p goes back", (await state(page)).t === first);
  await page.keyboard.press("ArrowRight");
  check("the right arrow goes on by a record", (await state(page)).t > first);
  const strip = await (await page.$("#strip")).boundingBox();
  await page.mouse.click(strip.x + strip.width / 2, strip.y + strip.height / 2);
  const middle = (await state(page)).t;
  check("a click on the strip goes there", Math.abs(middle - (ends[0] + ends[1]) / 2) < 0.02 * (ends[1] - ends[0]), middle);
}

// Shift and arrows turn the camera about what it looks at, page keys change how far it is.
async function turn(page) {
  const camera = () =>
    page.evaluate(() => {
      const { stage } = window.pequodViewer;
      const { x, y, z } = stage.camera.position.clone().sub(stage.controls[0].target);
      return { around: Math.atan2(y, x), up: Math.asin(z / Math.hypot(x, y, z)), far: Math.hypot(x, y, z) };
    });
  const keys = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
  };
  const first = await camera();
  await page.keyboard.down("Shift");
  await keys("ArrowRight", "ArrowUp");
  await page.keyboard.up("Shift");
  const second = await camera();
  const near = (a, b) => Math.abs(a - b) < 1e-9;
  check("shift and arrows turn the view", near(second.around - first.around, 0.1) && near(second.up - first.up, 0.1) && near(second.far, first.far), JSON.stringify([first, second]));
  await keys("PageUp");
  check("page up comes nearer", near((await camera()).far, first.far / 1.15));
}

// A body that is seen is picked by a click on it.
async function pick(page) {
  const at = await page.evaluate(() => {
    const viewer = window.pequodViewer;
    viewer.seek(0); // where no leg hides the trunk
    viewer.pick(viewer.firstChoice());
    document.getElementById("follow").checked = false; // the camera stays
    viewer.stage.draw();
    const place = viewer.target().project(viewer.stage.camera);
    const wanted = viewer.link;
    const box = viewer.stage.canvases[0].getBoundingClientRect();
    viewer.pick(viewer.views[0].names.length - 1);
    return { x: box.left + ((1 + place.x) / 2) * box.width, y: box.top + ((1 - place.y) / 2) * box.height, wanted };
  });
  await page.mouse.click(at.x, at.y);
  check("a click picks the body under it", (await page.evaluate(() => window.pequodViewer.link)) === at.wanted);
  check("its state is told", (await page.$eval("#read", (element) => element.textContent)).includes("velocity"));
}

async function scriptTime(page) {
  await page.evaluate(() => {
    window.pequodViewer.seek(0);
    window.pequodViewer.scriptTimes = [];
    window.pequodViewer.play(true);
  });
  await new Promise((done) => setTimeout(done, 4000));
  const times = await page.evaluate(() => window.pequodViewer.scriptTimes);
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)], frames: times.length };
}

async function trot() {
  const folder = run("examples/quadruped/trot.yaml", "trot", "--every", "0.016666666666666666");
  const { file, bytes } = write("view", folder);
  const script = fs.statSync(path.join(work, "view.js")).size;
  check("10 s of trot at 60 Hz: at most 0.4 MB beside the script", bytes - script <= 4e5, `${((bytes - script) / 1e6).toFixed(3)} MB`);
  check("the page without a run: at most 0.75 MB", script <= 7.5e5, `${(script / 1e6).toFixed(3)} MB`);
  const { page, wrong, seconds } = await openView(file);
  tell("to open the page", "3 s", `${seconds.toFixed(2)} s`);
  const z = await page.evaluate(() => [...window.pequodViewer.runs[0].tables.state.of["mara.z"]]);
  const logged = column(path.join(folder, "state.csv"), "mara.z");
  const apart = Math.max(...z.map((x, i) => Math.abs(x - logged[i])));
  check("the base is where state.csv has it", z.length === logged.length && apart <= 2e-5, `${apart} m`);
  // At the velocity level points are those of a step's start: 1 ms at about 1 m/s.
  const feet = await feetError(page);
  check("feet stand on their contact points", feet.points > 100 && feet.worst < 3e-3, `${feet.worst} m, ${feet.points} points`);
  await drive(page);
  await shoot(page, "trot");
  await page.keyboard.press("s");
  await page.keyboard.press("x");
  await new Promise((done) => setTimeout(done, 300));
  await shoot(page, "trot-frames");
  await page.keyboard.press("s");
  await page.keyboard.press("x");
  await pick(page);
  await turn(page);
  const { median, frames } = await scriptTime(page);
  tell("script a frame, median", "8 ms", `${median.toFixed(2)} ms, ${frames} frames`);
  const violations = await serious(page);
  check("axe finds nothing serious in the view", violations.length === 0, violations.join("; "));
  check("no console error, no request", wrong.length === 0, wrong.join("; "));
  await page.close();
  return folder;
}

async function look(name, file, t, options) {
  const { page, wrong } = await openView(file, options);
  await page.evaluate((time) => window.pequodViewer.seek(time), t);
  await new Promise((done) => setTimeout(done, 400));
  const seen = await page.evaluate(() => {
    const viewer = window.pequodViewer;
    const place = viewer.target().project(viewer.stage.camera);
    return Math.abs(place.x) < 0.9 && Math.abs(place.y) < 0.9;
  });
  check(`${name}: what is followed is in the picture`, seen);
  check(`${name}: no console error, no request`, wrong.length === 0, wrong.join("; "));
  await shoot(page, name);
  return page;
}

// A run that is looked at while it goes on, until its program is ended.
async function live() {
  const running = spawn(pequod, ["run", "examples/quadruped/trot.yaml", "--duration", "40", "--view", "--quiet", "--output", path.join(work, "live")], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  // It says its address first, in one piece or in several, and other things later.
  let said = "";
  const address = await new Promise((done) => {
    running.stderr.on("data", (text) => {
      said += text;
      const found = /http:\S+(?=\s)/.exec(said);
      if (found) done(found[0]);
    });
  });
  const ended = new Promise((done) => running.on("exit", done));
  const { page, wrong } = await openView(address);
  const end = () => page.evaluate(() => window.pequodViewer.span[1]);
  const first = await end();
  await page.keyboard.press("End");
  await page.waitForFunction((t) => window.pequodViewer.span[1] > t, { timeout: 60000 }, first);
  const at = await state(page);
  check("live: the page goes along with the run", at.t === (await end()) && at.t > first, `${first} ${at.t}`);
  check("live: no console error, no request elsewhere", wrong.length === 0, wrong.join("; "));
  running.kill("SIGINT");
  const code = await ended;
  check("live: Ctrl-C ends it", code === 0 || code === 130, code);
  await page.waitForFunction(() => document.getElementById("event").textContent.includes("ended"), { timeout: 60000 });
  await page.close();
}

// Nine tenths of a second of motion at ten pictures a second, as the encoder's own tool reads it.
function video(folder) {
  if (spawnSync("ffprobe", ["-version"]).status !== 0) {
    console.log("SKIPPED video: there is no ffmpeg");
    return;
  }
  const file = path.join(work, "motion.mp4");
  execFileSync(pequod, ["view", folder, "--video", file, "--frames", "10"], { env: { ...process.env, PEQUOD_CHROMIUM: browserPath } });
  const [width, height, count] = execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", file], { encoding: "utf8" }).trim().split(",").map(Number);
  check("video: a picture each tenth of a second, both ends among them", count === 10, count);
  check("video: its size", width === 1280 && height === 720, `${width} ${height}`);
  const levels = execFileSync("ffmpeg", ["-v", "error", "-i", file, "-vf", "scale=64:36", "-f", "rawvideo", "-pix_fmt", "gray", "-"]);
  const picture = (k) => levels.subarray(64 * 36 * k, 64 * 36 * (k + 1));
  const spread = Math.max(...picture(0)) - Math.min(...picture(0));
  check("video: something is drawn", spread > 60, spread);
  const moved = picture(0).filter((level, i) => Math.abs(level - picture(9)[i]) > 8).length;
  check("video: and it moves", moved > 20, moved);
  if (shots) fs.copyFileSync(file, path.join(shots, "motion.mp4"));
}

try {
  const flat = await trot();
  await live();
  video(run("examples/quadruped/trot.yaml", "short", "--duration", "0.9"));
  const fallen = run("examples/quadruped/trot_viscous.yaml", "fallen", "--duration", "3");
  const rough = run("examples/quadruped/rough.yaml", "rough", "--duration", "2");
  const stack = run("examples/analytic/card_house.yaml", "stack", "--duration", "0.5");
  const bar = run("examples/loops/four_bar.yaml", "bar", "--duration", "1");
  await (await look("rough", write("view", rough).file, 1.5)).close();
  await (await look("fallen", write("view", fallen).file, 3, { dark: true })).close();
  await (await look("stack", write("view", stack).file, 0.3)).close();
  await (await look("loop", write("view", bar).file, 0.5)).close();
  const two = await look("ghost", write("view", flat, fallen).file, 1.6);
  await two.select("#mode", "side");
  await new Promise((done) => setTimeout(done, 400));
  await shoot(two, "side");
  await two.close();
  await (await look("phone", write("view", flat).file, 2, { width: 390, height: 800, dark: true })).close();
  await visuals(openView);
  await report(flat, "report", true);
  await report(fallen, "report-fallen", false, { dark: true });
  await report(rough, "report-phone", false, { width: 390, height: 800 });
} finally {
  await browser.close();
}
process.exit(found.failures ? 1 : 0);
