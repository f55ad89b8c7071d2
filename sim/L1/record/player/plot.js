// Plots of recorded values over time.

const PALETTE = ["#3b82f6", "#f59e0b", "#10b981", "#ef4444", "#8b5cf6", "#06b6d4", "#ec4899", "#84cc16", "#f97316", "#6366f1", "#14b8a6", "#a855f7"];

// Series that can be plotted: groups of a name and functions of the frame.
function seriesGroups(data, frames) {
  const column = (field, k) => (frame) => frames[field][frame * frames[field].width + k];
  const { energy } = frames;
  const groups = [{
    name: "energy (J)",
    series: [
      { name: "potential", value: column("energy", 0) },
      { name: "kinetic", value: column("energy", 1) },
      { name: "total", value: (frame) => energy[2 * frame] + energy[2 * frame + 1] },
    ],
  }];
  const coordinates = (field) => data.joints.flatMap((joint) => {
    const [start, count] = joint[field];
    return Array.from({ length: count }, (_, k) => ({
      name: count > 1 ? `${joint.name}[${k}]` : joint.name, body: joint.body, value: column(field, start + k),
    }));
  });
  groups.push({ name: "qpos", series: coordinates("qpos") });
  groups.push({ name: "qvel", series: coordinates("qvel") });
  groups.push({ name: "ctrl", series: data.actuators.map((name, k) => ({ name, value: column("ctrl", k) })) });
  groups.push({ name: "contacts", series: [{ name: "number of contacts", value: (frame) => frames.contact_count[frame] }] });
  for (const sensor of data.sensors) {
    groups.push({
      name: `sensor ${sensor.name}`,
      series: Array.from({ length: sensor.dim }, (_, k) => ({
        name: sensor.dim > 1 ? `${sensor.name}[${k}]` : sensor.name, value: column("sensordata", sensor.adr + k),
      })),
    });
  }
  return groups.filter(({ series }) => series.length > 0);
}

function formatNumber(x) {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(2);
  return x.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

// A plot with a choice of series; clicks and drags seek.
class Plot {
  constructor(root, groups, initial, frames, seek) {
    this.frames = frames;
    this.groups = groups;
    this.body = null;
    this.select = document.createElement("select");
    this.select.setAttribute("aria-label", "plotted values");
    groups.forEach(({ name }, i) => this.select.add(new Option(name, String(i))));
    this.select.value = String(Math.max(groups.findIndex(({ name }) => name.startsWith(initial)), 0));
    this.canvas = document.createElement("canvas");
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    root.append(this.select, this.canvas, this.legend);
    this.select.addEventListener("change", () => this.choose());
    const at = (event) => {
      const { left, width } = this.area;
      const t = (event.offsetX - left) / width;
      seek(frames.time[0] + Math.min(Math.max(t, 0), 1) * frames.duration);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      at(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons & 1 && at(event));
    this.choose();
  }

  // Restricts joint series to those of a body, if it has any.
  setBody(body) {
    this.body = body;
    this.choose();
  }

  choose() {
    const { series } = this.groups[Number(this.select.value)];
    const own = series.filter((s) => s.body !== undefined && s.body === this.body);
    const shown = own.length ? own : series;
    this.series = shown.slice(0, PALETTE.length);
    this.hidden = shown.length - this.series.length;
    let low = Infinity, high = -Infinity;
    for (const s of this.series) {
      for (let i = 0; i < this.frames.count; i++) {
        const y = s.value(i);
        if (Number.isFinite(y)) [low, high] = [Math.min(low, y), Math.max(high, y)];
      }
    }
    if (!(high > low)) [low, high] = [low === Infinity ? 0 : low - 1, high === -Infinity ? 1 : high + 1];
    const margin = 0.06 * (high - low);
    this.range = [low - margin, high + margin];
    this.background = null;
    this.labels = [];
    this.legend.replaceChildren(...this.series.map((s, i) => {
      const entry = document.createElement("span");
      const mark = document.createElement("i");
      mark.style.background = PALETTE[i];
      this.labels[i] = document.createElement("b");
      entry.append(mark, s.name, " ", this.labels[i]);
      return entry;
    }));
    if (this.hidden > 0) this.legend.append(`and ${this.hidden} more: select a body`);
    if (this.time !== undefined) this.draw(this.time);
  }

  draw(time) {
    this.time = time;
    const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const key = `${width} ${height} ${ratio} ${document.documentElement.dataset.theme}`;
    if (this.background?.key !== key) this.drawBackground(width, height, ratio, key);
    const context = this.canvas.getContext("2d"), { left, top, width: w, height: h } = this.area;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.background.image, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const x = left + w * (time - this.frames.time[0]) / (this.frames.duration || 1);
    context.strokeStyle = this.background.text;
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + h);
    context.stroke();
    context.globalAlpha = 1;
    const frame = this.frames.nearest(time);
    this.series.forEach((s, i) => { this.labels[i].textContent = formatNumber(s.value(frame)); });
  }

  drawBackground(width, height, ratio, key) {
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const image = document.createElement("canvas");
    [image.width, image.height] = [this.canvas.width, this.canvas.height];
    const context = image.getContext("2d"), style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue("--muted").trim(), line = style.getPropertyValue("--line").trim();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const area = this.area = { left: 44, top: 6, width: width - 52, height: height - 24 };
    const [low, high] = this.range, y = (v) => area.top + area.height * (1 - (v - low) / (high - low));
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = text;
    context.strokeStyle = line;
    context.textAlign = "right";
    for (const v of ticks(low, high, 4)) {
      context.fillText(tickLabel(v, high - low), area.left - 5, y(v) + 3);
      stroke(context, [[area.left, y(v)], [area.left + area.width, y(v)]]);
    }
    context.textAlign = "center";
    const start = this.frames.time[0], span = this.frames.duration || 1;
    for (const t of ticks(start, start + span, 6)) {
      context.fillText(tickLabel(t, span), area.left + area.width * (t - start) / span, height - 4);
    }
    context.lineWidth = 1.3;
    this.series.forEach((s, i) => {
      context.strokeStyle = PALETTE[i];
      const points = Array.from({ length: this.frames.count }, (_, k) =>
        [area.left + area.width * (this.frames.time[k] - start) / span, y(s.value(k))]);
      stroke(context, points.filter(([, v]) => Number.isFinite(v)));
    });
    this.background = { image, key, text };
  }
}

function stroke(context, points) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

// About `n` round numbers between two bounds.
function ticks(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) out.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return out;
}

function tickLabel(v, span) {
  if (Math.abs(v) >= 1e5 || span < 1e-3) return v.toExponential(1);
  return v.toFixed(span >= 10 ? 0 : span >= 1 ? 1 : span >= 0.1 ? 2 : 4);
}
