// Draws a frame of the recording with WebGL 2.

const IDENTITY_QUAT = [1, 0, 0, 0];
const SHADOW_SIZE = 2048;
// Colour that is mixed into a selected body.
const HIGHLIGHT = [1, 0.62, 0.1];

class Renderer {
  constructor(canvas, data, frames) {
    this.canvas = canvas;
    this.data = data;
    this.frames = frames;
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.lit = makeProgram(gl, VERTEX, FRAGMENT);
    this.depth = makeProgram(gl, VERTEX, DEPTH_FRAGMENT);
    this.pick = makeProgram(gl, VERTEX, PICK_FRAGMENT);
    this.sky = makeProgram(gl, SKY_VERTEX, SKY_FRAGMENT);
    this.units = {};
    this.meshes = data.meshes.map((mesh) => this.meshBuffer(mesh));
    this.white = this.makeTexture({ type: "2d", width: 1, height: 1, channels: 1, faces: 1, pixels: [255] });
    this.whiteCube = this.makeTexture({ type: "cube", width: 1, height: 1, channels: 1, faces: 1, pixels: [255] });
    this.textures = data.textures.map((texture) => this.makeTexture(texture));
    this.parts = data.geoms.flatMap((geom) => this.geomParts(geom));
    this.deformables = frames.deformables.map((body) => this.deformableBuffer(body));
    this.makeShadowMap();
    this.bodies = data.bodies.map(() => new Float32Array(16));
    this.model = new Float32Array(16);
    this.empty = gl.createVertexArray();
  }

