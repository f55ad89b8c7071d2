//! Comparison of the contacts of two geoms at random poses.

use super::Outcome;
use super::contacts::known_rule;
use crate::{Archive, tolerance};
use sim_core::types::Contact;
use sim_core::{Data, Model, mj_collision};

/// Kinds of poses, in the oracle's order.
pub const KINDS: [&str; 8] =
    ["any", "shallow", "deep", "within", "aligned", "parallel", "same centre", "separated"];

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

    /// Sets sizes, poses and margin from a row of the archive and finds the contacts.
    fn collide(&mut self, row: &[f64]) {
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
        geoms.collide(row);
        let ours = &geoms.data.contact[..];
        let field = format!("{name} {} [{k}]", KINDS[kind]);
        let least = theirs.chunks_exact(13).map(|c| c[0]).fold(f64::INFINITY, f64::min);
        let mut found = Outcome::default();
        let errors = compare_contacts(&mut found, &field, ours, theirs);
        if !found.agrees()
            && let Some(rule) = known_rule(&geoms.model, &geoms.data, [0, 1], ours, least)
        {
            result.outcome.accept(rule);
            continue;
        }
        match errors {
            None => result.miscounted[kind] += 1,
            Some(errors) => {
                result.differing[kind] += usize::from(!found.agrees());
                for (worst, error) in result.worst.iter_mut().zip(errors) {
                    *worst = worst.max(error);
                }
            }
        }
        result.outcome.compared += found.compared;
        if found.worst > result.outcome.worst {
            result.outcome.worst = found.worst;
            result.outcome.worst_field = found.worst_field;
        }
        result.outcome.differences.append(&mut found.differences);
    }
    result
}

/// Compares the contacts of one pose; returns the largest difference in distance, position and frame, or
/// `None` if the numbers of contacts differ.
fn compare_contacts(
    out: &mut Outcome,
    field: &str,
    ours: &[Contact],
    theirs: &[f64],
) -> Option<[f64; 3]> {
    let count = theirs.len() / 13;
    if ours.len() != count {
        let detail = format!("{} contacts, the oracle has {count}", ours.len());
        out.push("mj_collision", field, f64::INFINITY, 0.0, detail);
        return None;
    }
    let columns = [(0..1, "dist"), (1..4, "pos"), (4..13, "frame")];
    Some(columns.map(|(range, part)| {
        let flat: Vec<f64> = ours.iter().flat_map(|c| flat(c)[range.clone()].to_vec()).collect();
        let other: Vec<f64> =
            theirs.chunks_exact(13).flat_map(|c| c[range.clone()].to_vec()).collect();
        let field = format!("{field} {part}");
        out.reals("mj_collision", &field, tolerance::ANALYTIC, &flat, &other);
        flat.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }))
}

/// Distance, position and frame of a contact.
fn flat(contact: &Contact) -> [f64; 13] {
    let mut flat = [contact.dist; 13];
    flat[1..4].copy_from_slice(&contact.pos);
    flat[4..].copy_from_slice(&contact.frame);
    flat
}
