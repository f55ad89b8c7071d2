//! Tables of spatial tendons (mj_tendon): spans between sites, and the geoms around which they wrap.

use super::actuation::dof_terms;
use super::constraint::BodyFrame;
use super::kinematics::dof_mask;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::math::pose::Pose;
use sim_types::WrapType;

/// Sizes of the arrays of spatial tendons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SpatialTendons {
    /// Spatial tendons.
    pub count: usize,
    /// Spans between sites.
    pub spans: usize,
    /// Straight segments of the spans.
    pub segments: usize,
    /// Whether one of them has armature, so that body velocities are needed.
    pub armature: bool,
}

/// A span of a tendon from one site to the next.
struct Span {
    ends: [BodyFrame; 2],
    /// Reciprocal of the divisor of the pulley before it.
    scale: f64,
    wrap: Option<Wrap>,
}

/// The geom of a span, and its side site.
struct Wrap {
    geom: BodyFrame,
    radius: f64,
    cylinder: bool,
    side: Option<BodyFrame>,
}

/// Whether a tendon is spatial.
pub(crate) fn is_spatial(m: &Model, tendon: usize) -> bool {
    m.wrap_type[m.tendon_adr[tendon] as usize] != WrapType::Joint
}

fn site(m: &Model, id: usize) -> BodyFrame {
    (m.site_bodyid[id] as usize, m.site_frame(id))
}

/// The spans of a tendon.
fn spans(m: &Model, tendon: usize) -> Vec<Span> {
    let first = m.tendon_adr[tendon] as usize;
    let last = first + m.tendon_num[tendon] as usize - 1;
    let object = |w: usize| m.wrap_objid[w].max(0) as usize;
    let (mut spans, mut scale, mut w) = (Vec::new(), 1.0, first);
    while w < last {
        if m.wrap_type[w] == WrapType::Pulley {
            scale = 1.0 / m.wrap_prm[w];
        }
        if m.wrap_type[w] == WrapType::Pulley || m.wrap_type[w + 1] == WrapType::Pulley {
            w += 1;
            continue;
        }
        let wraps = m.wrap_type[w + 1] != WrapType::Site;
        let next = w + 1 + usize::from(wraps);
        let wrap = wraps.then(|| {
            let geom = object(w + 1);
            Wrap {
                geom: (m.geom_bodyid[geom] as usize, m.geom_frame(geom)),
                radius: m.geom_size[3 * geom],
                cylinder: m.wrap_type[w + 1] == WrapType::Cylinder,
                // -1: no side site
                side: (m.wrap_prm[w + 1] >= 0.0).then(|| site(m, m.wrap_prm[w + 1] as usize)),
            }
        });
        spans.push(Span { ends: [site(m, object(w)), site(m, object(next))], scale, wrap });
        w = next;
    }
    spans
}

impl SpatialTendons {
    /// Adds the tables of all spatial tendons.
    pub(crate) fn new(m: &Model, t: &mut ModelTables) -> Self {
        let ids: Vec<usize> = (0..m.ntendon).filter(|&k| is_spatial(m, k)).collect();
        t.size("NSPATIAL", ids.len());
        let position = |k: usize| ids.iter().position(|&id| id == k).unwrap_or(usize::MAX);
        t.indices("TENDON_SPATIAL", (0..m.ntendon).map(position));
        t.indices("SPATIAL_TENDON_ID", ids.iter().copied());
        let terms = dof_terms(m);
        let armature = |k: usize| terms.tendon_armature[k];
        t.scalars("SPATIAL_TENDON_ARMATURE", ids.iter().map(|&k| armature(k)));
        t.flag("SPATIAL_ARMATURE", ids.iter().any(|&k| armature(k) != 0.0));
        let paths: Vec<Vec<Span>> = ids.iter().map(|&k| spans(m, k)).collect();
        t.offsets("SPAN_ADR", &paths);
        let spans: Vec<&Span> = paths.iter().flatten().collect();
        t.size("NSPAN", spans.len());
        t.indices("SPAN_BODY1", spans.iter().map(|s| s.ends[0].0));
        t.indices("SPAN_BODY2", spans.iter().map(|s| s.ends[1].0));
        let start = |s: &&Span| {
            let [x, y, z] = s.ends[0].1.pos;
            [x, y, z, s.scale]
        };
        t.vec4s("SPAN_POS1", spans.iter().map(start));
        t.vec4s("SPAN_POS2", spans.iter().map(|s| s.ends[1].1.pos));
        let mut wraps = 0;
        let index = |s: &&Span| {
            wraps += usize::from(s.wrap.is_some());
            if s.wrap.is_some() { wraps - 1 } else { usize::MAX }
        };
        t.indices("SPAN_WRAP", spans.iter().map(index).collect::<Vec<_>>());
        Self::wraps(&spans.iter().filter_map(|s| s.wrap.as_ref()).collect::<Vec<_>>(), t);
        let segments = Self::segments(m, &paths, t);
        let armature = ids.iter().any(|&k| armature(k) != 0.0);
        Self { count: ids.len(), spans: spans.len(), segments, armature }
    }

    /// Straight segments: the first one of each span, and the dofs that move only one of the bodies at their ends. Returns
    /// their number.
    fn segments(m: &Model, paths: &[Vec<Span>], t: &mut ModelTables) -> usize {
        let bodies = |span: &Span| {
            let [start, end] = [span.ends[0].0, span.ends[1].0];
            match &span.wrap {
                Some(wrap) => vec![[start, wrap.geom.0], [wrap.geom.0, end]],
                None => vec![[start, end]],
            }
        };
        let of_tendons: Vec<Vec<[usize; 2]>> =
            paths.iter().map(|spans| spans.iter().flat_map(bodies).collect()).collect();
        t.offsets("SEGMENT_ADR", &of_tendons);
        let counts: Vec<Vec<[usize; 2]>> = paths.iter().flatten().map(bodies).collect();
        t.offsets("SPAN_SEGMENT", &counts);
        let masks = |ends: &[usize; 2], side: usize| {
            let [own, other] = [ends[side], ends[1 - side]].map(|body| dof_mask(m, body));
            own.into_iter().zip(other).map(|(own, other)| own & !other).collect::<Vec<_>>()
        };
        for (name, side) in [("SEGMENT_START_DOFS", 0), ("SEGMENT_END_DOFS", 1)] {
            t.indices(name, of_tendons.iter().flatten().flat_map(|ends| masks(ends, side)));
        }
        of_tendons.iter().map(Vec::len).sum()
    }

    fn wraps(wraps: &[&Wrap], t: &mut ModelTables) {
        t.indices("WRAP_BODY", wraps.iter().map(|w| w.geom.0));
        let pos = |w: &&Wrap| {
            let [x, y, z] = w.geom.1.pos;
            [x, y, z, w.radius]
        };
        t.vec4s("WRAP_POS", wraps.iter().map(pos));
        t.vec4s("WRAP_QUAT", wraps.iter().map(|w| w.geom.1.quat));
        t.indices("WRAP_CYLINDER", wraps.iter().map(|w| usize::from(w.cylinder)));
        t.indices("WRAP_SIDE_BODY", wraps.iter().map(|w| w.side.map_or(usize::MAX, |s| s.0)));
        let side = |w: &&Wrap| w.side.map_or(Pose::IDENTITY, |s| s.1).pos;
        t.vec4s("WRAP_SIDE_POS", wraps.iter().map(side));
    }
}
