// Vectors, quaternions (w, x, y, z) and column-major 4 x 4 matrices.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);

function normalize(a) {
  const length = norm(a);
  return length > 1e-12 ? scale(a, 1 / length) : [0, 0, 1];
}

// Pose and scale along the axes as a matrix, written to `out` at `offset`.
function poseMatrix(pos, quat, size, out = new Float32Array(16), offset = 0) {
  const [w, x, y, z] = quat;
  const [a, b, c] = size;
  out[offset] = (1 - 2 * (y * y + z * z)) * a;
  out[offset + 1] = 2 * (x * y + w * z) * a;
  out[offset + 2] = 2 * (x * z - w * y) * a;
  out[offset + 3] = 0;
  out[offset + 4] = 2 * (x * y - w * z) * b;
  out[offset + 5] = (1 - 2 * (x * x + z * z)) * b;
  out[offset + 6] = 2 * (y * z + w * x) * b;
  out[offset + 7] = 0;
  out[offset + 8] = 2 * (x * z + w * y) * c;
  out[offset + 9] = 2 * (y * z - w * x) * c;
  out[offset + 10] = (1 - 2 * (x * x + y * y)) * c;
  out[offset + 11] = 0;
  out[offset + 12] = pos[0];
  out[offset + 13] = pos[1];
  out[offset + 14] = pos[2];
  out[offset + 15] = 1;
  return out;
}

function multiply(a, b, out = new Float32Array(16)) {
  for (let c = 0; c < 4; c++) {
    const x = b[4 * c], y = b[4 * c + 1], z = b[4 * c + 2], w = b[4 * c + 3];
    for (let r = 0; r < 4; r++) {
      out[4 * c + r] = a[r] * x + a[4 + r] * y + a[8 + r] * z + a[12 + r] * w;
    }
  }
  return out;
}

function transform(m, [x, y, z, w]) {
  return [0, 1, 2, 3].map((r) => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r] * w);
}

// World frame to the frame of a camera that looks along its negative z axis.
function lookAt(pos, forward, up) {
  const f = normalize(forward);
  const r = normalize(cross(f, up));
  const u = cross(r, f);
  return new Float32Array([
    r[0], u[0], -f[0], 0, r[1], u[1], -f[1], 0, r[2], u[2], -f[2], 0,
    -dot(r, pos), -dot(u, pos), dot(f, pos), 1,
  ]);
}

// Projection with bounds at the near plane.
function frustum(left, right, bottom, top, near, far) {
  return new Float32Array([
    2 * near / (right - left), 0, 0, 0,
    0, 2 * near / (top - bottom), 0, 0,
    (right + left) / (right - left), (top + bottom) / (top - bottom), -(far + near) / (far - near), -1,
    0, 0, -2 * far * near / (far - near), 0,
  ]);
}

function orthographic(left, right, bottom, top, near, far) {
  return new Float32Array([
    2 / (right - left), 0, 0, 0, 0, 2 / (top - bottom), 0, 0, 0, 0, -2 / (far - near), 0,
    -(right + left) / (right - left), -(top + bottom) / (top - bottom), -(far + near) / (far - near), 1,
  ]);
}

// Rotation from the z axis to a direction.
function quatFromZ(direction) {
  const [x, y, z] = normalize(direction);
  if (z < -0.999999) return [0, 1, 0, 0];
  const w = 1 + z;
  const length = Math.hypot(w, x, y);
  return [w / length, -y / length, x / length, 0];
}

// Unit vector perpendicular to `v`.
function perpendicular(v) {
  return normalize(cross(v, Math.abs(v[2]) < 0.9 * norm(v) ? [0, 0, 1] : [1, 0, 0]));
}
