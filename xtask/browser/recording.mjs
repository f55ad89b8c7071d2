// End-to-end test of a recording in headless Chromium: `cargo xtask browser` runs it with Node.
//
// node recording.mjs MODULES PAGE.html POSES.json SCREENSHOT.png [TIME]
//
// MODULES is the folder in which playwright-core is installed, POSES.json the reference of `poses`.

import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, page_file, poses_file, screenshot, shot_time] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "package.json"))("playwright-core");
const poses = JSON.parse(readFileSync(poses_file, "utf8"));

const problems = [];
const check = (condition, message) => {
  if (!condition) problems.push(message);
};

const profile = mkdtempSync(join(tmpdir(), "recording-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1280, height: 720 },
  args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

try {
  const page = context.pages()[0] ?? (await context.newPage());
  const address = pathToFileURL(resolve(page_file)).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      // the software driver reports that reading pixels is slow
      if (!message.text().includes("GPU stall due to ReadPixels")) problems.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !/^(data|blob):/.test(url)) problems.push(`request: ${url}`);
  });
  const start = Date.now();
  await page.goto(address);
  await page.waitForFunction(() => window.recording?.poseAt, null, { timeout: 30000 });
  await page.evaluate(() => window.recording.ready);
  const loaded = Date.now() - start;

  // poses at known times, in single precision
  const recorded = await page.evaluate((times) => times.map((time) => {
    const { time: at, xpos, xquat, qpos } = window.recording.poseAt(time);
    return { time: at, xpos: [...xpos], xquat: [...xquat], qpos: [...qpos] };
  }), poses.map(({ time }) => time));
  let compared = 0;
  poses.forEach((expected, i) => {
    check(recorded[i].time === expected.time, `frame ${i}: time ${recorded[i].time}, expected ${expected.time}`);
    for (const field of ["xpos", "xquat", "qpos"]) {
      const same = expected[field].length === recorded[i][field].length
        && expected[field].every((x, k) => Object.is(Math.fround(x), recorded[i][field][k]));
      check(same, `frame ${i}: ${field} differs`);
      compared += expected[field].length;
    }
  });
  check(poses.length >= 20, `only ${poses.length} poses`);

  // playback
  const duration = await page.evaluate(() => window.recording.times.at(-1));
  await page.evaluate(() => window.recording.play());
  await page.waitForFunction(() => window.recording.time > 0.1 && window.recording.playing, null, { timeout: 30000 });
  await page.keyboard.press(" ");
  const paused = await page.evaluate(() => window.recording.playing);
  check(!paused, "the space bar does not pause");

  // seeking, with the interface and with the slider
  const time = shot_time === undefined ? 0.5 * duration : Number(shot_time);
  await page.evaluate((t) => window.recording.seek(t), time);
  check(Math.abs((await page.evaluate(() => window.recording.time)) - time) < 1e-9, "does not seek");
  await page.locator("#scrub").fill(String(0.25 * duration));
  check(Math.abs((await page.evaluate(() => window.recording.time)) - 0.25 * duration) < 0.02 * duration, "the slider does not seek");
  await page.evaluate((t) => window.recording.seek(t), time);

  // selection by a click on the image: the body that is drawn there
  const bodies = await page.evaluate(() => window.recording.bodies);
  let clicked = null;
  for (const body of bodies.slice(1)) {
    const { x, y } = await page.evaluate((b) => window.recording.project(b), body);
    const box = await page.locator("#view").boundingBox();
    if (x < 0 || y < 60 || x > box.width || y > box.height - 60) continue;
    await page.mouse.click(box.x + x, box.y + y);
    clicked = await page.evaluate(() => window.recording.selected);
    if (clicked !== null) break;
  }
  check(clicked !== null, "no body can be selected with the mouse");
  const values = await page.locator("#selection").innerText();
  check(clicked !== null && values.includes(clicked), `the panel does not show the selected body: ${values}`);
  await page.evaluate((body) => window.recording.select(body), bodies[1]);
  check((await page.evaluate(() => window.recording.selected)) === bodies[1], "select does not select");
  await page.evaluate(() => window.recording.select(null));

  // cameras of the model
  for (const camera of await page.evaluate(() => window.recording.cameras)) {
    await page.evaluate((name) => window.recording.camera(name), camera);
    await page.waitForTimeout(50);
  }
  await page.evaluate(() => window.recording.camera(null));

  // the image is not uniform
  await page.waitForTimeout(300);
  const colors = await page.evaluate(() => {
    const canvas = document.getElementById("view"), copy = document.createElement("canvas");
    [copy.width, copy.height] = [64, 64];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0, 64, 64);
    const { data } = context.getImageData(0, 0, 64, 64);
    return new Set(Array.from({ length: 4096 }, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size;
  });
  check(colors > 15, `the image has only ${colors} colours`);
  await page.locator("#contacts").check();
  await page.waitForTimeout(300);
  await page.screenshot({ path: screenshot });
  console.log(`${page_file}: loaded in ${loaded} ms, ${compared} values of ${poses.length} frames are equal, ${colors} colours`);
} catch (error) {
  problems.push(String(error));
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
