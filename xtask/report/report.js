// Draws the results page from the embedded JSON files.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const conformance = read("conformance"), performance_ = read("performance");
const place = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "rect", "line", "text", "polyline", "circle", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

function table(head, rows, scroll = false) {
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => (cell?.tagName === "TD" ? cell : make("td", {}, cell ?? "")))));
  const node = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {}, text)))), make("tbody", {}, ...body));
  return make("div", { class: scroll ? "table scroll" : "table" }, node);
}

const grouped = (x) => Math.round(x).toLocaleString("en-US");
const significant = (x) => (x >= 1000 ? grouped(x) : Number(x.toPrecision(3)).toString());
const percent = (x) => (x === undefined || x === null ? "" : ` ± ${Math.round(50 * x)} %`);
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b), n = sorted.length;
  return n ? (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2 : NaN;
};

// All recorded runs: file name, date, entries.
const runs = Object.entries(performance_)
  .filter(([, entries]) => Array.isArray(entries))
  .map(([name, entries]) => ({ name, date: name.match(/\d{4}-\d\d-\d\d/)?.[0] ?? "", gpu: name.startsWith("gpu"), entries }))
  .sort((a, b) => a.date.localeCompare(b.date));
const measured = runs.filter(({ gpu }) => !gpu).flatMap(({ date, entries }) =>
  entries.filter(({ scene }) => scene).map((entry) => ({ ...entry, date })));
const timed = measured.filter(({ ratio, ours_steps_per_s }) => ratio && ours_steps_per_s);
const latest = new Map(timed.map((entry) => [entry.scene, entry]));

function ratioBar({ ratio, ours_spread = 0, mujoco_spread = 0 }, most) {
  const width = 300, x = (r) => width * Math.log(Math.max(r, 0.5) / 0.5) / Math.log(most / 0.5);
  const low = ratio / (1 + 0.5 * (ours_spread + mujoco_spread)), high = ratio * (1 + 0.5 * (ours_spread + mujoco_spread));
  const svg = make("svg", { viewBox: `0 0 ${width} 18`, preserveAspectRatio: "none", height: 18 });
  svg.append(
    make("rect", { x: x(1), y: 4, width: Math.max(x(ratio) - x(1), 0), height: 10, fill: "var(--bar)", rx: 2 }),
    make("line", { x1: x(low), x2: Math.min(x(high), width), y1: 9, y2: 9, stroke: "var(--accent)", "stroke-width": 1.5 }),
    make("line", { x1: x(1), x2: x(1), y1: 0, y2: 18, stroke: "var(--muted)" }),
  );
  return make("td", { class: "wide" }, svg);
}

