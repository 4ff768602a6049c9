// One run as a group of a scene: shapes, frames, loops, contacts.
import {
  AxesHelper,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  LinearMipmapLinearFilter,
  Mesh,
  MeshStandardMaterial,
  NearestFilter,
  RepeatWrapping,
  SRGBColorSpace,
  Vector3,
} from "three";
import { Arrows, Dots } from "./arrows.js";
import { Placer, quaternionOf, recordAt, vectorOf } from "./placer.js";
import { geometryOf, isFlat, PLANE_SIZE, trianglesOf } from "./shapes.js";

const COLOURS = ["#3f88c5", "#d9822b", "#3a9d75", "#b05fa0", "#c8a415", "#5aa9c9"];
const MOST_CONTACTS = 2000;

const ownerOf = (name) => name.split("/")[0];

/** The longest side or reach of what moves, m; never 0. */
function sizeOf(run) {
  let size = 0;
  for (const { joint, com } of run.model.links) {
    const reach = joint.type === "free" ? 0 : Math.hypot(...joint.pose.slice(0, 3));
    size = Math.max(size, joint.type === "free" ? 0 : Math.min(reach, 10), 2 * Math.hypot(...com));
  }
  for (const shape of run.model.shapes) {
    if (shape.link < 0 || shape.type === "plane") continue;
    const own = shape.size ?? [shape.radius ?? 0, shape.length ?? 0];
    size = Math.max(size, ...own);
    for (const x of shape.vertices ?? []) size = Math.max(size, 2 * Math.abs(x));
  }
  for (const visual of run.model.visuals) {
    const own = visual.size ?? [visual.radius ?? 0, visual.length ?? 0];
    size = Math.max(size, ...own, Math.min(Math.hypot(...visual.pose.slice(0, 3)), 10));
  }
  return size || 0.3;
}

export class RunView extends Group {
  constructor(run, ghost) {
    super();
    this.run = run;
    this.ghost = ghost;
    this.placer = new Placer(run);
    this.size = sizeOf(run);
    this.names = run.model.links.map((link) => link.name);
    this.links = run.model.links.map(() => new Group());
    this.links.forEach((link) => this.add(link));
    this.shapes = [];
    this.visuals = [];
    this.frames = [];
    this.owners = [...new Set(run.model.links.map((link) => ownerOf(link.name)))];
    this.addShapes();
    this.addVisuals();
    this.addFrames();
    this.addLoops();
    this.addContacts();
    this.shown = { shapes: !this.visuals.length, visuals: true, frames: false };
    this.setGhost(ghost);
  }

  /** Through a ghost the other run is seen, and it has no ground: the other one has. */
  setGhost(ghost) {
    this.ghost = ghost;
    this.show(this.shown);
  }

  /** @param what of {shapes, visuals, frames} is shown; what is not dressed in visuals shows its shapes with them. */
  show(what) {
    this.shown = { ...this.shown, ...what };
    const { shapes, visuals, frames } = this.shown;
    for (const mesh of this.shapes) {
      const { link, dressed } = mesh.userData;
      mesh.visible = link < 0 && !dressed ? !this.ghost : shapes || (visuals && !dressed);
      // Over its visuals a shape is glass.
      this.paint(mesh, dressed && visuals ? 0.4 : 1);
    }
    for (const mesh of this.visuals) {
      mesh.visible = visuals;
      this.paint(mesh, mesh.userData.opacity);
    }
    this.frames.forEach((axes) => {
      axes.visible = frames;
    });
    // The skeleton also stands for what has nothing to see.
    const seen = [...this.shapes, ...this.visuals].some((mesh) => mesh.userData.link >= 0 && mesh.visible);
    this.skeleton.visible = frames || !seen;
  }

  paint(mesh, opacity) {
    const { material, userData } = mesh;
    const ghost = this.ghost && (userData.link >= 0 || userData.dressed);
    material.color.copy(ghost ? new Color("#d64550") : userData.colour);
    material.opacity = ghost ? 0.4 : opacity;
    material.transparent = material.opacity < 1;
    material.depthWrite = !material.transparent || ghost;
    material.needsUpdate = true;
    mesh.castShadow = userData.link >= 0 && !material.transparent;
  }

