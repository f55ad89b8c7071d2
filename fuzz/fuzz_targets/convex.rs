//! Two shapes, including flat, tiny, huge and coincident ones: contacts and distances are finite,
//! normals are unit vectors, and iteration counts are bounded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_core::{Data, Model, convex_contacts, convex_distance, mj_collision, mj_geom_distance};
use sim_core::types::GeomType;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far more than any pair takes.
const LONG: Duration = Duration::from_secs(2);
/// Maximum number of points of a hull.
const POINTS: usize = 40;

/// Numbers, two bytes at a time; zeros when there are no more.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    /// A critical number, or an arbitrary one between -1 and 1.
    fn number(&mut self) -> f64 {
        const SPECIAL: [f64; 16] = [
            0.0, 0.5, -0.5, 1.0, -1.0, 0.25, 1e-3, 1e-8, -1e-8, 1e-12, 1e-16, 1e-30, 10.0, 1e4,
            -1e4, 1e8,
        ];
        let (a, b) = (self.byte(), self.byte());
        if a & 3 == 0 {
            return SPECIAL[usize::from(b & 15)];
        }
        f64::from(i16::from_le_bytes([a, b])) / 32768.0
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// A rotation; often one along the axes.
    fn rotation(&mut self) -> [f64; 9] {
        let mut q: [f64; 4] = self.numbers();
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm < 1e-3 {
            q = [1.0, 0.0, 0.0, 0.0];
        } else {
            q = q.map(|x| x / norm);
        }
        let [w, x, y, z] = q;
        [
            1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
            2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
            2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
        ]
    }
}

/// A model of two shapes, and whether both are convex solids.
fn model(from: &mut Numbers) -> Option<Model> {
    let (mut assets, mut bodies) = (String::new(), String::new());
    let kinds: [u8; 2] = [from.byte() % 9, from.byte() % 9];
    for (k, kind) in kinds.into_iter().enumerate() {
        let name = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "plane", "mesh", "mesh", "mesh"]
            [usize::from(kind)];
        let shape = if name == "mesh" {
            let count = 4 + usize::from(from.byte()) % (POINTS - 3);
            let _ = write!(assets, r#"<mesh name="{k}" inertia="convex" vertex=""#);
            for _ in 0..count {
                let [x, y, z] = from.numbers::<3>();
                let _ = write!(assets, "{x} {y} {z} ");
            }
            assets += "\"/>";
            format!(r#"mesh="{k}""#)
        } else {
            r#"size="1 1 1""#.to_owned()
        };
        let geom = format!(r#"<geom type="{name}" {shape}/>"#);
        if name == "plane" {
            bodies.insert_str(0, &geom);
        } else {
            let _ = write!(bodies, "<body><freejoint/>{geom}</body>");
        }
    }
    let text = format!("<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>");
    let mut m = sim_mjcf::load_str(&text).ok().filter(|m| m.ngeom == 2)?;
    // edits that no file can express: a model can also be modified after compilation
    let edits = from.byte();
    for g in 0..2 {
        if edits >> g & 1 != 0 {
            for x in &mut m.geom_size[3 * g..][..3] {
                *x = from.number().abs();
            }
        }
    }
    if edits & 4 != 0 {
        let scale: [f64; 3] = from.numbers();
        for point in m.mesh_vert.chunks_exact_mut(3) {
            for (x, scale) in point.iter_mut().zip(scale) {
                *x *= scale as f32;
            }
        }
    }
    if edits & 8 != 0 {
        m.opt.ccd_tolerance = from.number().abs();
        m.opt.ccd_iterations = i32::from(from.byte());
    }
    if edits & 16 != 0 {
        m.opt.disableflags ^= sim_core::types::DisableBit::MultiCcd as i32;
    }
    // bounds would cull the edited geoms
    for radius in m.geom_rbound.iter_mut().filter(|radius| **radius > 0.0) {
        *radius = 1e9;
    }
    m.geom_aabb.fill(1e9);
    m.refresh();
    Some(m)
}

fn place(d: &mut Data, from: &mut Numbers) {
    let flags = from.byte();
    for g in 0..2 {
        let pos: [f64; 3] = if flags >> g & 1 != 0 { [0.0; 3] } else { from.numbers() };
        let mat = if flags >> (g + 2) & 1 != 0 {
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
        } else {
            from.rotation()
        };
        d.geom_xpos[3 * g..][..3].copy_from_slice(&pos);
        d.geom_xmat[9 * g..][..9].copy_from_slice(&mat);
    }
}

/// Context of a failure.
fn scene(m: &Model, d: &Data, margin: f64) -> String {
    format!(
        "{:?} sizes {:?} at {:?} turned {:?}, margin {margin:e}, tolerance {:e} in {} iterations, \
         vertices {:?}",
        m.geom_type, m.geom_size, d.geom_xpos, d.geom_xmat, m.opt.ccd_tolerance,
        m.opt.ccd_iterations, m.mesh_vert,
    )
}

fn check(m: &Model, d: &mut Data, margin: f64) {
    let scene = scene(m, d, margin);
    let unit = |n: &[f64]| {
        let norm = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((norm - 1.0).abs() < 1e-9, "normal {n:?}: {scene}");
    };
    let finite = |x: &[f64]| assert!(x.iter().all(|x| x.is_finite()), "{x:?}: {scene}");
    for contact in convex_contacts(m, d, 0, 1, margin) {
        finite(&contact);
        unit(&contact[4..]);
    }
    if m.geom_type.iter().all(|kind| *kind != GeomType::Plane) {
        let (dist, segment) = convex_distance(m, d, 0, 1, 1e10);
        finite(&[dist]);
        finite(&segment);
    }
    for (g, h) in [(0, 1), (1, 0)] {
        let mut segment = [0.0; 6];
        finite(&[mj_geom_distance(m, d, g, h, margin.max(0.5), Some(&mut segment))]);
        finite(&segment);
    }
    mj_collision(m, d);
    for contact in &d.contact[..d.ncon] {
        finite(&[contact.dist]);
        finite(&contact.pos);
        unit(&contact.frame[..3]);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut from = Numbers(bytes);
    let Some(m) = model(&mut from) else { return };
    let mut d = m.make_data();
    let start = Instant::now();
    for _ in 0..4 {
        place(&mut d, &mut from);
        let margin = from.number().abs().min(1.0);
        check(&m, &mut d, margin);
        if from.0.is_empty() {
            break;
        }
    }
    assert!(start.elapsed() < LONG, "took {:?}", start.elapsed());
});
