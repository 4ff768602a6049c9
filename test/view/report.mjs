// The page of `pequod report`: figures that are drawn, and explored.
import path from "node:path";
import { check, column, open, serious, shoot, tell, write } from "./browser.mjs";

const plots = (page) => page.evaluate(() => window.pequodReport.plots.length);
const ranges = (page) =>
  page.evaluate(() => {
    const { range, plots, from, to } = window.pequodReport;
    const all = plots.map(({ plot }) => [plot.scales.x.min, plot.scales.x.max]);
    return { range, same: all.every(([min, max]) => min === range[0] && max === range[1]), told: [from.value, to.value].map(Number) };
  });

// Plots are made when they come near the screen.
async function scrollThrough(page) {
  const figures = await page.evaluate(() => window.pequodReport.figures.length);
  for (let i = 0; i < figures; ++i) {
    await page.evaluate((k) => window.pequodReport.figures[k].place.scrollIntoView(), i);
    await page.waitForFunction((k) => window.pequodReport.figures[k].place.dataset.explored === "made", { timeout: 30000 }, i);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

async function drag(page, from, to) {
  const over = await page.$("#energy .u-over");
  await over.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await over.boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, y, { steps: 5 });
  await page.mouse.up();
}

const near = (a, b, most) => Math.abs(a - b) <= most;

// What the plots hold is what the log has, to a hundred-thousandth of its range.
async function compareWithLog(page, folder, name) {
  const seen = await page.evaluate(() => {
    const { columns, figures } = window.pequodReport;
    const panel = figures.find(({ what }) => what === "energy").panels.at(-1);
    return { t: columns.get(panel.lines[0].t), y: columns.get(panel.lines[0].y) };
  });
  for (const [values, column_] of [[seen.t, "t"], [seen.y, "residual"]]) {
    const logged = column(path.join(folder, "energy.csv"), column_);
    const range = Math.max(...logged) - Math.min(...logged);
    const worst = Math.max(...values.map((x, i) => Math.abs(x - logged[i])));
    check(`${name}: all of ${column_} is there`, values.length === logged.length && worst <= 1e-5 * range, `${worst}, range ${range}`);
  }
}

async function keys(page, name) {
  const box = await page.$('#energy [role="application"]');
  await box.focus();
  const before = (await ranges(page)).range;
  for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowRight");
  const told = await page.$eval(".range output", (output) => output.textContent);
  const value = await page.$eval("#energy .legend span", (span) => span.textContent);
  check(`${name}: arrows move the cursor and tell time and values`, /^t = \d/.test(told) && value !== "", `${told}, ${value}`);
  await page.keyboard.press("+");
  const { range, same } = await ranges(page);
  check(`${name}: + zooms all plots`, same && near(range[1] - range[0], (before[1] - before[0]) / 2, 1e-9), range.join(" "));
  await page.keyboard.press("0");
  check(`${name}: 0 shows all`, (await ranges(page)).range.every((t, i) => t === before[i]));
}

// A range of milliseconds at the end: its ticks have to be told from each other.
async function narrow(page, name) {
  const labels = await page.evaluate(() => {
    const report = window.pequodReport;
    const [, to] = report.whole;
    report.show([to - 0.004, to]);
    const texts = report.plots[0].plot.axes[0]._values.filter(Boolean);
    report.show(report.whole);
    return texts;
  });
  check(`${name}: ticks of milliseconds differ`, labels.length > 2 && new Set(labels).size === labels.length, labels.join(", "));
}

const shown = (page, selector) => page.$eval(selector, (element) => element.getClientRects().length > 0);

// A drag over one plot, and all that it changes.
async function zoom(page, name) {
  check(`${name}: each panel has a plot`, (await plots(page)) === (await page.evaluate(() => window.pequodReport.figures.reduce((sum, { panels }) => sum + panels.length, 0))));
  const [from, to] = (await ranges(page)).range;
  await drag(page, 0.25, 0.5);
  const { range, same, told } = await ranges(page);
  const width = to - from;
  check(`${name}: a drag zooms all plots`, same && near(range[0], from + 0.25 * width, 0.01 * width) && near(range[1], from + 0.5 * width, 0.01 * width), range.join(" "));
  check(`${name}: the range is told`, near(told[0], range[0], 0.001 * width) && near(told[1], range[1], 0.001 * width), told.join(" "));
  await shoot(page, `${name}-zoomed`);
  await page.click("#all");
  check(`${name}: a button shows all`, (await ranges(page)).range.every((t, i) => t === [from, to][i]));
}

async function explore(page, folder, name) {
  await compareWithLog(page, folder, name);
  await keys(page, name);
  await narrow(page, name);
  await page.click("#energy .legend button");
  check(`${name}: a name hides its line`, await page.evaluate(() => window.pequodReport.plots[0].plot.series[1].show === false));
  await page.click("#energy .legend button");
  check(`${name}: figures are explored`, (await shown(page, "#energy .explore")) && !(await shown(page, "#energy svg")));
  await page.emulateMediaType("print");
  check(`${name}: on paper they are drawn`, !(await shown(page, "#energy .explore")) && (await shown(page, "#energy svg")));
  await page.emulateMediaType("screen");
  await page.click("#explore");
  check(`${name}: a box shows them as drawn`, !(await shown(page, "#energy .explore")) && (await shown(page, "#energy svg")));
  await page.click("#explore");
}

/** @param whole  also what does not depend on the run */
export async function report(folder, name, whole, options) {
  const { file } = write("report", folder);
  const { page, wrong, begun } = await open(file, options);
  await page.waitForFunction(() => window.pequodReport?.plots.length > 0, { timeout: 30000 });
  tell(`to open ${name}`, "3 s", `${Date.now() - begun} ms`);
  const figures = await page.$$eval("figure svg", (list) => list.length);
  check(`${name}: has its figures`, figures >= 5, figures);
  await page.focus('#energy button[data-act="data"]');
  await page.keyboard.press("Enter");
  const data = await page.$eval("#energy pre", (pre) => (pre.hidden ? "" : pre.textContent));
  check(`${name}: data behind a button, by the keyboard`, data.includes("kinetic,"));
  await page.keyboard.press("Enter");
  await scrollThrough(page);
  await zoom(page, name);
  if (whole) await explore(page, folder, name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(`${name}: the page is not wider than the screen`, wide <= 0, wide);
  const violations = await serious(page);
  check(`${name}: axe finds nothing serious`, violations.length === 0, violations.join("; "));
  check(`${name}: no console error, no request`, wrong.length === 0, wrong.join("; "));
  await shoot(page, name);
  await page.close();
}
