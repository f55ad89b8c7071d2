//! Meshes that collide by their triangles: hollows and holes stay what they are.
//!
//! Of our own; the reference engine collides the convex hulls of meshes. Triangles are seen from
//! their front: the surface pushes to the side that its normals point to. A mesh without border
//! bounds a solid, and what is inside of it is pushed to the nearest part of its surface; a mesh
//! with a border is a sheet. Where triangles meet, a contact counts only if its direction is one in
//! which the surface can push there, so that the edges inside of a flat or hollow part do nothing.

mod both;
mod closest;
mod facet;
mod hfield;
mod plane;
mod reduce;
mod solid;
mod sphere;
mod surface;

use super::convex::{CcdOptions, CcdWork};
use super::dispatch::has_triangles;
use super::shape::Shape;
use super::soup::Soup;
use super::touch::{Touch, Touches};
use crate::Model;
use crate::math::rows;
use crate::math::vec3::scale;
use sim_types::GeomType;
use std::collections::HashMap;
use surface::Surface;

/// Most points that are collected for a pair; more than any reasonable pair has.
const MOST_FOUND: usize = 1 << 13;
/// Most contacts of a plane and a mesh.
const MOST_ON_PLANE: usize = 8;

/// Contacts of one pair before the best are taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct TriangleWork {
    /// In directions in which the surface can push.
    found: Vec<Touch>,
    /// Of what is mostly behind a triangle.
    behind: Vec<Touch>,
    /// Triangles none of whose contacts counts, with the depth of the deepest.
    rejected: Vec<(usize, f64)>,
    /// Contacts with the triangle at hand.
    one: Touches,
}

impl TriangleWork {
    fn clear(&mut self) {
        self.found.clear();
        self.behind.clear();
        self.rejected.clear();
    }

    fn add(&mut self, touch: Touch) {
        let finite = touch.dist.is_finite() && touch.pos.iter().all(|x| x.is_finite());
        if finite && self.found.len() < MOST_FOUND {
            self.found.push(touch);
        }
    }
}

/// What two shapes need to collide by triangles.
struct Query<'q, 'a> {
    margin: f64,
    opt: CcdOptions,
    /// The box around the other shape: centre and half sizes in its frame.
    aabb: [f64; 6],
    other: &'q Shape<'a>,
    /// Length by which features are told apart: the lesser bounding radius.
    size: f64,
}

/// Where two geoms touch, of which one or both collide by their triangles.
pub(crate) fn collide_triangles(
    m: &Model,
    [a, b]: [&Shape<'_>; 2],
    [g1, g2]: [usize; 2],
    margin: f64,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
    out: &mut Touches,
) {
    work.clear();
    let size = [a.rbound, b.rbound].into_iter().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
    let aabb = rows::<6>(&m.geom_aabb);
    let query = |other, g: usize| Query {
        margin,
        opt: CcdOptions { faithful: false, ..CcdOptions::of(&m.opt) },
        aabb: aabb[g],
        other,
        size,
    };
    // the touches go from the other shape to the triangles
    let (flip, most) = match (surface_of(m, a, g1), surface_of(m, b, g2)) {
        (Some(first), Some(second)) => {
            both::collide(&first, &second, &query(a, g1), &query(b, g2), work, ccd);
            (false, reduce::MOST)
        }
        (Some(first), None) => {
            solid::collide(&first, &query(b, g2), work, ccd);
            (true, reduce::MOST)
        }
        (None, Some(second)) => match a.kind {
            GeomType::Plane => {
                plane::collide(&second, &query(a, g1), work);
                (false, MOST_ON_PLANE)
            }
            GeomType::HField => {
                hfield::collide(&second, &query(a, g1), work, ccd);
                (false, reduce::MOST)
            }
            GeomType::Sphere => {
                sphere::collide(&second, &query(a, g1), work);
                (false, reduce::MOST)
            }
            _ => {
                solid::collide(&second, &query(a, g1), work, ccd);
                (false, reduce::MOST)
            }
        },
        (None, None) => return,
    };
    if flip {
        work.found.iter_mut().for_each(|t| t.normal = scale(t.normal, -1.0));
    }
    work.found.retain(|t| t.dist <= margin);
    reduce::reduce(&mut work.found, size, most, out);
}

/// Where a ball touches a geom that collides by its triangles.
pub(crate) fn ball_on_triangles(
    m: &Model,
    (geom, shape): (usize, &Shape<'_>),
    ball: &Shape<'_>,
    margin: f64,
    work: &mut TriangleWork,
    out: &mut Touches,
) {
    work.clear();
    let Some(surface) = surface_of(m, shape, geom) else { return };
    let radius = ball.size[0];
    let query = Query {
        margin,
        opt: CcdOptions { faithful: false, ..CcdOptions::of(&m.opt) },
        aabb: [0.0, 0.0, 0.0, radius, radius, radius],
        other: ball,
        size: ball.rbound,
    };
    sphere::collide(&surface, &query, work);
    work.found.retain(|t| t.dist <= margin);
    work.found.iter().for_each(|&touch| out.push(touch));
}

/// The triangles of a placed geom; nothing if it collides by another shape.
fn surface_of<'a>(m: &'a Model, shape: &Shape<'a>, geom: usize) -> Option<Surface<'a>> {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok().filter(|_| has_triangles(m, geom))?;
    let closed = m.plan.closed_meshes.get(mesh).copied().unwrap_or(false);
    Some(Surface { soup: Soup::of(m, mesh)?, pos: shape.pos, mat: shape.mat, closed })
}

/// Which meshes collide by their triangles and bound a solid: each edge belongs to two triangles
/// that run along it in opposite directions.
pub(crate) fn closed_meshes(m: &Model) -> Vec<bool> {
    let closed = |mesh: usize| {
        m.mesh_triangles[mesh] && Soup::of(m, mesh).is_some_and(|soup| is_closed(&soup))
    };
    (0..m.nmesh).map(closed).collect()
}

fn is_closed(soup: &Soup<'_>) -> bool {
    // vertices at the same place count as one, however often a file lists them
    let mut places = HashMap::new();
    let place: Vec<usize> = soup
        .vertices
        .iter()
        .map(|v| {
            let next = places.len();
            *places.entry(v.map(|x| (x + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut edges: HashMap<(usize, usize), i32> = HashMap::new();
    for face in soup.faces {
        let [a, b, c] = face.map(|v| place.get(v as usize).copied().unwrap_or(usize::MAX));
        if a == b || b == c || c == a {
            continue;
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let way = if from < to { 1 } else { -1 };
            *edges.entry((from.min(to), from.max(to))).or_default() += way;
        }
    }
    !edges.is_empty() && edges.values().all(|&sum| sum == 0)
}
