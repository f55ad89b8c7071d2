// The page: playback, selection, panels, and the interface `window.recording`.

const element = (id) => document.getElementById(id);

class Player {
  constructor(data) {
    this.data = data;
    this.frames = new Frames(data.frames);
    this.time = this.frames.time[0];
    this.playing = false;
    this.rate = 1;
    this.selected = null;
    this.view = new View(data, this.frames);
    this.renderer = new Renderer(element("view"), data, this.frames);
    const spacing = 10 ** Math.floor(Math.log10(Math.max(data.view.extent, 1e-6) / 1.5));
    this.options = {
      contacts: false, forces: false, grid: true, gridSpacing: spacing, selected: null,
      groups: [true, true, true, false, false, false], sites: [true, true, true, false, false, false],
      skyHigh: [0, 0, 0], skyLow: [0, 0, 0],
    };
    document.title = data.title;
    element("title").textContent = data.title;
    const groups = seriesGroups(data, this.frames);
    const seek = (time) => this.seek(time);
    const [first, second] = document.querySelectorAll(".plot");
    this.plots = [new Plot(first, groups, "energy", this.frames, seek), new Plot(second, groups, "qpos", this.frames, seek)];
    this.connect();
    this.makeTree();
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.select(null);
    new ResizeObserver(() => this.changed()).observe(element("stage"));
  }

  get at() {
    return this.frames.locate(this.time);
  }

