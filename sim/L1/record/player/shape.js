// Unit shapes as arrays of vertices (position, normal), three per triangle.

const SLICES = 40, STACKS = 20;

function hemisphere(sign) {
  const out = [];
  const at = (i, j) => {
    const azimuth = 2 * Math.PI * j / SLICES, elevation = sign * 0.5 * Math.PI * i / (STACKS / 2);
    const c = Math.cos(elevation);
    const n = [Math.cos(azimuth) * c, Math.sin(azimuth) * c, Math.sin(elevation)];
    return [...n, ...n];
  };
  for (let i = 0; i < STACKS / 2; i++) {
    for (let j = 0; j < SLICES; j++) quad(out, sign, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  }
  return out;
}

function quad(out, sign, a, b, c, d) {
  if (sign > 0) out.push(...a, ...b, ...c, ...a, ...c, ...d);
  else out.push(...c, ...b, ...a, ...d, ...c, ...a);
}

function tube() {
  const out = [];
  const at = (j, z) => {
    const azimuth = 2 * Math.PI * j / SLICES, x = Math.cos(azimuth), y = Math.sin(azimuth);
    return [x, y, z, x, y, 0];
  };
  for (let j = 0; j < SLICES; j++) quad(out, 1, at(j, -1), at(j + 1, -1), at(j + 1, 1), at(j, 1));
  return out;
}

function disk(sign, z) {
  const out = [];
  const at = (j) => {
    const azimuth = 2 * Math.PI * j / SLICES;
    return [Math.cos(azimuth), Math.sin(azimuth), z, 0, 0, sign];
  };
  for (let j = 0; j < SLICES; j++) {
    const corners = [[0, 0, z, 0, 0, sign], at(j), at(j + 1)];
    if (sign < 0) corners.reverse();
    out.push(...corners.flat());
  }
  return out;
}

function cone() {
  const out = disk(-1, 0), s = Math.SQRT1_2;
  const at = (j, z) => {
    const azimuth = 2 * Math.PI * j / SLICES, x = Math.cos(azimuth), y = Math.sin(azimuth);
    return [x * (1 - z), y * (1 - z), z, x * s, y * s, s];
  };
  for (let j = 0; j < SLICES; j++) out.push(...at(j, 0), ...at(j + 1, 0), ...at(j + 0.5, 1));
  return out;
}

function box() {
  const out = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const at = (u, v) => {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = n[axis] = side;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        return [...p, ...n];
      };
      quad(out, side, at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
    }
  }
  return out;
}

function square() {
  const out = [], at = (x, y) => [x, y, 0, 0, 0, 1];
  quad(out, 1, at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
  return out;
}

const UNIT_SHAPES = {
  top: () => hemisphere(1),
  bottom: () => hemisphere(-1),
  sphere: () => [...hemisphere(1), ...hemisphere(-1)],
  tube,
  cylinder: () => [...tube(), ...disk(1, 1), ...disk(-1, -1)],
  box,
  cone,
  plane: square,
};

// Numbers of MuJoCo's geom types (mjtGeom).
const KIND = {
  plane: 0, hfield: 1, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7, sdf: 8,
  arrow: 100, arrow1: 101, arrow2: 102, line: 103, triangle: 108,
};

// Parts of a geom: unit shape, and its position and scale in the frame of the geom.
function shapeParts(kind, size) {
  const [x, y, z] = size, origin = [0, 0, 0];
  switch (kind) {
    case KIND.sphere:
    case KIND.ellipsoid:
      return [{ shape: "sphere", pos: origin, size }];
    case KIND.capsule:
      return [
        { shape: "tube", pos: origin, size },
        { shape: "top", pos: [0, 0, z], size: [x, y, 0.5 * (x + y)] },
        { shape: "bottom", pos: [0, 0, -z], size: [x, y, 0.5 * (x + y)] },
      ];
    case KIND.cylinder:
      return [{ shape: "cylinder", pos: origin, size }];
    case KIND.box:
      return [{ shape: "box", pos: origin, size }];
    case KIND.arrow:
    case KIND.arrow1:
    case KIND.arrow2: {
      const head = Math.min(0.4 * z, 4 * x);
      const parts = [
        { shape: "cylinder", pos: [0, 0, 0.5 * (z - head)], size: [0.6 * x, 0.6 * y, 0.5 * (z - head)] },
        { shape: "cone", pos: [0, 0, z - head], size: [1.5 * x, 1.5 * y, head] },
      ];
      return parts;
    }
    case KIND.line:
      return [{ shape: "tube", pos: [0, 0, 0.5 * z], size: [0.002, 0.002, 0.5 * z] }];
    case KIND.plane:
      return [{ shape: "plane", pos: origin, size: [x, y, 1] }];
    default:
      return [];
  }
}
