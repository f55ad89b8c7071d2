//! What a program adds to the view: arrows, frames, text, plots and images.

use sim_physics::scene::{Category, SceneGeom, SceneGeomType};

/// Elements that a program draws in addition to the model.
///
/// ```
/// use sim_viewer::Overlay;
///
/// let mut overlay = Overlay::default();
/// overlay.arrow([0.0; 3], [0.0, 0.0, 1.0], 0.01, [1.0, 0.0, 0.0, 1.0]);
/// overlay.label([0.0, 0.0, 1.0], "target");
/// overlay.text("reward", format!("{:.2}", 1.5));
/// overlay.plot("error", 0.0, 0.25);
/// assert_eq!(overlay.geoms.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// Shapes in the scene.
    pub geoms: Vec<SceneGeom>,
    /// Text at points of the scene (m).
    pub labels: Vec<([f64; 3], String)>,
    /// Names and values in the corner of the view.
    pub lines: Vec<(String, String)>,
    /// New points of plots: name of the curve, x and y. The viewer keeps the earlier points.
    pub points: Vec<(String, [f64; 2])>,
    /// Images, shown in windows of their own.
    pub images: Vec<OverlayImage>,
}

/// An image that a program shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverlayImage {
    /// Title.
    pub name: String,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Three bytes per pixel, from the top left corner.
    pub rgb: Vec<u8>,
}

impl Overlay {
    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a shape.
    pub fn geom(&mut self, geom: SceneGeom) {
        self.geoms.push(geom);
    }

    /// Adds an arrow with a shaft of a radius (m).
    pub fn arrow(&mut self, from: [f64; 3], to: [f64; 3], radius: f64, rgba: [f32; 4]) {
        self.connector(SceneGeomType::Arrow, from, to, radius, rgba);
    }

    /// Adds a capsule between two points.
    pub fn segment(&mut self, from: [f64; 3], to: [f64; 3], radius: f64, rgba: [f32; 4]) {
        self.connector(SceneGeomType::Capsule, from, to, radius, rgba);
    }

    /// Adds a sphere.
    pub fn sphere(&mut self, center: [f64; 3], radius: f64, rgba: [f32; 4]) {
        let mut geom = decor();
        geom.init(SceneGeomType::Sphere, Some([radius; 3]), Some(center), None, Some(rgba));
        self.geoms.push(geom);
    }

    /// Adds the axes of a coordinate frame: red, green and blue. `mat` is its rotation matrix, row-major.
    pub fn frame(&mut self, origin: [f64; 3], mat: &[f64; 9], length: f64) {
        for axis in 0..3 {
            let to = std::array::from_fn(|k| origin[k] + length * mat[3 * k + axis]);
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[axis] = 0.9;
            self.connector(SceneGeomType::Cylinder, origin, to, 0.04 * length, rgba);
        }
    }

    /// Adds text at a point of the scene.
    pub fn label(&mut self, at: [f64; 3], text: impl Into<String>) {
        self.labels.push((at, text.into()));
    }

    /// Adds a name and a value in the corner of the view.
    pub fn text(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.lines.push((name.into(), value.into()));
    }

    /// Appends a point to a curve.
    pub fn plot(&mut self, name: impl Into<String>, x: f64, y: f64) {
        self.points.push((name.into(), [x, y]));
    }

    /// Adds an image with three bytes per pixel; one with another number of bytes is not shown.
    pub fn image(&mut self, name: impl Into<String>, size: [usize; 2], rgb: &[u8]) {
        if rgb.len() == 3 * size[0] * size[1] && !rgb.is_empty() {
            self.images.push(OverlayImage { name: name.into(), size, rgb: rgb.to_vec() });
        }
    }

    fn connector(
        &mut self,
        kind: SceneGeomType,
        from: [f64; 3],
        to: [f64; 3],
        radius: f64,
        rgba: [f32; 4],
    ) {
        let mut geom = decor();
        // cannot fail: all shapes used here connect two points
        if geom.connect(kind, radius, from, to).is_ok() {
            geom.rgba = rgba;
            self.geoms.push(geom);
        }
    }
}

fn decor() -> SceneGeom {
    SceneGeom { category: Category::DECOR, segid: -1, ..SceneGeom::default() }
}

/// Most points of curves that wait to be displayed; a minimized window displays nothing.
const MAX_POINTS: usize = 20_000;

impl Overlay {
    /// Keeps the points of curves of an earlier overlay that was not displayed.
    pub(crate) fn keep_undisplayed(&mut self, earlier: &Self) {
        if !earlier.points.is_empty() {
            let excess = (earlier.points.len() + self.points.len()).saturating_sub(MAX_POINTS);
            let kept = earlier.points.get(excess..).unwrap_or_default();
            self.points.splice(0..0, kept.iter().cloned());
        }
    }
}