function speed() {
  const groups = new Map();
  for (const entry of latest.values()) {
    const key = entry.scene.includes("/") ? entry.scene.split("/")[0] : "scenes";
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const titles = { race: "robots and crowds", scenes: "own scenes", compile: "loading and compiling a model", batch: "batches on all threads" };
  for (const [name, entries] of [...groups].sort(([a], [b]) => order(a) - order(b))) {
    const most = 1.1 * Math.max(2, ...entries.map(({ ratio }) => ratio));
    place("speed").append(make("h3", {}, titles[name] ?? name), table(
      ["scene", "dofs", "this engine (1/s)", "MuJoCo (1/s)", "ratio", "0.5 – " + significant(most), "date"],
      entries.sort((a, b) => b.ratio - a.ratio).map((entry) => [
        entry.scene.split("/").at(-1), entry.nv,
        significant(entry.ours_steps_per_s) + percent(entry.ours_spread),
        significant(entry.mujoco_steps_per_s) + percent(entry.mujoco_spread),
        make("td", { class: entry.ratio >= 1 ? "good" : "bad" }, entry.ratio.toFixed(2)), ratioBar(entry, most), entry.date,
      ]),
    ));
  }
}

const order = (name) => ["race", "scenes", "batch", "compile"].indexOf(name) + 1 || 9;

function history() {
  const scenes = new Map();
  for (const entry of timed) scenes.set(entry.scene, [...(scenes.get(entry.scene) ?? []), entry]);
  const repeated = [...scenes].filter(([, entries]) => new Set(entries.map(({ date }) => date)).size > 1);
  const dates = [...new Set(repeated.flatMap(([, entries]) => entries.map(({ date }) => date)))].sort();
  if (!repeated.length) {
    place("history").append(make("p", {}, "No scene was recorded on more than one date."));
    return;
  }
  place("history").append(table(["scene", ...dates, "change", ""], repeated.map(([scene, entries]) => {
    const at = dates.map((date) => entries.findLast((entry) => entry.date === date)?.ratio);
    const known = at.filter((ratio) => ratio), change = known.at(-1) / known[0] - 1;
    return [
      scene, ...at.map((ratio) => ratio?.toFixed(2)),
      make("td", { class: change >= -0.02 ? "good" : "bad" }, `${change >= 0 ? "+" : ""}${Math.round(100 * change)} %`), sparkline(at),
    ];
  })));
}

function sparkline(values) {
  const known = values.map((v, i) => [i, v]).filter(([, v]) => v);
  const low = Math.min(...known.map(([, v]) => v)), high = Math.max(...known.map(([, v]) => v));
  const x = (i) => 6 + 88 * i / Math.max(values.length - 1, 1), y = (v) => 15 - 12 * (v - low) / (high - low || 1);
  const svg = make("svg", { viewBox: "0 0 100 18", height: 18 });
  svg.append(make("polyline", { points: known.map(([i, v]) => `${x(i)},${y(v)}`).join(" "), fill: "none", stroke: "var(--accent)", "stroke-width": 1.5 }));
  known.forEach(([i, v]) => svg.append(make("circle", { cx: x(i), cy: y(v), r: 2, fill: "var(--accent)" })));
  return make("td", { style: "width:110px" }, svg);
}

function stages() {
  const byScene = new Map(measured.filter(({ stage_ratios }) => stage_ratios && Object.keys(stage_ratios).length).map((e) => [e.scene, e]));
  const groups = new Map();
  for (const entry of byScene.values()) {
    const group = entry.scene.split("/")[0];
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  for (const [name, entries] of groups) {
    const columns = [...new Set(entries.flatMap(({ stage_ratios }) => Object.keys(stage_ratios)))];
    place("stages").append(make("h3", {}, name), table(["scene", ...columns], entries.map(({ scene, stage_ratios }) => [
      scene.split("/").at(-1), ...columns.map((column) => {
        const ratio = stage_ratios[column];
        return make("td", { class: ratio === undefined ? "none" : ratio >= 1 ? "good" : "bad" }, ratio === undefined ? "" : ratio.toFixed(2));
      }),
    ])));
  }
}

const plainName = (scene) => scene.replace("emika_", "");

function gpu() {
  const warp = Object.values(performance_).find((entry) => entry.engine?.includes("Warp"));
  const others = [...(warp?.results ?? []).map((r) => ({ ...r, engine: warp.engine })), ...(warp?.comparison ?? [])];
  const ratios = [];
  const rows = runs.filter((run) => run.gpu).flatMap(({ date, entries }) => entries.flatMap(({ scene, sweep }) => sweep.map((point) => {
    const other = others.find((r) => r.scene === plainName(scene) && r.worlds === point.worlds && r.engine.includes("Warp"));
    const ratio = other ? point.steps_per_second / other.steps_per_s : null;
    if (ratio) ratios.push(ratio);
    return [
      plainName(scene), grouped(point.worlds), grouped(point.steps_per_second), other ? grouped(other.steps_per_s) : "",
      make("td", { class: ratio ? (ratio >= 1 ? "good" : "bad") : "none" }, ratio ? ratio.toFixed(2) : ""), point.contacts.toFixed(1), point.device, date,
    ];
  })));
  place("gpu").append(table(["scene", "environments", "this engine (1/s)", warp?.engine ?? "", "ratio", "contacts", "device", "date"], rows));
  if (warp?.comparison) {
    place("gpu").append(make("h3", {}, "other engines"), table(["engine", "scene", "environments", "steps/s", "device"],
      warp.comparison.map((r) => [r.engine, r.scene, r.worlds ? grouped(r.worlds) : "", grouped(r.steps_per_s), r.device])));
  }
  return ratios;
}

const files = Object.entries(conformance).flatMap(([run, report]) => (report.files ?? []).map((file) => ({ ...file, run })));

function models() {
  const mark = (file, key) => {
    const value = file[key];
    if (!file.we_load || value === null || value === undefined) return make("td", { class: "none" }, "–");
    return make("td", { class: value ? "good" : "bad" }, value ? "✓" : "✗");
  };
  const note = (file) => {
    if (file.oracle_error) return "not compared: the oracle failed";
    if (!file.oracle_loads) return file.we_load ? "MuJoCo rejects the model" : "rejected by both";
    if (!file.we_load) return file.our_error ?? "does not load";
    if (!file.model_ok) return file.model_first_diff ?? "";
    if (!file.stages_ok) return [file.first_stage, file.first_field].filter(Boolean).join(" ");
    return "";
  };
  const text = (x) => (typeof x === "string" ? x : JSON.stringify(x)).slice(0, 90);
  const show = () => {
    const words = place("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = files.filter((file) => words.every((word) => JSON.stringify(file).toLowerCase().includes(word)));
    place("models").replaceChildren(make("p", {}, `${rows.length} of ${files.length} models`), table(
      ["model", "loads", "model", "stages", "trajectory", "largest error / tolerance", "remark"],
      rows.map((file) => [
        file.path.replace(/^.*models\//, ""), make("td", { class: file.we_load ? "good" : "bad" }, file.we_load ? "✓" : "✗"),
        mark(file, "model_ok"), mark(file, "stages_ok"), mark(file, "trajectory_ok"),
        Number.isFinite(file.worst_error) ? significant(file.worst_error) : "", text(note(file)),
      ]), true));
  };
  place("filter").addEventListener("input", show);
  show();
}

function summary(ratios) {
  const card = (value, text) => make("div", { class: "card" }, make("b", {}, value), make("span", {}, text));
  const loaded = files.filter(({ oracle_loads, oracle_error }) => oracle_loads && !oracle_error);
  const agree = loaded.filter((f) => f.we_load && f.model_ok && f.stages_ok && f.trajectory_ok !== false);
  const race = [...latest.values()].filter(({ scene }) => scene.startsWith("race/"));
  const cards = [];
  if (loaded.length) cards.push(card(`${agree.length} / ${loaded.length}`, "models agree with MuJoCo in the live comparison"));
  if (race.length) cards.push(card(`${median(race.map(({ ratio }) => ratio)).toFixed(2)} ×`, `median speed relative to MuJoCo, ${race.length} scenes, one thread`));
  const compile = [...latest.values()].filter(({ scene }) => scene.startsWith("compile/"));
  if (compile.length) cards.push(card(`${median(compile.map(({ ratio }) => ratio)).toFixed(1)} ×`, `median speed of loading, ${compile.length} models`));
  if (ratios.length) cards.push(card(`${Math.min(...ratios).toFixed(1)} – ${Math.max(...ratios).toFixed(1)} ×`, "throughput relative to MuJoCo Warp on a GPU"));
  place("summary").append(...cards);
}

speed();
history();
stages();
summary(gpu());
models();
