// Many arrows at once: one draw for the shafts, one for the heads.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";

const UP = new Vector3(0, 0, 1);

export class Arrows extends Group {
  constructor(most, width, colour) {
    super();
    const material = new MeshBasicMaterial({ color: new Color(colour) });
    const make = (geometry) => {
      const mesh = new InstancedMesh(geometry, material, most);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.count = 0;
      this.add(mesh);
      return mesh;
    };
    // Unit lengths along z, from the origin.
    this.shafts = make(new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5));
    this.heads = make(new ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, -0.5));
    this.most = most;
    this.width = width;
    this.scratch = [new Matrix4(), new Quaternion(), new Vector3(), new Vector3(), new Vector3()];
  }

  begin() {
    this.shafts.count = this.heads.count = 0;
  }

  /** From (x, y, z) along (dx, dy, dz). */
  add1(x, y, z, dx, dy, dz) {
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 0) || this.shafts.count >= this.most) return;
    const [matrix, quaternion, from, along, size] = this.scratch;
    along.set(dx / length, dy / length, dz / length);
    quaternion.setFromUnitVectors(UP, along);
    const head = Math.min(5 * this.width, 0.5 * length);
    from.set(x, y, z);
    matrix.compose(from, quaternion, size.set(this.width, this.width, length - head));
    this.shafts.setMatrixAt(this.shafts.count++, matrix);
    from.addScaledVector(along, length);
    matrix.compose(from, quaternion, size.set(2.5 * this.width, 2.5 * this.width, head));
    this.heads.setMatrixAt(this.heads.count++, matrix);
  }

  end() {
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }
}

export class Dots extends InstancedMesh {
  constructor(most, radius, colour) {
    super(new SphereGeometry(radius, 10, 8), new MeshBasicMaterial({ color: new Color(colour) }), most);
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.frustumCulled = false;
    this.count = 0;
    this.most = most;
    this.scratch = new Matrix4();
  }

  put(x, y, z) {
    if (this.count >= this.most) return;
    this.setMatrixAt(this.count++, this.scratch.makeTranslation(x, y, z));
  }
}
