//! Comparison of the contacts of two geoms at random poses.

use super::Outcome;
use crate::{Archive, tolerance};
use sim_core::types::Contact;
use sim_core::{Data, Model, mj_collision};

/// Kinds of poses, in the oracle's order.
pub const KINDS: [&str; 7] =
    ["any", "shallow", "deep", "within", "aligned", "parallel", "same centre"];

/// Result of comparing one pair of geom types.
#[derive(Debug, Clone, Default)]
pub struct PairResult {
    /// The two geom types, `plane_sphere`.
    pub name: String,
    /// Poses compared.
    pub poses: usize,
    /// Contacts that the oracle found.
    pub contacts: usize,
    /// Poses with a different number of contacts, for each kind of pose.
    pub miscounted: [usize; KINDS.len()],
    /// Poses whose contacts differ by more than the tolerance, for each kind of pose.
    pub differing: [usize; KINDS.len()],
    /// Poses with the known error of MuJoCo 3.8.0 for two boxes.
    pub known: usize,
    /// Largest difference in distance, position and frame over poses with equal counts.
    pub worst: [f64; 3],
    /// All differences.
    pub outcome: Outcome,
}

/// Compares all pairs of an archive.
#[must_use]
pub fn pairs(archive: &Archive) -> Vec<PairResult> {
    let names: Vec<&str> = archive.names("").filter_map(|n| n.strip_suffix("/pose")).collect();
    names.into_iter().map(|name| pair(archive, name)).collect()
}

/// A model of two geoms, and its data.
struct TwoGeoms {
    model: Model,
    data: Data,
}

impl TwoGeoms {
    /// Two geoms of the named types, the first fixed to the world.
    fn new(name: &str) -> Option<Self> {
        let (one, two) = name.split_once('_')?;
        let model = sim_mjcf::load_str(&format!(
            r#"<mujoco><worldbody><geom type="{one}" size="1 1 1"/>
            <body><freejoint/><geom type="{two}" size="1 1 1"/></body></worldbody></mujoco>"#
        ))
        .ok()?;
        let data = model.make_data();
        Some(Self { model, data })
    }

    /// Sets sizes, poses and margin from a row of the archive and returns the contacts.
    fn collide(&mut self, row: &[f64]) -> &[Contact] {
        let (m, d) = (&mut self.model, &mut self.data);
        for (g, part) in [&row[..15], &row[15..30]].into_iter().enumerate() {
            m.geom_size[3 * g..3 * g + 3].copy_from_slice(&part[..3]);
            d.geom_xpos[3 * g..3 * g + 3].copy_from_slice(&part[3..6]);
            d.geom_xmat[9 * g..9 * g + 9].copy_from_slice(&part[6..]);
        }
        m.geom_margin[1] = row[30];
        // large bounding spheres, so that the broad phase keeps the pair; a plane has none
        for bound in &mut m.geom_rbound {
            *bound = if *bound > 0.0 { 1e3 } else { 0.0 };
        }
        m.refresh();
        mj_collision(m, d);
        &d.contact
    }
}

fn pair(archive: &Archive, name: &str) -> PairResult {
    let mut result = PairResult { name: name.to_owned(), ..PairResult::default() };
    let Some(mut geoms) = TwoGeoms::new(name) else {
        result.outcome.push("mj_collision", name, f64::INFINITY, 0.0, "unknown geom type".into());
        return result;
    };
    let counts = archive.get(&format!("{name}/count"));
    let all = archive.get(&format!("{name}/contact"));
    let mut start = 0;
    for (k, &count) in counts.iter().enumerate() {
        let row = archive.row(&format!("{name}/pose"), k);
        let theirs = &all[13 * start..13 * (start + count as usize)];
        start += count as usize;
        if row.len() != 32 {
            continue;
        }
        let kind = (row[31] as usize).min(KINDS.len() - 1);
        result.poses += 1;
        result.contacts += count as usize;
        let ours = geoms.collide(row);
        let field = format!("{name} {} [{k}]", KINDS[kind]);
        if known_box_error(name, ours, theirs) {
            result.known += 1;
            continue;
        }
        if ours.len() != count as usize {
            result.miscounted[kind] += 1;
            let detail = format!("{} contacts, the oracle has {count}", ours.len());
            result.outcome.push("mj_collision", &field, f64::INFINITY, 0.0, detail);
            continue;
        }
        let before = result.outcome.differences.len();
        let columns = [(0..1, "dist"), (1..4, "pos"), (4..13, "frame")];
        for (worst, (range, part)) in result.worst.iter_mut().zip(columns) {
            let flat: Vec<f64> =
                ours.iter().flat_map(|c| flat(c)[range.clone()].to_vec()).collect();
            let other: Vec<f64> =
                theirs.chunks_exact(13).flat_map(|c| c[range.clone()].to_vec()).collect();
            let error = flat.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            *worst = worst.max(error);
            let field = format!("{field} {part}");
            result.outcome.reals("mj_collision", &field, tolerance::ANALYTIC, &flat, &other);
        }
        result.differing[kind] += usize::from(result.outcome.differences.len() > before);
    }
    result
}

/// Whether MuJoCo 3.8.0 has its known error for two boxes: it misses overlapping boxes, or reports a
/// contact deeper than their overlap.
fn known_box_error(name: &str, ours: &[Contact], theirs: &[f64]) -> bool {
    let deepest = |dists: &mut dyn Iterator<Item = f64>| dists.fold(0.0, f64::min);
    let our_depth = deepest(&mut ours.iter().map(|c| c.dist));
    let their_depth = deepest(&mut theirs.chunks_exact(13).map(|c| c[0]));
    name == "box_box"
        && (theirs.is_empty() && ours.len() == 1 && our_depth < 0.0
            || their_depth < our_depth * (1.0 + 1e-6) - 1e-9)
}

/// Distance, position and frame of a contact.
fn flat(contact: &Contact) -> [f64; 13] {
    let mut flat = [contact.dist; 13];
    flat[1..4].copy_from_slice(&contact.pos);
    flat[4..].copy_from_slice(&contact.frame);
    flat
}
