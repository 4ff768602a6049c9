// The numbers of a run, as app/view/pack.cpp packs them: deflated, base64.

async function inflate(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Second differences as zigzag varints, seven bits a byte, low ones first. The numbers may need
// more than 32 bits, so they are put together by arithmetic.
class Integers {
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
  column(rows, scale) {
    const values = new Float64Array(rows);
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

/** {name, model, summary, tables: {state, energy, contacts, events}}, each table {rows, of: {column: Float64Array}}. */
export async function decode(base64) {
  const bytes = await inflate(base64);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const run = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const integers = new Integers(bytes, 4 + length);
  for (const table of Object.values(run.tables)) {
    table.of = {};
    for (const [name, scale] of table.columns) table.of[name] = integers.column(table.rows, scale);
  }
  return run;
}
