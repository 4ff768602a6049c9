// What robots look like in the page of `pequod view`: visuals of a URDF, a mesh among them.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { check, pequod, root, run, shoot, work, write } from "./browser.mjs";

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>';
// A pyramid on a turned and shifted link, twice as high as in its file, red; and a ball.
const URDF = `<robot name="statue">
<material name="red"><color rgba="1 0 0 1"/></material>
<link name="base">${INERTIAL}
<visual><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/><geometry><mesh filename="pyramid.obj" scale="1 1 2"/></geometry><material name="red"/></visual>
<visual><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></visual>
<collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision>
</link></robot>
`;
const CORNERS = [[0, 0, 0], [0.4, 0, 0], [0, 0.3, 0], [0, 0, 0.25]];
const OBJ = `${CORNERS.map((x) => `v ${x.join(" ")}`).join("\n")}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n`;
const SCENE = `duration: 0.1
gravity: [0, 0, 0]
robots:
  statue: {urdf: statue.urdf, base: {position: [1, 0, 0]}}
`;

/** Where the corners are: turned by a right angle about z, shifted, on the base. */
const placed = CORNERS.map(([x, y, z]) => [1 + 0.1 - y, 0.2 + x, 0.3 + 2 * z]);

const seen = (page) =>
  page.evaluate(() => {
    const view = window.pequodViewer.views[0];
    const mesh = view.visuals.find(({ geometry }) => geometry.type === "BufferGeometry");
    if (!mesh) return { visuals: view.visuals.length };
    mesh.updateWorldMatrix(true, false);
    const position = mesh.geometry.attributes.position;
    const corners = [];
    for (let i = 0; i < position.count; ++i) {
      const x = mesh.position.clone().fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld);
      corners.push([x.x, x.y, x.z]);
    }
    return { visuals: view.visuals.length, corners, triangles: mesh.geometry.index.count / 3, colour: mesh.material.color.getHexString() };
  });

const visible = (page) =>
  page.evaluate(() => {
    const view = window.pequodViewer.views[0];
    return [view.visuals.some((mesh) => mesh.visible), view.shapes.some((mesh) => mesh.visible)].join(" ");
  });

async function boxes(page) {
  check("visuals are shown, shapes of what has them are not", (await visible(page)) === "true false");
  await page.keyboard.press("s");
  check("s shows the shapes too", (await visible(page)) === "true true");
  await page.keyboard.press("v");
  check("v hides the visuals", (await visible(page)) === "false true");
  await page.keyboard.press("v");
  await page.keyboard.press("s");
}

/** @param openView  opens a page and waits for what it shows */
export async function visuals(openView) {
  const folder = path.join(work, "statue");
  fs.mkdirSync(folder);
  for (const [name, text] of [["statue.urdf", URDF], ["pyramid.obj", OBJ], ["statue.yaml", SCENE]])
    fs.writeFileSync(path.join(folder, name), text);
  const out = run(path.join(folder, "statue.yaml"), "statue-run");
  const { page, wrong } = await openView(write("view", out).file);
  const { visuals: count, corners, triangles, colour } = await seen(page);
  const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
  const worst = Math.max(...placed.map((x) => Math.min(...corners.map((y) => distance(x, y)))));
  // Its longest side of 0.5 m has 4096 units; a corner goes by 0.87 of one at most.
  check("a visual mesh stands where the URDF has it", corners.length === 4 && triangles === 4 && worst < (0.87 * 0.5) / 4096, `${worst} m`);
  check("it has the colour of its material", colour === "ff0000", colour);
  check("a ball is drawn beside", count === 2, count);
  await boxes(page);
  await shoot(page, "statue");
  check("visuals: no console error, no request", wrong.length === 0, wrong.join("; "));
  await page.close();

  fs.rmSync(path.join(folder, "pyramid.obj"));
  const told = spawnSync(pequod, ["view", out], { encoding: "utf8" });
  check("a mesh that has gone is told", told.status === 0 && told.stderr.startsWith("note: 1 visual mesh is left out, the first because there is no "), told.stderr);
  const without = await openView(told.stdout.trim());
  check("and the page does without", (await seen(without.page)).visuals === 1);
  await without.page.close();

  const shared = [process.env.PEQUOD_SHARED ?? "", path.join(root, "../shared"), path.join(root, "../../shared")];
  const robots = shared.map((at) => path.join(at, "robots/example-robot-data/robots/solo_description")).find(fs.existsSync);
  if (!robots) {
    console.log("SKIPPED Solo 12: PEQUOD_SHARED names no folder of robots");
    return;
  }
  const scene = path.join(folder, "solo.yaml");
  fs.writeFileSync(scene, `duration: 1\nbodies: {ground: {fixed: true, shape: {plane: {}}}}\nrobots:\n  solo: {urdf: ${robots}/robots/solo12.urdf, controller: {type: trot}}\n`);
  const solo = write("view", run(scene, "solo"));
  const opened = await openView(solo.file);
  const meshes = await opened.page.evaluate(() => window.pequodViewer.views[0].visuals.length);
  check("Solo 12: all of its visuals, in a page of at most 1.15 MB", meshes === 17 && solo.bytes <= 1.15e6, `${meshes}, ${(solo.bytes / 1e6).toFixed(3)} MB`);
  check("Solo 12: no console error, no request", opened.wrong.length === 0, opened.wrong.join("; "));
  await shoot(opened.page, "solo");
  await opened.page.close();
}