  // Requests an image; several requests before the next frame of the display are one.
  changed() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.requested = false;
    if (this.playing) {
      const end = this.frames.time[this.frames.count - 1];
      this.time += this.rate * Math.min((now - (this.last ?? now)) / 1000, 0.1);
      if (this.time >= end) {
        this.time = end;
        this.setPlaying(false);
      }
    }
    this.last = now;
    this.draw();
    if (this.playing) this.changed();
  }

  draw() {
    this.renderer.draw(this.at, this.view, this.options);
    const start = this.frames.time[0];
    element("scrub").value = String(this.time - start);
    element("clock").textContent = `${this.time.toFixed(3)} / ${this.frames.time[this.frames.count - 1].toFixed(2)} s`;
    this.plots.forEach((plot) => plot.draw(this.time));
    this.showSelection();
  }

  setPlaying(playing) {
    const end = this.frames.time[this.frames.count - 1];
    if (playing && this.time >= end) this.time = this.frames.time[0];
    this.playing = playing;
    this.last = undefined;
    element("play").textContent = playing ? "❚❚" : "►";
    this.changed();
  }

  seek(time) {
    const { time: times, count } = this.frames;
    this.time = Math.min(Math.max(time, times[0]), times[count - 1]);
    this.changed();
  }

  // Moves by whole frames.
  stepFrames(n) {
    this.setPlaying(false);
    const frame = Math.min(Math.max(this.frames.nearest(this.time) + n, 0), this.frames.count - 1);
    this.seek(this.frames.time[frame]);
  }

  bodyIndex(body) {
    if (body === null || body === undefined) return null;
    const index = typeof body === "number" ? body : this.data.bodies.findIndex(({ name }) => name === body);
    if (!this.data.bodies[index]) throw new Error(`no body ${body}`);
    return index;
  }

  select(body) {
    this.selected = this.options.selected = body;
    this.plots.forEach((plot) => plot.setBody(body));
    element("tree").querySelectorAll("button").forEach((button, i) => {
      button.classList.toggle("selected", i === body);
      // scrolls the tree only, not the panel
      if (i === body) element("tree").scrollTop = Math.max(button.offsetTop - 120, 0);
    });
    if (element("camera").value === "follow") this.setCamera("follow");
    this.shown = null;
    this.changed();
  }

  // "free", "follow", or the index of a camera of the model.
  setCamera(choice) {
    element("camera").value = String(choice);
    this.view.fixed = typeof choice === "number" ? choice : null;
    const body = this.selected ?? (this.data.bodies.length > 1 ? 1 : 0);
    this.view.setFollow(choice === "follow" ? body : null, this.at);
    this.changed();
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    const style = getComputedStyle(document.documentElement);
    const color = (name) => {
      const value = style.getPropertyValue(name).trim();
      return [1, 3, 5].map((i) => parseInt(value.slice(i, i + 2), 16) / 255);
    };
    this.options.skyHigh = color("--sky-high");
    this.options.skyLow = color("--sky-low");
    this.changed();
  }

  makeTree() {
    const depth = [];
    element("tree").replaceChildren(...this.data.bodies.map(({ name, parent }, i) => {
      depth[i] = i === 0 ? 0 : depth[parent] + 1;
      const item = document.createElement("li"), button = document.createElement("button");
      button.textContent = name;
      button.style.paddingLeft = `${6 + 12 * depth[i]}px`;
      button.addEventListener("click", () => this.select(this.selected === i ? null : i));
      item.append(button);
      return item;
    }));
  }

  showSelection() {
    const frame = this.frames.nearest(this.time), key = `${this.selected} ${frame}`;
    if (this.shown === key) return;
    this.shown = key;
    const rows = this.selected === null ? this.modelValues(frame) : this.bodyValues(this.selected, frame);
    const table = document.createElement("table");
    for (const [name, value] of rows) {
      const row = table.insertRow();
      row.insertCell().textContent = name;
      row.insertCell().textContent = value;
    }
    element("selection").replaceChildren(table);
  }

  modelValues(frame) {
    const [potential, kinetic] = this.frames.row("energy", frame);
    return [
      ["bodies, joints, actuators", `${this.data.bodies.length}, ${this.data.joints.length}, ${this.data.actuators.length}`],
      ["frames", `${this.frames.count}`],
      ["time (s)", formatNumber(this.frames.time[frame])],
      ["potential energy (J)", formatNumber(potential)],
      ["kinetic energy (J)", formatNumber(kinetic)],
      ["contacts", `${this.frames.contact_count[frame]}`],
    ];
  }

  bodyValues(body, frame) {
    const { frames, data } = this, join = (values) => [...values].map(formatNumber).join("  ");
    const { name, mass, parent } = data.bodies[body];
    const rows = [["body", name], ["parent", body === 0 ? "" : data.bodies[parent].name], ["mass (kg)", formatNumber(mass)]];
    rows.push(["position (m)", join(frames.row("xpos", frame).subarray(3 * body, 3 * body + 3))]);
    rows.push(["orientation", join(frames.row("xquat", frame).subarray(4 * body, 4 * body + 4))]);
    for (const joint of data.joints.filter((j) => j.body === body)) {
      const part = (field) => frames.row(field, frame).subarray(joint[field][0], joint[field][0] + joint[field][1]);
      rows.push([`${joint.name} qpos`, join(part("qpos"))]);
      rows.push([`${joint.name} qvel`, join(part("qvel"))]);
    }
    const owns = (geom) => geom >= 0 && data.geom_bodies[geom] === body;
    const contacts = frames.contactsAt(frame).filter(({ geoms }) => geoms.some(owns));
    rows.push(["contacts", `${contacts.length}`]);
    // the recorded force acts on the second geom
    const total = contacts.reduce((sum, { geoms, force }) =>
      add(sum, scale(force, (owns(geoms[1]) ? 1 : 0) - (owns(geoms[0]) ? 1 : 0))), [0, 0, 0]);
    rows.push(["contact force (N)", join(total)]);
    return rows;
  }

  connect() {
    const on = (id, event, action) => element(id).addEventListener(event, action);
    const scrub = element("scrub");
    scrub.max = String(this.frames.duration);
    on("scrub", "input", () => this.seek(this.frames.time[0] + Number(scrub.value)));
    on("play", "click", () => this.setPlaying(!this.playing));
    for (const rate of [0.1, 0.25, 0.5, 1, 2, 4]) element("speed").add(new Option(`${rate} ×`, String(rate)));
    element("speed").value = "1";
    on("speed", "change", () => { this.rate = Number(element("speed").value); });
    const cameras = element("camera");
    cameras.add(new Option("free camera", "free"));
    cameras.add(new Option("follow the selected body", "follow"));
    this.data.cameras.forEach(({ name }, i) => cameras.add(new Option(`camera ${name}`, String(i))));
    on("camera", "change", () => this.setCamera(/^\d+$/.test(cameras.value) ? Number(cameras.value) : cameras.value));
    on("reset", "click", () => {
      this.setCamera("free");
      this.view.reset();
    });
    on("theme", "click", () => this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    on("toggle", "click", () => document.querySelector("main").classList.toggle("wide"));
    for (const name of ["contacts", "forces", "grid"]) {
      on(name, "change", () => {
        this.options[name] = element(name).checked;
        this.changed();
      });
    }
    this.connectGroups();
    controlView(element("view"), this.view, () => this.changed(), (x, y) => {
      const body = this.renderer.bodyAt(x, y);
      this.select(body === 0 ? null : body);
    }, (x, y) => {
      const body = this.renderer.bodyAt(x, y);
      if (body === null || this.view.fixed !== null) return;
      this.view.lookat = this.frames.bodyPose(body, this.at).pos;
      if (element("camera").value === "follow") this.setCamera("follow");
      this.changed();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.setPlaying(false);
  }

  connectGroups() {
    const used = [...new Set(this.data.geoms.map(({ group }) => Math.min(Math.max(group, 0), 5)))].sort();
    if (used.length < 2) return;
    element("groups").append("groups", ...used.map((group) => {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = this.options.groups[group];
      box.addEventListener("change", () => {
        this.options.groups[group] = this.options.sites[group] = box.checked;
        this.changed();
      });
      label.append(box, String(group));
      return label;
    }));
  }

  key(event) {
    if (["SELECT", "INPUT"].includes(event.target.tagName) && event.key !== " ") return;
    const toggle = (id) => element(id).click();
    const cycle = (n) => {
      const options = element("camera").options.length;
      const index = (element("camera").selectedIndex + n + options) % options;
      const { value } = element("camera").options[index];
      this.setCamera(/^\d+$/.test(value) ? Number(value) : value);
    };
    const actions = {
      " ": () => this.setPlaying(!this.playing),
      ArrowRight: () => this.stepFrames(event.shiftKey ? 10 : 1),
      ArrowLeft: () => this.stepFrames(event.shiftKey ? -10 : -1),
      Home: () => this.seek(this.frames.time[0]),
      End: () => this.seek(Infinity),
      Escape: () => this.select(null),
      c: () => toggle("contacts"),
      f: () => toggle("forces"),
      g: () => toggle("grid"),
      "[": () => cycle(-1),
      "]": () => cycle(1),
    };
    if (event.ctrlKey || event.metaKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  // The interface for tests and scripts.
  interface(ready) {
    const player = this, { frames } = this;
    return {
      ready,
      times: frames.time,
      bodies: this.data.bodies.map(({ name }) => name),
      cameras: this.data.cameras.map(({ name }) => name),
      poseAt(time) {
        const frame = frames.nearest(time), row = (field) => frames.row(field, frame).slice();
        return { time: frames.time[frame], xpos: row("xpos"), xquat: row("xquat"), qpos: row("qpos"), qvel: row("qvel"), energy: row("energy") };
      },
      contactsAt: (time) => frames.contactsAt(frames.nearest(time)),
      seek: (time) => player.seek(time),
      play: () => player.setPlaying(true),
      pause: () => player.setPlaying(false),
      speed(factor) { player.rate = factor; },
      select: (body) => player.select(player.bodyIndex(body)),
      camera(name) {
        const { cameras } = player.data;
        const index = typeof name === "string" ? cameras.findIndex((camera) => camera.name === name) : name;
        if (name !== null && !cameras[index]) throw new Error(`no camera ${name}`);
        player.setCamera(name === null ? "free" : index);
      },
      project(body) {
        const { pos } = frames.bodyPose(player.bodyIndex(body), player.at), canvas = player.renderer.canvas;
        const aspect = canvas.clientWidth / canvas.clientHeight;
        const [x, y, , w] = transform(player.view.camera(player.at, aspect).matrix, [...pos, 1]);
        return { x: 0.5 * (1 + x / w) * canvas.clientWidth, y: 0.5 * (1 - y / w) * canvas.clientHeight };
      },
      get time() { return player.time; },
      get playing() { return player.playing; },
      get selected() { return player.selected === null ? null : player.data.bodies[player.selected].name; },
    };
  }
}

async function start() {
  const data = await loadData(element("data").textContent);
  element("data").remove();
  const player = new Player(data);
  player.draw();
  return player;
}

const started = start();
const ready = started.then(() => true);
window.recording = { ready };
started.then((player) => {
  window.recording = player.interface(ready);
}).catch((error) => {
  element("message").textContent = `The recording cannot be shown: ${error.message}`;
  element("message").hidden = false;
  console.error(error);
});