  buffer(vertices, indices, stride, usage = this.gl.STATIC_DRAW) {
    const gl = this.gl, vao = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, usage);
    for (const [location, size, offset] of [[0, 3, 0], [1, 3, 12], [2, 2, 24]]) {
      if (offset >= 4 * stride) break;
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * stride, offset);
    }
    if (indices) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
    return { vao, buffer, indexed: !!indices, count: indices ? indices.length : vertices.length / stride };
  }

  unit(shape) {
    return this.units[shape] ??= this.buffer(new Float32Array(UNIT_SHAPES[shape]()), null, 6);
  }

  meshBuffer({ positions, normals, texcoords, indices }) {
    const n = positions.length / 3, vertices = new Float32Array(8 * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) {
        const byte = normals[3 * i + k];
        vertices[8 * i + k] = positions[3 * i + k];
        vertices[8 * i + 3 + k] = (byte > 127 ? byte - 256 : byte) / 127;
      }
      if (texcoords) vertices.set(texcoords.subarray(2 * i, 2 * i + 2), 8 * i + 6);
    }
    return this.buffer(vertices, indices, 8);
  }

  deformableBuffer({ triangles, lines, positions }) {
    const indices = triangles.length ? triangles : lines;
    const vertices = new Float32Array(2 * positions.width);
    return { ...this.buffer(vertices, indices, 6, this.gl.DYNAMIC_DRAW), vertices, triangles, positions };
  }

  makeTexture({ type, width, height, channels, faces, pixels, srgb }) {
    const gl = this.gl, texture = gl.createTexture();
    const target = type === "2d" ? gl.TEXTURE_2D : gl.TEXTURE_CUBE_MAP;
    gl.bindTexture(target, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const size = width * height;
    for (let face = 0; face < (type === "2d" ? 1 : 6); face++) {
      const rgba = new Uint8Array(4 * size), start = faces === 6 ? face * size * channels : 0;
      for (let i = 0; i < size; i++) {
        const at = start + i * channels;
        for (let k = 0; k < 3; k++) rgba[4 * i + k] = pixels[at + (channels >= 3 ? k : 0)];
        rgba[4 * i + 3] = channels === 4 ? pixels[at + 3] : channels === 2 ? pixels[at + 1] : 255;
      }
      const image = type === "2d" ? target : gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
      gl.texImage2D(image, 0, srgb ? gl.SRGB8_ALPHA8 : gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    }
    gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    const wrap = type === "2d" ? gl.REPEAT : gl.CLAMP_TO_EDGE;
    gl.texParameteri(target, gl.TEXTURE_WRAP_S, wrap);
    gl.texParameteri(target, gl.TEXTURE_WRAP_T, wrap);
    const anisotropy = gl.getExtension("EXT_texture_filter_anisotropic");
    if (anisotropy) gl.texParameterf(target, anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    return { target, texture };
  }

  makeShadowMap() {
    const gl = this.gl;
    this.shadowMap = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    this.shadowTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowMap, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Parts of a geom of the model.
  geomParts(geom) {
    const frame = poseMatrix(geom.pos, geom.quat, [1, 1, 1]);
    const common = {
      geom, body: geom.body, group: geom.group, site: geom.site, rgba: geom.rgba,
      material: [geom.emission, geom.specular, 128 * geom.shininess, geom.reflectance],
      plane: geom.kind === KIND.plane,
      infinite: geom.kind === KIND.plane && (geom.size[0] <= 0 || geom.size[1] <= 0),
    };
    if (geom.mesh !== null) {
      const size = [1, 1, 1];
      return [{ ...common, ...this.texturing(geom, size, true), buffer: this.meshes[geom.mesh], local: frame, size }];
    }
    return shapeParts(geom.kind, geom.size).map(({ shape, pos, size }) => ({
      ...common, ...this.texturing(geom, size, false), buffer: this.unit(shape), frame, size,
      local: multiply(frame, poseMatrix(pos, IDENTITY_QUAT, size)),
    }));
  }

  // How a part is textured: 0 none, 1 coordinates of vertices, 2 generated, 3 cube.
  texturing(geom, size, isMesh) {
    const use = geom.texture, none = { texturing: 0 };
    if (!use || !this.textures[use.id]) return none;
    const texture = this.textures[use.id], flat = this.data.textures[use.id].type === "2d";
    if (use.texcoord) return flat ? { texturing: 1, texture } : none;
    if (!flat) return { texturing: 3, texture, cube: use.uniform ? geom.size : [1, 1, 1] };
    // vertices of meshes and planes are in metres, those of other shapes in units of the size
    const metric = isMesh || geom.kind === KIND.plane;
    const factor = [0, 1].map((k) => {
      let s = use.repeat[k];
      if (geom.size[k] > 0) {
        if (metric) s /= geom.size[k];
        if (use.uniform) s *= geom.size[k];
      }
      return 0.5 * s * (metric && !isMesh ? size[k] : 1);
    });
    return { texturing: 2, texture, mapping: [factor[0], -factor[1], -0.5, -0.5], repeat: use.repeat };
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { canvas } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    return width / height;
  }

  // Draws the state at a time. `options`: contacts, forces, groups, sites, selected, grid, colours.
  draw(at, view, options) {
    const gl = this.gl, aspect = this.resize();
    const camera = this.camera = view.camera(at, aspect);
    this.data.bodies.forEach((_, i) => {
      const { pos, quat } = this.frames.bodyPose(i, at);
      poseMatrix(pos, quat, [1, 1, 1], this.bodies[i]);
    });
    this.deformables.forEach((body) => this.updateDeformable(body, at));
    const lights = this.lightsAt(at, camera);
    this.visible = this.parts.filter((part) => options[part.site ? "sites" : "groups"][part.group]);
    this.dynamic = this.dynamicParts(at, options);
    const shadow = this.drawShadowMap(lights, view);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawSky(camera, options);
    this.setLitUniforms(camera, lights, shadow);
    this.drawParts(camera, options);
  }

  drawParts(camera, options) {
    const gl = this.gl, opaque = [], transparent = [];
    for (const part of [...this.visible, ...this.dynamic]) {
      (part.rgba[3] < 0.999 || part.infinite ? transparent : opaque).push(part);
      const m = part.body === undefined ? part.local : this.bodies[part.body];
      part.distance = part.infinite ? Infinity : norm(sub([m[12], m[13], m[14]], camera.pos));
    }
    transparent.sort((a, b) => b.distance - a.distance);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    opaque.forEach((part) => this.drawLit(part, options));
    this.deformables.forEach((body) => this.drawDeformable(body));
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const part of transparent) {
      gl.depthMask(part.plane);
      this.drawLit(part, options);
    }
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  // Contact points, contact forces, tendons and other connectors.
  dynamicParts(at, options) {
    const { view } = this.data, parts = [], frame = at.fraction > 0.5 ? at.next : at.frame;
    const push = (kind, size, pos, quat, rgba, emission, shadow) => {
      const pose = poseMatrix(pos, quat, [1, 1, 1]);
      for (const part of shapeParts(kind, size)) {
        const local = multiply(pose, poseMatrix(part.pos, IDENTITY_QUAT, part.size));
        const material = [emission, 0.2, 30, 0];
        parts.push({ buffer: this.unit(part.shape), local, size: part.size, rgba, material, texturing: 0, shadow });
      }
    };
    for (const { kind, size, pos, quat, rgba } of this.frames.connectorsAt(frame)) {
      push(kind, [...size], [...pos], [...quat], [...rgba], 0, true);
    }
    for (const contact of options.contacts || options.forces ? this.frames.contactsAt(frame) : []) {
      if (options.contacts) {
        const width = view.contact_width, height = Math.max(view.contact_height, -contact.dist / 2);
        push(KIND.cylinder, [width, width, height], contact.pos, quatFromZ(contact.normal), view.contact_rgba, 0.3);
      }
      const length = view.force_scale * norm(contact.force);
      if (options.forces && length > 1e-6 * view.extent) {
        const width = view.force_width;
        push(KIND.arrow, [width, width, length], contact.pos, quatFromZ(contact.force), view.force_rgba, 0.3);
      }
    }
    return parts;
  }

  lightsAt(at, camera) {
    const { view, lights } = this.data, out = [];
    if (view.headlight.active) {
      // models without lights of their own are drawn brighter than MuJoCo does
      const more = lights.some(({ active }) => active) ? 0 : 0.25;
      const [ambient, diffuse] = ["ambient", "diffuse"].map((key) => view.headlight[key].map((x) => x + more));
      out.push({ ...view.headlight, ambient, diffuse, pos: [...scale(camera.forward, -1), 0], dir: [0, 0, 0, -2], fall: [1, 0, 0, 0] });
    }
    lights.forEach((light, i) => {
      if (!light.active || out.length >= MAX_LIGHTS) return;
      const origin = this.frames.mixed("light_xpos", 3 * i, 3, at);
      const dir = normalize(this.frames.mixed("light_xdir", 3 * i, 3, at));
      const cosine = light.spot && light.cutoff < 180 ? Math.cos(light.cutoff * Math.PI / 180) : -2;
      out.push({
        ...light, origin, forward: dir,
        pos: light.directional ? [...scale(dir, -1), 0] : [...origin, 1],
        dir: light.directional ? [0, 0, 0, -2] : [...dir, cosine],
        fall: light.spot ? [...light.attenuation, light.exponent] : [1, 0, 0, 0],
      });
    });
    return out;
  }

  // Renders the depth from the first light that casts shadows.
  drawShadowMap(lights, view) {
    const gl = this.gl, index = lights.findIndex((light) => light.castshadow);
    if (index < 0) return { index: -1, matrix: new Float32Array(16) };
    const light = lights[index], { extent } = this.data.view;
    let projection, origin = light.origin;
    if (light.directional) {
      const half = Math.max(1.2 * extent, view.distance), depth = 4 * half;
      origin = add(view.lookat, scale(light.forward, -depth));
      projection = orthographic(-half, half, -half, half, 0.1 * depth, 2 * depth);
    } else {
      const near = 0.02 * extent;
      const angle = Math.min(light.spot ? light.cutoff : 75, 75) * Math.PI / 180, half = near * Math.tan(angle);
      projection = frustum(-half, half, -half, half, near, 20 * extent);
    }
    const matrix = multiply(projection, lookAt(origin, light.forward, perpendicular(light.forward)));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 6);
    gl.useProgram(this.depth.program);
    const { uniforms } = this.depth;
    gl.uniformMatrix4fv(uniforms.uView, false, matrix);
    gl.uniformMatrix4fv(uniforms.uProjection, false, poseMatrix([0, 0, 0], IDENTITY_QUAT, [1, 1, 1]));
    for (const part of [...this.visible, ...this.dynamic.filter((part) => part.shadow)]) {
      if (!part.plane && part.rgba[3] > 0.5) this.drawBare(part, uniforms);
    }
    for (const body of this.deformables) {
      gl.uniformMatrix4fv(uniforms.uModel, false, poseMatrix([0, 0, 0], IDENTITY_QUAT, [1, 1, 1]));
      if (body.triangles.length) this.drawBuffer(body);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    return { index, matrix };
  }

  drawBare(part, uniforms) {
    const model = part.body === undefined ? part.local : multiply(this.bodies[part.body], part.local, this.model);
    this.gl.uniformMatrix4fv(uniforms.uModel, false, model);
    this.drawBuffer(part.buffer);
  }

  drawBuffer({ vao, indexed, count }, mode = this.gl.TRIANGLES) {
    const gl = this.gl;
    gl.bindVertexArray(vao);
    if (indexed) gl.drawElements(mode, count, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(mode, 0, count);
  }

  drawSky(camera, options) {
    const gl = this.gl, { program, uniforms } = this.sky;
    const skybox = this.data.skybox;
    gl.useProgram(program);
    gl.disable(gl.DEPTH_TEST);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, skybox === null ? this.whiteCube.texture : this.textures[skybox].texture);
    gl.uniform1i(uniforms.uCubeImage, 2);
    gl.uniform1i(uniforms.uHasImage, skybox === null ? 0 : 1);
    gl.uniform3fv(uniforms.uHigh, options.skyHigh);
    gl.uniform3fv(uniforms.uLow, options.skyLow);
    gl.uniformMatrix4fv(uniforms.uInverse, false, inverseCamera(camera));
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  setLitUniforms(camera, lights, shadow) {
    const gl = this.gl, { program, uniforms } = this.lit;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.uView, false, camera.view);
    gl.uniformMatrix4fv(uniforms.uProjection, false, camera.projection);
    gl.uniformMatrix4fv(uniforms.uShadow, false, shadow.matrix);
    gl.uniform3fv(uniforms.uEye, camera.pos);
    gl.uniform1i(uniforms.uLights, lights.length);
    gl.uniform1i(uniforms.uShadowLight, shadow.index);
    gl.uniform1f(uniforms.uShadowTexel, 1 / SHADOW_SIZE);
    const fields = { uLightPos: ["pos", 4], uLightDir: ["dir", 4], uLightFall: ["fall", 4], uAmbient: ["ambient", 3], uDiffuse: ["diffuse", 3], uSpecular: ["specular", 3] };
    for (const [uniform, [field, n]] of Object.entries(fields)) {
      const values = lights.flatMap((light) => light[field]);
      if (values.length) gl[n === 4 ? "uniform4fv" : "uniform3fv"](uniforms[uniform], values);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    gl.uniform1i(uniforms.uShadowMap, 0);
    gl.uniform1i(uniforms.uImage, 1);
    gl.uniform1i(uniforms.uCubeImage, 2);
  }

  drawLit(part, options) {
    const gl = this.gl, { uniforms } = this.lit, [emission, ...material] = part.material;
    let { size, mapping, rgba } = part;
    let model = part.body === undefined ? part.local : multiply(this.bodies[part.body], part.local, this.model);
    let grid = [0, 0, 0, 0];
    if (part.plane) {
      const frame = multiply(this.bodies[part.body], part.frame);
      const normal = [frame[8], frame[9], frame[10]], origin = [frame[12], frame[13], frame[14]];
      const eye = sub(this.camera.pos, origin);
      // planes that are seen from behind are almost transparent
      if (dot(eye, normal) < 0) rgba = [rgba[0], rgba[1], rgba[2], 0.3 * rgba[3]];
      if (part.infinite) ({ model, size, mapping } = this.infinitePlane(part, frame, eye));
      const fade = part.infinite ? [0.15 * this.camera.far, 0.8 * this.camera.far] : [0, 0];
      const gridded = options.grid && part.texturing === 0 && Math.abs(normal[2]) > 0.99;
      grid = [gridded ? options.gridSpacing : 0, 0.12, ...fade];
      gl.uniform3fv(uniforms.uGridOrigin, origin);
    }
    const selected = options.selected !== null && part.body === options.selected && part.body !== 0;
    if (selected) rgba = [0, 1, 2].map((k) => 0.5 * rgba[k] + 0.5 * HIGHLIGHT[k]).concat(rgba[3]);
    gl.uniform4fv(uniforms.uGrid, grid);
    gl.uniformMatrix4fv(uniforms.uModel, false, model);
    gl.uniform3fv(uniforms.uSize, size.map((x) => x || 1e-6));
    gl.uniform4fv(uniforms.uColor, rgba);
    gl.uniform4fv(uniforms.uMaterial, [emission + (selected ? 0.25 : 0), ...material]);
    gl.uniform1i(uniforms.uTexturing, part.texturing);
    if (mapping) gl.uniform4fv(uniforms.uTexture, mapping);
    if (part.cube) gl.uniform3fv(uniforms.uCube, part.cube);
    const flat = part.texturing === 1 || part.texturing === 2;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, (flat ? part.texture : this.white).texture);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, (part.texturing === 3 ? part.texture : this.whiteCube).texture);
    this.drawBuffer(part.buffer);
  }

  // A large square below the camera stands for an infinite plane.
  infinitePlane(part, frame, eye) {
    const axis = (k) => [frame[4 * k], frame[4 * k + 1], frame[4 * k + 2]];
    const half = [0, 1].map((k) => part.geom.size[k] > 0 ? part.geom.size[k] : this.camera.far);
    const offset = [0, 1].map((k) => part.geom.size[k] > 0 ? 0 : dot(eye, axis(k)));
    const size = [half[0], half[1], 1];
    const model = multiply(frame, poseMatrix([...offset, 0], IDENTITY_QUAT, size));
    let mapping;
    if (part.mapping) {
      const [u, v] = [0, 1].map((k) => 0.5 * part.repeat[k]);
      mapping = [u * half[0], -v * half[1], u * offset[0] - 0.5, -v * offset[1] - 0.5];
    }
    return { model, size, mapping };
  }

  updateDeformable(body, at) {
    const { positions, vertices, triangles } = body, width = positions.width, n = width / 3;
    const start = at.frame * width, next = at.next * width;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) {
        const a = positions[start + 3 * i + k];
        vertices[6 * i + k] = a + at.fraction * (positions[next + 3 * i + k] - a);
        vertices[6 * i + 3 + k] = triangles.length ? 0 : (k === 2 ? 1 : 0);
      }
    }
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 6 * triangles[t + k]);
      const at3 = (i) => [vertices[i], vertices[i + 1], vertices[i + 2]];
      const normal = cross(sub(at3(b), at3(a)), sub(at3(c), at3(a)));
      for (const i of [a, b, c]) for (let k = 0; k < 3; k++) vertices[i + 3 + k] += normal[k];
    }
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, body.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, vertices);
  }

  drawDeformable(body) {
    const gl = this.gl, { uniforms } = this.lit;
    gl.uniform4fv(uniforms.uGrid, [0, 0, 0, 0]);
    gl.uniformMatrix4fv(uniforms.uModel, false, poseMatrix([0, 0, 0], IDENTITY_QUAT, [1, 1, 1]));
    gl.uniform3fv(uniforms.uSize, [1, 1, 1]);
    gl.uniform4fv(uniforms.uColor, [0.35, 0.55, 0.85, 1]);
    gl.uniform4fv(uniforms.uMaterial, [0.05, 0.2, 20, 0]);
    gl.uniform1i(uniforms.uTexturing, 0);
    this.drawBuffer(body, body.triangles.length ? gl.TRIANGLES : gl.LINES);
  }

  // The body at a pixel of the window, or null.
  bodyAt(x, y) {
    const gl = this.gl, ratio = this.canvas.width / this.canvas.clientWidth;
    const px = Math.floor(x * ratio), py = Math.floor(this.canvas.height - 1 - y * ratio);
    const target = gl.createFramebuffer(), color = gl.createRenderbuffer(), depth = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    for (const [buffer, format, attachment] of [[color, gl.RGBA8, gl.COLOR_ATTACHMENT0], [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, this.canvas.width, this.canvas.height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
    }
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(px, py, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    const { program, uniforms } = this.pick;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.uView, false, this.camera.view);
    gl.uniformMatrix4fv(uniforms.uProjection, false, this.camera.projection);
    for (const part of this.visible) {
      const id = part.body + 1;
      gl.uniform4f(uniforms.uColor, (id & 255) / 255, ((id >> 8) & 255) / 255, ((id >> 16) & 255) / 255, 1);
      this.drawBare(part, uniforms);
    }
    const pixel = new Uint8Array(4);
    gl.readPixels(px, py, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(target);
    gl.deleteRenderbuffer(color);
    gl.deleteRenderbuffer(depth);
    const id = pixel[0] | (pixel[1] << 8) | (pixel[2] << 16);
    return id > 0 ? id - 1 : null;
  }
}

// Clip space to directions in the world frame.
function inverseCamera({ view, projection }) {
  const p = projection, perspective = p[11] !== 0;
  // inverse of the projection, which has entries on the diagonal, in the third column and at [3][2]
  const inverse = new Float32Array(16);
  if (perspective) {
    inverse[0] = 1 / p[0];
    inverse[5] = 1 / p[5];
    inverse[11] = 1 / p[14];
    inverse[12] = p[8] / p[0];
    inverse[13] = p[9] / p[5];
    inverse[14] = -1;
    inverse[15] = p[10] / p[14];
  } else {
    [inverse[0], inverse[5], inverse[10], inverse[15]] = [1 / p[0], 1 / p[5], 1 / p[10], 1];
    [inverse[12], inverse[13], inverse[14]] = [-p[12] / p[0], -p[13] / p[5], -p[14] / p[10]];
  }
  const rotation = new Float32Array(16);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) rotation[4 * c + r] = view[4 * r + c];
  rotation[15] = 1;
  return multiply(rotation, inverse);
}