  /** What the graphics card holds of it. */
  dispose() {
    this.traverse(({ geometry, material }) => {
      geometry?.dispose();
      material?.map?.dispose();
      material?.dispose();
    });
  }

  get times() {
    return this.placer.times;
  }

  parentOf(link) {
    return link < 0 ? this : this.links[link];
  }

  ownerOf(part) {
    return ownerOf(this.run.model.frames[part.frame].name);
  }

  /** That of a shape, or of a visual without one of its own: by whose it is, each link a little different. */
  colourOf({ frame, link }) {
    if (link < 0) return new Color("#a4abb3");
    const colour = new Color(COLOURS[this.owners.indexOf(this.ownerOf({ frame })) % COLOURS.length]);
    return colour.offsetHSL(0, 0, ((link * 7) % 5) * 0.05 - 0.1);
  }

  addPart(part, geometry, material, colour) {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(vectorOf(part.pose));
    mesh.quaternion.copy(quaternionOf(part.pose));
    mesh.userData = { link: part.link, colour };
    this.parentOf(part.link).add(mesh);
    return mesh;
  }

  addVisuals() {
    const geometries = this.run.meshes.map(({ vertices, triangles }) => trianglesOf(vertices, triangles));
    for (const visual of this.run.model.visuals) {
      const geometry = visual.mesh === undefined ? geometryOf(visual) : geometries[visual.mesh];
      const colour = visual.colour ? new Color().setRGB(...visual.colour.slice(0, 3), SRGBColorSpace) : this.colourOf(visual);
      const material = new MeshStandardMaterial({
        flatShading: visual.mesh !== undefined || isFlat(visual),
        roughness: 0.75,
        side: visual.mesh === undefined ? FrontSide : DoubleSide,
      });
      const mesh = this.addPart(visual, geometry, material, colour);
      Object.assign(mesh.userData, { dressed: true, opacity: visual.colour ? visual.colour[3] : 1 });
      this.visuals.push(mesh);
    }
  }

  addShapes() {
    const dressed = new Set(this.run.model.visuals.map((visual) => this.ownerOf(visual)));
    this.run.model.shapes.forEach((shape) => {
      const fixed = shape.link < 0;
      const material = new MeshStandardMaterial({
        flatShading: isFlat(shape),
        map: shape.type === "plane" ? this.squares() : null,
        roughness: 0.75,
        side: shape.type === "mesh" || shape.type === "height_field" ? DoubleSide : FrontSide,
      });
      if (fixed) Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
      const mesh = this.addPart(shape, geometryOf(shape), material, this.colourOf(shape));
      mesh.receiveShadow = fixed;
      mesh.userData.dressed = dressed.has(this.ownerOf(shape));
      this.shapes.push(mesh);
    });
  }

  // Squares of a round size, so that speed is seen.
  squares() {
    const cell = 10 ** Math.round(Math.log10(this.size));
    const grey = [255, 226, 226, 255];
    const texture = new DataTexture(Uint8Array.from(grey.flatMap((x) => [x, x, x, 255])), 2, 2);
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.repeat.setScalar(PLANE_SIZE / (2 * cell));
    texture.magFilter = NearestFilter;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.anisotropy = 8;
    texture.colorSpace = SRGBColorSpace;
    texture.needsUpdate = true;
    return texture;
  }

  addFrames() {
    this.links.forEach((link) => {
      const axes = new AxesHelper(this.size * 0.35);
      axes.visible = false;
      link.add(axes);
      this.frames.push(axes);
    });
    // From each link's origin to its centre of mass and to its parent's origin: the skeleton.
    this.skeleton = this.lines(4 * this.links.length, "#c07000");
    this.coms = this.run.model.links.map((link) => new Vector3(...link.com));
  }

  addLoops() {
    this.loopEnds = this.run.model.loops.map((loop) => ({
      ends: [
        [loop.link_a, vectorOf(loop.pose_a)],
        [loop.link_b, vectorOf(loop.pose_b)],
      ],
    }));
    this.loops = this.lines(4 * this.loopEnds.length, "#e05090");
    this.loops.visible = this.loopEnds.length > 0;
  }

