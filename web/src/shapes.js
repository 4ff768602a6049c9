// Shapes of model.json as meshes.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  PlaneGeometry,
  SphereGeometry,
} from "three";

export function trianglesOf(vertices, indices) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

// Each cell in two triangles along the diagonal from (i, j) to (i + 1, j + 1).
function heightField(shape) {
  const [nx, ny] = shape.samples;
  const vertices = [];
  const indices = [];
  for (let i = 0; i < nx; ++i) {
    for (let j = 0; j < ny; ++j) {
      vertices.push(
        shape.origin[0] + i * shape.spacing[0],
        shape.origin[1] + j * shape.spacing[1],
        shape.heights[i * ny + j],
      );
      if (i + 1 === nx || j + 1 === ny) continue;
      const a = i * ny + j;
      indices.push(a, a + ny, a + ny + 1, a, a + ny + 1, a + 1);
    }
  }
  return trianglesOf(vertices, indices);
}

/** Planes have no end: they are drawn this wide. */
export const PLANE_SIZE = 400;

export function geometryOf(shape) {
  const { radius, length } = shape;
  switch (shape.type) {
    case "sphere":
      return new SphereGeometry(radius, 24, 16);
    case "box":
      return new BoxGeometry(...shape.size);
    case "capsule":
      return new CapsuleGeometry(radius, length, 8, 20).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(radius, radius, length, 32).rotateX(Math.PI / 2);
    case "cone":
      return new ConeGeometry(radius, length, 32).rotateX(Math.PI / 2);
    case "plane":
      return new PlaneGeometry(PLANE_SIZE, PLANE_SIZE);
    case "height_field":
      return heightField(shape);
    default:
      return trianglesOf(shape.vertices, shape.triangles);
  }
}

export function isFlat(shape) {
  return ["box", "convex", "mesh", "height_field"].includes(shape.type);
}
