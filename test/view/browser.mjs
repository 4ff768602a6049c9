// A browser, pages in it, and what is found to be right or wrong. Of the command line
//   node page.mjs PEQUOD BROWSER WORK ROOT
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const [pequod, browserPath, work, root] = process.argv.slice(2);
const require = createRequire(path.join(root, "web/package.json"));
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const shots = process.env.PEQUOD_SHOTS;

export const found = { failures: 0 };
export function check(what, good, figure = "") {
  console.log(`${good ? "ok    " : "FAILED"} ${what}${figure === "" ? "" : `: ${figure}`}`);
  if (!good) found.failures += 1;
}

// Times are told, never judged: the machine may have other work.
export function tell(what, asked, figure) {
  console.log(`time   ${what}: ${figure} (asked: ${asked})`);
}

export function run(scene, name, ...options) {
  const folder = path.join(work, name);
  execFileSync(pequod, ["run", scene, "--output", folder, "--quiet", ...options], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

export function write(command, ...folders) {
  const file = execFileSync(pequod, [command, ...folders], { encoding: "utf8" }).trim();
  return { file, bytes: fs.statSync(file).size };
}

export function column(file, name) {
  const [head, ...rows] = fs.readFileSync(file, "utf8").trim().split("\n").map((row) => row.split(","));
  return rows.map((row) => Number(row[head.indexOf(name)]));
}

export const browser = await puppeteer.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

/** A page with what went wrong on it: console errors and requests. */
export async function open(file, { dark = false, width = 1200, height = 800 } = {}) {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  const wrong = [];
  const address = file.startsWith("http:") ? file : pathToFileURL(file).href;
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().startsWith("THREE.")) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    const own = address.startsWith("http:") && url.startsWith(address); // of a run that goes on
    if (url !== address && !own && !url.startsWith("data:") && !url.startsWith("blob:")) wrong.push(`request of ${url}`);
  });
  const begun = Date.now();
  await page.goto(address);
  return { page, wrong, begun };
}

export async function shoot(page, name) {
  if (shots) await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: name.startsWith("report") });
}

export async function serious(page) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => (await window.axe.run()).violations);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 120)}`);
}
