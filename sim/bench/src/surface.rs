//! Generated mesh files of the compile scenes: spheres with bumps, as binary STL and as OBJ.

use std::fmt::Write;
use std::path::Path;

/// A closed surface of triangles.
struct Surface {
    vertices: Vec<[f32; 3]>,
    faces: Vec<[u32; 3]>,
}

/// Writes the meshes of the scene to `folder` and returns its MJCF.
pub(crate) fn write(folder: &Path) -> std::io::Result<String> {
    // the last is a smooth sphere: all its vertices are vertices of its hull
    let kinds = [
        ("a.stl", 0.05, 7.0, 158),
        ("b.obj", 0.02, 31.0, 158),
        ("c.stl", 0.1, 4.0, 110),
        ("d.obj", 0.0, 0.0, 64),
    ];
    let (mut assets, mut geoms) = (String::new(), String::new());
    for (k, (file, height, waves, rings)) in kinds.into_iter().enumerate() {
        let surface = sphere(rings, height, waves);
        let bytes = if file.ends_with("stl") { surface.stl() } else { surface.obj() };
        std::fs::write(folder.join(file), bytes)?;
        let _ = writeln!(assets, r#"<mesh name="{file}" file="{file}" scale=".1 .1 .1"/>"#);
        let _ = writeln!(
            geoms,
            r#"<body pos="{k} 0 1"><freejoint/><geom type="mesh" mesh="{file}"/></body>"#
        );
    }
    Ok(format!(
        "<mujoco>\n<asset>\n{assets}</asset>\n<worldbody>\n{geoms}</worldbody>\n</mujoco>\n"
    ))
}

/// Writes one mesh of 99 856 triangles to `folder` and returns the MJCF of a scene with it.
pub(crate) fn write_one(folder: &Path) -> std::io::Result<String> {
    std::fs::write(folder.join("one.stl"), sphere(158, 0.05, 7.0).stl())?;
    let assets = r#"<mesh name="one" file="one.stl"/>"#;
    let geoms = r#"<body><freejoint/><geom type="mesh" mesh="one"/></body>"#;
    Ok(format!("<mujoco>\n<asset>{assets}</asset>\n<worldbody>{geoms}</worldbody>\n</mujoco>\n"))
}

/// A sphere of `rings` rings with `2 rings` vertices each, and bumps of the given height and frequency.
fn sphere(rings: u32, height: f64, waves: f64) -> Surface {
    use std::f64::consts::{PI, TAU};
    let around = 2 * rings;
    let mut vertices = vec![[0.0, 0.0, 1.0]];
    for i in 1..=rings {
        let polar = PI * f64::from(i) / f64::from(rings + 1);
        for j in 0..around {
            let angle = TAU * f64::from(j) / f64::from(around);
            let (s, c) = polar.sin_cos();
            let radius =
                1.0 + height * s * s * (waves * polar).sin() * (waves.floor() * angle).cos();
            let point = [s * angle.cos(), s * angle.sin(), c];
            vertices.push(point.map(|x| (radius * x) as f32));
        }
    }
    vertices.push([0.0, 0.0, -1.0]);
    let at = |i: u32, j: u32| 1 + (i - 1) * around + j % around;
    let last = 1 + rings * around;
    let mut faces = Vec::new();
    for j in 0..around {
        faces.push([0, at(1, j), at(1, j + 1)]);
        for i in 1..rings {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
        faces.push([last, at(rings, j + 1), at(rings, j)]);
    }
    Surface { vertices, faces }
}

impl Surface {
    /// Binary STL with zero normals, which readers recompute.
    fn stl(&self) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((self.faces.len() as u32).to_le_bytes());
        for face in &self.faces {
            bytes.extend([0; 12]);
            let corners = face.iter().flat_map(|&v| self.vertices[v as usize]);
            bytes.extend(corners.flat_map(f32::to_le_bytes));
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn obj(&self) -> Vec<u8> {
        let mut text = String::new();
        for [x, y, z] in &self.vertices {
            let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}");
        }
        for [a, b, c] in &self.faces {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text.into_bytes()
    }
}
