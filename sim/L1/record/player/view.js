// Cameras and their control with the mouse, touch and keys.

class View {
  constructor(data, frames) {
    this.data = data;
    this.frames = frames;
    this.fixed = null;
    this.follow = null;
    this.reset();
  }

  reset() {
    const { lookat, distance, azimuth, elevation } = this.data.view;
    Object.assign(this, { lookat: [...lookat], distance, azimuth, elevation });
  }

  // Follows a body with the free camera, or none.
  setFollow(body, at) {
    this.follow = body;
    this.followOffset = body === null ? null : sub(this.lookat, this.frames.bodyPose(body, at).pos);
  }

  forward() {
    const a = this.azimuth * Math.PI / 180, e = this.elevation * Math.PI / 180;
    return [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  // Position, directions and matrices at a time.
  camera(at, aspect) {
    if (this.fixed !== null) return this.fixedCamera(at, aspect);
    const { fovy, near, far, orthographic: parallel } = this.data.view;
    if (this.follow !== null) this.lookat = add(this.frames.bodyPose(this.follow, at).pos, this.followOffset);
    const forward = this.forward();
    const a = this.azimuth * Math.PI / 180, e = this.elevation * Math.PI / 180;
    const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    const pos = add(this.lookat, scale(forward, -this.distance));
    const closest = Math.min(near, 0.1 * this.distance), farthest = Math.max(far, 4 * this.distance);
    let projection;
    if (parallel) {
      // the field of view of an orthographic camera is a length
      const half = fovy / 2;
      projection = orthographic(-half * aspect, half * aspect, -half, half, closest, farthest);
    } else {
      const half = closest * Math.tan(fovy * Math.PI / 360);
      projection = frustum(-half * aspect, half * aspect, -half, half, closest, farthest);
    }
    return this.complete(pos, forward, up, projection, farthest);
  }

  fixedCamera(at, aspect) {
    const camera = this.data.cameras[this.fixed];
    const pos = this.frames.mixed("cam_xpos", 3 * this.fixed, 3, at);
    const mat = this.frames.mixed("cam_xmat", 9 * this.fixed, 9, at);
    const forward = [-mat[2], -mat[5], -mat[8]], up = [mat[1], mat[4], mat[7]];
    const [near, far] = camera.clip, [top, bottom] = camera.vertical;
    let [left, right] = camera.horizontal;
    if (left + right === 0) left = right = 0.5 * aspect * (top + bottom);
    const make = camera.orthographic ? orthographic : frustum;
    return this.complete(pos, forward, up, make(-left, right, -bottom, top, near, far), far);
  }

  complete(pos, forward, up, projection, far) {
    const view = lookAt(pos, forward, up);
    return { pos, forward, up, view, projection, far, matrix: multiply(projection, view) };
  }

  orbit(dx, dy) {
    this.azimuth -= 0.4 * dx;
    this.elevation = Math.min(Math.max(this.elevation - 0.4 * dy, -89.9), 89.9);
  }

  pan(dx, dy, height) {
    const step = 2 * this.distance * Math.tan(this.data.view.fovy * Math.PI / 360) / height;
    const forward = this.forward();
    const right = normalize(cross(forward, [0, 0, 1])), up = cross(right, forward);
    const shift = add(scale(right, -dx * step), scale(up, dy * step));
    this.lookat = add(this.lookat, shift);
    if (this.follow !== null) this.followOffset = add(this.followOffset, shift);
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, 1e-3 * this.data.view.extent), 1e3 * this.data.view.extent);
  }
}

// Connects pointer events of a canvas with a view. `click` receives the position of a click in pixels.
function controlView(canvas, view, changed, click, center) {
  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    const before = spread(pointers);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < 4 || view.fixed !== null) return;
    if (pointers.size >= 2) {
      // two fingers: pinch to zoom, drag to pan
      const after = spread(pointers);
      if (before > 0 && after > 0) view.zoom(before / after);
      view.pan(0.5 * dx, 0.5 * dy, canvas.clientHeight);
    } else if (event.buttons & 2 || event.buttons & 4 || event.shiftKey) {
      view.pan(dx, dy, canvas.clientHeight);
    } else {
      view.orbit(dx, dy);
    }
    changed();
  });
  const end = (event) => {
    if (pointers.delete(event.pointerId) && moved < 4 && event.type === "pointerup" && event.button === 0) {
      click(event.offsetX, event.offsetY);
    }
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("dblclick", (event) => center(event.offsetX, event.offsetY));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (view.fixed !== null) return;
    view.zoom(Math.exp(0.001 * event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
    changed();
  }, { passive: false });
}

function spread(pointers) {
  const [a, b] = [...pointers.values()];
  return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}
