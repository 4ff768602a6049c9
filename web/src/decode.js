// What app/packed_numbers.cpp packs: deflated, base64.

async function inflate(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Second differences as zigzag varints, seven bits a byte, low ones first. The numbers may need
// more than 32 bits, so they are put together by arithmetic.
export class Integers {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  next() {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      if (byte < 128) break;
      unit *= 128;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  /** So many values in units of `scale`, into what is given. */
  column(rows, scale, values = new Float64Array(rows)) {
    let value = 0;
    let step = 0;
    for (let i = 0; i < rows; ++i) {
      step += this.next();
      value += step;
      values[i] = value * scale;
    }
    return values;
  }
}

function decodeMesh({ corners, triangles, unit, low }, integers) {
  const vertices = new Float32Array(3 * corners);
  for (let k = 0; k < 3; ++k)
    integers.column(corners, unit).forEach((x, i) => {
      vertices[3 * i + k] = low[k] + x;
    });
  return { vertices, triangles: Array.from(integers.column(3 * triangles, 1)) };
}

/** The JSON, all bytes, and where in them the columns begin. */
export async function unpack(base64) {
  const bytes = await inflate(base64);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), bytes, begin: 4 + length };
}

/** {name, model, meshes, tables: {state, energy, contacts, events}}, each table {rows, of: {column: Float64Array}}
 *  and each mesh {vertices, triangles}. */
export async function decode(base64) {
  const { json: run, bytes, begin } = await unpack(base64);
  const integers = new Integers(bytes, begin);
  for (const table of Object.values(run.tables)) {
    table.of = {};
    for (const [name, scale] of table.columns) table.of[name] = integers.column(table.rows, scale);
  }
  run.meshes = run.meshes.map((mesh) => decodeMesh(mesh, integers));
  return run;
}
