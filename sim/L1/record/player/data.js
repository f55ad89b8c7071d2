// Decodes the recorded data: base64, zlib, then arrays of differences in byte planes.

async function loadData(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  decodeArrays(header, buffer, 4 + length);
  return header;
}

const ARRAYS = { f32: Uint32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };

// Replaces every description of an array below `node` by a typed array.
function decodeArrays(node, buffer, start) {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === null || typeof value !== "object") continue;
    if (typeof value.type === "string" && "at" in value && "n" in value) {
      node[key] = decodeArray(value, buffer, start);
    } else {
      decodeArrays(value, buffer, start);
    }
  }
}

function decodeArray({ type, at, n, width, offset, scale: step }, buffer, start) {
  if (type === "f64") return new Float64Array(buffer.slice(start + at, start + at + 8 * n));
  const words = new ARRAYS[type](n);
  const bytes = new Uint8Array(buffer, start + at, n * words.BYTES_PER_ELEMENT);
  for (let i = 0; i < n; i++) {
    let word = 0;
    for (let k = words.BYTES_PER_ELEMENT - 1; k >= 0; k--) word = (word << 8) | bytes[k * n + i];
    // typed arrays store sums modulo their word size
    words[i] = i < width ? word : word + words[i - width];
  }
  let values = type === "f32" ? new Float32Array(words.buffer) : words;
  if (offset) {
    values = new Float32Array(n);
    for (let i = 0; i < n; i++) values[i] = offset[i % 3] + step[i % 3] * words[i];
  }
  values.width = width;
  return values;
}

// The recorded frames.
class Frames {
  constructor(fields) {
    Object.assign(this, fields);
    this.count = this.time.length;
    this.contactStart = starts(this.contact_count);
    this.connectorStart = starts(this.connector_count);
  }

  get duration() {
    return this.time[this.count - 1] - this.time[0];
  }

  // The last frame that is not later than a time, and the fraction of the interval to the next frame.
  locate(time) {
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, this.count - 1);
    const interval = this.time[next] - this.time[low];
    const fraction = interval > 0 ? Math.min(Math.max((time - this.time[low]) / interval, 0), 1) : 0;
    return { frame: low, next, fraction };
  }

  nearest(time) {
    const { frame, next, fraction } = this.locate(time);
    return fraction > 0.5 ? next : frame;
  }

  // Row of a field at a frame.
  row(field, frame) {
    const values = this[field];
    return values.subarray(frame * values.width, (frame + 1) * values.width);
  }

  // Values `from` to `from + n` of a field, interpolated between two frames.
  mixed(field, from, n, { frame, next, fraction }) {
    const values = this[field], width = values.width;
    const out = new Array(n);
    for (let k = 0; k < n; k++) {
      const a = values[frame * width + from + k];
      out[k] = fraction > 0 ? a + fraction * (values[next * width + from + k] - a) : a;
    }
    return out;
  }

  bodyPose(body, at) {
    const pos = this.mixed("xpos", 3 * body, 3, at);
    let quat = this.mixed("xquat", 4 * body, 4, at);
    if (at.fraction > 0) {
      const width = this.xquat.width;
      const a = this.xquat.subarray(at.frame * width + 4 * body, at.frame * width + 4 * body + 4);
      const b = this.xquat.subarray(at.next * width + 4 * body, at.next * width + 4 * body + 4);
      // both signs are the same rotation; the shorter arc is interpolated
      const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
      quat = [0, 1, 2, 3].map((k) => (1 - at.fraction) * a[k] + at.fraction * sign * b[k]);
      const length = Math.hypot(...quat) || 1;
      quat = quat.map((x) => x / length);
    }
    return { pos, quat };
  }

  contactsAt(frame) {
    const out = [];
    for (let i = this.contactStart[frame]; i < this.contactStart[frame + 1]; i++) {
      const row = this.contacts.subarray(12 * i, 12 * i + 12);
      out.push({
        pos: [row[0], row[1], row[2]],
        normal: [row[3], row[4], row[5]],
        force: [row[6], row[7], row[8]],
        dist: row[9],
        geoms: [row[10], row[11]],
      });
    }
    return out;
  }

  connectorsAt(frame) {
    const out = [];
    for (let i = this.connectorStart[frame]; i < this.connectorStart[frame + 1]; i++) {
      const row = this.connectors.subarray(15 * i, 15 * i + 15);
      out.push({
        kind: row[0], size: row.subarray(1, 4), pos: row.subarray(4, 7), quat: row.subarray(7, 11),
        rgba: row.subarray(11, 15),
      });
    }
    return out;
  }
}

function starts(counts) {
  const out = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) out[i + 1] = out[i] + counts[i];
  return out;
}
