//! Side and top views of the deformable bodies and geoms (`sim plot --shape`).

use crate::Failure;
use crate::chart::{Area, Draw, TITLE_HEIGHT, render};
use plotters::prelude::*;
use sim_physics::types::GeomType;
use sim_physics::{Data, Model};
use std::f64::consts::TAU;
use std::path::Path;

/// Width and height of a view, without the title.
const VIEW: (u32, u32) = (480, 480);
/// Number of segments of a circle.
const CIRCLE_SEGMENTS: usize = 48;
/// Half size at which infinite planes are drawn, m.
const INFINITE_PLANE: f64 = 10.0;

/// A polyline in world coordinates.
type Polyline = Vec<[f64; 3]>;

/// Draws the deformable bodies and geoms to a file. Returns the number of deformable bodies.
pub(crate) fn draw(path: &Path, title: &str, m: &Model, d: &Data) -> Result<usize, Failure> {
    let bodies: Vec<Vec<Polyline>> = (0..d.deformable_count()).map(|k| edges(d, k)).collect();
    if bodies.is_empty() {
        return Err("--shape: the model has no deformable bodies".into());
    }
    let geoms: Vec<Polyline> = (0..m.ngeom).flat_map(|geom| outline(m, d, geom)).collect();
    let views = Views { title, geoms: &geoms, bodies: &bodies };
    render(path, (2 * VIEW.0, VIEW.1 + TITLE_HEIGHT), &views)?;
    Ok(bodies.len())
}

struct Views<'a> {
    title: &'a str,
    geoms: &'a [Polyline],
    bodies: &'a [Vec<Polyline>],
}

impl Draw for Views<'_> {
    fn draw<B: DrawingBackend>(&self, root: Area<B>) -> Result<(), Failure>
    where
        B::ErrorType: 'static,
    {
        root.fill(&WHITE)?;
        let root = root.titled(self.title, ("sans-serif", 18))?;
        let areas = root.split_evenly((1, 2));
        // side view: x and z axes; top view: x and y axes
        for (area, axes) in areas.iter().zip([[0, 2], [0, 1]]) {
            draw_view(area, axes, self.geoms, self.bodies)?;
        }
        root.present()?;
        Ok(())
    }
}

/// Draws the orthographic projection on two world axes.
fn draw_view<B: DrawingBackend>(
    area: &Area<B>,
    [horizontal, vertical]: [usize; 2],
    geoms: &[Polyline],
    bodies: &[Vec<Polyline>],
) -> Result<(), Failure>
where
    B::ErrorType: 'static,
{
    let points = || bodies.iter().flatten().flatten().filter(|p| p.iter().all(|x| x.is_finite()));
    let bound = |k: usize| {
        points().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            [low.min(p[k]), high.max(p[k])]
        })
    };
    let (x_range, y_range) = (bound(horizontal), bound(vertical));
    // the same scale on both axes, with a margin
    let half = 0.65 * (x_range[1] - x_range[0]).max(y_range[1] - y_range[0]).max(1e-3);
    let center = |[low, high]: [f64; 2]| 0.5 * (low + high);
    let (x, y) = (center(x_range), center(y_range));
    let names = ["x (m)", "y (m)", "z (m)"];
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(x - half..x + half, y - half..y + half)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(names[horizontal]).y_desc(names[vertical]).light_line_style(WHITE).draw()?;
    let project = |line: &Polyline| -> Vec<(f64, f64)> {
        line.iter().map(|p| (p[horizontal], p[vertical])).collect()
    };
    let grey = BLACK.mix(0.35);
    chart.draw_series(geoms.iter().map(|line| PathElement::new(project(line), grey)))?;
    for (k, body) in bodies.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        chart.draw_series(body.iter().map(|line| PathElement::new(project(line), color)))?;
    }
    Ok(())
}

/// The edges of the triangles and segments of a deformable body.
fn edges(d: &Data, k: usize) -> Vec<Polyline> {
    let Some(body) = d.deformable(k) else { return Vec::new() };
    let at = |i: u32| -> [f64; 3] { body.positions()[i as usize].into() };
    let sides = body.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // interior edges belong to two triangles
    let mut sides: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    sides.sort_unstable();
    sides.dedup();
    sides.extend(body.segments());
    sides.iter().map(|&[a, b]| vec![at(a), at(b)]).collect()
}

/// Wireframe of a geom in world coordinates.
fn outline(m: &Model, d: &Data, geom: usize) -> Vec<Polyline> {
    let [a, b, c] = [0, 1, 2].map(|k| m.geom_size[3 * geom + k]);
    let circle = |i: usize, j: usize, radii: [f64; 2], center: [f64; 3]| -> Polyline {
        let vertex = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / CIRCLE_SEGMENTS as f64).sin_cos();
            let mut point = center;
            point[i] += radii[0] * cos;
            point[j] += radii[1] * sin;
            point
        };
        (0..=CIRCLE_SEGMENTS).map(vertex).collect()
    };
    let zero = [0.0; 3];
    let local: Vec<Polyline> = match m.geom_type[geom] {
        GeomType::Sphere => {
            vec![circle(0, 1, [a, a], zero), circle(0, 2, [a, a], zero), circle(1, 2, [a, a], zero)]
        }
        GeomType::Ellipsoid => {
            vec![circle(0, 1, [a, b], zero), circle(0, 2, [a, c], zero), circle(1, 2, [b, c], zero)]
        }
        GeomType::Capsule | GeomType::Cylinder => {
            let mut lines: Vec<Polyline> =
                [-b, b].iter().map(|&z| circle(0, 1, [a, a], [0.0, 0.0, z])).collect();
            lines.extend(
                [[a, 0.0], [-a, 0.0], [0.0, a], [0.0, -a]]
                    .map(|[x, y]| vec![[x, y, -b], [x, y, b]]),
            );
            lines
        }
        GeomType::Box => {
            let ring = |z: f64| vec![[a, b, z], [-a, b, z], [-a, -b, z], [a, -b, z], [a, b, z]];
            let mut lines = vec![ring(c), ring(-c)];
            lines.extend(
                [[a, b], [-a, b], [-a, -b], [a, -b]].map(|[x, y]| vec![[x, y, -c], [x, y, c]]),
            );
            lines
        }
        GeomType::Plane => {
            let half_size = |size: f64| if size > 0.0 { size } else { INFINITE_PLANE };
            let (a, b) = (half_size(a), half_size(b));
            vec![vec![[-a, 0.0, 0.0], [a, 0.0, 0.0]], vec![[0.0, -b, 0.0], [0.0, b, 0.0]]]
        }
        _ => Vec::new(),
    };
    let (pos, mat) = (&d.geom_xpos[3 * geom..], &d.geom_xmat[9 * geom..]);
    let to_world = |p: [f64; 3]| {
        [0, 1, 2].map(|k| pos[k] + (0..3).map(|j| mat[3 * k + j] * p[j]).sum::<f64>())
    };
    local.into_iter().map(|line| line.into_iter().map(to_world).collect()).collect()
}
