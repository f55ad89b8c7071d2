//! Contacts of every pair of geom types, several pairs per model, compared with the CPU engine.

use crate::models::{Random, gpu};
use sim_core::{Data, Model, mj_forward};
use sim_gpu::{GpuBatch, Options, Precision};
use sim_types::Contact;
use std::fmt::Write;

/// Environments of each model.
const ENVS: usize = 16;
/// Distance between the pairs of a model.
const CELL: f64 = 10.0;
/// Orientation of the static geoms.
const QUAT: [f64; 4] = [0.8, 0.36, -0.48, 0.0];

/// A static geom and a free one, with their half heights.
pub struct Case {
    fixed: (&'static str, f64),
    free: (&'static str, f64),
}

pub const fn case(fixed: &'static str, high: f64, free: &'static str, free_high: f64) -> Case {
    Case { fixed: (fixed, high), free: (free, free_high) }
}

impl Case {
    fn has_field(&self) -> bool {
        [self.fixed.0, self.free.0].iter().any(|geom| geom.contains("sdf"))
    }
}

/// Signed distance fields of plugins.
const FIELD_PLUGINS: &str = r#"<extension>
  <plugin plugin="mujoco.sdf.torus"><instance name="torus"/></plugin>
  <plugin plugin="mujoco.sdf.bowl"><instance name="bowl"><config key="radius" value=".3"/><config key="height" value=".1"/></instance></plugin>
  <plugin plugin="mujoco.sdf.gear"><instance name="gear"><config key="diameter" value="1"/></instance></plugin>
  <plugin plugin="mujoco.sdf.bolt"><instance name="bolt"/></plugin>
  <plugin plugin="mujoco.sdf.nut"><instance name="nut"/></plugin>
</extension>"#;
const FIELD_MESHES: &str = r#"<mesh name="torus"><plugin instance="torus"/></mesh>
  <mesh name="bowl"><plugin instance="bowl"/></mesh><mesh name="gear"><plugin instance="gear"/></mesh>
  <mesh name="bolt"><plugin instance="bolt"/></mesh><mesh name="nut"><plugin instance="nut"/></mesh>"#;

const BOX: &str = r#"type="box" size=".3 .4 .2""#;
const CUBE: &str = r#"type="box" size=".2 .2 .2""#;
const CAPSULE: &str = r#"type="capsule" size=".1 .3""#;
const SPHERE: &str = r#"type="sphere" size=".2""#;
/// Sizes after the radius are ignored.
const LONG_SIZE_SPHERE: &str = r#"type="sphere" size=".2 .15 .1""#;
const ELLIPSOID: &str = r#"type="ellipsoid" size=".3 .2 .15""#;
const CYLINDER: &str = r#"type="cylinder" size=".25 .2""#;
const WEDGE: &str = r#"type="mesh" mesh="wedge""#;
const PRISM: &str = r#"type="mesh" mesh="prism""#;
/// A polygon with so many vertices needs more private memory than EPA.
const DISC: &str = r#"type="mesh" mesh="disc""#;
const PLANE: &str = r#"type="plane" size="3 3 .1""#;
const GAP: &str = r#"type="box" size=".3 .4 .2" margin=".05" gap=".02""#;

/// Vertices of a regular prism.
fn prism_vertices(corners: usize, radius: f64, half: f64) -> String {
    let mut out = String::new();
    for z in [-half, half] {
        for k in 0..corners {
            let angle = std::f64::consts::TAU * k as f64 / corners as f64;
            let (x, y) = (radius * angle.cos(), radius * angle.sin());
            write!(out, "{x:.4} {y:.4} {z} ").expect("a string");
        }
    }
    out
}

/// The plugin of a geom with a signed distance field; nothing for the field of a mesh without one.
fn field_plugin(geom: &str) -> String {
    let name = geom.split('"').nth(3).filter(|_| geom.contains("sdf"));
    let name = name.filter(|name| FIELD_PLUGINS.contains(&format!("instance name=\"{name}\"")));
    name.map_or(String::new(), |name| format!(r#"<plugin instance="{name}"/>"#))
}

fn model(cases: &[Case]) -> Model {
    let (mut fixed, mut free) = (String::new(), String::new());
    for (k, case) in cases.iter().enumerate() {
        let x = CELL * k as f64;
        let mask = format!(r#"contype="{0}" conaffinity="{0}""#, 1 << k);
        let turn = QUAT.map(|x| x.to_string()).join(" ");
        let (geom, plugin) = (case.fixed.0, field_plugin(case.fixed.0));
        writeln!(fixed, r#"<geom {geom} {mask} pos="{x} 0 0" quat="{turn}">{plugin}</geom>"#)
            .expect("text");
        let (geom, plugin) = (case.free.0, field_plugin(case.free.0));
        writeln!(
            free,
            r#"<body pos="{x} 0 0"><freejoint/><geom {geom} {mask}>{plugin}</geom></body>"#
        )
        .expect("text");
    }
    let mut random = Random(5);
    let hills: Vec<String> = (0..20).map(|_| format!("{:.3}", random.next() + 1.0)).collect();
    let hills = hills.join(" ");
    let [wedge, prism, disc] = [3, 8, 60].map(|corners| prism_vertices(corners, 0.3, 0.2));
    let has_fields = cases.iter().any(Case::has_field);
    let (extension, shapes) = if has_fields { (FIELD_PLUGINS, FIELD_MESHES) } else { ("", "") };
    let text = format!(
        r#"<mujoco><option sdf_initpoints="12" sdf_iterations="3"><flag gravity="disable"/></option>{extension}
        <default><geom condim="1"/></default>
        <asset>{shapes}<hfield name="hills" nrow="5" ncol="4" size="1 1 .3 .2" elevation="{hills}"/>
        <mesh name="wedge" vertex="{wedge}"/><mesh name="prism" vertex="{prism}"/>
        <mesh name="disc" vertex="{disc}"/></asset>
        <worldbody>{fixed}{free}</worldbody></mujoco>"#
    );
    let mut m = sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    m
}

fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [w, x, y, z] = q;
    let u = [x, y, z];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (t, s) = (cross(u, v), cross(u, cross(u, v)));
    std::array::from_fn(|k| v[k] + 2.0 * (w * t[k] + s[k]))
}

fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Random poses of the free geoms near the static ones; in every other state resting flat on them.
fn state(m: &Model, cases: &[Case], seed: usize) -> Data {
    let mut d = m.make_data();
    let mut random = Random(seed as u64);
    for _ in 0..8 {
        random.next();
    }
    for (k, case) in cases.iter().enumerate() {
        let on_plane = case.fixed.0 == PLANE;
        let (mut offset, mut quat);
        if seed.is_multiple_of(2) {
            let offset_scale = if on_plane { 0.0 } else { 0.25 };
            offset = [0; 3].map(|_| offset_scale * random.next());
            if on_plane {
                offset[2] = 0.1 + 0.1 * random.next();
            }
            quat = [0; 4].map(|_| random.next());
        } else {
            let height = case.fixed.1 + case.free.1;
            offset =
                [0.1 * random.next(), 0.1 * random.next(), height - 0.02 + 0.01 * random.next()];
            let angle = random.next();
            // not exactly flat: ties would be decided by rounding
            let tilt = 1e-4;
            quat = [angle.cos(), tilt * random.next(), tilt * random.next(), angle.sin()];
        }
        let norm = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        quat = multiply(QUAT, quat.map(|x| x / norm));
        offset = rotate(QUAT, offset);
        offset[0] += CELL * k as f64;
        d.qpos[7 * k..7 * k + 3].copy_from_slice(&offset);
        d.qpos[7 * k + 3..7 * k + 7].copy_from_slice(&quat);
        d.qvel[6 * k..6 * k + 6].iter_mut().for_each(|v| *v = 0.5 * random.next());
    }
    d
}

/// Difference of a device contact (distance, position, normal) and a CPU contact.
fn contact_difference(ours: &[f64], contact: &Contact) -> f64 {
    let theirs = [contact.dist].into_iter().chain(contact.pos).chain(contact.frame);
    ours.iter().zip(theirs).take(7).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()))
}

/// Contacts of a case that generate forces.
fn contacts_of(d: &Data, c: usize) -> Vec<&Contact> {
    let near = |t: &&Contact| t.exclude == 0 && in_cell(t.pos[0], c);
    d.contact.iter().filter(near).collect()
}

fn in_cell(x: f64, c: usize) -> bool {
    (x - CELL * c as f64).abs() < 0.5 * CELL
}

/// The CPU contacts of a case that are continuous at a state, and whether all of them are: perturbations of the size of
/// rounding errors change some, because iterations that stop at a tolerance may end elsewhere.
fn continuous_contacts<'a>(
    m: &Model,
    d: &'a Data,
    c: usize,
    limit: f64,
) -> (Vec<&'a Contact>, bool) {
    let all = contacts_of(d, c);
    let (mut kept, mut same_number) = (all.clone(), true);
    let steps = [1e-15, -1e-15, 4e-15, -4e-15, 2e-14, -2e-14];
    for k in 0..7 * steps.len() {
        let mut moved = d.clone();
        moved.qpos[7 * c + k % 7] += steps[k / 7];
        mj_forward(m, &mut moved).expect("forward");
        let after = contacts_of(&moved, c);
        same_number &= after.len() == all.len();
        let row = |t: &Contact| [&[t.dist], &t.pos[..], &t.frame[..3]].concat();
        let near = |t: &&Contact| after.iter().any(|a| contact_difference(&row(a), t) <= limit);
        kept.retain(near);
    }
    let unchanged = same_number && kept.len() == all.len();
    (kept, unchanged)
}

/// Largest differences of a case.
#[derive(Clone, Default)]
struct Worst {
    /// Contacts compared.
    count: usize,
    contact: f64,
    acc: f64,
    /// States skipped because the CPU contacts are discontinuous.
    skipped: usize,
    /// Contacts of fields that the device does not find.
    apart: usize,
}

impl Worst {
    /// Compares the contacts and accelerations of a state.
    fn note(
        &mut self,
        m: &Model,
        d: &Data,
        c: usize,
        ours: &[&[f64]],
        qacc: &[f64],
        limit: f64,
        has_field: bool,
    ) -> Result<(), String> {
        let (continuous, unchanged) = continuous_contacts(m, d, c, 0.1 * limit);
        if !unchanged && !has_field {
            self.skipped += 1;
            // the depth is continuous all the same
            let mine = ours.iter().map(|o| o[0]).fold(f64::INFINITY, f64::min);
            let theirs = contacts_of(d, c).iter().map(|t| t.dist).fold(f64::INFINITY, f64::min);
            let same = mine == theirs || (mine - theirs).abs() < 1e-5;
            return if same { Ok(()) } else { Err(format!("depth {mine}, not {theirs}")) };
        }
        if unchanged && continuous.len() != ours.len() {
            return Err(format!("{} contacts, not {}", ours.len(), continuous.len()));
        }
        let apart = self.apart;
        for t in continuous {
            let nearest =
                ours.iter().map(|o| contact_difference(o, t)).fold(f64::INFINITY, f64::min);
            // the starting points of a search for minima are independent, and the perturbations do not reveal all that
            // are discontinuous
            if has_field && nearest > limit {
                self.apart += 1;
                continue;
            }
            self.count += 1;
            self.contact = self.contact.max(nearest);
        }
        if !unchanged || self.apart > apart {
            self.skipped += 1;
            return Ok(());
        }
        let size = d.qacc[6 * c..6 * c + 6].iter().fold(1.0_f64, |s, x| s.max(x.abs()));
        for i in 6 * c..6 * c + 6 {
            let off = (qacc[i] - d.qacc[i]).abs() / size;
            self.acc = self.acc.max(if off.is_nan() { f64::INFINITY } else { off });
        }
        Ok(())
    }
}

/// Steps all cases in one model and compares contacts and accelerations.
pub fn check(name: &str, cases: &[Case], limit: f64) {
    let m = model(cases);
    let capacity = if cases.iter().any(Case::has_field) { 12 * cases.len() } else { 36 };
    let options = Options {
        precision: Precision::Double,
        contacts: Some(capacity),
        rows: Some(capacity),
        probe: true,
        checked: true,
        // lanes are independent in the narrow phase
        one_lane: true,
        ..Options::default()
    };
    let start = std::time::Instant::now();
    let mut batch = GpuBatch::new(gpu(), &m, ENVS, &options).unwrap_or_else(|e| panic!("{e}"));
    let compiled = start.elapsed();
    let mut datas: Vec<Data> = (0..ENVS).map(|k| state(&m, cases, k)).collect();
    let states: Vec<f64> = datas.iter().flat_map(|d| [&d.qpos[..], &d.qvel[..]].concat()).collect();
    batch.set_state(&states).expect("states");
    batch.step(1).expect("a step");
    let (out, info) = (batch.output().expect("an output"), batch.info().expect("infos"));
    println!("{name}: compiled in {compiled:?}, stepped in {:?}", start.elapsed() - compiled);
    let layout = batch.probe_layout().clone();
    let mut worst = vec![Worst::default(); cases.len()];
    let mut failures = Vec::new();
    for (k, d) in datas.iter_mut().enumerate() {
        mj_forward(&m, d).expect("forward");
        let own = &out[k * (layout.start + layout.len) + layout.start..][..layout.len];
        let field = |name: &str| {
            let found = layout.named.iter().find(|(known, ..)| *known == name);
            let (_, start, len) = found.unwrap_or_else(|| panic!("no {name}"));
            &own[*start..start + len]
        };
        let flags = info[k].flags;
        assert!(!flags.contacts && !flags.rows && !flags.diverged, "{name} {k}: {:?}", info[k]);
        let ours = field("CONTACT");
        let ours: Vec<&[f64]> = ours.chunks_exact(10).take(info[k].contacts).collect();
        for (c, case) in cases.iter().enumerate() {
            let mine: Vec<&[f64]> = ours.iter().copied().filter(|o| in_cell(o[1], c)).collect();
            if let Err(why) = worst[c].note(&m, d, c, &mine, field("QACC"), limit, case.has_field())
            {
                let (fixed, free) = (case.fixed.0, case.free.0);
                failures.push(format!("{fixed} and {free}, state {k}: {why}"));
            }
        }
    }
    for (case, Worst { count, contact, acc, skipped, apart }) in cases.iter().zip(&worst) {
        let pair = format!("{} and {}", case.fixed.0, case.free.0);
        println!(
            "  {pair}: {count} contacts, off by {contact:.1e}, accelerations {acc:.1e}, {skipped} skipped, {apart} apart"
        );
        assert!(20 * apart <= *count, "{pair}: {apart} of {count} contacts are not found");
        assert!(
            *count > 0 && (*skipped <= 3 * ENVS / 4 || case.has_field()),
            "{pair}: {count} contacts, {skipped} skipped"
        );
        if contact.max(*acc) >= limit {
            failures.push(format!("{pair}: contacts off by {contact:e}, accelerations {acc:e}"));
        }
    }
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

// Compile times grow with the square of the size of a kernel.

#[test]
fn closed_form_pairs_of_boxes() {
    let cases =
        [case(BOX, 0.2, CAPSULE, 0.4), case(BOX, 0.2, CUBE, 0.2), case(GAP, 0.2, CUBE, 0.2)];
    check("boxes", &cases, 1e-8);
}

#[test]
fn closed_form_pairs() {
    let cases = [
        case(PLANE, 0.0, WEDGE, 0.2),
        case(PLANE, 0.0, PRISM, 0.2),
        case(PLANE, 0.0, LONG_SIZE_SPHERE, 0.2),
        case(PLANE, 0.0, CAPSULE, 0.4),
        case(LONG_SIZE_SPHERE, 0.2, LONG_SIZE_SPHERE, 0.2),
        case(LONG_SIZE_SPHERE, 0.2, CAPSULE, 0.4),
        case(CAPSULE, 0.4, CAPSULE, 0.4),
    ];
    check("closed forms", &cases, 1e-8);
}

#[test]
fn signed_distance_fields() {
    check("fields", &[case(SPHERE, 0.2, r#"type="sdf" mesh="torus""#, 0.15)], 1e-8);
}

// The next three have the same kernel, which is compiled once: the same number of cases and meshes.

#[test]
fn ellipsoids() {
    let cases = [
        case(ELLIPSOID, 0.15, SPHERE, 0.2),
        case(ELLIPSOID, 0.15, CAPSULE, 0.4),
        case(ELLIPSOID, 0.15, ELLIPSOID, 0.15),
        case(CYLINDER, 0.2, PRISM, 0.2),
        case(GAP, 0.2, WEDGE, 0.2),
        case(DISC, 0.2, SPHERE, 0.2),
    ];
    check("round solids", &cases, 1e-5);
}

#[test]
fn cylinders() {
    let cases = [
        case(ELLIPSOID, 0.15, CYLINDER, 0.2),
        case(ELLIPSOID, 0.15, BOX, 0.2),
        case(CYLINDER, 0.2, CAPSULE, 0.4),
        case(CYLINDER, 0.2, CYLINDER, 0.2),
        case(PRISM, 0.2, WEDGE, 0.2),
        case(CYLINDER, 0.2, DISC, 0.2),
    ];
    check("cylinders", &cases, 1e-5);
}

#[test]
fn polyhedra() {
    let cases = [
        case(CYLINDER, 0.2, BOX, 0.2),
        case(PRISM, 0.2, SPHERE, 0.2),
        case(PRISM, 0.2, CAPSULE, 0.4),
        case(WEDGE, 0.2, ELLIPSOID, 0.15),
        case(PRISM, 0.2, BOX, 0.2),
        case(DISC, 0.2, PRISM, 0.2),
    ];
    check("flat solids", &cases, 1e-5);
}
