// Light, camera, and the canvases on which runs are drawn.
import {
  Color,
  DirectionalLight,
  HemisphereLight,
  PCFSoftShadowMap,
  PerspectiveCamera,
  Scene,
  Spherical,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

function makeScene(size) {
  const scene = new Scene();
  scene.add(new HemisphereLight("#ffffff", "#8a8f98", 1.6));
  const sun = new DirectionalLight("#ffffff", 2.2);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  const reach = 4 * size;
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 30 * size });
  sun.shadow.bias = -5e-4;
  scene.add(sun, sun.target);
  return { scene, sun };
}

export class Stage {
  constructor(canvases, size) {
    this.size = size;
    this.canvases = canvases;
    this.renderers = canvases.map((canvas) => {
      const renderer = new WebGLRenderer({ canvas, antialias: true });
      renderer.shadowMap.enabled = true;
      renderer.shadowMap.type = PCFSoftShadowMap;
      return renderer;
    });
    this.scenes = canvases.map(() => makeScene(size));
    this.camera = new PerspectiveCamera(40, 1, 0.02 * size, 400 * size);
    this.camera.up.set(0, 0, 1);
    // Towards where it stands, from what it looks at.
    this.camera.position.set(-0.45, -0.85, 0.32);
    // Either canvas turns the one camera.
    this.controls = canvases.map((canvas) => {
      const controls = new OrbitControls(this.camera, canvas);
      controls.maxPolarAngle = 0.98 * Math.PI;
      return controls;
    });
    this.target = new Vector3();
    this.resize();
  }

  resize() {
    this.canvases.forEach((canvas, i) => {
      if (canvas.hidden) return;
      const { clientWidth: width, clientHeight: height } = canvas;
      if (!width || !height) return;
      this.renderers[i].setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
      this.renderers[i].setSize(width, height, false);
      this.camera.aspect = width / height;
    });
    this.camera.updateProjectionMatrix();
    const sky = getComputedStyle(document.documentElement).getPropertyValue("--sky").trim();
    for (const { scene } of this.scenes) scene.background = new Color(sky);
  }

  /** Takes the camera along to a new target. */
  follow(target) {
    this.camera.position.add(target).sub(this.target);
    this.lookAt(target);
  }

  lookAt(target) {
    this.target.copy(target);
    for (const controls of this.controls) controls.target.copy(target);
  }

  /** Turns the camera about what it looks at, rad, and takes it away by a factor. */
  turn(around, up, factor = 1) {
    const { target } = this.controls[0];
    // Its poles are on the y axis, ours on z.
    const { x, y, z } = this.camera.position.clone().sub(target);
    const place = new Spherical().setFromCartesianCoords(y, z, x);
    place.theta += around;
    place.phi -= up;
    place.radius *= factor;
    place.phi = Math.min(Math.max(place.phi, 0.02), 0.98 * Math.PI);
    const offset = new Vector3().setFromSpherical(place);
    this.camera.position.set(offset.z, offset.x, offset.y).add(target);
  }

  draw() {
    this.camera.lookAt(this.controls[0].target);
    this.camera.updateMatrixWorld();
    this.scenes.forEach(({ scene, sun }, i) => {
      if (this.canvases[i].hidden) return;
      sun.target.position.copy(this.target);
      sun.position.copy(this.target).add(new Vector3(-4, -5, 10).multiplyScalar(this.size));
      this.renderers[i].render(scene, this.camera);
    });
  }
}