  lines(points, colour) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * points), 3));
    const material = new LineBasicMaterial({ color: new Color(colour), depthTest: false });
    const lines = new LineSegments(geometry, material);
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    this.add(lines);
    return lines;
  }

  addContacts() {
    const { contacts, state } = this.run.tables;
    const first = new Int32Array(state.rows + 2);
    const record = contacts.of.record;
    for (let i = 0; i < contacts.rows; ++i) ++first[record[i] + 1];
    for (let k = 0; k <= state.rows; ++k) first[k + 1] += first[k];
    this.rowsOf = new Int32Array(contacts.rows);
    const fill = first.slice();
    for (let i = 0; i < contacts.rows; ++i) this.rowsOf[fill[record[i]]++] = i;
    this.firstOf = first;
    const { ftx, fty, ftz, fn } = contacts.of;
    let most = 0;
    for (let i = 0; i < contacts.rows; ++i) most = Math.max(most, Math.hypot(fn[i], ftx[i], fty[i], ftz[i]));
    // Impacts at the velocity level are far above what a weight does: the typical force is long, not they.
    const sorted = Float64Array.from(fn).sort();
    const typical = sorted.length ? sorted[Math.floor(0.9 * sorted.length)] : 0;
    this.perNewton = typical > 0 ? (0.7 * this.size) / typical : most > 0 ? this.size / most : 0;
    const width = this.size * 0.012;
    this.contacts = new Group();
    this.points = new Dots(MOST_CONTACTS, 2.2 * width, this.ghost ? "#8a1020" : "#101418");
    this.normals = new Arrows(MOST_CONTACTS, width, "#009e73");
    this.forces = new Arrows(MOST_CONTACTS, 1.5 * width, this.ghost ? "#8a1020" : "#d55e00");
    this.contacts.add(this.points, this.normals, this.forces);
    this.add(this.contacts);
  }

  update(t) {
    this.at = recordAt(this.times, t);
    this.placer.place(this.at);
    this.links.forEach((link, i) => {
      link.position.copy(this.placer.positions[i]);
      link.quaternion.copy(this.placer.quaternions[i]);
    });
    if (this.skeleton.visible) this.updateBones();
    if (this.loops.visible) this.updateLoops();
    if (this.contacts.visible) this.updateContacts();
  }

  updateBones() {
    const points = this.skeleton.geometry.attributes.position;
    const { positions, quaternions } = this.placer;
    const com = new Vector3();
    this.run.model.links.forEach((link, i) => {
      com.copy(this.coms[i]).applyQuaternion(quaternions[i]).add(positions[i]);
      const parent = positions[link.parent] ?? positions[i];
      [parent, positions[i], positions[i], com].forEach((p, k) => points.setXYZ(4 * i + k, p.x, p.y, p.z));
    });
    points.needsUpdate = true;
  }

  // From either link's origin to where the loop holds it.
  updateLoops() {
    const points = this.loops.geometry.attributes.position;
    let i = 0;
    const place = new Vector3();
    for (const { ends } of this.loopEnds) {
      for (const [link, offset] of ends) {
        place.copy(offset);
        if (link >= 0) place.applyQuaternion(this.placer.quaternions[link]).add(this.placer.positions[link]);
        const origin = link >= 0 ? this.placer.positions[link] : place;
        points.setXYZ(i++, origin.x, origin.y, origin.z);
        points.setXYZ(i++, place.x, place.y, place.z);
      }
    }
    points.needsUpdate = true;
  }

  updateContacts() {
    const { px, py, pz, nx, ny, nz, fn, ftx, fty, ftz } = this.run.tables.contacts.of;
    this.points.count = 0;
    this.normals.begin();
    this.forces.begin();
    const length = 0.25 * this.size;
    const k = this.perNewton;
    const most = 4 * this.size;
    for (let r = this.firstOf[this.at.record]; r < this.firstOf[this.at.record + 1]; ++r) {
      const i = this.rowsOf[r];
      this.points.put(px[i], py[i], pz[i]);
      this.normals.add1(px[i], py[i], pz[i], length * nx[i], length * ny[i], length * nz[i]);
      const force = [fn[i] * nx[i] + ftx[i], fn[i] * ny[i] + fty[i], fn[i] * nz[i] + ftz[i]];
      const scale = Math.min(k, most / Math.max(Math.hypot(...force), 1e-300));
      this.forces.add1(px[i], py[i], pz[i], ...force.map((f) => scale * f));
    }
    this.points.instanceMatrix.needsUpdate = true;
    this.normals.end();
    this.forces.end();
  }
}
