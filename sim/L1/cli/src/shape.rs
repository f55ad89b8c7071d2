//! A picture of where the deformable bodies are, among the geoms: from the side and from above.

use crate::Failure;
use crate::chart::write;
use plotters::prelude::*;
use sim_physics::types::GeomType;
use sim_physics::{Data, Model};
use std::f64::consts::TAU;
use std::path::Path;

/// Width of a view, and height of the picture without the title.
const VIEW: (u32, u32) = (480, 480);
/// Corners of a circle.
const CORNERS: usize = 48;

/// A line in space.
type Line = Vec<[f64; 3]>;

/// Draws the deformable bodies to a file. Returns how many there are.
pub(crate) fn draw(path: &Path, title: &str, m: &Model, d: &Data) -> Result<usize, Failure> {
    let bodies: Vec<Vec<Line>> = (0..d.deformable_count()).map(|k| edges(d, k)).collect();
    if bodies.is_empty() {
        return Err("the model has no deformable bodies: --shape has nothing to draw".into());
    }
    let geoms: Vec<Line> = (0..m.ngeom).flat_map(|geom| outline(m, d, geom)).collect();
    let mut text = String::new();
    {
        let size = (2 * VIEW.0, VIEW.1 + 30);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        let root = root.titled(title, ("sans-serif", 18))?;
        let views = root.split_evenly((1, 2));
        for (area, (across, up)) in views.iter().zip([(0, 2), (0, 1)]) {
            view(area, across, up, &geoms, &bodies)?;
        }
        root.present()?;
    }
    write(path, &text)?;
    Ok(bodies.len())
}

fn view(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    across: usize,
    up: usize,
    geoms: &[Line],
    bodies: &[Vec<Line>],
) -> Result<(), Failure> {
    let points = || bodies.iter().flatten().flatten().filter(|p| p.iter().all(|x| x.is_finite()));
    let bound = |k: usize| {
        points().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            [low.min(p[k]), high.max(p[k])]
        })
    };
    let (wide, tall) = (bound(across), bound(up));
    // the same scale both ways, with room for what is around
    let half = 0.65 * (wide[1] - wide[0]).max(tall[1] - tall[0]).max(1e-3);
    let middle = |[low, high]: [f64; 2]| 0.5 * (low + high);
    let (x, y) = (middle(wide), middle(tall));
    let names = ["x (m)", "y (m)", "z (m)"];
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(x - half..x + half, y - half..y + half)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(names[across]).y_desc(names[up]).light_line_style(WHITE).draw()?;
    let flat =
        |line: &Line| -> Vec<(f64, f64)> { line.iter().map(|p| (p[across], p[up])).collect() };
    let grey = BLACK.mix(0.35);
    chart.draw_series(geoms.iter().map(|line| PathElement::new(flat(line), grey)))?;
    for (k, body) in bodies.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        chart.draw_series(body.iter().map(|line| PathElement::new(flat(line), color)))?;
    }
    Ok(())
}

/// The edges of a deformable body: of its triangles, or of its segments.
fn edges(d: &Data, k: usize) -> Vec<Line> {
    let Some(body) = d.deformable(k) else { return Vec::new() };
    let at = |i: u32| -> [f64; 3] { body.positions()[i as usize].into() };
    let sides = body.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // every inner side belongs to two triangles
    let mut sides: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    sides.sort_unstable();
    sides.dedup();
    sides.extend(body.segments());
    sides.iter().map(|&[a, b]| vec![at(a), at(b)]).collect()
}

/// Lines that show a geom.
fn outline(m: &Model, d: &Data, geom: usize) -> Vec<Line> {
    let [a, b, c] = [0, 1, 2].map(|k| m.geom_size[3 * geom + k]);
    let circle = |across: usize, up: usize, radii: [f64; 2], offset: [f64; 3]| -> Line {
        let corner = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / CORNERS as f64).sin_cos();
            let mut point = offset;
            point[across] += radii[0] * cos;
            point[up] += radii[1] * sin;
            point
        };
        (0..=CORNERS).map(corner).collect()
    };
    let zero = [0.0; 3];
    let local: Vec<Line> = match m.geom_type[geom] {
        GeomType::Sphere => {
            vec![circle(0, 1, [a, a], zero), circle(0, 2, [a, a], zero), circle(1, 2, [a, a], zero)]
        }
        GeomType::Ellipsoid => {
            vec![circle(0, 1, [a, b], zero), circle(0, 2, [a, c], zero), circle(1, 2, [b, c], zero)]
        }
        GeomType::Capsule | GeomType::Cylinder => {
            let mut lines: Vec<Line> =
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
            let reach = |size: f64| if size > 0.0 { size } else { 10.0 };
            let (a, b) = (reach(a), reach(b));
            vec![vec![[-a, 0.0, 0.0], [a, 0.0, 0.0]], vec![[0.0, -b, 0.0], [0.0, b, 0.0]]]
        }
        _ => Vec::new(),
    };
    let (pos, mat) = (&d.geom_xpos[3 * geom..], &d.geom_xmat[9 * geom..]);
    let place = |p: [f64; 3]| {
        [0, 1, 2].map(|k| pos[k] + (0..3).map(|j| mat[3 * k + j] * p[j]).sum::<f64>())
    };
    local.into_iter().map(|line| line.into_iter().map(place).collect()).collect()
}
